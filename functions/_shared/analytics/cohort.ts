import * as z from 'zod'
import { universityId } from '../universities/requests.ts'

/** The ranges that figures are given for; each ends with the last day that is over. */
export const DATE_RANGES = ['7d', '30d', '90d', '1y'] as const

export type DateRange = (typeof DATE_RANGES)[number]

/** How long a range is, as a sentence says it. */
export const RANGE_NAMES: Record<DateRange, string> = {
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
  '90d': 'the last 90 days',
  '1y': 'the last year',
}

/** What students can be told apart by. */
export const DIMENSIONS = ['faculty', 'year', 'residence'] as const

export type Dimension = (typeof DIMENSIONS)[number]

/** A faculty, year and residence; what is not given is not looked at. */
export type Cohort = Partial<Record<Dimension, string>>

/** The name of a cohort as it can be asked for. Postgres takes neither NUL nor half a surrogate pair. */
const cohortName = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^\P{Cc}+$/u, 'has control characters')
    .refine((name) => name.isWellFormed(), 'is not valid Unicode')

export const cohort = z.strictObject({
  faculty: cohortName(100).optional().describe('Faculty.'),
  year: cohortName(20).optional().describe('Year of study.'),
  residence: cohortName(100).optional().describe('Residence.'),
})

/** A university that figures are asked of. */
export const administeredId = universityId.describe('A university that you administer.')
