import { normalForm } from '../../unicode.ts'
import { OTHER_WORDS } from '../lexicons/function-words.ts'
import { IDENTITY_WORDS } from '../lexicons/identity.ts'
import { MISSPELLINGS } from './misspellings.ts'
import { loadNetwork, type Network, rowOf } from './network.ts'
import { STORED_NETWORK } from './network-weights.ts'
import type { Word } from './reading.ts'

let loaded: Network | undefined

/** Loaded for the first text: a function that only may meet one need not wait for it when it starts. */
export const network = (): Network => (loaded ??= loadNetwork(STORED_NETWORK))

/** Whether a normalised word is one of the network's, which are the most frequent of English, and none of the plainest of other languages. */
function isEnglish(word: string): boolean {
  return !OTHER_WORDS.has(word) && rowOf(word, network().rows) !== 0
}

/** Neighbours of a word by which it is told whether the text is English there, and the share of them that has to be. */
const NEIGHBOURS = 9
const MOST = 0.6

/**
 * The words that the network can weigh: those most of whose neighbours are English words. It has read English only; of other
 * words, and of a row of terms from a lecture, it sees that they are rare, which says nothing of a crisis. Linear.
 */
export function readableOf(words: readonly Word[]): readonly Word[] {
  const before = [0]
  for (const { word } of words) before.push((before.at(-1) ?? 0) + (isEnglish(word) ? 1 : 0))
  const count = Math.min(NEIGHBOURS, words.length)
  return words.filter((_, at) => {
    const from = Math.min(Math.max(0, at - (NEIGHBOURS >> 1)), words.length - count)
    return (before[from + count] ?? 0) - (before[from] ?? 0) > MOST * count
  })
}

/** Letters of a word that count at most: a drawn-out one is no sentence. */
const LONGEST = 12

/** The share of a text's letters, 0 to 1, that are of words which nobody here knows: other scripts, other languages. 0 without letters. */
export function unreadShare(text: string): number {
  let letters = 0
  let unread = 0
  for (const [word] of text.toLowerCase().matchAll(/\p{L}[\p{L}\p{M}']*/gu)) {
    const plain = normalForm(word, 'NFD').replace(/[\u0300-\u036f']/g, '')
    // A run without spaces is as many words as it has characters in scripts that write none.
    const counted = /\p{Script=Latin}/u.test(word) ? Math.min(word.length, LONGEST) : word.length
    letters += counted
    const isKnown =
      !OTHER_WORDS.has(word) && (isEnglish(plain) || MISSPELLINGS.has(plain) || IDENTITY_WORDS.has(plain))
    if (!isKnown) unread += counted
  }
  return letters === 0 ? 0 : unread / letters
}
