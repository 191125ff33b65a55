import type { RecordingMeasures } from '../recording-measures.ts'
import { standardDeviation } from '../statistics.ts'
import { voicedSemitones } from './voiced-frames.ts'

/**
 * Standard deviation of the fundamental frequency over the voiced frames, in semitones (0 and up).
 * Praat: "Get standard deviation: 0, 0, semitones" of the pitch of `f0_mean_hz`.
 */
export function f0Sd(measures: RecordingMeasures): number | null {
  return standardDeviation(voicedSemitones(measures))
}
