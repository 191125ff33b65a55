import { randomBytes, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuthContext, Queries } from './context.ts'
import { errors } from './errors.ts'
import { customClaims } from './hooks.ts'
import { findUser, isBanned, type UserRow, updateUser, userResponse } from './users.ts'

interface SessionRow {
  id: string
  user_id: string
  created_at: string
  refreshed_at: string | null
  not_after: string | null
  tag: string | null
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

async function sessionResponse(
  context: AuthContext,
  user: UserRow,
  session: SessionRow,
  refreshToken: string,
) {
  const now = Math.floor(Date.now() / 1000)
  const expiresIn = context.settings.jwt_expiry
  const method = session.tag ?? 'password'
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
    aal: 'aal1',
    amr: [{ method, timestamp: Math.floor(Date.parse(session.created_at) / 1000) }],
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  }
  return {
    access_token: context.tokens.sign(await customClaims(context, user.id, method, claims)),
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: now + expiresIn,
    refresh_token: refreshToken,
    user: await userResponse(context.sql, user),
    weak_password: null,
  }
}

export type SessionResponse = Awaited<ReturnType<typeof sessionResponse>>

/** Where the gateway, or the holder of the secret key, says that a request comes from. */
function addressOf({ headers }: Request): string | null {
  const told = headers.get('sb-forwarded-for') ?? headers.get('cf-connecting-ip') ?? ''
  const address = told.split(',')[0]?.trim() ?? ''
  return isIP(address) ? address : null
}

/**
 * Signs a user in.
 *
 * @param method how (`password`, `otp`, …); kept in the session's tag, which the local stack has no other use for
 * @throws AuthError `user_banned`
 */
export async function startSession(context: AuthContext, account: UserRow, method: string, request: Request) {
  if (isBanned(account)) throw errors.userBanned()
  const user = await updateUser(context.sql, account.id, { last_sign_in_at: new Date().toISOString() })
  const [session] = await context.sql<SessionRow[]>`
    insert into auth.sessions (id, user_id, aal, tag, user_agent, ip, created_at, updated_at)
    values (
      ${randomUUID()}, ${user.id}, 'aal1', ${method}, ${request.headers.get('user-agent')}, ${addressOf(request)},
      now(), now())
    returning *`
  if (!session) throw errors.unexpected('Database error granting user')
  return sessionResponse(context, user, session, await storeRefreshToken(context.sql, session, null))
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
      return { session, user, next }
    }
    const [active] = await sql<RefreshTokenRow[]>`
      select * from auth.refresh_tokens where session_id = ${session.id} and revoked = false order by created_at desc limit 1`
    if (
      active &&
      (active.parent === token || secondsSince(current.updated_at) <= settings.refresh_token_reuse_interval)
    ) {
      return { session, user, next: active.token }
    }
    // With it access tokens that were issued end too: whoever checks the session finds none.
    await sql`delete from auth.sessions where id = ${session.id}`
    return undefined
  })
  if (!outcome) throw errors.refreshTokenUsed()
  return sessionResponse(context, outcome.user, outcome.session, outcome.next)
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

export async function sessionExists(sql: Queries, sessionId: string): Promise<boolean> {
  const found = await sql`select 1 from auth.sessions where id = ${sessionId}`
  return found.length > 0
}
