import { ImageError } from './outcome.ts'

/** Encoders write 12 at most; each further scan costs a pass over all coefficients, which a crafted file can abuse. */
const MAX_SCANS = 20

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
const EXIF_SEGMENT = 0xe1

const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** Size and orientation from the segments before the first scan (ITU-T T.81, annex B). */
export function readJpegHeader(reader: ByteReader): {
  width: number
  height: number
  orientation: Orientation
} {
  let orientation: Orientation = 1
  for (const { marker, body, length } of segments(reader, 2)) {
    if (marker === EXIF_SEGMENT && reader.ascii(body, 6) === 'Exif\0\0') {
      orientation = exifOrientation(reader.bytes.subarray(body + 6, body + length))
    }
    if (isFrameHeader(marker)) {
      return { height: reader.u16(body + 1), width: reader.u16(body + 3), orientation }
    }
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) break
  }
  throw new ImageError(
    'image_unreadable',
    'The JPEG has no frame header: save the picture again and send it.',
  )
}

/** Walks a whole file and rejects one that ends before its end marker or repeats scans without end. */
export function checkJpegIsWhole(reader: ByteReader): void {
  let scans = 0
  for (const { marker } of segments(reader, 2)) {
    if (marker === END_OF_IMAGE) return
    if (marker !== START_OF_SCAN) continue
    scans += 1
    if (scans > MAX_SCANS) {
      throw new ImageError(
        'image_unreadable',
        'The JPEG has too many scans: save the picture again and send it.',
      )
    }
  }
  throw new OutOfBytes()
}

/** Every marker from `offset` on, jumping over the entropy-coded data that follows a scan header. */
function* segments(reader: ByteReader, start: number) {
  let offset = start
  while (true) {
    offset = nextMarker(reader, offset)
    const marker = reader.u8(offset + 1)
    const alone = standsAlone(marker) || marker === END_OF_IMAGE
    const length = alone ? 0 : reader.u16(offset + 2)
    yield { marker, body: offset + 4, length: Math.max(0, length - 2) }
    offset += 2 + length
  }
}

/** In entropy-coded data 0xFF is followed by 0x00 or a restart marker; before a marker it may be repeated as fill. */
function nextMarker(reader: ByteReader, from: number): number {
  let offset = from
  while (true) {
    offset = reader.bytes.indexOf(0xff, offset)
    if (offset < 0) throw new OutOfBytes()
    const follower = reader.u8(offset + 1)
    if (follower !== 0x00 && follower !== 0xff && !(follower >= 0xd0 && follower <= 0xd7)) return offset
    offset += follower === 0xff ? 1 : 2
  }
}

/** Size and orientation from the chunks before the first pixel data (W3C PNG, third edition). */
export function readPngHeader(reader: ByteReader): {
  width: number
  height: number
  orientation: Orientation
} {
  if (reader.u32(8) !== 13 || reader.ascii(12, 4) !== 'IHDR') {
    throw new ImageError('image_unreadable', 'The PNG has no header: save the picture again and send it.')
  }
  return { width: reader.u32(16), height: reader.u32(20), orientation: readOrientation(reader) }
}

function readOrientation(reader: ByteReader): Orientation {
  try {
    for (const { type, body, length } of chunks(reader)) {
      if (type === 'eXIf') return exifOrientation(reader.bytes.subarray(body, body + length))
      if (type === 'IDAT') return 1
    }
  } catch (error) {
    // A header that was cut off before its metadata still gives the size.
    if (!(error instanceof OutOfBytes)) throw error
  }
  return 1
}

/** Walks a whole file and rejects one that ends before its last chunk. */
export function checkPngIsWhole(reader: ByteReader): void {
  for (const { type } of chunks(reader)) if (type === 'IEND') return
}

function* chunks(reader: ByteReader) {
  let offset = 8
  while (true) {
    const length = reader.u32(offset)
    const type = reader.ascii(offset + 4, 4)
    yield { type, body: offset + 8, length }
    offset += 12 + length
  }
}

/** How the stored pixels are turned to stand upright, as EXIF numbers it: 1 not at all, 6 a quarter clockwise… */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const ORIENTATION_TAG = 0x0112

/**
 * Reads the orientation from a TIFF structure, the body of a JPEG's EXIF segment or of a PNG's `eXIf` chunk.
 * Damaged or missing metadata count as upright: they never stop an analysis.
 */
function exifOrientation(tiff: Uint8Array): Orientation {
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
