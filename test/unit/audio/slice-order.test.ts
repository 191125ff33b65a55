import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { analyzeSlice } from '../../../functions/_shared/audio/analyze-slice.ts'
import { mergeSlices } from '../../../functions/_shared/audio/merge-slices.ts'
import { probeRecording } from '../../../functions/_shared/audio/probe.ts'
import { type AudioSliceOutcome, planSlices } from '../../../functions/_shared/audio/slices.ts'
import { fuse } from '../../../functions/_shared/scoring/fuse.ts'
import { fixture, loadAsset, sourceOf } from './recordings.ts'

describe('however the slices of a recording come in', () => {
  let durationS: number
  let slices: AudioSliceOutcome[]
  beforeAll(async () => {
    const source = sourceOf(await fixture('struggling.mp3'))
    const info = await probeRecording(source)
    durationS = info.durationS
    slices = await Promise.all(
      planSlices(durationS, 2.5).map((slice) => analyzeSlice(source, info, slice, loadAsset)),
    )
  })

  const anyOrder = () =>
    fc
      .shuffledSubarray(slices, { minLength: 1 })
      .chain((kept) =>
        fc.tuple(fc.constant(kept), fc.shuffledSubarray(kept, { minLength: kept.length }), fc.subarray(kept)),
      )

  it('the features and the quality are the same in any order, with any missing, and with any twice', () => {
    expect(slices.length).toBeGreaterThan(7)
    fc.assert(
      fc.property(anyOrder(), ([kept, shuffled, again]) => {
        const merged = mergeSlices(kept, durationS)
        expect(mergeSlices(shuffled, durationS)).toEqual(merged)
        expect(mergeSlices([...shuffled, ...again], durationS)).toEqual(merged)
      }),
      { numRuns: 40 },
    )
  })

  it('so is the score, and what is missing is never an advantage in quality', () => {
    const whole = mergeSlices(slices, durationS)
    fc.assert(
      fc.property(anyOrder(), ([kept, shuffled]) => {
        const score = (outcomes: AudioSliceOutcome[]) => {
          const { features, quality } = mergeSlices(outcomes, durationS)
          expect(quality.score).toBeLessThanOrEqual(whole.quality.score)
          if (quality.score < 0.2) return null
          return fuse({
            audio: { features, quality },
            visual: null,
            text: null,
            moodScore: null,
            baseline: null,
          })
        }
        expect(score(shuffled)).toEqual(score(kept))
      }),
      { numRuns: 40 },
    )
  })
})
