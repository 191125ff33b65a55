import type { AudioFeatureName } from '../../features/audio.ts'
import type { Extractors } from '../../features/definition.ts'
import { PITCH } from '../measures/pitch.ts'
import type { Pulse, RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'

/** Praat's limit on the ratio of neighbouring amplitudes. */
const MAX_AMPLITUDE_FACTOR = 1.6

/** A longer gap between pulses is a break of the voice. */
const LONGEST_PERIOD_S = 1.25 / PITCH.floorHz

/** Praat's limits on what counts as a period, in seconds, and on the ratio of neighbouring ones. */
const MIN_PERIOD_S = 0.0001
const MAX_PERIOD_S = 0.02
const MAX_PERIOD_FACTOR = 1.3

/** What the voice itself sounds like; what each measures, and how: `AUDIO_DEFINITIONS`. */
export const VOICE_QUALITY = {
  jitter_local(measures) {
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
  },

  shimmer_local(measures) {
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
  },

  hnr_db(measures) {
    return mean(measures.harmonicityDb)
  },

  cpps_db(measures) {
    return mean(measures.cepstralProminenceDb)
  },

  alpha_ratio_db(measures) {
    return mean(measures.alphaRatioDb)
  },

  hammarberg_index_db(measures) {
    return mean(measures.hammarbergDb)
  },

  voice_break_fraction(measures) {
    const { pulses } = measures
    const spanS = (pulses.at(-1)?.timeS ?? 0) - (pulses[0]?.timeS ?? 0)
    const breakS = glottalPeriods(pulses).reduce(
      (sum, period) => (period > LONGEST_PERIOD_S ? sum + period : sum),
      0,
    )
    return spanS > 0 ? breakS / spanS : null
  },
} satisfies Partial<Extractors<AudioFeatureName, RecordingMeasures>>

/** The times between neighbouring pulses, in seconds. */
function glottalPeriods(pulses: Pulse[]): number[] {
  return pulses.slice(1).map(({ timeS }, i) => timeS - (pulses[i]?.timeS ?? timeS))
}

function isUsable(period: number): boolean {
  return period >= MIN_PERIOD_S && period <= MAX_PERIOD_S
}

function isAlike(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && Math.max(a / b, b / a) <= MAX_PERIOD_FACTOR
}
