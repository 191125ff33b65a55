import { IMAGE_BUCKET } from '../_shared/checkins/media.ts'
import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { worker } from '../_shared/http/worker.ts'
import { runVisualJob } from '../_shared/pipeline/visual.ts'
import { jobWorker } from '../_shared/pipeline/worker.ts'
import { assetLoader, readObject } from '../_shared/platform/storage.ts'
import { loadFaceModels } from '../_shared/visual/face-models.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'pipeline-visual')
const loadAsset = assetLoader(environment)

const run = runVisualJob({
  database,
  loadModels: () => loadFaceModels(loadAsset),
  read: (path) => readObject(environment, IMAGE_BUCKET, path),
})

const work = jobWorker(database, {
  name: 'pipeline-visual',
  run,
  isolateCpuS: environment.isolateCpuS,
  platform: globalThis,
})
Deno.serve(serve('pipeline-visual', { environment, database }, [worker(routes.dispatchToVisualWorker, work)]))
