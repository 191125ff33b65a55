import {
  type ByteReader,
  damaged,
  exifOrientation,
  type ImageHeader,
  type Orientation,
  OutOfBytes,
} from './image-bytes.ts'
import { ImageError } from './outcome.ts'

/** Pixels of a JPEG at most, 12 binary megapixels: what the cameras of most phones take. It is decoded row by row. */
const MAX_PIXELS = 12 * 1024 * 1024

/** Pixels where the coefficients of the whole picture are in memory, six bytes for each pixel. */
const MAX_BUFFERED_PIXELS = 8 * 1024 * 1024

/** Encoders write 12 at most; each further scan costs a pass over all coefficients, which a crafted file can abuse. */
const MAX_SCANS = 20

/** Large profiles, depth maps and previews are stored in segments of 64 kB; 10 MB of those are 160. */
const MAX_SEGMENTS = 1000

/** Pixels of a side that libjpeg decodes at most. */
const MAX_SIDE = 65500

/** Blocks of 8 × 8 that an interleaved unit holds at most (ITU-T T.81, B.2.3). */
const MAX_BLOCKS_IN_UNIT = 10

const BASELINE = 0xc0
const EXTENDED = 0xc1
const PROGRESSIVE = 0xc2
const HUFFMAN_TABLES = 0xc4
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const QUANTISATION_TABLES = 0xdb
const NUMBER_OF_LINES = 0xdc
const RESTART_INTERVAL = 0xdd
const EXIF_SEGMENT = 0xe1
const COMMENT = 0xfe

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef
const KNOWN = new Set([
  ...[BASELINE, EXTENDED, PROGRESSIVE, HUFFMAN_TABLES, END_OF_IMAGE, START_OF_SCAN],
  ...[QUANTISATION_TABLES, NUMBER_OF_LINES, RESTART_INTERVAL, COMMENT],
])

/** Size and orientation from the segments up to the frame header (ITU-T T.81, annex B). */
export function readJpegHeader(reader: ByteReader): ImageHeader {
  let orientation: Orientation = 1
  for (const { marker, body, length } of segments(reader)) {
    if (marker === EXIF_SEGMENT && reader.ascii(body, 6) === 'Exif\0\0') {
      orientation = exifOrientation(reader.bytes.subarray(body + 6, body + length))
    }
    if (isFrame(marker)) {
      const { width, height, isProgressive, leastBytes } = readFrame(reader, marker, body, length)
      return {
        kind: isProgressive ? 'a progressive JPEG' : 'a JPEG',
        ...{ width, height, orientation, leastBytes },
        mostPixels: isProgressive ? MAX_BUFFERED_PIXELS : MAX_PIXELS,
      }
    }
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) break
  }
  throw damaged('JPEG', 'has no frame header')
}

/**
 * Walks a whole file and rejects one that ends before its end marker, and one on which libjpeg would stop with an error or
 * spend a pass for each of very many scans.
 */
export function checkJpegIsWhole(reader: ByteReader): void {
  const tables: Tables = { quantisation: new Set(), huffman: new Set() }
  let frame: Frame | null = null
  let scans = 0
  let firstScan = 0
  for (const { marker, body, length } of segments(reader)) {
    if (marker === QUANTISATION_TABLES) readQuantisationTables(reader, body, length, tables)
    else if (marker === HUFFMAN_TABLES) readHuffmanTables(reader, body, length, tables)
    else if (marker === RESTART_INTERVAL && length !== 2)
      throw damaged('JPEG', 'has a broken restart interval')
    else if (isFrame(marker)) {
      if (frame !== null) throw damaged('JPEG', 'has two frames')
      frame = readFrame(reader, marker, body, length)
    } else if (marker === START_OF_SCAN) {
      if (frame === null) throw damaged('JPEG', 'has no frame header')
      checkScan(reader, body, length, frame, tables)
      if (scans === 0) {
        firstScan = body
        checkIsBuffered(frame, reader.u8(body))
      }
      scans += 1
      if (scans > MAX_SCANS) throw tooManyScans()
    } else if (marker === END_OF_IMAGE) {
      if (scans === 0) throw damaged('JPEG', 'has no picture')
      // Counted in the bytes too, so that no segment can hide scans from the walk that a decoder would find.
      if (scanMarkers(reader.bytes, firstScan, body) > MAX_SCANS) throw tooManyScans()
      return
    }
  }
}

