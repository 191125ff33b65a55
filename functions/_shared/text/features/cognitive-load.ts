import { syllable } from 'syllable'
import type { Extractors } from '../../features/definition.ts'
import type { TextFeatureName } from '../../features/text.ts'
import { FILLERS } from '../lexicons/function-words.ts'
import type { Reading } from '../reading.ts'

/** Window in words. */
const WINDOW = 50

/** Said between breaks these fill a gap; elsewhere they carry meaning. */
const PARENTHETICAL = ['you know', 'i mean', 'like', 'sort of', 'kind of', 'well']
const REPEATABLE = new Set("i i'm the a and to my it it's we he she they but so in of that".split(' '))

/** Words from which a grade says something. */
const MIN_GRADED_WORDS = 25

/** Longer words than this are not English ones. */
const LONGEST_WORD = 30

/** Wording and hesitation; what each measures, and how: `TEXT_DEFINITIONS`. */
export const COGNITIVE_LOAD = {
  lexical_diversity_mattr({ words }) {
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
  },

  mean_sentence_length_words({ words, sentences, punctuated }) {
    return punctuated ? words.length / sentences.length : null
  },

  hesitation_rate({ words }) {
    if (words.length === 0) return null
    let count = 0
    words.forEach((word, at) => {
      const previous = words[at - 1]
      const next = words[at + 1]
      const pair = `${word.form} ${next?.form ?? ''}`
      if (FILLERS.has(word.form)) count++
      else if (previous?.form === word.form && !previous.breakAfter && REPEATABLE.has(word.form)) count++
      else if (previous === undefined || previous.breakAfter) {
        const ends = PARENTHETICAL.includes(word.form)
          ? word
          : PARENTHETICAL.includes(pair)
            ? next
            : undefined
        if (ends?.breakAfter) count++
      }
    })
    return (100 * count) / words.length
  },

  reading_grade({ words, sentences, punctuated }) {
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
  },
} satisfies Partial<Extractors<TextFeatureName, Reading>>
