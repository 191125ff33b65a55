import { syllable } from 'syllable'
import type { Reading } from '../reading.ts'

/** Words from which a grade says something. */
const LEAST_WORDS = 25

/** Longer words than this are not English ones. */
const LONGEST_WORD = 30

/**
 * School grade of the wording, about -3 to 20: Flesch-Kincaid (Kincaid et al. 1975),
 * 0.39·words/sentences + 11.8·syllables/words - 15.59. `null` when sentences are not marked or words are few.
 */
export function readingGrade({ words, sentences, punctuated }: Reading): number | null {
  if (!punctuated || words.length < LEAST_WORDS) return null
  const known = new Map<string, number>()
  let syllables = 0
  for (const { form } of words) {
    const word = form.slice(0, LONGEST_WORD)
    const count = known.get(word) ?? Math.max(1, syllable(word))
    known.set(word, count)
    syllables += count
  }
  return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59
}
