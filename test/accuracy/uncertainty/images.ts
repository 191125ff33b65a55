import { readFile } from 'node:fs/promises'
import { analyzeImage } from '../../../functions/_shared/visual/analyze-image.ts'
import { mergeImages } from '../../../functions/_shared/visual/merge-images.ts'
import type { ImageOutcome } from '../../../functions/_shared/visual/outcome.ts'
import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'
import { encodeJpeg, faceModels } from '../../unit/visual/codecs.ts'
import { crop, paint, scale } from '../../unit/visual/pixel-edits.ts'
import { type Pair, seeded } from '../degradations/pairs.ts'

/** A wall of small portraits that `@vladmandic/human` ships: rows and columns of faces, in pixels. */
const WALL = new URL(
  '../../../node_modules/@vladmandic/human/assets/screenshot-facematch.jpg',
  import.meta.url,
)
const FIRST = { x: 54, y: 340 }
const STEP = { x: 107, y: 112 }
const COLUMNS = 17
const ROWS = 5
const SIDE = 104

/** A face fills the models as one on a phone does. */
const ENLARGED = 3

/** As a hand moves the phone: pixels to the right and down, and brightness. */
const MOVES = [
  [0, 0, 1],
  [3, -2, 1.06],
  [-2, 3, 0.94],
] as const

const IMAGES = 8
const CHECK_INS = 60

/**
 * Check-ins of eight images and eight others of the same moment. A moment is a few faces between which the images are drawn,
 * because no packaged pictures show one person's face often: expressions differ more than one person's do.
 *
 * @param split every other face of the wall, so that none is in both
 */
export async function halvesOfImages(split: 'tuning' | 'held-out'): Promise<Pair[]> {
  const faces = await facesOf(split === 'tuning' ? 0 : 1)
  const random = seeded(split === 'tuning' ? 7 : 8)
  const drawn = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('There is nothing to draw from')
    return item
  }
  return Array.from({ length: CHECK_INS }, () => {
    const moment = Array.from({ length: 2 + Math.floor(5 * random()) }, () => drawn(faces))
    const half = () => evidence(Array.from({ length: IMAGES }, () => drawn(drawn(moment))))
    return { first: half(), second: half() }
  })
}

function evidence(outcomes: ImageOutcome[]) {
  const { features, replicates, quality } = mergeImages(outcomes, outcomes.length)
  return { features, replicates, quality, amount: quality.usable_images }
}

/** The outcomes of each face in its variants; places of the wall without a usable face are left out. */
async function facesOf(parity: 0 | 1): Promise<ImageOutcome[][]> {
  const wall = await faceModels.decodeJpeg(new Uint8Array(await readFile(WALL)))
  const faces: ImageOutcome[][] = []
  for (let place = parity; place < COLUMNS * ROWS; place += 2) {
    const left = FIRST.x + (place % COLUMNS) * STEP.x - SIDE / 2
    const top = FIRST.y + Math.floor(place / COLUMNS) * STEP.y - SIDE / 2
    const outcomes: ImageOutcome[] = []
    for (const [right, down, light] of MOVES) {
      const still = scale(crop(wall, left + right, top + down, SIDE, SIDE), ENLARGED)
      // Drawn twice, a picture stands for two moments.
      const { thumbnail: _, ...outcome } = await analyzeImage(
        await encodeJpeg(brightened(still, light)),
        faceModels,
      )
      outcomes.push(outcome)
    }
    if (outcomes.every(({ reason }) => reason === null)) faces.push(outcomes)
  }
  return faces
}

function brightened({ width, height, data }: Pixels, light: number): Pixels {
  return paint(width, height, (x, y) => {
    const at = (y * width + x) * 4
    return [(data[at] ?? 0) * light, (data[at + 1] ?? 0) * light, (data[at + 2] ?? 0) * light]
  })
}
