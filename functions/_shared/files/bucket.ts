import { ServiceError } from '../errors.ts'
import type { ProjectClient } from '../platform/clients.ts'
import { objectAddress, objectPath } from '../platform/object-address.ts'
import { expiryOf } from '../platform/storage.ts'
import type { FileType } from './file-type.ts'
import { FILES_BUCKET } from './keys.ts'

/** Largest file, bytes; the bucket has the same limit. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024

const PIECE_BYTES = 64 * 1024

/** An error of Storage: `statusCode` is what it means, whatever the HTTP status. */
type StorageError = { status?: number; statusCode?: string }

/** Stores a file with the caller's permissions. Throws `forbidden` and `body_too_large`. */
export async function storeFile(
  supabase: ProjectClient,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  { contentType }: FileType,
): Promise<void> {
  const { error } = await supabase.storage
    .from(FILES_BUCKET)
    .upload(objectPath(key), piecesOf(bytes), { contentType })
  if (!error) return
  const cause = statusOf(error)
  if (cause === 403) {
    throw new ServiceError('forbidden', 'You are not a member of this university.')
  }
  if (cause === 413) throw fileTooLarge()
  throw error
}

/**
 * Signs an address from which a file that the caller may read can be downloaded, in the way that takes names in a body: of a name in an
 * address Storage signs what `decodeURI` leaves encoded, such as a plus sign, as it is there, and finds no such file. Throws `file_not_found`.
 */
export async function signFile(
  supabase: ProjectClient,
  publicUrl: string,
  key: string,
  seconds: number,
): Promise<{ url: string; expires: string }> {
  const address = objectAddress(publicUrl, 'object/sign', { bucket: FILES_BUCKET, name: key })
  const { data, error } = await supabase.storage.from(FILES_BUCKET).createSignedUrls([key], seconds)
  if (error) throw error
  const token = data[0]?.signedUrl?.split('?token=').at(-1)
  if (!token) throw fileNotFound()
  return { url: `${address}?token=${token}`, expires: expiryOf(token) }
}

/** The error of a file that does not exist, or that the caller may not read. */
export function fileNotFound(): ServiceError {
  return new ServiceError('file_not_found', 'There is no such file, or you may not read it.')
}

/** The error of a file over the limit. */
export function fileTooLarge(): ServiceError {
  return new ServiceError('body_too_large', 'The file is over 50 MB.', { max_bytes: MAX_FILE_BYTES })
}

/** The bytes in pieces; `fetch` copies a body twice that it is given whole. */
function piecesOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(sent, sent + PIECE_BYTES))
      sent += PIECE_BYTES
      if (sent >= bytes.length) controller.close()
    },
  })
}

function statusOf({ status, statusCode }: StorageError): number {
  return Number(statusCode ?? status)
}
