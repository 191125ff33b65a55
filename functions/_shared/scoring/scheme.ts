import { type FeatureNorm, normsOf } from '../features/definition.ts'
import { FEATURES } from '../features/features.ts'
import type { RiskLevel } from '../risk-level.ts'
import { SIMILAR } from '../text/crisis/rule.ts'
import { SELF_REPORT_NORMS } from './norms.ts'
import type { ComponentName } from './types.ts'

/** Changes whenever the same input can give another score. */
export const ALGORITHM_VERSION = 'wb-1.7.0'

/**
 * How far each component tells wellbeing at full quality, 0 to 1, as a reliability: the share of its variance that is
 * wellbeing's. Engineering priors, not validated. What a student says about the own mood tells most; voice and words
 * separate sad from happy in acted speech and in invented check-ins, and hardly one ordinary day from another; a classifier of expressions
 * is weak evidence.
 */
export const RELIABILITY: Readonly<Record<ComponentName, number>> = {
  audio: 0.35,
  visual: 0.2,
  text: 0.4,
  self_report: 0.6,
}

/** Below this quality a modality takes no part. */
export const QUALITY_THRESHOLD = 0.2

/** Centre and half-width of the score that components are squashed into: 10 to 90. */
export const SCORE_CENTRE = 50
export const SCORE_HALF_WIDTH = 40

/** Steepness of the squash per unit of mean z. */
export const SQUASH_GAIN = 0.9

/** A component with few of its features is pulled to the centre: mean z × c·(1 + s)/(c + s) at coverage c. */
export const SPARSE_SHRINKAGE = 0.2

/** A single feature counts up to this many population SD in the bad direction. */
export const Z_FLOOR = -2.5

/** Check-ins after which the own baseline has half of its greatest weight. */
export const BASELINE_HALF_LIFE = 6

/** Quality of a mood that was put into words instead of entered. */
export const STATED_MOOD_QUALITY = 0.7

/** The text component lies no higher than this when crisis language was found. */
export const CRISIS_TEXT_CEILING = { none: 90, mild: 45, moderate: 30, high: 20 } as const

/** The ceiling for what was found in a text; what is only similar to crisis language is for a human, and says nothing of the score. */
export function textCeiling({ level, rule }: { level: RiskLevel; rule: string | null }): number {
  return CRISIS_TEXT_CEILING[level === 'moderate' && rule === SIMILAR ? 'none' : level]
}

/** Reference of every feature that fusion knows, by component; any other feature is ignored. */
export const FEATURE_NORMS: Readonly<Record<ComponentName, Readonly<Record<string, FeatureNorm>>>> = {
  audio: normsOf(FEATURES.audio),
  visual: normsOf(FEATURES.visual),
  text: normsOf(FEATURES.text),
  self_report: SELF_REPORT_NORMS,
}

/** What a score is made with, where the evidence is of another kind than a check-in's. */
export type Scheme = {
  /** Reference of every feature that takes part, by component. */
  norms: Readonly<Record<ComponentName, Readonly<Record<string, FeatureNorm>>>>
  /** How far each component is trusted at full quality, 0 to 1. */
  reliability: Readonly<Record<ComponentName, number>>
  /** Goes into the result; changes whenever the same input can give another score. */
  version: string
}

/** A recording, 8 to 12 images and a transcript. */
export const CHECK_IN_SCHEME: Scheme = {
  norms: FEATURE_NORMS,
  reliability: RELIABILITY,
  version: ALGORITHM_VERSION,
}