/** libjpeg keeps all coefficients of a picture whose colours are in scans of their own, as of a progressive one. */
function checkIsBuffered({ width, height, components }: Frame, inFirstScan: number): void {
  if (inFirstScan < components.size && width * height > MAX_BUFFERED_PIXELS) {
    throw new ImageError(
      'image_too_large',
      `The image is a JPEG in several scans of ${width} × ${height} pixels. Save it as an ordinary JPEG and send it.`,
    )
  }
}

const tooManyScans = () => damaged('JPEG', 'has too many scans')

function scanMarkers(bytes: Uint8Array, from: number, to: number): number {
  let found = 0
  for (let at = from; at < to; at++) {
    if (bytes[at] === 0xff && bytes[at + 1] === START_OF_SCAN) found += 1
  }
  return found
}

const isFrame = (marker: number) => marker === BASELINE || marker === EXTENDED || marker === PROGRESSIVE

interface Frame {
  width: number
  height: number
  isProgressive: boolean
  leastBytes: number
  components: Map<number, Component>
  /** Components that were in a scan. */
  scanned: Set<number>
}

interface Component {
  across: number
  down: number
  quantisation: number
}

function readFrame(reader: ByteReader, marker: number, body: number, length: number): Frame {
  const count = reader.u8(body + 5)
  if (reader.u8(body) !== 8) throw damaged('JPEG', 'has more than 8 bits a sample')
  if (count === 4) {
    throw new ImageError(
      'image_unsupported',
      'The image is a JPEG in CMYK, the colours of print, which is not supported. Save it in RGB and send it.',
      { details: { format: 'JPEG in CMYK' } },
    )
  }
  if ((count !== 1 && count !== 3) || length !== 6 + 3 * count)
    throw damaged('JPEG', 'is neither grey nor in three colours')
  const [height, width] = [reader.u16(body + 1), reader.u16(body + 3)]
  const components = new Map<number, Component>()
  for (let at = body + 6; at < body + length; at += 3) {
    const sampling = reader.u8(at + 1)
    components.set(reader.u8(at), {
      across: sampling >> 4,
      down: sampling & 15,
      quantisation: reader.u8(at + 2),
    })
  }
  const all = [...components.values()]
  const across = Math.max(...all.map((component) => component.across))
  const down = Math.max(...all.map((component) => component.down))
  const isEven = (most: number, factor: number) => factor > 0 && most <= 4 && most % factor === 0
  if (
    components.size !== count ||
    !all.every((component) => isEven(across, component.across) && isEven(down, component.down))
  ) {
    throw damaged('JPEG', 'has colours that do not fit together')
  }
  const blocks = all.reduce(
    (sum, component) =>
      sum +
      Math.ceil((width * component.across) / across / 8) * Math.ceil((height * component.down) / down / 8),
    0,
  )
  if (width > MAX_SIDE || height > MAX_SIDE) throw damaged('JPEG', `has a side of over ${MAX_SIDE} pixels`)
  const isProgressive = marker === PROGRESSIVE
  // The shortest Huffman code has one bit: each block takes one for its mean, and in one pass another for all the rest.
  const leastBytes = (blocks * (isProgressive ? 1 : 2)) / 8
  return { width, height, isProgressive, components, leastBytes, scanned: new Set() }
}

/** Tables that were defined so far: of quantisation by number, of Huffman codes by class and number as in the file. */
interface Tables {
  quantisation: Set<number>
  huffman: Set<number>
}

function readQuantisationTables(reader: ByteReader, body: number, length: number, tables: Tables): void {
  let at = body
  while (at < body + length) {
    const [precision, number] = [reader.u8(at) >> 4, reader.u8(at) & 15]
    tables.quantisation.add(number)
    at += 1 + 64 * (precision === 0 ? 1 : 2)
    if (precision > 1 || number > 3) at = Number.POSITIVE_INFINITY
  }
  if (at !== body + length) throw damaged('JPEG', 'has a broken quantisation table')
}

