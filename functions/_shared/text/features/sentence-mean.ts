import type { Polarity } from '../polarity.ts'

/** Mean of `value` over sentences, weighted by their words; `null` without any. */
export function sentenceMean(
  sentences: readonly Polarity[],
  value: (sentence: Polarity) => number,
): number | null {
  let sum = 0
  let total = 0
  for (const sentence of sentences) {
    sum += value(sentence) * sentence.words
    total += sentence.words
  }
  return total === 0 ? null : sum / total
}
