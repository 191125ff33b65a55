import { clean } from './clean.ts'
import { detectCrisis } from './crisis/detect.ts'
import { measure, unmeasured } from './features/registry.ts'
import { languageOf } from './language.ts'
import { LEAST_WORDS, qualityOf } from './quality.ts'
import { readingOf } from './reading.ts'
import { statedMood } from './stated-mood.ts'
import { keywordsOf, themesOf } from './themes.ts'
import type { TextAnalysis } from './types.ts'

/**
 * Analyses what a student said, up to 100,000 characters; what lies beyond is not read. Deterministic, linear in the
 * length, never throws. Text that is not English is said to be so and not scored; crisis language is looked for always.
 */
export function analyzeText(transcript: string): TextAnalysis {
  const text = clean(transcript)
  const reading = readingOf(text)
  const language = languageOf(
    text,
    reading.words.map(({ form }) => form),
  )
  const quality = qualityOf(reading.words.length, reading.sentences.length, language)
  const english = language.language === 'en'
  return {
    features: english && quality.words >= LEAST_WORDS ? measure(reading) : unmeasured(),
    quality,
    themes: english ? themesOf(reading.words) : [],
    keywords: english ? keywordsOf(reading.words) : [],
    stated_mood: language.language === 'other' ? null : statedMood(text),
    crisis: detectCrisis(text),
  }
}
