import type { Reading } from '../reading.ts'
import { sentenceMean } from './sentence-mean.ts'

/**
 * Share of positive sentiment, 0 to 1: `pos` of VADER (Hutto and Gilbert 2014; see polarity.ts), mean over sentences
 * by words.
 */
export function sentimentPositive({ polarities }: Reading): number | null {
  return sentenceMean(polarities, ({ positive }) => positive)
}
