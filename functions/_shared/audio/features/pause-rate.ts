import type { RecordingMeasures } from '../recording-measures.ts'
import { speechSpanSeconds } from './speech-time.ts'

/**
 * Pauses of 0.3 s or more per minute between the first and the last run of speech (0 and up). A pause is silence 25 dB
 * under the 99th percentile of intensity (floor 50 Hz); sounds under 0.1 s do not end it (de Jong and Wempe 2009;
 * Praat's "To TextGrid (silences)").
 */
export function pauseRate(measures: RecordingMeasures): number | null {
  const spanS = speechSpanSeconds(measures)
  return spanS > 0 ? (60 * measures.speech.pauses.length) / spanS : null
}
