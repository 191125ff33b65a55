import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { handle } from '../_shared/http/handle.ts'
import { newApp, type Services, serve } from '../_shared/http/serve.ts'
import { log } from '../_shared/log.ts'
import { projectClient } from '../_shared/supabase/clients.ts'
import { showRequest, takeForm } from './pages.ts'
import * as routes from './routes.ts'
import { TEXTS } from './texts.ts'

const environment = readEnvironment(Deno.env.toObject())
if (!environment.sms) log('info', 'texts_not_configured')
const services: Services = {
  environment,
  database: connect(environment.database, 'buddy', 2),
  supabase: projectClient(environment),
}

const app = newApp([...Object.values(routes), ...TEXTS.map(({ route }) => route)])

serve(app, services, routes.showCheckIn, showRequest)
serve(app, services, routes.answerCheckIn, takeForm)
serve(app, services, routes.showAlert, showRequest)
serve(app, services, routes.answerAlert, takeForm)
for (const endpoint of TEXTS) endpoint.addTo(app, services)

Deno.serve(handle('buddy', async (request, context) => app.fetch(request, context)))
