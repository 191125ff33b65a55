import type { RecordingMeasures } from '../recording-measures.ts'
import { standardDeviation } from '../statistics.ts'
import { speechIntensities } from './speech-frames.ts'

/**
 * Standard deviation of intensity during speech, in dB (0 and up): Praat's "To Intensity: 100, 0, yes", over the
 * frames within the runs of speech, so that pauses, which other features measure, do not enter.
 */
export function intensitySd(measures: RecordingMeasures): number | null {
  return standardDeviation(speechIntensities(measures))
}
