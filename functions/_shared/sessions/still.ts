import { MAX_IMAGE_BYTES } from '../checkins/media.ts'
import { ServiceError } from '../errors.ts'
import { analyzeImage } from '../visual/analyze-image.ts'
import type { FaceModels } from '../visual/face-models.ts'
import { inspectImage } from '../visual/inspect-image.ts'
import { ImageError, type ImageOutcome } from '../visual/outcome.ts'

/** What names the still in an error. */
const FIELD = 'imageData'

/**
 * Analyses a still as the check-ins do. Throws the code of what is wrong with the file; a still without a usable face is
 * an outcome, not an error.
 */
export async function analyzeStill(
  bytes: Uint8Array,
  loadEngine: () => Promise<FaceModels>,
): Promise<ImageOutcome> {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new ServiceError('image_too_large', 'The image is over 10 MB. Send a smaller one.', {
      file: FIELD,
      max_bytes: MAX_IMAGE_BYTES,
    })
  }
  try {
    // Before the engine is loaded: what is no image costs nothing.
    inspectImage(bytes, bytes.length)
    return await analyzeImage(bytes, await loadEngine())
  } catch (error) {
    if (error instanceof ImageError) {
      throw new ServiceError(error.code, error.message, { file: FIELD })
    }
    throw error
  }
}
