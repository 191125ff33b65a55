/** Elements that a live recording opens without a size: the segment, and clusters in it. */
const OPEN = [0x18538067, 0x1f43b675]

/**
 * What is whole of a WebM recording that goes on: Chromium hands out pieces that end within a block, and the service takes no recording
 * that is cut off.
 */
export async function wholeWebm(recording: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await recording.arrayBuffer())
  let whole = 0
  for (let at = 0; at < bytes.length; ) {
    const id = readNumber(bytes, at)
    const size = id && readNumber(bytes, at + id.length)
    if (!size) break
    at += id.length + size.length
    if (size.isUnknown && OPEN.includes(id.marked)) continue
    at += size.value
    if (at <= bytes.length) whole = at
  }
  return recording.slice(0, whole, recording.type)
}

/** A number as EBML writes it (RFC 8794): its length is the number of leading zeros of its first byte, and the one after them. */
function readNumber(bytes: Uint8Array, at: number) {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  if (first === 0 || at + length > bytes.length) return null
  let marked = 0
  for (const byte of bytes.subarray(at, at + length)) marked = marked * 256 + byte
  const mark = 2 ** (7 * length)
  return { length, marked, value: marked - mark, isUnknown: marked === 2 * mark - 1 }
}
