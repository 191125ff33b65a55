import type { RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'

/**
 * Smoothed cepstral peak prominence, in dB (about 3 in breathy to 15 in clear voices), mean of the frames that hold
 * sound, the noise of pauses included. Hillenbrand and Houde (1996); Praat: "To PowerCepstrogram: 60, 0.002, 5000, 50"
 * and "Get CPPS: no, 0.01, 0.001, 60, 330, 0.05, parabolic, 0.001, 0, Straight, Robust" (the settings of Maryn and
 * Weenink 2015).
 */
export function cpps(measures: RecordingMeasures): number | null {
  return mean(measures.cepstralProminenceDb)
}
