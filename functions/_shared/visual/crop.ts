import { halve, type Pixels, release } from './pixels.ts'

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

/** Samples a region bilinearly; what lies outside of the image is black. */
export function cropRegion(pyramid: Pyramid, region: Region, size: number): Crop {
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
        const weight = (corner & 1 ? right : 1 - right) * (corner & 2 ? below : 1 - below) * (1 / 255)
        const at = (sampleY * width + sampleX) * 4
        rgb[out] = (rgb[out] ?? 0) + weight * (data[at] ?? 0)
        rgb[out + 1] = (rgb[out + 1] ?? 0) + weight * (data[at + 1] ?? 0)
        rgb[out + 2] = (rgb[out + 2] ?? 0) + weight * (data[at + 2] ?? 0)
      }
    }
  }
  return { region, size, rgb }
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

/** A point in pixels of the upright image: x to the right, y downwards, z away from the camera. */
export interface Point {
  x: number
  y: number
  z: number
}
