/** Analysis of a transcript: 16 features, quality, themes, a stated mood, and crisis language. */
export { analyzeText, type TextAnalysis, type TextQuality } from './analyze.ts'
export { type Crisis, detectCrisis } from './crisis/detect.ts'
export { TEXT_FEATURE_NAMES, TEXT_FEATURES, type TextFeatureName } from './features/registry.ts'
