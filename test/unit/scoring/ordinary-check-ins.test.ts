import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AudioAnalysis } from '../../../functions/_shared/audio/merge-slices.ts'
import { fuse } from '../../../functions/_shared/scoring/fuse.ts'
import { FEATURE_NORMS } from '../../../functions/_shared/scoring/scheme.ts'
import type { FusionResult } from '../../../functions/_shared/scoring/types.ts'
import { type ReadTranscript, readTranscript } from '../../../functions/_shared/textmodel/built-in.ts'
import { mergeImages, type VisualAnalysis } from '../../../functions/_shared/visual/merge-images.ts'
import { analyze as analyzeRecording, fixture } from '../audio/recordings.ts'
import { analyze } from '../visual/codecs.ts'
import { portrait } from '../visual/photographs.ts'

type CheckIn = { audio: AudioAnalysis; visual: VisualAnalysis; text: ReadTranscript; result: FusionResult }

const PEOPLE = {
  positive: ['smiling', 'smiling broadly', 'laughing', 'smiling gently'],
  neutral: ['serious', 'calm', 'smiling gently', 'serious'],
  struggling: ['pouting', 'serious', 'looking down', 'eyes shut, looking down'],
} as const
const RECORDINGS = { positive: 'positive.webm', neutral: 'neutral.m4a', struggling: 'struggling.ogg' }
type Day = keyof typeof PEOPLE

/** A check-in of recorded speech, its words and photographs, analysed as the pipeline does. */
async function checkInOf(day: Day): Promise<CheckIn> {
  const audio = await analyzeRecording(await fixture(RECORDINGS[day]))
  const text = readTranscript(
    await readFile(new URL(`../../../corpora/speech/${day}.txt`, import.meta.url), 'utf8'),
  )
  const outcomes = []
  for (const person of PEOPLE[day]) outcomes.push(await analyze(await portrait(person)))
  const visual = mergeImages(outcomes, outcomes.length)
  const result = fuse({ audio, visual, text, textDetails: text, moodScore: null, baseline: null })
  return { audio, visual, text, result }
}

describe('check-ins from recordings, photographs and words', () => {
  const days: Partial<Record<Day, CheckIn>> = {}
  const of = (day: Day) => {
    const known = days[day]
    if (!known) throw new Error(`${day} was not analysed`)
    return known
  }
  beforeAll(async () => {
    for (const day of ['positive', 'neutral', 'struggling'] as const) days[day] = await checkInOf(day)
  })

  test('score between 10 and 90 in every component, and in the right order', () => {
    const scores = (['struggling', 'neutral', 'positive'] as const).map((day) => of(day).result.score)
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    expect((scores[1] ?? 0) - (scores[0] ?? 0)).toBeGreaterThan(3)
    expect((scores[2] ?? 0) - (scores[1] ?? 0)).toBeGreaterThan(3)
    for (const day of ['positive', 'neutral', 'struggling'] as const) {
      for (const { score } of of(day).result.components) {
        if (score === null) continue
        expect(score).toBeGreaterThan(10)
        expect(score).toBeLessThan(90)
      }
    }
  })

  test('name what was measured: each driver has its number', () => {
    for (const day of ['positive', 'neutral', 'struggling'] as const) {
      const { result, ...analyses } = of(day)
      expect(result.drivers.length).toBeGreaterThan(0)
      for (const { modality, feature } of result.drivers) {
        if (modality === 'self_report') throw new Error('nothing was reported')
        const features: Record<string, number | null> = analyses[modality].features
        expect(features[feature]).not.toBeNull()
      }
    }
  })

  // A reference with the wrong sign or unit lies far from whatever is measured.
  test.each(
    (['audio', 'visual', 'text'] as const).flatMap((modality) =>
      Object.entries(FEATURE_NORMS[modality]).map(([feature, norm]) => ({ modality, feature, norm })),
    ),
  )('$feature is measured near its reference', ({ modality, feature, norm }) => {
    const distances = (['positive', 'neutral', 'struggling'] as const).flatMap((day) => {
      const features: Record<string, number | null> = of(day)[modality].features
      const value = features[feature] ?? null
      return value === null ? [] : [Math.abs(value - norm.mean) / norm.sd]
    })
    expect(distances.length).toBeGreaterThan(0)
    expect(distances.sort((a, b) => a - b)[Math.floor((distances.length - 1) / 2)]).toBeLessThan(3.2)
  })
})
