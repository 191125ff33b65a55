import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AUDIO_FEATURES } from '../../../functions/_shared/audio/features/registry.ts'
import type { AudioAnalysis } from '../../../functions/_shared/audio/merge-slices.ts'
import type { AudioFeatureName } from '../../../functions/_shared/features/audio.ts'
import { dose } from '../../depth.ts'
import { analyze } from './recordings.ts'
import { TOLERANCES } from './tolerances.ts'

const run = promisify(execFile)

/** Encoders are no part of the project: these tests are skipped where ffmpeg is missing. */
const hasFfmpeg = (() => {
  try {
    execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const SPEECH = join(import.meta.dirname, '..', '..', '..', 'corpora', 'speech', 'neutral.m4a')
const SECONDS = 14

/** By the ending of the file: how it is encoded, at a rate that speech is usually kept at. */
const CONTAINERS: Record<string, { options: string[]; rateHz?: number }> = {
  wav: { options: ['-c:a', 'pcm_s16le'] },
  flac: { options: ['-c:a', 'flac'] },
  mp3: { options: ['-c:a', 'libmp3lame', '-b:a', '64k'] },
  m4a: { options: ['-c:a', 'aac', '-b:a', '96k'] },
  aac: { options: ['-c:a', 'aac', '-b:a', '96k'] },
  // Opus knows 48 kHz and four lower rates; others are resampled by the recorder.
  ogg: { options: ['-c:a', 'libopus', '-b:a', '48k'], rateHz: 48000 },
  webm: { options: ['-c:a', 'libopus', '-b:a', '48k'], rateHz: 48000 },
}

type Variant = { rateHz: number; channels: 1 | 2; gainDb: number; silenceS: number }
const PLAIN: Variant = { rateHz: 48000, channels: 1, gainDb: 0, silenceS: 0 }

const VARIANTS: [string, Variant][] = [
  ...dose<[string, Variant][]>(
    [],
    [
      ...[8000, 16000, 22050, 44100, 48000].map((rateHz): [string, Variant] => [
        `at ${rateHz} Hz`,
        { ...PLAIN, rateHz },
      ]),
      ['in stereo', { ...PLAIN, channels: 2 }],
      ['at -20 dB', { ...PLAIN, gainDb: -20 }],
      ['after 1 s of silence', { ...PLAIN, silenceS: 1 }],
    ],
  ),
  ['with all of it at once', { rateHz: 16000, channels: 2, gainDb: -20, silenceS: 1 }],
]

/** This voice has frames 44 dB under its loudest, which coders replace by their own noise. */
const FAINT_FRAMES: Partial<Record<AudioFeatureName, number>> = {
  intensity_sd_db: 1.2,
  intensity_range_db: 2.1,
}

/** Above 4 kHz lies what is heard of some consonants at the ends of words: without it pauses begin earlier. */
const WITHOUT_HIGHS: Partial<Record<AudioFeatureName, number>> = {
  pause_mean_s: 0.08,
  pause_sd_s: 0.06,
  alpha_ratio_db: 0.8,
  hammarberg_index_db: 0.8,
}

/** How far a feature may move, in its unit. */
function allowed(name: AudioFeatureName, { features }: AudioAnalysis, rateHz: number): number {
  const { by } = TOLERANCES[name]
  const usual = 'absolute' in by ? by.absolute : Math.abs(features[name] ?? Number.NaN) * by.relative
  return FAINT_FRAMES[name] ?? (rateHz === 8000 ? WITHOUT_HIGHS[name] : undefined) ?? usual
}

describe.skipIf(!hasFfmpeg)('the same speech', () => {
  let folder: string
  let reference: AudioAnalysis

  async function encoded(type: string, { rateHz, channels, gainDb, silenceS }: Variant): Promise<Uint8Array> {
    const { options = [], rateHz: outputHz = rateHz } = CONTAINERS[type] ?? {}
    const path = join(folder, `${[type, rateHz, channels, gainDb, silenceS].join('-')}.${type}`)
    const both = channels === 2 ? ['pan=stereo|c0=c0|c1=c0'] : []
    const filters = [`volume=${gainDb}dB`, `adelay=${1000 * silenceS}:all=1`, `aresample=${rateHz}`, ...both]
    const source = ['-t', String(SECONDS), '-i', SPEECH, '-af', filters.join(',')]
    const target = ['-ac', String(channels), '-ar', String(outputHz), ...options, path]
    await run('ffmpeg', ['-y', '-loglevel', 'error', ...source, ...target])
    return new Uint8Array(await readFile(path))
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audio-formats-'))
    reference = await analyze(await encoded('wav', PLAIN))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('has every feature', () => {
    for (const { name } of AUDIO_FEATURES) expect(reference.features[name], name).not.toBeNull()
  })

  describe.each(Object.keys(CONTAINERS))('as %s', (type) => {
    it.each(VARIANTS)('is measured alike %s', async (_, variant) => {
      const { features, quality } = await analyze(await encoded(type, variant))
      const longer = 10 * Math.log10(SECONDS / (SECONDS + variant.silenceS))
      for (const { name } of AUDIO_FEATURES) {
        const expected =
          (reference.features[name] ?? Number.NaN) +
          (name === 'intensity_mean_db' ? variant.gainDb + longer : 0)
        const moved = Math.abs((features[name] ?? Number.NaN) - expected)
        expect(moved, name).toBeLessThanOrEqual(allowed(name, reference, variant.rateHz))
      }
      expect(quality.score).toBeCloseTo(reference.quality.score, 0)
      expect(quality.reason).toBe(reference.quality.reason)
    })
  })
})
