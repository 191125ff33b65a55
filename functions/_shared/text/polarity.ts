import vader from 'vader-sentiment'
import type { Sentence } from './document.ts'
import { IDENTITY_WORDS } from './lexicons/identity.ts'

/** Sentiment of one sentence: shares of positive and negative words 0 to 1, and the compound score -1 to 1. */
export type Polarity = { positive: number; negative: number; compound: number; words: number }

/**
 * VADER (Hutto and Gilbert 2014), which reads negation, intensifiers and emphasis. Words for who somebody is are
 * replaced by a neutral one first, so that an identity never has a sentiment.
 */
export function polarityOf(sentence: Sentence): Polarity {
  const neutral = sentence.text.replace(/[\p{L}'-]+/gu, (word) =>
    IDENTITY_WORDS.has(word.toLowerCase()) ? 'person' : word,
  )
  const { pos, neg, compound } = vader.SentimentIntensityAnalyzer.polarity_scores(neutral)
  return { positive: pos, negative: neg, compound, words: sentence.words }
}
