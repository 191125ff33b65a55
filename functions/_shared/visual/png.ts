import {
  type ByteReader,
  damaged,
  exifOrientation,
  type ImageHeader,
  type Orientation,
  OutOfBytes,
} from './image-bytes.ts'
import { ImageError } from './outcome.ts'

/** Common encoders write pixel data in chunks of 8 kB or more; 10 MB of those are 1,280. */
const MAX_CHUNKS = 10_000

/** Deflate makes nothing smaller than by this factor: 258 bytes from two bits. */
const MOST_COMPRESSED = 1032

/** Bytes of pixel data that are inflated at a time: a runtime may hold all that comes out, a thousandfold. */
const INFLATED_AT_ONCE = 8192

/** Samples of a pixel and allowed bits of a sample, by colour type (W3C PNG, third edition, 11.2.1). */
const COLOUR_TYPES: Readonly<Record<number, { samples: number; depths: readonly number[] } | undefined>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}
const INDEXED = 3

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
  const { width, height, passes } = readLayout(reader)
  const rawBytes = passes.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0)
  return { width, height, orientation: readOrientation(reader), leastBytes: rawBytes / MOST_COMPRESSED }
}

interface Layout {
  width: number
  height: number
  colourType: number
  /** Rows of each pass and their bytes before compression, the filter's number included. */
  passes: { rows: number; rowBytes: number }[]
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
  const passes = (interlace === 1 ? INTERLACED : SEQUENTIAL).map(([column, row, across, down]) => {
    const columns = Math.max(0, Math.ceil((width - column) / across))
    const rows = columns === 0 ? 0 : Math.max(0, Math.ceil((height - row) / down))
    return { rows, rowBytes: 1 + Math.ceil((columns * colours.samples * depth) / 8) }
  })
  return { width, height, colourType, passes }
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

/**
 * The file with its header, colours and pixels alone: no profile, text or animation to unpack. Checks what would make the
 * decoder fail, so that it starts only on what it can decode: checksums, colours, and that the pixel data inflate to
 * exactly the declared rows.
 *
 * @throws ImageError `image_unreadable`
 */
export async function pixelsOnly(reader: ByteReader): Promise<Uint8Array> {
  const layout = readLayout(reader)
  const parts = [reader.bytes.subarray(0, 8)]
  const pixelData: Uint8Array[] = []
  let colours = 0
  for (const { type, body, length } of chunks(reader)) {
    if (type === 'PLTE') {
      if (colours > 0 || pixelData.length > 0 || length === 0 || length > 768 || length % 3 !== 0)
        throw damaged('PNG', 'has broken colours')
      colours = length / 3
      if (layout.colourType !== INDEXED) continue
    } else if (type === 'tRNS') {
      const most = [2, 0, 6, colours][layout.colourType] ?? 0
      if (length === 0 || length > most || (layout.colourType !== INDEXED && length !== most)) continue
    } else if (type === 'IDAT') {
      pixelData.push(reader.bytes.subarray(body, body + length))
    } else if (type !== 'IHDR' && type !== 'IEND') continue
    if (type === 'IHDR' && parts.length > 1) throw damaged('PNG', 'has two headers')
    const chunk = reader.bytes.subarray(body - 8, body + length + 4)
    if (crc32(chunk.subarray(4, -4)) !== reader.u32(body + length)) throw damaged('PNG', 'is damaged')
    parts.push(chunk)
    if (type === 'IEND') break
  }
  if (layout.colourType === INDEXED && colours === 0) throw damaged('PNG', 'has no colours')
  await checkPixelData(pixelData, layout)
  return joined(parts)
}

/** Inflates the pixel data without keeping them, up to the end of the last declared row. */
async function checkPixelData(parts: readonly Uint8Array[], { passes }: Layout): Promise<void> {
  const rows = passes.flatMap(({ rows, rowBytes }) => (rows === 0 ? [] : [{ rows, rowBytes }]))
  let [left, rowBytes] = [0, 0]
  /** Bytes until the next row begins. */
  let ahead = 0
  const isSound = (bytes: Uint8Array): boolean => {
    let at = ahead
    while (at < bytes.length) {
      if (left === 0) {
        const pass = rows.shift()
        if (pass === undefined) return false
        ;({ rows: left, rowBytes } = pass)
      }
      if ((bytes[at] ?? 0) > 4) return false
      left -= 1
      at += rowBytes
    }
    ahead = at - bytes.length
    return true
  }
  const checksum = new Adler32()
  const reader = slices(parts).pipeThrough(new DecompressionStream('deflate')).getReader()
  try {
    for (let next = await reader.read(); next.value !== undefined; next = await reader.read()) {
      if (!isSound(next.value)) throw damaged('PNG', 'holds other pixels than it declares')
      checksum.add(next.value)
    }
  } catch (error) {
    await reader.cancel().catch(() => {})
    throw error instanceof ImageError ? error : damaged('PNG', 'is damaged')
  }
  if (ahead !== 0 || left !== 0 || rows.length > 0)
    throw damaged('PNG', 'holds fewer pixels than it declares')
  // Not every runtime notices that a stream ends too early.
  if (checksum.value() !== lastFourBytes(parts)) throw damaged('PNG', 'is damaged')
}

function slices(parts: readonly Uint8Array[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  let part = 0
  let at = 0
  return new ReadableStream({
    pull(controller) {
      while (part < parts.length && at >= (parts[part]?.length ?? 0)) {
        part += 1
        at = 0
      }
      const bytes = parts[part]?.slice(at, at + INFLATED_AT_ONCE)
      if (bytes === undefined) return controller.close()
      at += bytes.length
      controller.enqueue(bytes)
    },
  })
}

/** The checksum with which a zlib stream ends (RFC 1950, section 8.2). */
class Adler32 {
  #sum = 1
  #sumOfSums = 0

  add(bytes: Uint8Array): void {
    let [sum, sumOfSums] = [this.#sum, this.#sumOfSums]
    for (let at = 0; at < bytes.length; ) {
      // The most bytes after which both sums are still small enough for fast arithmetic.
      const end = Math.min(bytes.length, at + 3800)
      for (; at < end; at++) {
        sum += bytes[at] ?? 0
        sumOfSums += sum
      }
      sum %= 65521
      sumOfSums %= 65521
    }
    this.#sum = sum
    this.#sumOfSums = sumOfSums
  }

  value(): number {
    return this.#sumOfSums * 65536 + this.#sum
  }
}

function lastFourBytes(parts: readonly Uint8Array[]): number {
  const last: number[] = []
  for (let part = parts.length - 1; part >= 0 && last.length < 4; part--) {
    last.unshift(...(parts[part]?.subarray(-(4 - last.length)) ?? []))
  }
  return last.reduce((number, byte) => number * 256 + byte, 0)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
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
