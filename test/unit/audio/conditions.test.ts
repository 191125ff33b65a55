import { beforeAll, describe, expect, it } from 'vitest'
import { decodeRange } from '../../../functions/_shared/audio/decode/decode-range.ts'
import type { AudioAnalysis } from '../../../functions/_shared/audio/merge-slices.ts'
import { probeRecording } from '../../../functions/_shared/audio/probe.ts'
import { analyze, atRate, fixture, loadAsset, measure, noise, sourceOf, wav } from './recordings.ts'

const RATE_HZ = 16000

async function samplesOf(name: string): Promise<Float32Array> {
  const source = sourceOf(await fixture(name))
  const info = await probeRecording(source)
  return (await decodeRange(source, info, 0, info.durationS, loadAsset)).samples
}

function levelOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length)
}

/** White noise so many dB under the level of the recording. */
function hiss(samples: Float32Array, snrDb: number): Float32Array {
  const random = noise(5)
  const amplitude = levelOf(samples) * 10 ** (-snrDb / 20) * Math.sqrt(3)
  return samples.map(() => amplitude * random())
}

describe('a recording of somebody who speaks slowly', () => {
  let speech: Float32Array
  let clean: AudioAnalysis
  let pauses: { startS: number; endS: number }[]
  beforeAll(async () => {
    speech = await samplesOf('struggling.ogg')
    clean = await analyze(wav(speech))
    pauses = (await measure(wav(speech))).measures.speech.pauses
  })

  it('lacks nothing, and nothing is noticed about it', () => {
    expect(clean.quality.reason).toBeNull()
    expect(Object.values(clean.features)).not.toContain(null)
    expect(pauses.length).toBeGreaterThan(3)
  })

  it('keeps its pauses in noise, and loses what noise hides', async () => {
    const street = hiss(speech, 12)
    const { features, quality } = await analyze(wav(speech.map((x, i) => x + (street[i] ?? 0))))
    expect(quality.reason).toBe('too_noisy')
    expect(Math.abs((features.phonation_ratio ?? 0) - (clean.features.phonation_ratio ?? 0))).toBeLessThan(
      0.1,
    )
    expect(features).toMatchObject({ hnr_db: null, cpps_db: null, jitter_local: null, intensity_sd_db: null })
  })

  it('has no pauses where they drown, instead of being fluent', async () => {
    const drowned = hiss(speech, -3)
    const { features, quality } = await analyze(wav(speech.map((x, i) => x + (drowned[i] ?? 0))))
    expect(quality.snr_db).toBeLessThan(8)
    expect(features).toMatchObject({
      phonation_ratio: null,
      pause_mean_s: null,
      long_pause_rate_per_min: null,
    })
  })

  it('is measured alike with a constant added', async () => {
    const { features } = await analyze(wav(speech.map((x) => 0.5 * x + 0.3)))
    const ratio = (features.shimmer_local ?? 0) / (clean.features.shimmer_local ?? 1)
    expect(Math.abs(ratio - 1)).toBeLessThan(0.03)
  })

  it('has the same prominence of the cepstral peak when it is followed by silence', async () => {
    const room = hiss(speech, 40)
    const longer = Float32Array.from([...speech, ...room])
    const { features } = await analyze(wav(longer))
    expect(Math.abs((features.cpps_db ?? 0) - (clean.features.cpps_db ?? 0))).toBeLessThan(0.2)
  })

  it('is noticed to be in a room with an echo', async () => {
    const random = noise(3)
    const echoes = Array.from({ length: 400 }, (_, i) => {
      const atS = 0.01 + 0.001 * i
      return { offset: Math.round(atS * RATE_HZ), gain: 0.2 * random() * 10 ** (-atS / 0.2) }
    })
    const echoing = speech.map((x, i) =>
      echoes.reduce((sum, { offset, gain }) => sum + gain * (speech[i - offset] ?? 0), x),
    )
    const { features, quality } = await analyze(wav(echoing))
    expect(quality.reason).toBe('reverberant')
    expect(quality.score).toBeLessThan(0.6 * clean.quality.score)
    expect(features.shimmer_local).toBeNull()
  })

  it('is as noisy as its speech where its pauses were silenced', async () => {
    const noisy = hiss(speech, 6)
    const gated = speech.map((x, i) => {
      const timeS = i / RATE_HZ
      return pauses.some(({ startS, endS }) => timeS > startS && timeS < endS) ? 0 : x + (noisy[i] ?? 0)
    })
    const { quality } = await analyze(wav(gated))
    expect(quality.snr_db).toBeLessThan(16)
    expect(quality.score).toBeLessThan(0.5)
  })

  it('is noticed to have its pauses raised by a gain that follows the level', async () => {
    const room = hiss(speech, 35).subarray(0, 1.5 * RATE_HZ)
    const slow = pauses.flatMap(({ startS }, i) => {
      const from = i === 0 ? 0 : (pauses[i - 1]?.startS ?? 0)
      return [...speech.subarray(Math.round(from * RATE_HZ), Math.round(startS * RATE_HZ)), ...room]
    })
    let envelope = 1
    const raised = slow.map((x) => {
      envelope = Math.max(Math.abs(x), envelope * (1 - 1 / (0.4 * RATE_HZ)))
      return (x * 0.5) / Math.max(0.1, envelope)
    })
    const [quiet, loud] = [await analyze(wav(slow)), await analyze(wav(raised))]
    expect(quiet.quality.reason).toBeNull()
    expect(loud.quality.reason).toBe('gain_controlled')
    expect(loud.quality.score).toBeLessThanOrEqual(0.5 * quiet.quality.score)
  })

  it('is noticed to hold a second voice of another pitch', async () => {
    // Played 1.7 times as fast: 9 semitones higher.
    const other = atRate(speech, 1.7 * RATE_HZ, RATE_HZ)
    const { quality } = await analyze(wav(Float32Array.from([...speech, ...other])))
    expect(quality.reason).toBe('second_speaker')
    expect(quality.score).toBeLessThan(0.5)
  })

  it('is noticed to hold a second voice of the same pitch, in turns, however it is cut into slices', async () => {
    const other = speech.map((x, i) => x - 0.6 * (speech[i - 5] ?? 0))
    const turn = 5 * RATE_HZ
    const both = speech.map((x, i) => (Math.floor(i / turn) % 2 === 1 ? (other[i] ?? 0) : x))
    for (const sliceS of [60, 7]) {
      expect((await analyze(wav(both), sliceS)).quality.reason).toBe('second_speaker')
      expect((await analyze(wav(speech), sliceS)).quality.reason).toBeNull()
    }
  })
})
