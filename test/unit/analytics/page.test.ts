import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { everyDay, gapsOf, lineChart } from '../../../functions/_shared/analytics/page/charts.ts'
import { difference, percent } from '../../../functions/_shared/analytics/page/format.ts'
import { scoringNote } from '../../../functions/_shared/analytics/page/sections.ts'
import { signInForm } from '../../../functions/_shared/http/signed-in-page.ts'
import { pageQuery } from '../../../functions/api/analytics-page.ts'

function chart(values: ReadonlyMap<string, number>, from = '2026-03-01', to = '2026-03-10') {
  const days = everyDay(from, to, values)
  return lineChart({ id: 'c', title: 'Scores', days, domain: [40, 80], format: String }, 700, 200)
}

describe('a chart by day', () => {
  test('has every day of the range, those without a value too', () => {
    expect(everyDay('2026-02-27', '2026-03-02', new Map([['2026-02-28', 61]]))).toEqual([
      { date: '2026-02-27', value: null },
      { date: '2026-02-28', value: 61 },
      { date: '2026-03-01', value: null },
      { date: '2026-03-02', value: null },
    ])
  })

  test('finds runs of days without a value', () => {
    const days = [null, 1, null, null, 2].map((value, day) => ({ date: `2026-03-0${day + 1}`, value }))
    expect(gapsOf(days)).toEqual([
      { first: 0, last: 0 },
      { first: 2, last: 3 },
    ])
  })

  test('breaks its line where a day is withheld and says so in words', async () => {
    const values = new Map([1, 2, 3, 5, 6].map((day) => [`2026-03-0${day}`, 50 + day]))
    const drawn = String(await chart(values))
    const [, line = ''] = drawn.match(/class="line" d="([^"]*)"/) ?? []
    expect(line.match(/M/g)).toHaveLength(2)
    expect(drawn).toContain('From 51 on 1 March 2026 to 56 on 6 March 2026')
    expect(drawn).toContain('5 of 10 days are withheld.')
  })

  test('is drawn without a number that is none, whatever the values', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.double({ min: 0, max: 100, noNaN: true })), { minLength: 1, maxLength: 365 }),
        async (scores) => {
          const days = scores.map((value, day) => ({
            date: new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
            value,
          }))
          const drawn = String(
            await lineChart({ id: 'c', title: 'Scores', days, domain: [0, 100], format: String }, 700, 200),
          )
          expect(drawn).not.toMatch(/NaN|undefined|Infinity/)
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('versions of the scoring', () => {
  const cohort = {
    dimension: 'university' as const,
    name: 'northfield',
    total_students: 40,
    active_students: 30,
    assessments_completed: 90,
    completion_rate: 0.9,
    average_score: 60,
    change: null,
    high_risk_count: 0,
    medium_risk_count: 0,
  }
  const versions = [
    { algorithm_version: 'older', from: '2026-02-01', to: '2026-03-03' },
    { algorithm_version: 'newer', from: '2026-03-03', to: '2026-03-10' },
  ]
  const noteOf = (scoring_versions: typeof versions) =>
    String(
      scoringNote({
        university_id: 'northfield',
        date_range: '7d',
        from: '2026-03-04',
        to: '2026-03-10',
        scoring_versions,
        university: cohort,
        cohorts: [],
      }),
    )

  test('are named with their days where averages are not comparable', () => {
    const note = noteOf(versions)
    expect(note).toContain('older: <time datetime="2026-02-01">1 February 2026</time>')
    expect(note).toContain('newer: <time datetime="2026-03-03">3 March 2026</time>')
  })

  test('are not mentioned where there is one', () => {
    expect(noteOf(versions.slice(1))).toBe('')
  })
})

describe('figures on the page', () => {
  test.each([
    [1.24, '+1.2'],
    [-0.84, '−0.8'],
    [0.04, '±0.0'],
    [-0.04, '±0.0'],
  ])('a difference of %d is %s', (value, text) => {
    expect(difference(value)).toBe(text)
  })

  test.each([
    [0, '0%'],
    [0.056, '5.6%'],
    [0.0999, '10%'],
    [0.625, '63%'],
    [1, '100%'],
  ])('a share of %d is %s', (share, text) => {
    expect(percent(share)).toBe(text)
  })
})

test('the form keeps a typed address as text', async () => {
  expect(String(await signInForm('For all.', 'No.', '"><b>'))).toContain('value="&quot;&gt;&lt;b&gt;"')
})

test('a query of whatever text shows a page', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('date_range', 'faculty', 'year', 'university_id'), fc.string()),
      (query) => {
        expect(pageQuery.safeParse(query).success).toBe(true)
      },
    ),
  )
})
