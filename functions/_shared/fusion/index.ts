/** Fusion of a check-in's analyses into one explained score. Formulas and constants: `docs/scoring.md`. */
export { readBaseline, updateBaseline } from './baseline.ts'
export { fuse, NothingToScore } from './fuse.ts'
export type { FeatureNorm } from './norms.ts'
export {
  CHECK_IN_SCHEME,
  FEATURE_NORMS,
  QUALITY_THRESHOLD,
  type Scheme,
} from './scheme.ts'
export type {
  Baseline,
  Component,
  ComponentName,
  Driver,
  FusionInput,
  FusionResult,
  Modality,
  ModalityInput,
  TextDetails,
} from './types.ts'
