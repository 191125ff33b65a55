import type { EmotionProbabilities } from './emotions.ts'
import type { Expression } from './expression.ts'
import type { Gaze } from './gaze.ts'
import type { ImageErrorCode } from './image-error.ts'
import type { FaceConditions, QualityReason } from './quality.ts'

/** Everything that was measured on the face of one image. */
export interface FaceMeasures extends FaceConditions {
  /** Share of the image that the face covers, 0 to 1. */
  box_share: number
  gaze: Gaze
  emotions: EmotionProbabilities
  expression: Expression
}

/** Why an image is not usable; an `ImageErrorCode` when it could not even be opened. */
export type ImageReason = 'no_face' | 'multiple_faces' | QualityReason | ImageErrorCode

/** The analysis of one image: plain JSON, every number finite. */
export interface ImageOutcome {
  /** Faces of comparable size; smaller ones behind the nearest are not counted. */
  faces: number
  /** The face, when there is exactly one. */
  face: FaceMeasures | null
  /** 0 useless to 1 nothing to wish for; 0 without exactly one face. */
  quality: number
  /** `null` when the image is usable. */
  reason: ImageReason | null
}

/** The outcome of an image that was refused with an `ImageError`, so that a merge can say why it is missing. */
export function refusedImage(code: ImageErrorCode): ImageOutcome {
  return { faces: 0, face: null, quality: 0, reason: code }
}
