import { connect } from '../../functions/_shared/database.ts'
import { providersFor } from '../../functions/_shared/messaging/providers.ts'
import { messageSender } from '../../functions/_shared/messaging/sender.ts'
import { sendingSettings } from './twilio.ts'

/** A sender in a process of its own, which a test can kill: sends until it is. Takes the database's and the provider's address. */
const [, , databaseUrl = '', providerUrl = ''] = process.argv
const database = connect({ url: databaseUrl, certificateAuthority: undefined }, 'text-sender', 4)
const deliver = messageSender({
  database,
  providers: providersFor(sendingSettings(providerUrl)),
  platform: new EventTarget(),
})
process.send?.('ready')
process.once('message', async () => {
  for (;;) await deliver()
})
