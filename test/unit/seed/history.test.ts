import { describe, expect, test } from 'vitest'
import { Streams } from '../../../seed/random.ts'
import { byMonth, daysUntil } from '../../../seed/wellbeing/calendar.ts'
import { type Temperament, temperament } from '../../../seed/wellbeing/course.ts'
import { inventEvidence } from '../../../seed/wellbeing/evidence.ts'
import { History } from '../../../seed/wellbeing/history.ts'
import { Palette } from '../../../seed/wellbeing/palette.ts'
import type { Rows } from '../../../seed/wellbeing/rows.ts'
import { storedEvidence } from '../../../seed/wellbeing/stored-evidence.ts'

type Past = {
  seed?: string
  students?: number
  days?: number
  participation?: number
  until?: string
  /** What everybody goes through. */
  course?: Temperament['course']
}

/** The rows of every day of an invented past, and the history that made them. */
function invent(past: Past = {}) {
  const { seed = 'a', students = 20, days = 30, participation = 0.8, until = '2026-05-31', course } = past
  const random = new Streams(seed, students + 1)
  const writers = Array.from({ length: students }, (_, student) => ({
    id: random.uuid(student),
    traits: { ...temperament(random, student, participation), ...(course && { course }) },
  }))
  const palette = new Palette(
    random,
    200,
    (z) => storedEvidence(inventEvidence(random, students, 'whole', z)),
    ({ score }) => score,
  )
  const history = new History(random, writers, (student, score) => palette.near(student, score))
  const rows = daysUntil(until, days).map((day, index) => history.next(day, (index + 1) / days))
  return { rows, history }
}

/** Values of one column, by its place, over all rows. */
function column(rows: Rows[], table: 'checkIns' | 'results' | 'studentDays', place: number): string[] {
  return rows.flatMap((day) => day[table].map((row) => row.trimEnd().split('\t')[place] ?? ''))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

describe('an invented past', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(invent({ seed: 'a' }).rows).toEqual(invent({ seed: 'a' }).rows)
    expect(invent({ seed: 'b' }).rows).not.toEqual(invent({ seed: 'a' }).rows)
  })

  test('with full participation has a result of every student on every day', () => {
    const { rows } = invent({ students: 30, days: 20, participation: 1 })
    for (const day of rows) expect(new Set(column([day], 'results', 1)).size).toBe(30)
  })

  test('with partial participation misses days in about that share', () => {
    const { rows } = invent({ students: 150, days: 60, participation: 0.6 })
    const share = column(rows, 'results', 0).length / (150 * 60)
    expect(share).toBeGreaterThan(0.5)
    expect(share).toBeLessThan(0.7)
  })

  test('has check-ins that failed and that were never handed in, and counts both as ended', () => {
    const { rows } = invent({ students: 150, days: 60 })
    const statuses = column(rows, 'checkIns', 3)
    expect(new Set(statuses)).toEqual(new Set(['complete', 'failed', 'expired']))
    const ended = column(rows, 'studentDays', 2).reduce((sum, value) => sum + Number(value), 0)
    expect(ended).toBe(statuses.length)
  })

  test('leaves no check-in open when it ends', () => {
    const { rows } = invent({ students: 300, days: 3 })
    expect(column(rows.slice(-1), 'checkIns', 3)).not.toContain('expired')
  })

  test('gives every check-in and every result its own id', () => {
    const ids = column(invent({ students: 100, days: 60 }).rows, 'checkIns', 0)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('is worse in the exam weeks than in the weeks of teaching before', () => {
    const of = (until: string) =>
      mean(column(invent({ students: 300, days: 10, until }).rows, 'results', 2).map(Number))
    expect(of('2026-06-20')).toBeLessThan(of('2026-05-20') - 2)
  })

  test('raises an alarm for each result of high risk and for no other', () => {
    const { rows } = invent({ students: 250, days: 60 })
    const risks = column(rows, 'results', 6)
    const high = column(rows, 'results', 0).filter((_, place) => risks[place] === 'high')
    expect(high.length).toBeGreaterThan(0)
    expect(rows.flatMap(({ alarms }) => alarms.map(({ sourceId }) => sourceId)).sort()).toEqual(high.sort())
  })

  test.each([
    ['declining', -20, -8],
    ['recovering', 8, 20],
    ['steady', -3, 3],
  ] as const)('of students who are %s changes accordingly', (course, least, most) => {
    const { rows } = invent({ students: 40, days: 100, course })
    const score = (days: Rows[]) => mean(column(days, 'results', 2).map(Number))
    const change = score(rows.slice(-10)) - score(rows.slice(0, 10))
    expect(change).toBeGreaterThan(least)
    expect(change).toBeLessThan(most)
  })

  test('holds students of every course', () => {
    const random = new Streams('a', 400)
    const courses = Array.from({ length: 400 }, (_, student) => temperament(random, student, 0.8).course)
    expect(new Set(courses)).toEqual(new Set(['steady', 'declining', 'recovering', 'episode']))
  })
})

describe('the calendar', () => {
  test('ends with the last day and comes in months', () => {
    const days = daysUntil('2026-03-02', 33)
    expect(days[0]?.date).toBe('2026-01-29')
    expect(byMonth(days).map((month) => month.length)).toEqual([3, 28, 2])
  })
})
