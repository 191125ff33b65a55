import type { RecordingMeasures } from '../recording-measures.ts'
import { phonationSeconds } from './speech-time.ts'

/**
 * Syllables per second of speech, pauses left out (about 3 to 7). Syllable nuclei as in `speech_rate_syllables_per_s`.
 */
export function articulationRate(measures: RecordingMeasures): number | null {
  const phonationS = phonationSeconds(measures)
  return phonationS > 0 ? measures.syllables.length / phonationS : null
}
