import type { Reading } from '../reading.ts'
import { sentenceMean } from './sentence-mean.ts'

/**
 * Tone, -1 (most negative) to 1 (most positive): the compound score of VADER (Hutto and Gilbert 2014; see
 * polarity.ts), mean over sentences by words.
 */
export function sentimentCompound({ polarities }: Reading): number | null {
  return sentenceMean(polarities, ({ compound }) => compound)
}
