import { FILLERS } from '../lexicons/fillers.ts'
import type { Reading } from '../reading.ts'

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
