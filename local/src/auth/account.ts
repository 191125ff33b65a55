import { z } from 'zod'
import { type Claims, JwtError } from '../http/jwt.ts'
import type { AuthContext } from './context.ts'
import { errors } from './errors.ts'
import { hasVerifiedFactor } from './factors.ts'
import { assertNotTooSoon, createOtp, hasExpired, hashOtp, type LinkRequest, verifyUrl } from './links.ts'
import { storeChallenge } from './pkce.ts'
import { allowedRedirect } from './redirects.ts'
import { endSessions, findSession, type SessionRow } from './sessions.ts'
import { metadata, normalizeEmail } from './sign-up.ts'
import {
  findUser,
  findUserByEmail,
  isBanned,
  mergeMetadata,
  type UserChanges,
  type UserRow,
  updateUser,
  userResponse,
} from './users.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export interface SignedIn {
  user: UserRow
  /** Undefined for a token that Auth did not make. */
  session: SessionRow | undefined
}

/** Claims of a bearer token. @throws AuthError `bad_jwt` */
export function claimsOf(context: AuthContext, bearer: string | null): Claims {
  if (!bearer || bearer.startsWith('sb_')) throw errors.noAuthorization()
  try {
    return context.tokens.verify(bearer)
  } catch (error) {
    if (error instanceof JwtError) throw errors.badJwt(error.message)
    throw error
  }
}

/** The account behind a token. @throws AuthError when the account or its session is gone, or the account is banned */
export async function authenticate(context: AuthContext, bearer: string | null): Promise<SignedIn> {
  const { sub, session_id: sessionId } = claimsOf(context, bearer)
  if (typeof sub !== 'string' || sub === '') throw errors.badJwt('missing sub claim')
  if (!uuid.test(sub)) throw errors.badJwt('sub claim must be a UUID')
  const user = await findUser(context.sql, sub)
  if (!user || user.deleted_at) throw errors.userGone()
  if (isBanned(user)) throw errors.userBanned(403)
  if (typeof sessionId !== 'string') return { user, session: undefined }
  const session = await findSession(context.sql, sessionId)
  if (!session) throw errors.sessionNotFound()
  return { user, session }
}

export const updateBody = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  nonce: z.string().nullish(),
  data: metadata.nullish(),
  code_challenge: z.string().nullish(),
  code_challenge_method: z.string().nullish(),
})

async function assertReauthenticated(
  context: AuthContext,
  user: UserRow,
  sessionAge: number,
  nonce?: string | null,
) {
  if (!context.settings.email.secure_password_change || sessionAge < 24 * 3600) return
  if (!nonce) throw errors.reauthenticationNeeded()
  const valid =
    user.reauthentication_token === hashOtp(user.email ?? '', nonce) &&
    !hasExpired(user.reauthentication_sent_at, context.settings.email.otp_expiry)
  if (!valid) throw errors.reauthenticationInvalid()
}

/**
 * Mails the links and codes of a change of address: to the new one, and to the current one where both must agree.
 *
 * Source: `sendEmailChange` in internal/api/mail.go of supabase/auth.
 *
 * @throws AuthError `over_email_send_rate_limit`
 */
export async function sendEmailChange(
  context: AuthContext,
  user: UserRow,
  email: string,
  { redirectTo, codeChallenge, codeChallengeMethod }: LinkRequest,
): Promise<void> {
  const { sql, settings } = context
  assertNotTooSoon(context, user.email_change_sent_at)
  if (codeChallenge) {
    await storeChallenge(sql, user.id, codeChallenge, codeChallengeMethod ?? 's256', 'email_change')
  }
  const target = allowedRedirect(redirectTo, context.siteUrl, settings.additional_redirect_urls)
  const current = user.email ?? ''
  const recipients = settings.email.double_confirm_changes && current ? [current, email] : [email]
  const links = recipients.map((to) => {
    const otp = createOtp(settings.email.otp_length)
    return { to, otp, tokenHash: `${codeChallenge ? 'pkce_' : ''}${hashOtp(to, otp)}` }
  })
  const tokenFor = (address: string) => links.find(({ to }) => to === address)?.tokenHash ?? ''
  await updateUser(sql, user.id, {
    email_change: email,
    email_change_sent_at: new Date().toISOString(),
    email_change_confirm_status: 0,
    email_change_token_current: tokenFor(current),
    email_change_token_new: tokenFor(email),
  })
  for (const link of links) {
    const url = verifyUrl(context, link.tokenHash, 'email_change', target)
    const addresses = { email: current, newEmail: email }
    const data = user.raw_user_meta_data
    await context.mailer.send('email_change', { ...link, ...addresses, url, redirectTo: target, data })
  }
}

/** `PUT /user`: changes the caller's metadata, password or address. */
export async function updateAccount(
  context: AuthContext,
  { user, session }: SignedIn,
  body: z.infer<typeof updateBody>,
  link: LinkRequest,
) {
  const { sql, passwords } = context
  const changes: UserChanges = {}
  if (body.phone) throw errors.phoneDisabled()
  const email = body.email ? normalizeEmail(body.email) : undefined
  const changesSignIn = body.password || (email && email !== user.email)
  if (changesSignIn && session?.aal !== 'aal2' && (await hasVerifiedFactor(sql, user.id))) {
    throw errors.insufficientAal(
      401,
      'AAL2 session is required to update email or password when MFA is enabled.',
    )
  }
  if (body.password) {
    passwords.assertAcceptable(body.password)
    const age = session ? (Date.now() - Date.parse(session.created_at)) / 1000 : Number.POSITIVE_INFINITY
    await assertReauthenticated(context, user, age, body.nonce)
    if (await passwords.matches(body.password, user.encrypted_password)) throw errors.samePassword()
    changes.encrypted_password = await passwords.hash(body.password)
    changes.reauthentication_token = ''
    changes.recovery_token = ''
  }
  if (body.data) changes.raw_user_meta_data = mergeMetadata(user.raw_user_meta_data, body.data)
  if (Object.keys(changes).length > 0) await updateUser(sql, user.id, changes)
  if (body.password) {
    await endSessions(sql, user.id, 'others', session?.id)
    const { email: to, raw_user_meta_data: data } = user
    await context.mailer.notify('password_changed', { to: to ?? '', email: to ?? '', data })
  }
  if (email && email !== user.email) {
    if (await findUserByEmail(sql, email)) throw errors.emailExists()
    await sendEmailChange(context, user, email, link)
  }
  return userResponse(sql, (await findUser(sql, user.id)) ?? user)
}

/** `GET /reauthenticate`: mails the code that a change of password needs when the session is old. */
export async function sendReauthentication(context: AuthContext, user: UserRow): Promise<void> {
  assertNotTooSoon(context, user.reauthentication_sent_at)
  const otp = createOtp(context.settings.email.otp_length)
  await updateUser(context.sql, user.id, {
    reauthentication_token: hashOtp(user.email ?? '', otp),
    reauthentication_sent_at: new Date().toISOString(),
  })
  await context.mailer.send('reauthentication', {
    to: user.email ?? '',
    otp,
    tokenHash: '',
    url: '',
    redirectTo: '',
    data: user.raw_user_meta_data,
  })
}
