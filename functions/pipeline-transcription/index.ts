import { AUDIO_BUCKET } from '../_shared/checkins/media.ts'
import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { worker } from '../_shared/http/worker.ts'
import { runTranscriptionJob } from '../_shared/pipeline/transcription.ts'
import { jobWorker } from '../_shared/pipeline/worker.ts'
import { readObject } from '../_shared/platform/storage.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'pipeline-transcription')
const run = runTranscriptionJob({
  database,
  settings: environment.transcription,
  read: (path) => readObject(environment, AUDIO_BUCKET, path),
})

const work = jobWorker(database, {
  name: 'pipeline-transcription',
  run,
  isolateCpuS: environment.isolateCpuS,
  platform: globalThis,
  // Each holds up to 25 MB twice: as it was read, and as it is sent.
  atOnce: 2,
})
Deno.serve(
  serve('pipeline-transcription', { environment, database }, [
    worker(routes.dispatchToTranscriptionWorker, work),
  ]),
)
