import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { projectClient } from '../_shared/platform/clients.ts'
import { errorPageOfVerification } from './buddy-page.ts'
import { ENDPOINTS } from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const services = {
  environment,
  database: connect(environment.database, 'api', 2),
  supabase: projectClient(environment),
}

Deno.serve(serve('api', services, ENDPOINTS, errorPageOfVerification(services)))
