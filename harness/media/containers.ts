import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Builds containers of recordings from their parts, whether or not the parts agree. */

export type Part = Uint8Array | string | readonly number[]

export function concat(parts: readonly Part[]): Uint8Array {
  const whole = new Uint8Array(lengthOf(parts))
  put(whole, 0, parts)
  return whole
}

function lengthOf(parts: readonly Part[]): number {
  let length = 0
  for (const part of parts) length += part.length
  return length
}

/** Writes parts one behind the other. */
function put(whole: Uint8Array, from: number, parts: readonly Part[]): void {
  let at = from
  for (const part of parts) {
    if (typeof part === 'string') for (let i = 0; i < part.length; i++) whole[at + i] = part.charCodeAt(i)
    // For a few bytes, `set` is ten times slower.
    else if (part.length < 32) for (let i = 0; i < part.length; i++) whole[at + i] = part[i] ?? 0
    else whole.set(part, at)
    at += part.length
  }
}

/** Many times the same bytes. */
export function repeated(part: Part, times: number): Uint8Array {
  const whole = new Uint8Array(part.length * times)
  if (whole.length === 0) return whole
  whole.set(concat([part]))
  for (let filled = part.length; filled < whole.length; filled *= 2) whole.copyWithin(filled, 0, filled)
  return whole
}

/** A number as big-endian bytes. */
export function big(value: number, bytes = 4): number[] {
  const digits = new Array<number>(bytes)
  putBig(digits, 0, value, bytes)
  return digits
}

/** Writes a number as big-endian bytes. */
function putBig(whole: Uint8Array | number[], at: number, value: number, bytes = 4): void {
  for (let i = bytes - 1, left = value; i >= 0; i--, left = Math.floor(left / 256)) whole[at + i] = left % 256
}

/** A number as little-endian bytes. */
export function little(value: number, bytes = 4): number[] {
  return big(value, bytes).reverse()
}

export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(import.meta.dirname, '..', '..', 'corpora', 'speech', name)))
}

// MP4 (ISO/IEC 14496-12)

/** A box; `declaredBytes` is what its size says, where that is a lie. */
export function box(name: string, content: readonly Part[], declaredBytes?: number): Uint8Array {
  const whole = new Uint8Array(8 + lengthOf(content))
  putBig(whole, 0, declaredBytes ?? whole.length)
  put(whole, 4, [name, ...content])
  return whole
}

/** Where a box stands in a file. */
export interface BoxPlace {
  name: string
  at: number
  bytes: number
  /** Where the boxes begin that it is in, outermost first. */
  parents: number[]
}

const PARENT_BOXES = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'udta', 'mvex', 'moof', 'traf', 'mfra']

/** Boxes that are told apart: a file that is mutated again and again may hold a million, for which a worker has no memory. */
const MOST_PLACES = 20_000

/** The boxes of a sound file, those within others too. */
export function boxesOf(file: Uint8Array): BoxPlace[] {
  const places: BoxPlace[] = []
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const collect = (from: number, to: number, parents: number[]) => {
    for (let at = from; at + 8 <= to && places.length < MOST_PLACES; ) {
      const bytes = view.getUint32(at)
      const name = String.fromCharCode(...file.subarray(at + 4, at + 8))
      if (bytes < 8 || at + bytes > to) break
      places.push({ name, at, bytes, parents })
      if (PARENT_BOXES.includes(name)) collect(at + 8, at + bytes, [...parents, at])
      at += bytes
    }
  }
  collect(0, file.length, [])
  return places
}

/** The AAC packets of `short.m4a`, and its sample description. */
export function aacPackets(): { packets: Uint8Array[]; description: Uint8Array } {
  const file = fixture('short.m4a')
  const view = new DataView(file.buffer)
  const content = (name: string) => {
    const place = boxesOf(file).find((candidate) => candidate.name === name)
    if (!place) throw new Error(`short.m4a has no ${name}`)
    return { start: place.at + 8, end: place.at + place.bytes }
  }
  const sizes = content('stsz').start
  let offset = view.getUint32(content('stco').start + 8)
  const packets = Array.from({ length: view.getUint32(sizes + 8) }, (_, i) => {
    const bytes = view.getUint32(sizes + 12 + 4 * i)
    offset += bytes
    return file.slice(offset - bytes, offset)
  })
  const { start, end } = content('stsd')
  return { packets, description: file.slice(start, end) }
}

