import { connect, type Database } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { worker } from '../_shared/http/worker.ts'
import { describeError, log } from '../_shared/log.ts'
import { providersFor } from '../_shared/messaging/providers.ts'
import { messageSender } from '../_shared/messaging/sender.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
if (environment.missingSettings.length > 0) {
  log('error', 'provider_incomplete', { missing: environment.missingSettings.join(', ') })
}
const database = connect(environment.database, 'deliver-messages')
const deliver = messageSender({ database, providers: providersFor(environment), platform: globalThis })

/** Logs each alert that stands still once, as the database found it; ids and the kind of fault, nobody's name. */
async function reportStandstills(database: Database): Promise<void> {
  const standstills = await database<{ id: string; kind: string; alert_id: string | null }[]>`
    select id, kind, alert_id from private.report_standstills()`
  for (const { id, kind, alert_id } of standstills) {
    log('error', 'support_standstill', { standstill: id, kind, alert: alert_id })
  }
}

const send = worker(routes.dispatchToMessageSender, () => ({
  accepted: {},
  work: Promise.all([deliver(), reportStandstills(database)]).catch((error) =>
    log('error', 'delivery_interrupted', describeError(error)),
  ),
}))

Deno.serve(serve('deliver-messages', { environment, database }, [send]))
