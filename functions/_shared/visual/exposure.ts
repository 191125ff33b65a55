import { clamp } from '../numbers.ts'
import type { Point } from './geometry.ts'
import { AS_TAKEN, cropRegion, type Pyramid, type Region, type Tone } from './pixels.ts'

/** What light meters take a scene to reflect on average: a face that reflects less of the light is brightened to it. */
const MIDDLE_GREY = 0.18

/** Six stops: with less light there is more noise than face. */
const MAX_GAIN = 64

const SIDE = 32

/**
 * The exposure in which a region's mean light is middle grey, for models that learnt from well-lit faces: in linear light, so
 * that a face looks as it would have with more light. A region that is bright enough stays as it was taken.
 */
export function exposureOf(pyramid: Pyramid, region: Region): Tone {
  const sum = lightOf(pyramid, region).reduce((total, light) => total + light, 0)
  const gain = clamp((MIDDLE_GREY * SIDE * SIDE) / sum, 1, MAX_GAIN)
  return gain === 1 ? AS_TAKEN : LINEAR.map((light) => encode(Math.min(1, light * gain)))
}

/** A sixtieth of the light that white reflects in good light, and the light of a face that something lights in a dark room. */
const NIGHT = 1 / 60
const LIT_FACE = 0.05

/**
 * Whether a face is in light as of night: even what is brightest around it, one hundredth of it, is dark. Light skin may still be found
 * then, dark skin seldom (docs/accuracy.md); so such a picture is of no use, whoever is in it. Only what is around the face tells how little
 * light there is, because the face itself is darker the darker its skin. Where it fills the picture nothing tells.
 *
 * @param face a region without hair and background
 * @param mesh the points of the face in pixels
 */
export function isNight(pyramid: Pyramid, face: Region, mesh: readonly Point[]): boolean {
  const { width, height } = pyramid.base
  const size = Math.max(width, height)
  const picture = { centerX: width / 2, centerY: height / 2, size, angle: 0 }
  const [left, right] = rangeOf(mesh.map(({ x }) => x))
  const [top, bottom] = rangeOf(mesh.map(({ y }) => y))
  const around = lightOf(pyramid, picture)
    .filter((_, at) => {
      const x = picture.centerX + (((at % SIDE) + 0.5) / SIDE - 0.5) * size
      const y = picture.centerY + ((Math.floor(at / SIDE) + 0.5) / SIDE - 0.5) * size
      const isInside = x >= 0 && y >= 0 && x < width && y < height
      // Outside of the ellipse about the face.
      const across = (2 * x - left - right) / (right - left)
      const down = (2 * y - top - bottom) / (bottom - top)
      return isInside && across ** 2 + down ** 2 > 1
    })
    .sort()
  if ((around[Math.floor(0.99 * around.length)] ?? 1) >= NIGHT) return false
  return lightOf(pyramid, face).reduce((sum, light) => sum + light, 0) / (SIDE * SIDE) < LIT_FACE
}

function rangeOf(values: readonly number[]): [least: number, most: number] {
  return [Math.min(...values), Math.max(...values)]
}

/** Luminance (ITU-R BT.709) in linear light of `SIDE` × `SIDE` places of a region, 0 to 1. */
function lightOf(pyramid: Pyramid, region: Region): Float32Array {
  const { rgb } = cropRegion(pyramid, region, SIDE, LINEAR)
  return Float32Array.from(
    { length: SIDE * SIDE },
    (_, at) =>
      0.2126 * (rgb[3 * at] ?? 0) + 0.7152 * (rgb[3 * at + 1] ?? 0) + 0.0722 * (rgb[3 * at + 2] ?? 0),
  )
}

/** The light that each value of a channel stands for (sRGB, IEC 61966-2-1). */
const LINEAR: Tone = AS_TAKEN.map((value) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
)

function encode(light: number): number {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
}
