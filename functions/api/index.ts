import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import type { ErrorPage } from '../_shared/http/handle.ts'
import { serve } from '../_shared/http/serve.ts'
import { projectClient } from '../_shared/platform/clients.ts'
import { errorPageOfMailLink } from './auth-page.ts'
import { errorPageOfVerification } from './buddy-page.ts'
import { ENDPOINTS } from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const services = {
  environment,
  database: connect(environment.database, 'api', 2),
  supabase: projectClient(environment),
}

const errorPages = [errorPageOfVerification(services), errorPageOfMailLink(services)]
const errorPage: ErrorPage = async (error, call) => {
  for (const page of errorPages) {
    const shown = await page(error, call)
    if (shown) return shown
  }
  return null
}

Deno.serve(serve('api', services, ENDPOINTS, errorPage))
