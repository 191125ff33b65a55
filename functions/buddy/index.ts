import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { handle } from '../_shared/http/handle.ts'
import { newApp, serve } from '../_shared/http/serve.ts'
import { projectClient } from '../_shared/supabase/clients.ts'
import { showRequest, takeForm } from './pages.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'buddy', 2)
const services = { environment, database, supabase: projectClient(environment) }

const app = newApp(Object.values(routes))

serve(app, services, routes.showCheckIn, showRequest)
serve(app, services, routes.answerCheckIn, takeForm)
serve(app, services, routes.showAlert, showRequest)
serve(app, services, routes.answerAlert, takeForm)

Deno.serve(handle('buddy', async (request, context) => app.fetch(request, context)))
