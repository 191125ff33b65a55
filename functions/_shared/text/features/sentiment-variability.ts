import type { Reading } from '../reading.ts'

/** Sentences from which a spread says something. */
const LEAST_SENTENCES = 3

/**
 * How much the tone changes from sentence to sentence, 0 to about 1: the sample SD of `sentiment_compound` over them.
 */
export function sentimentVariability({ polarities }: Reading): number | null {
  if (polarities.length < LEAST_SENTENCES) return null
  const mean = polarities.reduce((sum, { compound }) => sum + compound, 0) / polarities.length
  const squares = polarities.reduce((sum, { compound }) => sum + (compound - mean) ** 2, 0)
  return Math.sqrt(squares / (polarities.length - 1))
}
