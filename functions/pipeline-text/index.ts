import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/edge/environment.ts'
import { pipelineWorker } from '../_shared/edge/pipeline-worker.ts'
import { runTextJob } from '../_shared/pipeline/text.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'pipeline-text')

Deno.serve(pipelineWorker('pipeline-text', { database, environment, run: runTextJob(database) }))
