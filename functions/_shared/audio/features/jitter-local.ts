import type { RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'
import { glottalPeriods, isAlike, isUsable } from './glottal-periods.ts'

/**
 * Mean absolute difference between consecutive periods over the mean period (0 to about 0.05).
 * Praat: "Get jitter (local): 0, 0, 0.0001, 0.02, 1.3" on the pulses of "To PointProcess (cc)".
 */
export function jitterLocal(measures: RecordingMeasures): number | null {
  const periods = glottalPeriods(measures.pulses)
  const used = periods.filter(
    (period, i) => isUsable(period) && (isAlike(periods[i - 1], period) || isAlike(periods[i + 1], period)),
  )
  const meanPeriod = mean(used)
  const differences = periods.flatMap((period, i) => {
    const next = periods[i + 1]
    return next !== undefined && isUsable(period) && isUsable(next) && isAlike(period, next)
      ? [Math.abs(period - next)]
      : []
  })
  const meanDifference = mean(differences)
  return meanDifference === null || meanPeriod === null ? null : meanDifference / meanPeriod
}
