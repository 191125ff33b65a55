import type { Database } from '../database.ts'
import { describeError, log } from '../http/log.ts'
import type { Carrier, Carriers, Channel, Delivery } from './message.ts'
import { type ClaimedMessage, claimMessage, handOver, recordDelivery, takeUndelivered } from './outbox.ts'

/** How many messages are under way at once. */
const LANES = 4

/** What one ring does at most, within the CPU and the time that a function has; the next ring goes on. */
const MOST_MESSAGES = 100
const LONGEST_ROUND_MS = 90_000

/** A provider that takes longer has not answered. */
const PROVIDER_TIMEOUT_MS = 20_000

/** The share of its lease within which a try has ended, so that it is recorded before another can begin. */
const LEASE_SHARE = 0.6

export type SenderContext = { database: Database; carriers: Carriers }

/**
 * A sender of the outbox: each call delivers what is due and resolves when nothing is due any more. Calls during a
 * round join it, and it looks once more before it ends.
 *
 * Any number of senders may work at once; the outbox gives each message to one.
 */
export function messageSender(context: SenderContext): () => Promise<void> {
  const missing = new Set<Channel>()
  let round: Promise<void> | undefined
  let rungAgain = false

  async function work(): Promise<void> {
    const ends = performance.now() + LONGEST_ROUND_MS
    try {
      do {
        rungAgain = false
        await deliverDue(context, missing, ends)
      } while (rungAgain && performance.now() < ends)
    } finally {
      round = undefined
    }
  }

  return () => {
    rungAgain = true
    round ??= work()
    return round
  }
}

/** Delivers what is due until `ends`, on the clock of `performance.now`; `missing` collects channels without a provider. */
async function deliverDue(context: SenderContext, missing: Set<Channel>, ends: number): Promise<void> {
  let left = MOST_MESSAGES

  async function lane(): Promise<void> {
    while (left > 0 && performance.now() < ends) {
      left -= 1
      const claimed = performance.now()
      const message = await claimMessage(context.database)
      if (!message) return
      if (!context.carriers[message.channel] && !missing.has(message.channel)) {
        missing.add(message.channel)
        log('error', 'no_provider', { channel: message.channel })
      }
      const delivery = await deliver(context, message, claimed)
      // Those behind it would only be turned away too; they keep their tries for the next ring.
      if (delivery?.outcome === 'not_sent' && delivery.providerIsBusy) return
    }
  }

  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane))
  await reportUndelivered(context)
  for (const result of lanes) if (result.status === 'rejected') throw result.reason
}

/** One try; null when the message had gone to another sender. */
async function deliver(
  { database, carriers }: SenderContext,
  message: ClaimedMessage,
  claimed: number,
): Promise<Delivery | null> {
  const { id, channel, purpose, attempts } = message
  const about = { message: id, channel, purpose, attempt: attempts }
  const carrier = carriers[channel]
  let delivery: Delivery = { outcome: 'not_sent', code: 'no_provider' }
  if (carrier) {
    if (!(await handOver(database, message))) {
      log('warn', 'message_superseded', about)
      return null
    }
    const leaseLeft = Math.floor(message.lease_ms * LEASE_SHARE - (performance.now() - claimed))
    delivery =
      leaseLeft > 0
        ? await sendWith(carrier, message, Math.min(PROVIDER_TIMEOUT_MS, leaseLeft))
        : { outcome: 'not_sent', code: 'too_late' }
  }
  const status = await recordDelivery(database, message, carrier?.provider ?? null, delivery)
  log(
    delivery.outcome === 'sent' ? 'info' : 'warn',
    status === null ? 'message_superseded' : 'message_tried',
    {
      ...about,
      provider: carrier?.provider ?? null,
      outcome: delivery.outcome,
      code: delivery.outcome === 'sent' ? null : delivery.code,
      status,
    },
  )
  return delivery
}

async function sendWith(carrier: Carrier, message: ClaimedMessage, timeoutMs: number): Promise<Delivery> {
  try {
    return await carrier.send(message, timeoutMs)
  } catch (error) {
    log('error', 'driver_error', { message: message.id, provider: carrier.provider, ...describeError(error) })
    return { outcome: 'not_sent', code: 'driver_error' }
  }
}

/** Whatever ended a message, a sender or the loss of one, the log tells of it once. */
async function reportUndelivered({ database }: SenderContext): Promise<void> {
  for (const { id, channel, purpose, status, attempts, error_code } of await takeUndelivered(database)) {
    log(status === 'dead' ? 'error' : 'warn', status === 'dead' ? 'message_dead' : 'message_unconfirmed', {
      message: id,
      channel,
      purpose,
      attempts,
      code: error_code,
    })
  }
}
