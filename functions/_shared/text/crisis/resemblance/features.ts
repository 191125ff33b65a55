import type { RuleMatch } from '../matches.ts'
import type { Token } from '../sentence-tokens.ts'
import { alike, WHO } from './alike.ts'
import { DOMAINS_OF } from './domains.ts'

/** Number of weights; features share one when their hashes fall together. */
export const BUCKETS = 1 << 18

const EDGE = '|'
const LETTERS = 4

/**
 * What the score of a stretch of text is made of, by name: its words, pairs of words next to each other or one apart,
 * runs of four letters (which survive misspelling), the classes of words of the rules and of everyday domains, and the
 * wordings of rules found in it with the level that their context left them. Each is counted once.
 */
export function* featureNames(tokens: readonly Token[], matches: readonly RuleMatch[]): Generator<string> {
  for (let i = -1; i <= tokens.length; i++) {
    const word = wordAt(tokens, i)
    if (word !== WHO) yield word
    if (i < tokens.length) yield `${word} ${wordAt(tokens, i + 1)}`
    if (i + 1 < tokens.length) yield `${word} _ ${wordAt(tokens, i + 2)}`
    const token = tokens[i]
    if (token === undefined || word === WHO) continue
    yield* letterRuns(word)
    for (const domain of DOMAINS_OF.get(token.word) ?? DOMAINS_OF.get(token.word.replace(/s$/, '')) ?? []) {
      yield `@${domain}`
    }
    for (const name of token.spans.keys()) {
      if (!isClass(name)) continue
      yield `#${name}`
      yield `#${name} ${wordAt(tokens, i + 1)}`
      yield `${wordAt(tokens, i - 1)} #${name}`
    }
  }
  if (matches.length === 0) yield '!'
  for (const { rule, level, wording } of matches) {
    yield wording === undefined ? `!fixed:${level}` : `!loose:${level}`
    yield `!${rule}:${level}`
    if (wording !== undefined) yield `!${rule}.${wording}:${level}`
  }
}

/** The buckets of the features of a stretch of text, each once. */
export function featuresOf(tokens: readonly Token[], matches: readonly RuleMatch[]): ReadonlySet<number> {
  const buckets = new Set<number>()
  for (const name of featureNames(tokens, matches)) buckets.add(bucketOf(name))
  return buckets
}

/** FNV-1a over UTF-16 units, folded into the number of buckets. */
export function bucketOf(name: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  return ((hash >>> 15) ^ hash) & (BUCKETS - 1)
}

function wordAt(tokens: readonly Token[], at: number): string {
  const word = tokens[at]?.word
  return word === undefined ? EDGE : alike(word)
}

function* letterRuns(word: string): Generator<string> {
  const edged = `<${word}>`
  for (let i = 0; i + LETTERS <= edged.length; i++) yield `~${edged.slice(i, i + LETTERS)}`
}

/** Classes are in capitals; every word is also a span of itself. */
function isClass(name: string): boolean {
  return name >= 'A' && name < '['
}
