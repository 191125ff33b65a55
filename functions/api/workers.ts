import * as z from 'zod'
import { exportWebhook } from '../_shared/exports/worker.ts'
import { removalWebhook } from '../_shared/files/object-removals.ts'
import { route } from '../_shared/http/route.ts'
import { outboxWebhook } from '../_shared/messaging/outbox.ts'
import { jobWebhook } from '../_shared/pipeline/job.ts'
import { probeWebhook } from '../_shared/security-tests/worker.ts'

// The functions that only the database calls, through webhooks; `databaseWebhook` serves them.

const common = {
  method: 'post',
  tag: 'Workers',
  description:
    'Called by the database alone. It wakes the worker, which claims the job that is next, or none where it is busy or others were first, and goes on after its response.',
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
  exampleResponse: { job: '0c2f7f0e-6d1c-4a53-9f0b-6a5d8a9e4b11' },
} as const

const audioWorker = route({
  ...common,
  id: 'dispatchToAudioWorker',
  path: '/pipeline-audio',
  summary: 'Analyses a slice of a recording, or merges the slices',
})

const visualWorker = route({
  ...common,
  id: 'dispatchToVisualWorker',
  path: '/pipeline-visual',
  summary: 'Analyses a group of images, or merges the groups',
})

const textWorker = route({
  ...common,
  id: 'dispatchToTextWorker',
  path: '/pipeline-text',
  summary: 'Analyses the transcript of a check-in',
})

const transcriptionWorker = route({
  ...common,
  id: 'dispatchToTranscriptionWorker',
  path: '/pipeline-transcription',
  summary: 'Transcribes a recording',
})

const fusionWorker = route({
  ...common,
  id: 'dispatchToFusionWorker',
  path: '/pipeline-fusion',
  summary: 'Scores a check-in from its analyses',
})

const messageSender = route({
  id: 'dispatchToMessageSender',
  method: 'post',
  path: '/deliver-messages',
  tag: 'Workers',
  summary: 'Sends the emails and SMS that wait',
  description: 'Called by the database alone. It goes on after its response, until no message is due.',
  security: 'database',
  body: outboxWebhook,
  response: z.strictObject({}),
  status: 202,
  example: { body: { type: 'INSERT', schema: 'private', table: 'outbox' } },
  exampleResponse: {},
})

const objectRemover = route({
  id: 'dispatchToObjectRemover',
  method: 'post',
  path: '/remove-objects',
  tag: 'Workers',
  summary: 'Removes the files that wait for it from Storage',
  description: 'Called by the database alone. It goes on after its response, until no removal is due.',
  security: 'database',
  body: removalWebhook,
  response: z.strictObject({}),
  status: 202,
  example: { body: { type: 'INSERT', schema: 'private', table: 'object_removals' } },
  exampleResponse: {},
})

const exportBuilder = route({
  id: 'dispatchToExportBuilder',
  method: 'post',
  path: '/export-data',
  tag: 'Workers',
  summary: 'Builds a volume of an export',
  description: 'Called by the database alone. It goes on after its response, until the volume is built.',
  security: 'database',
  body: exportWebhook,
  response: z.strictObject({}),
  status: 202,
  example: { body: { type: 'INSERT', schema: 'private', table: 'export_volumes' } },
  exampleResponse: {},
})

const securityProber = route({
  id: 'dispatchToSecurityProber',
  method: 'post',
  path: '/probe-security',
  tag: 'Workers',
  summary: 'Carries out the next probe of a security test',
  description: 'Called by the database alone. It goes on after its response, until the probe has ended.',
  security: 'database',
  body: probeWebhook,
  response: z.strictObject({}),
  status: 202,
  example: { body: { type: 'INSERT', schema: 'public', table: 'security_test_results' } },
  exampleResponse: {},
})

/** `POST /pipeline-*`. */
export const PIPELINE_WORKERS = [
  audioWorker,
  visualWorker,
  textWorker,
  transcriptionWorker,
  fusionWorker,
] as const

/** `POST /deliver-messages`. */
export const MESSAGE_SENDER = [messageSender] as const

/** `POST /remove-objects`. */
export const OBJECT_REMOVER = [objectRemover] as const

/** `POST /export-data`. */
export const EXPORT_BUILDER = [exportBuilder] as const

/** `POST /probe-security`. */
export const SECURITY_PROBER = [securityProber] as const
