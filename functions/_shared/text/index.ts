/** Analysis of a transcript: 16 features, quality, themes, a stated mood, and crisis language. */
export { analyzeText } from './analyze.ts'
export { detectCrisis } from './crisis/detect.ts'
export type { Crisis, CrisisLevel } from './crisis/level.ts'
export { TEXT_FEATURE_NAMES, TEXT_FEATURES, type TextFeatureName } from './features/registry.ts'
export type { TextAnalysis, TextQuality } from './types.ts'
