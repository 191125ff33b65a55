import type { LanguageReading } from './language.ts'
import type { TextQuality } from './types.ts'

/** From here on there is something to measure. */
export const LEAST_WORDS = 5

/** From here on rates per 100 words are steady enough. */
const ENOUGH_WORDS = 25

/** More words than this make the measures no better. */
const PLENTY_OF_WORDS = 200

/**
 * Quality of a transcript: 0.25 at 5 words, growing with the logarithm to 1 at 200. Text that is not English, or too
 * short to tell, is not measured.
 */
export function qualityOf(words: number, sentences: number, { language }: LanguageReading): TextQuality {
  const facts = { words, sentences, language }
  if (words === 0) return { ...facts, score: 0, reason: 'empty' }
  if (language === 'other') return { ...facts, score: 0, reason: 'not_english' }
  if (words < LEAST_WORDS) return { ...facts, score: 0.04 * words, reason: 'too_short' }
  if (language === 'unknown') return { ...facts, score: 0, reason: 'not_english' }
  const grown = Math.log(words / LEAST_WORDS) / Math.log(PLENTY_OF_WORDS / LEAST_WORDS)
  const score = Math.min(1, 0.25 + 0.75 * grown)
  return { ...facts, score, reason: words < ENOUGH_WORDS ? 'too_short' : null }
}
