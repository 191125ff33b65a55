import { describe, expect, test } from 'vitest'
import type { FeatureNorm } from '../../../functions/_shared/features/definition.ts'
import { updateBaseline } from '../../../functions/_shared/scoring/baseline.ts'
import { fuse } from '../../../functions/_shared/scoring/fuse.ts'
import { FEATURE_NORMS } from '../../../functions/_shared/scoring/scheme.ts'
import type { Baseline, FusionInput, Modality } from '../../../functions/_shared/scoring/types.ts'
import { MODALITIES, wholeCheckIn } from './check-in.ts'

type Feature = { modality: Modality; feature: string; norm: FeatureNorm }

const FEATURES: Feature[] = MODALITIES.flatMap((modality) =>
  Object.entries(FEATURE_NORMS[modality]).map(([feature, norm]) => ({ modality, feature, norm })),
)
const SCORED = FEATURES.filter(({ norm }) => norm.direction !== 0)
const FOLLOWED = FEATURES.filter(({ norm }) => norm.direction === 0)

/** From 6 SD on the good side to 6 SD on the bad one, and then what no measurement gives. */
const WORSENING = [...Array.from({ length: 49 }, (_, step) => 6 - step / 4), -1e3, -1e9, -1e300]

/** A check-in that is ordinary but for one feature, `z` population SD to the good side. */
function withFeature(
  { modality, feature, norm }: Feature,
  z: number,
  baseline: Baseline | null,
): FusionInput {
  const input = wholeCheckIn(0.1, { baseline })
  const part = input[modality]
  if (part === null) throw new Error(`${modality} is missing`)
  const value = norm.mean + (norm.direction || 1) * norm.sd * z
  return { ...input, [modality]: { ...part, features: { ...part.features, [feature]: value } } }
}

function scoreOf(of: Feature, z: number, baseline: Baseline | null): number {
  const component = fuse(withFeature(of, z, baseline)).components.find(
    ({ modality }) => modality === of.modality,
  )
  if (component?.score == null) throw new Error(`${of.modality} was not scored`)
  return component.score
}

/** The baseline of a student for whom much is unusual. */
function unusualBaseline(): Baseline {
  let baseline: Baseline | null = null
  for (let day = 0; day < 12; day++) {
    const features = Object.fromEntries(
      FEATURES.map(({ modality, feature, norm }, index) => [
        `${modality}.${feature}`,
        norm.mean + norm.sd * (Math.sin(index) * 2 + 0.2 * Math.cos(day)),
      ]),
    )
    baseline = updateBaseline(baseline, { score: 40 + day, features })
  }
  if (baseline === null) throw new Error('no day was counted')
  return baseline
}

/** What low mood goes with less of, and with more of, by the studies that docs/scoring.md names. */
const LESS_IN_LOW_MOOD = [
  'f0_sd_semitones',
  'f0_range_semitones',
  'intensity_sd_db',
  'speech_rate_syllables_per_s',
  'articulation_rate_syllables_per_s',
  'phonation_ratio',
  'speech_run_mean_s',
  'hnr_db',
  'cpps_db',
  'emotion_happy',
  'smile_intensity',
  'expressivity',
  'sentiment_compound',
  'sentiment_positive',
  'emotion_joy',
  'coping_rate',
  'social_connection_rate',
  'future_focus_rate',
]
const MORE_IN_LOW_MOOD = [
  'pause_mean_s',
  'pause_sd_s',
  'long_pause_rate_per_min',
  'jitter_local',
  'shimmer_local',
  'emotion_sad',
  'eye_closure_fraction',
  'gaze_down_fraction',
  'sentiment_negative',
  'emotion_sadness',
  'emotion_anger',
  'emotion_anxiety',
  'hesitation_rate',
  'absolutist_rate',
]

test('every direction is that of the studies', () => {
  const named = (direction: number) =>
    SCORED.filter(({ norm }) => norm.direction === direction).map(({ feature }) => feature)
  expect(named(1)).toEqual(LESS_IN_LOW_MOOD)
  expect(named(-1)).toEqual(MORE_IN_LOW_MOOD)
})

describe.each([
  ['without a baseline', null],
  ['with an unusual baseline', unusualBaseline()],
])('%s', (_, baseline) => {
  test.each(SCORED)('a worse $feature never raises $modality, and lowers it', (feature) => {
    const scores = WORSENING.map((z) => scoreOf(feature, z, baseline))
    scores.forEach((score, index) => {
      expect(score).toBeLessThanOrEqual(scores[index - 1] ?? 90)
    })
    expect(scores.at(-1)).toBeLessThan((scores[0] ?? 0) - 0.3)
  })

  test.each(FOLLOWED)('no value of $feature moves $modality', (feature) => {
    const scores = [-1e300, -6, 0, 6, 1e300].map((z) => scoreOf(feature, z, baseline))
    expect(new Set(scores).size).toBe(1)
  })
})

test.each(SCORED)('$feature that is bad is named and traced, and so is one that is good', (feature) => {
  for (const [z, sign] of [
    [-2.5, -1],
    [2, 1],
  ] as const) {
    const alone = { features: { [feature.feature]: 0 }, quality: { score: 1, reason: null } }
    alone.features[feature.feature] = feature.norm.mean + feature.norm.direction * feature.norm.sd * z
    const { drivers, drivers_positive, drivers_negative } = fuse({
      audio: null,
      visual: null,
      text: null,
      moodScore: null,
      baseline: null,
      [feature.modality]: alone,
    })
    const label = sign > 0 ? feature.norm.raised : feature.norm.lowered
    if (drivers.length > 0) {
      expect(drivers).toMatchObject([{ label, modality: feature.modality, feature: feature.feature }])
      expect(Math.sign(drivers[0]?.contribution ?? 0)).toBe(sign)
      expect(sign > 0 ? drivers_positive : drivers_negative).toEqual([label])
      expect(sign > 0 ? drivers_negative : drivers_positive).toEqual([])
    } else {
      expect(z).toBeGreaterThan(0)
    }
  }
})
