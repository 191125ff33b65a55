import { FourierTransform, powerOfTwoAtLeast, sincPeak } from '../dsp.ts'
import { ANALYSIS_RATE_HZ, type FrameGrid, frameGrid, type Signal } from '../signal.ts'

/** Settings of Praat's "To Pitch (ac)" with a Hanning window of three periods of the floor. */
interface PitchSettings {
  floorHz: number
  ceilingHz: number
  stepS: number
  octaveCost: number
  octaveJumpCost: number
  voicedUnvoicedCost: number
  silenceThreshold: number
  voicingThreshold: number
  /** Most voiced candidates of a frame. */
  candidates: number
  /** Shortest lag that may take a candidate's place, in samples. */
  minLag: number
}

/** Praat's number of candidates, the unvoiced one left out. */
export const MAX_CANDIDATES = 14

const PERIODS_PER_WINDOW = 3

/** "To Pitch (ac): 0.01, 75, 15, no, 0.03, 0.45, 0.01, 0.35, 0.14, 500". */
export const PITCH: PitchSettings = {
  floorHz: 75,
  ceilingHz: 500,
  stepS: 0.01,
  octaveCost: 0.01,
  octaveJumpCost: 0.35,
  voicedUnvoicedCost: 0.14,
  silenceThreshold: 0.03,
  voicingThreshold: 0.45,
  candidates: MAX_CANDIDATES,
  minLag: ANALYSIS_RATE_HZ / 500 - 1,
}

/**
 * "To Pitch (ac): 0.02, 30, 4, no, 0.03, 0.25, 0.01, 0.35, 0.25, 450", by which de Jong and Wempe (2009) tell voiced
 * syllables. Praat raises the 4 candidates to the ceiling over the floor, 15; those above the ceiling may take the places
 * of others.
 */
export const SYLLABLE_PITCH: PitchSettings = {
  floorHz: 30,
  ceilingHz: 450,
  stepS: 0.02,
  octaveCost: 0.01,
  octaveJumpCost: 0.35,
  voicedUnvoicedCost: 0.25,
  silenceThreshold: 0.03,
  voicingThreshold: 0.25,
  candidates: MAX_CANDIDATES,
  minLag: 2,
}

export function pitchGrid(durationS: number, { floorHz, stepS }: PitchSettings = PITCH): FrameGrid {
  return frameGrid(durationS, PERIODS_PER_WINDOW / floorHz, stepS)
}

export interface PitchCandidates {
  /** Largest windowed sample about each frame's centre; full scale is 1. */
  localPeak: Float32Array
  /** How many candidates each frame has. */
  counts: Uint8Array
  /** As many per frame as the settings' `candidates`, in hertz; and the correlation, 0 to 1, of each. */
  frequencies: Float32Array
  strengths: Float32Array
}

/**
 * The pitch candidates of frames `from` to `to`: local maxima of the autocorrelation (Boersma 1993, "Accurate short-term
 * analysis of the fundamental frequency and the harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17).
 *
 * @param peak the loudest sample of the slice; frames far below it get no candidates
 */
export function findPitchCandidates(
  signal: Signal,
  grid: FrameGrid,
  from: number,
  to: number,
  peak: number,
  settings: PitchSettings,
): PitchCandidates {
  const count = to - from
  const result: PitchCandidates = {
    localPeak: new Float32Array(count),
    counts: new Uint8Array(count),
    frequencies: new Float32Array(count * settings.candidates),
    strengths: new Float32Array(count * settings.candidates),
  }
  // The silence threshold makes fainter frames unvoiced whatever their candidates.
  const audible = (0.999 * peak * settings.silenceThreshold) / (1 + settings.voicingThreshold)
  const correlator = new FrameCorrelator(signal, settings.floorHz)
  let waiting: number | null = null
  for (let frame = 0; frame < count; frame++) {
    const localPeak = correlator.load(grid.firstS + (from + frame) * grid.stepS, waiting === null ? 0 : 1)
    result.localPeak[frame] = localPeak
    if (localPeak === 0 || localPeak < audible) continue
    if (waiting === null) {
      waiting = frame
      continue
    }
    correlator.correlate()
    selectCandidates(correlator.correlations(0), settings, result, waiting)
    selectCandidates(correlator.correlations(1), settings, result, frame)
    waiting = null
  }
  if (waiting !== null) {
    correlator.clear(1)
    correlator.correlate()
    selectCandidates(correlator.correlations(0), settings, result, waiting)
  }
  return result
}

/** Keeps the strongest maxima of the correlation `r`, lag 0 in its middle, as the candidates of a frame. */
function selectCandidates(
  r: Float64Array,
  settings: PitchSettings,
  into: PitchCandidates,
  frame: number,
): void {
  const zero = (r.length - 1) / 2
  const maxLag = Math.min(zero, Math.floor((2 * zero) / PERIODS_PER_WINDOW) + 2)
  // Praat registers no weaker maxima.
  const weakest = 0.5 * settings.voicingThreshold
  const lags: { lag: number; strength: number }[] = []
  for (let lag = settings.minLag; lag < maxLag; lag++) {
    const at = r[zero + lag] ?? 0
    if (!(at > weakest)) continue
    const before = r[zero + lag - 1] ?? 0
    const after = r[zero + lag + 1] ?? 0
    if (at > before && at >= after) {
      const estimate = at + (after - before) ** 2 / (8 * (2 * at - before - after))
      lags.push({ lag, strength: estimate - settings.octaveCost * Math.log2(lag) })
    }
  }
  lags.sort((a, b) => b.strength - a.strength)
  const refined = lags.slice(0, settings.candidates).map(({ lag }) => {
    const { x, value } = sincPeak(r, zero + lag)
    return { octaves: Math.log2(ANALYSIS_RATE_HZ / (x - zero)), strength: value > 1 ? 1 / value : value }
  })
  let count = 0
  for (const candidate of refined) {
    if (refined.some((rival) => isBeaten(candidate, rival, settings))) continue
    into.frequencies[frame * settings.candidates + count] = 2 ** candidate.octaves
    into.strengths[frame * settings.candidates + count] = candidate.strength
    count++
  }
  into.counts[frame] = count
}

