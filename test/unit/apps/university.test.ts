import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrastOf } from '../../../apps/staff/src/university/contrast.ts'
import { csvOf } from '../../../apps/staff/src/university/csv.ts'
import { everyDay, gapsOf } from '../../../apps/staff/src/university/days.ts'
import { daysOf, spanOf } from '../../../apps/staff/src/university/interval.ts'
import { ROOT } from '../../../scripts/root.ts'

describe('the days of a chart', () => {
  test('are all those of the range, those without a value too', () => {
    expect(everyDay('2026-02-27', '2026-03-02', new Map([['2026-02-28', 61]]))).toEqual([
      { date: '2026-02-27', value: null },
      { date: '2026-02-28', value: 61 },
      { date: '2026-03-01', value: null },
      { date: '2026-03-02', value: null },
    ])
  })

  test('have runs without a value, of one or more', () => {
    const days = [null, 1, null, null, 2].map((value, day) => ({ date: `2026-03-0${day + 1}`, value }))
    expect(gapsOf(days)).toEqual([
      { first: '2026-03-01', last: '2026-03-01' },
      { first: '2026-03-03', last: '2026-03-04' },
    ])
  })
})

describe('a table as a file', () => {
  test('has its heads, points in figures, and nothing where nothing is known', () => {
    expect(
      csvOf(
        ['Cohort', 'Score'],
        [
          ['Law, "old"', 61.5],
          ['Arts', null],
        ],
      ),
    ).toBe('\uFEFFCohort,Score\r\n"Law, ""old""",61.5\r\nArts,\r\n')
  })

  test('runs nothing that somebody typed, and leaves negative figures as they are', () => {
    const csv = csvOf(['Cohort', 'Change'], [['=HYPERLINK("http://x")', -0.8]])
    expect(csv).toBe('\uFEFFCohort,Change\r\n"\'=HYPERLINK(""http://x"")",-0.8\r\n')
    fc.assert(
      fc.property(fc.string(), (name) => {
        const [, cell = ''] = csvOf(['Name'], [[name]]).split(/\r\n(.*)\r\n$/s)
        expect(cell.replace(/^"/, '')).not.toMatch(/^[=+\-@\t\r]/)
      }),
    )
  })
})

describe('the contrast of two colours', () => {
  test.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#ffffff', '#ffffff', 1],
    ['#1f4e79', '#ffffff', 8.66],
  ])('%s on %s is %d', (one, other, ratio) => {
    expect(contrastOf(one, other)).toBeCloseTo(ratio, 1)
    expect(contrastOf(other, one)).toBe(contrastOf(one, other))
  })
})

describe('an interval of Postgres', () => {
  test.each([
    ['3 years', { years: 3, months: 0, days: 0, hours: 0 }, 1095],
    ['1 year 2 mons 3 days 04:05:06', { years: 1, months: 2, days: 3, hours: 4 }, 428],
    ['30 days', { years: 0, months: 0, days: 30, hours: 0 }, 30],
    ['01:00:00', { years: 0, months: 0, days: 0, hours: 1 }, 0],
  ])('%s is read', (interval, span, days) => {
    expect(spanOf(interval)).toEqual(span)
    expect(daysOf(interval)).toBe(days)
  })
})

describe('the words of the app', () => {
  const sources = readdirSync(join(ROOT, 'sql'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .map((path) => readFileSync(join(ROOT, 'sql', path), 'utf8'))
  const named = (pattern: RegExp) =>
    sources.flatMap((sql) => [...sql.matchAll(pattern)].map(([, name]) => name))
  const catalog = readFileSync(join(ROOT, 'apps/staff/src/catalogs/university/en.json'), 'utf8')
  const keysUnder = (prefix: string) =>
    Object.keys(JSON.parse(catalog)).flatMap((key) =>
      key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
    )

  test('name every term of retention', () => {
    const terms = named(/^select private\.declare_term\('(\w+)'/gm)
    expect(terms.length).toBeGreaterThan(20)
    expect(keysUnder('university.term.').sort()).toEqual(terms.sort())
  })

  test('name every purpose of messages that a university has', () => {
    const purposes = named(/^ {4}when '(\w+)' then '(?:crisis|support|ordinary|low)'/gm)
    expect(purposes.length).toBeGreaterThan(20)
    // Those to security administrators are of no university.
    const ofUniversities = purposes.filter((purpose) => !purpose?.startsWith('security_'))
    expect(keysUnder('university.purpose.')).toEqual(expect.arrayContaining(ofUniversities))
  })
})
