/**
 * Reasons why a file cannot be analysed as an image:
 * - `image_empty`: no bytes;
 * - `image_unreadable`: no image, or damaged beyond decoding;
 * - `image_unsupported`: an image of another format (HEIC, AVIF, JPEG XL, GIF, BMP, TIFF), a JPEG in CMYK, a lossless or animated
 *   WebP; `details.format` says which;
 * - `image_truncated`: the file ends before the picture does;
 * - `image_too_small`, `image_too_large`: fewer pixels than `MIN_SIDE` a side, or more than its format may have.
 */
export const IMAGE_ERROR_CODES = [
  'image_empty',
  'image_unreadable',
  'image_unsupported',
  'image_truncated',
  'image_too_small',
  'image_too_large',
] as const

type ImageErrorCode = (typeof IMAGE_ERROR_CODES)[number]

type ImageErrorDetails = Record<string, string | number>

/** An image that is rejected; `message` says what to send instead and is fit to be shown. */
export class ImageError extends Error {
  readonly code: ImageErrorCode
  readonly details: ImageErrorDetails | undefined

  constructor(
    code: ImageErrorCode,
    message: string,
    options?: ErrorOptions & { details?: ImageErrorDetails },
  ) {
    super(message, options)
    this.name = 'ImageError'
    this.code = code
    this.details = options?.details
  }
}

/** The classes of the expression model, in the order of its output. */
export const EMOTIONS = ['angry', 'disgust', 'fear', 'happy', 'sad', 'surprise', 'neutral'] as const
export type Emotion = (typeof EMOTIONS)[number]

/** Probability of each class, 0 to 1, together 1. */
export type EmotionProbabilities = Record<Emotion, number>

/** Ratios of distances within one face: neither its size in the image nor the roll of the head changes them. */
export interface Expression {
  /** Eye aspect ratio, mean of both eyes: below 0.15 shut, about 0.33 open. */
  eye_openness: number
  /** Gap between the lips over the mouth's inner width: 0 shut, 0.3 in laughter, above 0.5 in a yawn. */
  mouth_openness: number
  /** 0 none to 1 broad. */
  smile: number
  /** 0 raised to 1 lowered, about 0.3 at rest. */
  brow_lowering: number
}

/**
 * How the head is turned, in degrees, all zero when it faces the camera upright: `pitch_deg` positive with the chin
 * raised, `yaw_deg` positive towards the person's left (right in the image), `roll_deg` positive when the head tilts
 * clockwise in the image. A mirrored image changes the signs of yaw and roll only.
 */
export interface HeadPose {
  pitch_deg: number
  yaw_deg: number
  roll_deg: number
}

/**
 * Where the eyes look, in degrees relative to the camera and along the head's own axes: `right_deg` positive to the
 * right in the image, `up_deg` positive towards the forehead, both zero on the camera.
 */
export interface Gaze {
  right_deg: number
  up_deg: number
}

/** Why the face in an image says less than it could, or nothing. */
export type QualityReason = 'face_too_small' | 'too_dark' | 'blurred' | 'turned_away'

/** What decides how far a face can be trusted. */
export interface FaceConditions {
  /** Width of the face in pixels of the image that was sent. */
  width_px: number
  /** Mean luma of the face, 0 black to 1 white. */
  brightness: number
  /** Contrast between neighbouring pixels over the face's contrast as a whole: 0.03 blurred, above 0.1 sharp. */
  sharpness: number
  pose: HeadPose
}

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

/** By which two images are told to be the same picture: the light of 16 × 16 places of the whole, with a mean of 0 and a spread of 1. */
export interface Thumbnail {
  /** Pixels of a side of the picture, the geometric mean of both. */
  side: number
  /** In 16 bits each, base64. */
  levels: string
}

/** The analysis of one image: plain JSON, every number finite. */
export interface ImageOutcome {
  /** Faces of comparable size; smaller ones behind the nearest are not counted. */
  faces: number
  /** The face, when there is exactly one. */
  face: FaceMeasures | null
  /** 0 useless to 1 without any flaw; 0 without exactly one face. */
  quality: number
  /** `null` when the image is usable. */
  reason: ImageReason | null
  /** Of an image with one face; absent in outcomes of versions that counted every image. */
  thumbnail?: Thumbnail
}

/** The outcome of an image that was rejected with an `ImageError`, so that a merge can say why it is missing. */
export function rejectedImage(code: ImageErrorCode): ImageOutcome {
  return { faces: 0, face: null, quality: 0, reason: code }
}
