import { describe, expect, test } from 'vitest'
import type { DashboardFigures } from '../../../functions/_shared/analytics/figures.ts'
import { recommended } from '../../../functions/_shared/analytics/recommendations.ts'

type Changes = {
  summary?: Partial<DashboardFigures['summary']>
  risk?: Partial<DashboardFigures['risk_analysis']>
  scores?: number[]
  completion?: number
  cohorts?: Partial<DashboardFigures['cohort_breakdown']>
  versions?: DashboardFigures['trends']['scoring_versions']
}

/** A month without anything to say about it, but for the changes. */
function figures({
  summary,
  risk,
  scores = Array(30).fill(65),
  completion = 0.9,
  cohorts,
  versions = [],
}: Changes = {}): DashboardFigures {
  const days = scores.map((average_score, day) => ({
    date: `2026-03-${String(day + 1).padStart(2, '0')}`,
    average_score,
    student_count: 40,
  }))
  return {
    summary: {
      total_students: 120,
      active_students: 100,
      assessments_completed: 1200,
      average_wellbeing_score: 65,
      ...summary,
    },
    trends: {
      wellbeing_trend: days,
      engagement_trend: days.map(({ date }) => ({ date, completion_rate: completion })),
      scoring_versions: versions,
    },
    risk_analysis: { high_risk_count: 0, medium_risk_count: 0, ...risk },
    cohort_breakdown: { by_faculty: { Law: 64 }, by_year: { '1': 66 }, by_residence: {}, ...cohorts },
  }
}

const recommendationsFor = (changed: DashboardFigures) =>
  recommended(changed).risk_analysis.intervention_recommendations

describe('recommendations', () => {
  test('are none where nothing stands out', () => {
    expect(recommendationsFor(figures())).toEqual([])
  })

  test('name every student at high risk', () => {
    expect(recommendationsFor(figures({ risk: { high_risk_count: 1 } }))).toEqual([
      '1 of 100 active students (1%) showed high risk in their last check-in: see to it that every open clinical review has a counselor.',
    ])
  })

  test('are findings with their figures, for an app that puts them into words', () => {
    const cohorts = { by_faculty: { Music: 50 } }
    expect(recommended(figures({ risk: { high_risk_count: 1 }, cohorts, completion: 0.5 })).findings).toEqual(
      [
        { rule: 'high_risk', students: 1, active_students: 100 },
        { rule: 'low_cohort', dimension: 'faculty', name: 'Music', average_score: 50, average_of_all: 65 },
        { rule: 'few_completed', completion_rate: 0.5 },
      ],
    )
  })

  test('name moderate risk from 15% on', () => {
    expect(recommendationsFor(figures({ risk: { medium_risk_count: 14 } }))).toEqual([])
    expect(recommendationsFor(figures({ risk: { medium_risk_count: 15 } }))).toEqual([
      expect.stringMatching(/^15 of 100 active students \(15%\) showed moderate risk/),
    ])
  })

  test('name a fall of two points between the halves of the range', () => {
    const half = (score: number) => Array<number>(15).fill(score)
    expect(recommendationsFor(figures({ scores: [...half(65), ...half(63.1)] }))).toEqual([])
    expect(recommendationsFor(figures({ scores: [...half(65), ...half(62.5)] }))).toEqual([
      'The average score fell by 2.5 points within the range, from 65.0 to 62.5: look at what changed, such as exams or deadlines.',
    ])
  })

  test('compare no averages that two versions scored', () => {
    const scores = [...Array<number>(15).fill(65), ...Array<number>(15).fill(60)]
    const cohorts = { by_faculty: { Music: 50 } }
    const versions = [
      { algorithm_version: 'older', from: '2026-03-01', to: '2026-03-16' },
      { algorithm_version: 'newer', from: '2026-03-16', to: '2026-03-30' },
    ]
    expect(recommendationsFor(figures({ scores, cohorts, versions: versions.slice(1) }))).toHaveLength(2)
    expect(recommendationsFor(figures({ scores, cohorts, versions }))).toEqual([])
  })

  test('see no trend in less than six days', () => {
    expect(recommendationsFor(figures({ scores: [70, 70, 50, 50, 50] }))).toEqual([])
    expect(recommendationsFor(figures({ scores: [70, 70, 70, 50, 50, 50] }))).toHaveLength(1)
  })

  test('name the three cohorts that are furthest below all, from four points on', () => {
    const cohorts = {
      by_faculty: { Law: 61.1, Music: 50, History: 60 },
      by_year: { '1': 55, '2': 59 },
      by_residence: { town: 80 },
    }
    expect(recommendationsFor(figures({ cohorts }))).toEqual([
      'Students of the faculty Music average 50.0, 15.0 points below all (65.0): ask them what they need.',
      'Students in year 1 average 55.0, 10.0 points below all (65.0): ask them what they need.',
      'Students in year 2 average 59.0, 6.0 points below all (65.0): ask them what they need.',
    ])
  })

  test('name a university where under half take part', () => {
    expect(recommendationsFor(figures({ summary: { active_students: 60 } }))).toEqual([])
    expect(recommendationsFor(figures({ summary: { active_students: 59 } }))).toEqual([
      expect.stringMatching(/^59 of 120 students \(49%\) checked in/),
    ])
  })

  test('name check-ins that are abandoned', () => {
    expect(recommendationsFor(figures({ completion: 0.7 }))).toEqual([])
    expect(recommendationsFor(figures({ completion: 0.62 }))).toEqual([
      'Only 62% of check-ins were completed: find out where students give up.',
    ])
  })

  test('are sentences with numbers also where nobody is active', () => {
    const nobody = figures({
      summary: { active_students: 0, assessments_completed: 0, average_wellbeing_score: null },
      scores: [],
    })
    const sentences = recommendationsFor(nobody)
    expect(sentences).toEqual([expect.stringMatching(/^0 of 120 students \(0%\)/)])
    expect(sentences.join()).not.toMatch(/NaN|null|Infinity/)
  })
})
