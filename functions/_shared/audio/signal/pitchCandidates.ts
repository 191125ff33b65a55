import type { Signal } from '../decode/decodeRange.ts'
import { ANALYSIS_RATE_HZ } from '../limits.ts'
import { FourierTransform, powerOfTwoAtLeast } from './fft.ts'
import { type FrameGrid, frameGrid } from './frameGrid.ts'
import { sincPeak } from './sincPeak.ts'

/** Praat's "To Pitch (ac)": floor 75 Hz, ceiling 500 Hz, step 10 ms, Hanning window of three periods of the floor. */
export const PITCH = { floorHz: 75, ceilingHz: 500, stepS: 0.01, periodsPerWindow: 3, octaveCost: 0.01 }

/** Candidates kept of each frame: beyond the strongest few none is ever on the best path. */
export const MAX_CANDIDATES = 4

/** Correlations below half the voicing threshold are no candidates (Praat). */
const MIN_CORRELATION = 0.5 * 0.45

/** A frame this much below the loudest sample is unvoiced whatever its candidates: Praat's silence threshold of 0.03. */
const SILENT_BELOW = (0.03 / 1.45) * 0.999

export interface PitchCandidates {
  /** Number of the first frame within the recording's grid. */
  firstFrame: number
  /** Largest windowed sample about each frame's centre; full scale is 1. */
  localPeak: Float32Array
  /** How many candidates each frame has. */
  counts: Uint8Array
  /** `MAX_CANDIDATES` per frame, in hertz; and the correlation, 0 to 1, of each. */
  frequencies: Float32Array
  strengths: Float32Array
}

export function pitchGrid(durationS: number): FrameGrid {
  return frameGrid(durationS, PITCH.periodsPerWindow / PITCH.floorHz, PITCH.stepS)
}

/**
 * The pitch candidates of frames `from` to `to`: local maxima of the autocorrelation of the windowed signal over that of
 * the window (Boersma 1993, "Accurate short-term analysis of the fundamental frequency …", IFA Proceedings 17).
 *
 * @param peak the loudest sample of the slice; frames far below it get no candidates
 */
export function findPitchCandidates(
  signal: Signal,
  grid: FrameGrid,
  from: number,
  to: number,
  peak: number,
): PitchCandidates {
  const count = to - from
  const result: PitchCandidates = {
    firstFrame: from,
    localPeak: new Float32Array(count),
    counts: new Uint8Array(count),
    frequencies: new Float32Array(count * MAX_CANDIDATES),
    strengths: new Float32Array(count * MAX_CANDIDATES),
  }
  const correlator = new FrameCorrelator(signal)
  let waiting: number | null = null
  for (let frame = 0; frame < count; frame++) {
    const localPeak = correlator.load(grid.firstS + (from + frame) * grid.stepS, waiting === null ? 0 : 1)
    result.localPeak[frame] = localPeak
    if (localPeak === 0 || localPeak < peak * SILENT_BELOW) continue
    if (waiting === null) {
      waiting = frame
      continue
    }
    correlator.correlate()
    selectCandidates(correlator.correlations(0), result, waiting)
    selectCandidates(correlator.correlations(1), result, frame)
    waiting = null
  }
  if (waiting !== null) {
    correlator.clear(1)
    correlator.correlate()
    selectCandidates(correlator.correlations(0), result, waiting)
  }
  return result
}

const windowSamples =
  2 * (Math.floor(Math.floor((PITCH.periodsPerWindow / PITCH.floorHz) * ANALYSIS_RATE_HZ) / 2) - 1)
const halfWindow = windowSamples / 2
const periodSamples = Math.floor(ANALYSIS_RATE_HZ / PITCH.floorHz)
const halfPeriod = Math.floor(periodSamples / 2) + 1
const maxLag = Math.floor(windowSamples / PITCH.periodsPerWindow) + 2
const lagLimit = Math.floor(windowSamples / 2)
const minLag = Math.max(2, Math.floor(ANALYSIS_RATE_HZ / PITCH.ceilingHz) - 1)

const hanning = Float64Array.from(
  { length: windowSamples },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 1)) / (windowSamples + 1)),
)

/** The autocorrelation of the window itself, 1 at lag 0. */
const hanningCorrelation = Float64Array.from({ length: lagLimit + 1 }, (_, lag) => {
  let sum = 0
  for (let i = 0; i + lag < windowSamples; i++) sum += (hanning[i] ?? 0) * (hanning[i + lag] ?? 0)
  return sum / hanning.reduce((energy, w) => energy + w * w, 0)
})

