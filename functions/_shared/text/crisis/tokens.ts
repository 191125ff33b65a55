import { STOP } from './normalise.ts'
import { WORD_CLASSES } from './vocabulary.ts'

/** A word of a normalised text with the classes and concepts that begin at it, each with where it may end. */
export type Token = { word: string; at: number; spans: Map<string, number[]> }

/** The words of a text, and where each class or concept begins. */
export type Tokens = { list: readonly Token[]; starts: Map<string, number[]> }

/** Positions in a list of tokens, from one up to, not including, another. */
export type Range = { from: number; to: number }

type Phrase = { name: string; rest: readonly string[] }

const CLASSES_OF_WORD = new Map<string, string[]>()
const CLASSES_OF_PREFIX = new Map<string, string[]>()
/** Phrases by their first word. */
const PHRASES = new Map<string, Phrase[]>()

for (const [name, entries] of Object.entries(WORD_CLASSES)) {
  for (const entry of entries.split(',').map((each) => each.trim().replace(/\s+/g, ' '))) {
    const [first = '', ...rest] = entry.split(' ')
    if (first === '') continue
    if (rest.length > 0) append(PHRASES, first, { name, rest })
    else if (first.endsWith('*')) append(CLASSES_OF_PREFIX, first.slice(0, -1), name)
    else append(CLASSES_OF_WORD, first, name)
  }
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}

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

/** Records that a class or concept covers the tokens from one up to, not including, another. */
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

/** Words of a window at most, as in the longest labelled sentences, and of a part of a longer one, as in most. */
const LONGEST = 40
const PART = 20

/**
 * The windows in which a text is weighed: each sentence, neighbouring sentences up to 40 words together, and overlapping
 * parts of a longer sentence, since speech is often transcribed without full stops.
 */
export function windowsOf(tokens: readonly Token[]): readonly Range[] {
  const sentences = sentencesOf(tokens)
  const windows: Range[] = []
  for (const { from, to } of sentences) {
    if (to - from <= LONGEST) {
      windows.push({ from, to })
      continue
    }
    for (let start = from; start === from || start + PART / 2 < to; start += PART / 2) {
      windows.push({ from: start, to: Math.min(to, start + PART) })
    }
  }
  return [...windows, ...together(sentences)]
}

/** Neighbouring sentences together, as many as fit; each group begins with the last sentence of the one before. */
function together(sentences: readonly Range[]): readonly Range[] {
  const groups: Range[] = []
  let first = 0
  while (first < sentences.length - 1) {
    const from = sentences[first]?.from ?? 0
    let last = first
    while ((sentences[last + 1]?.to ?? Number.POSITIVE_INFINITY) - from <= LONGEST) last++
    if (last > first) groups.push({ from, to: sentences[last]?.to ?? from })
    first = Math.max(last, first + 1)
  }
  return groups
}

function sentencesOf(tokens: readonly Token[]): readonly Range[] {
  const sentences: Range[] = []
  let from = 0
  for (let at = 0; at <= tokens.length; at++) {
    if (at < tokens.length && tokens[at]?.word !== STOP) continue
    if (at > from) sentences.push({ from, to: at })
    from = at + 1
  }
  return sentences
}
