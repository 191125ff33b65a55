import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { updateBaseline } from '../../../functions/_shared/scoring/baseline.ts'
import { fuse } from '../../../functions/_shared/scoring/fuse.ts'
import { FEATURE_NORMS } from '../../../functions/_shared/scoring/scheme.ts'
import type { Baseline } from '../../../functions/_shared/scoring/types.ts'
import { anyScorableCheckIn } from './check-in.ts'

const KEY = 'text.sentiment_compound'
const SD = FEATURE_NORMS.text.sentiment_compound?.sd ?? Number.NaN

/** The baseline after days of which one feature and the score are known. */
function grown(days: readonly { value: number; score: number }[], from: Baseline | null = null): Baseline {
  let baseline = from
  for (const { value, score } of days) {
    baseline = updateBaseline(baseline, { score, features: { [KEY]: value } })
  }
  if (baseline === null) throw new Error('no days were given')
  return baseline
}

const usualOf = (baseline: Baseline) => baseline.features[KEY]?.mean ?? Number.NaN

const day = fc.record({
  value: fc.double({ min: -1, max: 1, noNaN: true }),
  score: fc.double({ min: 10, max: 90, noNaN: true }),
})
const days = (minLength: number) => fc.array(day, { minLength, maxLength: 30 })

describe('for any days', () => {
  test('each counts once, in the count, in the version and in every series that it fed', () => {
    fc.assert(
      fc.property(days(1), (known) => {
        const baseline = grown(known)
        expect(baseline).toMatchObject({ count: known.length, version: known.length })
        expect(baseline.score.count).toBe(known.length)
        expect(baseline.features[KEY]?.count).toBe(known.length)
      }),
    )
  })

  test('fusing a check-in counts it once, and fusing it again from the same baseline changes nothing', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        const once = fuse(input).next_baseline
        expect(once.count).toBe((input.baseline?.count ?? 0) + 1)
        expect(once.version).toBe((input.baseline?.version ?? 0) + 1)
        expect(fuse(input).next_baseline).toEqual(once)
      }),
    )
  })

  test('one day, however bad, moves what is usual by at most a tenth of the spread once it is known', () => {
    fc.assert(
      fc.property(days(15), fc.double({ min: -1e6, max: 1e6, noNaN: true }), (known, value) => {
        const before = grown(known)
        const next = grown([{ value, score: 0 }], before)
        const spread = before.features[KEY]?.spread ?? Number.NaN
        expect(Math.abs(usualOf(next) - usualOf(before))).toBeLessThanOrEqual(0.1 * spread + 1e-12)
        expect(Math.abs(next.score.mean - before.score.mean)).toBeLessThanOrEqual(
          0.1 * before.score.spread + 1e-12,
        )
        expect(next.features[KEY]?.spread).toBeLessThanOrEqual(1.1 * spread)
      }),
    )
  })

  test('what is usual stays within what was measured', () => {
    fc.assert(
      fc.property(days(1), (known) => {
        const values = known.map(({ value }) => value)
        expect(usualOf(grown(known))).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12)
        expect(usualOf(grown(known))).toBeLessThanOrEqual(Math.max(...values) + 1e-12)
      }),
    )
  })

  test('two pasts that differ are forgotten: the same days after them bring the two ever closer', () => {
    fc.assert(
      fc.property(days(15), days(15), day, (one, other, now) => {
        let apart: number | null = null
        let [first, second] = [grown(one), grown(other)]
        for (let month = 0; month < 6; month++) {
          first = grown(Array(30).fill(now), first)
          second = grown(Array(30).fill(now), second)
          const distance = Math.abs(usualOf(first) - usualOf(second))
          if (apart !== null) expect(distance).toBeLessThanOrEqual(apart + 1e-9)
          apart = distance
        }
        expect(apart).toBeLessThan(0.05 * SD)
      }),
      { numRuns: 50 },
    )
  })

  test('an old day loses weight with every newer one', () => {
    const weightAfter = (newer: number) => {
      const rest = Array.from({ length: newer }, () => ({ value: 0, score: 50 }))
      const start = Array.from({ length: 20 }, () => ({ value: 0, score: 50 }))
      return usualOf(grown([...start, { value: 0.05, score: 55 }, ...rest]))
    }
    const weights = [0, 1, 5, 15, 45].map(weightAfter)
    expect(weights).toEqual([...weights].sort((a, b) => b - a))
    expect(weights[3]).toBeLessThan(0.4 * (weights[0] ?? 0))
    expect(weights[4]).toBeLessThan(0.06 * (weights[0] ?? 0))
  })
})

describe('change', () => {
  test('follows the sign of the difference, and is clearer the larger it is', () => {
    const ORDER = ['low', 'medium', 'high']
    const steady = Array.from({ length: 12 }, (_, index) => ({ value: 0, score: 50 + (index % 3) }))
    const baseline = grown(steady)
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        const { direction_of_change, significance, baseline: compared } = fuse({ ...input, baseline })
        const difference = compared.compared ?? Number.NaN
        if (direction_of_change === 'better') expect(difference).toBeGreaterThan(0)
        else if (direction_of_change === 'worse') expect(difference).toBeLessThan(0)
        expect(direction_of_change === 'same').toBe(significance === 'low')
        expect(ORDER).toContain(significance)
      }),
    )
  })

  test('of the same size is less significant for a student whose score always varies', () => {
    const scoreDays = (swing: number) =>
      grown(
        Array.from({ length: 30 }, (_, index) => ({ value: 0, score: 60 + (index % 2 ? swing : -swing) })),
      )
    const calm = fuse(lowCheckIn(scoreDays(1)))
    const varied = fuse(lowCheckIn(scoreDays(25)))
    const rank = ({ significance }: typeof calm) => ['low', 'medium', 'high'].indexOf(significance)
    expect(calm.direction_of_change).toBe('worse')
    expect(rank(varied)).toBeLessThan(rank(calm))
  })
})

/** Words somewhat below their reference. */
function lowCheckIn(baseline: Baseline) {
  const features = Object.fromEntries(
    Object.entries(FEATURE_NORMS.text).map(([name, norm]) => [
      name,
      norm.mean - 0.9 * norm.sd * norm.direction,
    ]),
  )
  const text = { features, quality: { score: 1, reason: null } }
  return { audio: null, visual: null, text, moodScore: null, baseline }
}
