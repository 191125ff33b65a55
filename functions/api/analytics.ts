import * as z from 'zod'
import {
  administeredId,
  cohort,
  DATE_RANGES,
  dashboard,
  readDashboard,
  readReviewTimes,
  readTrends,
  readWellbeing,
  reviewTimes,
  trendPoints,
  wellbeing,
} from '../_shared/analytics/figures.ts'
import { recommended } from '../_shared/analytics/recommendations.ts'
import { ServiceError } from '../_shared/errors.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { callerClient } from '../_shared/platform/clients.ts'

const common = {
  method: 'get',
  tag: 'Analytics',
  description: `Figures are of days that are over where the university is, and never of fewer than ten students: smaller cohorts count in the
larger ones only. Within one night no difference of two responses is about fewer than ten. From night to night a count can
change by one person. See docs/analytics.md for this and for what else the rule does not hide.`,
  security: 'user',
  staff: ['university_admin'],
  staffAt: 'university_id',
  limit: 'data-api',
  errors: ['forbidden', 'cohort_withheld'],
} as const

const dateRange = z
  .enum(DATE_RANGES)
  .describe('How many days, up to the last day that is over: 7, 30, 90 or 365.')

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

const getDashboard = endpoint(
  {
    ...common,
    id: 'getAnalyticsDashboard',
    path: '/api/analytics/dashboard',
    summary: 'Figures of a university or of a cohort, for its administrators',
    query: z.strictObject({
      university_id: administeredId,
      date_range: dateRange.default('30d'),
      cohort_filters: cohortFilters,
    }),
    response: dashboard,
    example: {
      query: { university_id: 'northfield', date_range: '30d', cohort_filters: { faculty: 'Law' } },
    },
  },
  async ({ query: { cohort_filters: cohort, ...range } }, call) => {
    return recommended(shown(await readDashboard(callerClient(call), { ...range, cohort })))
  },
)

const getWellbeing = endpoint(
  {
    ...common,
    id: 'getAnalyticsWellbeing',
    path: '/api/analytics/wellbeing',
    summary: 'Every faculty, year and residence in figures, with the change against the range before',
    query: z.strictObject({ university_id: administeredId, date_range: dateRange.default('30d') }),
    response: wellbeing,
    example: { query: { university_id: 'northfield', date_range: '30d' } },
  },
  async ({ query }, call) => {
    return shown(await readWellbeing(callerClient(call), query))
  },
)

const getTrends = endpoint(
  {
    ...common,
    id: 'getAnalyticsTrends',
    path: '/api/analytics/trends',
    summary: 'Average score, completion and students by day, week or month',
    query: z.strictObject({
      university_id: administeredId,
      date_range: dateRange.default('90d'),
      step: z.enum(['day', 'week', 'month']).default('week').describe('What a point stands for.'),
      cohort_filters: cohortFilters,
    }),
    response: trendPoints,
    example: { query: { university_id: 'northfield', date_range: '90d', step: 'week' } },
  },
  async ({ query: { cohort_filters: cohort, ...range } }, call) => {
    return shown(await readTrends(callerClient(call), { ...range, cohort }))
  },
)

const getReviewTimes = endpoint(
  {
    ...common,
    id: 'getAnalyticsReviews',
    path: '/api/analytics/reviews',
    summary: 'How soon clinical reviews are claimed, and answered',
    query: z.strictObject({ university_id: administeredId, date_range: dateRange.default('30d') }),
    response: reviewTimes,
    example: { query: { university_id: 'northfield', date_range: '30d' } },
  },
  async ({ query }, call) => {
    return shown(await readReviewTimes(callerClient(call), query))
  },
)

/** `/api/analytics/*` as JSON. */
export const ANALYTICS = [getDashboard, getWellbeing, getTrends, getReviewTimes] as const

function shown<Figures>(figures: Figures | null): Figures {
  if (figures === null) {
    throw new ServiceError('cohort_withheld', 'These would be figures of fewer than ten students.')
  }
  return figures
}
