import { normalForm } from '../unicode.ts'
import { ENGLISH_VOCABULARY } from './lexicons/english-words.ts'
import { ENGLISH_WORDS, OTHER_WORDS } from './lexicons/function-words.ts'
import { IDENTITY_WORDS } from './lexicons/identity.ts'

/** The plainest words of other languages, without accents. */
const OTHER: ReadonlySet<string> = new Set(
  [...OTHER_WORDS].map(withoutAccents).filter((word) => !ENGLISH_WORDS.has(word)),
)

const ENDINGS = ['s', 'd', 'll', 've', 'ing', 'ed', 'in', 'ly'] as const

/** Whether a word without accents and apostrophes is frequent in English, by itself or without an ending, and none of the plainest of other languages. */
function isEnglish(word: string): boolean {
  return (
    !OTHER.has(word) &&
    (ENGLISH_VOCABULARY.has(word) ||
      ENDINGS.some(
        (ending) => word.endsWith(ending) && ENGLISH_VOCABULARY.has(word.slice(0, -ending.length)),
      ))
  )
}

function withoutAccents(word: string): string {
  return normalForm(normalForm(word, 'NFD').replace(/[\u0300-\u036f]/g, ''), 'NFC')
}

/** Letters of a word that count at most: a drawn-out one is no sentence. */
const LONGEST = 12

/** Letters for which a character counts in scripts that put no spaces between words: of Han one is most of a word. */
const LETTERS_OF = { han: 4, other: 2 } as const
const USUAL_LETTERS = 5

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u

/** What stands before a word within a sentence: a capitalised one is a name there, of whatever language, the further ones of a row are not. */
const WITHIN = /[\p{L}\p{M},'&(-] ?$/u
const NAMES_IN_A_ROW = 4

/** What an English word takes off a run of unread ones: "in", "was" and "die" are words of other languages too, long ones are not. */
const ENDS_A_RUN = { short: 1, long: 2 } as const
const SHORT_WORD = 4

/** What nobody here knows of a text: words of other scripts and languages. */
interface Unread {
  /** Of its letters, names apart, 0 to 1; 0 without letters. */
  share: number
  /** Words of the longest run, names apart: each English word in it takes off one or two. */
  run: number
}

/** How much of a text is not read. Linear. */
export function unreadOf(text: string): Unread {
  let letters = 0
  let unread = 0
  let run = 0
  let longest = 0
  let names = 0
  for (const { 0: said, index } of text.matchAll(/\p{L}[\p{L}\p{M}']*/gu)) {
    const word = said.toLowerCase()
    const plain = withoutAccents(word).replaceAll("'", '')
    const counted = lettersOf(word)
    const isCapitalised = /^\p{Lu}\p{Ll}/u.test(said)
    names = isCapitalised ? names + 1 : 0
    if (isEnglish(plain) || IDENTITY_WORDS.has(plain)) {
      letters += counted
      run = Math.max(0, run - (plain.length < SHORT_WORD ? ENDS_A_RUN.short : ENDS_A_RUN.long))
    } else if (
      !isCapitalised ||
      names > NAMES_IN_A_ROW ||
      !WITHIN.test(text.slice(Math.max(0, index - 2), index))
    ) {
      letters += counted
      unread += counted
      run += UNSPACED.test(word) ? counted / USUAL_LETTERS : 1
      longest = Math.max(longest, run)
    }
  }
  return { share: letters === 0 ? 0 : unread / letters, run: longest }
}

function lettersOf(word: string): number {
  if (UNSPACED.test(word))
    return word.length * (/\p{Script=Han}/u.test(word) ? LETTERS_OF.han : LETTERS_OF.other)
  // A run without spaces is as many words as it has characters in other scripts that write none.
  return /\p{Script=Latin}/u.test(word) ? Math.min(word.length, LONGEST) : word.length
}
