import type { Reading } from '../reading.ts'
import { sentenceMean } from './sentence-mean.ts'

/**
 * Share of negative sentiment, 0 to 1: `neg` of VADER (Hutto and Gilbert 2014; see polarity.ts), mean over sentences
 * by words.
 */
export function sentimentNegative({ polarities }: Reading): number | null {
  return sentenceMean(polarities, ({ negative }) => negative)
}
