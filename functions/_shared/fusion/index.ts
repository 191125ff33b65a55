/** Fusion of a check-in's analyses into one explained score. Formulas and constants: `docs/scoring.md`. */
export { readBaseline, updateBaseline } from './baseline.ts'
export { ALGORITHM_VERSION, QUALITY_THRESHOLD, RELIABILITY } from './constants.ts'
export { fuse } from './fuse.ts'
export type { FeatureNorm } from './norm.ts'
export { FEATURE_NORMS } from './norms.ts'
export { NothingToScore } from './nothing-to-score.ts'
export { CHECK_IN_SCHEME, type Scheme } from './scheme.ts'
export type {
  Baseline,
  Component,
  ComponentName,
  Driver,
  FusionInput,
  FusionResult,
  Modality,
  ModalityInput,
  Observation,
  RobustStat,
  TextDetails,
} from './types.ts'
