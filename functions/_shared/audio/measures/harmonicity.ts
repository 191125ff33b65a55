import { FourierTransform, powerOfTwoAtLeast, sincPeak } from '../dsp.ts'
import { ANALYSIS_RATE_HZ, type FrameGrid, frameGrid, type Signal } from '../signal.ts'

/** Praat's "To Harmonicity (cc)": step 10 ms, floor 75 Hz, silence threshold 0.1, one period per window. */
const HARMONICITY = { floorHz: 75, stepS: 0.01, silenceThreshold: 0.1 }

const windowSamples = 2 * (Math.floor(Math.floor(ANALYSIS_RATE_HZ / HARMONICITY.floorHz) / 2) - 1)
const periodSamples = Math.floor(ANALYSIS_RATE_HZ / HARMONICITY.floorHz)
const maxLag = windowSamples
const spanSamples = windowSamples + maxLag

/** Maxima of the samples that are interpolated: the interpolated strongest one is always among them. */
const REFINED = 2

interface HarmonicityFrames {
  /** Strength of the best correlation, 0 to 1; 0 where a frame is too faint to count. */
  strengths: Float32Array
  /** Largest sample about each frame's centre; full scale is 1. */
  localPeak: Float32Array
}

export function harmonicityGrid(durationS: number): FrameGrid {
  return frameGrid(durationS, 2 / HARMONICITY.floorHz, HARMONICITY.stepS)
}

/**
 * How strongly frames `from` to `to` correlate with themselves one period on: the largest local maximum of the
 * normalised forward cross-correlation, over all lags up to the floor's period (Praat's `Sound_to_Harmonicity_cc`).
 *
 * @param peak the loudest sample of the slice
 */
export function measureHarmonicity(
  signal: Signal,
  grid: FrameGrid,
  from: number,
  to: number,
  peak: number,
): HarmonicityFrames {
  const strengths = new Float32Array(to - from)
  const localPeak = new Float32Array(to - from)
  const correlator = new CrossCorrelator(signal)
  for (let frame = 0; frame < strengths.length; frame++) {
    const timeS = grid.firstS + (from + frame) * grid.stepS
    const { mean, largest } = localLevel(signal, timeS)
    localPeak[frame] = largest
    if (largest === 0 || largest < peak * HARMONICITY.silenceThreshold) continue
    strengths[frame] = strongestMaximum(correlator.correlate(timeS, mean))
  }
  return { strengths, localPeak }
}

/** Whether Praat counts the frame as voiced: its strength against a threshold that rises as the frame gets faint. */
export function isHarmonic(strength: number, relativePeak: number): boolean {
  return strength > Math.max(0, 2 - relativePeak / HARMONICITY.silenceThreshold)
}

/** The harmonics-to-noise ratio in dB that a correlation stands for. */
export function harmonicityDb(strength: number): number {
  return 10 * Math.log10(strength / (1 - strength))
}

function localLevel({ samples, start }: Signal, timeS: number): { mean: number; largest: number } {
  const left = Math.floor(timeS * ANALYSIS_RATE_HZ - 0.5) - start
  let sum = 0
  for (let i = left + 1 - periodSamples; i <= left + periodSamples; i++) sum += samples[i] ?? 0
  const mean = sum / (2 * periodSamples)
  let largest = 0
  for (let i = left + 1 - windowSamples / 2; i <= left + windowSamples / 2; i++) {
    largest = Math.max(largest, Math.abs((samples[i] ?? 0) - mean))
  }
  return { mean, largest }
}

class CrossCorrelator {
  readonly #signal: Signal
  readonly #fft = new FourierTransform(powerOfTwoAtLeast(spanSamples))
  readonly #packed = new Float64Array(2 * this.#fft.size)
  readonly #spectrum = new Float64Array(2 * this.#fft.size)
  readonly #product = new Float64Array(2 * this.#fft.size)
  readonly #mirrored = new Float64Array(2 * maxLag + 1)

  constructor(signal: Signal) {
    this.#signal = signal
  }

  /** The normalised cross-correlation of the window before `timeS` with later ones, lag 0 in the middle. */
  correlate(timeS: number, mean: number): Float64Array {
    const { samples, start } = this.#signal
    const { size } = this.#fft
    const first = Math.floor((timeS - 1 / HARMONICITY.floorHz) * ANALYSIS_RATE_HZ - 0.5) - start
    // The fixed window is the real part and the whole span the imaginary part of one transform.
    for (let i = 0; i < spanSamples; i++) {
      const value = (samples[first + i] ?? 0) - mean
      this.#packed[2 * i] = i < windowSamples ? value : 0
      this.#packed[2 * i + 1] = value
    }
    const z = this.#spectrum
    this.#fft.forward(z, this.#packed)
    for (let k = 0; k < size; k++) {
      const m = (size - k) % size
      const re = z[2 * k] ?? 0
      const im = z[2 * k + 1] ?? 0
      const reM = z[2 * m] ?? 0
      const imM = z[2 * m + 1] ?? 0
      const xRe = (re + reM) / 2
      const xIm = (im - imM) / 2
      const yRe = (im + imM) / 2
      const yIm = (reM - re) / 2
      // X conj(Y), whose forward transform is the correlation, read forwards.
      this.#product[2 * k] = (xRe * yRe + xIm * yIm) / size
      this.#product[2 * k + 1] = (xIm * yRe - xRe * yIm) / size
    }
    this.#fft.forward(z, this.#product)

    const packed = this.#packed
    let energy = 0
    for (let i = 0; i < windowSamples; i++) energy += (packed[2 * i] ?? 0) ** 2
    let later = energy
    const r = this.#mirrored
    r[maxLag] = 1
    for (let lag = 1; lag <= maxLag; lag++) {
      later += (packed[2 * (lag + windowSamples - 1) + 1] ?? 0) ** 2 - (packed[2 * (lag - 1) + 1] ?? 0) ** 2
      const value = energy > 0 && later > 0 ? (z[2 * lag] ?? 0) / Math.sqrt(energy * later) : 0
      r[maxLag + lag] = value
      r[maxLag - lag] = value
    }
    return r
  }
}

function strongestMaximum(r: Float64Array): number {
  const maxima: { lag: number; value: number }[] = []
  for (let lag = 2; lag < maxLag; lag++) {
    const before = r[maxLag + lag - 1] ?? 0
    const at = r[maxLag + lag] ?? 0
    const after = r[maxLag + lag + 1] ?? 0
    if (at > 0 && at > before && at >= after) {
      const rise = after - before
      maxima.push({ lag, value: at + (rise * rise) / (8 * (2 * at - before - after)) })
    }
  }
  maxima.sort((a, b) => b.value - a.value)
  let best = 0
  for (const { lag } of maxima.slice(0, REFINED)) {
    const { value } = sincPeak(r, maxLag + lag)
    best = Math.max(best, value > 1 ? 1 / value : value)
  }
  return best
}
