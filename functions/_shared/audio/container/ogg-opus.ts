import { type MediaSource, readClipped } from '../recording.ts'

const FRAME_MS = {
  silk: [10, 20, 40, 60],
  hybrid: [10, 20],
  celt: [2.5, 5, 10, 20],
}

/** Seconds of sound in an Opus packet, from its table-of-contents byte (RFC 6716, section 3.1). */
export function opusPacketSeconds(packet: Uint8Array): number {
  const toc = packet[0] ?? 0
  const config = toc >> 3
  const frameMs =
    config < 12
      ? FRAME_MS.silk[config & 3]
      : config < 16
        ? FRAME_MS.hybrid[config & 1]
        : FRAME_MS.celt[config & 3]
  const frames = (toc & 3) === 0 ? 1 : (toc & 3) === 3 ? (packet[1] ?? 0) & 0x3f : 2
  return ((frameMs ?? 20) * frames) / 1000
}

/** Seconds that the encoder put before the sound: the pre-skip of the OpusHead (RFC 7845, section 5.1). */
export function opusPreSkipSeconds(opusHead: Uint8Array): number {
  return opusHead.length >= 12 ? ((opusHead[10] ?? 0) + (opusHead[11] ?? 0) * 256) / 48000 : 0
}

const TAIL_BYTES = 128 * 1024
const PAGE_HEADER_BYTES = 27

/** Whether the file ends in the middle of an Ogg page (RFC 3533): the mark of a recording that was cut off. */
export async function endsInsideOggPage(source: MediaSource): Promise<boolean> {
  const tail = await readClipped(source, source.size - TAIL_BYTES, source.size)
  for (let offset = tail.length - 4; offset >= 0; offset--) {
    if (
      tail[offset] !== 0x4f ||
      tail[offset + 1] !== 0x67 ||
      tail[offset + 2] !== 0x67 ||
      tail[offset + 3] !== 0x53
    ) {
      continue
    }
    const segments = tail[offset + 26]
    if (segments === undefined) return true
    const table = tail.subarray(offset + PAGE_HEADER_BYTES, offset + PAGE_HEADER_BYTES + segments)
    const pageEnd = offset + PAGE_HEADER_BYTES + segments + table.reduce((sum, length) => sum + length, 0)
    return table.length < segments || pageEnd > tail.length
  }
  return true
}
