import { lexicon, matchAt } from '../lexicon.ts'
import { ABSOLUTIST, COPING, FUTURE_FOCUS, SOCIAL_CONNECTION } from '../lexicons/resilience.ts'
import { type Reading, ratePer100 } from '../reading.ts'

const COPING_ENTRIES = lexicon(COPING)
const SOCIAL_CONNECTION_ENTRIES = lexicon(SOCIAL_CONNECTION)
const FUTURE_FOCUS_ENTRIES = lexicon(FUTURE_FOCUS)
const ABSOLUTIST_ENTRIES = lexicon(ABSOLUTIST)

/** Mentions of ways of coping and of looking after oneself per 100 words, 0 or more; denied ones do not count. */
export function copingRate(reading: Reading): number | null {
  return ratePer100(reading, COPING_ENTRIES)
}

/** Mentions of people who are close, and time with them, per 100 words, 0 or more; denied ones do not count. */
export function socialConnectionRate(reading: Reading): number | null {
  return ratePer100(reading, SOCIAL_CONNECTION_ENTRIES)
}

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
    else if (matchAt(FUTURE_FOCUS_ENTRIES, words, at) > 0) count++
  })
  return (100 * count) / words.length
}

/**
 * All-or-nothing words per 100 words, 0 or more (after Al-Mosaiwi and Johnstone 2018). "Not always" is the opposite of
 * absolutist and does not count; "never" and "nothing" deny what follows, not themselves.
 */
export function absolutistRate({ words, denied }: Reading): number | null {
  if (words.length === 0) return null
  const count = words.filter((_, at) => !denied[at] && matchAt(ABSOLUTIST_ENTRIES, words, at) > 0).length
  return (100 * count) / words.length
}
