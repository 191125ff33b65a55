import { ramp } from '../numbers.ts'
import type { Point } from './geometry.ts'
import { regionOfMesh } from './landmarks.ts'
import type { FaceConditions, QualityReason } from './outcome.ts'
import { cropRegion, type Pyramid } from './pixels.ts'

/** Side, in pixels, of the square in which light and sharpness are measured; the same for every face. */
const PATCH_SIDE = 96
const PATCH_MARGIN = 0.8

/** The face itself, without hair and background. */
export const patchOf = (mesh: Point[]) => regionOfMesh(mesh, PATCH_MARGIN)

/** Brightness and sharpness of the face. */
export function measureLight(pyramid: Pyramid, mesh: Point[]): { brightness: number; sharpness: number } {
  const { rgb } = cropRegion(pyramid, patchOf(mesh), PATCH_SIDE)
  const luma = Float64Array.from({ length: PATCH_SIDE * PATCH_SIDE }, (_, pixel) => lumaAt(rgb, pixel))
  const contrast = variance(luma).variance
  const detail = variance(laplacian(luma)).variance
  return { brightness: variance(luma).mean, sharpness: contrast > 0 ? Math.sqrt(detail / contrast) : 0 }
}

/** Luma (ITU-R BT.601) of one pixel of interleaved RGB. */
export function lumaAt(rgb: Float32Array, pixel: number): number {
  return 0.299 * (rgb[pixel * 3] ?? 0) + 0.587 * (rgb[pixel * 3 + 1] ?? 0) + 0.114 * (rgb[pixel * 3 + 2] ?? 0)
}

/**
 * Quality of a face, the product of four factors that each fall linearly from 1 (no concern) to 0 (useless); the
 * reason is the factor that is lowest, when it is below a half. The limit of brightness is where what is measured on a
 * brightened face begins to differ from the same face in good light (docs/accuracy.md), whatever the skin.
 */
export function rateFace({ width_px, brightness, sharpness, pose }: FaceConditions): {
  quality: number
  reason: QualityReason | null
} {
  const turn = Math.max(Math.abs(pose.yaw_deg), Math.abs(pose.pitch_deg))
  const factors: [QualityReason, number][] = [
    ['too_dark', ramp(brightness, 0.004, 0.02)],
    ['face_too_small', ramp(width_px, 32, 96)],
    ['turned_away', (1 - ramp(turn, 25, 55)) * (1 - ramp(Math.abs(pose.roll_deg), 50, 80))],
    ['blurred', ramp(sharpness, 0.03, 0.09)],
  ]
  const [reason, lowest] = factors.reduce((worst, factor) => (factor[1] < worst[1] ? factor : worst))
  return {
    quality: factors.reduce((product, [, factor]) => product * factor, 1),
    reason: lowest < 0.5 ? reason : null,
  }
}

/** Each inner pixel's difference from its four neighbours; the variance of it is a measure of focus (Pech-Pacheco 2000). */
function laplacian(luma: Float64Array): Float64Array {
  const inner = PATCH_SIDE - 2
  const at = (x: number, y: number) => luma[y * PATCH_SIDE + x] ?? 0
  return Float64Array.from({ length: inner * inner }, (_, index) => {
    const x = 1 + (index % inner)
    const y = 1 + Math.floor(index / inner)
    return at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y)
  })
}

function variance(values: Float64Array): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length }
}
