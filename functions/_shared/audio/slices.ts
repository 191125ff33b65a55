import { MAX_SLICE_S } from './limits.ts'

/** A part of a recording that one job analyses: `[startS, endS)`. */
export interface AudioSlice {
  index: number
  startS: number
  endS: number
}

/** Parts of equal length, each short enough for one request's share of CPU, that cover the recording. */
export function planSlices(durationS: number, maxSliceS: number = MAX_SLICE_S): AudioSlice[] {
  const count = Math.max(1, Math.ceil(durationS / maxSliceS))
  return Array.from({ length: count }, (_, index) => ({
    index,
    startS: (durationS * index) / count,
    endS: (durationS * (index + 1)) / count,
  }))
}
