import { describe, expect, test } from 'vitest'
import { byMonth, daysUntil } from '../../../seed/calendar.ts'
import type { Rows } from '../../../seed/check-ins.ts'
import { CheckInHistory } from '../../../seed/check-ins.ts'
import { type EvidenceKind, generateEvidence, LookupTable, storedEvidence } from '../../../seed/evidence.ts'
import { Streams } from '../../../seed/random.ts'
import { type StudentTraits, studentTraits } from '../../../seed/wellbeing.ts'

type Options = {
  seed?: string
  students?: number
  days?: number
  participation?: number
  until?: string
  /** Every student's course. */
  course?: StudentTraits['course']
  /** What check-ins rest on. */
  kind?: EvidenceKind
}

/** The generated rows of every day, and the history that made them. */
function generate(options: Options = {}) {
  const {
    seed = 'a',
    students = 20,
    days = 30,
    participation = 0.8,
    until = '2026-05-31',
    course,
    kind = 'whole',
  } = options
  const random = new Streams(seed, students + 1)
  const participants = Array.from({ length: students }, (_, student) => ({
    id: random.uuid(student),
    university: { timeZone: 'America/Los_Angeles' },
    traits: { ...studentTraits(random, student, participation), ...(course && { course }) },
  }))
  const evidence = new LookupTable(
    random,
    200,
    (z) => storedEvidence(generateEvidence(random, students, kind, z)),
    ({ score }) => score,
  )
  const history = new CheckInHistory(random, participants, (student, score) => evidence.near(student, score))
  const rows = daysUntil(until, days).map((day, index) => history.next(day, (index + 1) / days))
  return { rows, history }
}

/** Values of one column, by its index, across all rows. */
function column(rows: Rows[], table: 'checkIns' | 'results' | 'studentDays', place: number): string[] {
  return rows.flatMap((day) => day[table].map((row) => row.trimEnd().split('\t')[place] ?? ''))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

describe('the generated check-ins', () => {
  test('are the same for the same seed, and differ for another', () => {
    expect(generate({ seed: 'a' }).rows).toEqual(generate({ seed: 'a' }).rows)
    expect(generate({ seed: 'b' }).rows).not.toEqual(generate({ seed: 'a' }).rows)
  })

  test('hold a result of every student on every day with full participation', () => {
    const { rows } = generate({ students: 30, days: 20, participation: 1 })
    for (const day of rows) expect(new Set(column([day], 'results', 1)).size).toBe(30)
  })

  test('miss about the expected share of days with partial participation', () => {
    const { rows } = generate({ students: 150, days: 60, participation: 0.6 })
    const share = column(rows, 'results', 0).length / (150 * 60)
    expect(share).toBeGreaterThan(0.5)
    expect(share).toBeLessThan(0.7)
  })

  test('include failed ones and ones that were never submitted, and count both as ended', () => {
    const { rows } = generate({ students: 150, days: 60 })
    const statuses = column(rows, 'checkIns', 3)
    expect(new Set(statuses)).toEqual(new Set(['complete', 'failed', 'expired']))
    const ended = column(rows, 'studentDays', 2).reduce((sum, value) => sum + Number(value), 0)
    expect(ended).toBe(statuses.length)
  })

  test('leave none open on the last day', () => {
    const { rows } = generate({ students: 300, days: 3 })
    expect(column(rows.slice(-1), 'checkIns', 3)).not.toContain('expired')
  })

  test('each have an id of their own', () => {
    const ids = column(generate({ students: 100, days: 60 }).rows, 'checkIns', 0)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('score lower in the exam weeks than in the weeks before', () => {
    const of = (until: string) =>
      mean(column(generate({ students: 300, days: 10, until }).rows, 'results', 2).map(Number))
    expect(of('2026-06-20')).toBeLessThan(of('2026-05-20') - 2)
  })

  test('report each result with high risk and no other', () => {
    const rows = [
      ...generate({ students: 50, days: 20 }).rows,
      ...generate({ students: 5, days: 5, kind: 'crisis' }).rows,
    ]
    const risks = column(rows, 'results', 6)
    const high = column(rows, 'results', 0).filter((_, place) => risks[place] === 'high')
    expect(high.length).toBeGreaterThan(0)
    expect(rows.flatMap(({ alarms }) => alarms.map(({ sourceId }) => sourceId)).sort()).toEqual(high.sort())
  })

  test.each([
    ['declining', -20, -8],
    ['recovering', 8, 20],
    ['steady', -3, 3],
  ] as const)('of %s students change accordingly', (course, least, most) => {
    const { rows } = generate({ students: 40, days: 100, course })
    const score = (days: Rows[]) => mean(column(days, 'results', 2).map(Number))
    const change = score(rows.slice(-10)) - score(rows.slice(0, 10))
    expect(change).toBeGreaterThan(least)
    expect(change).toBeLessThan(most)
  })

  test('cover every course of wellbeing', () => {
    const random = new Streams('a', 400)
    const courses = Array.from({ length: 400 }, (_, student) => studentTraits(random, student, 0.8).course)
    expect(new Set(courses)).toEqual(new Set(['steady', 'declining', 'recovering', 'episode']))
  })
})

describe('the calendar', () => {
  test('ends with the last day and groups days by month', () => {
    const days = daysUntil('2026-03-02', 33)
    expect(days[0]?.date).toBe('2026-01-29')
    expect(byMonth(days).map((month) => month.length)).toEqual([3, 28, 2])
  })
})
