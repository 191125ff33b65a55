import { CLASSES_OF_PREFIX, CLASSES_OF_WORD, PHRASES } from './lexicon.ts'
import { STOP } from './normalise.ts'

/** A word of a normalised text with the classes and concepts that begin at it, each with where it may end. */
export type Token = { word: string; at: number; spans: Map<string, number[]> }

/** The words of a text, and where each class or concept begins. */
export type Tokens = { list: readonly Token[]; starts: Map<string, number[]> }

const LONGEST_PREFIX = 14

/** Tags each word of a normalised text with its classes, in time linear in the text. */
export function tokensOf(text: string): Tokens {
  const words = text.trim().split(' ')
  const seen = new Map<string, readonly string[]>()
  const list: Token[] = []
  let at = text.length - text.trimStart().length
  for (const word of words) {
    list.push({ word, at, spans: new Map() })
    at += word.length + 1
  }
  const tokens: Tokens = { list, starts: new Map() }
  for (const [i, { word }] of list.entries()) {
    addSpan(tokens, word, i, i + 1)
    let classes = seen.get(word)
    if (classes === undefined) {
      classes = classesOf(word)
      seen.set(word, classes)
    }
    for (const name of classes) addSpan(tokens, name, i, i + 1)
    for (const { name, rest } of PHRASES.get(word) ?? []) {
      if (rest.every((expected, k) => list[i + 1 + k]?.word === expected)) {
        addSpan(tokens, name, i, i + 1 + rest.length)
      }
    }
  }
  return tokens
}

/** Notes that a class or concept stands from one token up to, not including, another. */
export function addSpan({ list, starts }: Tokens, name: string, from: number, to: number): void {
  const spans = list[from]?.spans
  if (spans === undefined) return
  const ends = spans.get(name)
  if (ends === undefined) {
    spans.set(name, [to])
    const positions = starts.get(name)
    if (positions === undefined) starts.set(name, [from])
    else positions.push(from)
  } else if (!ends.includes(to)) {
    ends.push(to)
  }
}

function classesOf(word: string): readonly string[] {
  if (word === STOP) return []
  const classes = [...(CLASSES_OF_WORD.get(word) ?? [])]
  for (let length = 3; length <= Math.min(word.length, LONGEST_PREFIX); length++) {
    classes.push(...(CLASSES_OF_PREFIX.get(word.slice(0, length)) ?? []))
  }
  // "cuttin", "thinkin"
  if (classes.length === 0 && word.endsWith('in') && word.length > 4) {
    classes.push(...(CLASSES_OF_WORD.get(`${word}g`) ?? []))
  }
  return [...new Set(classes)]
}
