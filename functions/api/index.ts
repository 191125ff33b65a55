import { Hono } from 'hono'
import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/edge/environment.ts'
import { type Exchange, handle } from '../_shared/edge/handle.ts'
import { projectClient } from '../_shared/edge/project-client.ts'
import { ServiceError } from '../_shared/errors.ts'
import type { Services } from './services.ts'
import { textmodelRoutes } from './textmodel.ts'

const environment = readEnvironment(Deno.env.toObject())
const services: Services = {
  environment,
  database: connect(environment.databaseUrl, 'api'),
  supabase: projectClient(environment),
}

const app = new Hono<{ Bindings: Exchange }>().basePath('/api')
app.route('/textmodel', textmodelRoutes(services))
app.notFound(() => {
  throw new ServiceError('not_found', 'There is nothing at this address.')
})
// Every error goes the one way, through `handle`.
app.onError((error) => {
  throw error
})

Deno.serve(handle('api', async (request, exchange) => app.fetch(request, exchange)))
