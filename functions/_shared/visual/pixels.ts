import type { Orientation } from './exif.ts'

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
