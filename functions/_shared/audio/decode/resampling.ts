import { besselI0 } from '../dsp.ts'
import { kernels } from '../kernels.ts'
import { ANALYSIS_RATE_HZ, FAINTEST_SAMPLE, type Signal } from '../signal.ts'
import { Downmix } from './downmix.ts'

const CLIPPING_LEVEL = 0.9995

/** Decoders of lossy sound overshoot full scale a little; more than this is damage. */
const LOUDEST_SAMPLE = 2

/** Decoders may start a little later than requested; the filter of the resampler needs some samples on both sides. */
export const MARGIN_S = 0.01

/** Samples at the recording's own rate that are held at once, at least. */
const WINDOW_SAMPLES = 32768

/**
 * Turns decoded sound, in whatever pieces it comes, into a signal: mixes the channels, replaces invalid samples, and
 * resamples. Of the sound at the recording's own rate it holds a short window that moves on; what is written behind the
 * window is lost, and what is never written is silence.
 */
export class SignalWriter {
  readonly #signal: Signal
  readonly #resampler: Resampler
  readonly #downmix = new Downmix()
  readonly #window: Float32Array
  /** Number within the recording of the window's first sample. */
  #windowStart: number
  /** The samples at the recording's own rate that matter: from `start` up to `end`. */
  readonly start: number
  readonly end: number
  /** Samples of the window, from its start, that are tidy. */
  #tidied = 0
  /** Samples of the signal that are done. */
  #done = 0

  /** @param signal silence of the requested length and position, which is filled */
  constructor(signal: Signal, rateHz: number) {
    const { start, samples } = signal
    this.#signal = signal
    this.#resampler = new Resampler(rateHz, ANALYSIS_RATE_HZ)
    this.#window = new Float32Array(WINDOW_SAMPLES + 4 * this.#resampler.reach)
    this.start = Math.max(0, Math.floor((start / ANALYSIS_RATE_HZ - MARGIN_S) * rateHz))
    this.end = Math.ceil(((start + samples.length) / ANALYSIS_RATE_HZ + MARGIN_S) * rateHz)
    this.#windowStart = this.start
    signal.nativeSamples = Math.max(0, this.end - this.start)
  }

