import { connect } from '../_shared/database.ts'
import { databaseWebhook } from '../_shared/http/database-webhook.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { runFusionJob } from '../_shared/pipeline/fusion.ts'
import { jobWebhook } from '../_shared/pipeline/job.ts'
import { jobWorker } from '../_shared/pipeline/worker.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'pipeline-fusion')

const worker = jobWorker(database, {
  name: 'pipeline-fusion',
  kinds: { fusion: 1 },
  run: runFusionJob(database),
  isolateCpuS: environment.isolateCpuS,
  platform: globalThis,
})
Deno.serve(databaseWebhook('pipeline-fusion', environment, jobWebhook, worker))
