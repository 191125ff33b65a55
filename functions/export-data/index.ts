import { connect } from '../_shared/database.ts'
import { exportWorker } from '../_shared/exports/worker.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { worker } from '../_shared/http/worker.ts'
import { describeError, log } from '../_shared/log.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'export-data')
const build = exportWorker({
  database,
  store: environment,
  platform: globalThis,
})

const buildNext = worker(routes.dispatchToExportBuilder, () => ({
  accepted: {},
  work: build().catch((error) => log('error', 'export_interrupted', describeError(error))),
}))

Deno.serve(serve('export-data', { environment, database }, [buildNext]))
