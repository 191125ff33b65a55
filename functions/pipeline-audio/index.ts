import { AUDIO_BUCKET } from '../_shared/checkins/media.ts'
import { connect } from '../_shared/database.ts'
import { databaseWebhook } from '../_shared/http/database-webhook.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { runAudioJob } from '../_shared/pipeline/audio.ts'
import { jobWebhook } from '../_shared/pipeline/job.ts'
import { jobWorker } from '../_shared/pipeline/worker.ts'
import { assetLoader, openObject } from '../_shared/supabase/storage.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'pipeline-audio')
const run = runAudioJob({
  database,
  loadAsset: assetLoader(environment),
  open: (path) => openObject(environment, AUDIO_BUCKET, path),
})

const worker = jobWorker(database, {
  name: 'pipeline-audio',
  run,
  isolateCpuS: environment.isolateCpuS,
  platform: globalThis,
})
Deno.serve(databaseWebhook('pipeline-audio', environment, database, jobWebhook, worker))
