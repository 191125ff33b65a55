import * as z from 'zod'
import { signInRequest } from '../../accounts/requests.ts'
import { administeredId, cohort, DATE_RANGES } from '../cohort.ts'

/** A filter of the page's form: what is empty, or cannot be a name, filters nothing. */
const chosen = (name: 'faculty' | 'year' | 'residence') => cohort.shape[name].catch(undefined)

/** Query of the page. What somebody mistyped shows the page as it is without it. */
export const pageQuery = z.object({
  university_id: administeredId.optional().catch(undefined),
  date_range: z.enum(DATE_RANGES).default('30d').catch('30d').describe('How many days.'),
  faculty: chosen('faculty'),
  year: chosen('year'),
  residence: chosen('residence'),
})

export type PageQuery = z.output<typeof pageQuery>

/** What the page's forms send: to sign in, and to sign out. */
export const pageForm = z.union([
  signInRequest,
  z.object({ sign_out: z.literal('1').describe('Signs out.') }),
])

/** The page. */
export const pageText = z.string().describe('HTML')
