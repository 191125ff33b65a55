/** Where objects are read from, with the key that may read them. */
export type ObjectStore = { supabaseUrl: string; secretKey: string; fetch?: typeof fetch }

/** One object of a bucket, read in ranges. */
export type StoredObject = {
  /** Bytes. */
  size: number
  etag: string
  contentType: string
  /** Reads `[start, end)`; an end beyond the object is cut. */
  read(start: number, end: number): Promise<Uint8Array>
}

const BLOCK_BYTES = 256 * 1024
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

  async function block(index: number): Promise<Uint8Array> {
    const kept = blocks.get(index)
    const pending =
      kept ?? request(store, bucket, path, index).then((part) => part?.bytes ?? new Uint8Array())
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
    contentType: first.contentType,
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
  return { bytes: new Uint8Array(await response.arrayBuffer()), etag: response.headers.get('etag') ?? '' }
}

type Part = { bytes: Uint8Array; size: number; etag: string; contentType: string }

async function request(
  store: ObjectStore,
  bucket: string,
  path: string,
  index: number,
): Promise<Part | null> {
  const start = index * BLOCK_BYTES
  const response = await get(store, bucket, path, { range: `bytes=${start}-${start + BLOCK_BYTES - 1}` })
  if (response === null) return null
  const bytes = new Uint8Array(await response.arrayBuffer())
  const total = response.headers.get('content-range')?.match(/\/(\d+)$/)?.[1]
  return {
    bytes: response.status === 416 ? new Uint8Array() : bytes,
    size: response.status === 416 ? 0 : total === undefined ? bytes.length : Number(total),
    etag: response.headers.get('etag') ?? '',
    contentType: response.headers.get('content-type') ?? '',
  }
}

async function get(
  store: ObjectStore,
  bucket: string,
  path: string,
  headers: Record<string, string>,
): Promise<Response | null> {
  const address = `${store.supabaseUrl}/storage/v1/object/authenticated/${bucket}/${path}`
  const response = await (store.fetch ?? fetch)(address, { headers: { ...headers, apikey: store.secretKey } })
  // An empty object has no range to give.
  if (response.ok || response.status === 416) return response
  await response.body?.cancel()
  if (response.status === 404 || response.status === 400) return null
  throw new Error(`Storage answered ${response.status}`)
}
