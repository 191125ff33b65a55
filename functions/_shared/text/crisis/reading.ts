import { matchesIn, RULES, type RuleMatch } from './matches.ts'
import { normalise, QUOTE, STOP } from './normalise.ts'
import { withAnsweredQuestions } from './questions.ts'

/** A word of a text, and the number of its sentence. */
export type Word = { word: string; sentence: number }

/** A rule that matched, the place of its first word, if it is one, and how many words it matched. */
export type Found = Pick<RuleMatch, 'rule' | 'level' | 'lowered' | 'confirmed'> & {
  place: number | undefined
  length: number
}

/** What the rules find in a text, and its words without full stops and quotation marks. */
export type TextReading = { found: readonly Found[]; words: readonly Word[] }

const ACROSS_SENTENCES = RULES.filter(({ id }) => id === 'intent.kill_self' || id === 'intent.want_to_die')

export function readText(text: string): TextReading {
  const normalised = withAnsweredQuestions(normalise(text))
  if (normalised === '') return { found: [], words: [] }
  const sentences = ` ${normalised} `
  const { words, places } = wordsOf(sentences)
  const found = foundAt(sentences, [...matchesIn(sentences)], places)
  // "I want to. Die.": once more across sentence ends, for the words that matter most.
  const unbroken = sentences.replaceAll(` ${STOP} `, ' ')
  const across = [...matchesIn(unbroken, ACROSS_SENTENCES)]
  if (across.length === 0) return { found, words }
  // What stands within a sentence has been read with its answers and denials.
  const within = new Set(found.map(({ rule, place }) => `${rule} ${place}`))
  const further = foundAt(unbroken, across, wordsOf(unbroken).places)
  return { found: [...found, ...further.filter(({ rule, place }) => !within.has(`${rule} ${place}`))], words }
}

function foundAt(
  text: string,
  matches: readonly RuleMatch[],
  places: ReadonlyMap<number, number>,
): readonly Found[] {
  return matches.map(({ rule, level, lowered, confirmed, at, end }) => ({
    rule,
    level,
    lowered,
    confirmed,
    place: places.get(wordStart(text, at)),
    length: text.slice(at, end).trim().split(' ').length,
  }))
}

/** The words of a text, and the place of each by the character at which it begins. */
function wordsOf(text: string): { words: readonly Word[]; places: ReadonlyMap<number, number> } {
  const words: Word[] = []
  const places = new Map<number, number>()
  let sentence = 0
  for (let start = wordStart(text, 0); start < text.length; start = nextStart(text, start)) {
    const word = text.slice(start, nextStart(text, start) - 1)
    places.set(start, words.length)
    if (word === STOP) sentence++
    else if (word !== QUOTE && word !== '') words.push({ word, sentence })
  }
  return { words, places }
}

/** Characters of a word that are gone back at most: of a longer one, no word, the last so many. */
const LONGEST_WORD = 200

/** Where the word at a character begins, or the next one at a space. */
function wordStart(text: string, at: number): number {
  if (text[at] === ' ') return at + 1
  const from = Math.max(0, at - LONGEST_WORD)
  return from + text.slice(from, at + 1).lastIndexOf(' ') + 1
}

function nextStart(text: string, start: number): number {
  const space = text.indexOf(' ', start)
  return space === -1 ? text.length : space + 1
}
