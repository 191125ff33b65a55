import type { Database } from '../database.ts'
import { analyzeImage } from '../visual/analyze-image.ts'
import type { FaceModels } from '../visual/face-models.ts'
import { mergeImages } from '../visual/merge-images.ts'
import { ImageError, type ImageOutcome, rejectedImage } from '../visual/outcome.ts'
import { type Findings, type Job, NonRetryableError } from './job.ts'
import { consentHolds, mediaOf, outcomesOf } from './queue.ts'
import { groupInput } from './stored.ts'

/** Runs a job of the face: one group of stills, or the merge of all. */
export function runVisualJob(context: {
  database: Database
  loadEngine(): Promise<FaceModels>
  read(path: string): Promise<{ bytes: Uint8Array; etag: string } | null>
}): (job: Job) => Promise<Findings> {
  const { database } = context
  return async (job) => {
    if (!(await consentHolds(database, job, 'camera'))) throw new NonRetryableError('no_consent')
    const media = await mediaOf(database, job, 'image')

    if (job.kind === 'visual_merge') {
      const groups = await outcomesOf<{ stills: ImageOutcome[] }>(database, job, 'visual_group')
      const { features, quality } = mergeImages(
        groups.flatMap((group) => group.stills),
        media.length,
      )
      return {
        ...features,
        quality: quality.score,
        quality_reason: quality.reason,
        images_total: quality.total_images,
        images_usable: quality.usable_images,
      }
    }

    const { images } = groupInput.parse(job.input)
    const stills: ImageOutcome[] = []
    for (const ordinal of images) {
      const medium = media.find((candidate) => candidate.ordinal === ordinal)
      const image = medium && (await context.read(medium.path))
      // A still that is gone or was changed is left out; the merge counts it as unusable.
      if (!medium || !image || image.etag !== medium.etag) continue
      stills.push(await analyzeStill(image.bytes, await context.loadEngine()))
    }
    return { stills }
  }
}

/** A still whose header was right but whose data cannot be decoded is unusable, and no reason to drop the others. */
async function analyzeStill(bytes: Uint8Array, models: FaceModels): Promise<ImageOutcome> {
  try {
    return await analyzeImage(bytes, models)
  } catch (error) {
    if (error instanceof ImageError) return rejectedImage(error.code)
    throw error
  }
}
