import { highest, powerOfTwoAtLeast, vertexHeight } from '../dsp.ts'
import { type Kernels, kernels, type PlacedSamples, type Pointer, SLOTS } from '../kernels.ts'
import { ANALYSIS_RATE_HZ, FAINTEST_SAMPLE, type FrameGrid, frameGrid, type Signal } from '../signal.ts'

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
  let waiting: number[] = []
  const correlateWaiting = () => {
    correlator.correlate()
    waiting.forEach((frame, slot) => {
      selectCandidates(correlator, slot, settings, result, frame)
    })
    waiting = []
  }
  for (let frame = 0; frame < count; frame++) {
    const localPeak = correlator.load(grid.firstS + (from + frame) * grid.stepS, waiting.length)
    result.localPeak[frame] = localPeak
    if (localPeak < FAINTEST_SAMPLE || localPeak < audible) continue
    waiting.push(frame)
    if (waiting.length === SLOTS) correlateWaiting()
  }
  if (waiting.length > 0) correlateWaiting()
  return result
}

/** Keeps the strongest maxima of a slot's correlation as the candidates of a frame. */
function selectCandidates(
  correlator: FrameCorrelator,
  slot: number,
  settings: PitchSettings,
  into: PitchCandidates,
  frame: number,
): void {
  const r = correlator.correlations(slot)
  const zero = (r.length - 1) / 2
  // Praat registers no weaker maxima.
  const weakest = 0.5 * settings.voicingThreshold
  const estimate = (i: number) => vertexHeight(r[i - 1] ?? 0, r[i] ?? 0, r[i + 1] ?? 0)
  const strongest = highest(
    correlator.maximaAbove(slot, settings.minLag, weakest),
    settings.candidates,
    (i) => estimate(i) - settings.octaveCost * Math.log2(i - zero),
  )
  const refined = strongest.map((i) => {
    const { lag, value } = correlator.peakAbout(slot, i - zero)
    return { octaves: Math.log2(ANALYSIS_RATE_HZ / lag), strength: value > 1 ? 1 / value : value }
  })
  const ceiling = Math.log2(settings.ceilingHz)
  const rivals = refined.filter(({ octaves }) => octaves < ceiling)
  let count = 0
  for (const candidate of refined) {
    if (rivals.some((rival) => isBeaten(candidate, rival, settings))) continue
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
function isBeaten(candidate: Candidate, rival: Candidate, costs: PitchSettings): boolean {
  const apart = Math.abs(candidate.octaves - rival.octaves)
  const advantage =
    rival.strength - candidate.strength + costs.octaveCost * (rival.octaves - candidate.octaves)
  const jumps = (2 * costs.octaveJumpCost * 0.01) / costs.stepS
  return apart > 0 && advantage > jumps * apart
}

/** Lags beyond the longest candidate that its interpolation reaches. */
const INTERPOLATION_REACH = 72

/** Autocorrelates windowed frames of a signal, over that of the window itself (Boersma 1993), eight at a time. */
class FrameCorrelator {
  /** Candidates lie below it, in samples. */
  readonly #maxLag: number
  readonly #kernels: Kernels
  readonly #samples: PlacedSamples
  readonly #signalStart: number
  readonly #periodSamples: number
  readonly #windowSamples: number
  readonly #window: Pointer
  /** The autocorrelation of the window itself, 1 at lag 0. */
  readonly #windowCorrelation: Pointer
  readonly #lags: number
  readonly #fftSize: number
  readonly #correlations: Float32Array[]

  /** @param floorHz the lowest pitch looked for; the window holds three periods of it */
  constructor({ samples, start }: Signal, floorHz: number) {
    const windowSamples =
      2 * (Math.floor(Math.floor((PERIODS_PER_WINDOW / floorHz) * ANALYSIS_RATE_HZ) / 2) - 1)
    this.#maxLag = Math.floor(windowSamples / PERIODS_PER_WINDOW) + 2
    this.#kernels = kernels()
    this.#samples = this.#kernels.placeSamples(samples)
    this.#signalStart = start
    this.#periodSamples = Math.floor(ANALYSIS_RATE_HZ / floorHz)
    this.#windowSamples = windowSamples
    this.#lags = Math.min(windowSamples / 2, this.#maxLag + INTERPOLATION_REACH)
    this.#window = this.#kernels.place(hanning(windowSamples))
    this.#windowCorrelation = this.#kernels.place(this.#autocorrelationOfWindow())
    // Shorter than the window and its lags together: what wraps around lies under the window's ends, which are near zero.
    this.#fftSize = powerOfTwoAtLeast(windowSamples * 1.25)
    this.#correlations = Array.from({ length: SLOTS }, (_, slot) =>
      this.#kernels.floats(this.#kernels.row(slot), 2 * this.#lags + 1),
    )
  }

  /** Takes the frame about `timeS` into a slot; returns its largest windowed sample within half a period of the centre. */
  load(timeS: number, slot: number): number {
    const { run } = this.#kernels
    const half = this.#windowSamples / 2
    const near = Math.floor(this.#periodSamples / 2) + 1
    const left = Math.floor(timeS * ANALYSIS_RATE_HZ - 0.5) - this.#signalStart
    const mean = run.meanAbout(this.#samples.at(left), this.#periodSamples)
    this.#kernels.setFrame(slot, this.#samples.at(left + 1 - half), mean)
    return run.largest(this.#samples.at(left + 1 - near), 2 * near, mean, this.#window + 4 * (half - near))
  }

  /** Correlates the frames of all slots. */
  correlate(): void {
    const { run } = this.#kernels
    run.loadFrames(this.#window, this.#windowSamples, this.#fftSize)
    run.transform(this.#fftSize)
    run.powers(this.#fftSize)
    // A power spectrum is real and even, so that its forward transform is also its inverse.
    run.transform(this.#fftSize)
    run.normaliseAutocorrelation(this.#windowCorrelation, this.#lags)
  }

  /** The normalised autocorrelation of a slot's frame, lag 0 in the middle; overwritten by the next call. */
  correlations(slot: number): Float32Array {
    return this.#correlations[slot] ?? new Float32Array(1)
  }

  /** The indices of the local maxima of a slot's correlation above a value, from a lag on. */
  maximaAbove(slot: number, fromLag: number, above: number): number[] {
    return this.#kernels.maxima(
      this.#kernels.row(slot),
      this.#lags + fromLag,
      this.#lags + this.#maxLag,
      above,
    )
  }

  /** The maximum of a slot's interpolated correlation near a lag. */
  peakAbout(slot: number, lag: number): { lag: number; value: number } {
    const value = this.#kernels.run.sincPeak(this.#kernels.row(slot), 2 * this.#lags + 1, this.#lags + lag)
    return { lag: this.#kernels.result(0) - this.#lags, value }
  }

  #autocorrelationOfWindow(): Float64Array {
    const { run } = this.#kernels
    const at = (lag: number) => run.dot(this.#window, this.#window + 4 * lag, this.#windowSamples - lag)
    const energy = at(0)
    return Float64Array.from({ length: this.#lags + 1 }, (_, lag) => at(lag) / energy)
  }
}

function hanning(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 1)) / (length + 1)))
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
