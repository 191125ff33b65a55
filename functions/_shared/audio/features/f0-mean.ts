import type { RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'
import { voicedHertz } from './voiced-frames.ts'

/**
 * Mean fundamental frequency of the voiced frames, in hertz (75 to 500).
 * Praat: "To Pitch (ac): 0.01, 75, 15, no, 0.03, 0.45, 0.01, 0.35, 0.14, 500", "Get mean: 0, 0, Hertz" (Boersma 1993).
 */
export function f0Mean(measures: RecordingMeasures): number | null {
  return mean(voicedHertz(measures))
}
