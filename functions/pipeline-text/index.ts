import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { worker } from '../_shared/http/worker.ts'
import { runTextJob } from '../_shared/pipeline/text.ts'
import { jobWorker } from '../_shared/pipeline/worker.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'pipeline-text')

const work = jobWorker(database, {
  name: 'pipeline-text',
  run: runTextJob(database),
  isolateCpuS: environment.isolateCpuS,
  platform: globalThis,
})
Deno.serve(serve('pipeline-text', { environment, database }, [worker(routes.dispatchToTextWorker, work)]))
