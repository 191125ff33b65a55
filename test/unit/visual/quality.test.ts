import { beforeAll, describe, expect, test } from 'vitest'
import { mergeImages } from '../../../functions/_shared/visual/merge-images.ts'
import type { ImageOutcome } from '../../../functions/_shared/visual/outcome.ts'
import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'
import { analyze } from './codecs.ts'
import { faceAt } from './face-grid.ts'
import { groupPhotograph, portrait } from './photographs.ts'
import { beside, blur, brighten, crop, rotate, scale } from './pixel-edits.ts'

/** One photograph, made poor in each way that is told apart. */
async function poorStills(): Promise<Record<string, Pixels>> {
  const pixels = await portrait('serious')
  return {
    face_too_small: scale(pixels, 0.25),
    too_dark: brighten(pixels, 0.015),
    blurred: blur(pixels, 6),
    turned_away: faceAt([3, 11]),
    multiple_faces: beside(pixels, await portrait('smiling')),
    no_face: crop(await groupPhotograph(4), 850, 800, 400, 400),
  }
}

describe('a poor photograph', () => {
  let good: ImageOutcome
  const outcomes: Record<string, ImageOutcome> = {}
  beforeAll(async () => {
    good = await analyze(await portrait('serious'))
    for (const [reason, pixels] of Object.entries(await poorStills()))
      outcomes[reason] = await analyze(pixels)
  })

  test('has a reason of its own for each way of being poor, and a quality below the good one', () => {
    for (const [reason, outcome] of Object.entries(outcomes)) {
      expect(outcome.reason).toBe(reason)
      expect(outcome.quality).toBeLessThan(0.5 * good.quality)
    }
  })

  test('lowers the quality of its check-in, which names the reason', () => {
    // As of four moments.
    const { thumbnail: _, ...still } = good
    const whole = mergeImages([still, still, still, still], 4)
    expect(whole.quality.reason).toBeNull()
    for (const [reason, outcome] of Object.entries(outcomes)) {
      const { quality, features } = mergeImages([still, still, still, outcome], 4)
      expect(quality.reason).toBe(reason)
      expect(quality.score).toBeLessThan(whole.quality.score - 0.1)
      expect(quality.usable_images).toBe(3)
      expect(features.smile_intensity).toBeCloseTo(whole.features.smile_intensity ?? Number.NaN, 9)
    }
  })

  test.each<[string, number[], (pixels: Pixels, step: number) => Pixels]>([
    ['darker', [1, 0.1, 0.03, 0.025, 0.02], brighten],
    ['smaller', [1, 0.4, 0.35, 0.3, 0.25], scale],
    ['more blurred', [0, 2, 3, 4, 6], blur],
  ])('is worth less the %s it is', async (_, steps, edit) => {
    const qualities: number[] = []
    for (const step of steps) qualities.push((await analyze(edit(await portrait('serious'), step))).quality)
    expect(qualities).toEqual([...qualities].sort((first, second) => second - first))
    expect(qualities.at(0)).toBeGreaterThan(0.95)
    expect(qualities.at(-1)).toBeLessThan(0.45)
  })

  test('is worth less the further the head is turned', async () => {
    const qualities: number[] = []
    for (const angle of [0, 10, 20, 35]) {
      qualities.push((await analyze(rotate(await portrait('laughing'), angle))).quality)
    }
    expect(qualities).toEqual([...qualities].sort((first, second) => second - first))
    expect(qualities.at(-1)).toBeLessThan(0.5)
  })
})

describe('a face that fills the picture', () => {
  // The detector sees forehead or chin of these people as a second face.
  test.each([
    [0, 5],
    [1, 5],
    [1, 10],
    [2, 10],
    [4, 4],
    [4, 10],
    [5, 8],
  ] as const)('is one face: row %i, column %i', async (row, column) => {
    for (const factor of [1, 1.2]) {
      expect(await analyze(brighten(faceAt([row, column]), factor))).toMatchObject({ faces: 1, reason: null })
    }
  })

  test.each<[1 | 3 | 5 | 6, [number, number, number, number], number]>([
    [6, [1130, 250, 620, 420], 2],
    [3, [950, 180, 800, 480], 2],
    [5, [600, 60, 800, 600], 3],
  ])('is told from heads close together, in photograph %i', async (photo, [x, y, width, height], faces) => {
    const outcome = await analyze(crop(await groupPhotograph(photo), x, y, width, height))
    expect(outcome).toMatchObject({ faces, reason: 'multiple_faces' })
  })
})
