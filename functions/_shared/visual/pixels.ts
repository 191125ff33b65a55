import type { Point } from './geometry.ts'
import type { Orientation } from './image-bytes.ts'

/** An image as rows of RGBA, 8 bits each. */
export interface Pixels {
  width: number
  height: number
  data: Uint8ClampedArray
}

/**
 * Gives an image's memory back at once. Waiting for the garbage collector would let the pixels of several large
 * images pile up beyond what a function may hold.
 */
export function release({ data }: Pixels): void {
  if (data.buffer instanceof ArrayBuffer) data.buffer.transfer(0)
}

/** Half the size in both directions, each pixel the mean of four; an odd last row or column is left out. */
export function halve({ width, height, data }: Pixels): Pixels {
  const halfWidth = width >> 1
  const halfHeight = height >> 1
  const half = new Uint8ClampedArray(halfWidth * halfHeight * 4)
  const source = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const target = new Uint32Array(half.buffer)
  for (let y = 0; y < halfHeight; y++) {
    let above = 2 * y * width
    let below = above + width
    let out = y * halfWidth
    const end = out + halfWidth
    for (; out < end; out++, above += 2, below += 2) {
      const a = source[above] ?? 0
      const b = source[above + 1] ?? 0
      const c = source[below] ?? 0
      const d = source[below + 1] ?? 0
      // Two channels at a time, 16 bits apart, with 2 added to each sum of four so that it rounds.
      const even = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff) + 0x20002
      const odd =
        ((a >>> 8) & 0xff00ff) +
        ((b >>> 8) & 0xff00ff) +
        ((c >>> 8) & 0xff00ff) +
        ((d >>> 8) & 0xff00ff) +
        0x20002
      target[out] = ((even >>> 2) & 0xff00ff) | (((odd >>> 2) & 0xff00ff) << 8)
    }
  }
  return { width: halfWidth, height: halfHeight, data: half }
}

/** Turns and mirrors an image as its EXIF orientation asks, so that it stands upright; takes the image over. */
export function upright(pixels: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) return pixels
  const { width, height } = pixels
  const isTurned = orientation >= 5
  const uprightWidth = isTurned ? height : width
  const uprightHeight = isTurned ? width : height
  const source = new Uint32Array(pixels.data.buffer, pixels.data.byteOffset, width * height)
  const target = new Uint32Array(width * height)
  const mirrorsX = orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8
  const mirrorsY = orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7
  for (let y = 0; y < uprightHeight; y++) {
    for (let x = 0; x < uprightWidth; x++) {
      const along = isTurned ? y : x
      const down = isTurned ? x : y
      const sourceX = mirrorsX ? width - 1 - along : along
      const sourceY = mirrorsY ? height - 1 - down : down
      target[y * uprightWidth + x] = source[sourceY * width + sourceX] ?? 0
    }
  }
  release(pixels)
  return { width: uprightWidth, height: uprightHeight, data: new Uint8ClampedArray(target.buffer) }
}

/** A square of an image, in pixels; `angle` in radians, positive turns its right edge downwards. */
export interface Region {
  centerX: number
  centerY: number
  size: number
  angle: number
}

/** A region sampled to `size` × `size`: red, green, blue of each pixel in turn, 0 to 1. */
export interface Crop {
  region: Region
  size: number
  rgb: Float32Array
}

/** The image at full, half, quarter… size, each made when it is first needed. */
export class Pyramid {
  readonly #levels: Pixels[]

  constructor(base: Pixels) {
    this.#levels = [base]
  }

  get base(): Pixels {
    return this.level(0)
  }

  level(depth: number): Pixels {
    const known = this.#levels[depth]
    if (known) return known
    const made = halve(this.level(depth - 1))
    this.#levels[depth] = made
    return made
  }

