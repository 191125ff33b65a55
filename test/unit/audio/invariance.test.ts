import { beforeAll, describe, expect, it } from 'vitest'
import { readWavChannels, readWavLayout } from '../../../functions/_shared/audio/container/wav.ts'
import { AUDIO_FEATURES } from '../../../functions/_shared/audio/features/registry.ts'
import type { AudioAnalysis } from '../../../functions/_shared/audio/merge-slices.ts'
import { analyze, atRate, fixture, noise, sourceOf, stereoWav, wav } from './recordings.ts'
import { expectAgreement } from './tolerances.ts'

const RATE_HZ = 16000

/** Speech that starts and ends at once, with three pauses in it, the last of them long. */
async function speechWithPauses(): Promise<Float64Array> {
  const source = sourceOf(await fixture('short.wav'))
  const layout = await readWavLayout(source)
  const [speech = new Float32Array()] = await readWavChannels(source, layout, 0, layout.frames)
  const random = noise()
  const pause = (seconds: number) => Array.from({ length: seconds * RATE_HZ }, () => 0.0005 * random())
  const firstWords = speech.subarray(0, 1.5 * RATE_HZ)
  return Float64Array.from([
    ...speech,
    ...pause(0.6),
    ...firstWords,
    ...pause(0.8),
    ...firstWords,
    ...pause(1.4),
    ...speech,
  ])
}

describe('the same speech', () => {
  let speech: Float64Array
  let reference: AudioAnalysis
  beforeAll(async () => {
    speech = await speechWithPauses()
    reference = await analyze(wav(speech))
  })

  it('has every feature, three pauses and one long one', () => {
    for (const { name } of AUDIO_FEATURES) expect(reference.features[name], name).not.toBeNull()
    const { pause_rate_per_min, long_pause_rate_per_min } = reference.features
    expect(pause_rate_per_min).toBeCloseTo(3 * (long_pause_rate_per_min ?? 0), 6)
  })

  it.each([8000, 11025, 22050, 44100, 48000])('is measured alike at %d Hz', async (rateHz) => {
    expectAgreement(await analyze(wav(atRate(speech, RATE_HZ, rateHz), rateHz)), reference)
  })

  it('is measured alike in stereo', async () => {
    expect(await analyze(stereoWav(speech, speech))).toMatchObject({ features: reference.features })
  })

  const late = (seconds: number) => (samples: Float64Array) =>
    samples.map((_, at) => samples[at - Math.round(seconds * RATE_HZ)] ?? 0)
  const others: [string, (samples: Float64Array) => Float64Array][] = [
    ['is silent', (samples) => new Float64Array(samples.length)],
    ['is opposite', (samples) => samples.map((sample) => -sample)],
    ['is opposite and softer', (samples) => samples.map((sample) => -0.5 * sample)],
    ['is opposite, with a constant in both', (samples) => samples.map((sample) => 0.2 - sample)],
    ['is late by half a millisecond', late(0.0005)],
    ['is late by the period of a voice', late(0.004)],
    ['is late by 20 ms', late(0.02)],
    ['is late and opposite', (samples) => late(0.001)(samples).map((sample) => -sample)],
  ]
  it.each(others)('is measured alike where the second of two channels %s', async (_, other) => {
    const first = other === others[3]?.[1] ? speech.map((sample) => 0.2 + sample) : speech
    const stereo = await analyze(stereoWav(first, other(speech)))
    expectAgreement(stereo, reference)
    expect(stereo.quality.score).toBeCloseTo(reference.quality.score, 2)
  })

  it('is heard on both channels where people talk in turn, each on one', async () => {
    const turn = (at: number) => Math.floor(at / RATE_HZ) % 2
    const [first, second] = [0, 1].map((who) => speech.map((sample, at) => (turn(at) === who ? sample : 0)))
    if (!first || !second) throw new Error('There are two')
    const { quality } = await analyze(stereoWav(first, second))
    expect(quality.speech_s).toBeCloseTo(reference.quality.speech_s, 0)
  })

  it('is 20 dB softer, and else alike, at a tenth of the level', async () => {
    const soft = await analyze(wav(speech.map((sample) => 0.1 * sample)))
    expectAgreement(soft, reference, { intensity_mean_db: -20 })
    expect(soft.features.intensity_mean_db).toBeCloseTo((reference.features.intensity_mean_db ?? 0) - 20, 1)
    expect(soft.quality.score).toBeCloseTo(reference.quality.score, 2)
  })

  it.each([1, 5])('is measured alike after %d s of silence, but for the mean intensity', async (seconds) => {
    const late = await analyze(wav(Float64Array.from([...new Float64Array(seconds * RATE_HZ), ...speech])))
    // The same energy over a longer time, as Praat gives it.
    const shift = 10 * Math.log10(speech.length / (speech.length + seconds * RATE_HZ))
    expectAgreement(late, reference, { intensity_mean_db: shift })
    expect(late.quality.score).toBeCloseTo(reference.quality.score, 1)
  })

  it('is measured alike with its polarity turned', async () => {
    expectAgreement(await analyze(wav(speech.map((sample) => -sample))), reference)
  })
})
