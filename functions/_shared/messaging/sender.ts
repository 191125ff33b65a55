import type { Database } from '../database.ts'
import { describeError, log } from '../log.ts'
import { inRounds } from '../rounds.ts'
import type { Channel, Delivery, MessageProvider, Providers } from './delivery.ts'
import {
  type ClaimedMessage,
  claimMessage,
  claimUndelivered,
  markProviderCall,
  recordDelivery,
  type Urgency,
} from './outbox.ts'

/**
 * How many messages are in progress at once. Each lane claims the most urgent message that is due; what is less urgent than the
 * lane's own bound never occupies it, so that what is urgent always finds a slot free of what is less so.
 */
const LANES: readonly { leastUrgent: Urgency; slots: number }[] = [
  { leastUrgent: 'crisis', slots: 1 },
  { leastUrgent: 'support', slots: 1 },
  { leastUrgent: 'low', slots: 2 },
]

/** The most that one look of a lane does, within a function's CPU; the next dispatch continues. */
const MAX_MESSAGES = 50

/** How long a slot waits for a busy provider with an urgent message, instead of leaving it to the next dispatch, seconds. */
const LONGEST_WAIT_S = 5

/** A provider that takes longer has not responded. */
const PROVIDER_TIMEOUT_MS = 20_000

/** The share of its lease within which an attempt ends, so that it is recorded before another can begin. */
const LEASE_SHARE = 0.6

type SenderContext = {
  database: Database
  providers: Providers
  /** Announces by the event `beforeunload` that it is about to end the isolate. */
  platform: Pick<EventTarget, 'addEventListener'>
}

/**
 * A sender of the outbox: each call delivers what is due and resolves when nothing is due any more. A call during a round of a
 * lane joins it, and the round checks once more before it ends; a lane that is idle begins at once, whatever the others do.
 *
 * Any number of senders may work at once; the outbox gives each message to one. One whose isolate is about to end claims no
 * more: what it held at its end would wait for the end of its lease.
 */
export function messageSender(context: SenderContext): () => Promise<void> {
  const missing = new Set<Channel>()
  const lanes = LANES.map((lane) =>
    inRounds(context.platform, () => (hasEnded) => deliverDue(context, lane, missing, hasEnded)),
  )
  return async () => {
    await Promise.all(lanes.map((deliver) => deliver()))
  }
}

/** Delivers what is due in a lane until the round has ended; `missing` collects channels without a provider. */
async function deliverDue(
  context: SenderContext,
  { leastUrgent, slots }: (typeof LANES)[number],
  missing: Set<Channel>,
  hasEnded: () => boolean,
): Promise<void> {
  let left = MAX_MESSAGES
  const busy = new Set<Channel>()

  async function sendInTurn(): Promise<void> {
    while (left > 0 && !hasEnded()) {
      left -= 1
      const claimed = performance.now()
      const message = await claimMessage(context.database, leastUrgent, [...busy])
      if (!message) return
      if (message.status === 'cancelled') {
        const { id, channel, purpose } = message
        log('info', 'message_cancelled', { message: id, channel, purpose })
        continue
      }
      if (!context.providers[message.channel] && !missing.has(message.channel)) {
        missing.add(message.channel)
        log('error', 'no_provider', { channel: message.channel })
      }
      const delivery = await deliver(context, message, claimed)
      if (delivery?.outcome !== 'not_sent' || !delivery.providerIsBusy) continue
      const waitS = delivery.retryAfterS ?? Number.POSITIVE_INFINITY
      if (message.urgent && waitS <= LONGEST_WAIT_S) {
        await new Promise((resolve) => setTimeout(resolve, waitS * 1000))
      }
      // The messages behind it would only be rejected too; they keep their attempts for the next dispatch.
      else busy.add(message.channel)
    }
  }

  const results = await Promise.allSettled(Array.from({ length: slots }, sendInTurn))
  await reportUndelivered(context)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** One attempt; null when another sender has the message by now. */
async function deliver(
  { database, providers }: SenderContext,
  message: ClaimedMessage,
  claimed: number,
): Promise<Delivery | null> {
  const { id, channel, purpose, attempts } = message
  const about = { message: id, channel, purpose, attempt: attempts }
  const provider = providers[channel]
  let delivery: Delivery = { outcome: 'not_sent', code: 'no_provider' }
  if (provider) {
    if (!(await markProviderCall(database, message))) {
      log('warn', 'message_superseded', about)
      return null
    }
    const leaseLeft = Math.floor(message.lease_ms * LEASE_SHARE - (performance.now() - claimed))
    delivery =
      leaseLeft > 0
        ? await sendWith(provider, message, Math.min(PROVIDER_TIMEOUT_MS, leaseLeft))
        : { outcome: 'not_sent', code: 'too_late' }
  }
  const status = await recordDelivery(database, message, provider?.name ?? null, delivery)
  log(
    delivery.outcome === 'sent' ? 'info' : 'warn',
    status === null ? 'message_superseded' : 'message_tried',
    {
      ...about,
      provider: provider?.name ?? null,
      outcome: delivery.outcome,
      code: delivery.outcome === 'sent' ? null : delivery.code,
      status,
    },
  )
  return delivery
}

async function sendWith(
  provider: MessageProvider,
  message: ClaimedMessage,
  timeoutMs: number,
): Promise<Delivery> {
  try {
    return await provider.send(message, timeoutMs)
  } catch (error) {
    log('error', 'driver_error', { message: message.id, provider: provider.name, ...describeError(error) })
    return { outcome: 'not_sent', code: 'driver_error' }
  }
}

/** Logs each undelivered message once, whether a sender ended it or was lost. */
async function reportUndelivered({ database }: SenderContext): Promise<void> {
  for (const { id, channel, purpose, status, attempts, error_code } of await claimUndelivered(database)) {
    log(status === 'dead' ? 'error' : 'warn', status === 'dead' ? 'message_dead' : 'message_unconfirmed', {
      message: id,
      channel,
      purpose,
      attempts,
      code: error_code,
    })
  }
}
