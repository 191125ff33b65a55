import { LOW_MOOD, reportsLowMood } from '../low-mood.ts'
import { higher, RISK_LEVELS, type RiskLevel } from '../risk-level.ts'
import { riskFloor } from '../scoring/interpretation.ts'
import { CRISIS_TEXT_CEILING } from '../scoring/scheme.ts'
import { HEAVY_WORDS, UNCERTAIN } from '../scoring/summary.ts'
import { statedMood } from '../text/stated-mood.ts'
import { normalForm } from '../unicode.ts'
import type { BuiltIn, ReadTranscript } from './built-in.ts'
import type { Previous } from './prompt.ts'
import type { TranscriptResult } from './result.ts'
import { sensitiveThemesIn } from './sensitive-themes.ts'

/** Points between the model's score and the built-in one from which the two contradict each other. */
const CONTRADICTION = 40
/** The least uncertainty when they do, and when the model overlooked crisis language. */
const MIN_UNCERTAINTY = { contradiction: 0.6, overlooked: 0.8 }

/**
 * Checks a model's sanitised result against the transcript: a mood only where the student named one, and then that one;
 * `same` where there is nothing to compare with; always a summary; more uncertainty where the built-in analysis
 * contradicts it. The risk is never below what the crisis check or that mood gives, the score never above what crisis language
 * allows. A theme, keyword or driver of a special category stays only where the built-in analysis finds that as a topic. The model's
 * summary is shown only where it names no other special category and nothing speaks against reassurance; else it is the built-in one.
 */
export function safeguard(
  model: TranscriptResult,
  {
    transcript,
    text,
    builtIn,
    previous,
  }: { transcript: string; text: ReadTranscript; builtIn: BuiltIn; previous: Previous },
): TranscriptResult {
  const { mood_score, ...result } = model
  const mood = mood_score === undefined ? null : confirmedMood(mood_score, transcript, text)
  // Also where the model kept it to itself.
  const named = mood ?? statedMood(transcript)
  const contradicts =
    builtIn.scored && Math.abs(result.text_score - builtIn.result.text_score) >= CONTRADICTION
  const crisis = text.crisis.level
  const overlooked = distance(crisis, result.risk_level) >= 2
  const risk_level = higher(result.risk_level, riskFloor(crisis, named))
  const uncertainty = Math.max(
    result.uncertainty,
    contradicts ? MIN_UNCERTAINTY.contradiction : 0,
    overlooked ? MIN_UNCERTAINTY.overlooked : 0,
  )
  const isTopic = (said: string) => isTopicOf(text, said)
  const showsModels =
    isTopic(result.conversation_summary) &&
    !isUnwell(text, named) &&
    risk_level === 'none' &&
    uncertainty < UNCERTAIN &&
    !isHeavyOrShort(text, builtIn)
  return {
    ...result,
    themes: result.themes.filter(isTopic),
    keywords: result.keywords.filter(isTopic),
    drivers_positive: result.drivers_positive.filter(isTopic),
    drivers_negative: result.drivers_negative.filter(isTopic),
    ...(crisis !== 'none' && { text_score: Math.min(result.text_score, CRISIS_TEXT_CEILING[crisis]) }),
    risk_level,
    ...(mood !== null && { mood_score: mood }),
    uncertainty,
    direction_of_change: previous === null ? 'same' : result.direction_of_change,
    conversation_summary: showsModels
      ? result.conversation_summary || builtIn.result.conversation_summary
      : builtIn.summaryWith({ risk: risk_level, uncertainty, mood: named }),
  }
}

/** Whether there is crisis language of any level, or the student reports a low mood: then a model's summary is not shown. */
export function isUnwell({ crisis, themes }: ReadTranscript, mood: number | null): boolean {
  return crisis.level !== 'none' || (mood !== null && mood <= LOW_MOOD) || reportsLowMood(themes)
}

/** Whether the words sound heavy, or are too few to say how somebody is. What is in another language only the model can read. */
export function isHeavyOrShort({ quality }: ReadTranscript, { scored, result }: BuiltIn): boolean {
  return scored ? result.text_score < HEAVY_WORDS : quality.language !== 'other'
}

/** Whether what a model says names no special category, or only those that the built-in analysis finds as a topic. */
function isTopicOf({ themes }: ReadTranscript, said: string): boolean {
  return sensitiveThemesIn(said).every((category) => themes.includes(category))
}

/** In a language that `statedMood` does not read, the number has at least to be in the transcript. */
function confirmedMood(mood: number, transcript: string, text: ReadTranscript): number | null {
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
