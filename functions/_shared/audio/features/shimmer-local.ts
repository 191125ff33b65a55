import type { RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'
import { isAlike, isUsable } from './glottal-periods.ts'

const MAX_AMPLITUDE_FACTOR = 1.6

/**
 * Mean absolute difference between the amplitudes of consecutive periods over the mean amplitude (0 to about 0.3).
 * Praat: "Get shimmer (local): 0, 0, 0.0001, 0.02, 1.3, 1.6" on the pulses of "To PointProcess (cc)".
 */
export function shimmerLocal(measures: RecordingMeasures): number | null {
  const measured = measures.pulses.filter(({ timeS, amplitude }, i, pulses) => {
    const before = timeS - (pulses[i - 1]?.timeS ?? Number.NEGATIVE_INFINITY)
    const after = (pulses[i + 1]?.timeS ?? Number.POSITIVE_INFINITY) - timeS
    return amplitude > 0 && isUsable(before) && isUsable(after) && isAlike(before, after)
  })
  const differences = measured.flatMap(({ timeS, amplitude }, i) => {
    const next = measured[i + 1]
    if (!next || !isUsable(next.timeS - timeS)) return []
    const factor = Math.max(amplitude / next.amplitude, next.amplitude / amplitude)
    return factor <= MAX_AMPLITUDE_FACTOR ? [Math.abs(amplitude - next.amplitude)] : []
  })
  const [meanDifference, meanAmplitude] = [
    mean(differences),
    mean(measured.map(({ amplitude }) => amplitude)),
  ]
  return meanDifference === null || meanAmplitude === null ? null : meanDifference / meanAmplitude
}
