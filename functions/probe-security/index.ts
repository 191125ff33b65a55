import { connect } from '../_shared/database.ts'
import { databaseWebhook } from '../_shared/http/database-webhook.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { describeError, log } from '../_shared/log.ts'
import { probeWebhook, probeWorker } from '../_shared/security-tests/worker.ts'
import { projectClient } from '../_shared/supabase/clients.ts'

const environment = readEnvironment(Deno.env.toObject())
const project = {
  ...environment,
  // `databaseWebhook` ends the start of the function without it.
  pipelineSecret: environment.pipelineSecret ?? '',
  database: connect(environment.database, 'probe-security'),
  supabase: projectClient(environment),
}
const carryOut = probeWorker(project, globalThis)

Deno.serve(
  databaseWebhook('probe-security', environment, project.database, probeWebhook, () => ({
    accepted: {},
    work: carryOut().catch((error) => log('error', 'probe_interrupted', describeError(error))),
  })),
)
