import { type TwilioHttpClient, twilioMessages } from '../../_vendor/twilio.js'
import { judge, type ProviderExchange } from './judge.ts'
import type { Carrier, Delivery } from './message.ts'

export type SmsSettings = {
  accountSid: string
  authToken: string
  /** Another address than Twilio's own, such as that of a region. */
  baseUrl: string | undefined
  /** Number in E.164, or the SID of a messaging service. */
  from: string
}

/** The sender's own queue is full: an error by its status, but one that passes. */
const QUEUE_FULL = 21611

/** What is wrong with the number or forbidden to reach, whatever the status: invalid, no mobile, region, opted out. */
const UNREACHABLE_NUMBERS = new Set([21211, 21217, 21408, 21610, 21612, 21614])

/** Sends text messages with Twilio, which has no idempotency keys: one that may have been sent is not repeated. */
export function twilioCarrier({ accountSid, authToken, baseUrl, from }: SmsSettings): Carrier {
  const sender = from.startsWith('MG') ? { messagingServiceSid: from } : { from }
  return {
    provider: 'twilio',
    async send({ recipient, body }, timeoutMs) {
      const exchange: ProviderExchange = {}
      const httpClient = observedClient(exchange, AbortSignal.timeout(timeoutMs))
      try {
        const messages = twilioMessages({ accountSid, authToken, baseUrl, httpClient })
        const { sid, status, errorCode } = await messages.create({ to: recipient, body, ...sender })
        // Taken and given up at once.
        if (status === 'failed') return { outcome: 'refused', code: String(Number(errorCode) || 'failed') }
        return judge(exchange, { sentAs: sid })
      } catch (error) {
        return judgeError(exchange, error)
      }
    },
  }
}

function judgeError(exchange: ProviderExchange, error: unknown): Delivery {
  if (exchange.status === undefined && exchange.failure === undefined) throw error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (exchange.status !== undefined && typeof code === 'number') {
    if (UNREACHABLE_NUMBERS.has(code)) return { outcome: 'refused', code: String(code) }
    if (code === QUEUE_FULL) return { outcome: 'not_sent', code: String(code), providerIsBusy: true }
  }
  return judge(exchange, { code: code || undefined })
}

/** Twilio's client hands its requests to this; it notes how far each got. */
function observedClient(exchange: ProviderExchange, signal: AbortSignal): TwilioHttpClient {
  return {
    async request({ method, uri, username, password, headers, data }) {
      try {
        const response = await fetch(uri, {
          method: method.toUpperCase(),
          // Deno's fetch repeats a request that broke off on a connection used before, even one that had arrived.
          headers: {
            ...headers,
            connection: 'close',
            authorization: `Basic ${btoa(`${username}:${password}`)}`,
          },
          body: new URLSearchParams(data),
          redirect: 'manual',
          signal,
        })
        exchange.status = response.status
        exchange.retryAfter = response.headers.get('retry-after')
        return { statusCode: response.status, body: await response.text() }
      } catch (error) {
        exchange.failure = error
        throw error
      }
    },
  }
}
