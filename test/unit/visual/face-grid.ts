import { readFile } from 'node:fs/promises'
import type { ImageOutcome } from '../../../functions/_shared/visual/outcome.ts'
import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'
import { analyze, faceModels } from './codecs.ts'
import { crop, scale } from './pixel-edits.ts'

/** Places in the grid of faces, as row and column. */
type Place = readonly [row: number, column: number]

/** Faces of many people, labelled by eye; those on which two people might disagree are left out. */
export const FACES = {
  smiling: [
    [2, 2],
    [2, 3],
    [3, 2],
    [3, 7],
    [3, 12],
    [3, 13],
    [3, 15],
    [4, 1],
    [4, 7],
    [4, 12],
    [4, 13],
    [5, 1],
    [5, 7],
    [5, 9],
    [5, 13],
    [5, 17],
  ],
  neutral: [
    [0, 2],
    [0, 6],
    [0, 12],
    [1, 7],
    [3, 3],
    [3, 10],
    [4, 0],
    [4, 6],
    [4, 8],
    [5, 3],
    [5, 12],
  ],
  'eyes shut': [
    [3, 0],
    [4, 14],
  ],
  'eyes open': [
    [0, 0],
    [0, 15],
    [2, 1],
    [3, 2],
    [3, 10],
    [4, 0],
    [4, 8],
    [4, 17],
    [5, 2],
    [5, 4],
    [5, 11],
    [5, 12],
  ],
  'looking aside': [
    [3, 11],
    [4, 0],
    [5, 3],
  ],
  'looking at the camera': [
    [0, 0],
    [0, 8],
    [0, 15],
    [2, 3],
    [3, 2],
    [3, 13],
    [4, 5],
    [4, 8],
    [4, 17],
    [5, 2],
    [5, 4],
    [5, 7],
    [5, 17],
  ],
} as const satisfies Record<string, readonly Place[]>

export const [ROWS, COLUMNS] = [6, 18]

/** Side of a face in the grid, where the first one begins, and the distance between rows, in pixels. */
const SIDE = 105
const [FIRST_X, FIRST_Y] = [1.5, 283]
const [COLUMN, ROW] = [106.7, 112.4]

/** The picture of extracted faces that documents `@vladmandic/human`. */
const grid: Pixels = await faceModels.decodeJpeg(
  new Uint8Array(
    await readFile(
      new URL('../../../node_modules/@vladmandic/human/assets/screenshot-facematch.jpg', import.meta.url),
    ),
  ),
)

const faces = new Map<string, Pixels>()

/** A face of the grid, enlarged to 210 × 210 pixels; cut out once, not to be changed. */
export function faceAt([row, column]: Place): Pixels {
  const place = `${row} ${column}`
  const face =
    faces.get(place) ?? scale(crop(grid, FIRST_X + column * COLUMN, FIRST_Y + row * ROW, SIDE, SIDE), 2)
  faces.set(place, face)
  return face
}

/** The analyses of all faces with a label. */
export async function outcomesOf(label: keyof typeof FACES): Promise<ImageOutcome[]> {
  const outcomes: ImageOutcome[] = []
  for (const place of FACES[label]) outcomes.push(await analyze(faceAt(place)))
  return outcomes
}
