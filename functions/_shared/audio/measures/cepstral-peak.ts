import { Resampler } from '../decode/resampling.ts'
import { FourierTransform, powerOfTwoAtLeast, vertex } from '../dsp.ts'
import { ANALYSIS_RATE_HZ, type FrameGrid, frameGrid, type Signal } from '../signal.ts'

/**
 * The settings of the Acoustic Voice Quality Index (Maryn and Weenink 2015): "To PowerCepstrogram: 60, 0.002, 5000, 50"
 * and "Get CPPS: no, 0.01, 0.001, 60, 330, 0.05, parabolic, 0.001, 0, Straight, Robust".
 */
const CEPSTRUM = { floorHz: 60, ceilingHz: 330, stepS: 0.01, maxFrequencyHz: 5000, preEmphasisHz: 50 }

const RATE_HZ = 2 * CEPSTRUM.maxFrequencyHz
const WINDOW_S = 6 / CEPSTRUM.floorHz
const windowSamples = Math.round(WINDOW_S * RATE_HZ)
const fftSize = powerOfTwoAtLeast(windowSamples)
const quefrencies = fftSize / 2 + 1

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
 * line fitted to the cepstrum (Hillenbrand and Houde 1996; Praat's PowerCepstrogram). The cepstra are smoothed along
 * quefrency; averaging them over 10 ms as well, as Praat does, moves the mean by less than 0.2 dB, since the windows of
 * 0.1 s overlap, and would cost five times as much. Digital silence gives NaN: Praat measures its resampler's ripple there.
 */
export function measureCepstralPeak(signal: Signal, grid: FrameGrid, from: number, to: number): Float32Array {
  const sound = preEmphasised(signal)
  const cepstra = new CepstrumPair()
  const scratch = new Float64Array(quefrencies + 1)
  const result = new Float32Array(to - from).fill(Number.NaN)
  for (let frame = from; frame < to; frame += 2) {
    const centreS = grid.firstS + frame * grid.stepS
    cepstra.measure(sound, centreS, centreS + grid.stepS)
    for (const slot of [0, 1] as const) {
      if (frame + slot < to && cepstra.hasSound[slot]) {
        result[frame + slot - from] = prominence(smoothToDb(cepstra.power[slot], scratch), scratch)
      }
    }
  }
  return result
}

interface Resampled {
  samples: Float32Array
  start: number
}

function preEmphasised(signal: Signal): Resampled {
  const start = Math.ceil((signal.start * RATE_HZ) / ANALYSIS_RATE_HZ)
  const length = Math.floor((signal.samples.length * RATE_HZ) / ANALYSIS_RATE_HZ)
  const samples = new Float32Array(length)
  new Resampler(ANALYSIS_RATE_HZ, RATE_HZ).resample(signal.samples, signal.start, samples, start)
  const factor = Math.exp((-2 * Math.PI * CEPSTRUM.preEmphasisHz) / RATE_HZ)
  for (let i = samples.length - 1; i > 0; i--) samples[i] = (samples[i] ?? 0) - factor * (samples[i - 1] ?? 0)
  return { samples, start }
}

/** Computes two cepstra at a time, as the real and the imaginary part of one Fourier transform. */
class CepstrumPair {
  /** The power cepstra of the last two frames, and whether each held any sound. */
  readonly power = [new Float64Array(quefrencies), new Float64Array(quefrencies)] as const
  readonly hasSound: [boolean, boolean] = [false, false]
  readonly #fft = new FourierTransform(fftSize)
  readonly #input = new Float64Array(2 * fftSize)
  readonly #spectrum = new Float64Array(2 * fftSize)

  measure(sound: Resampled, firstS: number, secondS: number): void {
    this.hasSound[0] = this.#load(sound, firstS, 0)
    this.hasSound[1] = this.#load(sound, secondS, 1)
    if (!this.hasSound[0] && !this.hasSound[1]) return
    this.#fft.forward(this.#spectrum, this.#input)
    const z = this.#spectrum
    for (let k = 0; k <= fftSize / 2; k++) {
      const m = (fftSize - k) % fftSize
      const re = z[2 * k] ?? 0
      const im = z[2 * k + 1] ?? 0
      const reM = z[2 * m] ?? 0
      const imM = z[2 * m + 1] ?? 0
      const first = Math.log(((re + reM) ** 2 + (im - imM) ** 2) / 4 + 1e-300)
      const second = Math.log(((im + imM) ** 2 + (reM - re) ** 2) / 4 + 1e-300)
      this.#input[2 * k] = this.#input[2 * m] = first
      this.#input[2 * k + 1] = this.#input[2 * m + 1] = second
    }
    this.#fft.forward(z, this.#input)
    for (let q = 0; q < quefrencies; q++) {
      this.power[0][q] = (z[2 * q] ?? 0) ** 2
      this.power[1][q] = (z[2 * q + 1] ?? 0) ** 2
    }
  }

  #load({ samples, start }: Resampled, centreS: number, slot: 0 | 1): boolean {
    const first = Math.round(centreS * RATE_HZ - windowSamples / 2) - start
    let sum = 0
    let hasSound = false
    for (let i = 0; i < windowSamples; i++) sum += samples[first + i] ?? 0
    const mean = sum / windowSamples
    for (let i = 0; i < fftSize; i++) {
      const value = i < windowSamples ? ((samples[first + i] ?? 0) - mean) * (gaussian[i] ?? 0) : 0
      this.#input[2 * i + slot] = value
      if (value !== 0) hasSound = true
    }
    return hasSound
  }
}

