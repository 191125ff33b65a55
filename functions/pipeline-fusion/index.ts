import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { runFusionJob } from '../_shared/pipeline/fusion.ts'
import { pipelineWorker } from '../_shared/pipeline/worker.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'pipeline-fusion')

Deno.serve(pipelineWorker('pipeline-fusion', { database, environment, run: runFusionJob(database) }))
