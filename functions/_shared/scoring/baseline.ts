import type { FeatureNorm } from '../features/definition.ts'
import { clamp, finite } from '../numbers.ts'
import { ALGORITHM_VERSION, FEATURE_NORMS } from './scheme.ts'
import type { Baseline, ComponentName, Observation, RobustStat } from './types.ts'

/** Residuals beyond this many spreads are pulled in (Huber 1964, k = 1.5). */
const HUBER_K = 1.5

/** E[min(|z|, 1.5)²] of a normal z: makes the clipped spread consistent with the SD. */
const HUBER_CONSISTENCY = 0.7784

/** Newest observation's share once the baseline is full: a memory of about 15 check-ins. */
const MIN_SHARE = 1 / 15

/** Within-person spread before anything is known, and its bounds, as a part of the population SD. */
const PRIOR_SPREAD = 0.6
const SPREAD_BOUNDS = [0.2, 2] as const

const SCORE_SPREAD = { prior: 10, low: 3, high: 25 }

/** More check-ins than anybody has; a stored count is capped at this. */
const MAX_CHECK_INS = 1e6

/** Widest plausible distance from the mean, in SD; beyond it a value is taken for this. */
const PLAUSIBLE_SD = 10

type Spread = { prior: number; low: number; high: number }

/** Every feature that fusion knows, by its key within a baseline. */
const KNOWN_FEATURES: ReadonlyArray<{ key: string; norm: FeatureNorm }> = (
  ['audio', 'visual', 'text', 'self_report'] as const
).flatMap((component) =>
  Object.entries(FEATURE_NORMS[component]).map(([name, norm]) => ({
    key: featureKey(component, name),
    norm,
  })),
)

/** Name of a feature's series within a baseline. */
export function featureKey(component: ComponentName, feature: string): string {
  return `${component}.${feature}`
}

/**
 * Adds one observation to a series: a Huber-clipped, exponentially weighted mean and spread. The share of observation
 * n is max(1/n, 1/15), so early values average evenly and old ones fade; one outlier moves the mean by at most
 * 1.5 spreads times that share.
 */
function advance(stat: RobustStat | undefined, value: number, bounds: Spread): RobustStat {
  if (stat === undefined || stat.count === 0) return { mean: value, spread: bounds.prior, count: 1 }
  const share = Math.max(1 / (stat.count + 1), MIN_SHARE)
  const reach = HUBER_K * stat.spread
  const step = clamp(value - stat.mean, -reach, reach)
  const variance = (1 - share) * stat.spread ** 2 + (share * step ** 2) / HUBER_CONSISTENCY
  return {
    mean: stat.mean + share * step,
    spread: clamp(Math.sqrt(variance), bounds.low, bounds.high),
    count: stat.count + 1,
  }
}

/**
 * The baseline after one more check-in. Features that are missing from the observation keep their series. Series that another
 * version of the scoring made start anew: its numbers may mean something else.
 */
export function updateBaseline(baseline: Baseline | null, observation: Observation): Baseline {
  const before = comparable(baseline)
  const features: Record<string, RobustStat> = { ...before?.features }
  for (const { key, norm } of KNOWN_FEATURES) {
    const value = finite(observation.features[key])
    if (value === null) continue
    features[key] = advance(features[key], plausible(value, norm), spreadOf(norm))
  }
  const score = finite(observation.score)
  return {
    count: (baseline?.count ?? 0) + 1,
    version: (baseline?.version ?? 0) + 1,
    algorithm_version: ALGORITHM_VERSION,
    score:
      score === null
        ? (before?.score ?? { mean: 50, spread: SCORE_SPREAD.prior, count: 0 })
        : advance(before?.score, clamp(score, 0, 100), SCORE_SPREAD),
    features,
  }
}

/** The baseline if this version of the scoring made it, else `null`. */
export function comparable(baseline: Baseline | null): Baseline | null {
  return baseline?.algorithm_version === ALGORITHM_VERSION ? baseline : null
}

/**
 * Reads a stored baseline as far as it is valid: an invalid series is dropped, and numbers out of range are clamped to
 * the range that this file writes. `null` when nothing can be used.
 */
export function readBaseline(stored: unknown): Baseline | null {
  if (!isRecord(stored)) return null
  const count = readCount(stored.count)
  const score = readStat(stored.score, (mean) => clamp(mean, 0, 100), SCORE_SPREAD)
  if (count === null || count < 1 || score === null) return null
  const series = isRecord(stored.features) ? stored.features : {}
  const features: Record<string, RobustStat> = {}
  for (const { key, norm } of KNOWN_FEATURES) {
    const stat = readStat(series[key], (mean) => plausible(mean, norm), spreadOf(norm))
    if (stat !== null) features[key] = stat
  }
  const version = stored.algorithm_version
  return {
    count,
    version: readCount(stored.version) ?? count,
    algorithm_version: typeof version === 'string' ? version : null,
    score,
    features,
  }
}

function readStat(value: unknown, within: (mean: number) => number, bounds: Spread): RobustStat | null {
  if (!isRecord(value)) return null
  const [mean, spread, count] = [finite(value.mean), finite(value.spread), readCount(value.count)]
  if (mean === null || spread === null || spread <= 0 || count === null) return null
  return { mean: within(mean), spread: clamp(spread, bounds.low, bounds.high), count }
}

/** A whole number from 0 on, else `null`. */
function readCount(value: unknown): number | null {
  const count = finite(value)
  return count === null || count < 0 ? null : Math.min(Math.floor(count), MAX_CHECK_INS)
}

function spreadOf({ sd }: FeatureNorm): Spread {
  return { prior: PRIOR_SPREAD * sd, low: SPREAD_BOUNDS[0] * sd, high: SPREAD_BOUNDS[1] * sd }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value within plausible bounds, so that one broken measurement cannot spoil a baseline. */
function plausible(value: number, norm: FeatureNorm): number {
  const reach = PLAUSIBLE_SD * norm.sd
  return Math.min(norm.mean + reach, Math.max(norm.mean - reach, value))
}
