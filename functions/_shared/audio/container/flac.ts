import { type MediaSource, readClipped } from '../recording.ts'

const TAIL_BYTES = 256 * 1024
const BLOCK_SIZES: Record<number, number> = { 1: 192, 2: 576, 3: 1152, 4: 2304, 5: 4608 }

/** What STREAMINFO says of the block size, for telling where a frame begins (RFC 9639, sections 8.2 and 9.1). */
interface FlacStreamInfo {
  minBlockSize: number
}

/**
 * The sample at which the last whole frame header near the file's end says that its frame ends, or null when none is
 * found: the cheapest proof that the sound declared in STREAMINFO is really there.
 */
export async function lastFlacSample(source: MediaSource, info: FlacStreamInfo): Promise<number | null> {
  return lastSampleBefore(source, info, source.size)
}

/** Places of a file at which its frames are looked at. */
const PLACES = 8

/** Whether frames begin to count anew within a file: it holds several recordings. */
export async function flacBeginsAnew(source: MediaSource, info: FlacStreamInfo): Promise<boolean> {
  let last = 0
  for (let place = 1; place <= PLACES; place++) {
    const sample = await lastSampleBefore(source, info, Math.floor((source.size * place) / PLACES))
    if (sample === null) continue
    if (sample < last) return true
    last = sample
  }
  return false
}

async function lastSampleBefore(
  source: MediaSource,
  info: FlacStreamInfo,
  end: number,
): Promise<number | null> {
  const tail = await readClipped(source, end - TAIL_BYTES, end)
  for (let offset = tail.length - 6; offset >= 0; offset--) {
    if (tail[offset] !== 0xff || ((tail[offset + 1] ?? 0) & 0xfc) !== 0xf8) continue
    const end = frameEnd(tail, offset, info)
    if (end !== null) return end
  }
  return null
}

function frameEnd(bytes: Uint8Array, offset: number, info: FlacStreamInfo): number | null {
  const variable = ((bytes[offset + 1] ?? 0) & 1) === 1
  const sizeCode = (bytes[offset + 2] ?? 0) >> 4
  const rateCode = (bytes[offset + 2] ?? 0) & 15
  if (sizeCode === 0 || rateCode === 15) return null
  const number = readCodedNumber(bytes, offset + 4)
  if (!number) return null
  let at = number.next
  let blockSize = BLOCK_SIZES[sizeCode] ?? (sizeCode >= 8 ? 256 << (sizeCode - 8) : 0)
  if (sizeCode === 6) blockSize = (bytes[at++] ?? 0) + 1
  if (sizeCode === 7) {
    blockSize = ((bytes[at] ?? 0) << 8) + (bytes[at + 1] ?? 0) + 1
    at += 2
  }
  at += rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0
  if (at >= bytes.length || crc8(bytes.subarray(offset, at)) !== bytes[at]) return null
  return (variable ? number.value : number.value * info.minBlockSize) + blockSize
}

/** The frame or sample number, coded like UTF-8 in up to seven bytes. */
function readCodedNumber(bytes: Uint8Array, offset: number): { value: number; next: number } | null {
  const first = bytes[offset] ?? 0
  if (first < 0x80) return { value: first, next: offset + 1 }
  const length = Math.clz32(~(first << 24) >>> 0)
  if (length < 2 || length > 7) return null
  let value = first & (0x7f >> length)
  for (let i = 1; i < length; i++) {
    const byte = bytes[offset + i] ?? 0
    if ((byte & 0xc0) !== 0x80) return null
    value = value * 64 + (byte & 0x3f)
  }
  return { value, next: offset + length }
}

function crc8(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1
  }
  return crc
}
