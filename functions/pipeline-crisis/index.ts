import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { worker } from '../_shared/http/worker.ts'
import { runCrisisJob, sentenceReader } from '../_shared/pipeline/crisis.ts'
import { jobWorker } from '../_shared/pipeline/worker.ts'
import { assetLoader } from '../_shared/platform/storage.ts'
import { failuresOf } from '../_shared/textmodel/failures.ts'
import { crisisReader } from '../_shared/textmodel/language-model.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'pipeline-crisis')

const run = runCrisisJob({
  database,
  read: sentenceReader(assetLoader(environment)),
  ask: environment.languageModel && crisisReader(environment.languageModel, failuresOf(database)),
})

const work = jobWorker(database, {
  name: 'pipeline-crisis',
  run,
  isolateCpuS: environment.isolateCpuS,
  platform: globalThis,
})
Deno.serve(serve('pipeline-crisis', { environment, database }, [worker(routes.dispatchToCrisisWorker, work)]))
