import type { FeatureNorm } from '../features/definition.ts'
import { clamp, finite } from '../numbers.ts'
import { featureKey } from './baseline.ts'
import {
  BASELINE_HALF_LIFE,
  QUALITY_THRESHOLD,
  SCORE_CENTRE,
  SCORE_HALF_WIDTH,
  type Scheme,
  SPARSE_SHRINKAGE,
  SQUASH_GAIN,
  Z_FLOOR,
} from './scheme.ts'
import { errorOf } from './standard-error.ts'
import type { Baseline, ComponentName, ModalityInput, RobustStat } from './types.ts'

/** One feature's part in a component: `pull` is its share of the mean z, in SD. */
type Term = { feature: string; pull: number; norm: FeatureNorm }

/** A component before it is fused. `evidence` is 0 when it takes no part. */
export type Evaluation = {
  name: ComponentName
  score: number | null
  /** Standard error of the score, points; 0 when it takes no part. */
  error: number
  /** Reliability × quality × coverage, 0 to 1. */
  evidence: number
  quality: number | null
  reason: string | null
  terms: Term[]
  /** Every finite measured feature that fusion knows, scored or not; empty when the component takes no part. */
  measured: Record<string, number>
}

/**
 * Scores one component: z of each feature against the population, blended with z against the student's own baseline,
 * averaged by weight, pulled to typical when few features are present, and squashed to 10..90. A worse value of a feature
 * never raises the score.
 * @param absentReason why there is no input, used when `input` is null
 */
export function evaluate(
  name: ComponentName,
  input: ModalityInput,
  baseline: Baseline | null,
  absentReason: string,
  scheme: Scheme,
): Evaluation {
  if (input === null) return leftOut(name, null, absentReason)
  const quality = clamp(finite(input.quality.score) ?? 0, 0, 1)
  if (quality < QUALITY_THRESHOLD) return leftOut(name, quality, input.quality.reason ?? 'low_quality')

  const read = readFeatures(name, input.features, baseline, scheme)
  if (read.coverage === 0) return leftOut(name, quality, input.quality.reason ?? 'no_features')
  return {
    name,
    score: scoreOf(read),
    error: errorOf(name, input, (features) => {
      const again = readFeatures(name, features, baseline, scheme)
      return again.coverage === 0 ? null : scoreOf(again)
    }),
    evidence: scheme.reliability[name] * quality * read.coverage,
    quality,
    reason: input.quality.reason,
    terms: read.terms,
    measured: read.measured,
  }
}

/**
 * What a component would score by its features alone, however poor their quality, 10 to 90: to be shown, where it took no part. Null where
 * none of its features was measured.
 */
export function scoreOfFeatures(
  name: ComponentName,
  features: Record<string, number | null>,
  baseline: Baseline | null,
  scheme: Scheme,
): number | null {
  const read = readFeatures(name, features, baseline, scheme)
  return read.coverage === 0 ? null : scoreOf(read)
}

/** `coverage` is the weight of the features that are present over that of all, 0 to 1. */
type ReadFeatures = Pick<Evaluation, 'terms' | 'measured'> & { coverage: number }

function readFeatures(
  name: ComponentName,
  features: Record<string, number | null>,
  baseline: Baseline | null,
  scheme: Scheme,
): ReadFeatures {
  const measured: Record<string, number> = {}
  const scored: Array<{ feature: string; z: number; norm: FeatureNorm }> = []
  let total = 0
  let present = 0
  for (const [feature, norm] of Object.entries(scheme.norms[name])) {
    total += norm.weight
    const value = finite(features[feature])
    if (value === null) continue
    measured[feature] = value
    if (norm.direction === 0) continue
    present += norm.weight
    scored.push({ feature, z: blendedZ(value, norm, baseline?.features[featureKey(name, feature)]), norm })
  }
  const coverage = present / total
  const shrink = (coverage * (1 + SPARSE_SHRINKAGE)) / (coverage + SPARSE_SHRINKAGE)
  const terms = scored.map(({ feature, z, norm }) => ({
    feature,
    pull: (shrink * z * norm.weight) / present,
    norm,
  }))
  return { coverage, terms, measured }
}

function scoreOf({ terms }: ReadFeatures): number {
  const meanZ = terms.reduce((sum, term) => sum + term.pull, 0)
  return SCORE_CENTRE + SCORE_HALF_WIDTH * Math.tanh(SQUASH_GAIN * meanZ)
}

/** z in the good direction, between -2.5 and the feature's cap, part population and part own baseline. */
function blendedZ(value: number, norm: FeatureNorm, own: RobustStat | undefined): number {
  const z = (mean: number, spread: number) =>
    clamp((norm.direction * (value - mean)) / spread, Z_FLOOR, norm.cap)
  const population = z(norm.mean, norm.sd)
  if (own === undefined) return population
  const ownWeight = (norm.personal * own.count) / (own.count + BASELINE_HALF_LIFE)
  return (1 - ownWeight) * population + ownWeight * z(own.mean, own.spread)
}

function leftOut(name: ComponentName, quality: number | null, reason: string): Evaluation {
  return { name, score: null, error: 0, evidence: 0, quality, reason, terms: [], measured: {} }
}
