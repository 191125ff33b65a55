import type { Supabase } from '../calls.ts'
import { WellbeingError } from '../errors.ts'
import { errorOf } from '../explain.ts'
import { pause } from '../pause.ts'
import type { QueueContext, Upload } from './context.ts'

/** From so many bytes on an upload is one that resumes; below, it is sent again. */
const RESUMABLE_FROM_BYTES = 256 * 1024
/** An upload that does not move for so long, milliseconds, is interrupted. */
const STALLED_AFTER_MS = 60_000

/** Sends a file to its place. */
export function uploadWith(supabase: Supabase): QueueContext['upload'] {
  return (upload) =>
    upload.file.size < RESUMABLE_FROM_BYTES ? sendWhole(supabase, upload) : sendInPieces(supabase, upload)
}

async function sendWhole(
  supabase: Supabase,
  { place, file, type, onProgress, signal }: Upload,
): Promise<void> {
  // As bytes, which go as they are: React Native has no forms of its own files.
  const bytes = await file.arrayBuffer()
  const sending = supabase.storage
    .from(place.bucket)
    .uploadToSignedUrl(place.path, place.token, bytes, { contentType: type })
  const waiting = new AbortController()
  const end = () => waiting.abort()
  signal.addEventListener('abort', end)
  const sent = await Promise.race([sending, pause(STALLED_AFTER_MS, waiting.signal)])
  signal.removeEventListener('abort', end)
  end()
  if (!sent) throw new WellbeingError('offline', { message: 'The upload did not move for a minute.' })
  if (sent.error) throw rejection(errorOf(sent.error))
  onProgress(file.size, true)
}

/** By TUS, whose client is loaded with the first file that is large. */
async function sendInPieces(supabase: Supabase, upload: Upload): Promise<void> {
  const { sendResumably } = await import('./resumable.ts')
  await sendResumably(`${storageOf(supabase)}/upload/resumable/sign`, upload, STALLED_AFTER_MS).catch(
    (error) => {
      throw ofTus(error)
    },
  )
}

/** Storage as the app reaches it, which may be behind a proxy of its own. */
function storageOf({ storage }: Supabase): string {
  const { publicUrl } = storage.from('-').getPublicUrl('-').data
  return publicUrl.slice(0, publicUrl.indexOf('/object/public/'))
}

function ofTus(error: Error): WellbeingError {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (typeof response !== 'object' || response === null || !('getStatus' in response)) {
    return new WellbeingError('offline', { message: error.message, cause: error })
  }
  const status = typeof response.getStatus === 'function' ? response.getStatus() : null
  return rejection(errorOf(Object.assign(error, { status })))
}

/** Storage's errors have no codes that would say more than their status. */
function rejection(error: WellbeingError): WellbeingError {
  const { status } = error
  const isFinal =
    status !== null && status >= 400 && status < 500 && ![401, 408, 409, 423, 429].includes(status)
  return isFinal ? new WellbeingError('upload_rejected', error) : error
}
