import { expect, test } from 'vitest'
import { evaluate } from '../../../functions/_shared/scoring/component.ts'
import { CHECK_IN_SCHEME } from '../../../functions/_shared/scoring/scheme.ts'
import { analyzeImage } from '../../../functions/_shared/visual/analyze-image.ts'
import { cropInLight, exposureOf } from '../../../functions/_shared/visual/exposure.ts'
import { mergeImages } from '../../../functions/_shared/visual/merge-images.ts'
import { AS_TAKEN, Pyramid } from '../../../functions/_shared/visual/pixels.ts'
import { encodeJpeg, faceModels } from './codecs.ts'
import { faceAt } from './face-grid.ts'
import { type Person, portrait } from './photographs.ts'
import { paint } from './pixel-edits.ts'
import { faceIn, relight } from './relight.ts'

const PEOPLE: Person[] = ['serious', 'smiling', 'smiling broadly', 'calm', 'smiling gently', 'laughing']

/** The check-in of these people in a light, as if they were one. */
async function inLight(exposure: number) {
  const outcomes = []
  for (const [index, person] of PEOPLE.entries()) {
    const face = faceIn(await portrait(person), faceModels)
    if (!face) throw new Error(`${person} has no face`)
    outcomes.push(await analyzeImage(await encodeJpeg(relight(face, { exposure }, index + 1)), faceModels))
  }
  const { features, quality } = mergeImages(outcomes, outcomes.length)
  const { score } = evaluate('visual', { features, quality }, null, '', CHECK_IN_SCHEME)
  return { features, score: score ?? Number.NaN, usable: quality.usable_images }
}

test('a face in a sixteenth of the light scores as in good light', async () => {
  const [good, dim] = [await inLight(1), await inLight(1 / 16)]
  expect(dim.usable).toBe(PEOPLE.length)
  expect(Math.abs(dim.score - good.score)).toBeLessThan(3)
  expect(Math.abs((dim.features.emotion_happy ?? 0) - (good.features.emotion_happy ?? 0))).toBeLessThan(0.1)
})

test('a face in a twenty-eighth of the light is used, whatever the skin', async () => {
  for (const person of PEOPLE) {
    const face = faceIn(await portrait(person), faceModels)
    if (!face) throw new Error(`${person} has no face`)
    for (const skin of [48, -40]) {
      const dim = await encodeJpeg(relight(face, { exposure: 1 / 28, skin }, 1))
      expect((await analyzeImage(dim, faceModels)).reason).toBeNull()
    }
  }
})

test.each([
  [1, 11, 39],
  [3, 1, 65],
])(
  'a face is found through the noise of a sixty-fourth of the light: row %i, column %i',
  async (row, column, seed) => {
    const face = faceIn(faceAt([row, column]), faceModels)
    if (!face) throw new Error('no face')
    const dim = await encodeJpeg(relight(face, { exposure: 1 / 64 }, seed))
    expect(await analyzeImage(dim, faceModels)).toMatchObject({ faces: 1, reason: null })
  },
)

test('a dim face of which two parts are seen is one face', async () => {
  const face = faceIn(faceAt([2, 5]), faceModels)
  if (!face) throw new Error('no face')
  const dim = await encodeJpeg(relight(face, { exposure: 1 / 32, skin: -40 }, 51))
  expect(await analyzeImage(dim, faceModels)).toMatchObject({ faces: 1, reason: null })
})

const grey = (value: number) => new Pyramid(paint(64, 64, () => [value, value, value]))
const whole = { centerX: 32, centerY: 32, size: 64, angle: 0 }

test('what is bright enough is read as it was taken', () => {
  expect(exposureOf(grey(119), whole)).toBe(AS_TAKEN)
  expect(exposureOf(grey(255), whole)).toBe(AS_TAKEN)
})

test('what is darker is brightened to middle grey, up to six stops', () => {
  for (const value of [20, 60, 110]) expect(exposureOf(grey(value), whole)[value]).toBeCloseTo(0.461, 2)
  expect(exposureOf(grey(1), whole)[1]).toBeCloseTo(0.15, 1)
  expect(exposureOf(grey(0), whole)[0]).toBe(0)
})

test('what is averaged is light, before it is brightened', () => {
  const stripes = new Pyramid(paint(64, 64, (x) => (x % 2 === 0 ? [0, 0, 0] : [60, 60, 60])))
  const [gain, light] = [16, 0.0452]
  const { rgb } = cropInLight(stripes, whole, 64, { gain, sigma: 3 })
  const middle = rgb[(32 * 64 + 32) * 3] ?? 0
  expect(((middle + 0.055) / 1.055) ** 2.4).toBeCloseTo((gain * light) / 2, 2)
})
