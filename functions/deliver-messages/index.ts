import { connect } from '../_shared/database.ts'
import { databaseWebhook } from '../_shared/http/database-webhook.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { describeError, log } from '../_shared/log.ts'
import { outboxWebhook } from '../_shared/messaging/outbox.ts'
import { providersFor } from '../_shared/messaging/providers.ts'
import { messageSender } from '../_shared/messaging/sender.ts'
import { reportStandstills } from '../_shared/support/standstills.ts'

const environment = readEnvironment(Deno.env.toObject())
if (environment.missingSettings.length > 0) {
  log('error', 'provider_incomplete', { missing: environment.missingSettings.join(', ') })
}
const database = connect(environment.database, 'deliver-messages')
const deliver = messageSender({ database, providers: providersFor(environment), platform: globalThis })

Deno.serve(
  databaseWebhook('deliver-messages', environment, outboxWebhook, () => ({
    accepted: {},
    work: Promise.all([deliver(), reportStandstills(database)]).catch((error) =>
      log('error', 'delivery_interrupted', describeError(error)),
    ),
  })),
)
