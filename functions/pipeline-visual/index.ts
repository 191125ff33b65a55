import { MEDIA_BUCKET } from '../_shared/checkins/media.ts'
import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { runVisualJob } from '../_shared/pipeline/visual.ts'
import { pipelineWorker } from '../_shared/pipeline/worker.ts'
import { assetLoader, readObject } from '../_shared/supabase/storage.ts'
import { loadVisualEngine } from '../_shared/visual/index.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'pipeline-visual')
const loadAsset = assetLoader(environment)

const run = runVisualJob({
  database,
  loadEngine: () => loadVisualEngine({ loadAsset }),
  read: (path) => readObject(environment, MEDIA_BUCKET, path),
})

Deno.serve(pipelineWorker('pipeline-visual', { database, environment, run }))
