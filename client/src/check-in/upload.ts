import type { Supabase } from '../calls.ts'
import { errorOf } from '../explain.ts'
import { pause } from '../pause.ts'
import type { QueueContext, Upload } from './context.ts'
import { rejection, STALLED_AFTER_MS, stalled } from './upload-error.ts'

/** From so many bytes on an upload is one that resumes; below, it is sent again. */
const RESUMABLE_FROM_BYTES = 256 * 1024

/** Sends a file to its place. */
export function uploadWith(supabase: Supabase): QueueContext['upload'] {
  return async (upload) => {
    if (upload.file.size < RESUMABLE_FROM_BYTES) return sendWhole(supabase, upload)
    // With its client of TUS, which many an app never needs.
    const { sendResumably } = await import('./resumable-upload.ts')
    return sendResumably(supabase, upload)
  }
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
  if (!sent) throw stalled()
  if (sent.error) throw rejection(errorOf(sent.error))
  onProgress(file.size, true)
}
