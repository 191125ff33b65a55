import { ANALYSIS_RATE_HZ } from '../limits.ts'
import { Resampler } from './resample.ts'

/** A part of a recording at the rate of the analysis; `start` is the number of its first sample within the whole. */
export interface Signal {
  samples: Float32Array
  start: number
  /** Samples, at the recording's own rate, at or beyond full scale, and samples decoded. */
  clippedSamples: number
  nativeSamples: number
}

export function silence(start: number, end: number): Signal {
  return {
    samples: new Float32Array(Math.max(0, end - start)),
    start,
    clippedSamples: 0,
    nativeSamples: 0,
  }
}

const CLIPPING_LEVEL = 0.9995

/** Decoders of lossy sound overshoot full scale a little; more than this is damage. */
const LOUDEST_SAMPLE = 2

/** Decoders may start a little later than asked; the filter of the resampler needs some samples on both sides. */
export const MARGIN_S = 0.01

/** Samples at the recording's own rate that are held at once, at least. */
const WINDOW_SAMPLES = 32768

/**
 * Turns decoded sound, in whatever pieces it comes, into a signal: mixes the channels, takes off what is no sound, and
 * resamples. Of the sound at the recording's own rate it holds a short window that moves on; what is written behind the
 * window is lost, and what is never written is silence.
 */
export class SignalWriter {
  readonly #signal: Signal
  readonly #resampler: Resampler
  readonly #window: Float32Array
  /** Number within the recording of the window's first sample. */
  #windowStart: number
  /** The samples at the recording's own rate that matter: from `start` up to `end`. */
  readonly start: number
  readonly end: number
  /** Samples of the signal that are done. */
  #done = 0

  /** @param signal silence of the length and place that is wanted, which is filled */
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
      this.#mix(channels, from, until, offset)
      from = until
    }
  }

  /** Completes the signal. */
  finish(): void {
    this.#resampleUntil(this.#signal.samples.length)
  }

  #mix(channels: readonly Float32Array[], from: number, to: number, offset: number): void {
    const window = this.#window
    const [first, second] = channels
    if (first && channels.length === 1) window.set(first.subarray(from, to), offset + from)
    else if (first && second && channels.length === 2) {
      for (let i = from; i < to; i++) window[offset + i] = ((first[i] ?? 0) + (second[i] ?? 0)) / 2
    } else {
      for (let i = from; i < to; i++) {
        let sum = 0
        for (const channel of channels) sum += channel[i] ?? 0
        window[offset + i] = sum / channels.length
      }
    }
    this.#tidy(offset + from, offset + to)
  }

  /** Takes off what damaged or float-coded sound may hold that is no sound, and counts the samples that are clipped. */
  #tidy(from: number, to: number): void {
    const window = this.#window
    for (let i = from; i < to; i++) {
      const sample = window[i] ?? 0
      if (Math.abs(sample) < CLIPPING_LEVEL) continue
      this.#signal.clippedSamples++
      window[i] = Number.isFinite(sample) ? Math.max(-LOUDEST_SAMPLE, Math.min(LOUDEST_SAMPLE, sample)) : 0
    }
  }

  /** Resamples what the window holds whole and drops what is needed no more. */
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
  }

  #resampleUntil(done: number): void {
    const { start, samples } = this.#signal
    if (done <= this.#done) return
    const part = samples.subarray(this.#done, done)
    this.#resampler.resample(this.#window, this.#windowStart, part, start + this.#done)
    this.#done = done
  }
}
