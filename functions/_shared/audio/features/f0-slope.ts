import type { RecordingMeasures } from '../recording-measures.ts'

/**
 * Mean absolute slope of the fundamental frequency, in semitones per second (0 and up): the changes between one voiced
 * frame and the next, over unvoiced ones too, by the time from the first to the last voiced frame.
 * Praat: "Get mean absolute slope: Semitones" of the pitch of `f0_mean_hz`.
 */
export function f0Slope({ pitch: { values, grid } }: RecordingMeasures): number | null {
  let change = 0
  let seconds = 0
  let previous: number | null = null
  values.forEach((hertz, frame) => {
    if (Number.isNaN(hertz)) previous = null
    if (!(hertz > 0)) return
    if (previous !== null) {
      change += Math.abs(12 * Math.log2(hertz / (values[previous] ?? hertz)))
      seconds += (frame - previous) * grid.stepS
    }
    previous = frame
  })
  return seconds > 0 ? change / seconds : null
}
