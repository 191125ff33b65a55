import type { Delivery } from './message.ts'

/** One request to a provider, as far as it got. */
export type ProviderExchange = {
  status?: number
  /** The header `Retry-After`. */
  retryAfter?: string | null
  /** What `fetch` threw when there was no answer. */
  failure?: unknown
}

/** Nothing waits longer than this for a provider that asks for more, seconds. */
const LONGEST_RETRY_AFTER_S = 24 * 3600

/**
 * What an exchange means for the message. A message that a provider may have taken is never called not sent. Throws when
 * there was no exchange.
 *
 * `code` is what the provider calls the error, `sentAs` what it calls the message; `now` in milliseconds.
 */
export function judge(
  { status, retryAfter, failure }: ProviderExchange,
  { code, sentAs, now = Date.now() }: { code?: unknown; sentAs?: unknown; now?: number } = {},
): Delivery {
  if (status === undefined) return judgeFailure(failure)
  if (status >= 200 && status < 300) return { outcome: 'sent', sentAs: isName(sentAs) ? sentAs : null }
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
  // A wrong key or sender is the operator's to mend, and the message is worth the wait.
  if (status === 401 || status === 403) return { outcome: 'not_sent', code: named }
  if (status >= 500) return { outcome: 'unconfirmed', code: named }
  return { outcome: 'refused', code: named }
}

function judgeFailure(failure: unknown): Delivery {
  if (failure === undefined) throw new Error('The provider was not asked')
  if (neverConnected(failure)) return { outcome: 'not_sent', code: 'unreachable' }
  const timedOut = failure instanceof Error && failure.name === 'TimeoutError'
  return { outcome: 'unconfirmed', code: timedOut ? 'timeout' : 'no_answer' }
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

function isName(sentAs: unknown): sentAs is string {
  return typeof sentAs === 'string' && /^[\w.-]{1,100}$/.test(sentAs)
}
