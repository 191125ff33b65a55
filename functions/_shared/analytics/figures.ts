import * as z from 'zod'
import type { ProjectClient } from '../platform/clients.ts'
import { universityId } from '../universities/university.ts'

/** The ranges that figures are given for; each ends with the last day that is over. */
export const DATE_RANGES = ['7d', '30d', '90d', '1y'] as const

export type DateRange = (typeof DATE_RANGES)[number]

/** What cohorts are formed by. */
export const DIMENSIONS = ['faculty', 'year', 'residence'] as const

export type Dimension = (typeof DIMENSIONS)[number]

/** Students of a faculty, year and residence; what is absent does not restrict them. */
export type Cohort = Partial<Record<Dimension, string>>

/** The name of a cohort. Postgres takes neither NUL nor half a surrogate pair. */
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

/** The university that the figures are about. */
export const administeredId = universityId.describe('A university that you administer.')

const count = z.int().nonnegative()
const score = z.number().min(0).max(100)
const share = z.number().min(0).max(1)
const day = z.iso.date().describe('Day at the university.')
const scoresByName = z.record(z.string(), score)

const summary = z.strictObject({
  total_students: count.describe('Students who can be shown.'),
  active_students: count.describe('Of them, whose last check-in ended within the range.'),
  assessments_completed: count.describe('Check-ins that were completed within the range.'),
  average_wellbeing_score: score.nullable().describe('Their average score; null when nothing was scored.'),
})

export const scoringVersions = z
  .array(
    z.strictObject({
      algorithm_version: z.string().describe('A version of the scoring.'),
      from: day.describe('First day of the range on which it scored.'),
      to: day.describe('Last such day.'),
    }),
  )
  .describe('Versions that scored within the range; of more than one, average scores are not comparable.')

const ofTwoRanges = scoringVersions.describe(
  'Versions that scored within the range and the one before; with more than one, no change of an average is given.',
)

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
  scoring_versions: scoringVersions,
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

/** The figures of a dashboard, as the database returns them. */
export const dashboardFigures = z.strictObject({
  summary: summary.describe('The range in figures.'),
  trends: trends.describe('Day by day.'),
  risk_analysis: risk.describe('Students at risk.'),
  cohort_breakdown: breakdown,
})

export type DashboardFigures = z.infer<typeof dashboardFigures>

/** A dashboard: the figures, and what stands out in them. */
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
    .describe(
      'Average score minus that of the range as long before; null if one of them is missing or more than one version scored.',
    ),
  high_risk_count: count.describe('Active students whose last check-in showed high risk.'),
  medium_risk_count: count.describe('Active students whose last check-in showed moderate risk.'),
})

export type CohortFigures = z.infer<typeof cohortFigures>

const requested = {
  university_id: z.string().describe('The requested university.'),
  date_range: z.enum(DATE_RANGES).describe('The requested range.'),
  from: day.describe('First day of the range.'),
  to: day.describe('Last day of the range, the last that is over.'),
}

/** Figures of a university and of its cohorts. */
export const wellbeing = z.strictObject({
  ...requested,
  scoring_versions: ofTwoRanges,
  university: cohortFigures.describe('The whole university.'),
  cohorts: z
    .array(cohortFigures)
    .describe('Cohorts of one faculty, year or residence, of ten students or more.'),
})

export type Wellbeing = z.infer<typeof wellbeing>

/** Figures by day, week or month. */
export const trendPoints = z.strictObject({
  ...requested,
  step: z.enum(['day', 'week', 'month']).describe('What a point stands for.'),
  scoring_versions: scoringVersions,
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

type TrendPoints = z.infer<typeof trendPoints>

const minutes = z.number().nonnegative().nullable()

/** How soon clinical reviews reach somebody. */
export const reviewTimes = z.strictObject({
  ...requested,
  minutes_to_claim: minutes.describe(
    'Median time from the opening of a review within the range to its first claim, minutes; null when half of them were not claimed.',
  ),
  minutes_to_response: minutes.describe(
    'Median time to its first note or closing, minutes; null when half of them have neither.',
  ),
})

type ReviewTimes = z.infer<typeof reviewTimes>

type Range = { university_id: string; date_range: DateRange }

/** Figures of a dashboard as the caller may see them; null if they are withheld. */
export async function readDashboard(
  supabase: ProjectClient,
  { university_id, date_range, cohort }: Range & { cohort: Cohort },
): Promise<DashboardFigures | null> {
  const [{ data, error }, scoring_versions] = await Promise.all([
    supabase.rpc('analytics_dashboard', { university_id, date_range, ...columnsOf(cohort) }),
    readScoringVersions(supabase, { university_id, date_range }),
  ])
  if (error) throw error
  const figures = z
    .looseObject({ trends: z.looseObject({}) })
    .nullable()
    .parse(data)
  return figures && dashboardFigures.parse({ ...figures, trends: { ...figures.trends, scoring_versions } })
}

/** Figures of every cohort as the caller may see them; null if they are withheld. */
export async function readWellbeing(
  supabase: ProjectClient,
  { university_id, date_range }: Range,
): Promise<Wellbeing | null> {
  const [{ data, error }, scoring_versions] = await Promise.all([
    supabase.rpc('analytics_wellbeing', { university_id, date_range }),
    readScoringVersions(supabase, { university_id, date_range }, 2),
  ])
  if (error) throw error
  const figures = z.looseObject({}).nullable().parse(data)
  return figures && wellbeing.parse({ ...figures, scoring_versions })
}

/** Figures by day, week or month as the caller may see them; null if they are withheld. */
export async function readTrends(
  supabase: ProjectClient,
  { university_id, date_range, step, cohort }: Range & { step: TrendPoints['step']; cohort: Cohort },
): Promise<TrendPoints | null> {
  const [{ data, error }, scoring_versions] = await Promise.all([
    supabase.rpc('analytics_trends', { university_id, date_range, step, ...columnsOf(cohort) }),
    readScoringVersions(supabase, { university_id, date_range }),
  ])
  if (error) throw error
  const points = z.looseObject({}).nullable().parse(data)
  return points && trendPoints.parse({ ...points, scoring_versions })
}

/** How soon clinical reviews reach somebody, as the caller may see it; null if it is withheld. */
export async function readReviewTimes(
  supabase: ProjectClient,
  { university_id, date_range }: Range,
): Promise<ReviewTimes | null> {
  const { data, error } = await supabase.rpc('analytics_reviews', { university_id, date_range })
  if (error) throw error
  return reviewTimes.nullable().parse(data)
}

/** Versions that scored within a range, or so many. Apart from the figures, whose shape earlier releases of the functions read too. */
async function readScoringVersions(
  supabase: ProjectClient,
  { university_id, date_range }: Range,
  ranges = 1,
) {
  const { data, error } = await supabase.rpc('analytics_scoring_versions', {
    university_id,
    date_range,
    ranges,
  })
  if (error) throw error
  return data
}

function columnsOf({ faculty, year, residence }: Cohort) {
  return { faculty, year_of_study: year, residence }
}
