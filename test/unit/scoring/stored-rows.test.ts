import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { mergeSlices } from '../../../functions/_shared/audio/merge-slices.ts'
import { asJson, connect } from '../../../functions/_shared/database.ts'
import { fuse } from '../../../functions/_shared/scoring/fuse.ts'
import { FEATURE_NORMS } from '../../../functions/_shared/scoring/scheme.ts'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import { mergeImages } from '../../../functions/_shared/visual/merge-images.ts'
import { analyze, noise, sound, wav } from '../audio/recordings.ts'
import { anyScorableCheckIn } from './check-in.ts'

// Nothing is sent: a connection is opened by the first statement that is awaited.
const database = connect(
  { url: 'postgres://nobody@127.0.0.1:9/none', certificateAuthority: undefined },
  'stored-rows-test',
)
afterAll(() => database.end())

const NOT_FINITE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

/** Whether a row can be passed to the database. */
function isStorable(row: unknown): boolean {
  try {
    asJson(database, row)
    return true
  } catch {
    return false
  }
}

describe('a row with a number that is not finite', () => {
  const measures = (['audio', 'visual', 'text'] as const).flatMap((modality) =>
    Object.keys(FEATURE_NORMS[modality]),
  )

  test.each(measures)('is not passed to the database: %s', (measure) => {
    const row = { ...Object.fromEntries(measures.map((name) => [name, 0.5])), quality: 1 }
    expect(isStorable(row)).toBe(true)
    for (const value of NOT_FINITE) {
      expect(() => asJson(database, { ...row, [measure]: value })).toThrow(
        `${measure} is not a finite number`,
      )
    }
  })

  test('is not passed however deep the number lies', () => {
    const place = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(...NOT_FINITE),
        fc.record({ measure: tie('value'), other: fc.integer() }),
        fc.tuple(fc.string(), tie('value')),
      ),
    })).value
    fc.assert(
      fc.property(place, (row) => {
        expect(isStorable({ row })).toBe(false)
      }),
    )
  })
})

describe('what the analyses and the fusion find can be passed to the database', () => {
  test('for any check-in', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        expect(isStorable(fuse(input))).toBe(true)
      }),
    )
  })

  test('for recordings of nothing, of noise and of clicks', async () => {
    const random = noise(5)
    for (const valueAt of [
      () => 0,
      () => random(),
      (_: number, index: number) => (index % 4000 === 0 ? 1 : 0),
      (timeS: number) => Math.sin(2 * Math.PI * 60 * timeS) * 1e-4,
    ]) {
      expect(isStorable(await analyze(wav(sound(2, valueAt))))).toBe(true)
    }
    expect(isStorable(mergeSlices([], 10))).toBe(true)
  })

  test('for images of nothing and for any text', () => {
    expect(isStorable(mergeImages([], 8))).toBe(true)
    expect(isStorable(mergeImages([], 0))).toBe(true)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (transcript) => {
        expect(isStorable(analyzeText(transcript))).toBe(true)
      }),
    )
  })
})
