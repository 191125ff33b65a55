import type { RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'

/**
 * Mean duration of the runs of speech between pauses, in seconds (0.1 and up). Runs are what `pause_rate_per_min` takes
 * as not silent.
 */
export function speechRunMean(measures: RecordingMeasures): number | null {
  return mean(measures.speech.runs.map(({ startS, endS }) => endS - startS))
}
