import type { FaceMeasures, ImageOutcome } from '../outcome.ts'

/** A face whose expression can be rated, with the quality that weights it, above 0 to 1. */
export interface UsableFace extends FaceMeasures {
  quality: number
}

/** The images of one check-in, as the extractors see them. */
export interface Frames {
  /** Faces of usable images. */
  usable: UsableFace[]
  /** Faces of usable images and of those that are merely turned away: enough to say where they look. */
  posed: FaceMeasures[]
}

/** The outcomes in an order of their own, so that rounding in sums does not depend on the order of the images. */
export function inOrder(outcomes: ImageOutcome[]): ImageOutcome[] {
  return outcomes
    .map((outcome) => ({ outcome, key: JSON.stringify(outcome) }))
    .sort((first, second) => (first.key < second.key ? -1 : Number(first.key > second.key)))
    .map(({ outcome }) => outcome)
}

/** Sorts outcomes, as `inOrder` returns them, into frames. */
export function framesOf(outcomes: ImageOutcome[]): Frames {
  const usable: UsableFace[] = []
  const posed: FaceMeasures[] = []
  for (const { face, quality, reason } of outcomes) {
    if (!face) continue
    if (reason === null && quality > 0) usable.push({ ...face, quality })
    if (reason === null || reason === 'turned_away') posed.push(face)
  }
  return { usable, posed }
}

/** Mean over usable faces, weighted by their quality; `null` without any. */
export function weightedMean(faces: UsableFace[], value: (face: UsableFace) => number): number | null {
  const total = faces.reduce((sum, { quality }) => sum + quality, 0)
  return total > 0 ? faces.reduce((sum, face) => sum + face.quality * value(face), 0) / total : null
}

/** Standard deviation over usable faces, weighted by their quality; `null` with fewer than two. */
export function weightedSpread(faces: UsableFace[], value: (face: UsableFace) => number): number | null {
  const mean = weightedMean(faces, value)
  if (mean === null || faces.length < 2) return null
  return Math.sqrt(weightedMean(faces, (face) => (value(face) - mean) ** 2) ?? 0)
}

/** Share of faces for which something holds; `null` without any. */
export function fractionOf<Face>(faces: Face[], holds: (face: Face) => boolean): number | null {
  return faces.length > 0 ? faces.filter(holds).length / faces.length : null
}
