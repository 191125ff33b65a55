/** A stored recording, read in ranges so that its size is never held in memory. */
export interface MediaSource {
  /** Bytes in all. */
  readonly size: number
  /** The bytes from `start` up to and without `end`; the caller stays within `0 <= start < end <= size`. */
  read(start: number, end: number): Promise<Uint8Array>
}

/** Reads a range clipped to what the source holds; empty when nothing of it exists. */
export async function readClipped(source: MediaSource, start: number, end: number): Promise<Uint8Array> {
  const from = Math.max(0, Math.min(start, source.size))
  const to = Math.max(from, Math.min(end, source.size))
  return to > from ? await source.read(from, to) : new Uint8Array(0)
}
