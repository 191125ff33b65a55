import type { RecordingMeasures } from '../recording-measures.ts'
import { speechSpanSeconds } from './speech-time.ts'

/**
 * Syllables per second from the start of the first to the end of the last run of speech, pauses included (about 2 to 6).
 * Syllable nuclei after de Jong and Wempe (2009), Behavior Research Methods 41, 385-390.
 */
export function speechRate(measures: RecordingMeasures): number | null {
  const spanS = speechSpanSeconds(measures)
  return spanS > 0 ? measures.syllables.length / spanS : null
}
