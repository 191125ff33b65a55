import * as z from 'zod'
import { administeredId, cohort, DATE_RANGES } from './cohort.ts'

const dateRange = z
  .enum(DATE_RANGES)
  .describe('How many days, up to the last day (UTC) that is over: 7, 30, 90 or 365.')

const cohortText = z
  .string()
  .max(1000)
  .transform((text, context) => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not a JSON object' })
      return z.NEVER
    }
  })
  .pipe(cohort)

const cohortFilters = z
  .union([cohort, cohortText])
  .default({})
  .describe('A cohort: `cohort_filters[faculty]=Law`, or `cohort_filters={"faculty":"Law"}` as JSON.')

/** Query of `GET /api/analytics/dashboard`. */
export const dashboardQuery = z.strictObject({
  university_id: administeredId,
  date_range: dateRange.default('30d'),
  cohort_filters: cohortFilters,
})

/** Query of `GET /api/analytics/wellbeing`. */
export const wellbeingQuery = z.strictObject({
  university_id: administeredId,
  date_range: dateRange.default('30d'),
})

/** Query of `GET /api/analytics/trends`. */
export const trendsQuery = z.strictObject({
  university_id: administeredId,
  date_range: dateRange.default('90d'),
  step: z.enum(['day', 'week', 'month']).default('week').describe('What a point stands for.'),
  cohort_filters: cohortFilters,
})
