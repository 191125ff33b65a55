import * as z from 'zod'
import type { Database } from '../database.ts'
import { analyzeImage } from '../visual/analyze-image.ts'
import type { FaceModels } from '../visual/face-models.ts'
import { mergeImages } from '../visual/merge-images.ts'
import { ImageError, type ImageOutcome, rejectedImage } from '../visual/outcome.ts'
import { type Findings, type Job, mediaOf, outcomesOf, requireConsent } from './job.ts'

/** Input of a job `visual_group`: ordinals of its images. */
const groupInput = z.object({ images: z.array(z.int().min(0)) })

/** What a job `visual_group` stores and `visual_merge` reads. */
type GroupOutcome = { images: ImageOutcome[] }

/** Runs a visual job: analyses one group of images, or merges all groups. */
export function runVisualJob(context: {
  database: Database
  loadModels(): Promise<FaceModels>
  read(path: string): Promise<{ bytes: Uint8Array; etag: string } | null>
}): (job: Job) => Promise<Findings> {
  const { database } = context
  return async (job) => {
    await requireConsent(database, job, 'camera')
    const media = await mediaOf(database, job, 'image')

    if (job.kind === 'visual_merge') {
      const groups = await outcomesOf<GroupOutcome>(database, job, 'visual_group')
      const { features, replicates, quality } = mergeImages(
        groups.flatMap((group) => group.images),
        media.length,
      )
      return {
        ...features,
        replicates,
        quality: quality.score,
        quality_reason: quality.reason,
        images_total: quality.total_images,
        images_usable: quality.usable_images,
      }
    }

    const outcome: GroupOutcome = { images: [] }
    for (const ordinal of groupInput.parse(job.input).images) {
      const medium = media.find((candidate) => candidate.ordinal === ordinal)
      const image = medium && (await context.read(medium.path))
      // An image that is gone or was changed is left out; the merge counts it as unusable.
      if (!medium || !image || image.etag !== medium.etag) continue
      outcome.images.push(await analyzeOne(image.bytes, await context.loadModels()))
    }
    return outcome
  }
}

/** An image with a valid header whose data cannot be decoded is unusable; the other images still count. */
async function analyzeOne(bytes: Uint8Array, models: FaceModels): Promise<ImageOutcome> {
  try {
    return await analyzeImage(bytes, models)
  } catch (error) {
    if (error instanceof ImageError) return rejectedImage(error.code)
    throw error
  }
}
