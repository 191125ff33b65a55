import { AudioError, type MediaSource, truncated } from '../recording.ts'
import { ByteWindow } from './byte-window.ts'
import { bound, LIMITS, severalRecordings } from './limits.ts'

const HEADER_BYTES = 27
const MAX_SEGMENTS = 255

/** Of the flags of a page: the first of its stream. */
const BEGINS_STREAM = 0x02

/**
 * Pages whose mark, `OggS`, stands within another page. By chance it hardly ever does; the demuxer would compute the
 * checksum of each on its way.
 */
const FALSE_PAGES = 16

/**
 * Checks the pages of an Ogg file (RFC 3533): they follow one another, and neither they nor their packets are too many. Streams that begin behind
 * the sound of others are a further recording ("chaining", section 4), which the demuxer would not read.
 */
export async function walkOgg(source: MediaSource): Promise<void> {
  const window = new ByteWindow(source)
  const { size } = window
  /** Bytes of the packet that each stream's last page leaves open. */
  const streams = new Map<number, number>()
  let falsePages = 0
  let isBehindFirst = false
  let packets = 0
  let at = 0
  for (let pages = 0; at < size; pages++) {
    bound(pages, LIMITS.oggPages, 'more pages')
    if (at + HEADER_BYTES > size) throw truncated({ container: 'ogg' })
    const header =
      window.held(at, HEADER_BYTES + MAX_SEGMENTS) ?? (await window.load(at, HEADER_BYTES + MAX_SEGMENTS))
    if (header[0] !== 0x4f || header[1] !== 0x67 || header[2] !== 0x67 || header[3] !== 0x53) {
      throw new AudioError('audio_unreadable', 'The recording is damaged. Record and send it again.')
    }
    const isFirst = ((header[5] ?? 0) & BEGINS_STREAM) !== 0
    if (isFirst && isBehindFirst) throw severalRecordings()
    isBehindFirst ||= !isFirst
    const serial =
      (header[14] ?? 0) + ((header[15] ?? 0) << 8) + ((header[16] ?? 0) << 16) + (header[17] ?? 0) * 2 ** 24
    const segments = header[26] ?? 0
    let open = streams.get(serial) ?? 0
    let dataBytes = 0
    for (let i = 0; i < segments; i++) {
      const bytes = header[HEADER_BYTES + i] ?? 0
      dataBytes += bytes
      open += bytes
      if (bytes === 255) continue
      packets++
      open = 0
    }
    streams.set(serial, open)
    bound(streams.size, LIMITS.tracks, 'more streams')
    bound(open, LIMITS.metadataBytes, 'larger packets')
    bound(packets, LIMITS.packets, 'more sound')
    const dataAt = at + HEADER_BYTES + segments
    if (dataAt + dataBytes > size) throw truncated({ container: 'ogg' })
    falsePages += falsePagesIn(window.held(dataAt, dataBytes) ?? (await window.load(dataAt, dataBytes)))
    bound(falsePages, FALSE_PAGES, 'more pages')
    at = dataAt + dataBytes
  }
}

/** Counts `OggS`; looks at every fourth byte, and closer where that is a letter of it (Horspool's search). */
function falsePagesIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = 3; at < bytes.length; ) {
    const byte = bytes[at]
    if (byte === 0x67) at += 1
    else if (byte === 0x4f) at += 3
    else {
      if (byte === 0x53 && bytes[at - 1] === 0x67 && bytes[at - 2] === 0x67 && bytes[at - 3] === 0x4f) count++
      at += 4
    }
  }
  return count
}
