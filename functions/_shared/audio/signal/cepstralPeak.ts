import type { Signal } from '../decode/decodeRange.ts'
import { resample } from '../decode/resample.ts'
import { ANALYSIS_RATE_HZ } from '../limits.ts'
import { FourierTransform, powerOfTwoAtLeast } from './fft.ts'
import { type FrameGrid, frameGrid } from './frameGrid.ts'
import { vertex } from './sincPeak.ts'

/**
 * The settings of the Acoustic Voice Quality Index (Maryn and Weenink 2015): "To PowerCepstrogram: 60, 0.002, 5000, 50"
 * and "Get CPPS: no, 0.01, 0.001, 60, 330, 0.05, parabolic, 0.001, 0, Straight, Robust".
 */
export const CEPSTRUM = { floorHz: 60, ceilingHz: 330, stepS: 0.01, maxFrequencyHz: 5000, preEmphasisHz: 50 }

const RATE_HZ = 2 * CEPSTRUM.maxFrequencyHz
const WINDOW_S = 6 / CEPSTRUM.floorHz
const windowSamples = Math.round(WINDOW_S * RATE_HZ)
const fftSize = powerOfTwoAtLeast(windowSamples)
const quefrencies = fftSize / 2 + 1

/** Cepstra averaged about each frame, by their distance from it in seconds: spanning Praat's 10 ms of smoothing. */
const SMOOTHING_OFFSETS_S = [-0.003, 0.003]

/** Bins that the smoothing along quefrency averages: 1 ms. */
const SMOOTHING_BINS = Math.floor(0.001 * RATE_HZ)

const LINE_START = Math.round(0.001 * RATE_HZ)

/** Praat's Gaussian window, which reaches zero at its edges. */
const gaussian = Float64Array.from({ length: windowSamples }, (_, i) => {
  const middle = 0.5 * (windowSamples + 1)
  const edge = Math.exp(-12)
  const phase = (i + 1 - middle) / (windowSamples + 1)
  return (Math.exp(-48 * phase * phase) - edge) / (1 - edge)
})

export function cepstrumGrid(durationS: number): FrameGrid {
  return frameGrid(durationS, WINDOW_S, CEPSTRUM.stepS)
}

/**
 * The smoothed cepstral peak prominence of frames `from` to `to` in dB: the height of the cepstral peak over a straight
 * line fitted to the cepstrum (Hillenbrand and Houde 1996; Praat's PowerCepstrogram).
 */
export function measureCepstralPeak(signal: Signal, grid: FrameGrid, from: number, to: number): Float32Array {
  const sound = preEmphasised(signal)
  const cepstra = new CepstrumPair()
  const power = new Float64Array(quefrencies)
  return Float32Array.from({ length: to - from }, (_, i) => {
    const centreS = grid.firstS + (from + i) * grid.stepS
    const [before = 0, after = 0] = SMOOTHING_OFFSETS_S
    if (!cepstra.measure(sound, centreS + before, centreS + after, power)) return 0
    return prominence(smoothedDb(power))
  })
}

interface Resampled {
  samples: Float32Array
  start: number
}

function preEmphasised(signal: Signal): Resampled {
  const start = Math.ceil((signal.start * RATE_HZ) / ANALYSIS_RATE_HZ)
  const length = Math.floor((signal.samples.length * RATE_HZ) / ANALYSIS_RATE_HZ)
  const samples = resample(signal.samples, ANALYSIS_RATE_HZ, signal.start, RATE_HZ, start, length)
  const factor = Math.exp((-2 * Math.PI * CEPSTRUM.preEmphasisHz) / RATE_HZ)
  for (let i = samples.length - 1; i > 0; i--) samples[i] = (samples[i] ?? 0) - factor * (samples[i - 1] ?? 0)
  return { samples, start }
}

/** Computes two cepstra at a time, as the real and the imaginary part of one Fourier transform. */
class CepstrumPair {
  readonly #fft = new FourierTransform(fftSize)
  readonly #input = new Float64Array(2 * fftSize)
  readonly #spectrum = new Float64Array(2 * fftSize)

