import { SLOTS } from '../kernels.ts'
import { ANALYSIS_RATE_HZ } from '../signal.ts'

/** Coefficients of a cepstrum; the one before the first, the level, is left out. */
export const COEFFICIENTS = 12

const BANDS = { count: 24, lowestHz: 80, highestHz: 7600 }

interface MelBand {
  firstBin: number
  /** Of the bins from the first one on; their sum is 1. */
  weights: number[]
}

const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700)
const hertz = (mels: number) => 700 * (Math.exp(mels / 1127) - 1)

/** Triangular bands, equally wide and half overlapping on the mel scale, for a spectrum of `size` points (Davis and Mermelstein 1980). */
export function melBands(size: number): MelBand[] {
  const step = (mel(BANDS.highestHz) - mel(BANDS.lowestHz)) / (BANDS.count + 1)
  const edge = (place: number) => (hertz(mel(BANDS.lowestHz) + step * place) * size) / ANALYSIS_RATE_HZ
  return Array.from({ length: BANDS.count }, (_, band) => {
    const [low, middle, high] = [edge(band), edge(band + 1), edge(band + 2)]
    const firstBin = Math.ceil(low)
    const heights = Array.from({ length: Math.floor(high) - firstBin + 1 }, (_, i) => {
      const bin = firstBin + i
      return bin < middle ? (bin - low) / (middle - low) : (high - bin) / (high - middle)
    })
    const sum = heights.reduce((total, height) => total + height, 0)
    return { firstBin, weights: heights.map((height) => height / sum) }
  })
}

const cosines = Array.from({ length: COEFFICIENTS }, (_, k) =>
  Float64Array.from(
    { length: BANDS.count },
    (_, band) => Math.cos((Math.PI * (k + 1) * (band + 0.5)) / BANDS.count) / Math.sqrt(BANDS.count / 2),
  ),
)

/** Far below what a microphone's noise leaves in a band. */
const FAINTEST_POWER = 1e-12

/**
 * Mel-frequency cepstral coefficients 1 to 12 of a power spectrum whose bins lie `SLOTS` apart, in dB, and the level of its loudest band:
 * what a sound is coloured like, whatever its level.
 */
export function melCepstrum(
  power: Float32Array,
  bands: readonly MelBand[],
): { coefficients: number[]; levelDb: number } {
  const levels = bands.map(({ firstBin, weights }) => {
    let sum = FAINTEST_POWER
    for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * (power[SLOTS * (firstBin + i)] ?? 0)
    return 10 * Math.log10(sum)
  })
  const coefficients = cosines.map((cosine) => {
    let sum = 0
    for (let band = 0; band < levels.length; band++) sum += (cosine[band] ?? 0) * (levels[band] ?? 0)
    return sum
  })
  return { coefficients, levelDb: Math.max(...levels) }
}
