import type { RecordingMeasures } from '../recording-measures.ts'
import { quantile } from '../statistics.ts'
import { speechIntensities } from './speech-frames.ts'

/**
 * Distance between the 5th and the 95th percentile of intensity during speech, in dB (0 and up); frames as in
 * `intensity_sd_db`.
 */
export function intensityRange(measures: RecordingMeasures): number | null {
  const intensities = speechIntensities(measures)
  const [low, high] = [quantile(intensities, 0.05), quantile(intensities, 0.95)]
  return low === null || high === null ? null : high - low
}
