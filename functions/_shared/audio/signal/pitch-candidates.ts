import type { Signal } from '../decode/decode-range.ts'
import { ANALYSIS_RATE_HZ } from '../limits.ts'
import { FrameCorrelator } from './frame-correlator.ts'
import type { FrameGrid } from './frame-grid.ts'
import { PERIODS_PER_WINDOW, type PitchSettings } from './pitch-settings.ts'
import { sincPeak } from './sinc-peak.ts'

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
  let waiting: number | null = null
  for (let frame = 0; frame < count; frame++) {
    const localPeak = correlator.load(grid.firstS + (from + frame) * grid.stepS, waiting === null ? 0 : 1)
    result.localPeak[frame] = localPeak
    if (localPeak === 0 || localPeak < audible) continue
    if (waiting === null) {
      waiting = frame
      continue
    }
    correlator.correlate()
    selectCandidates(correlator.correlations(0), settings, result, waiting)
    selectCandidates(correlator.correlations(1), settings, result, frame)
    waiting = null
  }
  if (waiting !== null) {
    correlator.clear(1)
    correlator.correlate()
    selectCandidates(correlator.correlations(0), settings, result, waiting)
  }
  return result
}

/** Keeps the strongest maxima of the correlation `r`, lag 0 in its middle, as the candidates of a frame. */
function selectCandidates(
  r: Float64Array,
  settings: PitchSettings,
  into: PitchCandidates,
  frame: number,
): void {
  const zero = (r.length - 1) / 2
  const maxLag = Math.min(zero, Math.floor((2 * zero) / PERIODS_PER_WINDOW) + 2)
  // Praat registers no weaker maxima.
  const weakest = 0.5 * settings.voicingThreshold
  const lags: { lag: number; strength: number }[] = []
  for (let lag = settings.minLag; lag < maxLag; lag++) {
    const at = r[zero + lag] ?? 0
    if (!(at > weakest)) continue
    const before = r[zero + lag - 1] ?? 0
    const after = r[zero + lag + 1] ?? 0
    if (at > before && at >= after) {
      const estimate = at + (after - before) ** 2 / (8 * (2 * at - before - after))
      lags.push({ lag, strength: estimate - settings.octaveCost * Math.log2(lag) })
    }
  }
  lags.sort((a, b) => b.strength - a.strength)
  const refined = lags.slice(0, settings.candidates).map(({ lag }) => {
    const { x, value } = sincPeak(r, zero + lag)
    return { octaves: Math.log2(ANALYSIS_RATE_HZ / (x - zero)), strength: value > 1 ? 1 / value : value }
  })
  let count = 0
  for (const candidate of refined) {
    if (refined.some((rival) => isBeaten(candidate, rival, settings))) continue
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
function isBeaten(candidate: Candidate, rival: Candidate, { ceilingHz, ...costs }: PitchSettings): boolean {
  const apart = Math.abs(candidate.octaves - rival.octaves)
  const advantage =
    rival.strength - candidate.strength + costs.octaveCost * (rival.octaves - candidate.octaves)
  const jumps = (2 * costs.octaveJumpCost * 0.01) / costs.stepS
  return apart > 0 && rival.octaves < Math.log2(ceilingHz) && advantage > jumps * apart
}
