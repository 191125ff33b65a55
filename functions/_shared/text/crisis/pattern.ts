import { STOP } from './normalise.ts'
import { addSpan, type Tokens } from './tokens.ts'

/**
 * A pattern in words, parsed: `WISH ..4 die|dying SELF?`. Capitals name a class or concept, lower case a word, `|`
 * separates alternatives, `?` makes one optional, `..4` allows up to four words between. No pattern crosses the end of a
 * sentence.
 */
export type Pattern = { elements: readonly Element[]; denies: boolean }

type Element = { gap: number } | { anyOf: readonly string[]; optional: boolean }

/** Token positions; `denied` when a word of negation stands in a gap. */
type Match = { from: number; to: number; denied: boolean }

export function parsePattern(source: string): Pattern {
  const elements = source.split(' ').map((part): Element => {
    if (part.startsWith('..')) return { gap: Number(part.slice(2)) }
    const optional = part.endsWith('?')
    return { anyOf: (optional ? part.slice(0, -1) : part).split('|'), optional }
  })
  const [first] = elements
  if (first === undefined || 'gap' in first || first.optional) throw new Error(`no fixed start: ${source}`)
  const denies = elements.some(
    (element) => 'anyOf' in element && element.anyOf.some((name) => DENYING.has(name)),
  )
  return { elements, denies }
}

/** A pattern with one of these holds its own negation. */
const DENYING = new Set('NEG no never dont cant cannot nobody noone without nothing'.split(' '))

/** Every place where a pattern begins, with its shortest end there. */
export function* matchesOf(pattern: Pattern, tokens: Tokens): Generator<Match> {
  const [first] = pattern.elements
  if (first === undefined || 'gap' in first) return
  for (const name of first.anyOf) {
    for (const from of tokens.starts.get(name) ?? []) {
      const found = endOf(pattern.elements, 0, tokens, from, false)
      if (found !== null) yield { from, ...found }
    }
  }
}

/** Adds a concept wherever one of its patterns matches. */
export function addConcept(name: string, patterns: readonly Pattern[], tokens: Tokens): void {
  for (const pattern of patterns) {
    for (const { from, to } of [...matchesOf(pattern, tokens)]) addSpan(tokens, name, from, to)
  }
}

function endOf(
  pattern: readonly Element[],
  element: number,
  tokens: Tokens,
  at: number,
  denied: boolean,
): { to: number; denied: boolean } | null {
  const part = pattern[element]
  if (part === undefined) return { to: at, denied }
  if ('gap' in part) {
    let negated = denied
    for (let skipped = 0; skipped <= part.gap; skipped++) {
      const found = endOf(pattern, element + 1, tokens, at + skipped, negated)
      if (found !== null) return found
      const token = tokens.list[at + skipped]
      if (token === undefined || token.word === STOP) return null
      negated ||= token.spans.has('NEG')
    }
    return null
  }
  for (const name of part.anyOf) {
    for (const end of endsOf(name, at, tokens)) {
      const found = endOf(pattern, element + 1, tokens, end, denied)
      if (found !== null) return found
    }
  }
  return part.optional ? endOf(pattern, element + 1, tokens, at, denied) : null
}

function endsOf(name: string, at: number, { list }: Tokens): readonly number[] {
  const token = list[at]
  if (token === undefined) return []
  if (name.endsWith('*')) return token.word.startsWith(name.slice(0, -1)) ? [at + 1] : []
  return token.spans.get(name) ?? []
}
