import { clamp } from '../numbers.ts'
import { AS_TAKEN, blurCrop, type Crop, cropRegion, type Pyramid, type Region, type Tone } from './pixels.ts'

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
  const gain = gainOf(pyramid, region)
  return gain === 1 ? AS_TAKEN : LINEAR.map((light) => encode(light * gain))
}

/** How many times the light would make a region's mean middle grey, 1 where it is bright enough. */
export function gainOf(pyramid: Pyramid, region: Region): number {
  const sum = lightOf(pyramid, region).reduce((total, light) => total + light, 0)
  return clamp((MIDDLE_GREY * SIDE * SIDE) / sum, 1, MAX_GAIN)
}

/**
 * A region in `gain` times the light, blurred by `sigma` pixels of the crop. Averaged as light, before it is brightened: noise
 * and rounding to 255 levels then cancel, where brightened values would keep them.
 */
export function cropInLight(
  pyramid: Pyramid,
  region: Region,
  size: number,
  { gain, sigma }: { gain: number; sigma: number },
): Crop {
  const crop = blurCrop(cropRegion(pyramid, region, size, LINEAR), sigma)
  // In place, and not by `map`, which would hold the crop twice.
  for (let i = 0; i < crop.rgb.length; i++) crop.rgb[i] = encode((crop.rgb[i] ?? 0) * gain)
  return crop
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

/** Light as a value of a channel, 0 to 1; what is brighter than white is white. */
function encode(light: number): number {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * Math.min(1, light) ** (1 / 2.4) - 0.055
}
