import { STOP } from './normalise.ts'
import type { Token } from './sentence-tokens.ts'

/** A stretch of tokens, from one up to, not including, another. */
export type Window = { from: number; to: number }

/** As much as the longest labelled sentences hold, and as much as most of them do. */
const LONGEST = 40
const PART = 20

/**
 * The stretches in which a text is read: each sentence, neighbouring sentences up to 40 words together, and overlapping
 * parts of a sentence that is longer, since speech is often written down without full stops.
 */
export function windowsOf(tokens: readonly Token[]): readonly Window[] {
  const sentences = sentencesOf(tokens)
  const windows: Window[] = []
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

/** Neighbours together, as many as fit; each group begins with the last sentence of the one before. */
function together(sentences: readonly Window[]): readonly Window[] {
  const groups: Window[] = []
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

function sentencesOf(tokens: readonly Token[]): readonly Window[] {
  const sentences: Window[] = []
  let from = 0
  for (let at = 0; at <= tokens.length; at++) {
    if (at < tokens.length && tokens[at]?.word !== STOP) continue
    if (at > from) sentences.push({ from, to: at })
    from = at + 1
  }
  return sentences
}
