import type { RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'

/**
 * Mean harmonics-to-noise ratio of the voiced frames, in dB (about 0 to 30), by cross-correlation: the autocorrelation
 * method gives other figures. Praat: "To Harmonicity (cc): 0.01, 75, 0.1, 1.0", "Get mean: 0, 0".
 */
export function hnr(measures: RecordingMeasures): number | null {
  return mean(measures.harmonicityDb)
}
