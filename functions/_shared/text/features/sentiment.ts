import type { Polarity } from '../polarity.ts'
import type { Reading } from '../reading.ts'

/**
 * Tone, -1 (most negative) to 1 (most positive): the compound score of VADER (Hutto and Gilbert 2014; see
 * polarity.ts), mean over sentences by words.
 */
export function sentimentCompound({ polarities }: Reading): number | null {
  return sentenceMean(polarities, ({ compound }) => compound)
}

/**
 * Share of positive sentiment, 0 to 1: `pos` of VADER (Hutto and Gilbert 2014; see polarity.ts), mean over sentences
 * by words.
 */
export function sentimentPositive({ polarities }: Reading): number | null {
  return sentenceMean(polarities, ({ positive }) => positive)
}

/**
 * Share of negative sentiment, 0 to 1: `neg` of VADER (Hutto and Gilbert 2014; see polarity.ts), mean over sentences
 * by words.
 */
export function sentimentNegative({ polarities }: Reading): number | null {
  return sentenceMean(polarities, ({ negative }) => negative)
}

/** Sentences from which a spread says something. */
const MIN_SENTENCES = 3

/**
 * How much the tone changes from sentence to sentence, 0 to about 1: the sample SD of `sentiment_compound` over them.
 */
export function sentimentVariability({ polarities }: Reading): number | null {
  if (polarities.length < MIN_SENTENCES) return null
  const mean = polarities.reduce((sum, { compound }) => sum + compound, 0) / polarities.length
  const squares = polarities.reduce((sum, { compound }) => sum + (compound - mean) ** 2, 0)
  return Math.sqrt(squares / (polarities.length - 1))
}

/** Mean of `value` over sentences, weighted by their words; `null` without any. */
function sentenceMean(sentences: readonly Polarity[], value: (sentence: Polarity) => number): number | null {
  let sum = 0
  let total = 0
  for (const sentence of sentences) {
    sum += value(sentence) * sentence.words
    total += sentence.words
  }
  return total === 0 ? null : sum / total
}
