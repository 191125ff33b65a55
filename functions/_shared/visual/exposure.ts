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
  const { rgb } = cropRegion(pyramid, region, SIDE, LINEAR)
  let sum = 0
  for (let at = 0; at < rgb.length; at += 3) {
    sum += 0.2126 * (rgb[at] ?? 0) + 0.7152 * (rgb[at + 1] ?? 0) + 0.0722 * (rgb[at + 2] ?? 0)
  }
  const gain = clamp((MIDDLE_GREY * SIDE * SIDE) / sum, 1, MAX_GAIN)
  return gain === 1 ? AS_TAKEN : LINEAR.map((light) => encode(Math.min(1, light * gain)))
}

/** The light that each value of a channel stands for (sRGB, IEC 61966-2-1). */
const LINEAR: Tone = AS_TAKEN.map((value) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
)

function encode(light: number): number {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
}
