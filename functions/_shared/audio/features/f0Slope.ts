import type { RecordingMeasures } from '../recordingMeasures.ts'
import { mean } from '../statistics.ts'

/**
 * Mean absolute slope of the fundamental frequency between neighbouring voiced frames, in semitones per second
 * (0 and up). Praat: "Get mean absolute slope: Semitones" of the pitch of `f0_mean_hz`.
 */
export function f0Slope(measures: RecordingMeasures): number | null {
  const { values, grid } = measures.pitch
  const steps: number[] = []
  for (let frame = 1; frame < values.length; frame++) {
    const [before, after] = [values[frame - 1] ?? 0, values[frame] ?? 0]
    if (before > 0 && after > 0) steps.push(Math.abs(12 * Math.log2(after / before)) / grid.stepS)
  }
  return mean(steps)
}
