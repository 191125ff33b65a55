import { createHash } from 'node:crypto'
import type { Database } from '../database.ts'
import { accountDeleted, ServiceError, withoutRole } from '../errors.ts'
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

/** What is limited while nobody is signed in. */
type OpenRateLimitScope =
  | 'sign-in'
  | 'sign-up'
  | 'auth-mail'
  | 'refresh'
  | 'unknown-link'
  | 'universities'
  | 'consent-texts'
  | 'failure-reasons'

export type LimitState = {
  allowed: boolean
  max_requests: number
  remaining: number
  reset_s: number
  period_s: number
}

/**
 * Counts one request against a person's limit, exactly, however many come at once, and says in the response headers what
 * is left (`RateLimit-*`, after the IETF draft).
 *
 * Throws `rate_limited`, with `Retry-After`, `forbidden` for an account without a role, which the same query finds, and
 * `unauthorized` when the account was deleted meanwhile. When the database cannot be reached, nothing is let through.
 */
export async function consumeRateLimit(
  database: Database,
  context: RequestContext,
  userId: string,
  scope: RateLimitScope,
): Promise<void> {
  const [state] = await database<
    [(LimitState & { has_role: boolean })?]
  >`select * from private.consume_user_rate_limit(${userId}, ${scope})`
  if (!state) throw accountDeleted()
  applyLimit(context, state)
  if (!state.has_role) throw withoutRole()
}

/**
 * The same while nobody is signed in: the subject is an email address, a token or a network address, of which only a digest is stored.
 *
 * Throws `rate_limited`.
 */
export async function consumeOpenRateLimit(
  database: Database,
  context: RequestContext,
  subject: string,
  scope: OpenRateLimitScope,
): Promise<void> {
  const id = createHash('sha256').update(subject).digest('hex').slice(0, 32)
  const [state] = await database<
    [LimitState]
  >`select * from private.consume_rate_limit(${id}::uuid, ${scope})`
  applyLimit(context, state)
}

/**
 * The same of an account that may have lost its role: what is stored of people, and their sessions, are theirs all the same.
 *
 * Throws `rate_limited`, and `unauthorized` when the account was deleted meanwhile.
 */
export async function consumeAccountRateLimit(
  database: Database,
  context: RequestContext,
  userId: string,
  scope: 'privacy' | 'session' = 'privacy',
): Promise<void> {
  const [state] = await database<
    [LimitState?]
  >`select * from private.consume_user_rate_limit(${userId}, ${scope})`
  if (!state) throw accountDeleted()
  applyLimit(context, state)
}

/** Says in the response headers what is left of a limit. Throws `rate_limited`, with `Retry-After`, when nothing is. */
export function applyLimit({ headers }: RequestContext, state: LimitState): void {
  headers.set('ratelimit-limit', String(state.max_requests))
  headers.set('ratelimit-remaining', String(state.remaining))
  headers.set('ratelimit-reset', String(state.reset_s))
  headers.set('ratelimit-policy', `${state.max_requests};w=${state.period_s}`)
  if (state.allowed) return
  headers.set('retry-after', String(state.reset_s))
  throw new ServiceError('rate_limited', `Too many requests. Try again in ${state.reset_s} s.`, {
    retry_after_s: state.reset_s,
  })
}
