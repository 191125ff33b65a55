import { randomBytes, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuthContext, Queries } from './context.ts'
import { errors } from './errors.ts'
import { customClaims } from './hooks.ts'
import { findUser, isBanned, type UserRow, updateUser, userResponse } from './users.ts'

export interface SessionRow {
  id: string
  user_id: string
  aal: 'aal1' | 'aal2' | 'aal3' | null
  factor_id: string | null
  created_at: string
  refreshed_at: string | null
  not_after: string | null
}

interface RefreshTokenRow {
  id: string
  token: string
  user_id: string
  session_id: string
  revoked: boolean
  parent: string | null
  updated_at: string
}

const secondsSince = (time: string) => (Date.now() - Date.parse(time)) / 1000

async function storeRefreshToken(
  sql: Queries,
  session: Pick<SessionRow, 'id' | 'user_id'>,
  parent: string | null,
) {
  const token = randomBytes(9).toString('base64url')
  await sql`
    insert into auth.refresh_tokens (instance_id, token, user_id, session_id, parent, revoked, created_at, updated_at)
    values ('00000000-0000-0000-0000-000000000000', ${token}, ${session.user_id}, ${session.id}, ${parent},
      false, now(), now())`
  return token
}

const isSecondFactor = (method: string) => method === 'totp'

/** How the holder of a session has authenticated, the latest first; times in Unix seconds. */
async function methodsOf(sql: Queries, sessionId: string) {
  const methods = await sql<{ method: string; timestamp: number }[]>`
    select authentication_method as method, floor(extract(epoch from updated_at))::int as timestamp
    from auth.mfa_amr_claims where session_id = ${sessionId} order by updated_at desc`
  return [...methods]
}

async function storeMethod(sql: Queries, sessionId: string, method: string): Promise<void> {
  await sql`
    insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
    values (${randomUUID()}, ${sessionId}, ${method}, now(), now())
    on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`
}

/**
 * A session as the API returns it, with a new access token.
 *
 * @param sql a transaction: when the project's hook rejects the token, nothing of the sign-in stays
 * @param method what has led to the token, for the hook
 */
async function sessionResponse(
  context: AuthContext,
  sql: Queries,
  user: UserRow,
  session: SessionRow,
  method: string,
  refreshToken: string,
) {
  const now = Math.floor(Date.now() / 1000)
  const expiresIn = context.settings.jwt_expiry
  const amr = await methodsOf(sql, session.id)
  const claims = {
    iss: `${context.apiUrl}/auth/v1`,
    sub: user.id,
    aud: user.aud ?? 'authenticated',
    exp: now + expiresIn,
    iat: now,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: user.role ?? 'authenticated',
    aal: amr.some((entry) => isSecondFactor(entry.method)) ? 'aal2' : 'aal1',
    amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  }
  const shownUser = await userResponse(sql, user)
  const ownClaims = await customClaims(sql, context.settings, user.id, method, claims)
  return {
    access_token: context.tokens.sign(ownClaims),
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: now + expiresIn,
    refresh_token: refreshToken,
    user: shownUser,
    weak_password: null,
  }
}

export type SessionResponse = Awaited<ReturnType<typeof sessionResponse>>

/** Where the gateway, or the holder of the secret key, says that a request comes from. */
export function addressOf({ headers }: Request): string | null {
  const told = headers.get('sb-forwarded-for') ?? headers.get('cf-connecting-ip') ?? ''
  const address = told.split(',')[0]?.trim() ?? ''
  return isIP(address) ? address : null
}

/**
 * Signs a user in.
 *
 * @param method how (`password`, `otp`, …)
 * @throws AuthError `user_banned`
 */
export async function startSession(context: AuthContext, account: UserRow, method: string, request: Request) {
  if (isBanned(account)) throw errors.userBanned()
  return context.sql.begin(async (sql) => {
    const user = await updateUser(sql, account.id, { last_sign_in_at: new Date().toISOString() })
    const [session] = await sql<SessionRow[]>`
      insert into auth.sessions (id, user_id, aal, user_agent, ip, created_at, updated_at)
      values (
        ${randomUUID()}, ${user.id}, 'aal1', ${request.headers.get('user-agent')}, ${addressOf(request)},
        now(), now())
      returning *`
    if (!session) throw errors.unexpected('Database error granting user')
    await storeMethod(sql, session.id, method)
    const refreshToken = await storeRefreshToken(sql, session, null)
    return sessionResponse(context, sql, user, session, method, refreshToken)
  })
}

