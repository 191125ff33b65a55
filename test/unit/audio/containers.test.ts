import { beforeAll, describe, expect, it } from 'vitest'
import {
  AUDIO_FEATURES,
  type AudioAnalysis,
  type AudioFeatureName,
} from '../../../functions/_shared/audio/index.ts'
import { analyze, fixture } from './recordings.ts'

/** How far a feature may move through lossy coding: parts of the value, or in its unit where `absolute`. */
const TOLERANCES: Partial<Record<AudioFeatureName, { relative: number } | { absolute: number }>> = {
  f0_mean_hz: { relative: 0.005 },
  f0_sd_semitones: { relative: 0.03 },
  f0_range_semitones: { relative: 0.03 },
  f0_slope_semitones_per_s: { relative: 0.05 },
  intensity_mean_db: { absolute: 0.6 },
  intensity_sd_db: { absolute: 0.3 },
  intensity_range_db: { absolute: 1 },
  voiced_fraction: { absolute: 0.02 },
  speech_rate_syllables_per_s: { relative: 0.08 },
  articulation_rate_syllables_per_s: { relative: 0.08 },
  phonation_ratio: { absolute: 0.02 },
  speech_run_mean_s: { relative: 0.02 },
  jitter_local: { relative: 0.06 },
  shimmer_local: { relative: 0.06 },
  hnr_db: { absolute: 1 },
  cpps_db: { absolute: 1 },
  alpha_ratio_db: { absolute: 0.5 },
  hammarberg_index_db: { absolute: 0.5 },
  voice_break_fraction: { absolute: 0.02 },
}

describe('the same recording in every container', () => {
  let reference: AudioAnalysis
  beforeAll(async () => {
    reference = await analyze(await fixture('short.wav'))
  })

  it('has all features as wav, but those that need a pause', () => {
    const missing = Object.entries(reference.features).filter(([, value]) => value === null)
    expect(missing.map(([name]) => name)).toEqual(['pause_sd_s'])
    expect(reference.quality).toMatchObject({ reason: null })
  })

  it('gives the same as flac, which loses nothing', async () => {
    const { features } = await analyze(await fixture('short.flac'))
    for (const { name } of AUDIO_FEATURES) {
      const expected = reference.features[name]
      if (expected === null) expect(features[name], name).toBeNull()
      else expect(features[name], name).toBeCloseTo(expected, 3)
    }
  })

  it.each(['m4a', 'webm', 'ogg', 'mp3'])('gives nearly the same as %s', async (type) => {
    const { features } = await analyze(await fixture(`short.${type}`))
    for (const [name, tolerance] of Object.entries(TOLERANCES)) {
      const expected = reference.features[name as AudioFeatureName] ?? Number.NaN
      const allowed = 'absolute' in tolerance ? tolerance.absolute : Math.abs(expected) * tolerance.relative
      const moved = Math.abs((features[name as AudioFeatureName] ?? Number.NaN) - expected)
      expect(moved, `${name} moved by ${moved}`).toBeLessThanOrEqual(allowed)
    }
    expect(features.pause_rate_per_min).toBe(reference.features.pause_rate_per_min)
  })

  it('tells slow from fast speech', async () => {
    const slow = await analyze(await fixture('struggling.ogg'))
    const fast = await analyze(await fixture('positive.webm'))
    expect(slow.features.speech_rate_syllables_per_s).toBeLessThan(
      fast.features.speech_rate_syllables_per_s ?? 0,
    )
    expect(slow.features.f0_mean_hz).toBeLessThan(fast.features.f0_mean_hz ?? 0)
  })
})
