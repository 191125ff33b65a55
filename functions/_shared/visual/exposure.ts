import { clamp } from '../numbers.ts'
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
