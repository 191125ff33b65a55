import { type ByteReader, OutOfBytes } from './byte-reader.ts'
import { exifOrientation, type Orientation } from './exif.ts'
import { ImageError } from './image-error.ts'

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

/** Walks a whole file and refuses one that ends before its end marker or repeats scans without end. */
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
