import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { endpoint, serve } from '../_shared/http/serve.ts'
import { log } from '../_shared/log.ts'
import { projectClient } from '../_shared/platform/clients.ts'
import { errorPageOf, showRequest, showSettings, takeForm, takeSettings } from './pages.ts'
import * as routes from './routes.ts'
import { TEXTS } from './texts.ts'

const environment = readEnvironment(Deno.env.toObject())
if (!environment.sms) log('info', 'texts_not_configured')
const services = {
  environment,
  database: connect(environment.database, 'buddy', 2),
  supabase: projectClient(environment),
}

Deno.serve(
  serve(
    'buddy',
    services,
    [
      endpoint(routes.showBuddyCheckIn, showRequest),
      endpoint(routes.answerBuddyCheckIn, takeForm),
      endpoint(routes.showBuddyAlert, showRequest),
      endpoint(routes.answerBuddyAlert, takeForm),
      endpoint(routes.showBuddySettings, showSettings),
      endpoint(routes.changeBuddySettings, takeSettings),
      ...TEXTS,
    ],
    errorPageOf(services),
  ),
)
