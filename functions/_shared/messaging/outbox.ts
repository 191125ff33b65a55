import * as z from 'zod'
import type { Database } from '../database.ts'
import type { Channel, Delivery, Message } from './delivery.ts'

/** Webhook payload that the database sends when messages may be due; the outbox knows which. */
export const outboxWebhook = z.object({
  type: z.enum(['INSERT', 'UPDATE']).describe('What happened to a row'),
  schema: z.literal('private').describe('Schema of the table'),
  table: z.literal('outbox').describe('The messages that wait'),
})

/** A claimed message, whether it goes before what is not urgent, and how long its sender may hold it, milliseconds. */
export type ClaimedMessage = Message & { status: 'sending'; urgent: boolean; lease_ms: number }

/** A message whose recipient may no longer be reached. */
export type CancelledMessage = Pick<Message, 'id' | 'channel' | 'purpose'> & { status: 'cancelled' }

/** A message that did not arrive, or may not have. */
type UndeliveredMessage = {
  id: string
  channel: Channel
  purpose: string
  status: 'dead' | 'unconfirmed'
  attempts: number
  error_code: string | null
}

/** How urgent a message is, the most urgent first. */
export type Urgency = 'crisis' | 'support' | 'ordinary' | 'low'

/**
 * Claims the most urgent message that is due, for one attempt, or cancels it; undefined when none is due, or none may be sent now.
 *
 * @param leastUrgent leaves what is less urgent than this
 * @param busy leaves what goes over these channels
 */
export async function claimMessage(
  database: Database,
  leastUrgent: Urgency,
  busy: readonly Channel[],
): Promise<ClaimedMessage | CancelledMessage | undefined> {
  const [message] = await database<(ClaimedMessage | CancelledMessage)[]>`
    select id, channel, purpose, status, recipient, subject, body, attempts, urgency <= 'support' as urgent,
      extract(epoch from lease_until - now())::float8 * 1000 as lease_ms
    from private.claim_messages(1, ${leastUrgent}, ${`{${busy.join()}}`}::private.message_channel[])`
  return message
}

/**
 * Records that the provider is about to be called; false when the attempt is no longer the current one, or the recipient may no
 * longer be reached.
 */
export async function markProviderCall(database: Database, { id, attempts }: Message): Promise<boolean> {
  const [row] = await database<[{ current: boolean }]>`
    select private.mark_provider_call(${id}, ${attempts}) as current`
  return row.current
}

/** Stores the outcome of an attempt; returns the message's state, or null when the attempt is no longer the current one. */
export async function recordDelivery(
  database: Database,
  { id, attempts }: Message,
  provider: string | null,
  delivery: Delivery,
): Promise<string | null> {
  const sentAs = delivery.outcome === 'sent' ? delivery.sentAs : null
  const code = delivery.outcome === 'sent' ? null : delivery.code
  const retryAfterS = (delivery.outcome === 'not_sent' && delivery.retryAfterS) || null
  const [row] = await database<[{ status: string | null }]>`
    select private.record_delivery(
      ${id}, ${attempts}, ${delivery.outcome}, ${provider}, ${sentAs}, ${code}, make_interval(secs => ${retryAfterS})
    ) as status`
  return row.status
}

/** Messages that failed or may not have arrived, each returned once, for the log. */
export async function claimUndelivered(database: Database): Promise<UndeliveredMessage[]> {
  return await database<UndeliveredMessage[]>`select * from private.report_undelivered_messages()`
}
