import type { Database } from '../database.ts'
import type { Channel, Delivery, Message } from './message.ts'

/** A message that was claimed, and how long its sender may hold it, milliseconds. */
export type ClaimedMessage = Message & { lease_ms: number }

/** A message of which it is not sure that it arrived. */
export type UndeliveredMessage = {
  id: string
  channel: Channel
  purpose: string
  status: 'dead' | 'unconfirmed'
  attempts: number
  error_code: string | null
}

/** Takes the next message that is due, for one try; undefined when none is. */
export async function claimMessage(database: Database): Promise<ClaimedMessage | undefined> {
  const [message] = await database<ClaimedMessage[]>`
    select id, channel, purpose, recipient, subject, body, attempts,
      extract(epoch from lease_until - now())::float8 * 1000 as lease_ms
    from private.claim_messages(1)`
  return message
}

/** Notes that the message now goes to the provider; false when the try is no longer the current one. */
export async function handOver(database: Database, { id, attempts }: Message): Promise<boolean> {
  const [row] = await database<[{ current: boolean }]>`
    select private.mark_provider_call(${id}, ${attempts}) as current`
  return row.current
}

/** Stores what a try ended with; the message's state, or null when the try is no longer the current one. */
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

/** Messages that were given up or may not have arrived, each handed out once, for the log. */
export async function takeUndelivered(database: Database): Promise<UndeliveredMessage[]> {
  return await database<UndeliveredMessage[]>`select * from private.report_undelivered_messages()`
}
