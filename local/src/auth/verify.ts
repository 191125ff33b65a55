import { z } from 'zod'
import type { AuthContext } from './context.ts'
import { AuthError, errors } from './errors.ts'
import { hasExpired, hashOtp } from './links.ts'
import { authCodeOf } from './pkce.ts'
import { redirectOf } from './redirects.ts'
import { startSession } from './sessions.ts'
import { isBanned, type UserChanges, type UserRow, updateEmailIdentity, updateUser } from './users.ts'

export const verifyBody = z.object({
  type: z.string(),
  token_hash: z.string().nullish(),
  token: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
})

type TokenColumn =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_current'
  | 'email_change_token_new'

const columnsOfType: Record<string, TokenColumn[]> = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  recovery: ['recovery_token'],
  magiclink: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_current', 'email_change_token_new'],
}

const sentAtOf = (user: UserRow, column: TokenColumn) => {
  if (column === 'confirmation_token') return user.confirmation_sent_at
  return column === 'recovery_token' ? user.recovery_sent_at : user.email_change_sent_at
}

/** Takes a token out of the account that holds it; of two that try at once, one gets it. */
async function claimToken({ sql, settings }: AuthContext, hash: string, type: string) {
  const columns = columnsOfType[type]
  if (!columns) throw errors.validation('Invalid email verification type')
  for (const column of columns) {
    for (const candidate of [hash, `pkce_${hash}`]) {
      const [user] = await sql<UserRow[]>`select * from auth.users where ${sql(column)} = ${candidate}`
      if (!user) continue
      if (isBanned(user)) throw errors.userBanned(403)
      if (hasExpired(sentAtOf(user, column), settings.email.otp_expiry)) throw errors.otpExpired()
      const claimed = await sql`
        update auth.users set ${sql(column)} = '' where id = ${user.id} and ${sql(column)} = ${candidate} returning id`
      if (claimed.length > 0) return { user, column, isPkce: candidate.startsWith('pkce_') }
    }
  }
  throw errors.otpExpired()
}

async function applyEmailChange(context: AuthContext, user: UserRow): Promise<UserRow | undefined> {
  const { sql, settings } = context
  const bothNeeded = settings.email.double_confirm_changes && Boolean(user.email)
  if (bothNeeded && user.email_change_confirm_status !== 1) {
    await updateUser(sql, user.id, { email_change_confirm_status: 1 })
    return undefined
  }
  const changed = await updateUser(sql, user.id, {
    email: user.email_change,
    email_change: '',
    email_change_token_current: '',
    email_change_token_new: '',
    email_change_confirm_status: 0,
    email_confirmed_at: new Date().toISOString(),
  })
  await updateEmailIdentity(sql, changed, true)
  const data = changed.raw_user_meta_data
  await context.mailer.notify('email_changed', {
    to: user.email ?? '',
    email: changed.email ?? '',
    oldEmail: user.email ?? '',
    data,
  })
  return changed
}

async function claimAndApply(context: AuthContext, hash: string, type: string) {
  const { user, column, isPkce } = await claimToken(context, hash, type)
  if (type === 'email_change') return { user: await applyEmailChange(context, user), isPkce }
  const changes: UserChanges = {}
  if (column === 'confirmation_token') changes.confirmation_token = ''
  if (!user.email_confirmed_at) {
    changes.email_confirmed_at = new Date().toISOString()
    changes.raw_user_meta_data = { ...user.raw_user_meta_data, email_verified: true }
  }
  const verified = await updateUser(context.sql, user.id, changes)
  await updateEmailIdentity(context.sql, verified, true)
  return { user: verified, isPkce }
}

const halfWay = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** `POST /verify`: a code, or a link's token, for a session. */
export async function verifyToken(context: AuthContext, body: z.infer<typeof verifyBody>, request: Request) {
  if (body.phone) throw errors.phoneDisabled()
  const hash = body.token_hash ?? (body.email && body.token ? hashOtp(body.email, body.token) : null)
  if (!hash) throw errors.validation('Only the token_hash and type should be provided')
  const { user } = await claimAndApply(context, hash, body.type)
  if (!user) return { msg: halfWay, code: '200' }
  return startSession(context, user, 'otp', request)
}

/** `GET /verify`, the link of a mail: sends the browser to the app with a session, a code, or what went wrong. */
export async function followLink(context: AuthContext, request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams
  const type = query.get('type') ?? ''
  const token = query.get('token') ?? query.get('token_hash') ?? ''
  const target = new URL(redirectOf(request, context) ?? context.siteUrl)
  try {
    if (!token) throw errors.validation('Verify requires a token or a token hash')
    const { user, isPkce } = await claimAndApply(context, token, type)
    if (!user) {
      if (isPkce) target.searchParams.set('message', halfWay)
      target.hash = new URLSearchParams({ message: halfWay }).toString()
    } else if (isPkce) target.searchParams.set('code', await authCodeOf(context.sql, user.id))
    else {
      const session = await startSession(context, user, 'otp', request)
      target.hash = new URLSearchParams({
        access_token: session.access_token,
        expires_at: String(session.expires_at),
        expires_in: String(session.expires_in),
        refresh_token: session.refresh_token,
        token_type: session.token_type,
        type,
      }).toString()
    }
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    const fault = { error: 'access_denied', error_code: error.code, error_description: error.message }
    if (token.startsWith('pkce_'))
      for (const [name, value] of Object.entries(fault)) target.searchParams.set(name, value)
    target.hash = new URLSearchParams(fault).toString()
  }
  return new Response(null, { status: 303, headers: { location: target.toString() } })
}
