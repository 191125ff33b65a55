import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/edge/environment.ts'
import { handle } from '../_shared/edge/handle.ts'
import { projectClient } from '../_shared/edge/project-client.ts'
import { newApi } from './api.ts'
import type { Services } from './services.ts'
import { textmodelRoutes } from './textmodel.ts'

const environment = readEnvironment(Deno.env.toObject())
const services: Services = {
  environment,
  database: connect(environment.databaseUrl, 'api'),
  supabase: projectClient(environment),
}

const api = newApi()
for (const addRoutes of [textmodelRoutes]) addRoutes(api, services)

Deno.serve(handle('api', async (request, exchange) => api.fetch(request, exchange)))