  /** Puts the mean power cepstrum of two frames into `power`; false in digital silence. */
  measure(sound: Resampled, firstS: number, secondS: number, power: Float64Array): boolean {
    const sounds = this.#load(sound, firstS, 0) + this.#load(sound, secondS, 1)
    if (sounds === 0) return false
    this.#fft.forward(this.#spectrum, this.#input)
    const z = this.#spectrum
    for (let k = 0; k <= fftSize / 2; k++) {
      const m = (fftSize - k) % fftSize
      const [re, im, reM, imM] = [z[2 * k] ?? 0, z[2 * k + 1] ?? 0, z[2 * m] ?? 0, z[2 * m + 1] ?? 0]
      const first = Math.log(((re + reM) ** 2 + (im - imM) ** 2) / 4 + 1e-300)
      const second = Math.log(((im + imM) ** 2 + (reM - re) ** 2) / 4 + 1e-300)
      this.#input[2 * k] = this.#input[2 * m] = first
      this.#input[2 * k + 1] = this.#input[2 * m + 1] = second
    }
    this.#fft.forward(z, this.#input)
    for (let q = 0; q < quefrencies; q++) power[q] = ((z[2 * q] ?? 0) ** 2 + (z[2 * q + 1] ?? 0) ** 2) / 2
    return true
  }

  #load({ samples, start }: Resampled, centreS: number, slot: 0 | 1): number {
    const first = Math.round(centreS * RATE_HZ - windowSamples / 2) - start
    let sum = 0
    let loud = 0
    for (let i = 0; i < windowSamples; i++) sum += samples[first + i] ?? 0
    const mean = sum / windowSamples
    for (let i = 0; i < fftSize; i++) {
      const value = i < windowSamples ? ((samples[first + i] ?? 0) - mean) * (gaussian[i] ?? 0) : 0
      this.#input[2 * i + slot] = value
      if (value !== 0) loud = 1
    }
    return loud
  }
}

/** The moving average along quefrency, then dB. */
function smoothedDb(power: Float64Array): Float64Array {
  const sums = new Float64Array(power.length + 1)
  for (let q = 0; q < power.length; q++) sums[q + 1] = (sums[q] ?? 0) + (power[q] ?? 0)
  const before = Math.floor(SMOOTHING_BINS / 2)
  return power.map((_, q) => {
    const from = Math.max(0, q - before)
    const to = Math.min(power.length, q - before + SMOOTHING_BINS)
    return 10 * Math.log10(((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from) + 1e-30)
  })
}

function prominence(db: Float64Array): number {
  const from = Math.ceil(RATE_HZ / CEPSTRUM.ceilingHz)
  const to = Math.floor(RATE_HZ / CEPSTRUM.floorHz)
  let best = from
  for (let q = from; q <= to; q++) if ((db[q] ?? 0) > (db[best] ?? 0)) best = q
  const [before, at, after] = [db[best - 1] ?? 0, db[best] ?? 0, db[best + 1] ?? 0]
  const offset = vertex(before, at, after)
  const height = at + 0.25 * (after - before) * offset
  const { slope, intercept } = theilLine(db)
  return height - (intercept + slope * (best + offset))
}

/** Theil's incomplete robust line through `db` from `LINE_START` on: medians of slopes and of intercepts. */
function theilLine(db: Float64Array): { slope: number; intercept: number } {
  const count = db.length - LINE_START
  const half = Math.floor(count / 2)
  const second = count - half
  const slopes = Float64Array.from(
    { length: half },
    (_, i) => ((db[LINE_START + second + i] ?? 0) - (db[LINE_START + i] ?? 0)) / second,
  )
  const slope = median(slopes)
  const intercept = median(
    Float64Array.from({ length: count }, (_, i) => (db[LINE_START + i] ?? 0) - slope * (LINE_START + i)),
  )
  return { slope, intercept }
}

function median(values: Float64Array): number {
  values.sort()
  const middle = Math.floor(values.length / 2)
  return values.length % 2 === 1
    ? (values[middle] ?? 0)
    : ((values[middle - 1] ?? 0) + (values[middle] ?? 0)) / 2
}
