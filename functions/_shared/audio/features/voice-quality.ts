import { PITCH } from '../measures/pitch.ts'
import type { Pulse, RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'

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

/**
 * Mean harmonics-to-noise ratio of the voiced frames, in dB (about 0 to 30), by cross-correlation: the autocorrelation
 * method gives other figures. Praat: "To Harmonicity (cc): 0.01, 75, 0.1, 1.0", "Get mean: 0, 0".
 */
export function hnr(measures: RecordingMeasures): number | null {
  return mean(measures.harmonicityDb)
}

/**
 * Smoothed cepstral peak prominence, in dB (about 3 in breathy to 15 in clear voices), mean of the frames within runs of
 * speech. Hillenbrand and Houde (1996); Praat, of the sounding intervals joined: "To PowerCepstrogram: 60, 0.002, 5000, 50" and "Get CPPS: no, 0.01, 0.001, 60, 330, 0.05, parabolic, 0.001, 0, Straight, Robust" (the settings of Maryn and
 * Weenink 2015).
 */
export function cpps(measures: RecordingMeasures): number | null {
  return mean(measures.cepstralProminenceDb)
}

/**
 * Mean over the voiced frames of the energy of 50 Hz to 1 kHz over that of 1 to 5 kHz, in dB (about 0 to 30; a softer
 * voice has more). Power spectra of 20 ms under a Hamming window, every 10 ms, at 16 kHz; frames are voiced by the
 * pitch of `f0_mean_hz`. eGeMAPS: Eyben et al. (2016), IEEE Transactions on Affective Computing 7, 190-202.
 */
export function alphaRatio(measures: RecordingMeasures): number | null {
  return mean(measures.alphaRatioDb)
}

/**
 * Mean over the voiced frames of the strongest spectral peak under 2 kHz over that of 2 to 5 kHz, in dB (about 10 to
 * 40). Spectra as in `alpha_ratio_db`. Hammarberg et al. (1980) as in eGeMAPS: Eyben et al. (2016), IEEE Transactions
 * on Affective Computing 7, 190-202.
 */
export function hammarbergIndex(measures: RecordingMeasures): number | null {
  return mean(measures.hammarbergDb)
}

const LONGEST_PERIOD_S = 1.25 / PITCH.floorHz

/**
 * Part of the time between the first and the last glottal pulse that is breaks: gaps between pulses longer than 1.25
 * periods of the pitch floor, 16.7 ms (0 to 1). Praat's "degree of voice breaks", without the silence at both ends.
 */
export function voiceBreakFraction(measures: RecordingMeasures): number | null {
  const { pulses } = measures
  const spanS = (pulses.at(-1)?.timeS ?? 0) - (pulses[0]?.timeS ?? 0)
  const breakS = glottalPeriods(pulses).reduce(
    (sum, period) => (period > LONGEST_PERIOD_S ? sum + period : sum),
    0,
  )
  return spanS > 0 ? breakS / spanS : null
}

/** Praat's limits on what counts as a period, in seconds, and on the ratio of neighbouring ones. */
const MIN_PERIOD_S = 0.0001
const MAX_PERIOD_S = 0.02
const MAX_PERIOD_FACTOR = 1.3

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
