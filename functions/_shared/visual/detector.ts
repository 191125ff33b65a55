import { type FaceModels, MODEL_INPUTS } from './face-models.ts'
import type { Point } from './geometry.ts'
import { type Crop, cropRegion, type Pyramid, type Region, toImage } from './pixels.ts'

/** Where a face is, in pixels of the upright image. */
export interface Box {
  centerX: number
  centerY: number
  width: number
  height: number
}

/** A face as the detector sees it; `rightEye` is the person's right eye. */
export interface Detection extends Box {
  score: number
  rightEye: Point
  leftEye: Point
}

/** Samples a region to `size` × `size`. */
export type ReadCrop = (pyramid: Pyramid, region: Region, size: number) => Crop

const SIDE = MODEL_INPUTS.blazeface
const MIN_SCORE = 0.5

/**
 * Boxes that share more than this part of the smaller one are of one face. Forehead or chin of a face that fills the
 * image are found a second time, and share 0.5 and more; heads that touch share less than 0.2.
 */
export const MAX_OVERLAP = 0.35

/** Values that the model gives for each anchor: centre, size, then six keypoints, of which the eyes come first. */
const VALUES = 16

/** Grid cells as [stride in pixels, anchors in each cell], in the order of the model's outputs. */
const GRIDS = [
  { stride: 16, perCell: 2, scores: (SIDE / 16) ** 2 * 2 },
  { stride: 32, perCell: 6, scores: (SIDE / 32) ** 2 * 6 },
]

/**
 * Finds faces with BlazeFace (Bazarevsky et al. 2019, arXiv:1907.05047, full-range model of 256 pixels) on the whole
 * image within a black square. Best first, overlapping ones merged into the best of them.
 *
 * @param read how the picture is shown to the model, as it was taken unless told
 */
export function detectFaces(pyramid: Pyramid, models: FaceModels, read: ReadCrop = cropRegion): Detection[] {
  const { width, height } = pyramid.base
  const region = { centerX: width / 2, centerY: height / 2, size: Math.max(width, height), angle: 0 }
  const crop = read(pyramid, region, SIDE)
  // In place, and not by `map`, which would make an object of each of 200,000 numbers.
  for (let i = 0; i < crop.rgb.length; i++) crop.rgb[i] = (crop.rgb[i] ?? 0) * 2 - 1
  const outputs = models.run('blazeface', crop.rgb)
  const found = GRIDS.flatMap((grid) => decode(outputs, grid, crop))
  return suppressOverlaps(found.sort((first, second) => second.score - first.score))
}

function decode(outputs: Float32Array[], grid: (typeof GRIDS)[number], crop: Crop): Detection[] {
  const scores = outputs.find((output) => output.length === grid.scores)
  const boxes = outputs.find((output) => output.length === grid.scores * VALUES)
  if (!scores || !boxes) throw new Error('the face detector returned an unknown form')
  const cells = SIDE / grid.stride
  const detections: Detection[] = []
  for (let anchor = 0; anchor < scores.length; anchor++) {
    const score = 1 / (1 + Math.exp(-(scores[anchor] ?? 0)))
    if (score < MIN_SCORE) continue
    const cell = Math.floor(anchor / grid.perCell)
    const anchorX = ((cell % cells) + 0.5) * grid.stride
    const anchorY = (Math.floor(cell / cells) + 0.5) * grid.stride
    const value = (index: number) => boxes[anchor * VALUES + index] ?? 0
    const point = (index: number) =>
      toImage(crop.region, SIDE, anchorX + value(index), anchorY + value(index + 1), 0)
    const scale = crop.region.size / SIDE
    const center = point(0)
    detections.push({
      score,
      centerX: center.x,
      centerY: center.y,
      width: value(2) * scale,
      height: value(3) * scale,
      rightEye: point(4),
      leftEye: point(6),
    })
  }
  return detections
}

function suppressOverlaps(detections: Detection[]): Detection[] {
  const kept: Detection[] = []
  for (const detection of detections) {
    if (kept.every((other) => overlap(detection, other) < MAX_OVERLAP)) kept.push(detection)
  }
  return kept
}

/** Part of the smaller of two boxes that the other covers, 0 to 1. */
export function overlap(first: Box, second: Box): number {
  const shared = (axis: 'X' | 'Y', side: 'width' | 'height') =>
    Math.max(
      0,
      Math.min(first[`center${axis}`] + first[side] / 2, second[`center${axis}`] + second[side] / 2) -
        Math.max(first[`center${axis}`] - first[side] / 2, second[`center${axis}`] - second[side] / 2),
    )
  const intersection = shared('X', 'width') * shared('Y', 'height')
  return intersection / Math.min(first.width * first.height, second.width * second.height)
}
