import {
  type ByteReader,
  damaged,
  exifOrientation,
  type ImageHeader,
  type Orientation,
  OutOfBytes,
} from './image-bytes.ts'

/** Pixels that are decoded at most, 8 binary megapixels: all of them are in memory at once. */
const MAX_PIXELS = 8 * 1024 * 1024

/** Common encoders write pixel data in chunks of 8 kB or more; 10 MB of those are 1,280. */
const MAX_CHUNKS = 10_000

/** Deflate makes nothing smaller than by this factor: 258 bytes from two bits. */
const MOST_COMPRESSED = 1032

/** Chunks that the picture is made of; the rest is about it. */
const CRITICAL = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND'])

/** Where the body of the first chunk begins. */
const FIRST_BODY = 16

/** Samples of a pixel and allowed bits of a sample, by colour type (W3C PNG, third edition, 11.2.1). */
const COLOUR_TYPES: Readonly<Record<number, { samples: number; depths: readonly number[] } | undefined>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}
export const INDEXED = 3

/** First pixel and distance of the pixels of each pass: column, row (section 8.1). */
const INTERLACED = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const SEQUENTIAL = [[0, 0, 1, 1]] as const

/** Size and orientation from the chunks before the first pixel data. */
export function readPngHeader(reader: ByteReader): ImageHeader {
  const layout = readLayout(reader)
  const { width, height } = layout
  const leastBytes = rawBytes(layout) / MOST_COMPRESSED
  return {
    kind: 'a PNG',
    width,
    height,
    orientation: readOrientation(reader),
    leastBytes,
    mostPixels: MAX_PIXELS,
  }
}

export interface Layout {
  width: number
  height: number
  colourType: number
  /** Of one of the pixel's samples. */
  depth: number
  /** Samples of a pixel. */
  samples: number
  passes: Pass[]
}

/** Rows that lie regularly in the image: all of them, or those of one pass of an interlaced one. */
export interface Pass {
  rows: number
  columns: number
  /** Before compression, the filter's number included. */
  rowBytes: number
  /** First pixel, and distance of the pixels. */
  place: readonly [column: number, row: number, across: number, down: number]
}

/** Bytes of all rows before compression. */
function rawBytes({ passes }: Layout): number {
  return passes.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0)
}

function readLayout(reader: ByteReader): Layout {
  const colourType = reader.u8(25)
  const depth = reader.u8(24)
  const colours = COLOUR_TYPES[colourType]
  const [compression, filter, interlace] = [reader.u8(26), reader.u8(27), reader.u8(28)]
  if (
    reader.u32(8) !== 13 ||
    reader.ascii(12, 4) !== 'IHDR' ||
    !colours?.depths.includes(depth) ||
    compression !== 0 ||
    filter !== 0 ||
    interlace > 1
  ) {
    throw damaged('PNG', 'has no header')
  }
  const [width, height] = [reader.u32(16), reader.u32(20)]
  const { samples } = colours
  const passes = (interlace === 1 ? INTERLACED : SEQUENTIAL).flatMap((place): Pass[] => {
    const [column, row, across, down] = place
    const columns = Math.max(0, Math.ceil((width - column) / across))
    const rows = Math.max(0, Math.ceil((height - row) / down))
    // A pass without pixels has no rows either.
    if (columns === 0 || rows === 0) return []
    return [{ rows, columns, rowBytes: 1 + Math.ceil((columns * samples * depth) / 8), place }]
  })
  return { width, height, colourType, depth, samples, passes }
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
  for (const { type, body, length } of chunks(reader)) {
    if (type !== 'IEND') continue
    // Its checksum is the end of the file.
    reader.u32(body + length)
    return
  }
}

/** What a PNG holds of its pixels: their layout, the colours of an indexed one, and the compressed stream in its parts. */
export interface PixelData {
  layout: Layout
  /** Red, green, blue of each index. */
  colourTable: Uint8Array
  parts: Uint8Array[]
}

/**
 * Finds the pixel data and the colours. Profiles, texts, transparency and animations are passed over.
 *
 * @throws ImageError `image_unreadable` where a checksum is wrong, colours are missing, or the data cannot inflate to the
 * declared rows
 */
export function readPixelData(reader: ByteReader): PixelData {
  const layout = readLayout(reader)
  const parts: Uint8Array[] = []
  let colourTable = new Uint8Array(0)
  let compressedBytes = 0
  for (const { type, body, length } of chunks(reader)) {
    if (type === 'IHDR' && body !== FIRST_BODY) throw damaged('PNG', 'has two headers')
    if (!CRITICAL.has(type)) continue
    if (crc32(reader.bytes.subarray(body - 4, body + length)) !== reader.u32(body + length))
      throw damaged('PNG', 'is damaged')
    if (type === 'PLTE') {
      if (colourTable.length > 0 || parts.length > 0 || length === 0 || length > 768 || length % 3 !== 0)
        throw damaged('PNG', 'has broken colours')
      colourTable = reader.bytes.slice(body, body + length)
    }
    if (type === 'IDAT') {
      parts.push(reader.bytes.subarray(body, body + length))
      compressedBytes += length
    }
    if (type === 'IEND') break
  }
  if (layout.colourType === INDEXED && colourTable.length === 0) throw damaged('PNG', 'has no colours')
  if (compressedBytes * MOST_COMPRESSED < rawBytes(layout))
    throw damaged('PNG', 'holds fewer pixels than it declares')
  return { layout, colourTable, parts }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
  return crc
})

/** The checksum of a chunk's type and body (annex D). */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (let at = 0; at < bytes.length; at++) {
    crc = (CRC_TABLE[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0) ^ (crc >>> 8)
  }
  return (crc ^ 0xffffffff) >>> 0
}

function* chunks(reader: ByteReader): Generator<{ type: string; body: number; length: number }> {
  let offset = 8
  for (let count = 0; count < MAX_CHUNKS; count++) {
    const length = reader.u32(offset)
    const type = reader.ascii(offset + 4, 4)
    yield { type, body: offset + 8, length }
    offset += 12 + length
  }
  throw damaged('PNG', 'has too many chunks')
}
