import { MEDIA_BUCKET } from '../_shared/checkins/media.ts'
import { connect } from '../_shared/database.ts'
import { assetLoader } from '../_shared/http/assets.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { readObject } from '../_shared/http/stored-object.ts'
import { runVisualJob } from '../_shared/pipeline/visual.ts'
import { pipelineWorker } from '../_shared/pipeline/worker.ts'
import { loadFaceModels } from '../_shared/visual/face-models.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'pipeline-visual')
const loadAsset = assetLoader(environment)

const run = runVisualJob({
  database,
  loadEngine: () => loadFaceModels(loadAsset),
  read: (path) => readObject(environment, MEDIA_BUCKET, path),
})

Deno.serve(pipelineWorker('pipeline-visual', { database, environment, run }))
