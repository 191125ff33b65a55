import { type MediaSource, readClipped } from '../media-source.ts'

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
