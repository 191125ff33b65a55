import type { Detection } from './detector.ts'
import { type FaceModels, MODEL_INPUTS } from './face-models.ts'
import { type Point, pointOf } from './geometry.ts'
import { AS_TAKEN, cropRegion, mirrorCrop, type Pyramid, type Region, type Tone, toImage } from './pixels.ts'

/** A face's shape in pixels of the upright image: 468 mesh points and both eyes in more detail. */
export interface Landmarks {
  mesh: Point[]
  rightEye: EyePoints
  leftEye: EyePoints
}

/** `contour` runs along the lower lid from the outer to the inner corner (9 points), then along the upper (7). */
export interface EyePoints {
  contour: Point[]
  iris: Point
}

/** Outer and inner corners, numbered as in MediaPipe's face mesh; right and left are the person's own. */
const RIGHT_EYE = { outer: 33, inner: 133 }
const LEFT_EYE = { outer: 263, inner: 362 }

const MESH_SIDE = MODEL_INPUTS.facemesh
const MESH_POINTS = 468
const MESH_MARGIN = 1.5
const MIN_FACE_SCORE = 0.8

const EYE_SIDE = MODEL_INPUTS.iris
const EYE_MARGIN = 2.3
const EYE_CONTOUR_POINTS = 16

/** Values that the model gives for the surroundings of an eye (71 points, its contour first) and its iris (5, the centre first). */
const EYE_VALUES = 71 * 3
const IRIS_VALUES = 5 * 3

/** Where the mesh is looked for: the detector's box turned so that the eyes are level, with a quarter more around. */
export function regionOfDetection({ centerX, centerY, width, height, rightEye, leftEye }: Detection): Region {
  return {
    centerX,
    centerY,
    size: Math.max(width, height) * MESH_MARGIN,
    angle: Math.atan2(leftEye.y - rightEye.y, leftEye.x - rightEye.x),
  }
}

/**
 * Mesh of 468 points by Face Mesh (Kartynnik et al. 2019, arXiv:1907.06724), looked for twice: the second time where
 * the first one was found, which removes most of the detector's own uncertainty.
 *
 * @returns `null` when what was detected turns out to be no face
 */
export function fitMesh(
  pyramid: Pyramid,
  start: Region,
  models: FaceModels,
  tone = AS_TAKEN,
): Point[] | null {
  const first = fitMeshOnce(pyramid, start, models, tone)
  return first && fitMeshOnce(pyramid, regionOfMesh(first), models, tone)
}

function fitMeshOnce(pyramid: Pyramid, region: Region, models: FaceModels, tone: Tone): Point[] | null {
  const crop = cropRegion(pyramid, region, MESH_SIDE, tone)
  const outputs = models.run('facemesh', crop.rgb)
  const score = outputs.find((output) => output.length === 1)?.[0] ?? 0
  const values = outputs.find((output) => output.length === MESH_POINTS * 3)
  if (!values) throw new Error('the face mesh model returned an unknown form')
  if (score < MIN_FACE_SCORE) return null
  return Array.from({ length: MESH_POINTS }, (_, index) => pointAt(values, index, region, MESH_SIDE))
}

/** The square around a mesh, turned with its eyes, with `margin` times its size. */
export function regionOfMesh(mesh: Point[], margin = MESH_MARGIN): Region {
  const angle = angleBetween(pointOf(mesh, RIGHT_EYE.outer), pointOf(mesh, LEFT_EYE.outer))
  return regionAround(mesh, angle, margin)
}

/**
 * Lids and irises of both eyes by the iris model (Ablavatski et al. 2020, arXiv:2006.11341), each eye cut from the
 * image itself rather than from the mesh's crop. The model knows right eyes: left ones are shown to it mirrored.
 */
export function fitEyes(pyramid: Pyramid, mesh: Point[], models: FaceModels, tone = AS_TAKEN): Landmarks {
  const regionOf = ({ outer, inner }: typeof RIGHT_EYE, isLeft: boolean) => {
    const [from, to] = isLeft ? [inner, outer] : [outer, inner]
    const corners = [pointOf(mesh, from), pointOf(mesh, to)]
    return regionAround(corners, angleBetween(pointOf(mesh, from), pointOf(mesh, to)), EYE_MARGIN)
  }
  const right = cropRegion(pyramid, regionOf(RIGHT_EYE, false), EYE_SIDE, tone)
  const left = mirrorCrop(cropRegion(pyramid, regionOf(LEFT_EYE, true), EYE_SIDE, tone))
  const input = new Float32Array(right.rgb.length * 2)
  input.set(right.rgb)
  input.set(left.rgb, right.rgb.length)
  const outputs = models.run('iris', input)
  const eyes = outputs.find((output) => output.length === 2 * EYE_VALUES)
  const irises = outputs.find((output) => output.length === 2 * IRIS_VALUES)
  if (!eyes || !irises) throw new Error('the iris model returned an unknown form')
  const readEye = (eye: 0 | 1, region: Region): EyePoints => ({
    contour: Array.from({ length: EYE_CONTOUR_POINTS }, (_, index) =>
      pointAt(eyes.subarray(eye * EYE_VALUES), index, region, EYE_SIDE, eye === 1),
    ),
    iris: pointAt(irises.subarray(eye * IRIS_VALUES), 0, region, EYE_SIDE, eye === 1),
  })
  return { mesh, rightEye: readEye(0, right.region), leftEye: readEye(1, left.region) }
}

function pointAt(
  values: Float32Array,
  index: number,
  region: Region,
  side: number,
  isMirrored = false,
): Point {
  const x = values[index * 3] ?? 0
  return toImage(
    region,
    side,
    isMirrored ? side - x : x,
    values[index * 3 + 1] ?? 0,
    values[index * 3 + 2] ?? 0,
  )
}

function regionAround(points: Point[], angle: number, margin: number): Region {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const along = points.map(({ x, y }) => x * cos + y * sin)
  const across = points.map(({ x, y }) => y * cos - x * sin)
  const [left, right] = [Math.min(...along), Math.max(...along)]
  const [top, bottom] = [Math.min(...across), Math.max(...across)]
  const middleAlong = (left + right) / 2
  const middleAcross = (top + bottom) / 2
  return {
    centerX: middleAlong * cos - middleAcross * sin,
    centerY: middleAlong * sin + middleAcross * cos,
    size: Math.max(right - left, bottom - top) * margin,
    angle,
  }
}

function angleBetween(from: Point, to: Point): number {
  return Math.atan2(to.y - from.y, to.x - from.x)
}
