import { Upload as TusUpload } from 'tus-js-client'
import type { Supabase } from '../calls.ts'
import { WellbeingError } from '../errors.ts'
import { errorOf } from '../explain.ts'
import type { Upload } from './context.ts'
import { rejection, STALLED_AFTER_MS, stalled } from './upload-error.ts'

/** What the platform expects of all pieces but the last. */
const PIECE_BYTES = 6 * 1024 * 1024

/** Sends a file by TUS, from where it was interrupted. */
export async function sendResumably(supabase: Supabase, given: Upload): Promise<void> {
  const { place, file, type, resumeAt, onResumable, onProgress, signal } = given
  const stall = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const moved = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stall.abort(), STALLED_AFTER_MS)
  }
  await new Promise<void>((resolve, reject) => {
    const upload = new TusUpload(file, {
      endpoint: `${storageOf(supabase)}/upload/resumable/sign`,
      uploadUrl: resumeAt,
      headers: { 'x-signature': place.token },
      metadata: { bucketName: place.bucket, objectName: place.path, contentType: type },
      chunkSize: PIECE_BYTES,
      uploadDataDuringCreation: true,
      storeFingerprintForResuming: false,
      // The queue tries again, and knows more.
      retryDelays: null,
      fileReader: { openFile: async () => sourceOf(file) },
      onUploadUrlAvailable: () => onResumable(upload.url ?? ''),
      onProgress(sent) {
        moved()
        onProgress(sent, false)
      },
      onChunkComplete: (_size, accepted) => onProgress(accepted, true),
      onSuccess: () => resolve(),
      onError: (error) => reject(ofTus(error)),
    })
    const interrupt = () => {
      void upload.abort().catch(() => {})
      reject(stalled())
    }
    signal.addEventListener('abort', interrupt)
    stall.signal.addEventListener('abort', interrupt)
    moved()
    upload.start()
  }).finally(() => clearTimeout(timer))
}

/** Storage as the app reaches it, which may be behind a proxy of its own. */
function storageOf({ storage }: Supabase): string {
  const { publicUrl } = storage.from('-').getPublicUrl('-').data
  return publicUrl.slice(0, publicUrl.indexOf('/object/public/'))
}

/** A file as the client of TUS reads it, alike in browsers, React Native and Node. */
function sourceOf(file: Blob) {
  return {
    size: file.size,
    async slice(from: number, to: number) {
      const bytes = new Uint8Array(await file.slice(from, to).arrayBuffer())
      return { value: Object.assign(bytes, { size: bytes.length }), done: to >= file.size }
    },
    close() {},
  }
}

function ofTus(error: Error): WellbeingError {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (typeof response !== 'object' || response === null || !('getStatus' in response)) {
    return new WellbeingError('offline', { message: error.message, cause: error })
  }
  const status = typeof response.getStatus === 'function' ? response.getStatus() : null
  return rejection(errorOf(Object.assign(error, { status })))
}
