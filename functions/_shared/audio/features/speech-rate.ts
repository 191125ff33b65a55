import type { RecordingMeasures } from '../recording-measures.ts'
import { speechSpanSeconds } from './speech-time.ts'

/**
 * Syllables per second from the start of the first to the end of the last run of speech, pauses included (about 2 to
 * 6). Syllable nuclei after de Jong and Wempe (2009), Behavior Research Methods 41, 385-390: peaks of intensity (floor
 * 50 Hz) within 25 dB of its 99th percentile, at least 2 dB over the dip that follows, voiced by "To Pitch (ac): 0.02,
 * 30, 4, no, 0.03, 0.25, 0.01, 0.35, 0.25, 450".
 */
export function speechRate(measures: RecordingMeasures): number | null {
  const spanS = speechSpanSeconds(measures)
  return spanS > 0 ? measures.syllables.length / spanS : null
}
