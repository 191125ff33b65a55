import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { runTextJob } from '../_shared/pipeline/text.ts'
import { pipelineWorker } from '../_shared/pipeline/worker.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'pipeline-text')

Deno.serve(pipelineWorker('pipeline-text', { database, environment, run: runTextJob(database) }))
