import type { RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'

/**
 * Mean duration of the pauses, in seconds (0.3 and up; 0 where there is none). Pauses as in `pause_rate_per_min`.
 */
export function pauseMean(measures: RecordingMeasures): number | null {
  const { runs, pauses } = measures.speech
  return runs.length === 0 ? null : (mean(pauses.map(({ startS, endS }) => endS - startS)) ?? 0)
}
