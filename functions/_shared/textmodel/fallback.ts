import type { TranscriptResult } from './result.ts'
import { acceptableSummary } from './summary.ts'

/** The result when the model failed, as the interface gives it. */
export function fallback(suppliedSummary: string): TranscriptResult {
  return {
    text_score: 50,
    mood_score: 5,
    uncertainty: 0.9,
    themes: [],
    keywords: [],
    risk_level: 'none',
    direction_of_change: 'same',
    conversation_summary: acceptableSummary(suppliedSummary) || 'Assessment completed.',
    drivers_positive: [],
    drivers_negative: [],
  }
}
