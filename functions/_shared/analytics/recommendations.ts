import type { Dashboard, DashboardFigures, Dimension } from './figures.ts'

/** From which share of active students on moderate risk is more than usual. */
const MODERATE_SHARE = 0.15
/** Points that the average must fall between the halves of a range to be worth a sentence. */
const FALL_POINTS = 2
/** Days that each half of the range must have. */
const DAYS_PER_HALF = 3
const LOW_ACTIVE_SHARE = 0.5
const LOW_COMPLETION = 0.7
/** Points that a cohort must be below the average of all. */
const COHORT_POINTS = 4
const MAX_COHORTS = 3

const COHORT_NAMES: Record<Dimension, (name: string) => string> = {
  faculty: (name) => `Students of the faculty ${name}`,
  year: (name) => `Students in year ${name}`,
  residence: (name) => `Students with the residence ${name}`,
}

/** A dashboard with what stands out in its figures. */
export function recommended(figures: DashboardFigures): Dashboard {
  return {
    ...figures,
    risk_analysis: { ...figures.risk_analysis, intervention_recommendations: recommendationsFor(figures) },
  }
}

/** Sentences for administrators that follow from the figures by fixed rules, the most pressing first. */
export function recommendationsFor(figures: DashboardFigures): string[] {
  return [
    highRisk(figures),
    moderateRisk(figures),
    fallingTrend(figures),
    ...lowCohorts(figures),
    fewActive(figures),
    fewCompleted(figures),
  ].filter((sentence) => sentence !== null)
}

function highRisk({ summary, risk_analysis }: DashboardFigures): string | null {
  const count = risk_analysis.high_risk_count
  if (count === 0) return null
  const share = percent(count / summary.active_students)
  return `${count} of ${summary.active_students} active students (${share}) showed high risk in their last check-in: see to it that every open clinical review has a counselor.`
}

function moderateRisk({ summary, risk_analysis }: DashboardFigures): string | null {
  const count = risk_analysis.medium_risk_count
  if (count === 0 || count / summary.active_students < MODERATE_SHARE) return null
  const share = percent(count / summary.active_students)
  return `${count} of ${summary.active_students} active students (${share}) showed moderate risk in their last check-in: offer more counseling hours or groups before it grows.`
}

/** Of two versions, averages differ by which of them scored whom. */
function areScoredAlike({ scoring_versions }: DashboardFigures['trends']): boolean {
  return scoring_versions.length < 2
}

function fallingTrend({ trends }: DashboardFigures): string | null {
  if (!areScoredAlike(trends)) return null
  const days = trends.wellbeing_trend
  const middle = Math.floor(days.length / 2)
  if (middle < DAYS_PER_HALF) return null
  const before = averageOf(days.slice(0, middle))
  const after = averageOf(days.slice(middle))
  if (before - after < FALL_POINTS) return null
  return `The average score fell by ${points(before - after)} points within the range, from ${points(before)} to ${points(after)}: look at what changed, such as exams or deadlines.`
}

function lowCohorts({ summary, trends, cohort_breakdown }: DashboardFigures): string[] {
  const all = summary.average_wellbeing_score
  if (all === null || !areScoredAlike(trends)) return []
  const cohorts = [
    { dimension: 'faculty' as const, scores: cohort_breakdown.by_faculty },
    { dimension: 'year' as const, scores: cohort_breakdown.by_year },
    { dimension: 'residence' as const, scores: cohort_breakdown.by_residence },
  ]
  return cohorts
    .flatMap(({ dimension, scores }) =>
      Object.entries(scores).map(([name, score]) => ({ dimension, name, score })),
    )
    .filter(({ score }) => all - score >= COHORT_POINTS)
    .sort((one, other) => one.score - other.score || one.name.localeCompare(other.name, 'en'))
    .slice(0, MAX_COHORTS)
    .map(
      ({ dimension, name, score }) =>
        `${COHORT_NAMES[dimension](name)} average ${points(score)}, ${points(all - score)} points below all (${points(all)}): ask them what they need.`,
    )
}

function fewActive({ summary }: DashboardFigures): string | null {
  const share = summary.active_students / summary.total_students
  if (share >= LOW_ACTIVE_SHARE) return null
  return `${summary.active_students} of ${summary.total_students} students (${percent(share)}) checked in within the range: remind them, and ask what keeps them from it.`
}

/** Each day weighs as much as its students. */
function fewCompleted({ trends }: DashboardFigures): string | null {
  const students = new Map(trends.wellbeing_trend.map(({ date, student_count }) => [date, student_count]))
  const days = trends.engagement_trend.map(({ date, completion_rate }) => ({
    weight: students.get(date) ?? 0,
    rate: completion_rate,
  }))
  const weight = days.reduce((sum, day) => sum + day.weight, 0)
  if (weight === 0) return null
  const rate = days.reduce((sum, day) => sum + day.weight * day.rate, 0) / weight
  if (rate >= LOW_COMPLETION) return null
  return `Only ${percent(rate)} of check-ins were completed: find out where students give up.`
}

function averageOf(days: DashboardFigures['trends']['wellbeing_trend']): number {
  const students = days.reduce((sum, day) => sum + day.student_count, 0)
  return days.reduce((sum, day) => sum + day.student_count * day.average_score, 0) / students
}

function percent(share: number): string {
  const value = share * 100
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)}%`
}

function points(value: number): string {
  return value.toFixed(1)
}