/** The index of a fragmented file: an AAC track of 48 kHz without samples. */
export function fragmentedMovie(description: Uint8Array, extra: readonly Part[] = []): Uint8Array {
  const identity = [65536, 0, 0, 0, 65536, 0, 0, 0, 0x40000000].flatMap((value) => big(value))
  const zeros = (count: number) => new Uint8Array(count)
  const empty = (name: string) => box(name, [zeros(8)])
  return concat([
    box('ftyp', ['iso5', big(0), 'iso5', 'mp41']),
    box('moov', [
      box('mvhd', [zeros(12), big(48000), big(0), big(65536), zeros(12), identity, zeros(24), big(2)]),
      box('trak', [
        box('tkhd', [big(3), zeros(8), big(1), zeros(4), big(0), zeros(16), identity, zeros(8)]),
        box('mdia', [
          box('mdhd', [zeros(12), big(48000), big(0), [0x55, 0xc4, 0, 0]]),
          box('hdlr', [zeros(8), 'soun', zeros(12), 'sound', [0]]),
          box('minf', [
            box('smhd', [zeros(8)]),
            box('dinf', [box('dref', [big(0), big(1), box('url ', [big(1)])])]),
            box('stbl', [
              box('stsd', [description]),
              empty('stts'),
              empty('stsc'),
              box('stsz', [zeros(12)]),
              empty('stco'),
            ]),
          ]),
        ]),
      ]),
      box('mvex', [box('trex', [big(0), big(1), big(1), big(1024), big(0), big(0)])]),
      ...extra,
    ]),
  ])
}

/** A fragment with one run of packets; `declared` is what its run says instead of the truth. */
export function fragment(
  packets: readonly Uint8Array[],
  firstPacket: number,
  declared: { samples?: number; flags?: number; bytes?: number } = {},
): Uint8Array {
  const flags = declared.flags ?? 0x201
  const sizes = new Uint8Array(4 * packets.length)
  for (const [index, { length }] of packets.entries()) putBig(sizes, 4 * index, length)
  const run: Part[] = [
    big(flags),
    big(declared.samples ?? packets.length),
    // Where the sound begins: behind these boxes and the head of its own.
    flags & 1 ? big(92 + (flags & 0x200 ? sizes.length : 0)) : [],
    flags & 0x200 ? sizes : [],
  ]
  const head = box('moof', [
    box('mfhd', [big(0), big(firstPacket + 1)]),
    box('traf', [
      box('tfhd', [big(0x20000), big(1)]),
      box('tfdt', [big(0), big(firstPacket * 1024)]),
      box('trun', run, declared.bytes),
    ]),
  ])
  return concat([head, box('mdat', packets)])
}

// WebM (RFC 8794, RFC 9559)

/** An element; its size is eight bytes long, `declaredBytes` where it is a lie, `'unknown'` as live recorders write it. */
export function element(
  id: number,
  content: readonly Part[],
  declaredBytes?: number | 'unknown',
): Uint8Array {
  const idBytes = id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1
  const inner = lengthOf(content)
  const whole = new Uint8Array(idBytes + 8 + inner)
  putBig(whole, 0, id, idBytes)
  whole[idBytes] = 1
  if (declaredBytes === 'unknown') whole.fill(255, idBytes + 1, idBytes + 8)
  else putBig(whole, idBytes + 1, declaredBytes ?? inner, 7)
  put(whole, idBytes + 8, content)
  return whole
}

export const EBML = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  contentEncodings: 0x6d80,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  void: 0xec,
} as const

function ebmlHeader(): Uint8Array {
  return element(EBML.header, [element(0x4282, ['webm']), element(0x4287, [[4]]), element(0x4285, [[2]])])
}

