import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuse, NothingToScore } from '../../../functions/_shared/scoring/fuse.ts'
import { FEATURE_NORMS, QUALITY_THRESHOLD } from '../../../functions/_shared/scoring/scheme.ts'
import type { FusionInput, Modality, ModalityInput } from '../../../functions/_shared/scoring/types.ts'
import { anyCheckIn, anyScorableCheckIn, MODALITIES } from './check-in.ts'

const LEVELS = ['none', 'mild', 'moderate', 'high']

describe('for any check-in', () => {
  test('score, uncertainty and weights stay in range, or nothing is scored', () => {
    fc.assert(
      fc.property(anyCheckIn, (input) => {
        let result: ReturnType<typeof fuse>
        try {
          result = fuse(input)
        } catch (error) {
          expect(error).toBeInstanceOf(NothingToScore)
          return
        }
        expect(result.score).toBeGreaterThanOrEqual(10)
        expect(result.score).toBeLessThanOrEqual(90)
        expect(result.uncertainty).toBeGreaterThanOrEqual(0.1)
        expect(result.uncertainty).toBeLessThanOrEqual(1)
        expect(result.components.map(({ modality }) => modality)).toEqual([...MODALITIES, 'self_report'])
        expect(result.components.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 3)
        for (const { weight, score, quality } of result.components) {
          expect(weight).toBeGreaterThanOrEqual(0)
          expect(weight > 0 && score === null).toBe(false)
          expect(quality === null || (quality >= 0 && quality <= 1)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('no number in the result is NaN or infinite', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        for (const value of numbersIn(fuse(input))) expect(Number.isFinite(value)).toBe(true)
      }),
    )
  })

  test('NaN and infinity count as missing', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        expect(fuse(input)).toEqual(fuse(withoutBrokenNumbers(input)))
      }),
    )
  })

  test('a worse value of one feature never raises its component, nor the score', () => {
    const scored = MODALITIES.flatMap((modality) =>
      Object.entries(FEATURE_NORMS[modality])
        .filter(([, norm]) => norm.direction !== 0)
        .map(([feature, norm]) => ({ modality, feature, norm })),
    )
    fc.assert(
      fc.property(
        anyScorableCheckIn,
        fc.constantFrom(...scored),
        fc.double({ min: -5, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 5, noNaN: true }),
        (input, { modality, feature, norm }, z, drop) => {
          const at = (value: number) => norm.mean + norm.direction * norm.sd * value
          const good = fuse(withFeature(input, modality, feature, at(z)))
          const bad = fuse(withFeature(input, modality, feature, at(z - drop)))
          expect(componentScore(bad, modality)).toBeLessThanOrEqual(componentScore(good, modality))
          expect(bad.score).toBeLessThanOrEqual(good.score + 0.01)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('a missing modality or self-report never lowers the uncertainty', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, fc.constantFrom(...MODALITIES, 'moodScore' as const), (input, part) => {
        const whole = fuse(input)
        try {
          const without = { ...input, [part]: null }
          if (part === 'moodScore' && without.textDetails) {
            without.textDetails = { ...without.textDetails, stated_mood: null }
          }
          expect(fuse(without).uncertainty).toBeGreaterThanOrEqual(whole.uncertainty)
        } catch (error) {
          if (!(error instanceof NothingToScore)) throw error
        }
      }),
      { numRuns: 500 },
    )
  })

  test('poorer quality never lowers the uncertainty', () => {
    fc.assert(
      fc.property(
        anyScorableCheckIn,
        fc.constantFrom(...MODALITIES),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (input, modality, factor) => {
          const part = input[modality]
          if (part === null || !Number.isFinite(part.quality.score)) return
          const score = Math.min(1, Math.max(0, part.quality.score)) * factor
          const poorer = { ...input, [modality]: { ...part, quality: { score, reason: null } } }
          try {
            expect(fuse(poorer).uncertainty).toBeGreaterThanOrEqual(fuse(input).uncertainty)
          } catch (error) {
            if (!(error instanceof NothingToScore)) throw error
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('crisis language is a floor of the risk', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        const level = input.textDetails?.crisis.level ?? 'none'
        expect(LEVELS.indexOf(fuse(input).risk_level)).toBeGreaterThanOrEqual(LEVELS.indexOf(level))
      }),
    )
  })

  test('a modality below the quality threshold has no weight', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        for (const { modality, weight, quality, reason } of fuse(input).components) {
          if (modality === 'self_report' || (quality ?? 0) >= QUALITY_THRESHOLD) continue
          expect(weight).toBe(0)
          expect(reason).not.toBeNull()
        }
      }),
    )
  })

  test('the order of features does not matter', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        expect(fuse(reversed(input))).toEqual(fuse(input))
      }),
    )
  })

  test('every named driver is traceable to features that moved the score its way', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        const { drivers, drivers_positive, drivers_negative } = fuse(input)
        for (const [labels, sign] of [[drivers_positive, 1] as const, [drivers_negative, -1] as const]) {
          for (const label of labels) {
            const behind = drivers.filter(
              (driver) => driver.label === label && driver.contribution * sign > 0,
            )
            expect(behind.length).toBeGreaterThan(0)
          }
        }
        for (const { label } of drivers) expect([...drivers_positive, ...drivers_negative]).toContain(label)
      }),
    )
  })

  test('the summary is one or two sentences', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        const sentences = fuse(input).summary.match(/[.!?](?=\s|$)/g)?.length ?? 0
        expect(sentences).toBeGreaterThanOrEqual(1)
        expect(sentences).toBeLessThanOrEqual(2)
      }),
    )
  })
})

function componentScore(result: ReturnType<typeof fuse>, modality: Modality): number {
  const score = result.components.find((component) => component.modality === modality)?.score
  if (score === null || score === undefined) throw new Error(`${modality} was not scored`)
  return score
}

function withFeature(input: FusionInput, modality: Modality, feature: string, value: number): FusionInput {
  const features = { ...input[modality]?.features, [feature]: value }
  return { ...input, [modality]: { features, quality: { score: 0.8, reason: null } } }
}

function eachModality(input: FusionInput, change: (part: ModalityInput) => ModalityInput): FusionInput {
  return {
    ...input,
    audio: change(input.audio),
    visual: change(input.visual),
    text: change(input.text),
  }
}

function withoutBrokenNumbers(input: FusionInput): FusionInput {
  return eachModality(input, (part) => {
    if (part === null) return null
    const features = Object.fromEntries(
      Object.entries(part.features).filter(([, value]) => value !== null && Number.isFinite(value)),
    )
    return { ...part, features }
  })
}

function reversed(input: FusionInput): FusionInput {
  return eachModality(
    input,
    (part) => part && { ...part, features: Object.fromEntries(Object.entries(part.features).reverse()) },
  )
}

function* numbersIn(value: unknown): Generator<number> {
  if (typeof value === 'number') yield value
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) yield* numbersIn(part)
  }
}
