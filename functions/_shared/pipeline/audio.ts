import * as z from 'zod'
import { analyzeSlice } from '../audio/analyze-slice.ts'
import type { LoadAsset } from '../audio/decode/aac.ts'
import { mergeSlices } from '../audio/merge-slices.ts'
import { AudioError, type MediaSource } from '../audio/recording.ts'
import type { AudioSlice, AudioSliceOutcome } from '../audio/slices.ts'
import type { Database } from '../database.ts'
import {
  type Findings,
  type Job,
  mediaOf,
  NonRetryableError,
  outcomesOf,
  recordingInfo,
  requireConsent,
} from './job.ts'

/** Input of a job `audio_slice`, as submitting the check-in planned it. */
const sliceInput: z.ZodType<AudioSlice> = z.object({
  index: z.int().min(0),
  startS: z.number().min(0),
  endS: z.number().positive(),
})

/** Runs an audio job: analyses one slice of the recording, or merges all slices. */
export function runAudioJob(context: {
  database: Database
  loadAsset: LoadAsset
  open(path: string): Promise<(MediaSource & { etag: string }) | null>
}): (job: Job) => Promise<Findings> {
  const { database } = context
  return async (job) => {
    await requireConsent(database, job, 'audio')
    const [medium] = await mediaOf(database, job, 'audio')
    if (!medium) throw new NonRetryableError('not_provided')
    const info = recordingInfo.parse(medium.info)

    if (job.kind === 'audio_merge') {
      const outcomes = await outcomesOf<AudioSliceOutcome>(database, job, 'audio_slice')
      const { features, replicates, quality } = mergeSlices(outcomes, info.durationS)
      const { score, reason, ...measures } = quality
      return { ...features, replicates, ...measures, quality: score, quality_reason: reason }
    }

    const recording = await context.open(medium.path)
    if (!recording) throw new NonRetryableError('media_missing')
    if (recording.etag !== medium.etag) throw new NonRetryableError('media_changed')
    try {
      return await analyzeSlice(recording, info, sliceInput.parse(job.input), context.loadAsset)
    } catch (error) {
      if (error instanceof AudioError) throw new NonRetryableError(error.code)
      throw error
    }
  }
}
