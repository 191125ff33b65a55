import { type TwilioHttpClient, twilioMessages } from '../../_vendor/twilio.js'
import { classifyResponse, type Delivery, type MessageProvider, type ProviderResponse } from './delivery.ts'

export type SmsSettings = {
  accountSid: string
  authToken: string
  /** Another address than Twilio's own, such as that of a region. */
  baseUrl: string | undefined
  /** Number in E.164, or the SID of a messaging service. */
  from: string
  /** Where Twilio says what becomes of each text; the message's id is added to it. */
  statusUrl?: string | undefined
}

/** The sender's own queue is full: an error by its status, but a temporary one. */
const QUEUE_FULL = 21611

/** The number is wrong or must not be texted, whatever the status: invalid, no mobile, region, opted out. */
const UNREACHABLE_NUMBERS = new Set([21211, 21217, 21408, 21610, 21612, 21614])

/**
 * Sends text messages with Twilio, which has no idempotency keys: one that may have been sent is not repeated. Its status callback
 * names the message, so that one whose response was lost is settled by it.
 */
export function twilioProvider({
  accountSid,
  authToken,
  baseUrl,
  from,
  statusUrl,
}: SmsSettings): MessageProvider {
  const sender = from.startsWith('MG') ? { messagingServiceSid: from } : { from }
  return {
    name: 'twilio',
    async send({ id, recipient, body }, timeoutMs) {
      const response: ProviderResponse = {}
      const httpClient = recordingClient(response, AbortSignal.timeout(timeoutMs))
      try {
        const messages = twilioMessages({ accountSid, authToken, baseUrl, httpClient })
        const { sid, status, errorCode } = await messages.create({
          to: recipient,
          body,
          ...sender,
          ...(statusUrl && { statusCallback: `${statusUrl}?message=${id}` }),
        })
        // Accepted, and failed at once.
        if (status === 'failed') return { outcome: 'rejected', code: String(Number(errorCode) || 'failed') }
        return classifyResponse(response, { sentAs: sid })
      } catch (error) {
        return classifyError(response, error)
      }
    },
  }
}

function classifyError(response: ProviderResponse, error: unknown): Delivery {
  if (response.status === undefined && response.failure === undefined) throw error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (response.status !== undefined && typeof code === 'number') {
    if (UNREACHABLE_NUMBERS.has(code)) return { outcome: 'rejected', code: String(code) }
    if (code === QUEUE_FULL) return { outcome: 'not_sent', code: String(code), providerIsBusy: true }
  }
  return classifyResponse(response, { code: code || undefined })
}

/** The HTTP client that Twilio's client sends its requests with; it records the response as far as it arrived. */
function recordingClient(response: ProviderResponse, signal: AbortSignal): TwilioHttpClient {
  return {
    async request({ method, uri, username, password, headers, data }) {
      try {
        const fetched = await fetch(uri, {
          method: method.toUpperCase(),
          // Deno's fetch repeats a request when a reused connection breaks, even if the request had arrived.
          headers: {
            ...headers,
            connection: 'close',
            authorization: `Basic ${btoa(`${username}:${password}`)}`,
          },
          body: new URLSearchParams(data),
          redirect: 'manual',
          signal,
        })
        response.status = fetched.status
        response.retryAfter = fetched.headers.get('retry-after')
        return { statusCode: fetched.status, body: await fetched.text() }
      } catch (error) {
        response.failure = error
        throw error
      }
    },
  }
}
