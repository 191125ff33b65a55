import { ServiceError } from '../errors.ts'
import type { ProjectClient } from '../http/project-client.ts'
import { expiryOf, reachable } from '../http/signed-address.ts'
import type { FileType } from './file-type.ts'
import { FILES_BUCKET } from './keys.ts'
import { fileTooLarge } from './upload-form.ts'

const PIECE_BYTES = 64 * 1024

/** What Storage means by a refusal, whatever the HTTP status it comes with. */
type Refusal = { status?: number; statusCode?: string }

/** Stores a file where the caller may. Throws `forbidden` and `body_too_large`. */
export async function storeFile(
  supabase: ProjectClient,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  { contentType }: FileType,
): Promise<void> {
  const { error } = await supabase.storage.from(FILES_BUCKET).upload(key, piecesOf(bytes), { contentType })
  if (!error) return
  const meant = statusOf(error)
  if (meant === 403) {
    throw new ServiceError('forbidden', 'You are not a member of this university.')
  }
  if (meant === 413) throw fileTooLarge()
  throw error
}

/** Signs an address to read a file from that the caller may read. Throws `file_not_found`. */
export async function signFile(
  supabase: ProjectClient,
  publicUrl: string,
  key: string,
  seconds: number,
): Promise<{ url: string; expires: string }> {
  const { data, error } = await supabase.storage.from(FILES_BUCKET).createSignedUrl(key, seconds)
  if (error && statusOf(error) === 404) throw fileNotFound()
  if (error) throw error
  const token = new URL(data.signedUrl).searchParams.get('token') ?? ''
  return { url: reachable(data.signedUrl, publicUrl), expires: expiryOf(token) }
}

/** The refusal of a file that is not there, or not the caller's to read. */
export function fileNotFound(): ServiceError {
  return new ServiceError('file_not_found', 'There is no such file, or you may not read it.')
}

/** The bytes in pieces; `fetch` copies a body that it is given whole, twice. */
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

function statusOf({ status, statusCode }: Refusal): number {
  return Number(statusCode ?? status)
}
