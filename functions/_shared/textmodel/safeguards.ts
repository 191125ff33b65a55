import { higher, RISK_LEVELS, type RiskLevel } from '../risk-level.ts'
import type { TextAnalysis } from '../text/index.ts'
import { statedMood } from '../text/stated-mood.ts'
import type { BuiltIn } from './built-in.ts'
import type { Previous } from './previous.ts'
import type { TranscriptResult } from './result.ts'

/** Points between the model's score and the built-in one from which the two contradict each other. */
const CONTRADICTION = 40
/** Uncertainty is at least this when they do, and when the model overlooked crisis language. */
const LEAST_UNCERTAINTY = { contradiction: 0.6, overlooked: 0.8 }

/**
 * What a model's result is held to, after it was sanitised: a mood only where the student named one, and then that one;
 * `same` where there is nothing to compare with; a summary in any case; more uncertainty where the built-in analysis
 * contradicts. Risk is `withCrisis`'s.
 */
export function safeguard(
  model: TranscriptResult,
  {
    spoken,
    text,
    builtIn,
    previous,
  }: { spoken: string; text: TextAnalysis; builtIn: BuiltIn; previous: Previous },
): TranscriptResult {
  const { mood_score, ...result } = model
  const mood = mood_score === undefined ? null : confirmedMood(mood_score, spoken, text)
  const contradicts =
    builtIn.scored && Math.abs(result.text_score - builtIn.result.text_score) >= CONTRADICTION
  const overlooked = distance(text.crisis.level, result.risk_level) >= 2
  return {
    ...result,
    ...(mood !== null && { mood_score: mood }),
    uncertainty: Math.max(
      result.uncertainty,
      contradicts ? LEAST_UNCERTAINTY.contradiction : 0,
      overlooked ? LEAST_UNCERTAINTY.overlooked : 0,
    ),
    direction_of_change: previous === null ? 'same' : result.direction_of_change,
    conversation_summary: overlooked
      ? builtIn.result.conversation_summary
      : result.conversation_summary || builtIn.result.conversation_summary,
  }
}

/** The result with the risk raised to what the crisis check found; never lowered. */
export function withCrisis(result: TranscriptResult, level: RiskLevel): TranscriptResult {
  return { ...result, risk_level: higher(result.risk_level, level) }
}

/** Of a language that the check of moods does not read, the number has at least to stand in the words. */
function confirmedMood(mood: number, spoken: string, text: TextAnalysis): number | null {
  const stated = statedMood(spoken)
  if (stated !== null) return stated
  return text.quality.language === 'other' && namesNumber(spoken, mood) ? mood : null
}

function namesNumber(text: string, number: number): boolean {
  const named = text.normalize('NFKC').match(/\d+(?:[.,]\d+)?/g) ?? []
  return named.some((digits) => Number(digits.replace(',', '.')) === number)
}

function distance(found: RiskLevel, claimed: RiskLevel): number {
  return RISK_LEVELS.indexOf(found) - RISK_LEVELS.indexOf(claimed)
}
