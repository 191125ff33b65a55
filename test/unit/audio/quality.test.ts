import { beforeAll, describe, expect, it, test } from 'vitest'
import { analyzeSlice } from '../../../functions/_shared/audio/analyze-slice.ts'
import { readWavChannels, readWavLayout } from '../../../functions/_shared/audio/container/wav.ts'
import type { AudioAnalysis } from '../../../functions/_shared/audio/merge-slices.ts'
import { probeRecording } from '../../../functions/_shared/audio/probe.ts'
import { AudioError } from '../../../functions/_shared/audio/recording.ts'
import { planSlices } from '../../../functions/_shared/audio/slices.ts'
import { analyze, fixture, loadAsset, noise, sound, sourceOf, wav } from './recordings.ts'

function holdsOnlyFinite(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(holdsOnlyFinite)
  return typeof value === 'string' || Number.isFinite(value)
}

describe('how far a recording can be trusted', () => {
  let speech: Float32Array
  let clean: AudioAnalysis
  beforeAll(async () => {
    const source = sourceOf(await fixture('short.wav'))
    const layout = await readWavLayout(source)
    speech = (await readWavChannels(source, layout, 0, layout.frames))[0] ?? new Float32Array()
    clean = await analyze(wav(speech))
  })

  it('falls with noise, and the signal-to-noise ratio with it', async () => {
    const random = noise()
    const noisy = await analyze(wav(speech.map((sample) => sample + 0.08 * random())))
    expect(noisy.quality.score).toBeLessThan(0.5 * clean.quality.score)
    expect(noisy.quality.reason).toBe('too_noisy')
    expect(noisy.quality.snr_db).toBeLessThan(12)
    expect(clean.quality.snr_db).toBeGreaterThan(25)
  })

  it('falls with clipping', async () => {
    const clipped = await analyze(wav(speech.map((sample) => 20 * sample)))
    expect(clipped.quality.clipping_fraction).toBeGreaterThan(0.05)
    expect(clipped.quality.reason).toBe('clipped')
    expect(clipped.quality.score).toBeLessThan(clean.quality.score)
  })

  it('falls with the duration of speech', async () => {
    const brief = await analyze(wav(speech.subarray(0, 16000 * 1.2)))
    expect(brief.quality.reason).toBe('too_little_speech')
    expect(brief.quality.score).toBeLessThan(0.2)
  })
})

test('noise in which a moment of voice is found by chance is hardly speech', async () => {
  const random = noise(2)
  let level = 0
  const rumble = sound(120, (timeS) => {
    level = 0.98 * level + 0.02 * random()
    return level + (timeS > 60 && timeS < 60.12 ? 0.3 * Math.sin(2 * Math.PI * 140 * timeS) : 0)
  })
  const { quality } = await analyze(wav(rumble))
  expect(quality.speech_s).toBeGreaterThan(0)
  expect(quality.speech_s).toBeLessThan(0.25 * quality.duration_s)
})

describe('analysing a slice', () => {
  it('returns a compact outcome of finite values', async () => {
    const source = sourceOf(await fixture('neutral.m4a'))
    const info = await probeRecording(source)
    const [slice] = planSlices(info.durationS)
    if (!slice) throw new Error('no slice')
    const outcome = await analyzeSlice(source, info, slice, loadAsset)
    const json = JSON.stringify(outcome)
    expect(holdsOnlyFinite(outcome)).toBe(true)
    expect(json.length / info.durationS).toBeLessThan(2600)
  })

  it.each(['m4a', 'aac', 'webm', 'ogg', 'mp3', 'flac'])(
    'never fails otherwise than with its own error on damaged %s',
    async (type) => {
      const bytes = await fixture(`short.${type}`)
      const info = await probeRecording(sourceOf(bytes))
      const random = noise(3)
      const damaged = bytes.map((byte, i) => (i > 2000 && random() > 0.99 ? byte ^ 0x55 : byte))
      const [slice] = planSlices(info.durationS)
      if (!slice) throw new Error('no slice')
      const outcome = await analyzeSlice(sourceOf(damaged), info, slice, loadAsset).catch(
        (error: unknown) => error,
      )
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AudioError)
      else expect(holdsOnlyFinite(outcome)).toBe(true)
    },
  )
})
