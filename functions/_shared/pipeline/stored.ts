import * as z from 'zod'
import type { RecordingInfo } from '../audio/recording.ts'
import type { AudioSlice } from '../audio/slices.ts'

/** Input of a job `audio_slice`, as the plan wrote it. */
export const sliceInput: z.ZodType<AudioSlice> = z.object({
  index: z.int().min(0),
  startS: z.number().min(0),
  endS: z.number().positive(),
})

/** Input of a job `visual_group`: ordinals of its stills. */
export const groupInput = z.object({ images: z.array(z.int().min(0)) })

/** What the header of a recording said when the check-in was handed in. */
export const recordingInfo: z.ZodType<RecordingInfo> = z.object({
  container: z.enum(['m4a', 'webm', 'ogg', 'mp3', 'wav', 'flac']),
  codec: z.enum(['aac', 'opus', 'mp3', 'flac', 'pcm']),
  durationS: z.number().positive(),
  sampleRateHz: z.number().positive(),
  channels: z.int().positive(),
})
