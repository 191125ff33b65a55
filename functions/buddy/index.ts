import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { handle } from '../_shared/http/handle.ts'
import { newApp, type Services } from '../_shared/http/serve.ts'
import { log } from '../_shared/log.ts'
import { projectClient } from '../_shared/supabase/clients.ts'
import { TEXTS } from './texts.ts'

const environment = readEnvironment(Deno.env.toObject())
if (!environment.sms) log('info', 'texts_not_configured')
const services: Services = {
  environment,
  database: connect(environment.database, 'buddy', 2),
  supabase: projectClient(environment),
}

const buddy = newApp(TEXTS.map(({ route }) => route))
for (const endpoint of TEXTS) endpoint.addTo(buddy, services)

Deno.serve(handle('buddy', async (request, context) => buddy.fetch(request, context)))
