import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { worker } from '../_shared/http/worker.ts'
import { describeError, log } from '../_shared/log.ts'
import { projectClient } from '../_shared/platform/clients.ts'
import { probeWorker } from '../_shared/security-tests/worker.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'probe-security')
const project = {
  ...environment,
  // `worker` ends the start of the function without it.
  pipelineSecret: environment.pipelineSecret ?? '',
  database,
  supabase: projectClient(environment),
}
const carryOut = probeWorker(project, globalThis)

const probe = worker(routes.dispatchToSecurityProber, () => ({
  accepted: {},
  work: carryOut().catch((error) => log('error', 'probe_interrupted', describeError(error))),
}))

Deno.serve(serve('probe-security', { environment, database }, [probe]))
