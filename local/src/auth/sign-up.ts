import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AuthContext } from './context.ts'
import { errors } from './errors.ts'
import { type LinkRequest, sendLink } from './links.ts'
import { startSession } from './sessions.ts'
import { createUser, findUserByEmail, type UserRow, updateUser, userResponse } from './users.ts'

export const metadata = z.record(z.string(), z.json())

export const signUpBody = z.object({
  email: z.string().optional(),
  phone: z.string().optional(),
  password: z.string().optional(),
  data: metadata.nullish(),
  code_challenge: z.string().nullish(),
  code_challenge_method: z.string().nullish(),
})

const emailPattern = /^[^\s\p{Cc}@"(),:;<>[\]\\]+@[^\s\p{Cc}@.]+(\.[^\s\p{Cc}@.]+)+$/u

/** The address in lower case. @throws AuthError `validation_failed` */
export function normalizeEmail(email: string): string {
  const normalized = email.trim().toLowerCase()
  if (normalized.length > 255 || !emailPattern.test(normalized)) throw errors.invalidEmail()
  return normalized
}

/** Looks like a new account, so that signing up does not tell who has one. */
function decoy(email: string, data: z.infer<typeof metadata>) {
  const now = new Date().toISOString()
  return {
    id: randomUUID(),
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  }
}

/**
 * Creates an account with a password: a session at once without email confirmation, else the account and a mail.
 *
 * @throws AuthError `signup_disabled`, `email_provider_disabled`, `weak_password`, `user_already_exists`, …
 */
export async function signUp(
  context: AuthContext,
  body: z.infer<typeof signUpBody>,
  link: LinkRequest,
  request: Request,
) {
  const { sql, settings, passwords } = context
  if (!settings.enable_signup) throw errors.signupDisabled()
  if (body.phone) throw errors.phoneDisabled()
  if (!body.email) throw errors.anonymousDisabled()
  if (!settings.email.enable_signup) throw errors.emailDisabled()
  if (!body.password) throw errors.validation('Signup requires a valid password')
  const email = normalizeEmail(body.email)
  passwords.assertAcceptable(body.password)
  const data = { ...body.data }
  const existing = await findUserByEmail(sql, email)
  const confirmed = (existing?.email_confirmed_at ?? null) !== null
  if (existing && confirmed) {
    if (!settings.email.enable_confirmations) throw errors.userExists()
    return decoy(email, data)
  }

  const hash = await passwords.hash(body.password)
  // Nobody has shown yet that the address is theirs, so a second sign-up changes nothing of the first, as in GoTrue
  // (internal/api/signup.go).
  const id = randomUUID()
  const claims = {
    sub: id,
    email,
    email_verified: !settings.email.enable_confirmations,
    phone_verified: false,
  }
  let user: UserRow =
    existing ??
    (await createUser(sql, {
      id,
      email,
      encrypted_password: hash,
      raw_user_meta_data: { ...data, ...claims },
    }).catch(duplicate))
  if (settings.email.enable_confirmations) {
    await sendLink(context, 'confirmation', user, link)
    const [sent] = await sql<UserRow[]>`select * from auth.users where id = ${user.id}`
    return userResponse(sql, sent ?? user)
  }
  user = await updateUser(sql, user.id, { email_confirmed_at: new Date().toISOString() })
  return startSession(context, user, 'password', request)
}

function duplicate(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'email_exists') throw errors.userExists()
  throw error
}
