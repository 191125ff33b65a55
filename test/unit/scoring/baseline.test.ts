import { describe, expect, test } from 'vitest'
import { readBaseline, updateBaseline } from '../../../functions/_shared/scoring/baseline.ts'
import { fuse } from '../../../functions/_shared/scoring/fuse.ts'
import { FEATURE_NORMS } from '../../../functions/_shared/scoring/scheme.ts'
import type { Baseline, Modality } from '../../../functions/_shared/scoring/types.ts'
import { checkIn, modalityAt, wholeCheckIn } from './check-in.ts'

/** The baseline after check-ins at each of these z. */
function baselineAfter(days: readonly number[]): Baseline {
  let baseline: Baseline | null = null
  for (const z of days) baseline = fuse(wholeCheckIn(z, { baseline })).next_baseline
  if (baseline === null) throw new Error('no days were given')
  return baseline
}

const TEN_TYPICAL_DAYS = [0.1, -0.1, 0.2, 0, -0.2, 0.1, 0, -0.1, 0.2, -0.2]

describe('the baseline', () => {
  test('counts each check-in once', () => {
    expect(baselineAfter([0])).toMatchObject({ count: 1, version: 1 })
    expect(baselineAfter([0, 1, 0])).toMatchObject({ count: 3, version: 3 })
  })

  test('is hardly moved by one bad day', () => {
    const before = baselineAfter(TEN_TYPICAL_DAYS)
    const after = fuse(wholeCheckIn(-2.5, { baseline: before })).next_baseline
    expect(Math.abs(after.score.mean - before.score.mean)).toBeLessThan(2)
    const norm = FEATURE_NORMS.text.sentiment_compound
    const key = 'text.sentiment_compound'
    const moved = (before.features[key]?.mean ?? 0) - (after.features[key]?.mean ?? 0)
    expect(moved).toBeGreaterThan(0)
    expect(moved).toBeLessThan(0.15 * (norm?.sd ?? 0))
  })

  test('follows a change that lasts', () => {
    const changed = baselineAfter([...TEN_TYPICAL_DAYS, ...Array<number>(60).fill(-1)])
    const { compared } = fuse(wholeCheckIn(-1, { baseline: changed })).baseline
    expect(Math.abs(compared ?? 100)).toBeLessThan(4)
  })

  test('forgets a bad first day', () => {
    const good = baselineAfter(Array<number>(31).fill(0.3))
    const badFirst = baselineAfter([-2.5, ...Array<number>(30).fill(0.3)])
    expect(Math.abs(badFirst.score.mean - good.score.mean)).toBeLessThan(5)
  })

  test('leaves the series of a missing or unusable modality untouched', () => {
    const before = baselineAfter([0, 0.2, -0.1])
    const silent = { features: { f0_mean_hz: 500 }, quality: { score: 0.05, reason: 'silent' } }
    const after = fuse(
      checkIn({ audio: silent, text: modalityAt('text', 1), baseline: before }),
    ).next_baseline
    expect(after.features['audio.f0_mean_hz']).toEqual(before.features['audio.f0_mean_hz'])
    expect(after.features['visual.smile_intensity']).toEqual(before.features['visual.smile_intensity'])
    expect(after.features['text.emotion_joy']?.count).toBe(4)
  })

  test('survives being stored as JSON', () => {
    const baseline = baselineAfter([0, 1, -1])
    expect(readBaseline(JSON.parse(JSON.stringify(baseline)))).toEqual(baseline)
  })

  test.each([null, 'text', {}, [], { count: 1 }, { count: 1, score: { mean: 50, spread: 0, count: 1 } }])(
    'that cannot be used (%j) counts as none',
    (stored) => {
      expect(readBaseline(stored)).toBeNull()
    },
  )

  test('does not change what it was given', () => {
    const before = baselineAfter([0, 1])
    const copy = structuredClone(before)
    updateBaseline(before, { score: 20, features: { 'text.emotion_joy': 4 } })
    expect(before).toEqual(copy)
  })
})

describe('change', () => {
  test('is same until three check-ins are known', () => {
    expect(fuse(wholeCheckIn(-2))).toMatchObject({
      direction_of_change: 'same',
      baseline: { score_mean: null, score_sd: null, check_ins: 0, compared: null },
    })
    expect(fuse(wholeCheckIn(-2, { baseline: baselineAfter([1, 1]) })).direction_of_change).toBe('same')
  })

  test('says better, same and worse against the usual score', () => {
    const baseline = baselineAfter(TEN_TYPICAL_DAYS)
    const at = (z: number) => fuse(wholeCheckIn(z, { baseline }))
    expect(at(-2)).toMatchObject({ direction_of_change: 'worse', significance: 'high' })
    expect(at(0)).toMatchObject({ direction_of_change: 'same', significance: 'low' })
    expect(at(2).direction_of_change).toBe('better')
    expect(at(-2).baseline.compared).toBeLessThan(0)
  })

  test('needs more than a poor recording to be called worse', () => {
    const baseline = baselineAfter(TEN_TYPICAL_DAYS)
    /** How much there is goes with the quality: seconds, images and words. */
    const at = (quality: number, [seconds, images, words]: [number, number, number]) => {
      const low = (modality: Modality, amount: number) => {
        const input = modalityAt(modality, -0.2, quality)
        return input && { ...input, amount }
      }
      return fuse(
        checkIn({
          audio: low('audio', seconds),
          visual: low('visual', images),
          text: low('text', words),
          baseline,
        }),
      )
    }
    expect(at(0.9, [40, 10, 140]).direction_of_change).toBe('worse')
    expect(at(0.25, [10, 3, 6]).direction_of_change).toBe('same')
  })

  test('worse with high significance raises the risk', () => {
    const baseline = baselineAfter(Array<number>(15).fill(1.5))
    const result = fuse(wholeCheckIn(-0.4, { baseline }))
    expect(result.direction_of_change).toBe('worse')
    expect(result.risk_level).not.toBe('none')
  })
})

test('a voice that is always so is scored less harshly as the baseline grows, low mood never', () => {
  const baseline = baselineAfter(Array<number>(20).fill(-1))
  const component = (name: string, known: Baseline | null) =>
    fuse(wholeCheckIn(-1, { baseline: known, moodScore: 3 })).components.find(
      ({ modality }) => modality === name,
    )?.score ?? 0
  expect(component('audio', baseline)).toBeGreaterThan(component('audio', null) + 3)
  expect(component('self_report', baseline)).toBe(component('self_report', null))
})
