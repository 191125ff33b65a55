import { SLOTS } from '../kernels.ts'
import { ANALYSIS_RATE_HZ } from '../signal.ts'

/** Coefficients of a cepstrum; the one before the first, the level, is left out. */
export const COEFFICIENTS = 12

const BANDS = { count: 24, lowestHz: 80, highestHz: 7600 }

const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700)
const hertz = (mels: number) => 700 * (Math.exp(mels / 1127) - 1)

/** Far below what a microphone's noise leaves in a band. */
const FAINTEST_POWER = 1e-12

const cosines = Float64Array.from({ length: COEFFICIENTS * BANDS.count }, (_, at) => {
  const [coefficient, band] = [1 + Math.floor(at / BANDS.count), at % BANDS.count]
  return Math.cos((Math.PI * coefficient * (band + 0.5)) / BANDS.count) / Math.sqrt(BANDS.count / 2)
})

/**
 * Mel-frequency cepstral coefficients 1 to 12 of power spectra, in dB: how a sound is coloured, whatever its level. Of the logarithms of
 * 24 triangular bands, equally wide on the mel scale from 80 Hz to 7.6 kHz (Davis and Mermelstein 1980).
 */
export class MelCepstrum {
  /** The bands begin and end at neighbouring edges: each bin lies in two, with a share for the upper one. */
  readonly #firstBin: number
  readonly #band: Uint8Array
  readonly #upperShare: Float64Array
  readonly #widths = new Float64Array(BANDS.count)
  readonly #levels = new Float64Array(BANDS.count + 2)

  /** @param size points of the Fourier transform at the rate of the analysis */
  constructor(size: number) {
    const step = (mel(BANDS.highestHz) - mel(BANDS.lowestHz)) / (BANDS.count + 1)
    const edges = Array.from(
      { length: BANDS.count + 2 },
      (_, i) => (hertz(mel(BANDS.lowestHz) + step * i) * size) / ANALYSIS_RATE_HZ,
    )
    const [first = 0, last = 0] = [edges[0], edges[BANDS.count + 1]]
    this.#firstBin = Math.ceil(first)
    const bins = Array.from({ length: Math.floor(last) - this.#firstBin + 1 }, (_, i) => this.#firstBin + i)
    this.#band = Uint8Array.from(bins, (bin) =>
      Math.min(
        BANDS.count,
        edges.findLastIndex((edge) => edge <= bin),
      ),
    )
    this.#upperShare = Float64Array.from(bins, (bin, i) => {
      const [low = 0, high = 0] = edges.slice(this.#band[i])
      return (bin - low) / (high - low)
    })
    bins.forEach((_, i) => {
      const [upper, share] = [this.#band[i] ?? 0, this.#upperShare[i] ?? 0]
      if (upper < BANDS.count) this.#widths[upper] = (this.#widths[upper] ?? 0) + share
      if (upper > 0) this.#widths[upper - 1] = (this.#widths[upper - 1] ?? 0) + 1 - share
    })
  }

  /**
   * Writes the coefficients of a spectrum whose bins lie `SLOTS` apart.
   *
   * @returns the level of its loudest band, in dB
   */
  measure(power: Float32Array, coefficients: Float64Array): number {
    const levels = this.#levels.fill(0)
    const band = this.#band
    const upperShare = this.#upperShare
    for (let i = 0, at = SLOTS * this.#firstBin; i < band.length; i++, at += SLOTS) {
      const upper = band[i] ?? 0
      const energy = power[at] ?? 0
      const above = (upperShare[i] ?? 0) * energy
      // Moved by one, so that what lies below the first band's middle has a place.
      levels[upper + 1] = (levels[upper + 1] ?? 0) + above
      levels[upper] = (levels[upper] ?? 0) + energy - above
    }
    let loudest = Number.NEGATIVE_INFINITY
    for (let b = 0; b < BANDS.count; b++) {
      const mean = (levels[b + 1] ?? 0) / (this.#widths[b] ?? 1)
      const db = 10 * Math.log10(mean + FAINTEST_POWER)
      levels[b] = db
      if (db > loudest) loudest = db
    }
    for (let k = 0, at = 0; k < COEFFICIENTS; k++) {
      let sum = 0
      for (let b = 0; b < BANDS.count; b++) sum += (cosines[at++] ?? 0) * (levels[b] ?? 0)
      coefficients[k] = sum
    }
    return loudest
  }
}
