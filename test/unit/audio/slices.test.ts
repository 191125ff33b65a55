import { beforeAll, describe, expect, it } from 'vitest'
import { analyzeSlice } from '../../../functions/_shared/audio/analyze-slice.ts'
import { type AudioAnalysis, mergeSlices } from '../../../functions/_shared/audio/merge-slices.ts'
import { probeRecording } from '../../../functions/_shared/audio/probe.ts'
import { type AudioSliceOutcome, MAX_SLICE_S, planSlices } from '../../../functions/_shared/audio/slices.ts'
import type { AudioFeatureName } from '../../../functions/_shared/features/audio.ts'
import { analyze, fixture, loadAsset, noise, sound, sourceOf, wav } from './recordings.ts'
import { expectAgreement } from './tolerances.ts'

describe('planning slices', () => {
  it('covers a recording with equal parts that are short enough for a request', () => {
    const slices = planSlices(90)
    expect(slices.map(({ startS, endS }) => [startS, endS])).toEqual([
      [0, 30],
      [30, 60],
      [60, 90],
    ])
    expect(planSlices(MAX_SLICE_S)).toHaveLength(1)
    expect(planSlices(MAX_SLICE_S + 0.1)).toHaveLength(2)
  })
})

describe('merging slices', () => {
  let durationS: number
  let whole: AudioAnalysis
  let parts: AudioSliceOutcome[]

  beforeAll(async () => {
    const source = sourceOf(await fixture('struggling.ogg'))
    const info = await probeRecording(source)
    durationS = info.durationS
    const outcomes = (maxSliceS: number) =>
      Promise.all(
        planSlices(durationS, maxSliceS).map((slice) => analyzeSlice(source, info, slice, loadAsset)),
      )
    whole = mergeSlices(await outcomes(60), durationS)
    parts = await outcomes(5)
  })

  it.each([2, 3.3, 5, 11])('gives what the whole recording gives, from slices of %d s', async (sliceS) => {
    const sum = await analyze(await fixture('struggling.ogg'), sliceS)
    expectAgreement(sum, whole)
    const exact: AudioFeatureName[] = [
      'f0_mean_hz',
      'f0_sd_semitones',
      'intensity_mean_db',
      'speech_rate_syllables_per_s',
      'phonation_ratio',
      'pause_rate_per_min',
      'pause_mean_s',
      'pause_sd_s',
      'long_pause_rate_per_min',
      'speech_run_mean_s',
      'cpps_db',
    ]
    for (const name of exact)
      expect(sum.features[name], name).toBeCloseTo(whole.features[name] ?? Number.NaN, 3)
  })

  it('does not depend on the order in which slices end', () => {
    const merged = mergeSlices(parts, durationS)
    expect(mergeSlices([...parts].reverse(), durationS)).toEqual(merged)
    expect(mergeSlices([...parts.slice(2), ...parts.slice(0, 2)], durationS)).toEqual(merged)
  })

  it('counts a slice that was analysed twice once', () => {
    expect(mergeSlices([...parts, ...parts.slice(0, 1)], durationS)).toEqual(mergeSlices(parts, durationS))
  })

  it('survives being stored as JSON', () => {
    const stored: AudioSliceOutcome[] = JSON.parse(JSON.stringify(parts))
    expect(mergeSlices(stored, durationS)).toEqual(mergeSlices(parts, durationS))
  })

  it('describes the rest when a slice is missing, and says so', () => {
    const { features, quality } = mergeSlices(
      parts.filter(({ index }) => index !== 2),
      durationS,
    )
    expect(quality.reason).toBe('slices_missing')
    expect(quality.score).toBeLessThan(whole.quality.score)
    expect(features.f0_mean_hz).toBeGreaterThan(0.95 * (whole.features.f0_mean_hz ?? 0))
    expect(features.speech_rate_syllables_per_s).toBeGreaterThan(
      0.8 * (whole.features.speech_rate_syllables_per_s ?? 0),
    )
    expect(features.long_pause_rate_per_min).toBe(0)
  })

  it('has nothing to say without any slice', () => {
    const { features, quality } = mergeSlices([], durationS)
    expect(Object.values(features).every((value) => value === null)).toBe(true)
    expect(quality).toMatchObject({ score: 0, reason: 'slices_missing' })
  })

  it('measures a slice against the loudest of the whole recording', async () => {
    const random = noise()
    const faintHum = (timeS: number) => 0.004 * Math.sin(2 * Math.PI * 120 * timeS) + 0.0002 * random()
    const loudHum = (timeS: number) => 0.8 * Math.sin(2 * Math.PI * 200 * timeS)
    const source = sourceOf(wav(sound(8, (timeS) => (timeS < 4 ? faintHum(timeS) : loudHum(timeS)))))
    const info = await probeRecording(source)
    const outcomes = await Promise.all(
      planSlices(8, 4).map((slice) => analyzeSlice(source, info, slice, loadAsset)),
    )
    const alone = mergeSlices(outcomes.slice(0, 1), 8)
    expect(alone.features.f0_mean_hz).toBeCloseTo(120, 0)
    const together = mergeSlices(outcomes, 8)
    expect(together.features.f0_mean_hz).toBeCloseTo(200, 0)
  })
})
