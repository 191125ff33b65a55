import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fitCalibration,
  LABELS_NEEDED,
  type LabelledScore,
  moodLabel,
} from '../../../functions/_shared/scoring/calibration.ts'
import { fuse } from '../../../functions/_shared/scoring/fuse.ts'
import { ALGORITHM_VERSION } from '../../../functions/_shared/scoring/scheme.ts'
import { checkIn, modalityAt } from './check-in.ts'

const COMPONENTS = ['audio', 'text']

/** Students whose label lies some points above their score: `spread` of them in turns, and `bias` for all. */
function labelled(count: number, spread = 10, bias = 5): LabelledScore[] {
  return Array.from({ length: count }, (_, n) => ({
    components: COMPONENTS,
    score: 50,
    label: 50 + bias + spread * Math.sin(1 + n * 12.9898),
  }))
}

describe('an interval fitted to labels', () => {
  test('is refused with fewer labels than are needed', () => {
    expect(fitCalibration(labelled(LABELS_NEEDED - 1))).toBeNull()
    expect(fitCalibration(labelled(LABELS_NEEDED))).not.toBeNull()
    expect(fitCalibration([])).toBeNull()
  })

  test('holds nine tenths of the labels it was fitted to, and about as many that it was not', () => {
    const fitted = fitCalibration(labelled(400))
    if (!fitted) throw new Error('nothing was fitted')
    const held = labelled(400).filter(
      ({ score, label }) => label - score >= fitted.low && label - score <= fitted.high,
    )
    expect(held.length).toBeGreaterThanOrEqual(360)
    expect(held.length).toBeLessThanOrEqual(372)
    expect(fitted.heldOutCoverage).toBeGreaterThan(0.85)
  })

  test('follows a bias of the scores, and widens with what the labels differ by', () => {
    const [narrow, wide] = [fitCalibration(labelled(200, 5, 8)), fitCalibration(labelled(200, 20, 8))]
    if (!narrow || !wide) throw new Error('nothing was fitted')
    expect((narrow.low + narrow.high) / 2).toBeCloseTo(8, 0)
    expect(wide.high - wide.low).toBeGreaterThan(3 * (narrow.high - narrow.low))
  })

  test('covers new labels of any distribution in nine of ten cases on average', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.integer({ min: 1, max: 4 }),
        (stream, power) => {
          const draw = (count: number) =>
            Array.from({ length: count }, () => ({
              components: COMPONENTS,
              score: 50,
              label: 100 * (stream.next().value ?? 0) ** power,
            }))
          const fitted = fitCalibration(draw(300))
          if (!fitted) throw new Error('nothing was fitted')
          const fresh = draw(300).filter(({ label }) => label - 50 >= fitted.low && label - 50 <= fitted.high)
          expect(fresh.length / 300).toBeGreaterThan(0.8)
        },
      ),
      { numRuns: 20 },
    )
  })
})

test('a mood lies on the scale of the score', () => {
  expect([1, 5.5, 10].map(moodLabel)).toEqual([0, 50, 100])
})

describe('a score', () => {
  const input = checkIn({ audio: modalityAt('audio', 0), text: modalityAt('text', 0) })
  const calibration = { algorithm_version: ALGORITHM_VERSION, components: COMPONENTS, low: -12, high: 20 }

  test('has the interval that was fitted to its components and version', () => {
    const { score, score_interval, calibrated } = fuse({ ...input, calibrations: [calibration] })
    expect(calibrated).toBe(true)
    expect(score_interval).toEqual([score - 12, score + 20])
  })

  test('lies outside it where labels lie mostly above the scores', () => {
    const above = { ...calibration, low: 5, high: 20 }
    const { score, score_interval } = fuse({ ...input, calibrations: [above] })
    expect(score_interval).toEqual([score + 5, score + 20])
  })

  test('has an interval on the scale, on which every label lies', () => {
    const wide = { ...calibration, low: -200, high: 200 }
    expect(fuse({ ...input, calibrations: [wide] }).score_interval).toEqual([0, 100])
  })

  test.each([
    ['another version', { ...calibration, algorithm_version: 'wb-0.0.0' }],
    ['other components', { ...calibration, components: ['audio', 'visual', 'text'] }],
  ])('does not have one that was fitted to %s', (_, other) => {
    const result = fuse({ ...input, calibrations: [other] })
    expect(result.calibrated).toBe(false)
    expect(result.score_interval).toEqual(fuse(input).score_interval)
  })
})