function readHuffmanTables(reader: ByteReader, body: number, length: number, tables: Tables): void {
  let at = body
  while (at < body + length) {
    const number = reader.u8(at)
    let symbols = 0
    let code = 0
    let isSound = (number & 0xef) <= 3
    for (let bits = 1; bits <= 16; bits++) {
      const codes = reader.u8(at + bits)
      symbols += codes
      code = 2 * code + codes
      // No code consists of ones alone (T.81, annex C).
      if (codes > 0 && code >= 2 ** bits) isSound = false
    }
    for (let symbol = 0; isSound && number < 0x10 && symbol < symbols; symbol++) {
      if (reader.u8(at + 17 + symbol) > 15) isSound = false
    }
    tables.huffman.add(number)
    at = isSound && symbols <= 256 ? at + 17 + symbols : Number.POSITIVE_INFINITY
  }
  if (at !== body + length) throw damaged('JPEG', 'has a broken Huffman table')
}

function checkScan(reader: ByteReader, body: number, length: number, frame: Frame, tables: Tables): void {
  const count = reader.u8(body)
  if (length !== 4 + 2 * count) throw brokenScan()
  const parameters = body + 1 + 2 * count
  const [first, last] = [reader.u8(parameters), reader.u8(parameters + 1)]
  const [high, low] = [reader.u8(parameters + 2) >> 4, reader.u8(parameters + 2) & 15]
  const isFirstPass = high === 0
  const readsMeans = frame.isProgressive ? first === 0 && isFirstPass : true
  const readsRest = frame.isProgressive ? first > 0 : true
  if (frame.isProgressive) {
    const isBand = first === 0 ? last === 0 : first <= last && last < 64 && count === 1
    if (!isBand || (!isFirstPass && low !== high - 1) || low > 13) throw brokenScan()
  }
  const seen = new Set<number>()
  let blocks = 0
  for (let at = body + 1; at < parameters; at += 2) {
    const [id, codes] = [reader.u8(at), reader.u8(at + 1)]
    const component = frame.components.get(id)
    if (
      component === undefined ||
      seen.has(id) ||
      (!frame.isProgressive && frame.scanned.has(id)) ||
      !tables.quantisation.has(component.quantisation) ||
      (readsMeans && !tables.huffman.has(codes >> 4)) ||
      (readsRest && !tables.huffman.has(0x10 | (codes & 15)))
    ) {
      throw brokenScan()
    }
    seen.add(id)
    frame.scanned.add(id)
    blocks += component.across * component.down
  }
  if (count === 0 || (count > 1 && blocks > MAX_BLOCKS_IN_UNIT)) throw brokenScan()
}

const brokenScan = () => damaged('JPEG', 'has a broken scan')

/**
 * Every segment, jumping over the entropy-coded data that follows a scan header. Markers that are reserved, or of
 * arithmetic, lossless and hierarchical coding, are rejected: where libjpeg looks for a restart marker it passes over a
 * reserved one without its length, and would read as markers what lies in that length.
 */
function* segments(reader: ByteReader): Generator<{ marker: number; body: number; length: number }> {
  let offset = 2
  for (let count = 0; count < MAX_SEGMENTS; count++) {
    offset = nextMarker(reader, offset)
    const marker = reader.u8(offset + 1)
    if (!KNOWN.has(marker) && !isApplication(marker))
      throw damaged('JPEG', 'has a marker that no camera writes')
    if (marker === END_OF_IMAGE) {
      yield { marker, body: offset + 2, length: 0 }
      return
    }
    const length = reader.u16(offset + 2)
    if (length < 2) throw damaged('JPEG', 'has a segment without a length')
    yield { marker, body: offset + 4, length: length - 2 }
    offset += 2 + length
  }
  throw damaged('JPEG', 'has too many segments')
}

/** In entropy-coded data 0xFF is followed by 0x00 or a restart marker; before a marker it may be repeated as fill. */
function nextMarker({ bytes }: ByteReader, from: number): number {
  for (let offset = from; offset < bytes.length - 1; offset++) {
    if (bytes[offset] !== 0xff) continue
    const follower = bytes[offset + 1] ?? 0
    if (follower !== 0x00 && follower !== 0xff && !isRestart(follower)) return offset
  }
  throw new OutOfBytes()
}
