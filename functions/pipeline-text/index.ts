import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { worker } from '../_shared/http/worker.ts'
import { runTextJob } from '../_shared/pipeline/text.ts'
import { jobWorker } from '../_shared/pipeline/worker.ts'
import { failuresOf } from '../_shared/textmodel/failures.ts'
import { crisisReader } from '../_shared/textmodel/language-model.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'pipeline-text')
const ask = environment.languageModel && crisisReader(environment.languageModel, failuresOf(database))

const work = jobWorker(database, {
  name: 'pipeline-text',
  run: runTextJob(database, ask),
  isolateCpuS: environment.isolateCpuS,
  platform: globalThis,
})
Deno.serve(serve('pipeline-text', { environment, database }, [worker(routes.dispatchToTextWorker, work)]))
