import { OPERATIONS } from '../_shared/contract/operations.ts'
import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/edge/environment.ts'
import { handle } from '../_shared/edge/handle.ts'
import { projectClient } from '../_shared/edge/project-client.ts'
import { newRoutes } from '../_shared/edge/routes.ts'
import { analyticsRoutes } from './analytics.ts'
import { analyticsPageRoutes } from './analytics-page.ts'
import { authRoutes } from './auth.ts'
import { databaseRoutes } from './database.ts'
import { descriptionRoutes } from './description.ts'
import type { Services } from './services.ts'
import { storageRoutes } from './storage.ts'
import { studentsRoutes } from './students.ts'
import { textmodelRoutes } from './textmodel.ts'
import { universitiesRoutes } from './universities.ts'

const environment = readEnvironment(Deno.env.toObject())
const services: Services = {
  environment,
  database: connect(environment.databaseUrl, 'api'),
  supabase: projectClient(environment),
}

const PARTS = [
  authRoutes,
  databaseRoutes,
  storageRoutes,
  universitiesRoutes,
  studentsRoutes,
  analyticsRoutes,
  analyticsPageRoutes,
  textmodelRoutes,
  descriptionRoutes,
]

const api = newRoutes(OPERATIONS)
for (const addRoutes of PARTS) addRoutes(api, services)

Deno.serve(handle('api', async (request, exchange) => api.fetch(request, exchange)))
