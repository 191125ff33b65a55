import { connect } from '../_shared/database.ts'
import { databaseWebhook } from '../_shared/http/database-webhook.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { jobWebhook } from '../_shared/pipeline/job.ts'
import { jobWorker } from '../_shared/pipeline/worker.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'pipeline-fusion')

// The fusions that no other worker had room for, or lost.
const worker = jobWorker(database, {
  name: 'pipeline-fusion',
  isolateCpuS: environment.isolateCpuS,
  platform: globalThis,
})
Deno.serve(databaseWebhook('pipeline-fusion', environment, database, jobWebhook, worker))