/** The moving average along quefrency, then dB, in place. */
function smoothToDb(power: Float64Array, sums: Float64Array): Float64Array {
  for (let q = 0; q < power.length; q++) sums[q + 1] = (sums[q] ?? 0) + (power[q] ?? 0)
  const before = Math.floor(SMOOTHING_BINS / 2)
  for (let q = 0; q < power.length; q++) {
    const from = Math.max(0, q - before)
    const to = Math.min(power.length, q - before + SMOOTHING_BINS)
    power[q] = 10 * Math.log10(((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from) + 1e-30)
  }
  return power
}

function prominence(db: Float64Array, scratch: Float64Array): number {
  const from = Math.ceil(RATE_HZ / CEPSTRUM.ceilingHz)
  const to = Math.floor(RATE_HZ / CEPSTRUM.floorHz)
  let best = from
  for (let q = from; q <= to; q++) if ((db[q] ?? 0) > (db[best] ?? 0)) best = q
  const before = db[best - 1] ?? 0
  const after = db[best + 1] ?? 0
  const offset = vertex(before, db[best] ?? 0, after)
  const height = (db[best] ?? 0) + 0.25 * (after - before) * offset
  const { slope, intercept } = theilLine(db, scratch)
  return height - (intercept + slope * (best + offset))
}

/** Theil's incomplete robust line through `db` from `LINE_START` on: medians of slopes and of intercepts. */
function theilLine(db: Float64Array, scratch: Float64Array): { slope: number; intercept: number } {
  const count = db.length - LINE_START
  const half = Math.floor(count / 2)
  const second = count - half
  const slopes = scratch.subarray(0, half)
  for (let i = 0; i < half; i++) {
    slopes[i] = ((db[LINE_START + second + i] ?? 0) - (db[LINE_START + i] ?? 0)) / second
  }
  const slope = medianInPlace(slopes)
  const intercepts = scratch.subarray(0, count)
  for (let i = 0; i < count; i++) intercepts[i] = (db[LINE_START + i] ?? 0) - slope * (LINE_START + i)
  return { slope, intercept: medianInPlace(intercepts) }
}

/** The median by Hoare's selection, which reorders `values`; sorting them all would cost several times more. */
function medianInPlace(values: Float64Array): number {
  const middle = values.length >> 1
  const upper = selectInPlace(values, middle)
  if (values.length % 2 === 1) return upper
  let lower = Number.NEGATIVE_INFINITY
  for (let i = 0; i < middle; i++) lower = Math.max(lower, values[i] ?? lower)
  return (lower + upper) / 2
}

function selectInPlace(values: Float64Array, rank: number): number {
  let left = 0
  let right = values.length - 1
  while (left < right) {
    const pivot = values[(left + right) >> 1] ?? 0
    let i = left
    let j = right
    while (i <= j) {
      while ((values[i] ?? 0) < pivot) i++
      while ((values[j] ?? 0) > pivot) j--
      if (i <= j) {
        const swapped = values[i] ?? 0
        values[i] = values[j] ?? 0
        values[j] = swapped
        i++
        j--
      }
    }
    if (rank <= j) right = j
    else if (rank >= i) left = i
    else break
  }
  return values[rank] ?? 0
}
