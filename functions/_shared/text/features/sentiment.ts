import type { Extractors } from '../../features/definition.ts'
import type { TextFeatureName } from '../../features/text.ts'
import type { Polarity } from '../polarity.ts'
import type { Reading } from '../reading.ts'

/** Sentences from which a spread says something. */
const MIN_SENTENCES = 3

/** Tone; what each measures, and how: `TEXT_DEFINITIONS`. */
export const SENTIMENT = {
  sentiment_compound({ polarities }) {
    return sentenceMean(polarities, ({ compound }) => compound)
  },

  sentiment_positive({ polarities }) {
    return sentenceMean(polarities, ({ positive }) => positive)
  },

  sentiment_negative({ polarities }) {
    return sentenceMean(polarities, ({ negative }) => negative)
  },

  sentiment_variability({ polarities }) {
    if (polarities.length < MIN_SENTENCES) return null
    const mean = polarities.reduce((sum, { compound }) => sum + compound, 0) / polarities.length
    const squares = polarities.reduce((sum, { compound }) => sum + (compound - mean) ** 2, 0)
    return Math.sqrt(squares / (polarities.length - 1))
  },
} satisfies Partial<Extractors<TextFeatureName, Reading>>

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
