import type { RecordingMeasures } from '../recording-measures.ts'
import { PITCH } from '../signal/pitch-settings.ts'
import { glottalPeriods } from './glottal-periods.ts'

const MAX_PERIOD_S = 1.25 / PITCH.floorHz

/**
 * Part of the time between the first and the last glottal pulse that is breaks: gaps between pulses longer than 1.25
 * periods of the pitch floor, 16.7 ms (0 to 1). Praat's "degree of voice breaks", without the silence at both ends.
 */
export function voiceBreakFraction(measures: RecordingMeasures): number | null {
  const { pulses } = measures
  const spanS = (pulses.at(-1)?.timeS ?? 0) - (pulses[0]?.timeS ?? 0)
  const breakS = glottalPeriods(pulses).reduce(
    (sum, period) => (period > MAX_PERIOD_S ? sum + period : sum),
    0,
  )
  return spanS > 0 ? breakS / spanS : null
}
