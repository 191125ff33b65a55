import * as z from 'zod'
import { route } from '../http/route.ts'
import { jobWebhook } from './job.ts'

const common = {
  method: 'post',
  tag: 'Workers',
  description:
    'Called by the database alone. It claims the job, or leaves it where another worker was first, and goes on after its answer.',
  security: 'database',
  body: jobWebhook,
  response: z.strictObject({ job: z.guid().describe('The job that was named') }),
  status: 202,
  example: {
    body: {
      type: 'INSERT',
      schema: 'private',
      table: 'analysis_jobs',
      record: { id: '0c2f7f0e-6d1c-4a53-9f0b-6a5d8a9e4b11' },
    },
  },
  answer: { job: '0c2f7f0e-6d1c-4a53-9f0b-6a5d8a9e4b11' },
} as const

/** `POST /pipeline-audio`. */
export const audioWorker = route({
  ...common,
  id: 'ringAudioWorker',
  path: '/pipeline-audio',
  summary: 'Analyses a slice of a recording, or merges the slices',
})

/** `POST /pipeline-visual`. */
export const visualWorker = route({
  ...common,
  id: 'ringVisualWorker',
  path: '/pipeline-visual',
  summary: 'Analyses a group of stills, or merges the groups',
})

/** `POST /pipeline-text`. */
export const textWorker = route({
  ...common,
  id: 'ringTextWorker',
  path: '/pipeline-text',
  summary: 'Analyses the words of a check-in',
})

/** `POST /pipeline-transcription`. */
export const transcriptionWorker = route({
  ...common,
  id: 'ringTranscriptionWorker',
  path: '/pipeline-transcription',
  summary: 'Has a recording put into words',
})

/** `POST /pipeline-fusion`. */
export const fusionWorker = route({
  ...common,
  id: 'ringFusionWorker',
  path: '/pipeline-fusion',
  summary: 'Scores a check-in from its analyses',
})
