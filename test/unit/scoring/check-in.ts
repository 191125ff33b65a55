import * as fc from 'fast-check'
import { updateBaseline } from '../../../functions/_shared/scoring/baseline.ts'
import { FEATURE_NORMS } from '../../../functions/_shared/scoring/scheme.ts'
import type {
  Baseline,
  FusionInput,
  Modality,
  ModalityInput,
} from '../../../functions/_shared/scoring/types.ts'

export const MODALITIES: readonly Modality[] = ['audio', 'visual', 'text']

/** A modality whose features all lie `z` population SD on the good side (negative: bad). */
export function modalityAt(modality: Modality, z: number, quality = 0.8): ModalityInput {
  const features: Record<string, number> = {}
  for (const [name, norm] of Object.entries(FEATURE_NORMS[modality])) {
    features[name] = norm.mean + z * norm.sd * norm.direction
  }
  return { features, quality: { score: quality, reason: null } }
}

/** A check-in with nothing in it but what is given. */
export function checkIn(parts: Partial<FusionInput> = {}): FusionInput {
  return { audio: null, visual: null, text: null, moodScore: null, baseline: null, ...parts }
}

/** A check-in with all three modalities at `z`. */
export function wholeCheckIn(z: number, parts: Partial<FusionInput> = {}): FusionInput {
  return checkIn({
    audio: modalityAt('audio', z),
    visual: modalityAt('visual', z),
    text: modalityAt('text', z),
    ...parts,
  })
}

const featureValue = fc.oneof(
  fc.constant(null),
  fc.double({ min: -200, max: 300, noNaN: true }),
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
)

function anyModality(modality: Modality): fc.Arbitrary<ModalityInput> {
  const names = Object.keys(FEATURE_NORMS[modality])
  const near = fc.record(
    Object.fromEntries(
      Object.entries(FEATURE_NORMS[modality]).map(([name, norm]) => [
        name,
        fc.double({ min: -4, max: 4, noNaN: true }).map((z): number | null => norm.mean + z * norm.sd),
      ]),
    ),
  )
  const wild = fc.dictionary(fc.constantFrom(...names, 'unknown_feature'), featureValue)
  return fc.option(
    fc.record({
      features: fc.oneof(near, wild),
      quality: fc.record({
        score: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double()),
        reason: fc.constantFrom(null, 'noisy'),
      }),
    }),
    { nil: null },
  )
}

/** A baseline grown from up to 20 arbitrary check-ins, or none. */
const anyBaseline: fc.Arbitrary<Baseline | null> = fc
  .array(
    fc.record({
      score: fc.double({ min: 0, max: 100, noNaN: true }),
      z: fc.double({ min: -5, max: 5, noNaN: true }),
    }),
    { maxLength: 20 },
  )
  .map((days) => {
    let baseline: Baseline | null = null
    for (const { score, z } of days) {
      const features: Record<string, number> = {}
      for (const modality of MODALITIES) {
        for (const [name, norm] of Object.entries(FEATURE_NORMS[modality])) {
          features[`${modality}.${name}`] = norm.mean + z * norm.sd
        }
      }
      baseline = updateBaseline(baseline, { score, features })
    }
    return baseline
  })

const riskLevel = fc.constantFrom('none' as const, 'mild' as const, 'moderate' as const, 'high' as const)
const mood = fc.option(fc.oneof(fc.integer({ min: 1, max: 10 }), fc.double()), { nil: null })

/** Any check-in that the types allow, wild numbers included. */
export const anyCheckIn: fc.Arbitrary<FusionInput> = fc.record({
  audio: anyModality('audio'),
  visual: anyModality('visual'),
  text: anyModality('text'),
  textDetails: fc.option(
    fc.record({
      themes: fc.array(fc.constantFrom('sleep', 'exams', 'friends'), { maxLength: 8 }),
      keywords: fc.constant([]),
      crisis: fc.record({ level: riskLevel, rule: fc.constant(null) }),
      stated_mood: mood,
    }),
    { nil: null },
  ),
  moodScore: mood,
  baseline: anyBaseline,
})

/** Any check-in with at least one modality that can be scored. */
export const anyScorableCheckIn: fc.Arbitrary<FusionInput> = fc
  .tuple(anyCheckIn, fc.constantFrom(...MODALITIES), fc.double({ min: -3, max: 3, noNaN: true }))
  .map(([input, modality, z]) => ({ ...input, [modality]: modalityAt(modality, z) }))
