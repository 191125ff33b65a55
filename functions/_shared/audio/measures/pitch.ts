import { powerOfTwoAtLeast } from '../dsp.ts'
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
  /** Shortest lag that may take a candidate's place, in samples. */
  minLag: number
}

const PERIODS_PER_WINDOW = 3

/** Praat's costs of a path are those of steps of 10 ms. */
const PRAAT_STEP_S = 0.01

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
  /** The candidates, frame after frame: in hertz, and the correlation, 0 to 1, of each. */
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
  const localPeak = new Float32Array(count)
  const counts = new Uint8Array(count)
  // The silence threshold makes fainter frames unvoiced whatever their candidates.
  const audible = (0.999 * peak * settings.silenceThreshold) / (1 + settings.voicingThreshold)
  const correlator = new FrameCorrelator(signal, settings, count)
  let waiting: number[] = []
  const correlateWaiting = () => {
    correlator.correlate()
    waiting.forEach((frame, slot) => {
      counts[frame] = correlator.chooseCandidates(slot)
    })
    waiting = []
  }
  for (let frame = 0; frame < count; frame++) {
    const loudest = correlator.load(grid.firstS + (from + frame) * grid.stepS, waiting.length)
    localPeak[frame] = loudest
    if (loudest < FAINTEST_SAMPLE || loudest < audible) continue
    waiting.push(frame)
    if (waiting.length === SLOTS) correlateWaiting()
  }
  if (waiting.length > 0) correlateWaiting()
  return { localPeak, counts, ...correlator.candidates() }
}

/** Lags beyond the longest candidate that its interpolation reaches. */
const INTERPOLATION_REACH = 72

/** Autocorrelates windowed frames of a signal, over that of the window itself (Boersma 1993), eight at a time. */
class FrameCorrelator {
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
  /** Settings of the choice among the maxima, and where it goes. */
  readonly #choice: Pointer
  readonly #frequencies: Pointer
  readonly #strengths: Pointer
  /** Candidates of all frames so far. */
  #chosen = 0

  /** @param frames how many frames there are at most */
  constructor({ samples, start }: Signal, settings: PitchSettings, frames: number) {
    const { floorHz } = settings
    const windowSamples =
      2 * (Math.floor(Math.floor((PERIODS_PER_WINDOW / floorHz) * ANALYSIS_RATE_HZ) / 2) - 1)
    const maxLag = Math.floor(windowSamples / PERIODS_PER_WINDOW) + 2
    this.#kernels = kernels()
    this.#samples = this.#kernels.placeSamples(samples)
    this.#signalStart = start
    this.#periodSamples = Math.floor(ANALYSIS_RATE_HZ / floorHz)
    this.#windowSamples = windowSamples
    this.#lags = Math.min(windowSamples / 2, maxLag + INTERPOLATION_REACH)
    this.#window = this.#kernels.place(hanning(windowSamples))
    this.#windowCorrelation = this.#kernels.place(this.#autocorrelationOfWindow())
    // Shorter than the window and its lags together: what wraps around lies under the window's ends, which are near zero.
    this.#fftSize = powerOfTwoAtLeast(windowSamples * 1.25)
    this.#choice = this.#kernels.placeDoubles([
      ANALYSIS_RATE_HZ,
      settings.ceilingHz,
      settings.minLag,
      maxLag,
      // Praat registers no weaker maxima.
      0.5 * settings.voicingThreshold,
      settings.octaveCost,
      (2 * settings.octaveJumpCost * PRAAT_STEP_S) / settings.stepS,
    ])
    const most = frames * this.#kernels.run.candidates.value
    this.#frequencies = this.#kernels.reserve(most)
    this.#strengths = this.#kernels.reserve(most)
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

  /** Chooses the candidates of a slot's frame, which comes after the last one; returns how many there are. */
  chooseCandidates(slot: number): number {
    const count = this.#kernels.run.choosePitchCandidates(
      this.#kernels.row(slot),
      this.#lags,
      this.#choice,
      this.#frequencies + 4 * this.#chosen,
      this.#strengths + 4 * this.#chosen,
    )
    this.#chosen += count
    return count
  }

  candidates(): Pick<PitchCandidates, 'frequencies' | 'strengths'> {
    return {
      frequencies: this.#kernels.floats(this.#frequencies, this.#chosen).slice(),
      strengths: this.#kernels.floats(this.#strengths, this.#chosen).slice(),
    }
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
  { counts, frequencies, strengths, localPeak }: PitchCandidates,
  globalPeak: number,
  settings: PitchSettings,
): Float32Array {
  const frames = counts.length
  const memory = kernels()
  const perStep = PRAAT_STEP_S / settings.stepS
  const costs = memory.placeDoubles([
    settings.ceilingHz,
    settings.silenceThreshold,
    settings.voicingThreshold,
    settings.octaveCost,
    settings.octaveJumpCost * perStep,
    settings.voicedUnvoicedCost * perStep,
    globalPeak,
  ])
  const placed = [
    memory.placeBytes(counts),
    memory.place(frequencies),
    memory.place(strengths),
    memory.place(localPeak),
  ] as const
  const cameFrom = memory.reserve(4 * frames)
  const path = memory.reserve(frames)
  memory.run.findPitchPath(frames, ...placed, costs, cameFrom, path)
  return memory.floats(path, frames).slice()
}
