import { besselI0 } from '../dsp.ts'
import { kernels } from '../kernels.ts'
import { ANALYSIS_RATE_HZ, type FrameGrid, frameGrid, type Signal } from '../signal.ts'

/** Praat's "To Intensity" with its default of 100 Hz, for the intensity features. */
export const INTENSITY_FLOOR_HZ = 100

/** Praat's "To Intensity" with 50 Hz, smooth enough to count syllables and pauses on (de Jong and Wempe 2009). */
export const SYLLABLE_FLOOR_HZ = 50

/** Praat's auditory threshold: the square of 2e-5 Pa, a sample of 1 standing for 1 Pa. */
const REFERENCE = 4e-10

/** What Praat gives for digital silence, in dB. */
const SILENCE_DB = -300

export function intensityGrid(durationS: number, floorHz: number): FrameGrid {
  return frameGrid(durationS, 6.4 / floorHz, 0.8 / floorHz)
}

/**
 * Intensity in dB re 2e-5 Pa of frames `from` to `to`, weighted by a Kaiser-20 window of 6.4 periods of the floor after
 * subtracting the window's mean (Praat's `Sound_to_Intensity`).
 */
export function measureIntensity(
  signal: Signal,
  grid: FrameGrid,
  floorHz: number,
  from: number,
  to: number,
): Float32Array {
  const half = Math.floor((3.2 / floorHz) * ANALYSIS_RATE_HZ)
  const window = Float64Array.from({ length: 2 * half + 1 }, (_, i) => {
    const root = 1 - ((i - half) / ((3.2 / floorHz) * ANALYSIS_RATE_HZ)) ** 2
    return root <= 0 ? 0 : besselI0((2 * Math.PI * Math.PI + 0.5) * Math.sqrt(root))
  })
  const memory = kernels()
  const samples = memory.placeSamples(signal.samples)
  const weights = memory.place(window)
  const result = new Float32Array(to - from)
  for (let frame = from; frame < to; frame++) {
    const middle = Math.round((grid.firstS + frame * grid.stepS) * ANALYSIS_RATE_HZ - 0.5) - signal.start
    const first = Math.max(0, middle - half)
    const count = Math.min(signal.samples.length, middle + half + 1) - first
    const power = memory.run.weightedPower(samples.at(first), weights + 4 * (first - middle + half), count)
    const intensity = power / REFERENCE
    result[frame - from] = intensity > 1e-30 ? 10 * Math.log10(intensity) : SILENCE_DB
  }
  return result
}
