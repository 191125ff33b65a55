import { route, webhook } from '../_shared/http/route.ts'
import { outboxWebhook } from '../_shared/messaging/outbox.ts'

export const dispatchToMessageSender = route({
  ...webhook,
  id: 'dispatchToMessageSender',
  path: '/deliver-messages',
  summary: 'Sends the emails and SMS that wait',
  description: 'Called by the database alone. It goes on after its response, until no message is due.',
  body: outboxWebhook,
  example: { body: { type: 'INSERT', schema: 'private', table: 'outbox' } },
})
