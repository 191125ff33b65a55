import { normalForm } from '../../unicode.ts'
import { ENGLISH_WORDS, OTHER_WORDS } from '../lexicons/function-words.ts'
import { IDENTITY_WORDS } from '../lexicons/identity.ts'
import { MISSPELLINGS } from './misspellings.ts'
import { loadNetwork, type Network, rowOf } from './network.ts'
import { STORED_NETWORK } from './network-weights.ts'
import type { Word } from './reading.ts'

let loaded: Network | undefined

/** Loaded for the first text: a function that only may meet one need not wait for it when it starts. */
export const network = (): Network => (loaded ??= loadNetwork(STORED_NETWORK))

/** The plainest words of other languages, as normalised text has them. */
const OTHER: ReadonlySet<string> = new Set(
  [...OTHER_WORDS].map(withoutAccents).filter((word) => !ENGLISH_WORDS.has(word)),
)

/** Whether a normalised word is one of the network's, which are the most frequent of English, and none of the plainest of other languages. */
function isEnglish(word: string): boolean {
  return !OTHER.has(word) && rowOf(word, network().rows) !== 0
}

/** Words around one by which it is told whether the text is English there, itself among them. */
const NEIGHBOURS = 9
/** The share of them that has to be English for an English word, and for another: the first words of another language are not in. */
const MOST = { english: 0.6, other: 0.75 } as const

/**
 * The words that the network can weigh: those most of whose neighbours are English words. It has read English only; of other
 * words, and of a row of terms from a lecture, it sees that they are rare, which says nothing of a crisis. Linear.
 */
export function readableOf(words: readonly Word[]): readonly Word[] {
  const before = [0]
  for (const { word } of words) before.push((before.at(-1) ?? 0) + (isEnglish(word) ? 1 : 0))
  const count = Math.min(NEIGHBOURS, words.length)
  return words.filter(({ word }, at) => {
    const from = Math.min(Math.max(0, at - (NEIGHBOURS >> 1)), words.length - count)
    const english = (before[from + count] ?? 0) - (before[from] ?? 0)
    return english > count * (isEnglish(word) ? MOST.english : MOST.other)
  })
}

function withoutAccents(word: string): string {
  return normalForm(normalForm(word, 'NFD').replace(/[\u0300-\u036f]/g, ''), 'NFC')
}

/** Letters of a word that count at most: a drawn-out one is no sentence. */
const LONGEST = 12

/** A capitalised word between others that are not: a name in English, of whatever language. */
const NAME = /(?<=(?:^|\s)\p{Ll}{1,30},? )\p{Lu}\p{Ll}{1,30}(?=[.,!?;:]|\s\p{Ll}|$)/gu

/** The share of a text's letters, names apart, 0 to 1, that are of words which nobody here knows: other scripts, other languages. 0 without letters. */
export function unreadShare(text: string): number {
  let letters = 0
  let unread = 0
  for (const [word] of text
    .replace(NAME, ' ')
    .toLowerCase()
    .matchAll(/\p{L}[\p{L}\p{M}']*/gu)) {
    const plain = withoutAccents(word).replaceAll("'", '')
    // A run without spaces is as many words as it has characters in scripts that write none.
    const counted = /\p{Script=Latin}/u.test(word) ? Math.min(word.length, LONGEST) : word.length
    letters += counted
    const isKnown = isEnglish(plain) || MISSPELLINGS.has(plain) || IDENTITY_WORDS.has(plain)
    if (!isKnown) unread += counted
  }
  return letters === 0 ? 0 : unread / letters
}
