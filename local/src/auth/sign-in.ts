import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { sendEmailChange } from './account.ts'
import type { AuthContext } from './context.ts'
import { errors } from './errors.ts'
import { reportPassword } from './hooks.ts'
import { type LinkRequest, sendLink } from './links.ts'
import { exchangeCode } from './pkce.ts'
import { addressOf, refreshSession, startSession } from './sessions.ts'
import { metadata, normalizeEmail } from './sign-up.ts'
import { createUser, findUserByEmail, isBanned } from './users.ts'

export const tokenBody = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  refresh_token: z.string().nullish(),
  auth_code: z.string().nullish(),
  code_verifier: z.string().nullish(),
})

async function signInWithPassword(context: AuthContext, email: string, password: string, request: Request) {
  const user = await findUserByEmail(context.sql, email)
  if (!user) {
    // As long as a wrong password takes, so that time does not tell who has an account.
    await context.passwords.hash(password)
    throw errors.invalidCredentials()
  }
  if (isBanned(user)) throw errors.userBanned()
  const valid = await context.passwords.matches(password, user.encrypted_password)
  await reportPassword(context.sql, context.settings, user.id, valid, addressOf(request))
  if (!valid) throw errors.invalidCredentials()
  if (!user.email_confirmed_at) throw errors.emailNotConfirmed()
  return startSession(context, user, 'password', request)
}

/** `POST /token`: a session for a password, a refresh token or a link's code. */
export async function grantToken(
  context: AuthContext,
  grant: string | null,
  body: z.infer<typeof tokenBody>,
  request: Request,
) {
  if (grant === 'password') {
    if (body.phone) throw errors.phoneDisabled()
    if (!body.email || !body.password) throw errors.validation('missing email or phone')
    return signInWithPassword(context, body.email, body.password, request)
  }
  if (grant === 'refresh_token') {
    if (!body.refresh_token) throw errors.validation('refresh_token required')
    return refreshSession(context, body.refresh_token)
  }
  if (grant === 'pkce') {
    if (!body.auth_code || !body.code_verifier) {
      throw errors.validation('invalid request: both auth code and code verifier should be non-empty')
    }
    return exchangeCode(context, body.auth_code, body.code_verifier, request)
  }
  if (grant === 'id_token' || grant === 'web3') throw errors.notServed(`/token?grant_type=${grant}`)
  throw errors.validation('unsupported_grant_type')
}

export const linkBody = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  type: z.string().nullish(),
  create_user: z.boolean().nullish(),
  data: metadata.nullish(),
  code_challenge: z.string().nullish(),
  code_challenge_method: z.string().nullish(),
})

/** `POST /recover`: the same response whether or not there is such an account. */
export async function recover(
  context: AuthContext,
  body: z.infer<typeof linkBody>,
  link: LinkRequest,
): Promise<void> {
  if (!body.email) throw errors.validation('Password recovery requires an email')
  const user = await findUserByEmail(context.sql, normalizeEmail(body.email))
  if (user) await sendLink(context, 'recovery', user, link)
}

/** `POST /otp` and `/magiclink`: mails a link and a code that sign in, to a new account too unless told otherwise. */
export async function signInWithLink(
  context: AuthContext,
  body: z.infer<typeof linkBody>,
  link: LinkRequest,
) {
  if (body.phone) throw errors.phoneDisabled()
  if (!body.email) throw errors.validation('One of email or phone must be set')
  const email = normalizeEmail(body.email)
  let user = await findUserByEmail(context.sql, email)
  if (!user) {
    if (body.create_user === false) throw errors.otpDisabled()
    if (!context.settings.enable_signup) throw errors.signupDisabled()
    const hash = await context.passwords.hash(randomBytes(32).toString('base64url'))
    user = await createUser(context.sql, {
      email,
      encrypted_password: hash,
      raw_user_meta_data: body.data ?? {},
    })
  }
  await sendLink(context, user.email_confirmed_at ? 'magic_link' : 'confirmation', user, link)
}

/**
 * `POST /resend`: the mails of a sign-up or of a change of address once more, and the same response whether or not there
 * is something to send.
 *
 * Source: internal/api/resend.go of supabase/auth.
 */
export async function resend(
  context: AuthContext,
  body: z.infer<typeof linkBody>,
  link: LinkRequest,
): Promise<void> {
  if (body.type === 'sms' || body.type === 'phone_change') throw errors.phoneDisabled()
  if (body.type !== 'signup' && body.type !== 'email_change')
    throw errors.validation('Missing one of these types: signup, email_change, sms, phone_change')
  if (!body.email) throw errors.validation('Type provided requires an email address')
  const user = await findUserByEmail(context.sql, normalizeEmail(body.email))
  if (!user) return
  if (body.type === 'email_change') {
    if (user.email_change) await sendEmailChange(context, user, user.email_change, link)
  } else if (!user.email_confirmed_at) await sendLink(context, 'confirmation', user, link)
}
