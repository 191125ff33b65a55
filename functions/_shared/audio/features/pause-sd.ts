import type { RecordingMeasures } from '../recording-measures.ts'
import { standardDeviation } from '../statistics.ts'

/**
 * Standard deviation of the pauses' durations, in seconds (0 and up; null with fewer than two). Pauses as in
 * `pause_rate_per_min`.
 */
export function pauseSd(measures: RecordingMeasures): number | null {
  return standardDeviation(measures.speech.pauses.map(({ startS, endS }) => endS - startS))
}
