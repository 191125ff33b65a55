import type { RecordingMeasures } from '../recordingMeasures.ts'
import { standardDeviation } from '../statistics.ts'
import { speechIntensities } from './speechFrames.ts'

/**
 * Standard deviation of intensity during speech, in dB (0 and up): Praat's intensity with a floor of 100 Hz, over the
 * frames within the runs of speech, so that pauses, which other features measure, do not enter.
 */
export function intensitySd(measures: RecordingMeasures): number | null {
  return standardDeviation(speechIntensities(measures))
}
