import {
  ByteReader,
  damaged,
  exifOrientation,
  type ImageHeader,
  type Orientation,
  OutOfBytes,
} from './image-bytes.ts'
import { ImageError } from './outcome.ts'

/**
 * Pixels that are decoded at most, 2 binary megapixels: libwebp's build decodes to the full size only, at a cost four times
 * that of a JPEG.
 */
const MAX_PIXELS = 2 * 1024 * 1024

/** Chunks that are walked at most; encoders write seven. */
const MAX_CHUNKS = 100

const FIRST_CHUNK = 12
const CHUNK_HEADER = 8
const ANIMATED = 0x02

/** Bits that the modes of a macroblock take at least, by the probabilities of key frames (RFC 6386, 11.2). */
const LEAST_BITS = 3

/**
 * Size and orientation of a lossy WebP, simple or extended (WebP container specification). The orientation may lie behind the
 * picture; where that was not read it counts as upright.
 *
 * @throws ImageError `image_unsupported` of a lossless or animated one: what can be sent is one frame of VP8
 */
export function readWebpHeader({ bytes }: ByteReader): ImageHeader {
  const reader = new ByteReader(bytes, true)
  const frame = findFrame(reader)
  const [width, height] = [reader.u16(frame.body + 6) & 0x3fff, reader.u16(frame.body + 8) & 0x3fff]
  const isKeyFrame = (reader.u8(frame.body) & 1) === 0
  const startCode = reader.u8(frame.body + 3) * 0x10000 + reader.u8(frame.body + 4) * 0x100
  if (!isKeyFrame || startCode + reader.u8(frame.body + 5) !== 0x9d012a)
    throw damaged('WebP', 'has no key frame')
  const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  return {
    kind: 'a WebP',
    width,
    height,
    orientation: readOrientation(reader, frame.body + frame.length),
    leastBytes: (macroblocks * LEAST_BITS) / 8,
    mostPixels: MAX_PIXELS,
  }
}

/** Rejects a file that ends before its picture does. */
export function checkWebpIsWhole(reader: ByteReader): void {
  webpFrame(reader.bytes)
}

/**
 * The one frame of VP8, which is all that libwebp gets: it meets neither the container, nor alpha, nor the lossless decoder, in
 * which its serious flaws were (CVE-2023-4863).
 */
export function webpFrame(bytes: Uint8Array): Uint8Array {
  const { body, length } = findFrame(new ByteReader(bytes, true))
  if (body + length > bytes.length) throw new OutOfBytes()
  return bytes.subarray(body, body + length)
}

interface Chunk {
  type: string
  body: number
  length: number
}

function findFrame(reader: ByteReader): Chunk {
  for (const chunk of chunks(reader, FIRST_CHUNK)) {
    if (chunk.type === 'VP8 ') return chunk
    if (chunk.type === 'VP8L') throw unsupported('a', 'lossless WebP')
    if (chunk.type === 'VP8X' && (reader.u8(chunk.body) & ANIMATED) !== 0)
      throw unsupported('an', 'animated WebP')
  }
  throw damaged('WebP', 'has no picture')
}

function unsupported(article: 'a' | 'an', format: string): ImageError {
  return new ImageError(
    'image_unsupported',
    `The image is ${article} ${format}, which is not supported. Send a JPEG, or a lossy WebP: with a quality below 100.`,
    { details: { format } },
  )
}

function readOrientation(reader: ByteReader, from: number): Orientation {
  try {
    for (const { type, body, length } of chunks(reader, from + (from & 1))) {
      if (type !== 'EXIF') continue
      // Some encoders keep the name that the segment has in a JPEG.
      const start = reader.ascii(body, 6) === 'Exif\0\0' ? body + 6 : body
      return exifOrientation(reader.bytes.subarray(start, body + length))
    }
  } catch (error) {
    if (!(error instanceof OutOfBytes)) throw error
  }
  return 1
}

/** Chunks from an even place on; each begins at an even one. */
function* chunks(reader: ByteReader, from: number): Generator<Chunk> {
  let at = from
  for (let count = 0; count < MAX_CHUNKS; count++) {
    const length = reader.u32(at + 4)
    yield { type: reader.ascii(at, 4), body: at + CHUNK_HEADER, length }
    at += CHUNK_HEADER + length + (length & 1)
  }
  throw damaged('WebP', 'has too many chunks')
}
