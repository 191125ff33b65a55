import { expect } from 'vitest'
import type { AudioAnalysis } from '../../../functions/_shared/audio/merge-slices.ts'
import type { AudioFeatureName } from '../../../functions/_shared/features/audio.ts'

interface Tolerance {
  /** Furthest that the value may move: in the feature's unit, or as a part of the value. */
  by: { absolute: number } | { relative: number }
  reason: string
}

/** How far each feature may move when the same speech is stored, sampled or begun otherwise. */
export const TOLERANCES: Record<AudioFeatureName, Tolerance> = {
  f0_mean_hz: { by: { relative: 0.005 }, reason: 'a frame or two at the edge of voice change sides' },
  f0_sd_semitones: { by: { relative: 0.03 }, reason: 'such frames lie far from the mean' },
  f0_range_semitones: { by: { relative: 0.03 }, reason: 'such frames shift both percentiles' },
  f0_slope_semitones_per_s: {
    by: { relative: 0.05 },
    reason: 'coding noise in the contour adds to its steps',
  },
  intensity_mean_db: {
    by: { absolute: 0.6 },
    reason: 'low-rate coders lower the level by up to half a decibel',
  },
  intensity_sd_db: {
    by: { absolute: 0.6 },
    reason: 'without high frequencies the faintest frames are fainter',
  },
  intensity_range_db: { by: { absolute: 1 }, reason: 'two steps of 0.5 dB in which intensity is kept' },
  voiced_fraction: { by: { absolute: 0.02 }, reason: 'frames at the edge of voice' },
  speech_rate_syllables_per_s: { by: { relative: 0.08 }, reason: 'one faint peak in twenty appears or goes' },
  articulation_rate_syllables_per_s: { by: { relative: 0.08 }, reason: 'the same peaks' },
  phonation_ratio: { by: { absolute: 0.02 }, reason: 'the ends of runs move by a frame of 16 ms' },
  pause_rate_per_min: { by: { relative: 0.02 }, reason: 'the same pauses over a span that moves by a frame' },
  pause_mean_s: { by: { relative: 0.05 }, reason: 'the ends of pauses move by a frame of 16 ms' },
  pause_sd_s: { by: { absolute: 0.03 }, reason: 'the ends of pauses move by a frame of 16 ms' },
  long_pause_rate_per_min: {
    by: { relative: 0.02 },
    reason: 'the same pauses over a span that moves by a frame',
  },
  speech_run_mean_s: { by: { relative: 0.02 }, reason: 'the ends of runs move by a frame of 16 ms' },
  jitter_local: { by: { relative: 0.06 }, reason: 'coders shift single pulses by parts of a sample' },
  shimmer_local: { by: { relative: 0.06 }, reason: 'coders change the amplitude of single pulses' },
  hnr_db: { by: { absolute: 1 }, reason: 'coders add noise, or take away the noise above their band' },
  cpps_db: { by: { absolute: 1 }, reason: 'coders add noise, or take away the noise above their band' },
  alpha_ratio_db: { by: { absolute: 0.5 }, reason: 'at 8 kHz what lies between 4 and 5 kHz is missing' },
  hammarberg_index_db: { by: { absolute: 0.5 }, reason: 'the strongest peak lies under 4 kHz at any rate' },
  voice_break_fraction: { by: { absolute: 0.02 }, reason: 'frames at the edge of voice' },
}

/**
 * Expects two analyses to agree within the tolerances: what one cannot measure the other can't either.
 *
 * @param shifts by how much a feature is known to move
 */
export function expectAgreement(
  { features }: AudioAnalysis,
  reference: AudioAnalysis,
  shifts: Partial<Record<AudioFeatureName, number>> = {},
): void {
  for (const [name, { by, reason }] of Object.entries(TOLERANCES) as [AudioFeatureName, Tolerance][]) {
    const value = features[name]
    const expected = reference.features[name]
    if (value === null || expected === null) {
      expect(value, name).toBe(expected)
      continue
    }
    const moved = Math.abs(value - expected - (shifts[name] ?? 0))
    const allowed = 'absolute' in by ? by.absolute : Math.abs(expected) * by.relative
    expect(moved, `${name} may move (${reason})`).toBeLessThanOrEqual(allowed)
  }
}
