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

/** The frames whose centres lie in `[startS, endS)`, as a half-open range. */
export function framesBetween(grid: FrameGrid, startS: number, endS: number): { from: number; to: number } {
  const at = (timeS: number) => Math.ceil((timeS - grid.firstS) / grid.stepS - 1e-6)
  const clip = (frame: number) => Math.max(0, Math.min(grid.count, frame))
  const from = clip(at(startS))
  return { from, to: Math.max(from, clip(at(endS))) }
}
