import { connect } from '../_shared/database.ts'
import { databaseWebhook } from '../_shared/http/database-webhook.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { jobWebhook } from '../_shared/pipeline/job.ts'
import { runTextJob } from '../_shared/pipeline/text.ts'
import { jobWorker } from '../_shared/pipeline/worker.ts'
import { crisisReader } from '../_shared/textmodel/language-model.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'pipeline-text')
const ask = environment.languageModel && crisisReader(environment.languageModel)

const worker = jobWorker(database, {
  name: 'pipeline-text',
  run: runTextJob(database, ask),
  isolateCpuS: environment.isolateCpuS,
  platform: globalThis,
})
Deno.serve(databaseWebhook('pipeline-text', environment, database, jobWebhook, worker))
