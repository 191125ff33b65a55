import { AUDIO_BUCKET } from '../_shared/checkins/media.ts'
import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { worker } from '../_shared/http/worker.ts'
import { runAudioJob } from '../_shared/pipeline/audio.ts'
import { jobWorker } from '../_shared/pipeline/worker.ts'
import { assetLoader, openObject } from '../_shared/platform/storage.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'pipeline-audio')
const run = runAudioJob({
  database,
  loadAsset: assetLoader(environment),
  open: (path) => openObject(environment, AUDIO_BUCKET, path),
})

const work = jobWorker(database, {
  name: 'pipeline-audio',
  run,
  isolateCpuS: environment.isolateCpuS,
  platform: globalThis,
})
Deno.serve(serve('pipeline-audio', { environment, database }, [worker(routes.dispatchToAudioWorker, work)]))
