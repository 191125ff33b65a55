import { lexicon, matchAt } from '../lexicon.ts'
import { ABSOLUTIST } from '../lexicons/absolutist.ts'
import type { Reading } from '../reading.ts'

const ENTRIES = lexicon(ABSOLUTIST)

/**
 * All-or-nothing words per 100 words, 0 or more (after Al-Mosaiwi and Johnstone 2018). "Not always" is the opposite of
 * absolutist and does not count; "never" and "nothing" deny what follows, not themselves.
 */
export function absolutistRate({ words, denied }: Reading): number | null {
  if (words.length === 0) return null
  const count = words.filter((_, at) => !denied[at] && matchAt(ENTRIES, words, at) > 0).length
  return (100 * count) / words.length
}
