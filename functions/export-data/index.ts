import { connect } from '../_shared/database.ts'
import { exportWebhook, exportWorker } from '../_shared/exports/worker.ts'
import { databaseWebhook } from '../_shared/http/database-webhook.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { describeError, log } from '../_shared/log.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'export-data')
const build = exportWorker({
  database,
  store: environment,
  platform: globalThis,
})

Deno.serve(
  databaseWebhook('export-data', environment, database, exportWebhook, () => ({
    accepted: {},
    work: build().catch((error) => log('error', 'export_interrupted', describeError(error))),
  })),
)
