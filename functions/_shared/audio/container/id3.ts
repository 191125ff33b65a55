import { type MediaSource, readClipped, truncated } from '../recording.ts'
import { bound } from './limits.ts'

const HEADER_BYTES = 10
const FOOTER = 0x10

/** Tags that may follow one another; writers make one, and at most add another. */
const TAGS = 16

/**
 * Where the sound begins behind the ID3 tags at the beginning (ID3v2.4.0, section 3.1), which are passed over unread. The demuxer
 * takes the same for a tag.
 */
export async function behindId3(source: MediaSource): Promise<number> {
  let at = 0
  for (let tags = 0; ; tags++) {
    bound(tags, TAGS, 'more tags')
    const bytes = id3Bytes(await readClipped(source, at, at + HEADER_BYTES))
    if (bytes === 0) return at
    at += bytes
    if (at > source.size) throw truncated()
  }
}

function id3Bytes(header: Uint8Array): number {
  if (header.length < HEADER_BYTES || String.fromCharCode(...header.subarray(0, 3)) !== 'ID3') return 0
  const [major, revision, flags = 0, ...length] = header.subarray(3)
  if (major === 0xff || revision === 0xff || length.some((byte) => byte >= 0x80)) return 0
  const footerBytes = flags & FOOTER ? HEADER_BYTES : 0
  return HEADER_BYTES + length.reduce((sum, byte) => sum * 128 + byte, 0) + footerBytes
}

/** From the beginning of a tag, what says how long it is. */
export const TAG_HEADER_BYTES = 32

const ID3V1_BYTES = 128

/** Bytes of the tag that begins with these, as taggers write it behind or between frames (ID3v2, ID3v1, APEv2); 0 where none does. */
export function tagBytes(header: Uint8Array): number {
  const name = String.fromCharCode(...header.subarray(0, 8))
  if (name.startsWith('TAG')) return ID3V1_BYTES
  if (name !== 'APETAGEX' || header.length < TAG_HEADER_BYTES)
    return id3Bytes(header.subarray(0, HEADER_BYTES))
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  // The size is that of the items and the footer; its beginning is a header where the flags say so, else the footer of no items.
  return TAG_HEADER_BYTES + view.getUint32(12, true)
}
