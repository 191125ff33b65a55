/** Where objects are read from, with the key that may read them. */
export type ObjectStore = { supabaseUrl: string; secretKey: string }

/** One object of a bucket, read in ranges. */
export type StoredObject = {
  /** Bytes. */
  size: number
  etag: string
  /** Reads `[start, end)`; an end beyond the object is cut. */
  read(start: number, end: number): Promise<Uint8Array>
}

const BLOCK_BYTES = 256 * 1024
const TIMEOUT_MS = 30_000
/** Enough for a demuxer that goes to and fro between an index and the samples. */
const BLOCKS_KEPT = 24

/**
 * Opens an object with one request, which also fetches its first 256 kB. Blocks are kept while they are in use,
 * so that reading byte by byte costs no requests. `null` when there is no such object.
 */
export async function openObject(
  store: ObjectStore,
  bucket: string,
  path: string,
): Promise<StoredObject | null> {
  const blocks = new Map<number, Promise<Uint8Array>>()
  const first = await request(store, bucket, path, 0)
  if (first === null) return null
  blocks.set(0, Promise.resolve(first.bytes))

  function sameObject(part: Part | null): Uint8Array {
    if (part?.etag !== first?.etag) throw new Error('The object was changed while it was read')
    return part?.bytes ?? new Uint8Array()
  }

  async function block(index: number): Promise<Uint8Array> {
    const kept = blocks.get(index)
    const pending = kept ?? request(store, bucket, path, index).then(sameObject)
    blocks.delete(index)
    blocks.set(index, pending)
    if (blocks.size > BLOCKS_KEPT) {
      const oldest = blocks.keys().next().value
      if (oldest !== undefined) blocks.delete(oldest)
    }
    return pending
  }

  return {
    size: first.size,
    etag: first.etag,
    async read(start, end) {
      const from = Math.max(0, Math.min(start, first.size))
      const to = Math.max(from, Math.min(end, first.size))
      const result = new Uint8Array(to - from)
      for (let index = Math.floor(from / BLOCK_BYTES); index * BLOCK_BYTES < to; index++) {
        const bytes = await block(index)
        const offset = index * BLOCK_BYTES
        const part = bytes.subarray(Math.max(0, from - offset), Math.min(bytes.length, to - offset))
        result.set(part, Math.max(0, offset - from))
      }
      return result
    },
  }
}

/** Reads an object whole. `null` when there is no such object. */
export async function readObject(
  store: ObjectStore,
  bucket: string,
  path: string,
): Promise<{ bytes: Uint8Array; etag: string } | null> {
  const response = await get(store, bucket, path, {})
  if (response === null) return null
  if (response === 'empty') return { bytes: new Uint8Array(), etag: '' }
  return { bytes: new Uint8Array(await response.arrayBuffer()), etag: response.headers.get('etag') ?? '' }
}

type Part = { bytes: Uint8Array; size: number; etag: string }

async function request(
  store: ObjectStore,
  bucket: string,
  path: string,
  index: number,
): Promise<Part | null> {
  const start = index * BLOCK_BYTES
  const response = await get(store, bucket, path, { range: `bytes=${start}-${start + BLOCK_BYTES - 1}` })
  if (response === null) return null
  if (response === 'empty') return { bytes: new Uint8Array(), size: 0, etag: '' }
  const bytes = new Uint8Array(await response.arrayBuffer())
  const total = response.headers.get('content-range')?.match(/\/(\d+)$/)?.[1]
  return {
    bytes,
    size: total === undefined ? bytes.length : Number(total),
    etag: response.headers.get('etag') ?? '',
  }
}

/** Storage answers most refusals with 400 and says what it means in the body's `statusCode`. */
async function get(
  store: ObjectStore,
  bucket: string,
  path: string,
  headers: Record<string, string>,
): Promise<Response | 'empty' | null> {
  const response = await fetch(`${store.supabaseUrl}/storage/v1/object/authenticated/${bucket}/${path}`, {
    headers: { ...headers, apikey: store.secretKey, authorization: `Bearer ${store.secretKey}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.ok) return response
  const refusal: unknown = await response.json().catch(() => null)
  const status =
    refusal && typeof refusal === 'object' && 'statusCode' in refusal
      ? Number(refusal.statusCode)
      : response.status
  if (status === 404) return null
  // An empty object has no range to give.
  if (status === 416) return 'empty'
  throw new Error(`Storage answered ${response.status}, meaning ${status}`)
}
