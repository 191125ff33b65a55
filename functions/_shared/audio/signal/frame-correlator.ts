import type { Signal } from '../decode/decode-range.ts'
import { ANALYSIS_RATE_HZ } from '../limits.ts'
import { FourierTransform, powerOfTwoAtLeast } from './fft.ts'
import { PERIODS_PER_WINDOW } from './pitch-settings.ts'

/**
 * Autocorrelates windowed frames of a signal, over that of the window itself (Boersma 1993): two frames at a time, as the
 * real and the imaginary part of one Fourier transform.
 */
export class FrameCorrelator {
  readonly #signal: Signal
  readonly #periodSamples: number
  readonly #window: Float64Array
  /** The autocorrelation of the window itself, 1 at lag 0. */
  readonly #windowCorrelation: Float64Array
  readonly #lags: number
  readonly #fft: FourierTransform
  readonly #frames: Float64Array
  readonly #spectrum: Float64Array
  readonly #powers: Float64Array
  readonly #mirrored: Float64Array

  /** @param floorHz the lowest pitch looked for; the window holds three periods of it */
  constructor(signal: Signal, floorHz: number) {
    const windowSamples =
      2 * (Math.floor(Math.floor((PERIODS_PER_WINDOW / floorHz) * ANALYSIS_RATE_HZ) / 2) - 1)
    this.#signal = signal
    this.#periodSamples = Math.floor(ANALYSIS_RATE_HZ / floorHz)
    this.#lags = windowSamples / 2
    this.#window = hanning(windowSamples)
    this.#windowCorrelation = autocorrelation(this.#window, this.#lags)
    // Shorter than the window and its lags together: what wraps around lies under the window's ends, which are near zero.
    this.#fft = new FourierTransform(powerOfTwoAtLeast(windowSamples * 1.25))
    this.#frames = new Float64Array(2 * this.#fft.size)
    this.#spectrum = new Float64Array(2 * this.#fft.size)
    this.#powers = new Float64Array(2 * this.#fft.size)
    this.#mirrored = new Float64Array(2 * this.#lags + 1)
  }

  /** Windows the frame about `timeS` into a slot; returns its largest sample within half a period of the centre. */
  load(timeS: number, slot: 0 | 1): number {
    const { samples, start } = this.#signal
    const window = this.#window
    const half = window.length / 2
    const period = this.#periodSamples
    const halfPeriod = Math.floor(period / 2) + 1
    const left = Math.floor(timeS * ANALYSIS_RATE_HZ - 0.5) - start
    let sum = 0
    for (let i = left + 1 - period; i <= left + period; i++) sum += samples[i] ?? 0
    const mean = sum / (2 * period)
    let peak = 0
    const first = left + 1 - half
    for (let j = 0; j < window.length; j++) {
      const value = ((samples[first + j] ?? 0) - mean) * (window[j] ?? 0)
      this.#frames[2 * j + slot] = value
      if (j >= half - halfPeriod && j < half + halfPeriod) peak = Math.max(peak, Math.abs(value))
    }
    return peak
  }

  /** Empties a slot. */
  clear(slot: 0 | 1): void {
    for (let j = 0; j < this.#window.length; j++) this.#frames[2 * j + slot] = 0
  }

  /** Correlates what both slots hold. */
  correlate(): void {
    const { size } = this.#fft
    const z = this.#spectrum
    this.#fft.forward(z, this.#frames)
    for (let k = 0; k <= size / 2; k++) {
      const m = (size - k) % size
      const re = z[2 * k] ?? 0
      const im = z[2 * k + 1] ?? 0
      const reM = z[2 * m] ?? 0
      const imM = z[2 * m + 1] ?? 0
      const first = ((re + reM) ** 2 + (im - imM) ** 2) / 4
      const second = ((im + imM) ** 2 + (reM - re) ** 2) / 4
      this.#powers[2 * k] = this.#powers[2 * m] = first
      this.#powers[2 * k + 1] = this.#powers[2 * m + 1] = second
    }
    // A power spectrum is real and even, so that its forward transform is also its inverse.
    this.#fft.forward(z, this.#powers)
  }

  /** The normalised autocorrelation of a slot's frame, lag 0 in the middle; overwritten by the next call. */
  correlations(slot: 0 | 1): Float64Array {
    const r = this.#mirrored
    const energy = this.#spectrum[slot] ?? 0
    r[this.#lags] = 1
    for (let lag = 1; lag <= this.#lags; lag++) {
      const value = (this.#spectrum[2 * lag + slot] ?? 0) / (energy * (this.#windowCorrelation[lag] ?? 1))
      r[this.#lags + lag] = value
      r[this.#lags - lag] = value
    }
    return r
  }
}

function hanning(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 1)) / (length + 1)))
}

function autocorrelation(window: Float64Array, lags: number): Float64Array {
  const at = (lag: number) => {
    let sum = 0
    for (let i = 0; i + lag < window.length; i++) sum += (window[i] ?? 0) * (window[i + lag] ?? 0)
    return sum
  }
  const energy = at(0)
  return Float64Array.from({ length: lags + 1 }, (_, lag) => at(lag) / energy)
}
