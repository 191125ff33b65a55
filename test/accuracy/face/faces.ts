import { evaluate } from '../../../functions/_shared/scoring/component.ts'
import { CHECK_IN_SCHEME } from '../../../functions/_shared/scoring/scheme.ts'
import { analyzeImage } from '../../../functions/_shared/visual/analyze-image.ts'
import { mergeImages } from '../../../functions/_shared/visual/merge-images.ts'
import type { ImageOutcome } from '../../../functions/_shared/visual/outcome.ts'
import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'
import { encodeJpeg, faceModels } from '../../unit/visual/codecs.ts'
import { COLUMNS, FACES, faceAt, ROWS } from '../../unit/visual/face-grid.ts'
import { PEOPLE, type Person, portrait } from '../../unit/visual/photographs.ts'
import { type Face, faceIn, type Light, relight, typologyAngle } from '../../unit/visual/relight.ts'

/** A still of a face in some light. */
export interface TakenImage extends Light {
  /** Number of the face. */
  face: number
  /** Individual typology angle of the face as photographed, degrees. */
  angle: number
  /** What the face shows, by eye; `null` where nobody has said. */
  label: 'neutral' | 'smiling' | null
  outcome: ImageOutcome
  /** Score of this still alone without a baseline, 10 to 90; `null` where it is not usable. */
  score: number | null
}

const LABELS: Partial<Record<Person, TakenImage['label']>> = {
  laughing: 'smiling',
  smiling: 'smiling',
  'smiling broadly': 'smiling',
  'smiling gently': 'smiling',
  serious: 'neutral',
  calm: 'neutral',
}

/** Every face that is usable as it was photographed, in each light. */
export async function takenImagesOf(lights: Light[]): Promise<TakenImage[]> {
  const images: TakenImage[] = []
  let number = 0
  for await (const { pixels, label } of pictures()) {
    number += 1
    const face = faceIn(pixels, faceModels)
    if (!face) continue
    const about = { face: number, angle: typologyAngle(face.skin), label }
    const asTaken = await takenImage(face, { exposure: 1 }, number)
    if (asTaken.score === null) continue
    for (const light of lights)
      images.push({ ...about, ...light, ...(await takenImage(face, light, number)) })
  }
  return images
}

async function* pictures(): AsyncGenerator<{ pixels: Pixels; label: TakenImage['label'] }> {
  for (const person of Object.keys(PEOPLE) as Person[]) {
    yield { pixels: await portrait(person), label: LABELS[person] ?? null }
  }
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const isIn = (label: 'neutral' | 'smiling') =>
        FACES[label].some(([atRow, atColumn]) => atRow === row && atColumn === column)
      const label = isIn('neutral') ? 'neutral' : isIn('smiling') ? 'smiling' : null
      yield { pixels: faceAt([row, column]), label }
    }
  }
}

async function takenImage(
  face: Face,
  light: Light,
  seed: number,
): Promise<Pick<TakenImage, 'outcome' | 'score'>> {
  const outcome = await analyzeImage(await encodeJpeg(relight(face, light, seed)), faceModels)
  const { features } = mergeImages([outcome], 1)
  const input = { features, quality: { score: 1, reason: null } }
  const { score } = evaluate('visual', input, null, '', CHECK_IN_SCHEME)
  return { outcome, score: outcome.reason === null ? score : null }
}
