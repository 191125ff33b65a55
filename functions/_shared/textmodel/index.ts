/** Analysis of a transcript by a language model, with a built-in one in its place. What it does: `docs/textmodel.md`. */
export { type AnalyzedTranscript, analyzeTranscript } from './analyze-transcript.ts'
export { type AskModel, type LanguageModelSettings, languageModel } from './language-model.ts'
export { type AnalyzeTextRequest, analyzeTextRequest } from './requests.ts'
export type { Provider, TranscriptResult } from './result.ts'
export { authorize, storeTranscript } from './store.ts'
