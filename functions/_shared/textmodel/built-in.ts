import type { Direction } from '../direction-of-change.ts'
import { LOW_MOOD, LOW_MOOD_THEME, reportsLowMood } from '../low-mood.ts'
import { higher, type RiskLevel } from '../risk-level.ts'
import { fuse, NothingToScore } from '../scoring/fuse.ts'
import { capitalised, HEAVY_WORDS, UNCERTAIN } from '../scoring/summary.ts'
import type { FusionResult } from '../scoring/types.ts'
import { analyzeText, type TextAnalysis } from '../text/analyze.ts'
import { type Crisis, detectCrisis } from '../text/crisis/detect.ts'
import type { Previous } from './prompt.ts'
import { MAX_THEMES, type TranscriptResult } from './result.ts'

/** Points by which a text score varies from one conversation to the next, as a standard deviation. */
const USUAL_VARIATION = 8
const MIN_THEMES = 3

/** Themes that the features show, where the transcript names too few. */
const MEASURED_THEMES = [
  ['emotion_anxiety', 'worry'],
  ['emotion_sadness', 'sadness'],
  ['emotion_anger', 'frustration'],
  ['emotion_joy', 'enjoyment'],
  ['coping_rate', 'coping'],
  ['social_connection_rate', 'connection with others'],
  ['future_focus_rate', 'looking ahead'],
] as const

/** The built-in analysis of a transcript. */
export type BuiltIn = {
  result: TranscriptResult
  /** Whether the transcript could be scored; else the score is the middle and the uncertainty 1. */
  scored: boolean
  /** The summary where a language model read the words too: at its risk and uncertainty where they are higher, with the mood that the student named. */
  summaryWith(read: { risk: RiskLevel; uncertainty: number; mood: number | null }): string
}

/** A transcript's analysis with what the rules of the crisis check find, on which a call acts before the encoder has read it. */
export type ReadTranscript = TextAnalysis & { crisis: Crisis }

export function readTranscript(transcript: string): ReadTranscript {
  return { ...analyzeText(transcript), crisis: detectCrisis(transcript) }
}

/** The pipeline's analysis of a transcript in the shape of the language model's. Deterministic. */
export function builtInAnalysis(text: ReadTranscript, previous: Previous): BuiltIn {
  const fused = fusedOf(text)
  const scored = !(fused instanceof NothingToScore)
  const score = scored ? fused.score : 50
  const uncertainty = scored ? fused.uncertainty : 1
  const risk_level = scored ? fused.risk_level : fused.riskLevel
  const direction_of_change = scored ? directionOf(fused, previous) : 'same'
  const themes = themesOf(text)
  const facts: SummaryFacts = {
    themes: text.themes.filter((theme) => theme !== LOW_MOOD_THEME),
    score,
    scored,
    uncertainty,
    risk: risk_level,
    crisis: text.crisis.level,
    direction: direction_of_change,
    mood: text.stated_mood,
    saysLowMood: reportsLowMood(text.themes),
    unread: UNREAD[text.quality.reason ?? ''] ?? null,
  }
  return {
    scored,
    summaryWith: (read) =>
      builtInSummary({
        ...facts,
        risk: higher(read.risk, facts.risk),
        uncertainty: Math.max(read.uncertainty, facts.uncertainty),
        mood: read.mood,
        unread: null,
      }),
    result: {
      text_score: score,
      ...(text.stated_mood !== null && { mood_score: text.stated_mood }),
      uncertainty,
      themes,
      keywords: text.keywords,
      risk_level,
      direction_of_change,
      conversation_summary: builtInSummary(facts),
      drivers_positive: scored ? fused.drivers_positive : [],
      drivers_negative: scored ? fused.drivers_negative : [],
    },
  }
}

function fusedOf({
  features,
  replicates,
  quality,
  ...textDetails
}: ReadTranscript): FusionResult | NothingToScore {
  try {
    const text = {
      features,
      replicates,
      amount: quality.words,
      quality: { score: quality.score, reason: quality.reason },
    }
    return fuse({ audio: null, visual: null, text, textDetails, moodScore: null, baseline: null })
  } catch (error) {
    if (error instanceof NothingToScore) return error
    throw error
  }
}