interface Candidate {
  /** Frequency in octaves over 1 Hz. */
  octaves: number
  strength: number
}

/**
 * Whether a rival is so much stronger that any path through the candidate is better through the rival, even at the cost of
 * jumping to it and back.
 */
function isBeaten(candidate: Candidate, rival: Candidate, settings: PitchSettings): boolean {
  const { ceilingHz, octaveCost, octaveJumpCost, stepS } = settings
  const apart = Math.abs(candidate.octaves - rival.octaves)
  const advantage = rival.strength - candidate.strength + octaveCost * (rival.octaves - candidate.octaves)
  const jumps = (2 * octaveJumpCost * 0.01) / stepS
  return apart > 0 && rival.octaves < Math.log2(ceilingHz) && advantage > jumps * apart
}

/**
 * Autocorrelates windowed frames of a signal, over that of the window itself (Boersma 1993): two frames at a time, as the
 * real and the imaginary part of one Fourier transform.
 */
class FrameCorrelator {
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

/**
 * The most probable sequence of candidates by Viterbi's algorithm (Boersma 1993; Praat's `Pitch_pathFinder`).
 *
 * @param globalPeak the loudest sample of the whole recording
 * @returns the fundamental frequency of each frame in hertz, 0 where it is unvoiced
 */
export function findPitchPath(
  candidates: PitchCandidates,
  globalPeak: number,
  settings: PitchSettings,
): Float64Array {
  const { counts, frequencies, strengths, localPeak } = candidates
  const frames = counts.length
  const maxStates = settings.candidates + 1
  const cameFrom = new Uint8Array(frames * maxStates)
  const pitch = new Float64Array(frames)
  let previousScores = new Float64Array(maxStates)
  let scores = new Float64Array(maxStates)
  // Praat's costs are those of steps of 10 ms.
  const costs: TransitionCosts = {
    octaveJump: (settings.octaveJumpCost * 0.01) / settings.stepS,
    voicedUnvoiced: (settings.voicedUnvoicedCost * 0.01) / settings.stepS,
  }
  const previousLog = new Float64Array(maxStates)
  const currentLog = new Float64Array(maxStates)
  let previousStates = 0

  for (let frame = 0; frame < frames; frame++) {
    const states = (counts[frame] ?? 0) + 1
    const unvoiced = unvoicedStrength((localPeak[frame] ?? 0) / globalPeak, settings)
    for (let state = 0; state < states; state++) {
      const at = frame * settings.candidates + state - 1
      const frequency = state === 0 ? 0 : (frequencies[at] ?? 0)
      const voiced = frequency > 0 && frequency < settings.ceilingHz
      currentLog[state] = voiced ? Math.log2(frequency) : -1
      const local = voiced
        ? (strengths[at] ?? 0) - settings.octaveCost * Math.log2(settings.ceilingHz / frequency)
        : unvoiced
      let best = previousStates === 0 ? 0 : Number.NEGATIVE_INFINITY
      for (let previous = 0; previous < previousStates; previous++) {
        const score =
          (previousScores[previous] ?? 0) -
          transitionCost(previousLog[previous] ?? -1, currentLog[state] ?? -1, costs)
        if (score > best) {
          best = score
          cameFrom[frame * maxStates + state] = previous
        }
      }
      scores[state] = best + local
    }
    for (let state = 0; state < states; state++) previousLog[state] = currentLog[state] ?? -1
    ;[previousScores, scores] = [scores, previousScores]
    previousStates = states
  }

  let state = 0
  for (let s = 1; s < previousStates; s++)
    if ((previousScores[s] ?? 0) > (previousScores[state] ?? 0)) state = s
  for (let frame = frames - 1; frame >= 0; frame--) {
    const frequency = state === 0 ? 0 : (frequencies[frame * settings.candidates + state - 1] ?? 0)
    pitch[frame] = frequency < settings.ceilingHz ? frequency : 0
    state = cameFrom[frame * maxStates + state] ?? 0
  }
  return pitch
}

function unvoicedStrength(
  relativePeak: number,
  { silenceThreshold, voicingThreshold }: PitchSettings,
): number {
  const silence = 2 - relativePeak / (silenceThreshold / (1 + voicingThreshold))
  return voicingThreshold + Math.max(0, silence)
}

interface TransitionCosts {
  octaveJump: number
  voicedUnvoiced: number
}

function transitionCost(previousLog: number, currentLog: number, costs: TransitionCosts): number {
  if (previousLog < 0) return currentLog < 0 ? 0 : costs.voicedUnvoiced
  return currentLog < 0 ? costs.voicedUnvoiced : costs.octaveJump * Math.abs(previousLog - currentLog)
}
