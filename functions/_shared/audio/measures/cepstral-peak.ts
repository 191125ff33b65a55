import { Resampler } from '../decode/resampling.ts'
import { powerOfTwoAtLeast } from '../dsp.ts'
import { kernels, SLOTS } from '../kernels.ts'
import { ANALYSIS_RATE_HZ, FAINTEST_SAMPLE, type FrameGrid, frameGrid, type Signal } from '../signal.ts'

/**
 * The settings of the Acoustic Voice Quality Index (Maryn and Weenink 2015): "To PowerCepstrogram: 60, 0.002, 5000, 50"
 * and "Get CPPS: no, 0.01, 0.001, 60, 330, 0.05, parabolic, 0.001, 0, Straight, Robust".
 */
const CEPSTRUM = { floorHz: 60, ceilingHz: 330, stepS: 0.01, maxFrequencyHz: 5000, preEmphasisHz: 50 }

const RATE_HZ = 2 * CEPSTRUM.maxFrequencyHz
const WINDOW_S = 6 / CEPSTRUM.floorHz
const windowSamples = Math.round(WINDOW_S * RATE_HZ)
const fftSize = powerOfTwoAtLeast(windowSamples)
const quefrencies = fftSize / 2 + 1

/** Bins that the smoothing along quefrency averages: 1 ms. */
const SMOOTHING_BINS = Math.floor(0.001 * RATE_HZ)

const LINE_START = Math.round(0.001 * RATE_HZ)
const PEAK = { from: Math.ceil(RATE_HZ / CEPSTRUM.ceilingHz), to: Math.floor(RATE_HZ / CEPSTRUM.floorHz) }
const PRE_EMPHASIS = Math.exp((-2 * Math.PI * CEPSTRUM.preEmphasisHz) / RATE_HZ)

/** Praat's Gaussian window, which reaches zero at its edges. */
const gaussian = Float64Array.from({ length: windowSamples }, (_, i) => {
  const middle = 0.5 * (windowSamples + 1)
  const edge = Math.exp(-12)
  const phase = (i + 1 - middle) / (windowSamples + 1)
  return (Math.exp(-48 * phase * phase) - edge) / (1 - edge)
})

export function cepstrumGrid(durationS: number): FrameGrid {
  return frameGrid(durationS, WINDOW_S, CEPSTRUM.stepS)
}

/**
 * The smoothed cepstral peak prominence of frames `from` to `to` in dB: the height of the cepstral peak over a straight
 * line fitted to the cepstrum (Hillenbrand and Houde 1996; Praat's PowerCepstrogram). The cepstra are smoothed along
 * quefrency; averaging them over 10 ms as well, as Praat does, moves the mean by less than 0.2 dB, since the windows of
 * 0.1 s overlap, and would cost five times as much. Digital silence gives NaN: Praat measures its resampler's ripple there.
 */
export function measureCepstralPeak(signal: Signal, grid: FrameGrid, from: number, to: number): Float32Array {
  const sound = resampled(signal)
  const memory = kernels()
  const { run } = memory
  const samples = memory.placeSamples(sound.samples)
  run.preEmphasise(samples.first, sound.samples.length, PRE_EMPHASIS)
  const window = memory.place(gaussian)
  const half = windowSamples / 2
  const heights = memory.floats(run.scratch.value + 2 * 4 * SLOTS, SLOTS)
  const result = new Float32Array(to - from).fill(Number.NaN)

  let waiting: number[] = []
  const measureWaiting = () => {
    run.loadFrames(window, windowSamples, fftSize)
    run.transform(fftSize)
    run.logPowers(fftSize)
    run.transform(fftSize)
    run.smoothedPowerDb(LINE_START, quefrencies, SMOOTHING_BINS)
    run.theilLines(LINE_START, quefrencies)
    run.heightsOverLines(PEAK.from, PEAK.to)
    waiting.forEach((frame, slot) => {
      result[frame - from] = heights[slot] ?? Number.NaN
    })
    waiting = []
  }
  for (let frame = from; frame < to; frame++) {
    const first = Math.round((grid.firstS + frame * grid.stepS) * RATE_HZ - half) - sound.start
    const mean = run.meanAbout(samples.at(first + half - 1), half)
    if (run.largest(samples.at(first), windowSamples, mean, window) < FAINTEST_SAMPLE) continue
    memory.setFrame(waiting.length, samples.at(first), mean)
    waiting.push(frame)
    if (waiting.length === SLOTS) measureWaiting()
  }
  if (waiting.length > 0) measureWaiting()
  return result
}

interface Resampled {
  samples: Float32Array
  start: number
}

function resampled(signal: Signal): Resampled {
  const start = Math.ceil((signal.start * RATE_HZ) / ANALYSIS_RATE_HZ)
  const length = Math.floor((signal.samples.length * RATE_HZ) / ANALYSIS_RATE_HZ)
  const samples = new Float32Array(length)
  new Resampler(ANALYSIS_RATE_HZ, RATE_HZ).resample(signal.samples, signal.start, samples, start)
  return { samples, start }
}
