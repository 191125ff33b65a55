import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBaseline } from '../../../functions/_shared/scoring/baseline.ts'
import { fuse, NothingToScore } from '../../../functions/_shared/scoring/fuse.ts'
import { FEATURE_NORMS } from '../../../functions/_shared/scoring/scheme.ts'
import type { FusionInput, FusionResult, Modality } from '../../../functions/_shared/scoring/types.ts'
import { anyScorableCheckIn, checkIn, MODALITIES, modalityAt, wholeCheckIn } from './check-in.ts'

const quality = fc.double({ min: 0.2, max: 1, noNaN: true })
const z = fc.double({ min: -2.5, max: 2.5, noNaN: true })
const pair = fc.constantFrom<[Modality, Modality]>(['audio', 'text'], ['audio', 'visual'], ['text', 'visual'])

describe('uncertainty', () => {
  test('never falls when two modalities that agree come to disagree', () => {
    fc.assert(
      fc.property(pair, quality, quality, z, z, z, ([one, other], q1, q2, base, near, far) => {
        const apart = (gap: number) =>
          fuse(checkIn({ [one]: modalityAt(one, base, q1), [other]: modalityAt(other, gap, q2) }))
        const gapOf = ({ components }: FusionResult) => {
          const scores = components.flatMap(({ score }) => (score === null ? [] : [score]))
          return Math.max(...scores) - Math.min(...scores)
        }
        const [less, more] = [apart(near), apart(far)].sort((a, b) => gapOf(a) - gapOf(b))
        // Both are rounded, to thousandths, and gaps to hundredths: gaps that look alike may be in either order.
        if (less && more) expect(less.uncertainty).toBeLessThanOrEqual(more.uncertainty + 0.001 + 1e-9)
      }),
    )
  })

  test('rises step by step as three modalities drift apart', () => {
    const steps = [0, 0.4, 0.8, 1.2].map(
      (gap) =>
        fuse(
          checkIn({
            audio: modalityAt('audio', -gap),
            text: modalityAt('text', gap / 2),
            visual: modalityAt('visual', 0),
          }),
        ).uncertainty,
    )
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
    expect(new Set(steps).size).toBe(steps.length)
  })

  test('never falls when features are missing from a check-in whose modalities agree', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MODALITIES), fc.infiniteStream(fc.boolean()), (modality, keeps) => {
        const whole = wholeCheckIn(0)
        const part = whole[modality]
        const features = Object.fromEntries(
          Object.entries(part?.features ?? {}).filter(() => keeps.next().value),
        )
        const poorer = { ...whole, [modality]: { features, quality: { score: 0.8, reason: null } } }
        expect(fuse(poorer).uncertainty).toBeGreaterThanOrEqual(fuse(whole).uncertainty)
      }),
    )
  })
})

describe('weights', () => {
  test('never fall with better quality, and follow reliability at equal quality', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MODALITIES), quality, quality, z, (modality, one, other, at) => {
        const [poor, good] = [Math.min(one, other), Math.max(one, other)]
        const weight = (score: number) =>
          fuse({ ...wholeCheckIn(at), [modality]: modalityAt(modality, at, score) }).components.find(
            (component) => component.modality === modality,
          )?.weight ?? 0
        expect(weight(good)).toBeGreaterThanOrEqual(weight(poor))
        if (good - poor > 0.05) expect(weight(good)).toBeGreaterThan(weight(poor))
      }),
    )
    const weights = Object.fromEntries(
      fuse(wholeCheckIn(0)).components.map(({ modality, weight }) => [modality, weight]),
    )
    expect(weights.text).toBeGreaterThan(weights.audio ?? 1)
    expect(weights.audio).toBeGreaterThan(weights.visual ?? 1)
  })
})

describe('the score', () => {
  test('is the weighted mean of its components', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        const { score, components } = fuse(input)
        const mean = components.reduce((sum, { weight, score: part }) => sum + weight * (part ?? 0), 0)
        expect(Math.abs(score - mean)).toBeLessThan(0.05)
      }),
    )
  })

  test('of ordinary input lies well within 10 and 90', () => {
    const ordinary = (modality: Modality) =>
      fc
        .record(
          Object.fromEntries(
            Object.entries(FEATURE_NORMS[modality]).map(([name, norm]) => [
              name,
              fc.double({ min: norm.mean - 2 * norm.sd, max: norm.mean + 2 * norm.sd, noNaN: true }),
            ]),
          ),
        )
        .map((features) => ({ features, quality: { score: 0.8, reason: null } }))
    fc.assert(
      fc.property(ordinary('audio'), ordinary('visual'), ordinary('text'), (audio, visual, text) => {
        const { score } = fuse(checkIn({ audio, visual, text }))
        expect(score).toBeGreaterThan(15)
        expect(score).toBeLessThan(85)
      }),
    )
  })
})