  /** Ends the use of all levels. */
  release(): void {
    for (const level of this.#levels) release(level)
  }
}

/** Samples that lie further apart than this many pixels would skip detail and alias: a smaller level is read then. */
const MAX_STEP = 1.5

/** What each of the 256 values of a channel counts as, 0 to 1. */
export type Tone = Float32Array

export const AS_TAKEN: Tone = Float32Array.from({ length: 256 }, (_, value) => value / 255)

/** Samples a region bilinearly; what lies outside of the image is black. */
export function cropRegion(pyramid: Pyramid, region: Region, size: number, tone = AS_TAKEN): Crop {
  let depth = 0
  while (
    region.size / 2 ** depth / size > MAX_STEP &&
    Math.min(pyramid.base.width, pyramid.base.height) >> (depth + 1)
  ) {
    depth += 1
  }
  const { width, height, data } = pyramid.level(depth)
  const scale = 2 ** depth
  const step = region.size / scale / size
  const stepX = Math.cos(region.angle) * step
  const stepY = Math.sin(region.angle) * step
  const middle = (size - 1) / 2
  const startX = region.centerX / scale - 0.5 - middle * stepX + middle * stepY
  const startY = region.centerY / scale - 0.5 - middle * stepY - middle * stepX

  const rgb = new Float32Array(size * size * 3)
  let out = 0
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++, out += 3) {
      const x = startX + column * stepX - row * stepY
      const y = startY + column * stepY + row * stepX
      const left = Math.floor(x)
      const top = Math.floor(y)
      if (left < -1 || top < -1 || left >= width || top >= height) continue
      const right = x - left
      const below = y - top
      for (let corner = 0; corner < 4; corner++) {
        const sampleX = left + (corner & 1)
        const sampleY = top + (corner >> 1)
        if (sampleX < 0 || sampleY < 0 || sampleX >= width || sampleY >= height) continue
        const weight = (corner & 1 ? right : 1 - right) * (corner & 2 ? below : 1 - below)
        const at = (sampleY * width + sampleX) * 4
        rgb[out] = (rgb[out] ?? 0) + weight * (tone[data[at] ?? 0] ?? 0)
        rgb[out + 1] = (rgb[out + 1] ?? 0) + weight * (tone[data[at + 1] ?? 0] ?? 0)
        rgb[out + 2] = (rgb[out + 2] ?? 0) + weight * (tone[data[at + 2] ?? 0] ?? 0)
      }
    }
  }
  return { region, size, rgb }
}

/** A crop blurred by a Gaussian of `sigma` pixels; at its edge only what is in it counts. */
export function blurCrop({ region, size, rgb }: Crop, sigma: number): Crop {
  const reach = Math.ceil(2.5 * sigma)
  const weights = Array.from({ length: reach + 1 }, (_, away) => Math.exp(-((away / sigma) ** 2) / 2))
  return { region, size, rgb: blurAlong(blurAlong(rgb, size, 3, weights), size, size * 3, weights) }
}

/** Blurs rows or columns, whose pixels are `step` values apart. */
function blurAlong(rgb: Float32Array, size: number, step: number, weights: number[]): Float32Array {
  const reach = weights.length - 1
  const blurred = new Float32Array(rgb.length)
  for (let at = 0; at < rgb.length; at++) {
    const place = Math.floor(at / step) % size
    const last = Math.min(reach, size - 1 - place)
    let [sum, total] = [0, 0]
    for (let away = Math.max(-reach, -place); away <= last; away++) {
      const weight = weights[Math.abs(away)] ?? 0
      sum += weight * (rgb[at + away * step] ?? 0)
      total += weight
    }
    blurred[at] = sum / total
  }
  return blurred
}

/** The same crop seen in a mirror. */
export function mirrorCrop({ region, size, rgb }: Crop): Crop {
  const mirrored = new Float32Array(rgb.length)
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const from = (row * size + column) * 3
      mirrored.set(rgb.subarray(from, from + 3), (row * size + size - 1 - column) * 3)
    }
  }
  return { region, size, rgb: mirrored }
}

/** Brings a point of a crop, in pixels of the crop, back into the image; depth is scaled alike. */
export function toImage(region: Region, cropSize: number, x: number, y: number, z: number): Point {
  const scale = region.size / cropSize
  const fromCenterX = (x - cropSize / 2) * scale
  const fromCenterY = (y - cropSize / 2) * scale
  const cos = Math.cos(region.angle)
  const sin = Math.sin(region.angle)
  return {
    x: region.centerX + fromCenterX * cos - fromCenterY * sin,
    y: region.centerY + fromCenterX * sin + fromCenterY * cos,
    z: z * scale,
  }
}
