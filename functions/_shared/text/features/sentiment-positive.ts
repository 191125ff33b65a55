import type { Reading } from '../reading.ts'
import { weightedMean } from './mean.ts'

/**
 * Share of positive sentiment, 0 to 1: `pos` of VADER (Hutto and Gilbert 2014; see polarity.ts), mean over sentences
 * by words.
 */
export function sentimentPositive({ polarities }: Reading): number | null {
  return weightedMean(
    polarities,
    ({ positive }) => positive,
    ({ words }) => words,
  )
}
