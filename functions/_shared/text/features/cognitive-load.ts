import { syllable } from 'syllable'
import { FILLERS } from '../lexicons/function-words.ts'
import type { Reading } from '../reading.ts'

/** Window in words. */
const WINDOW = 50

/**
 * Lexical diversity, 0 to 1: the moving-average type-token ratio over windows of 50 words (Covington and McFall 2010).
 * `null` below 50 words, where the ratio is not comparable.
 */
export function lexicalDiversityMattr({ words }: Reading): number | null {
  if (words.length < WINDOW) return null
  const counts = new Map<string, number>()
  let sum = 0
  words.forEach(({ form }, at) => {
    counts.set(form, (counts.get(form) ?? 0) + 1)
    if (at >= WINDOW) {
      const leaving = words[at - WINDOW]?.form ?? ''
      const left = (counts.get(leaving) ?? 0) - 1
      if (left === 0) counts.delete(leaving)
      else counts.set(leaving, left)
    }
    if (at >= WINDOW - 1) sum += counts.size / WINDOW
  })
  return sum / (words.length - WINDOW + 1)
}

/** Words per sentence, 1 or more. `null` when the transcript does not mark its sentences. */
export function meanSentenceLengthWords({ words, sentences, punctuated }: Reading): number | null {
  return punctuated ? words.length / sentences.length : null
}

/** Said between breaks these fill a gap; elsewhere they carry meaning. */
const PARENTHETICAL = ['you know', 'i mean', 'like', 'sort of', 'kind of', 'well']
const REPEATABLE = new Set("i i'm the a and to my it it's we he she they but so in of that".split(' '))

/**
 * Fillers per 100 words, 0 or more: hesitation sounds, "you know", "like" and the like set off by commas, and words begun
 * twice ("I I", "the the"). Transcripts that were cleaned of fillers give 0.
 */
export function hesitationRate({ words }: Reading): number | null {
  if (words.length === 0) return null
  let count = 0
  words.forEach((word, at) => {
    const previous = words[at - 1]
    const next = words[at + 1]
    const pair = `${word.form} ${next?.form ?? ''}`
    if (FILLERS.has(word.form)) count++
    else if (previous?.form === word.form && !previous.breakAfter && REPEATABLE.has(word.form)) count++
    else if (previous === undefined || previous.breakAfter) {
      const ends = PARENTHETICAL.includes(word.form) ? word : PARENTHETICAL.includes(pair) ? next : undefined
      if (ends?.breakAfter) count++
    }
  })
  return (100 * count) / words.length
}

/** Words from which a grade says something. */
const MIN_GRADED_WORDS = 25

/** Longer words than this are not English ones. */
const LONGEST_WORD = 30

/**
 * School grade of the wording, about -3 to 20: Flesch-Kincaid (Kincaid et al. 1975),
 * 0.39·words/sentences + 11.8·syllables/words - 15.59. `null` when sentences are not marked or words are few.
 */
export function readingGrade({ words, sentences, punctuated }: Reading): number | null {
  if (!punctuated || words.length < MIN_GRADED_WORDS) return null
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
