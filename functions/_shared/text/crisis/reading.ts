import type { RiskLevel } from '../../risk-level.ts'
import { IDENTITY_WORDS } from '../lexicons/identity.ts'
import { foreignMatches } from './foreign.ts'
import { domainOf, INDICATIONS, matchesIn, RULES, type RuleMatch } from './matches.ts'
import { logOddsOf, type Network } from './network.ts'
import { normalise, QUOTE, STOP } from './normalise.ts'
import { withAnsweredQuestions } from './questions.ts'

/** A word of a text, the number of its sentence, and what the rules found at it, as inputs of the network. */
export type Word = { word: string; sentence: number; indications: readonly number[] }

/** A rule that matched, the place of its first word, if it is one, and how many words it matched. */
export type Found = Pick<RuleMatch, 'rule' | 'level' | 'lowered' | 'confirmed'> & {
  place: number | undefined
  length: number
}

/** What is read of a text. */
export type TextReading = {
  found: readonly Found[]
  foreign: ReadonlyArray<{ rule: string; level: RiskLevel }>
  /** Without full stops and quotation marks. */
  words: readonly Word[]
}

const ACROSS_SENTENCES = RULES.filter(({ id }) => id === 'intent.kill_self' || id === 'intent.want_to_die')

/** What the detector sees of a text, and so what the network is fitted to; `neutral` stands for words of who somebody is. */
export function readText(text: string, neutral = NEUTRAL): TextReading {
  const foreign = [...foreignMatches(text)]
  const normalised = withAnsweredQuestions(normalise(text))
  if (normalised === '') return { found: [], foreign, words: [] }
  const sentences = ` ${normalised} `
  const matches = [...matchesIn(sentences)]
  const { words, places } = wordsOf(sentences, matches, neutral)
  // "I want to. Die.": once more across sentence ends, for the words that matter most.
  const unbroken = sentences.replaceAll(` ${STOP} `, ' ')
  const across = [...matchesIn(unbroken, ACROSS_SENTENCES)]
  const found = foundAt(sentences, matches, places)
  const within = new Set(found.map(({ rule, place }) => `${rule} ${place}`))
  // What stands within a sentence has been read with its answers and denials.
  const foundAcross =
    across.length === 0
      ? []
      : foundAt(unbroken, across, wordsOf(unbroken, [], neutral).places).filter(
          ({ rule, place }) => !within.has(`${rule} ${place}`),
        )
  return { found: [...found, ...foundAcross], foreign, words }
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
function wordsOf(
  text: string,
  matches: readonly RuleMatch[],
  neutral: string,
): { words: readonly Word[]; places: ReadonlyMap<number, number> } {
  const indications = new Map<number, Set<number>>()
  for (const { rule, level, at, end } of matches) {
    const input = INDICATIONS.indexOf(`${domainOf(rule)}:${level}`)
    // A rule may begin with the space before a word, and end within one.
    for (let start = wordStart(text, at); start < end; start = nextStart(text, start)) {
      const inputs = indications.get(start) ?? new Set()
      indications.set(start, inputs.add(input))
    }
  }
  const words: Word[] = []
  const places = new Map<number, number>()
  let sentence = 0
  for (let start = wordStart(text, 0); start < text.length; start = nextStart(text, start)) {
    const word = text.slice(start, nextStart(text, start) - 1)
    places.set(start, words.length)
    if (word === STOP) sentence++
    else if (word !== QUOTE && word !== '')
      words.push({
        word: weighedAs(word, neutral),
        sentence,
        indications: [...(indications.get(start) ?? [])],
      })
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

/** Identity words that are mostly said of something else ("an old flat", "straight away", "this guy"). */
const EVERYDAY: ReadonlySet<string> = new Set(
  'adopted boy brown fat girl international man men native old poor rich straight woman women young'.split(
    ' ',
  ),
)

/** Raises no more than everyday words of the same place in a sentence do (docs/scoring.md); in fitting, another one stands there. */
const NEUTRAL = 'scottish'

/** The word that a word is weighed as: every word of who somebody is weighs the same, and no more than an everyday one. */
function weighedAs(word: string, neutral: string): string {
  const isPlural = !IDENTITY_WORDS.has(word) && word.endsWith('s')
  const one = isPlural ? word.slice(0, -1) : word
  return IDENTITY_WORDS.has(one) && !EVERYDAY.has(one) ? neutral : word
}

/**
 * What is added to the log-odds of a window from one that begins 15 words before or after, since what is told of a crisis is often
 * longer than a window: so much of what that one's exceed `from`.
 */
const NEIGHBOUR = { steps: 3, share: 0.75, from: -1 }

/** The greatest log-odds of a window of a text, its neighbour's share included; of no words, minus infinity. */
export function weigh(network: Network, words: ReadonlyArray<Pick<Word, 'word' | 'indications'>>): number {
  if (words.length === 0) return Number.NEGATIVE_INFINITY
  const windows = logOddsOf(
    network,
    words.map(({ word }) => word),
    (from, to) => new Set(words.slice(from, to).flatMap(({ indications }) => indications)),
  )
  const excess = (at: number) => Math.max(0, (windows[at] ?? NEIGHBOUR.from) - NEIGHBOUR.from)
  return windows.reduce(
    (most, each, at) =>
      Math.max(
        most,
        each + NEIGHBOUR.share * Math.max(excess(at - NEIGHBOUR.steps), excess(at + NEIGHBOUR.steps)),
      ),
    Number.NEGATIVE_INFINITY,
  )
}
