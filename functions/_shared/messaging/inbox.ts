import { judge } from './judge.ts'
import type { Carrier, Delivery } from './message.ts'

/** Puts messages of both channels into the local stack's inbox, where each is kept once whatever is repeated. */
export function inboxCarrier(inboxUrl: string): Carrier {
  const address = new URL('/api/messages', inboxUrl)
  return {
    provider: 'inbox',
    async send({ id, channel, recipient, subject, body }, timeoutMs): Promise<Delivery> {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const response = await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': id },
          body: JSON.stringify({ channel, to: recipient, subject, text: body }),
          redirect: 'manual',
          signal,
        })
        await response.body?.cancel()
        const retryAfter = response.headers.get('retry-after')
        return judge({ status: response.status, retryAfter }, { sentAs: id })
      } catch (failure) {
        return judge({ failure })
      }
    },
  }
}