/** Info and Tracks of a recording with one Opus track. */
export function webmHead(trackExtra: readonly Part[] = []): Uint8Array {
  const opusHead = concat(['OpusHead', [1, 1], little(312, 2), little(48000), [0, 0, 0]])
  return concat([
    element(EBML.info, [element(EBML.timestampScale, [big(1_000_000)])]),
    element(EBML.tracks, [
      element(EBML.trackEntry, [
        element(0xd7, [[1]]),
        element(0x73c5, [[1]]),
        element(0x83, [[2]]),
        element(0x86, ['A_OPUS']),
        element(0x63a2, [opusHead]),
        element(0xe1, [element(0xb5, [[0x47, 0x3b, 0x80, 0]]), element(0x9f, [[1]])]),
        ...trackExtra,
      ]),
    ]),
  ])
}

/** A simple block of the first track; lacing is that of the flags. */
export function simpleBlock(timeMs: number, packet: Part, flags = 0x80): Uint8Array {
  return element(EBML.simpleBlock, [[0x81], big(timeMs, 2), [flags], packet])
}

export function cluster(
  timeMs: number,
  blocks: readonly Part[],
  declaredBytes?: number | 'unknown',
): Uint8Array {
  return element(EBML.cluster, [element(EBML.timestamp, [big(timeMs)]), ...blocks], declaredBytes)
}

export function webm(content: readonly Part[], declaredBytes?: number | 'unknown'): Uint8Array {
  return concat([ebmlHeader(), element(EBML.segment, content, declaredBytes)])
}

// Ogg (RFC 3533)

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let crc = i << 24
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  return crc >>> 0
})

/** How a page's table says where a packet ends. */
function segmentsOf({ length }: Uint8Array): number[] {
  const segments = new Array<number>(Math.floor(length / 255) + 1).fill(255)
  segments[segments.length - 1] = length % 255
  return segments
}

/** A page with its checksum. Its packets are whole unless the segment table says otherwise. */
export function oggPage(page: {
  serial: number
  sequence: number
  granule: number
  /** 1 continued, 2 first, 4 last. */
  flags?: number
  packets: readonly Uint8Array[]
  segments?: number[]
  wrongChecksum?: boolean
}): Uint8Array {
  const segments = page.segments ?? page.packets.flatMap(segmentsOf)
  const bytes = concat([
    'OggS',
    [0, page.flags ?? 0],
    little(page.granule < 0 ? 2 ** 32 - 1 : page.granule % 2 ** 32),
    little(page.granule < 0 ? 2 ** 32 - 1 : Math.floor(page.granule / 2 ** 32)),
    little(page.serial),
    little(page.sequence),
    little(0),
    [segments.length],
    segments,
    ...page.packets,
  ])
  let crc = page.wrongChecksum ? 1 : 0
  for (let at = 0; at < bytes.length; at++)
    crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ (bytes[at] ?? 0)) & 255] ?? 0)
  bytes.set(little(crc >>> 0), 22)
  return bytes
}

export function opusHead(channels = 1): Uint8Array {
  return concat(['OpusHead', [1, channels], little(312, 2), little(48000), [0, 0, 0]])
}

export function opusTags(): Uint8Array {
  return concat(['OpusTags', little(4), 'test', little(0)])
}

// WAV

/** A wav file of 16-bit samples with whatever its format declares. */
export function wavFile(format: {
  rateHz: number
  channels?: number
  bits?: number
  tag?: number
  /** The samples, or how many bytes of any. */
  sound: Uint8Array | number
  declaredBytes?: number
  before?: readonly Part[]
}): Uint8Array {
  const { rateHz, channels = 1, bits = 16, tag = 1, before = [] } = format
  const sound = typeof format.sound === 'number' ? anySound(format.sound) : format.sound
  const frameBytes = (channels * bits) / 8
  const chunks = concat([
    ...before,
    'fmt ',
    little(16),
    little(tag, 2),
    little(channels, 2),
    little(rateHz),
    little(rateHz * frameBytes),
    little(frameBytes, 2),
    little(bits, 2),
    'data',
    little(format.declaredBytes ?? sound.length),
    sound,
  ])
  return concat(['RIFF', little(chunks.length + 4), 'WAVE', chunks])
}

function anySound(bytes: number): Uint8Array {
  const sound = new Uint8Array(bytes)
  for (let i = 0; i < bytes; i += 2) sound[i] = (i * 37) & 255
  return sound
}
