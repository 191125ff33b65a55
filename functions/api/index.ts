import { connect } from '../_shared/database.ts'
import { newApp } from '../_shared/http/app.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { handle } from '../_shared/http/handle.ts'
import { projectClient } from '../_shared/http/project-client.ts'
import { ROUTES } from '../_shared/openapi/routes.ts'
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

const api = newApp(ROUTES)
for (const addRoutes of PARTS) addRoutes(api, services)

Deno.serve(handle('api', async (request, context) => api.fetch(request, context)))
