import type { RecordingMeasures } from '../recording-measures.ts'
import { quantile } from '../statistics.ts'
import { voicedSemitones } from './voiced-frames.ts'

/**
 * Distance between the 5th and the 95th percentile of the fundamental frequency, in semitones (0 and up).
 * Praat: "Get quantile: 0, 0, 0.95, Hertz" and 0.05 of the pitch of `f0_mean_hz`.
 */
export function f0Range(measures: RecordingMeasures): number | null {
  const semitones = voicedSemitones(measures)
  const [low, high] = [quantile(semitones, 0.05), quantile(semitones, 0.95)]
  return low === null || high === null ? null : high - low
}
