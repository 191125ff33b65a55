import { beforeAll, describe, expect, test } from 'vitest'
import { namesOf } from '../../../functions/_shared/features/definition.ts'
import { VISUAL_DEFINITIONS } from '../../../functions/_shared/features/visual.ts'
import { mergeImages, type VisualAnalysis } from '../../../functions/_shared/visual/merge-images.ts'
import type { ImageOutcome } from '../../../functions/_shared/visual/outcome.ts'
import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'
import { dose } from '../../depth.ts'
import { analyze } from './codecs.ts'
import { faceAt } from './face-grid.ts'
import { portrait } from './photographs.ts'
import { brighten, mirror, rotate, scale } from './pixel-edits.ts'
import { expectAgreement, TOLERANCES } from './tolerances.ts'

/** Ten people who smile, are serious, pout, shut their eyes, look aside and hold their head at a slant. */
async function tenImages(): Promise<Pixels[]> {
  const near = [
    'laughing',
    'eyes shut, looking down',
    'serious',
    'smiling broadly',
    'calm',
    'pouting',
  ] as const
  const small = [faceAt([4, 0]), faceAt([5, 3]), faceAt([0, 2]), faceAt([5, 9])]
  return [...(await Promise.all(near.map(portrait))), ...small]
}

describe('the features of ten images', () => {
  let images: Pixels[]
  let reference: VisualAnalysis
  beforeAll(async () => {
    images = await tenImages()
    reference = await analyzeAll((pixels) => pixels)
  })

  async function analyzeAll(edit: (pixels: Pixels) => Pixels): Promise<VisualAnalysis> {
    const outcomes: ImageOutcome[] = []
    for (const image of images) outcomes.push(await analyze(edit(image)))
    return mergeImages(outcomes, outcomes.length)
  }

  test('are all measured, none of them at the end of its range, and each has a tolerance', () => {
    expect(Object.keys(TOLERANCES)).toEqual(namesOf(VISUAL_DEFINITIONS))
    expect(reference.quality).toMatchObject({ usable_images: 10, reason: null })
    for (const name of namesOf(VISUAL_DEFINITIONS)) {
      const { least, greatest } = VISUAL_DEFINITIONS[name]
      expect(reference.features[name], name).toBeGreaterThan(least)
      expect(reference.features[name], name).toBeLessThan(greatest)
    }
  })

  const EDITS: [string, (pixels: Pixels) => Pixels][] = [
    ['mirrored', mirror],
    ['at 0.6 of the size', (pixels) => scale(pixels, 0.6)],
    ['turned by 15° to the right', (pixels) => rotate(pixels, 15)],
    ['darker by 30%', (pixels) => brighten(pixels, 0.7)],
  ]
  const MORE_EDITS: typeof EDITS = [
    ['at 0.8 of the size', (pixels) => scale(pixels, 0.8)],
    ['at 1.25 times the size', (pixels) => scale(pixels, 1.25)],
    ['at 2.5 times the size', (pixels) => scale(pixels, 2.5)],
    ['turned by 15° to the left', (pixels) => rotate(pixels, -15)],
    ['brighter by 20%', (pixels) => brighten(pixels, 1.2)],
  ]

  test.each(dose(EDITS, [...EDITS, ...MORE_EDITS]))('stay within their tolerances %s', async (_, edit) => {
    const { features, quality } = await analyzeAll(edit)
    expectAgreement(features, reference.features)
    expect(quality.usable_images).toBe(10)
  })
})

test.each(dose([1, 2], [1, 1.25, 1.5, 2, 2.5, 3]))(
  'a serious face is not read as a sad one at %d times the size',
  async (factor) => {
    for (const person of ['serious', 'pouting'] as const) {
      const { face } = await analyze(scale(await portrait(person), factor))
      expect(face?.emotions.neutral).toBeGreaterThan(0.8)
    }
  },
)
