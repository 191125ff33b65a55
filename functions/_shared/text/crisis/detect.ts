import { isHigher, lower, type RiskLevel } from '../../risk-level.ts'
import { foreignMatches, literalMatches, patternMatches, type RuleMatch } from './matches.ts'
import { normalise, STOP } from './normalise.ts'
import { INTENT_LITERAL_RULES } from './rules-intent.ts'
import { similarity } from './similarity.ts'
import { HIGH_STEP, LITERAL_FLOOR, MODERATE_FLOOR, MODERATE_STEP, THRESHOLD } from './similarity-weights.ts'
import { type Range, type Token, type Tokens, tokensOf, windowsOf } from './tokens.ts'

/** `rule` is the id of the rule that decided, never a part of the text. */
export type Crisis = { level: RiskLevel; rule: string | null }

/** The rule that is named where none matched, but the words together are like those of a crisis. */
const SIMILAR = 'similar-to-crisis-language'

/** How much a window in which a rule matched has to be above the threshold at most, log-odds. */
const STEP_WITH_RULE = 1

/**
 * Crisis language in a text, with the rule that decided. Deterministic, in time linear in the text, for any string.
 *
 * Literal rules stand unless everything around them is plainly harmless. A pattern rule is weighed together with all
 * other words of its window, and counts as `mild` where those speak against it. Words that no rule knows are `high`, or
 * `moderate`, when they are similar enough to sentences of a crisis: the longer the text, the more similar they must be,
 * because among many ordinary sentences some are so by chance (log-odds grow with the logarithm of the number of windows,
 * as for a fixed chance per text). In doubt words are taken to be about the speaker, now. The text is neither kept nor
 * logged.
 */
export function detectCrisis(text: string): Crisis {
  const { literal, foreign, pattern, windows } = readText(text)
  // Similarity is trained on English only.
  const elsewhere = foreign.find(isHigh)
  if (elsewhere) return { level: 'high', rule: elsewhere.rule }
  const plain = literal.find(isHigh)
  const chances = Math.log(Math.max(1, windows.length))
  const found: Crisis = { level: 'none', rule: null }
  const take = (rule: string, level: RiskLevel) => {
    if (!isHigher(level, found.level)) return
    found.level = level
    found.rule = rule
  }
  let top = Number.NEGATIVE_INFINITY
  for (const { tokens, matches } of windows) {
    const logOdds = similarity(tokens, matches)
    top = Math.max(top, logOdds)
    const named = matches.find(isHigh)
    const step = named ? Math.min(STEP_WITH_RULE, HIGH_STEP * chances) : HIGH_STEP * chances
    if (logOdds > THRESHOLD + step) return { level: 'high', rule: (plain ?? named)?.rule ?? SIMILAR }
    if (plain && top > LITERAL_FLOOR) return { level: 'high', rule: plain.rule }
    if (logOdds > THRESHOLD + MODERATE_STEP * chances) take(SIMILAR, 'moderate')
  }
  for (const { rule, level } of foreign) take(rule, level)
  for (const { rule, level } of literal) {
    take(rule, level === 'moderate' && top > MODERATE_FLOOR ? level : lower(level, 'mild'))
  }
  for (const { rule, level } of pattern) take(rule, lower(level, 'mild'))
  return found
}

const isHigh = ({ level }: RuleMatch) => level === 'high'

/** A window of a text with the rules that were found in it. */
type Window = { tokens: readonly Token[]; matches: readonly RuleMatch[] }

/** What the rules find in a text, by their kind, and the windows in which its words are weighed. */
type TextReading = {
  literal: readonly RuleMatch[]
  foreign: readonly RuleMatch[]
  pattern: readonly RuleMatch[]
  windows: readonly Window[]
}

const ACROSS_SENTENCES = INTENT_LITERAL_RULES.filter(
  ({ id }) => id === 'intent.kill_self' || id === 'intent.want_to_die',
)

/** Exported for the training of the weights, which has to see what the detector sees. */
export function readText(text: string): TextReading {
  const normalised = normalise(text)
  if (normalised === '') return { literal: [], foreign: [], pattern: [], windows: [] }
  const sentences = ` ${normalised} `
  const literal = [...literalMatches(sentences)]
  const foreign = [...foreignMatches(sentences)]
  const tokens = tokensOf(sentences)
  const pattern = [...patternMatches(sentences, tokens)]
  const inOrder = [...literal, ...foreign, ...pattern].sort((a, b) => a.at - b.at)
  const windows = windowsOf(tokens.list).map((range) => windowOf(range, tokens, inOrder))
  return { literal: [...literal, ...acrossSentences(normalised)], foreign, pattern, windows }
}

/** "I want to. Die.": once more across sentence ends, for the words that matter most. */
function acrossSentences(normalised: string): Iterable<RuleMatch> {
  const words = normalised.split(' ').filter((word) => word !== STOP)
  return literalMatches(` ${words.join(' ')} `, ACROSS_SENTENCES)
}

function windowOf({ from, to }: Range, { list }: Tokens, inOrder: readonly RuleMatch[]): Window {
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
