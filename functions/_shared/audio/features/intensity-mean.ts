import type { RecordingMeasures } from '../recording-measures.ts'
import { energyMeanDb } from '../statistics.ts'

/**
 * Mean intensity of the recording in dB re 2e-5 Pa, a full-scale sample standing for 1 Pa (at most 94).
 * Praat: "To Intensity: 100, 0, yes", "Get mean: 0, 0, energy".
 */
export function intensityMean(measures: RecordingMeasures): number | null {
  return energyMeanDb(measures.intensity.values.filter((db) => !Number.isNaN(db)))
}
