import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { handle } from '../_shared/http/handle.ts'
import { newApp, type Services } from '../_shared/http/serve.ts'
import { projectClient } from '../_shared/supabase/clients.ts'
import { serveDocs } from './docs.ts'
import { ENDPOINTS, ROUTES } from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const services: Services = {
  environment,
  database: connect(environment.database, 'api', 2),
  supabase: projectClient(environment),
}

const api = newApp(ROUTES)
for (const endpoint of ENDPOINTS) endpoint.addTo(api, services)
serveDocs(api, services, ROUTES)

Deno.serve(handle('api', async (request, context) => api.fetch(request, context)))