  /** Writes sound, an array for each channel, whose first sample is number `position` of the recording. */
  write(channels: readonly Float32Array[], position: number): void {
    const to = Math.min(channels[0]?.length ?? 0, this.end - position)
    let from = Math.max(0, this.#windowStart - position)
    while (from < to) {
      while (position + from >= this.#windowStart + this.#window.length) this.#moveOn()
      const offset = position - this.#windowStart
      const until = Math.min(to, this.#window.length - offset)
      this.#tidied = Math.min(this.#tidied, offset + from)
      this.#downmix.write(channels, from, until, this.#window, offset + from)
      from = until
    }
  }

  /** Completes the signal. */
  finish(): void {
    this.#resampleUntil(this.#signal.samples.length)
  }

  /** Replaces samples of damaged or float-coded sound that are not finite, too loud or too faint, and counts the clipped ones. */
  #tidy(): void {
    const fresh = this.#window.subarray(this.#tidied)
    const memory = kernels()
    const placed = memory.place(fresh)
    const { length } = fresh
    this.#signal.clippedSamples += memory.run.tidy(
      placed,
      length,
      FAINTEST_SAMPLE,
      CLIPPING_LEVEL,
      LOUDEST_SAMPLE,
    )
    fresh.set(memory.floats(placed, length))
    this.#tidied = this.#window.length
  }

  /** Resamples what the window holds completely and drops what is no longer needed. */
  #moveOn(): void {
    const { start, samples } = this.#signal
    const windowEnd = this.#windowStart + this.#window.length
    const { reach } = this.#resampler
    // One and a half samples less than the window would bear, so that rounding does no harm.
    const done = this.#resampler.firstOutputAfter(windowEnd - reach - 1.5) - start
    this.#resampleUntil(Math.min(samples.length, done))
    const needed = Math.floor(this.#resampler.placeOf(start + this.#done)) - reach - 2
    const keepFrom = Math.max(this.#windowStart, Math.min(windowEnd, needed))
    this.#window.copyWithin(0, keepFrom - this.#windowStart)
    this.#window.fill(0, windowEnd - keepFrom)
    this.#windowStart = keepFrom
    this.#tidied = windowEnd - keepFrom
  }

  #resampleUntil(done: number): void {
    const { start, samples } = this.#signal
    this.#tidy()
    if (done <= this.#done) return
    const part = samples.subarray(this.#done, done)
    this.#resampler.resample(this.#window, this.#windowStart, part, start + this.#done)
    this.#done = done
  }
}

const ZERO_CROSSINGS = 14
const KAISER_BETA = 7
const PASSBAND = 0.96

/**
 * Resamples by a rational factor with a Kaiser-windowed sinc, stopping what lies above the lower Nyquist frequency.
 *
 * Sample n of a signal stands for the time (n + 0.5) / rate, as in Praat, so that the result of a part of a
 * recording is the same as that part of the whole's.
 */
export class Resampler {
  /** Input samples before and after an output sample that it is made of. */
  readonly reach: number
  readonly #inputPerOutput: number
  readonly #phases: number
  readonly #stride: number
  readonly #cutoff: number
  /** Of each phase: its taps, and the first input sample of its output sample in the first stride. */
  readonly #taps: Float32Array
  readonly #offsets: Int32Array

  constructor(inputRateHz: number, outputRateHz: number) {
    const divisor = greatestCommonDivisor(inputRateHz, outputRateHz)
    this.#inputPerOutput = inputRateHz / outputRateHz
    this.#phases = outputRateHz / divisor
    this.#stride = inputRateHz / divisor
    this.#cutoff = Math.min(1, outputRateHz / inputRateHz) * PASSBAND
    this.reach = inputRateHz === outputRateHz ? 0 : Math.ceil(ZERO_CROSSINGS / this.#cutoff)
    const taps = 2 * this.reach
    this.#taps = new Float32Array(this.#phases * taps)
    this.#offsets = new Int32Array(this.#phases)
    for (let phase = 0; phase < this.#phases; phase++) {
      const position = this.placeOf(phase)
      const left = Math.floor(position)
      this.#taps.set(sincKernel(position - left, this.#cutoff, this.reach), phase * taps)
      this.#offsets[phase] = left - this.reach + 1
    }
  }

  /** Where an output sample lies, in input samples. */
  placeOf(output: number): number {
    return (output + 0.5) * this.#inputPerOutput - 0.5
  }

  /** The number of the first output sample that lies after a place given in input samples. */
  firstOutputAfter(place: number): number {
    return Math.floor((place + 0.5) / this.#inputPerOutput - 0.5) + 1
  }

  /**
   * Computes output samples; those beyond the input are taken from silence.
   *
   * @param input samples, the first one being sample number `inputStart` of the recording
   * @param output where they go, the first one being sample number `outputStart` of the recording
   */
  resample(input: Float32Array, inputStart: number, output: Float32Array, outputStart: number): void {
    if (this.reach === 0) {
      const from = outputStart - inputStart
      const part = input.subarray(Math.max(0, from), Math.max(0, from + output.length))
      output.set(part, Math.max(0, -from))
      return
    }
    const memory = kernels()
    const placed = memory.place(input)
    const result = memory.reserve(output.length)
    const taps = memory.place(this.#taps)
    const offsets = memory.placeIntegers(this.#offsets)
    memory.run.resample(
      placed,
      input.length,
      inputStart,
      result,
      output.length,
      outputStart,
      taps,
      offsets,
      2 * this.reach,
      this.#phases,
      this.#stride,
    )
    output.set(memory.floats(result, output.length))
  }
}

function sincKernel(fraction: number, cutoff: number, half: number): Float64Array {
  const kernel = new Float64Array(2 * half)
  let total = 0
  for (let k = 0; k < kernel.length; k++) {
    const x = k - half + 1 - fraction
    const window = besselI0(KAISER_BETA * Math.sqrt(Math.max(0, 1 - (x / half) ** 2)))
    const value = (x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x)) * window
    kernel[k] = value
    total += value
  }
  for (let k = 0; k < kernel.length; k++) kernel[k] = (kernel[k] ?? 0) / total
  return kernel
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