describe('drivers', () => {
  test('come from features that were measured, under the words of those features', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        for (const { modality, feature, label, contribution } of fuse(input).drivers) {
          if (modality === 'self_report') continue
          expect(Number.isFinite(input[modality]?.features[feature] ?? Number.NaN)).toBe(true)
          const norm = FEATURE_NORMS[modality][feature]
          expect(label).toBe(contribution > 0 ? norm?.raised : norm?.lowered)
        }
      }),
    )
  })

  test('moved the score their way: with the feature at its reference the score is less so', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (drawn) => {
        const input: FusionInput = { ...drawn, baseline: null, textDetails: null }
        const result = fuse(input)
        for (const { modality, feature, contribution } of result.drivers) {
          if (modality === 'self_report') continue
          const norm = FEATURE_NORMS[modality][feature]
          const part = input[modality]
          if (!norm || part === null) throw new Error(`${feature} is unknown`)
          const features = { ...part.features, [feature]: norm.mean }
          const without = fuse({ ...input, [modality]: { ...part, features } })
          expect(Math.sign(contribution) * (result.score - without.score)).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  test('add up to the deviation from the centre, component by component', () => {
    fc.assert(
      fc.property(z, z, z, (audio, visual, text) => {
        const { components, drivers } = fuse(
          checkIn({
            audio: modalityAt('audio', audio),
            visual: modalityAt('visual', visual),
            text: modalityAt('text', text),
          }),
        )
        for (const { modality, score, weight } of components) {
          if (score === null) continue
          const named = drivers.filter((driver) => driver.modality === modality)
          const points = named.reduce((sum, { contribution }) => sum + contribution, 0)
          const whole = 40 * weight * Math.atanh(Math.min(0.99999, Math.max(-0.99999, (score - 50) / 40)))
          expect(Math.abs(points)).toBeLessThanOrEqual(Math.abs(whole) + 0.5)
        }
      }),
    )
  })
})

describe('whatever is stored as a baseline', () => {
  const number = fc.oneof(fc.double(), fc.constantFrom(0, -1, 1e308, -1e308, 1e-308, Number.MAX_VALUE))
  const stat = fc.oneof(fc.record({ mean: number, spread: number, count: number }), fc.jsonValue())
  const stored = fc.oneof(
    fc.jsonValue(),
    fc.record({
      count: number,
      version: number,
      score: stat,
      features: fc.dictionary(
        fc.constantFrom(
          'audio.f0_sd_semitones',
          'audio.f0_mean_hz',
          'text.emotion_joy',
          'visual.brow_lowering',
        ),
        stat,
      ),
    }),
  )

  test('the result is finite, in range, and the next baseline can be read again', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, stored, (input, baseline) => {
        const result = fuse({ ...input, baseline: readBaseline(baseline) })
        for (const value of numbersIn(result)) expect(Number.isFinite(value)).toBe(true)
        expect(result.score).toBeGreaterThanOrEqual(10)
        expect(result.score).toBeLessThanOrEqual(90)
        expect(result.uncertainty).toBeGreaterThanOrEqual(0.1)
        expect(result.uncertainty).toBeLessThanOrEqual(1)
        expect(readBaseline(JSON.parse(JSON.stringify(result.next_baseline)))).not.toBeNull()
      }),
      { numRuns: 500 },
    )
  })
})

test('numbers of any size never leave the score', () => {
  const sizes = [1e15, 1e100, Number.MAX_VALUE, -1e15, -1e100, -Number.MAX_VALUE, Number.MIN_VALUE]
  for (const value of sizes) {
    const everything = (modality: Modality) => ({
      features: Object.fromEntries(Object.keys(FEATURE_NORMS[modality]).map((name) => [name, value])),
      quality: { score: 1, reason: null },
    })
    const input = checkIn({
      audio: everything('audio'),
      visual: everything('visual'),
      text: everything('text'),
      moodScore: value,
    })
    let result = fuse(input)
    for (let day = 0; day < 20; day++) result = fuse({ ...input, baseline: result.next_baseline })
    for (const number of numbersIn(result)) expect(Number.isFinite(number)).toBe(true)
    expect(result.score).toBeGreaterThanOrEqual(10)
    expect(result.score).toBeLessThanOrEqual(90)
  }
})

test('nothing is scored out of numbers that are not finite', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null]) {
    const features = Object.fromEntries(Object.keys(FEATURE_NORMS.audio).map((name) => [name, value]))
    const audio = { features, quality: { score: 1, reason: null } }
    expect(() => fuse(checkIn({ audio, moodScore: value }))).toThrow(NothingToScore)
  }
})

function* numbersIn(value: unknown): Generator<number> {
  if (typeof value === 'number') yield value
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) yield* numbersIn(part)
  }
}
