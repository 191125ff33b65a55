import { lexicon, matchAt } from '../lexicon.ts'
import { FUTURE_FOCUS } from '../lexicons/future-focus.ts'
import type { Reading } from '../reading.ts'

const ENTRIES = lexicon(FUTURE_FOCUS)
const WILL = /^(?:will|gonna|.+'ll)$/

/**
 * Mentions of what lies ahead per 100 words, 0 or more: "will", "gonna", "going to" before a verb, and the
 * project's lexicon of plans and coming times; denied ones do not count.
 */
export function futureFocusRate({ words, denied }: Reading): number | null {
  if (words.length === 0) return null
  let count = 0
  words.forEach((word, at) => {
    if (denied[at]) return
    if (words[at + 1]?.form === 'not') return
    if (WILL.test(word.form) && word.pos !== 'NOUN') count++
    else if (word.form === 'going' && words[at + 1]?.form === 'to' && words[at + 2]?.pos === 'VERB') count++
    else if (matchAt(ENTRIES, words, at) > 0) count++
  })
  return (100 * count) / words.length
}
