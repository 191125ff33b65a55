import { beforeAll, describe, expect, test } from 'vitest'
import { mergeImages } from '../../../functions/_shared/visual/merge-images.ts'
import { type Pixels, Pyramid } from '../../../functions/_shared/visual/pixels.ts'
import { isSamePicture, thumbnailOf } from '../../../functions/_shared/visual/thumbnail.ts'
import { noise } from '../audio/recordings.ts'
import { analyze, encodeJpeg, faceModels } from './codecs.ts'
import { PEOPLE, type Person, portrait } from './photographs.ts'
import { brighten, crop, paint, rotate, scale } from './pixel-edits.ts'

const people = Object.keys(PEOPLE) as Person[]

/** As an app saves it. */
async function saved(pixels: Pixels, quality = 85): Promise<Pixels> {
  return faceModels.decodeJpeg(await encodeJpeg(pixels, quality))
}

function samePicture(one: Pixels, other: Pixels): boolean {
  return isSamePicture(thumbnailOf(new Pyramid(one)), thumbnailOf(new Pyramid(other)))
}

const pixelAt = ({ width, data }: Pixels, x: number, y: number): [number, number, number] => {
  const at = (y * width + x) * 4
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
}

function withOnePixel(pixels: Pixels): Pixels {
  return paint(pixels.width, pixels.height, (x, y) =>
    x === 40 && y === 70 ? [255, 0, 255] : pixelAt(pixels, x, y),
  )
}

/** As a sensor adds it. */
function withNoise(pixels: Pixels, seed: number): Pixels {
  const random = noise(seed)
  return paint(pixels.width, pixels.height, (x, y) => {
    const [red, green, blue] = pixelAt(pixels, x, y)
    return [red + 5 * random(), green + 5 * random(), blue + 5 * random()]
  })
}

/** The head moved within a picture that stays where it is; `pixels` is how far its middle is. */
function headMoved(picture: Pixels, right: number, down: number): Pixels {
  const [middleX, middleY] = [picture.width / 2, picture.height / 2]
  const moved = crop(picture, -right, -down, picture.width, picture.height)
  return paint(picture.width, picture.height, (x, y) => {
    const share = Math.exp(-((((x - middleX) / 100) ** 2 + ((y - middleY) / 130) ** 2) ** 2))
    const [still, shifted] = [pixelAt(picture, x, y), pixelAt(moved, x, y)]
    const mixed = (channel: 0 | 1 | 2) => still[channel] * (1 - share) + shifted[channel] * share
    return [mixed(0), mixed(1), mixed(2)]
  })
}

describe.each(people)('a photograph of somebody %s', (person) => {
  let pixels: Pixels
  let picture: Pixels
  let noisy: Pixels
  beforeAll(async () => {
    pixels = await portrait(person)
    picture = await saved(pixels)
    noisy = await saved(withNoise(pixels, 1))
  })

  const copies: [string, (pixels: Pixels) => Promise<Pixels> | Pixels][] = [
    ['as it was', (pixels) => pixels],
    ['with one pixel changed', withOnePixel],
    ['saved at another quality', (pixels) => saved(pixels, 60)],
    ['saved twice', async (pixels) => saved(await saved(pixels, 75))],
    ['at three quarters of its size', (pixels) => saved(scale(pixels, 0.75))],
    ['at two thirds of its size, to an odd number of pixels', (pixels) => saved(scale(pixels, 2 / 3))],
    ['at twice its size', (pixels) => saved(scale(pixels, 2))],
    ['darkened', (pixels) => saved(brighten(pixels, 0.9))],
  ]
  test.each(copies)('is the same picture %s', async (_, copy) => {
    expect(samePicture(picture, await copy(picture))).toBe(true)
  })

  // A pixel of these small pictures is three or four of those that a phone takes.
  const moments: [string, (pixels: Pixels) => Pixels][] = [
    ['with the head a pixel further to the side', (pixels) => withNoise(headMoved(pixels, 1, 0), 2)],
    ['with the head a pixel lower', (pixels) => withNoise(headMoved(pixels, 0, 1), 3)],
    [
      'from a hand that has moved by a pixel',
      (pixels) => withNoise(crop(pixels, 1, 0, pixels.width, pixels.height), 4),
    ],
    ['from a hand that has turned by half a degree', (pixels) => withNoise(rotate(pixels, 0.5), 5)],
  ]
  test.each(moments)('is another picture %s', async (_, moment) => {
    expect(samePicture(noisy, await saved(moment(pixels)))).toBe(false)
  })
})

test('people are told apart', async () => {
  const pictures = await Promise.all(people.map(portrait))
  for (const [at, one] of pictures.entries())
    for (const other of pictures.slice(at + 1)) expect(samePicture(one, other)).toBe(false)
})

test('the same picture counts once, however often and however it was saved', async () => {
  const picture = await portrait('smiling')
  const copies = [picture, withOnePixel(picture), scale(picture, 0.75)]
  const outcomes = await Promise.all(
    [...copies, ...copies, picture, picture].map((pixels) => analyze(pixels)),
  )
  const { quality, replicates, features } = mergeImages(outcomes, 8)
  expect(quality).toMatchObject({ usable_images: 1, total_images: 8, reason: 'too_few_distinct_images' })
  expect(quality.score).toBeLessThanOrEqual(1 / 8)
  expect(features.emotion_stability).toBeNull()
  expect(replicates).toEqual({})
})

test('copies beside as many pictures as are needed change nothing', async () => {
  const pictures = await Promise.all(
    people.slice(0, 8).map(async (person) => analyze(await portrait(person))),
  )
  const [first, second] = pictures
  if (!first || !second) throw new Error('There are no pictures')
  const { features, quality } = mergeImages(pictures, 8)
  const more = mergeImages([...pictures, first, first, second], 11)
  expect(more.features).toEqual(features)
  expect(more.quality).toEqual({ ...quality, total_images: 11 })
})
