import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { worker } from '../_shared/http/worker.ts'
import { jobWorker } from '../_shared/pipeline/worker.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'pipeline-fusion')

// The fusions that no other worker had room for, or lost.
const work = jobWorker(database, {
  name: 'pipeline-fusion',
  isolateCpuS: environment.isolateCpuS,
  platform: globalThis,
})
Deno.serve(serve('pipeline-fusion', { environment, database }, [worker(routes.dispatchToFusionWorker, work)]))