/** A change counts when it exceeds one standard deviation of variation and error together. */
function directionOf({ score, standard_error }: FusionResult, previous: Previous): Direction {
  const before = previous?.wellbeing_score ?? null
  if (before === null) return 'same'
  const change = score - before
  if (Math.abs(change) <= Math.hypot(USUAL_VARIATION, standard_error)) return 'same'
  return change > 0 ? 'better' : 'worse'
}

function themesOf({ themes, features }: TextAnalysis): string[] {
  const measured = MEASURED_THEMES.map(([feature, theme]) => ({ theme, value: features[feature] ?? 0 }))
    .filter(({ theme, value }) => value > 0 && !themes.includes(theme))
    .sort((a, b) => b.value - a.value)
    .map(({ theme }) => theme)
  const missing = Math.max(0, MIN_THEMES - themes.length)
  return [...themes, ...measured.slice(0, missing)].slice(0, MAX_THEMES)
}

const GOOD_SCORE = 58
const MAX_NAMED = 3

type SummaryFacts = {
  themes: readonly string[]
  score: number
  scored: boolean
  uncertainty: number
  risk: RiskLevel
  crisis: RiskLevel
  direction: Direction
  /** The mood that was put into words, 1 to 10. */
  mood: number | null
  /** The student says that the mood is low, without a number. */
  saysLowMood: boolean
  /** What could not be read, if not all was. */
  unread: string | null
}

/** What could not be read, by the reason. */
const UNREAD: Readonly<Record<string, string>> = {
  not_english: 'your words, which do not seem',
  partly_not_english: 'a part of your words, which does not seem',
}

/** The summary for a student in crisis, whatever else they talked about. */
const CRISIS_SUMMARY =
  'Thank you for saying something so hard; what you told us matters, and you do not have to carry it alone. Please reach out now to one of the people or lines shown with this.'

/**
 * Two sentences to the student: what they talked about, and how it sounded. Danger comes first, and an uncertain
 * score is never reassuring.
 */
function builtInSummary(facts: SummaryFacts): string {
  if (facts.crisis === 'high' || facts.risk === 'high') return CRISIS_SUMMARY
  return `${opening(facts.themes)} ${impression(facts)}`
}

function opening(themes: readonly string[]): string {
  const named = themes.slice(0, MAX_NAMED)
  const last = named.at(-1)
  if (last === undefined) return 'Thank you for taking the time to share how you are.'
  const list = named.length === 1 ? last : `${named.slice(0, -1).join(', ')} and ${last}`
  return `Thank you for sharing; you talked about ${list}.`
}

function impression(facts: SummaryFacts): string {
  const { score, risk, crisis, direction, mood, saysLowMood, unread } = facts
  if (risk === 'moderate' || crisis === 'moderate') {
    return 'It sounds as if things may be very hard for you at the moment, and you deserve support with that from someone you trust or from the services shown with this.'
  }
  const notRead = unread === null ? null : `We could not read ${unread} to be in English`
  const beside = (clause: string) => (notRead === null ? capitalised(clause) : `${notRead}, but ${clause}`)
  if (mood !== null && mood <= LOW_MOOD) {
    return beside(
      'you told us that your mood is low, so be kind to yourself and lean on someone you trust if it would help.',
    )
  }
  if (saysLowMood) {
    return beside(
      'you told us that you are having a hard time at the moment, so be kind to yourself and lean on someone you trust if it would help.',
    )
  }
  if (risk === 'mild' || crisis === 'mild' || score < HEAVY_WORDS) {
    return beside(
      'it sounds as if things may be weighing on you, so be kind to yourself and lean on someone you trust if it would help.',
    )
  }
  if (notRead !== null) {
    return `${notRead}; you know best how you feel, and support is there for you if something weighs on you.`
  }
  if (direction === 'worse') {
    return 'You sounded a little lower than last time, which can happen for many reasons; talking to someone you trust may help.'
  }
  if (facts.uncertainty >= UNCERTAIN) {
    return `${facts.scored ? 'From words alone we cannot' : 'We could read too little to'} say how you are doing; you know best, and support is there for you if something weighs on you.`
  }
  return score >= GOOD_SCORE
    ? 'It sounds as if there is some good in your days; trust your own sense of how you are first.'
    : 'It sounds like an ordinary stretch, though you know best how you feel.'
}
