import { type ByteReader, OutOfBytes } from './byte-reader.ts'
import { exifOrientation, type Orientation } from './exif.ts'
import { ImageError } from './image-error.ts'

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

/** Walks a whole file and refuses one that ends before its last chunk. */
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
