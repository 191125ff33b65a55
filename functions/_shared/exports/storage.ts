import { isObjectName, objectAddress } from '../platform/object-address.ts'
import { EXPORTS_BUCKET } from './volume.ts'

/** The project's Storage, with the key that may read and write everything. */
export type ObjectStore = { supabaseUrl: string; secretKey: string }

/**
 * Opens an object for reading from its beginning; null when there is none any more, or when its name could lead to what is not the
 * person's.
 */
export async function openOriginal(
  store: ObjectStore,
  { bucket, name }: { bucket: string; name: string },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | null> {
  if (!isObjectName(name)) return null
  const address = objectAddress(store.supabaseUrl, 'object/authenticated', { bucket, name })
  const response = await fetch(address, { headers: keyOf(store), signal })
  if (response.ok) return response.body ?? new Blob([]).stream()
  const status = await meantStatus(response)
  if (status === 404) return null
  throw new Error(`Storage responded to a download with ${status}`)
}

/** Stores what a stream yields as an object of the bucket of exports, in place of an earlier attempt; returns its size, bytes. */
export async function storeVolume(
  store: ObjectStore,
  { name, type }: { name: string; type: string },
  content: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0
  const counted = content.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.length
        controller.enqueue(piece)
      },
    }),
  )
  const streamed: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { ...keyOf(store), 'content-type': type, 'cache-control': 'no-store', 'x-upsert': 'true' },
    body: counted,
    duplex: 'half',
    signal,
  }
  const address = objectAddress(store.supabaseUrl, 'object', { bucket: EXPORTS_BUCKET, name })
  const response = await fetch(address, streamed)
  if (!response.ok) throw new Error(`Storage responded to an upload with ${await meantStatus(response)}`)
  await response.body?.cancel()
  return bytes
}

function keyOf({ secretKey }: ObjectStore): Record<string, string> {
  return { apikey: secretKey, authorization: `Bearer ${secretKey}` }
}

/** Storage responds to most errors with 400 and says what it means in the body's `statusCode`. */
async function meantStatus(response: Response): Promise<number> {
  const body: unknown = await response.json().catch(() => null)
  return body && typeof body === 'object' && 'statusCode' in body ? Number(body.statusCode) : response.status
}
