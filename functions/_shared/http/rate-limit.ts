import type { Database } from '../database.ts'
import { accountDeleted, ServiceError } from '../errors.ts'
import type { RequestContext } from './handle.ts'

/** What is limited; the numbers are rows of `private.rate_limit_rules`. */
export type RateLimitScope =
  | 'analyze-audio'
  | 'analyze-visual'
  | 'analyze-text'
  | 'calculate-wellbeing-score'
  | 'textmodel'
  | 'check-in-start'
  | 'check-in-complete'
  | 'check-in-get'
  | 'data-api'
  | 'file-upload'
  | 'bulk'

/** What is limited for people who are not signed in. */
export type OpenRateLimitScope = 'sign-in' | 'sign-up' | 'refresh'

type Allowance = {
  allowed: boolean
  max_requests: number
  remaining: number
  reset_s: number
  period_s: number
}

/**
 * Takes one request of a person's allowance, exactly, however many come at once, and says in the answer's headers what
 * is left (`RateLimit-*`, after the IETF draft).
 *
 * Throws `rate_limited`, with `Retry-After`, and `unauthorized` when the account was deleted meanwhile. A database that
 * cannot be asked lets nothing through.
 */
export async function consumeRateLimit(
  database: Database,
  context: RequestContext,
  userId: string,
  scope: RateLimitScope,
): Promise<void> {
  const [allowance] = await database<
    [Allowance?]
  >`select * from private.consume_user_rate_limit(${userId}, ${scope})`
  if (!allowance) throw accountDeleted()
  grant(context, allowance)
}

/**
 * The same for somebody who is not signed in, known by an address or a token; only a digest of it is stored.
 *
 * Throws `rate_limited`.
 */
export async function consumeOpenRateLimit(
  database: Database,
  context: RequestContext,
  knownBy: string,
  scope: OpenRateLimitScope,
): Promise<void> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(knownBy))
  const subject = Array.from(new Uint8Array(digest, 0, 16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const [allowance] = await database<
    [Allowance]
  >`select * from private.consume_rate_limit(${subject}::uuid, ${scope})`
  grant(context, allowance)
}

function grant({ headers }: RequestContext, allowance: Allowance): void {
  headers.set('ratelimit-limit', String(allowance.max_requests))
  headers.set('ratelimit-remaining', String(allowance.remaining))
  headers.set('ratelimit-reset', String(allowance.reset_s))
  headers.set('ratelimit-policy', `${allowance.max_requests};w=${allowance.period_s}`)
  if (allowance.allowed) return
  headers.set('retry-after', String(allowance.reset_s))
  throw new ServiceError('rate_limited', `Too many requests. Try again in ${allowance.reset_s} s.`, {
    retry_after_s: allowance.reset_s,
  })
}
