import { read, type Sentence, type Word } from './document.ts'
import { type Lexicon, matchAt } from './lexicon.ts'
import { deniedWords } from './negation.ts'
import { intensityAt, type Polarity, polaritiesOf } from './polarity.ts'

/** A transcript as the feature extractors see it. */
export type Reading = {
  words: readonly Word[]
  /** By position: the word is denied. */
  denied: readonly boolean[]
  sentences: readonly Sentence[]
  polarities: readonly Polarity[]
  /** The transcript marks where its sentences end. */
  punctuated: boolean
}

/** Most words per marked sentence end at which a transcript still counts as punctuated. */
const LONGEST_MEAN = 60

export function readingOf(transcript: string): Reading {
  const { words, sentences } = read(transcript)
  const ended = sentences.filter((sentence) => sentence.ended).length
  const denied = deniedWords(words)
  return {
    words,
    denied,
    sentences,
    polarities: polaritiesOf(sentences, words, denied),
    punctuated: ended > 0 && words.length / ended <= LONGEST_MEAN,
  }
}

/**
 * Weighted mentions per 100 words. Denied mentions do not count; strengthened ones count 1.5, softened ones 0.5.
 * @returns `null` when there is no word
 */
export function ratePer100(reading: Reading, entries: Lexicon): number | null {
  const { words, denied } = reading
  if (words.length === 0) return null
  let sum = 0
  for (let at = 0; at < words.length; ) {
    const length = matchAt(entries, words, at)
    if (length > 0) sum += denied[at] ? 0 : intensityAt(words, at)
    at += Math.max(1, length)
  }
  return (100 * sum) / words.length
}
