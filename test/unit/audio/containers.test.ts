import { beforeAll, describe, expect, it } from 'vitest'
import { AUDIO_FEATURES } from '../../../functions/_shared/audio/features/registry.ts'
import type { AudioAnalysis } from '../../../functions/_shared/audio/merge-slices.ts'
import { analyze, fixture } from './recordings.ts'
import { expectAgreement } from './tolerances.ts'

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

  it.each(['m4a', 'aac', 'webm', 'ogg', 'mp3'])('gives nearly the same as %s', async (type) => {
    expectAgreement(await analyze(await fixture(`short.${type}`)), reference)
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
