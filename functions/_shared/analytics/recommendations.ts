import type { Dashboard, DashboardFigures, Dimension, Finding } from './figures.ts'

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
  const findings = findingsIn(figures)
  return {
    ...figures,
    findings,
    risk_analysis: {
      ...figures.risk_analysis,
      intervention_recommendations: findings.map(sentenceOf),
    },
  }
}

/** What follows from the figures by fixed rules, the most pressing first. */
function findingsIn(figures: DashboardFigures): Finding[] {
  return [
    ...highRisk(figures),
    ...moderateRisk(figures),
    ...fallingTrend(figures),
    ...lowCohorts(figures),
    ...fewActive(figures),
    ...fewCompleted(figures),
  ]
}

/** A finding as a sentence for administrators. */
function sentenceOf(finding: Finding): string {
  switch (finding.rule) {
    case 'high_risk':
      return `${riskOf(finding)} showed high risk in their last check-in: see to it that every open clinical review has a counselor.`
    case 'moderate_risk':
      return `${riskOf(finding)} showed moderate risk in their last check-in: offer more counseling hours or groups before it grows.`
    case 'falling_score': {
      const { before, after } = finding
      return `The average score fell by ${points(before - after)} points within the range, from ${points(before)} to ${points(after)}: look at what changed, such as exams or deadlines.`
    }
    case 'low_cohort': {
      const { dimension, name, average_score, average_of_all } = finding
      return `${COHORT_NAMES[dimension](name)} average ${points(average_score)}, ${points(average_of_all - average_score)} points below all (${points(average_of_all)}): ask them what they need.`
    }
    case 'few_active': {
      const { active_students, total_students } = finding
      return `${active_students} of ${total_students} students (${percent(active_students / total_students)}) checked in within the range: remind them, and ask what keeps them from it.`
    }
    case 'few_completed':
      return `Only ${percent(finding.completion_rate)} of check-ins were completed: find out where students give up.`
  }
}

function riskOf({ students, active_students }: { students: number; active_students: number }): string {
  return `${students} of ${active_students} active students (${percent(students / active_students)})`
}

function highRisk({ summary: { active_students }, risk_analysis }: DashboardFigures): Finding[] {
  const students = risk_analysis.high_risk_count
  return students === 0 ? [] : [{ rule: 'high_risk', students, active_students }]
}

function moderateRisk({ summary: { active_students }, risk_analysis }: DashboardFigures): Finding[] {
  const students = risk_analysis.medium_risk_count
  if (students === 0 || students / active_students < MODERATE_SHARE) return []
  return [{ rule: 'moderate_risk', students, active_students }]
}

/** Of two versions, averages differ by which of them scored whom. */
function areScoredAlike({ scoring_versions }: DashboardFigures['trends']): boolean {
  return scoring_versions.length < 2
}

function fallingTrend({ trends }: DashboardFigures): Finding[] {
  if (!areScoredAlike(trends)) return []
  const days = trends.wellbeing_trend
  const middle = Math.floor(days.length / 2)
  if (middle < DAYS_PER_HALF) return []
  const before = averageOf(days.slice(0, middle))
  const after = averageOf(days.slice(middle))
  return before - after < FALL_POINTS ? [] : [{ rule: 'falling_score', before, after }]
}

function lowCohorts({ summary, trends, cohort_breakdown }: DashboardFigures): Finding[] {
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
    .map(({ dimension, name, score }) => ({
      rule: 'low_cohort',
      dimension,
      name,
      average_score: score,
      average_of_all: all,
    }))
}

function fewActive({ summary: { active_students, total_students } }: DashboardFigures): Finding[] {
  if (active_students / total_students >= LOW_ACTIVE_SHARE) return []
  return [{ rule: 'few_active', active_students, total_students }]
}

/** Each day weighs as much as its students. */
function fewCompleted({ trends }: DashboardFigures): Finding[] {
  const students = new Map(trends.wellbeing_trend.map(({ date, student_count }) => [date, student_count]))
  const days = trends.engagement_trend.map(({ date, completion_rate }) => ({
    weight: students.get(date) ?? 0,
    rate: completion_rate,
  }))
  const weight = days.reduce((sum, day) => sum + day.weight, 0)
  if (weight === 0) return []
  const completion_rate = days.reduce((sum, day) => sum + day.weight * day.rate, 0) / weight
  return completion_rate >= LOW_COMPLETION ? [] : [{ rule: 'few_completed', completion_rate }]
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
