import { Upload as TusUpload } from 'tus-js-client'
import type { Upload } from './context.ts'

/** What the platform expects of all pieces but the last. */
const PIECE_BYTES = 6 * 1024 * 1024

/**
 * Sends a file by TUS, from where it was interrupted. A module of its own, which uses no other, so that an app loads it, and the client of
 * TUS, with the first file that is large.
 *
 * @param stalledAfterMs an upload that does not move for so long is interrupted, milliseconds
 * @returns rejects with the error of the client of TUS, and with one without `originalResponse` where it was interrupted
 */
export function sendResumably(
  endpoint: string,
  { place, file, type, resumeAt, onResumable, onProgress, signal }: Upload,
  stalledAfterMs: number,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  return new Promise<void>((resolve, reject) => {
    const upload = new TusUpload(file, {
      endpoint,
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
      onError: reject,
    })
    const interrupt = (why: string) => {
      void upload.abort().catch(() => {})
      reject(new Error(why))
    }
    const moved = () => {
      clearTimeout(timer)
      timer = setTimeout(() => interrupt('The upload did not move.'), stalledAfterMs)
    }
    signal.addEventListener('abort', () => interrupt('Interrupted.'))
    moved()
    upload.start()
  }).finally(() => clearTimeout(timer))
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