/** Correlates two frames at a time: as the real and the imaginary part of one Fourier transform. */
class FrameCorrelator {
  readonly #signal: Signal
  readonly #fft = new FourierTransform(powerOfTwoAtLeast(windowSamples * 1.5))
  readonly #frames = new Float64Array(2 * this.#fft.size)
  readonly #spectrum = new Float64Array(2 * this.#fft.size)
  readonly #mirrored = new Float64Array(2 * lagLimit + 1)

  constructor(signal: Signal) {
    this.#signal = signal
  }

  /** Windows the frame about `timeS` into a slot and returns its local peak. */
  load(timeS: number, slot: 0 | 1): number {
    const { samples, start } = this.#signal
    const left = Math.floor(timeS * ANALYSIS_RATE_HZ - 0.5) - start
    let sum = 0
    for (let i = left + 1 - periodSamples; i <= left + periodSamples; i++) sum += samples[i] ?? 0
    const mean = sum / (2 * periodSamples)
    let peak = 0
    const first = left + 1 - halfWindow
    for (let j = 0; j < windowSamples; j++) {
      const value = ((samples[first + j] ?? 0) - mean) * (hanning[j] ?? 0)
      this.#frames[2 * j + slot] = value
      if (j >= halfWindow - halfPeriod && j < halfWindow + halfPeriod && Math.abs(value) > peak)
        peak = Math.abs(value)
    }
    return peak
  }

  clear(slot: 0 | 1): void {
    for (let j = 0; j < windowSamples; j++) this.#frames[2 * j + slot] = 0
  }

  correlate(): void {
    const { size } = this.#fft
    this.#fft.forward(this.#spectrum, this.#frames)
    const z = this.#spectrum
    for (let k = 0; k <= size / 2; k++) {
      const m = (size - k) % size
      const [re, im, reM, imM] = [z[2 * k] ?? 0, z[2 * k + 1] ?? 0, z[2 * m] ?? 0, z[2 * m + 1] ?? 0]
      const first = ((re + reM) ** 2 + (im - imM) ** 2) / 4
      const second = ((im + imM) ** 2 + (reM - re) ** 2) / 4
      z[2 * k] = z[2 * m] = first
      z[2 * k + 1] = z[2 * m + 1] = second
    }
    // A power spectrum is real and even, so that its forward transform is also its inverse.
    this.#powers.set(z)
    this.#fft.forward(this.#spectrum, this.#powers)
  }

  readonly #powers = new Float64Array(2 * this.#fft.size)

  /** The normalised autocorrelation of a slot's frame, lag 0 in the middle; valid until the next call. */
  correlations(slot: 0 | 1): Float64Array {
    const r = this.#mirrored
    const energy = this.#spectrum[slot] ?? 0
    r[lagLimit] = 1
    for (let lag = 1; lag <= lagLimit; lag++) {
      const value = (this.#spectrum[2 * lag + slot] ?? 0) / (energy * (hanningCorrelation[lag] ?? 1))
      r[lagLimit + lag] = value
      r[lagLimit - lag] = value
    }
    return r
  }
}

/** Keeps the strongest maxima of the correlation `r` as the candidates of a frame. */
function selectCandidates(r: Float64Array, into: PitchCandidates, frame: number): void {
  const lags: { lag: number; strength: number }[] = []
  for (let lag = minLag; lag < maxLag && lag < lagLimit; lag++) {
    const [before, at, after] = [
      r[lagLimit + lag - 1] ?? 0,
      r[lagLimit + lag] ?? 0,
      r[lagLimit + lag + 1] ?? 0,
    ]
    if (at > MIN_CORRELATION && at > before && at >= after) {
      const rise = after - before
      const curvature = 2 * at - before - after
      const estimate = at + (rise * rise) / (8 * curvature)
      lags.push({ lag, strength: estimate - PITCH.octaveCost * Math.log2(lag) })
    }
  }
  lags.sort((a, b) => b.strength - a.strength)
  const kept = Math.min(MAX_CANDIDATES, lags.length)
  into.counts[frame] = kept
  for (let c = 0; c < kept; c++) {
    const peak = sincPeak(r, lagLimit + (lags[c]?.lag ?? 0))
    into.frequencies[frame * MAX_CANDIDATES + c] = ANALYSIS_RATE_HZ / (peak.x - lagLimit)
    into.strengths[frame * MAX_CANDIDATES + c] = peak.value > 1 ? 1 / peak.value : peak.value
  }
}
