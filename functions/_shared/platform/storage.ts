import { objectAddress } from './object-address.ts'

/** Where objects are read from, with the key that may read them. */
type ObjectStore = { supabaseUrl: string; secretKey: string }

/** One object of a bucket, read in ranges. */
type StoredObject = {
  /** Bytes. */
  size: number
  etag: string
  /** Reads `[start, end)`; an end beyond the object is cut. */
  read(start: number, end: number): Promise<Uint8Array>
}

const BLOCK_BYTES = 256 * 1024
const TIMEOUT_MS = 30_000
/** Enough for a demuxer that alternates between an index and the samples. */
const BLOCKS_KEPT = 8

/**
 * Opens an object with one request, which also fetches its first 256 kB. Recently used
 * blocks are kept, so that reading byte by byte costs no requests. Null when there is no such object. Throws `UnsafeObjectName`.
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

/** Reads a whole object. Null when there is no such object. Throws `UnsafeObjectName`. */
export async function readObject(
  store: ObjectStore,
  bucket: string,
  path: string,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; etag: string } | null> {
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

/** Storage responds to most errors with 400 and says what it means in the body's `statusCode`. */
async function get(
  store: ObjectStore,
  bucket: string,
  path: string,
  headers: Record<string, string>,
): Promise<Response | 'empty' | null> {
  const address = objectAddress(store.supabaseUrl, 'object/authenticated', { bucket, name: path })
  const response = await fetch(address, {
    headers: { ...headers, apikey: store.secretKey, authorization: `Bearer ${store.secretKey}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => null)
  const status =
    body && typeof body === 'object' && 'statusCode' in body ? Number(body.statusCode) : response.status
  if (status === 404) return null
  // An empty object has no satisfiable range.
  if (status === 416) return 'empty'
  throw new Error(`Storage responded with ${response.status}, meaning ${status}`)
}

/** Private bucket of model weights and WebAssembly; seeded from `vendor/assets`. */
const ASSETS_BUCKET = 'analysis-assets'

/** The bucket of assets does not hold one; the message says what to do. */
export class AssetMissing extends Error {
  constructor(name: string) {
    super(`The bucket ${ASSETS_BUCKET} holds no ${name}: run \`supabase seed buckets\``)
    this.name = 'AssetMissing'
  }
}

/** Loads an asset by its name. Throws `AssetMissing` when the bucket does not hold it. */
export function assetLoader(store: ObjectStore): (name: string) => Promise<Uint8Array<ArrayBuffer>> {
  return async (name) => {
    const object = await readObject(store, ASSETS_BUCKET, name)
    if (!object) throw new AssetMissing(name)
    return object.bytes
  }
}

/** A signed address as apps reach it, whatever address the functions reach Storage by. */
export function reachable(signedUrl: string, publicUrl: string): string {
  const { pathname, search } = new URL(signedUrl)
  return new URL(pathname + search, publicUrl).href
}

/** When a signed token ends, from its `exp` claim. */
export function expiryOf(token: string): string {
  const claims: unknown = JSON.parse(
    atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')),
  )
  if (typeof claims === 'object' && claims && 'exp' in claims && typeof claims.exp === 'number') {
    return new Date(claims.exp * 1000).toISOString()
  }
  throw new Error('The signed token has no expiry')
}
