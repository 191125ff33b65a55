import type { RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'
import { framesOfSpeechSpan } from './speech-frames.ts'

/**
 * Part of the pitch frames between the first and the last run of speech that is voiced (0 to 1); Praat's pitch with the
 * settings of `f0_mean_hz`.
 */
export function voicedFraction(measures: RecordingMeasures): number | null {
  const frames = framesOfSpeechSpan(measures, measures.pitch)
  return mean(frames.map((hertz) => (hertz > 0 ? 1 : 0)))
}
