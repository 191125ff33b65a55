import { higher, RISK_LEVELS, type RiskLevel } from '../risk-level.ts'
import type { TextAnalysis } from '../text/analyze.ts'
import { statedMood } from '../text/stated-mood.ts'
import { normalForm } from '../unicode.ts'
import type { BuiltIn } from './built-in.ts'
import type { Previous } from './prompt.ts'
import type { TranscriptResult } from './result.ts'

/** Points between the model's score and the built-in one from which the two contradict each other. */
const CONTRADICTION = 40
/** The least uncertainty when they do, and when the model overlooked crisis language. */
const MIN_UNCERTAINTY = { contradiction: 0.6, overlooked: 0.8 }

/**
 * Checks a model's sanitised result against the transcript: a mood only where the student named one, and then that one;
 * `same` where there is nothing to compare with; always a summary; more uncertainty where the built-in analysis
 * contradicts it. Risk is left to `withCrisisFloor`.
 */
export function safeguard(
  model: TranscriptResult,
  {
    transcript,
    text,
    builtIn,
    previous,
  }: { transcript: string; text: TextAnalysis; builtIn: BuiltIn; previous: Previous },
): TranscriptResult {
  const { mood_score, ...result } = model
  const mood = mood_score === undefined ? null : confirmedMood(mood_score, transcript, text)
  const contradicts =
    builtIn.scored && Math.abs(result.text_score - builtIn.result.text_score) >= CONTRADICTION
  const overlooked = distance(text.crisis.level, result.risk_level) >= 2
  return {
    ...result,
    ...(mood !== null && { mood_score: mood }),
    uncertainty: Math.max(
      result.uncertainty,
      contradicts ? MIN_UNCERTAINTY.contradiction : 0,
      overlooked ? MIN_UNCERTAINTY.overlooked : 0,
    ),
    direction_of_change: previous === null ? 'same' : result.direction_of_change,
    conversation_summary: overlooked
      ? builtIn.result.conversation_summary
      : result.conversation_summary || builtIn.result.conversation_summary,
  }
}

/** The result with a risk of at least the level that the crisis check found. */
export function withCrisisFloor(result: TranscriptResult, level: RiskLevel): TranscriptResult {
  return { ...result, risk_level: higher(result.risk_level, level) }
}

/** In a language that `statedMood` does not read, the number has at least to be in the transcript. */
function confirmedMood(mood: number, transcript: string, text: TextAnalysis): number | null {
  const stated = statedMood(transcript)
  if (stated !== null) return stated
  return text.quality.language === 'other' && namesNumber(transcript, mood) ? mood : null
}

function namesNumber(text: string, number: number): boolean {
  const named = normalForm(text, 'NFKC').match(/\d+(?:[.,]\d+)?/g) ?? []
  return named.some((digits) => Number(digits.replace(',', '.')) === number)
}

function distance(found: RiskLevel, claimed: RiskLevel): number {
  return RISK_LEVELS.indexOf(found) - RISK_LEVELS.indexOf(claimed)
}
