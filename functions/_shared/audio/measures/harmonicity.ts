import { powerOfTwoAtLeast } from '../dsp.ts'
import { type Kernels, kernels, type PlacedSamples, type Pointer, SLOTS } from '../kernels.ts'
import { ANALYSIS_RATE_HZ, FAINTEST_SAMPLE, type FrameGrid, frameGrid, type Signal } from '../signal.ts'

/** Praat's "To Harmonicity (cc)": step 10 ms, floor 75 Hz, silence threshold 0.1, one period per window. */
const HARMONICITY = { floorHz: 75, stepS: 0.01, silenceThreshold: 0.1 }

const windowSamples = 2 * (Math.floor(Math.floor(ANALYSIS_RATE_HZ / HARMONICITY.floorHz) / 2) - 1)
const periodSamples = Math.floor(ANALYSIS_RATE_HZ / HARMONICITY.floorHz)
const maxLag = windowSamples
const spanSamples = windowSamples + maxLag

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
  let waiting: number[] = []
  const correlateWaiting = () => {
    correlator.correlate()
    waiting.forEach((frame, slot) => {
      strengths[frame] = correlator.strongestMaximum(slot)
    })
    waiting = []
  }
  for (let frame = 0; frame < strengths.length; frame++) {
    const largest = correlator.load(grid.firstS + (from + frame) * grid.stepS, waiting.length)
    localPeak[frame] = largest
    if (largest < FAINTEST_SAMPLE || largest < peak * HARMONICITY.silenceThreshold) continue
    waiting.push(frame)
    if (waiting.length === CORRELATED) correlateWaiting()
  }
  if (waiting.length > 0) correlateWaiting()
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

/** A cross-correlation takes both the real and the imaginary part of a batch. */
const CORRELATED = SLOTS / 2

const fftSize = powerOfTwoAtLeast(spanSamples)
const rowLength = 2 * maxLag + 1

/** Cross-correlates the window before a time with later ones, four frames at a time. */
class CrossCorrelator {
  readonly #kernels: Kernels
  readonly #samples: PlacedSamples
  readonly #signalStart: number
  readonly #unity: Pointer

  constructor({ samples, start }: Signal) {
    this.#kernels = kernels()
    this.#samples = this.#kernels.placeSamples(samples)
    this.#signalStart = start
    this.#unity = this.#kernels.place(new Float32Array(spanSamples).fill(1))
  }

  /** Takes the frame about `timeS` into a slot; returns its largest sample. */
  load(timeS: number, slot: number): number {
    const { run } = this.#kernels
    const left = Math.floor(timeS * ANALYSIS_RATE_HZ - 0.5) - this.#signalStart
    const first = Math.floor((timeS - 1 / HARMONICITY.floorHz) * ANALYSIS_RATE_HZ - 0.5) - this.#signalStart
    const mean = run.meanAbout(this.#samples.at(left), periodSamples)
    this.#kernels.setFrame(slot, this.#samples.at(first), mean)
    return run.largest(this.#samples.at(left + 1 - windowSamples / 2), windowSamples, mean, this.#unity)
  }

  /** Correlates the frames of all slots. */
  correlate(): void {
    const { run } = this.#kernels
    run.loadSpans(this.#unity, windowSamples, spanSamples, fftSize)
    run.transform(fftSize)
    run.crossPowers(fftSize)
    run.transform(fftSize)
    run.normaliseCrossCorrelation(windowSamples, maxLag)
  }

  /** The largest local maximum of a slot's normalised cross-correlation, interpolated. */
  strongestMaximum(slot: number): number {
    return this.#kernels.run.strongestMaximum(this.#kernels.row(slot), rowLength, maxLag + 2, 2 * maxLag)
  }
}