/**
 * Raises a session to `aal2` after its holder has verified a factor, and ends the account's sessions below that.
 *
 * The refresh tokens of before are revoked and the new one names no parent, so that none of them leads to `aal2` once the
 * reuse interval is over. Source: updateMFASessionAndClaims in internal/api/token.go of supabase/auth.
 *
 * @param sql a transaction that holds the account's row
 * @throws AuthError `session_not_found` when the session has ended meanwhile
 */
export async function raiseSession(
  context: AuthContext,
  sql: Queries,
  user: UserRow,
  sessionId: string,
  factorId: string,
): Promise<SessionResponse> {
  const [session] = await sql<SessionRow[]>`
    update auth.sessions set aal = 'aal2', factor_id = ${factorId}, updated_at = now()
    where id = ${sessionId} returning *`
  if (!session) throw errors.sessionNotFound()
  await storeMethod(sql, session.id, 'totp')
  await sql`
    update auth.refresh_tokens set revoked = true, updated_at = now()
    where session_id = ${session.id} and not revoked`
  await sql`delete from auth.sessions where user_id = ${user.id} and aal < 'aal2'`
  const refreshToken = await storeRefreshToken(sql, session, null)
  return sessionResponse(context, sql, user, session, 'totp', refreshToken)
}

/** Takes the sessions that a factor had raised back to `aal1`, which their next access token says. */
export async function lowerSessions(sql: Queries, factorId: string): Promise<void> {
  await sql`
    delete from auth.mfa_amr_claims
    where authentication_method = 'totp'
      and session_id in (select id from auth.sessions where factor_id = ${factorId})`
  await sql`
    update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now() where factor_id = ${factorId}`
}

/**
 * Exchanges a refresh token for a new session state, with rotation: a token works once, and again within the reuse
 * interval (two tabs that refresh at once). A later reuse ends the whole session, since the token may be stolen.
 */
export async function refreshSession(context: AuthContext, token: string): Promise<SessionResponse> {
  const { settings } = context
  const outcome = await context.sql.begin(async (sql) => {
    const [session] = await sql<SessionRow[]>`
      select s.* from auth.sessions s
      join auth.refresh_tokens t on t.session_id = s.id where t.token = ${token} for update of s`
    const [current] = await sql<RefreshTokenRow[]>`select * from auth.refresh_tokens where token = ${token}`
    if (!session || !current) throw errors.refreshTokenNotFound()
    const user = await findUser(sql, session.user_id)
    if (!user) throw errors.refreshTokenNotFound()
    if (isBanned(user)) throw errors.refreshUserBanned()
    const { timebox, inactivity_timeout: inactivity } = settings.sessions
    if (session.not_after && Date.parse(session.not_after) < Date.now()) throw errors.sessionExpired()
    if (timebox && secondsSince(session.created_at) > timebox) throw errors.sessionExpired()
    if (inactivity && secondsSince(current.updated_at) > inactivity) throw errors.sessionExpired()

    if (!current.revoked) {
      const next = settings.enable_refresh_token_rotation
        ? await storeRefreshToken(sql, session, token)
        : token
      if (next !== token) {
        await sql`update auth.refresh_tokens set revoked = true, updated_at = now() where token = ${token}`
      }
      await sql`update auth.sessions set refreshed_at = now(), updated_at = now() where id = ${session.id}`
      return sessionResponse(context, sql, user, session, 'token_refresh', next)
    }
    const [active] = await sql<RefreshTokenRow[]>`
      select * from auth.refresh_tokens where session_id = ${session.id} and revoked = false order by created_at desc limit 1`
    if (
      active &&
      (active.parent === token || secondsSince(current.updated_at) <= settings.refresh_token_reuse_interval)
    ) {
      return sessionResponse(context, sql, user, session, 'token_refresh', active.token)
    }
    // With it access tokens that were issued end too: whoever checks the session finds none.
    await sql`delete from auth.sessions where id = ${session.id}`
    return undefined
  })
  if (!outcome) throw errors.refreshTokenUsed()
  return outcome
}

/** Ends sessions of a user: this one, all but this one, or all. */
export async function endSessions(
  sql: Queries,
  userId: string,
  scope: 'local' | 'others' | 'global',
  sessionId?: string,
): Promise<void> {
  if (scope === 'local') await sql`delete from auth.sessions where id = ${sessionId ?? null}`
  else if (scope === 'others') {
    await sql`delete from auth.sessions where user_id = ${userId} and id is distinct from ${sessionId ?? null}::uuid`
  } else await sql`delete from auth.sessions where user_id = ${userId}`
}

export async function findSession(sql: Queries, id: string): Promise<SessionRow | undefined> {
  const [session] = await sql<SessionRow[]>`select * from auth.sessions where id = ${id}`
  return session
}
