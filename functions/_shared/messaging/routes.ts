import * as z from 'zod'
import { route } from '../http/route.ts'
import { outboxWebhook } from './outbox.ts'

/** `POST /deliver-messages`. */
export const deliverMessages = route({
  id: 'ringMessageSender',
  method: 'post',
  path: '/deliver-messages',
  tag: 'Workers',
  summary: 'Sends the emails and SMS that wait',
  description: 'Called by the database alone. It goes on after its answer, until no message is due.',
  security: 'database',
  body: outboxWebhook,
  response: z.strictObject({}),
  status: 202,
  example: { body: { type: 'INSERT', schema: 'private', table: 'outbox' } },
  answer: {},
})
