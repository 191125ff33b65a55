import { readFile } from 'node:fs/promises'
import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'
import { faceModels } from './codecs.ts'
import { crop } from './pixel-edits.ts'

/** People in the group photographs of `@vladmandic/face-api`, by photograph and the middle of their face. */
export const PEOPLE = {
  laughing: { photo: 1, x: 1566, y: 342 },
  'eyes shut, looking down': { photo: 1, x: 936, y: 553 },
  'looking down': { photo: 2, x: 1555, y: 294 },
  serious: { photo: 3, x: 693, y: 484 },
  smiling: { photo: 3, x: 1189, y: 382 },
  'smiling broadly': { photo: 3, x: 1574, y: 456 },
  calm: { photo: 5, x: 861, y: 244 },
  pouting: { photo: 6, x: 1268, y: 466 },
  'smiling gently': { photo: 6, x: 1589, y: 438 },
} as const

export type Person = keyof typeof PEOPLE

const WIDTH = 300
const HEIGHT = 400

const portraits = new Map<Person, Promise<Pixels>>()

/** A portrait of 300 × 400 pixels, whose face takes up the middle; cut out once, not to be changed. */
export function portrait(person: Person): Promise<Pixels> {
  const known = portraits.get(person) ?? cutOut(person)
  portraits.set(person, known)
  return known
}

async function cutOut(person: Person): Promise<Pixels> {
  const { photo, x, y } = PEOPLE[person]
  return crop(await groupPhotograph(photo), x - WIDTH / 2, y - HEIGHT / 2, WIDTH, HEIGHT)
}

const photographs = new Map<number, Promise<Pixels>>()

/** A whole photograph, with three to five people; decoded once, not to be changed. */
export function groupPhotograph(photo: 1 | 2 | 3 | 4 | 5 | 6): Promise<Pixels> {
  const known = photographs.get(photo) ?? decodePhotograph(photo)
  photographs.set(photo, known)
  return known
}

async function decodePhotograph(photo: number): Promise<Pixels> {
  const file = new URL(`../../../node_modules/@vladmandic/face-api/demo/sample${photo}.jpg`, import.meta.url)
  return faceModels.decodeJpeg(new Uint8Array(await readFile(file)))
}
