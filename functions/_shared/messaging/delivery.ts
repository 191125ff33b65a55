/** A message as the sender has it, for one attempt. */
export type Message = {
  /** Also its idempotency key where the provider supports one. */
  id: string
  channel: Channel
  /** What it is for, such as `clinical_review`. */
  purpose: string
  /** Address or number (E.164). */
  recipient: string
  /** Of an email; empty for a text message. */
  subject: string
  /** Plain text. */
  body: string
  /** Number of this attempt, from 1. */
  attempts: number
}

export type Channel = 'email' | 'sms'

/**
 * The outcome of an attempt. `code` is the provider's own or one of `unreachable`, `timeout`, `no_response`,
 * `driver_error`, `no_provider`, `http_<status>`; never the provider's message, which could name the recipient.
 */
export type Delivery =
  | { outcome: 'sent'; sentAs: string | null }
  /** Certainly not sent: may be retried, after `retryAfterS` seconds where the provider asks for that. */
  | { outcome: 'not_sent'; code: string; retryAfterS?: number; providerIsBusy?: boolean }
  /** It may have arrived. */
  | { outcome: 'unconfirmed'; code: string }
  /** Not sent, and retrying cannot help. */
  | { outcome: 'rejected'; code: string }

/** Sends messages of one channel. */
export type MessageProvider = {
  name: string
  /** Makes one attempt that ends within `timeoutMs`, a whole number. Rejects only when no request was made. */
  send(message: Message, timeoutMs: number): Promise<Delivery>
}

/** The provider of each channel; a channel may have none. */
export type Providers = Partial<Record<Channel, MessageProvider>>

/** The response to one request to a provider, as far as it arrived. */
export type ProviderResponse = {
  status?: number
  /** The header `Retry-After`. */
  retryAfter?: string | null
  /** What `fetch` threw when there was no response. */
  failure?: unknown
}

/** Longest `Retry-After` that is respected, seconds. */
const LONGEST_RETRY_AFTER_S = 24 * 3600

/**
 * What a response means for the message. A message that the provider may have accepted is never `not_sent`. Throws when
 * no request was made.
 *
 * `code` is the provider's error code, `sentAs` its id for the message; `now` in milliseconds.
 */
export function classifyResponse(
  { status, retryAfter, failure }: ProviderResponse,
  { code, sentAs, now = Date.now() }: { code?: unknown; sentAs?: unknown; now?: number } = {},
): Delivery {
  if (status === undefined) return classifyFailure(failure)
  if (status >= 200 && status < 300) return { outcome: 'sent', sentAs: isMessageId(sentAs) ? sentAs : null }
  const named = isCode(code) ? String(code) : `http_${status}`
  if (status === 429 || (status === 503 && retryAfter)) {
    return {
      outcome: 'not_sent',
      code: named,
      retryAfterS: secondsUntil(retryAfter, now),
      providerIsBusy: true,
    }
  }
  // Request Timeout and Too Early: by their definition the request was not acted on.
  if (status === 408 || status === 425) return { outcome: 'not_sent', code: named }
  // An operator has to fix a wrong key or sender; the message waits for that.
  if (status === 401 || status === 403) return { outcome: 'not_sent', code: named }
  if (status >= 500) return { outcome: 'unconfirmed', code: named }
  return { outcome: 'rejected', code: named }
}

function classifyFailure(failure: unknown): Delivery {
  if (failure === undefined) throw new Error('No request was made to the provider')
  if (neverConnected(failure)) return { outcome: 'not_sent', code: 'unreachable' }
  const timedOut = failure instanceof Error && failure.name === 'TimeoutError'
  return { outcome: 'unconfirmed', code: timedOut ? 'timeout' : 'no_response' }
}

const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Deno names the phase in the message, Node the system's code, both somewhere in the chain of causes. */
function neverConnected(failure: unknown): boolean {
  for (let error = failure; error instanceof Error; error = error.cause) {
    if (error.message.includes('client error (Connect)')) return true
    if ('code' in error && typeof error.code === 'string' && CONNECT_CODES.has(error.code)) return true
  }
  return false
}

/** Seconds from a `Retry-After`, which is a number of seconds or a date. */
function secondsUntil(retryAfter: string | null | undefined, now: number): number | undefined {
  if (!retryAfter) return undefined
  const seconds = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000
  if (Number.isNaN(seconds)) return undefined
  return Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_RETRY_AFTER_S)
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'number'
    ? Number.isInteger(code)
    : typeof code === 'string' && /^[a-z_]{1,60}$/.test(code)
}

function isMessageId(sentAs: unknown): sentAs is string {
  return typeof sentAs === 'string' && /^[\w.-]{1,100}$/.test(sentAs)
}
