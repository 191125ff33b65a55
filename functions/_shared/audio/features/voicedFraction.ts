import type { RecordingMeasures } from '../recordingMeasures.ts'
import { mean } from '../statistics.ts'
import { framesOfSpeechSpan } from './speechFrames.ts'

/**
 * Part of the pitch frames between the first and the last run of speech that is voiced (0 to 1); Praat's pitch with the
 * settings of `f0_mean_hz`.
 */
export function voicedFraction(measures: RecordingMeasures): number | null {
  const frames = framesOfSpeechSpan(measures, measures.pitch)
  return mean(frames.map((hertz) => (hertz > 0 ? 1 : 0)))
}
