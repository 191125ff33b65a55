import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { ServiceError } from '../errors.ts'
import type { ProjectClient } from '../platform/clients.ts'
import { ForgedToken } from './security-events.ts'

/** The person behind a request. */
export type Caller = { userId: string; token: string }

/** The bearer token of a request; null if there is none. */
export function bearerToken({ headers }: Request): string | null {
  return headers.get('authorization')?.match(/^Bearer\s+(\S+)$/i)?.[1] ?? null
}

/** Who the bearer token of a request belongs to. Throws `unauthorized`. */
export async function authenticate(request: Request, supabase: ProjectClient): Promise<Caller> {
  const token = bearerToken(request)
  if (!token) throw new ServiceError('unauthorized', 'Sign in and send the access token as a bearer token.')
  return verifyToken(token, supabase)
}

/**
 * Asks Auth who an access token belongs to, so that one of a deleted or banned account, a signed-out session or another
 * project is rejected at once, whatever its signature algorithm.
 *
 * Throws `unauthorized`.
 */
export async function verifyToken(token: string, supabase: ProjectClient): Promise<Caller> {
  // Only a JWT can be a user's token; an API key in its place is not worth a round trip.
  if (token.split('.').length !== 3) throw invalidToken()
  const { data, error } = await supabase.auth.getUser(token)
  // Auth that cannot be reached, or is busy, says nothing about the token.
  if (error && ![400, 401, 403, 404].includes(error.status ?? 0)) throw error
  if (error?.code === 'bad_jwt' && !hasExpired(token)) throw new ForgedToken('unauthorized', INVALID)
  const account = error && ENDED.includes(error.code ?? '') && claimsOf(token)?.sub
  if (account) throw new EndedSession(account)
  if (error || data.user.role !== 'authenticated') throw invalidToken()
  return { userId: data.user.id, token }
}

const claims = z.object({ sub: z.guid(), session_id: z.guid() })

/** What a token that Auth has verified says. */
function claimsOf(token: string): z.infer<typeof claims> | null {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  return claims.safeParse(JSON.parse(payload)).data ?? null
}

/** The session of an access token that Auth has verified. */
export function sessionOf(token: string): string | null {
  return claimsOf(token)?.session_id ?? null
}

const INVALID = 'The access token is not valid any more. Sign in again.'

/** What Auth says of a token only once it has verified its signature. */
const ENDED = ['session_not_found', 'user_banned']

/** An access token that Auth gave to this account, whose session has ended since: it signed out, or was banned. */
export class EndedSession extends ServiceError {
  readonly account: string

  constructor(account: string) {
    super('unauthorized', INVALID)
    this.account = account
  }
}

function invalidToken(): ServiceError {
  return new ServiceError('unauthorized', INVALID)
}

/** Whether a token says that it has expired, as an app's may that was not open for long; false where it says nothing. */
function hasExpired(token: string): boolean {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
    const claims: unknown = JSON.parse(payload)
    return (
      typeof claims === 'object' &&
      claims !== null &&
      'exp' in claims &&
      Number(claims.exp) * 1000 <= Date.now()
    )
  } catch {
    return false
  }
}
