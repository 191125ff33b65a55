import { type Detection, detectFaces } from './detector.ts'
import { exposureOf } from './exposure.ts'
import { classifyEmotion, measureExpression } from './expression.ts'
import type { FaceModels } from './face-models.ts'
import { estimateGaze, headPose } from './gaze-and-pose.ts'
import type { Point } from './geometry.ts'
import { ByteReader } from './image-bytes.ts'
import { inspectImage } from './inspect-image.ts'
import { fitEyes, fitMesh, regionOfDetection } from './landmarks.ts'
import { type FaceMeasures, ImageError, type ImageOutcome } from './outcome.ts'
import {
  AS_TAKEN,
  cropRegion,
  halve,
  type Pixels,
  Pyramid,
  type Region,
  release,
  type Tone,
  upright,
} from './pixels.ts'
import { decodePng } from './png-pixels.ts'
import { lumaAt, measureLight, patchOf, rateFace } from './quality.ts'
import { webpFrame } from './webp.ts'

/** The image is halved until its longer side is at most this many pixels: a face then still fills the models. */
const MAX_SIDE = 1600

/** A JPEG is decoded directly to half, a quarter or an eighth of its size. */
const MAX_HALVINGS = 3

/** A second face counts when it is at least this share of the largest one's width; passers-by are smaller. */
const MIN_RELATIVE_WIDTH = 0.5

/** Faces that are looked at closely in one image, so that a crowd costs no more than this. */
const MAX_CANDIDATES = 3

/** Below this mean luma, an image in which no face was found is called dark rather than empty. */
const DARK_IMAGE = 0.06

/**
 * Measures the face in one image. Depends on the bytes alone: nothing is remembered from earlier images.
 *
 * @param bytes a whole JPEG, PNG or WebP
 * @throws ImageError when the file is rejected, see `inspectImage`, or cannot be decoded
 */
export async function analyzeImage(bytes: Uint8Array, models: FaceModels): Promise<ImageOutcome> {
  const { pixels, scale } = await decodeUpright(bytes, models)
  const pyramid = new Pyramid(pixels)
  try {
    return analyzeFaces(pyramid, scale, models)
  } finally {
    pyramid.release()
  }
}

function analyzeFaces(pyramid: Pyramid, scale: number, models: FaceModels): ImageOutcome {
  const faces = findFaces(pyramid, models)
  const [mesh] = faces
  if (!mesh) return { faces: 0, face: null, quality: 0, reason: isDark(pyramid) ? 'too_dark' : 'no_face' }
  if (faces.length > 1) return { faces: faces.length, face: null, quality: 0, reason: 'multiple_faces' }
  const face = measureFace(pyramid, mesh, scale, models)
  return { faces: 1, face, ...rateFace(face) }
}

/** `scale` is how many pixels of the file one pixel of the result stands for. */
async function decodeUpright(
  bytes: Uint8Array,
  models: FaceModels,
): Promise<{ pixels: Pixels; scale: number }> {
  const { format, width, height, orientation } = inspectImage(bytes, bytes.length)
  const halvings =
    format === 'jpeg' ? Math.min(MAX_HALVINGS, halvingsTo(MAX_SIDE, Math.max(width, height))) : 0
  let scale = 2 ** halvings
  let pixels = await {
    jpeg: () => decodeJpeg(bytes, halvings, models),
    png: () => decodePng(new ByteReader(bytes)),
    webp: () => models.decodeWebp(webpFrame(bytes)),
  }[format]()
  if (pixels.width !== Math.ceil(width / scale) || pixels.height !== Math.ceil(height / scale)) {
    throw new ImageError('image_unreadable', 'The image is damaged: save the picture again and send it.')
  }
  while (Math.max(pixels.width, pixels.height) > MAX_SIDE) {
    const half = halve(pixels)
    release(pixels)
    pixels = half
    scale *= 2
  }
  return { pixels: upright(pixels, orientation), scale }
}

/** How often a side must be halved to have at most `most` pixels. */
function halvingsTo(most: number, side: number): number {
  return Math.max(0, Math.ceil(Math.log2(side / most)))
}

async function decodeJpeg(bytes: Uint8Array, halvings: number, models: FaceModels): Promise<Pixels> {
  try {
    return await models.decodeJpeg(bytes, halvings)
  } catch (cause) {
    throw new ImageError('image_unreadable', 'The image is damaged: save the picture again and send it.', {
      cause,
    })
  }
}

/**
 * Meshes of the faces of comparable size, the largest first. Looked for as the picture was taken, and only where that shows
 * nobody brightened, which would wash out a lit face in a dark room.
 */
function findFaces(pyramid: Pyramid, models: FaceModels): Point[][] {
  const found = findFacesIn(pyramid, AS_TAKEN, models)
  const tone = found.length > 0 ? AS_TAKEN : exposureOf(pyramid, middleOf(pyramid))
  return tone === AS_TAKEN ? found : findFacesIn(pyramid, tone, models)
}

function findFacesIn(pyramid: Pyramid, tone: Tone, models: FaceModels): Point[][] {
  const bySize = detectFaces(pyramid, models, tone).sort((first, second) => second.width - first.width)
  const meshes: { detection: Detection; mesh: Point[] }[] = []
  for (const detection of bySize.slice(0, MAX_CANDIDATES)) {
    const largest = meshes[0]?.detection.width ?? 0
    if (detection.width < largest * MIN_RELATIVE_WIDTH) break
    const region = regionOfDetection(detection)
    const mesh = fitMesh(pyramid, region, models, exposureOf(pyramid, region))
    if (mesh) meshes.push({ detection, mesh })
  }
  return meshes.map(({ mesh }) => mesh)
}

function measureFace(pyramid: Pyramid, mesh: Point[], scale: number, models: FaceModels): FaceMeasures {
  const tone = exposureOf(pyramid, patchOf(mesh))
  const landmarks = fitEyes(pyramid, mesh, models, tone)
  const pose = headPose(mesh)
  const extent = (values: number[]) => Math.max(...values) - Math.min(...values)
  const width = extent(mesh.map(({ x }) => x))
  const height = extent(mesh.map(({ y }) => y))
  return {
    width_px: width * scale,
    box_share: Math.min(1, (width * height) / (pyramid.base.width * pyramid.base.height)),
    ...measureLight(pyramid, mesh),
    pose,
    gaze: estimateGaze(landmarks, pose),
    emotions: classifyEmotion(pyramid, mesh, models, tone),
    expression: measureExpression(landmarks),
  }
}

/** The largest square in the middle of the picture. */
function middleOf({ base: { width, height } }: Pyramid): Region {
  return { centerX: width / 2, centerY: height / 2, size: Math.min(width, height), angle: 0 }
}

function isDark(pyramid: Pyramid): boolean {
  const side = 32
  const { rgb } = cropRegion(pyramid, middleOf(pyramid), side)
  let sum = 0
  for (let pixel = 0; pixel < side * side; pixel++) sum += lumaAt(rgb, pixel)
  return sum / (side * side) < DARK_IMAGE
}
