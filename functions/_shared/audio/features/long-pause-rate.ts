import type { RecordingMeasures } from '../recording-measures.ts'
import { speechSpanSeconds } from './speech-time.ts'

const LONG_S = 1

/**
 * Pauses of 1 s or more per minute between the first and the last run of speech (0 and up). Pauses as in
 * `pause_rate_per_min`.
 */
export function longPauseRate(measures: RecordingMeasures): number | null {
  const spanS = speechSpanSeconds(measures)
  const long = measures.speech.pauses.filter(({ startS, endS }) => endS - startS >= LONG_S)
  return spanS > 0 ? (60 * long.length) / spanS : null
}
