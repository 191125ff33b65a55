import { ImageError } from './outcome.ts'

/** What a file declares of its picture. `width` and `height` are those of the stored pixels, before orientation. */
export interface ImageHeader {
  /** What the file is, for messages. */
  kind: 'a JPEG' | 'a progressive JPEG' | 'a PNG' | 'a WebP'
  width: number
  height: number
  orientation: Orientation
  /** Bytes below which no file can hold this many pixels. */
  leastBytes: number
  /** Pixels that a picture of this kind may have. */
  mostPixels: number
}

export function damaged(format: 'JPEG' | 'PNG' | 'WebP', what: string): ImageError {
  return new ImageError('image_unreadable', `The ${format} ${what}: save the picture again and send it.`)
}

/** How the stored pixels are turned to stand upright, as EXIF numbers it: 1 not at all, 6 a quarter clockwise… */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const ORIENTATION_TAG = 0x0112

/**
 * Reads the orientation from a TIFF structure, the body of a JPEG's EXIF segment or of a PNG's `eXIf` chunk.
 * Damaged or missing metadata count as upright: they never stop an analysis.
 */
export function exifOrientation(tiff: Uint8Array): Orientation {
  try {
    const byteOrder = new ByteReader(tiff).ascii(0, 2)
    if (byteOrder !== 'II' && byteOrder !== 'MM') return 1
    const reader = new ByteReader(tiff, byteOrder === 'II')
    const directory = reader.u32(4)
    const entries = reader.u16(directory)
    for (let entry = 0; entry < entries; entry++) {
      const offset = directory + 2 + 12 * entry
      if (reader.u16(offset) === ORIENTATION_TAG) return orientationOf(reader.u16(offset + 8))
    }
    return 1
  } catch (error) {
    if (error instanceof OutOfBytes) return 1
    throw error
  }
}

function orientationOf(value: number): Orientation {
  const orientations: Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8]
  return orientations.find((orientation) => orientation === value) ?? 1
}

/** Thrown when a read passes the end of the bytes at hand; callers turn it into an `ImageError`. */
export class OutOfBytes extends Error {}

/** Checked big- or little-endian reads from a part of a file. */
export class ByteReader {
  readonly bytes: Uint8Array
  readonly littleEndian: boolean

  constructor(bytes: Uint8Array, littleEndian = false) {
    this.bytes = bytes
    this.littleEndian = littleEndian
  }

  u8(offset: number): number {
    const value = this.bytes[offset]
    if (value === undefined) throw new OutOfBytes()
    return value
  }

  u16(offset: number): number {
    const [first, second] = [this.u8(offset), this.u8(offset + 1)]
    return this.littleEndian ? first | (second << 8) : (first << 8) | second
  }

  u32(offset: number): number {
    const [first, second] = [this.u16(offset), this.u16(offset + 2)]
    return this.littleEndian ? first + second * 0x10000 : first * 0x10000 + second
  }

  ascii(offset: number, length: number): string {
    return String.fromCharCode(...this.bytes.subarray(offset, offset + length))
  }
}
