import { ALGORITHM_VERSION, RELIABILITY } from './constants.ts'
import type { FeatureNorm } from './norm.ts'
import { FEATURE_NORMS } from './norms.ts'
import type { ComponentName } from './types.ts'

/** What a score is made with, where the evidence is of another kind than a check-in's. */
export type Scheme = {
  /** Reference of every feature that takes part, by component. */
  norms: Readonly<Record<ComponentName, Readonly<Record<string, FeatureNorm>>>>
  /** How far each component is trusted at full quality, 0 to 1. */
  reliability: Readonly<Record<ComponentName, number>>
  /** Goes into the result; changes whenever the same input can give another score. */
  version: string
}

/** A recording, 8 to 12 stills and a transcript. */
export const CHECK_IN_SCHEME: Scheme = {
  norms: FEATURE_NORMS,
  reliability: RELIABILITY,
  version: ALGORITHM_VERSION,
}
