import * as z from 'zod'
import { DATE_RANGES } from './cohort.ts'

const count = z.int().nonnegative()
const score = z.number().min(0).max(100)
const share = z.number().min(0).max(1)
const day = z.iso.date().describe('Day (UTC).')
const scoresByName = z.record(z.string(), score)

const summary = z.strictObject({
  total_students: count.describe('Students who can be shown.'),
  active_students: count.describe('Of them, whose last check-in ended within the range.'),
  assessments_completed: count.describe('Check-ins that were completed within the range.'),
  average_wellbeing_score: score.nullable().describe('Their average score; null when nothing was scored.'),
})

const trends = z.strictObject({
  wellbeing_trend: z
    .array(
      z.strictObject({
        date: day,
        average_score: score.describe('Average score of the day.'),
        student_count: count.describe('Students who completed a check-in.'),
      }),
    )
    .describe('A day of fewer than ten students is left out.'),
  engagement_trend: z
    .array(
      z.strictObject({
        date: day,
        completion_rate: share.describe('Share of the check-ins that ended which were completed.'),
      }),
    )
    .describe('How many of those who begin finish.'),
})

const risk = z.strictObject({
  high_risk_count: count.describe('Active students whose last check-in showed high risk.'),
  medium_risk_count: count.describe('Active students whose last check-in showed moderate risk.'),
})

const breakdown = z
  .strictObject({
    by_faculty: scoresByName.describe('By faculty.'),
    by_year: scoresByName.describe('By year of study.'),
    by_residence: scoresByName.describe('By residence.'),
  })
  .describe('Average score of each cohort of ten students or more.')

/** What the database answers for a dashboard. */
export const dashboardFigures = z.strictObject({
  summary: summary.describe('The range in figures.'),
  trends: trends.describe('Day by day.'),
  risk_analysis: risk.describe('Students at risk.'),
  cohort_breakdown: breakdown,
})

export type DashboardFigures = z.infer<typeof dashboardFigures>

/** Answer of `GET /api/analytics/dashboard`. */
export const dashboard = dashboardFigures.extend({
  risk_analysis: risk
    .extend({
      intervention_recommendations: z
        .array(z.string())
        .describe('Sentences that follow from the figures by fixed rules.'),
    })
    .describe('Students at risk, and what may help.'),
})

export type Dashboard = z.infer<typeof dashboard>

const cohortFigures = z.strictObject({
  dimension: z.enum(['university', 'faculty', 'year', 'residence']).describe('What the cohort is one of.'),
  name: z.string().describe('Name of the cohort; the id of the university for the whole.'),
  total_students: count.describe('Students who can be shown.'),
  active_students: count.describe('Of them, whose last check-in ended within the range.'),
  assessments_completed: count.describe('Check-ins that were completed.'),
  completion_rate: share.nullable().describe('Share of the check-ins that ended which were completed.'),
  average_score: score.nullable().describe('Average score; null when nothing was scored.'),
  change: z
    .number()
    .min(-100)
    .max(100)
    .nullable()
    .describe('Average score minus that of the range as long before; null where one of them is missing.'),
  high_risk_count: count.describe('Active students whose last check-in showed high risk.'),
  medium_risk_count: count.describe('Active students whose last check-in showed moderate risk.'),
})

export type CohortFigures = z.infer<typeof cohortFigures>

const asked = {
  university_id: z.string().describe('The university that was asked for.'),
  date_range: z.enum(DATE_RANGES).describe('The range that was asked for.'),
  from: day.describe('First day of the range.'),
  to: day.describe('Last day of the range, the last that is over.'),
}

/** Answer of `GET /api/analytics/wellbeing`. */
export const wellbeing = z.strictObject({
  ...asked,
  university: cohortFigures.describe('The whole university.'),
  cohorts: z
    .array(cohortFigures)
    .describe('Cohorts of one faculty, year or residence, of ten students or more.'),
})

export type Wellbeing = z.infer<typeof wellbeing>

/** Answer of `GET /api/analytics/trends`. */
export const trendPoints = z.strictObject({
  ...asked,
  step: z.enum(['day', 'week', 'month']).describe('What a point stands for.'),
  points: z
    .array(
      z.strictObject({
        date: day.describe('First day of the step; weeks begin on Monday.'),
        average_score: score.describe('Average score.'),
        assessments_completed: count.describe('Check-ins that were completed.'),
        completion_rate: share.describe('Share of the check-ins that ended which were completed.'),
        students_per_day: z.number().nonnegative().describe('Students on an average day that is shown.'),
      }),
    )
    .describe('The oldest first; a step of fewer than ten students is left out.'),
})

export type TrendPoints = z.infer<typeof trendPoints>
