import { type Box, type Detection, detectFaces, MAX_OVERLAP, overlap, type ReadCrop } from './detector.ts'
import { cropInLight, exposureOf, gainOf } from './exposure.ts'
import { classifyEmotion, measureExpression } from './expression.ts'
import type { FaceModels } from './face-models.ts'
import { estimateGaze, headPose } from './gaze-and-pose.ts'
import type { Point } from './geometry.ts'
import { ByteReader } from './image-bytes.ts'
import { inspectImage } from './inspect-image.ts'
import { fitEyes, fitMesh, regionOfDetection } from './landmarks.ts'
import { type FaceMeasures, ImageError, type ImageOutcome } from './outcome.ts'
import { cropRegion, halve, type Pixels, Pyramid, type Region, release, upright } from './pixels.ts'
import { decodePng } from './png-pixels.ts'
import { lumaAt, measureLight, patchOf, rateFace } from './quality.ts'
import { thumbnailOf } from './thumbnail.ts'
import { webpFrame } from './webp.ts'

/** The image is halved until its longer side is at most this many pixels: a face then still fills the models. */
const MAX_SIDE = 1600

/** A JPEG is decoded directly to half, a quarter or an eighth of its size. */
const MAX_HALVINGS = 3

/** A second face counts when it is at least this share of the largest one's width; passers-by are smaller. */
const MIN_RELATIVE_WIDTH = 0.5

/** Faces that are looked at closely in one image, so that a crowd costs no more than this. */
const MAX_CANDIDATES = 3

/**
 * Dark pictures in which brightening shows no face either are looked at once more for each of these: out of focus by `sigma` of
 * the detector's pixels, which leaves less noise, and then also brighter, for a dark face before what is lighter.
 */
const DIM_LOOKS = [
  { more: 1, sigma: 1.5 },
  { more: 3, sigma: 2 },
]

/** Of a dim face the detector often sees less than the whole. */
const DIM_SIZES = [1, 1.2]

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
  return { faces: 1, face, ...rateFace(face), thumbnail: thumbnailOf(pyramid) }
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
 * nobody, or parts of one face, brightened, which would wash out a lit face in a dark room.
 */
function findFaces(pyramid: Pyramid, models: FaceModels): Point[][] {
  const found = findFacesIn(pyramid, models, cropRegion)
  const middle = middleOf(pyramid)
  const gain = gainOf(pyramid, middle)
  if (gain === 1 || areFaces(found)) return found
  const tone = exposureOf(pyramid, middle)
  const looks: ReadCrop[] = [
    (...from) => cropRegion(...from, tone),
    ...DIM_LOOKS.map(
      ({ more, sigma }): ReadCrop =>
        (...from) =>
          cropInLight(...from, { gain: gain * more, sigma }),
    ),
  ]
  for (const look of looks) {
    const faces = findFacesIn(pyramid, models, look, DIM_SIZES)
    if (areFaces(faces)) return faces
  }
  return found
}

/** Whether meshes are of faces that stand beside each other: two that overlap are of parts of one face. */
function areFaces(meshes: Point[][]): boolean {
  const boxes = meshes.map(boxOf)
  return (
    meshes.length > 0 &&
    boxes.every((box, index) => boxes.slice(index + 1).every((other) => overlap(box, other) < MAX_OVERLAP))
  )
}

/** `sizes` are how large the places of the mesh are tried, times what the detector says, until one shows a face. */
function findFacesIn(pyramid: Pyramid, models: FaceModels, read: ReadCrop, sizes = [1]): Point[][] {
  const bySize = detectFaces(pyramid, models, read).sort((first, second) => second.width - first.width)
  const meshes: { detection: Detection; mesh: Point[] }[] = []
  for (const detection of bySize.slice(0, MAX_CANDIDATES)) {
    const largest = meshes[0]?.detection.width ?? 0
    if (detection.width < largest * MIN_RELATIVE_WIDTH) break
    const mesh = meshOf(pyramid, regionOfDetection(detection), models, sizes)
    if (mesh) meshes.push({ detection, mesh })
  }
  return meshes.map(({ mesh }) => mesh)
}

function meshOf(pyramid: Pyramid, place: Region, models: FaceModels, sizes: number[]): Point[] | null {
  for (const size of sizes) {
    const region = { ...place, size: place.size * size }
    const mesh = fitMesh(pyramid, region, models, exposureOf(pyramid, region))
    if (mesh) return mesh
  }
  return null
}

function boxOf(mesh: Point[]): Box {
  const [left, right] = extent(mesh.map(({ x }) => x))
  const [top, bottom] = extent(mesh.map(({ y }) => y))
  return {
    centerX: (left + right) / 2,
    centerY: (top + bottom) / 2,
    width: right - left,
    height: bottom - top,
  }
}

const extent = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)]

function measureFace(pyramid: Pyramid, mesh: Point[], scale: number, models: FaceModels): FaceMeasures {
  const tone = exposureOf(pyramid, patchOf(mesh))
  const landmarks = fitEyes(pyramid, mesh, models, tone)
  const pose = headPose(mesh)
  const { width, height } = boxOf(mesh)
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
