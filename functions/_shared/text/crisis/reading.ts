import { composedMatches, fixedMatches, foreignMatches, type RuleMatch } from './matches.ts'
import { normalise, STOP } from './normalise.ts'
import { INTENT_RULES } from './rules-intent.ts'
import { type Token, type Tokens, tokensOf } from './sentence-tokens.ts'
import { type Window, windowsOf } from './windows.ts'

/** A stretch of a text with the rules that were found in it. */
export type Stretch = { tokens: readonly Token[]; matches: readonly RuleMatch[] }

/**
 * A text as it is judged: what rules of fixed wording say, in English and in other languages, what looser rules say, and
 * the stretches to be weighed.
 */
export type TextReading = {
  firm: readonly RuleMatch[]
  foreign: readonly RuleMatch[]
  loose: readonly RuleMatch[]
  stretches: readonly Stretch[]
}

const ACROSS_SENTENCES = INTENT_RULES.filter(
  ({ id }) => id === 'intent.kill_self' || id === 'intent.want_to_die',
)

export function readText(text: string): TextReading {
  const normalised = normalise(text)
  if (normalised === '') return { firm: [], foreign: [], loose: [], stretches: [] }
  const sentences = ` ${normalised} `
  const firm = [...fixedMatches(sentences)]
  const foreign = [...foreignMatches(sentences)]
  const tokens = tokensOf(sentences)
  const loose = [...composedMatches(sentences, tokens)]
  const inOrder = [...firm, ...foreign, ...loose].sort((a, b) => a.at - b.at)
  const stretches = windowsOf(tokens.list).map((window) => stretchOf(window, tokens, inOrder))
  return { firm: [...firm, ...acrossSentences(normalised)], foreign, loose, stretches }
}

/** "I want to. Die.": once more across sentence ends, for the words that matter most. */
function acrossSentences(normalised: string): Iterable<RuleMatch> {
  const words = normalised.split(' ').filter((word) => word !== STOP)
  return fixedMatches(` ${words.join(' ')} `, ACROSS_SENTENCES)
}

function stretchOf({ from, to }: Window, { list }: Tokens, inOrder: readonly RuleMatch[]): Stretch {
  const tokens = list.slice(from, to)
  const begin = tokens[0]?.at ?? 0
  const end = list[to]?.at ?? Number.POSITIVE_INFINITY
  return { tokens, matches: inOrder.slice(firstAt(inOrder, begin), firstAt(inOrder, end)) }
}

/** The position of the first match that begins at a character or later. */
function firstAt(inOrder: readonly RuleMatch[], character: number): number {
  let low = 0
  let high = inOrder.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((inOrder[middle]?.at ?? 0) < character) low = middle + 1
    else high = middle
  }
  return low
}
