import { type Document, read, type Sentence, type Word } from './document.ts'
import { deniedWords } from './negation.ts'
import { type Polarity, polaritiesOf } from './polarity.ts'

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

/** Longest stretch of words that speech may run without a sentence end and still count as punctuated. */
const LONGEST_MEAN = 60

export function readingOf(transcript: string): Reading {
  return interpret(read(transcript))
}

function interpret({ words, sentences }: Document): Reading {
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
