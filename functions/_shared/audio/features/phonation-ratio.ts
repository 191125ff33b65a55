import type { RecordingMeasures } from '../recording-measures.ts'
import { phonationSeconds, speechSpanSeconds } from './speech-time.ts'

/**
 * Part of the time between the start of the first and the end of the last run of speech that is speech (0 to 1), the
 * rest being pauses of 0.3 s or more (de Jong and Wempe 2009).
 */
export function phonationRatio(measures: RecordingMeasures): number | null {
  const spanS = speechSpanSeconds(measures)
  return spanS > 0 ? phonationSeconds(measures) / spanS : null
}
