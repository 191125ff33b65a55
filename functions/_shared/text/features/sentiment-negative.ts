import type { Reading } from '../reading.ts'
import { weightedMean } from './mean.ts'

/** Share of negative sentiment, 0 to 1: VADER's `neg`, mean over sentences by words. */
export function sentimentNegative({ polarities }: Reading): number | null {
  return weightedMean(
    polarities,
    ({ negative }) => negative,
    ({ words }) => words,
  )
}
