import type { TextFeatureName } from '../features/text.ts'
import { LOW_MOOD_THEME } from '../low-mood.ts'
import type { Replicates } from '../replicates.ts'
import { clean } from './clean.ts'
import { measure, unmeasured } from './features/registry.ts'
import { type Language, languageOf } from './language.ts'
import type { ImplausibleReason } from './plausibility.ts'
import { readingOf } from './reading.ts'
import { saysLowMood, statedMood } from './stated-mood.ts'
import { keywordsOf, MAX_THEMES, themesOf } from './themes.ts'
import { unreadOf } from './unread.ts'
import { withoutWindows } from './windows.ts'

type TextQuality = {
  /** 0 (unusable) to 1 (200 words or more of English). */
  score: number
  words: number
  sentences: number
  language: Language
  /** `ImplausibleReason` of a transcript that a machine made. */
  reason: null | 'empty' | 'too_short' | 'not_english' | 'partly_not_english' | ImplausibleReason
}

export type TextAnalysis = {
  /** All 16 features; `null` where the text does not hold enough to measure one. */
  features: Record<TextFeatureName, number | null>
  /** Features without one window of the transcript each. */
  replicates: Replicates
  quality: TextQuality
  /** What was talked about, six at most: first `low mood` where the student reports one in words, then the most mentioned. */
  themes: string[]
  /** The student's own words that belong to a theme or an emotion, most used first; never a name. */
  keywords: string[]
  /** A mood on a scale of 1 to 10 that the student put into words, else `null`. */
  stated_mood: number | null
}

/** Words from which features are measured. */
const MIN_WORDS = 5

/** Words from which rates per 100 words are steady enough. */
const ENOUGH_WORDS = 25

/** Share of unread letters from which the result says so: ordinary English, with its names and slang, stays below a tenth. */
const UNREAD = 0.2

/** Words in a row, names apart, from which it does too: a sentence in another language is little of a long text. */
const UNREAD_RUN = 6

/** Words beyond which the features do not become more reliable. */
const PLENTY_OF_WORDS = 200

/**
 * Analyses what a student said, up to 100,000 characters; what lies beyond is not read. Deterministic, linear in the
 * length, never throws. Text that is not English is reported as such and not scored. The
 * crisis check is another function's, as it has a job of its own.
 */
export function analyzeText(transcript: string): TextAnalysis {
  const text = clean(transcript)
  const reading = readingOf(text)
  const language = languageOf(
    text,
    reading.words.map(({ form }) => form),
  )
  const quality = qualityOf(reading.words.length, reading.sentences.length, language, unreadOf(text))
  const english = language === 'en'
  const low = language !== 'other' && saysLowMood(text) ? [LOW_MOOD_THEME] : []
  const themes = [...low, ...(english ? themesOf(reading.words) : [])].slice(0, MAX_THEMES)
  const isMeasured = english && quality.words >= MIN_WORDS
  return {
    features: isMeasured ? measure(reading) : unmeasured(),
    replicates: isMeasured ? withoutWindows(reading) : {},
    quality,
    themes,
    keywords: keywordsOf(reading.words, themes),
    stated_mood: language === 'other' ? null : statedMood(text),
  }
}

/**
 * Quality of a transcript: 0.25 at 5 words, growing with the logarithm to 1 at 200. Text that is not English, or too
 * short to tell, is not measured; of a text that is English in part, as much is taken off as was not read.
 */
function qualityOf(
  words: number,
  sentences: number,
  language: Language,
  unread: ReturnType<typeof unreadOf>,
): TextQuality {
  const facts = { words, sentences, language }
  if (language === 'other') return { ...facts, score: 0, reason: 'not_english' }
  if (words === 0) return { ...facts, score: 0, reason: 'empty' }
  if (words < MIN_WORDS) return { ...facts, score: 0.04 * words, reason: 'too_short' }
  if (language === 'unknown') return { ...facts, score: 0, reason: 'not_english' }
  const grown = Math.log(words / MIN_WORDS) / Math.log(PLENTY_OF_WORDS / MIN_WORDS)
  const score = Math.min(1, 0.25 + 0.75 * grown)
  if (unread.share >= UNREAD || unread.run >= UNREAD_RUN)
    return { ...facts, score: score * (1 - unread.share), reason: 'partly_not_english' }
  return { ...facts, score, reason: words < ENOUGH_WORDS ? 'too_short' : null }
}
