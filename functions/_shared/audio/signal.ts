/** Sample rate at which everything is measured, in hertz. */
export const ANALYSIS_RATE_HZ = 16000

/**
 * What is fainter counts as silence: 160 dB below full scale, where no microphone hears. Spectra of such sound hold numbers below
 * 1e-38, with which processors compute some ten times as slowly.
 */
export const FAINTEST_SAMPLE = 1e-8

/** A part of a recording at the rate of the analysis; `start` is the number of its first sample within the whole. */
export interface Signal {
  samples: Float32Array
  start: number
  /** Samples, at the recording's own rate, at or beyond full scale, and samples decoded. */
  clippedSamples: number
  nativeSamples: number
}

/** The signal from sample `start` up to `end`, empty, for a `SignalWriter` to fill. */
export function silence(start: number, end: number): Signal {
  return {
    samples: new Float32Array(Math.max(0, end - start)),
    start,
    clippedSamples: 0,
    nativeSamples: 0,
  }
}

/** Gives a signal's memory back at once, 4 MB a minute, which would else pile up until the garbage collector runs. */
export function release({ samples }: Signal): void {
  if (samples.buffer instanceof ArrayBuffer) samples.buffer.transfer(0)
}

/** Equally spaced analysis frames over a whole recording; frame i has its centre at `firstS + i * stepS`. */
export interface FrameGrid {
  count: number
  firstS: number
  stepS: number
}

/**
 * The frames of a short-term analysis as Praat lays them: as many windows as fit, centred within the recording.
 * The grid depends on the whole recording's duration only, so that every slice measures the same frames.
 */
export function frameGrid(durationS: number, windowS: number, stepS: number): FrameGrid {
  const count = Math.max(0, Math.floor((durationS - windowS) / stepS + 1e-9) + 1)
  return { count, firstS: durationS / 2 - ((count - 1) * stepS) / 2, stepS }
}

/** The first frame whose centre is not before a time, exactly; slices share their borders, so `framesBetween` rounds. */
export function frameFrom({ firstS, stepS }: FrameGrid, timeS: number): number {
  return Math.max(0, Math.ceil((timeS - firstS) / stepS))
}

/** The frames whose centres lie in `[startS, endS)`, as a half-open range. */
export function framesBetween(grid: FrameGrid, startS: number, endS: number): { from: number; to: number } {
  const at = (timeS: number) => Math.ceil((timeS - grid.firstS) / grid.stepS - 1e-6)
  const clip = (frame: number) => Math.max(0, Math.min(grid.count, frame))
  const from = clip(at(startS))
  return { from, to: Math.max(from, clip(at(endS))) }
}

/** A value for each frame of a recording; NaN where the slice that holds the frame is missing. */
export interface Contour {
  grid: FrameGrid
  values: Float64Array
}
