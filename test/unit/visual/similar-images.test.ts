import { beforeAll, describe, expect, test } from 'vitest'
import { analyzeImage } from '../../../functions/_shared/visual/analyze-image.ts'
import type { ImageOutcome } from '../../../functions/_shared/visual/outcome.ts'
import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'
import { encodeJpeg, faceModels } from './codecs.ts'
import { withExifOrientation } from './crafted-files.ts'
import { portrait } from './photographs.ts'
import { brighten, crop, mirror, paint, rotate, storedSideways } from './pixel-edits.ts'

/** Images as a camera takes them within a second: the same face, hardly moved. */
async function similarImages(): Promise<Uint8Array[]> {
  const pixels = await portrait('smiling')
  const moved = (x: number, y: number) => crop(pixels, x, y, pixels.width, pixels.height)
  return Promise.all(
    [pixels, moved(1, 0), moved(0, 1), moved(2, 2), brighten(pixels, 1.02), rotate(pixels, 0.5)].map(
      (image) => encodeJpeg(image),
    ),
  )
}

async function analyzeInTurn(images: Uint8Array[]): Promise<ImageOutcome[]> {
  const outcomes: ImageOutcome[] = []
  for (const image of images) outcomes.push(await analyzeImage(image, faceModels))
  return outcomes
}

describe('similar images', () => {
  test('give each its own result, whatever was analysed before it', async () => {
    const images = await similarImages()
    const unlike = await encodeJpeg(await portrait('pouting'))
    const apart: ImageOutcome[] = []
    for (const image of images) {
      await analyzeImage(unlike, faceModels)
      apart.push(await analyzeImage(image, faceModels))
    }
    expect(await analyzeInTurn(images)).toEqual(apart)
    expect((await analyzeInTurn([...images].reverse())).reverse()).toEqual(apart)
    const interleaved = await analyzeInTurn(
      images.flatMap((image, index) => [image, images[5 - index] ?? image]),
    )
    expect(interleaved.filter((_, index) => index % 2 === 0)).toEqual(apart)
  })

  test('differ from one another in every measure that a shift of one pixel can change', async () => {
    const outcomes = await analyzeInTurn(await similarImages())
    const measures: ((outcome: ImageOutcome) => number | undefined)[] = [
      ({ face }) => face?.emotions.neutral,
      ({ face }) => face?.expression.smile,
      ({ face }) => face?.expression.eye_openness,
      ({ face }) => face?.gaze.right_deg,
      ({ face }) => face?.pose.pitch_deg,
      ({ face }) => face?.sharpness,
    ]
    for (const measure of measures) expect(new Set(outcomes.map(measure)).size).toBe(outcomes.length)
  })
})

/** The upright picture as the camera's sensor stores it under each EXIF orientation. */
const STORED: Record<number, (upright: Pixels) => Pixels> = {
  1: (upright) => upright,
  2: mirror,
  3: (upright) => flip(mirror(upright)),
  4: flip,
  5: (upright) => storedSideways(mirror(upright)),
  6: storedSideways,
  7: (upright) => flip(mirror(storedSideways(mirror(upright)))),
  8: (upright) => flip(mirror(storedSideways(upright))),
}

function flip(pixels: Pixels): Pixels {
  const { width, height, data } = pixels
  return paint(width, height, (x, y) => {
    const at = ((height - 1 - y) * width + x) * 4
    return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
  })
}

describe('a photograph', () => {
  let upright: Pixels
  let expected: ImageOutcome['face']
  beforeAll(async () => {
    upright = await portrait('eyes shut, looking down')
    expected = (await analyzeImage(await encodeJpeg(upright, 100), faceModels)).face
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'with EXIF orientation %i measures like the upright one',
    async (orientation) => {
      const stored = STORED[orientation]?.(upright) ?? upright
      const bytes = withExifOrientation(await encodeJpeg(stored, 100), orientation)
      const { face } = await analyzeImage(bytes, faceModels)
      expect(face?.pose.yaw_deg).toBeCloseTo(expected?.pose.yaw_deg ?? Number.NaN, -0.5)
      expect(face?.pose.roll_deg).toBeCloseTo(expected?.pose.roll_deg ?? Number.NaN, -0.5)
      expect(face?.gaze.up_deg).toBeCloseTo(expected?.gaze.up_deg ?? Number.NaN, -0.5)
      expect(face?.expression.smile).toBeCloseTo(expected?.expression.smile ?? Number.NaN, 1)
      expect(face?.width_px).toBeCloseTo(expected?.width_px ?? Number.NaN, -0.8)
    },
  )
})
