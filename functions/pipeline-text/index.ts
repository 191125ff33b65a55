import { MEDIA_BUCKET } from '../_shared/checkins/media.ts'
import { connect } from '../_shared/edge/database.ts'
import { readEnvironment } from '../_shared/edge/environment.ts'
import { readObject } from '../_shared/edge/stored-object.ts'
import { runTextJob } from '../_shared/pipeline/text.ts'
import { transcriber } from '../_shared/pipeline/transcribe.ts'
import { pipelineWorker } from '../_shared/pipeline/worker.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'pipeline-text')
const transcribe = environment.transcription
  ? transcriber({
      database,
      settings: environment.transcription,
      read: (path) => readObject(environment, MEDIA_BUCKET, path),
    })
  : null

Deno.serve(
  pipelineWorker('pipeline-text', { database, environment, run: runTextJob({ database, transcribe }) }),
)
