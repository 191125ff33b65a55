import type { Session, User } from '@supabase/supabase-js'
import * as z from 'zod'
import { mayCollide, refreshError, signInError, signUpError } from '../_shared/accounts/auth-errors.ts'
import { requireCaptcha } from '../_shared/accounts/captcha.ts'
import { requireAllowedRedirect } from '../_shared/accounts/redirects.ts'
import type { Database } from '../_shared/database.ts'
import { ServiceError } from '../_shared/errors.ts'
import { ofPlainJson } from '../_shared/fields.ts'
import { isByOtherPage } from '../_shared/http/fetch-metadata.ts'
import { checkCall } from '../_shared/http/guard.ts'
import { consumeOpenRateLimit } from '../_shared/http/rate-limit.ts'
import { type Call, endpoint } from '../_shared/http/serve.ts'
import { LANGUAGES } from '../_shared/languages.ts'
import { log } from '../_shared/log.ts'
import { clientAddress } from '../_shared/platform/client-address.ts'
import { callerClient, signInClient } from '../_shared/platform/clients.ts'

/** Auth responds sooner for an address without an account. Its usual time with one is below this, milliseconds. */
const SIGN_IN_MS = 400

/** Auth responds sooner for an address that has an account already. Its usual time is below this, milliseconds. */
export const SIGN_UP_MS = 1000

/** Longest password that Auth's hash takes whole, in bytes. */
const MAX_PASSWORD_BYTES = 72

/** What every call of sign-in has. Its body is read before any rate limit, and so is small. */
export const common = {
  method: 'post',
  tag: 'Sign-in',
  security: 'none',
  reachable: ['in_quarantine'],
  maxBytes: 10_000,
  jsonOnly: true,
  errorMembers: { success: false },
} as const

/** An address in the form in which Auth stores it. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email().max(254))
  .describe('address of the account')

const name = z.string().trim().min(1).max(100)

export const success = z.literal(true).describe('always; an error says false')

export const tokens = z
  .object({
    access_token: z.string().describe('bearer token of every other call'),
    refresh_token: z.string().describe('good for one refresh'),
    expires_in: z.number().describe('seconds until the access token ends'),
  })
  .describe('what signs the person in')

/** Where the link of a mail leads in the end. */
export const redirectTo = z
  .string()
  .min(1)
  .max(2000)
  .optional()
  .describe('where the page that the mail leads to goes on: an address of the list in config.toml')

/** What a captcha gave the person. */
export const captchaToken = z
  .string()
  .max(6000)
  .optional()
  .describe('what the captcha gave the person, where the project wants one; good for once')

export const signInRequest = ofPlainJson(
  z.object({ email, password: z.string().min(1).max(1000).describe('password of the account') }),
)

const signIn = endpoint(
  {
    ...common,
    id: 'signIn',
    path: '/api/auth/signin',
    summary: 'Signs in with an address and a password',
    description:
      'A wrong password, an address without an account and one that is not confirmed yet get the same response. 10 tries an address within 5 minutes.',
    body: signInRequest,
    response: z.object({
      success,
      user: z
        .object({
          id: z.uuid().describe('the account'),
          email: z.string().describe('its address'),
          email_verified: z.boolean().describe('whether the address was confirmed'),
          first_name: z.string().optional().describe('first name'),
          last_name: z.string().optional().describe('last name'),
        })
        .describe('who signed in'),
      tokens,
    }),
    errors: ['invalid_credentials', 'rate_limited'],
    example: { body: { email: 'robin@northfield.example.edu', password: 'an-invented-password-1' } },
  },
  async ({ body }, call) => {
    const { user, session } = await signInWithPassword(call, body)
    const caller = { userId: user.id, token: session.access_token }
    return {
      success: true as const,
      user: {
        id: user.id,
        email: user.email ?? body.email,
        email_verified: Boolean(user.email_confirmed_at),
        ...(await namesOf({ ...call, caller })),
      },
      tokens: tokensOf(session),
    }
  },
)

const signUp = endpoint(
  {
    ...common,
    id: 'signUp',
    path: '/api/auth/signup',
    summary: 'Creates an account, which is active once the mail that is sent is confirmed',
    description:
      'The response is the same whether or not the address has an account already. 5 tries a mailbox within an hour.',
    body: ofPlainJson(
      z.object({
        email,
        password: z
          .string()
          .min(1)
          .refine(
            (password) => new TextEncoder().encode(password).length <= MAX_PASSWORD_BYTES,
            `at most ${MAX_PASSWORD_BYTES} bytes`,
          )
          .describe('password of the new account, at most 72 bytes'),
        first_name: name.describe('first name'),
        last_name: name.describe('last name'),
        university_id: z
          .string()
          .min(1)
          .max(63)
          .optional()
          .describe('university; by default that of the mail domain'),
        language: z
          .enum(LANGUAGES)
          .optional()
          .describe('language of the mails of this account; English by default'),
        redirect_to: redirectTo,
        captcha_token: captchaToken,
      }),
    ),
    response: z.object({
      success,
      verification_required: z
        .literal(true)
        .describe(
          'a mail was sent; its code, or the button of the page that it leads to, confirms the address',
        ),
    }),
    errors: [
      'weak_password',
      'university_not_accepted',
      'redirect_not_allowed',
      'captcha_failed',
      'forbidden',
      'rate_limited',
    ],
    example: {
      body: {
        email: 'robin@northfield.example.edu',
        password: 'an-invented-password-1',
        first_name: 'Robin',
        last_name: 'Field',
        university_id: 'northfield',
      },
    },
  },
  async ({ body }, call) => {
    const { email: given, password, captcha_token, redirect_to, ...data } = body
    requireAllowedRedirect(call.environment.redirects, redirect_to)
    // Before it counts: whoever has solved none uses up nobody's tries.
    await requireCaptcha(call.environment.captcha, captcha_token, clientAddress(call.request))
    const { mailbox, registered } = await mailboxOf(call.database, given)
    await consumeOpenRateLimit(call.database, call.context, mailbox, 'sign-up')
    if (data.university_id !== undefined) await checkUniversity(call.database, given, data.university_id)
    // Auth responds for an account with the same mailbox as it does for one with the same address.
    const email = registered ?? given
    const constantTime = pause(SIGN_UP_MS)
    const { error } = await signInClient(call).auth.signUp({
      email,
      password,
      options: { data, ...(redirect_to !== undefined && { emailRedirectTo: redirect_to }) },
    })
    // Somebody else may have signed up with this address less than a minute ago, or at this moment, for which Auth has several
    // errors: that mail counts for this person too, and that password must not.
    if (error && mayCollide(error))
      await call.database`select private.discard_other_sign_up(${email}, ${password})`
    await constantTime
    const reported = error && signUpError(error)
    if (reported) throw withRetryAfter(reported, call)
    if (error) log('warn', 'sign_up_without_mail', { code: error.code })
    return { success: true as const, verification_required: true as const }
  },
)

const refresh = endpoint(
  {
    ...common,
    id: 'refresh',
    path: '/api/auth/refresh',
    // Auth's hook lets sessions older than a block pass, and no newer ones.
    reachable: ['in_block', 'in_quarantine'],
    summary: 'Exchanges a refresh token for new tokens',
    description:
      'Keep the new refresh token: the old one is used up. Using it again later ends the session on all devices.',
    body: ofPlainJson(
      z.object({
        refresh_token: z.string().min(1).max(4096).describe('the newest one that was issued'),
      }),
    ),
    response: z.object({ success, tokens }),
    errors: ['refresh_token_invalid', 'rate_limited'],
    example: { body: { refresh_token: 'v1-invented-refresh-token' } },
  },
  async ({ body: { refresh_token } }, call) => {
    await consumeOpenRateLimit(call.database, call.context, refresh_token, 'refresh')
    const { data, error } = await signInClient(call).auth.refreshSession({ refresh_token })
    if (error) {
      // Whoever is blocked learns that, whatever was wrong with the token.
      await checkBlock(call)
      throw withRetryAfter(refreshError(error), call)
    }
    if (!data.session) throw new Error('Auth responded without a session')
    return { success: true as const, tokens: tokensOf(data.session) }
  },
)

/** `/api/auth/*`, on top of Supabase Auth. */
export const AUTH = [signIn, signUp, refresh] as const

/**
 * Signs a person in through Auth. Tries count against the limit of the address; one that fails is in the audit log. From a
 * blocked address nobody signs in, whoever they name and whatever session they have.
 *
 * Throws `address_blocked`, `invalid_credentials` and `rate_limited`.
 */
export async function signInWithPassword(
  call: Call<'none'>,
  credentials: { email: string; password: string },
): Promise<{ user: User; session: Session }> {
  await checkBlock(call)
  await consumeOpenRateLimit(call.database, call.context, credentials.email, 'sign-in')
  const constantTime = pause(SIGN_IN_MS)
  const { data, error } = await signInClient(call).auth.signInWithPassword(credentials)
  if (!error) return data
  await constantTime
  const reported = signInError(error)
  if (reported instanceof ServiceError && reported.status === 401) {
    await logFailedSignIn(call, reported.code, credentials.email)
  }
  throw withRetryAfter(reported, call)
}

/**
 * The address that was tried is not logged: it may be a typing error and belong to somebody unrelated to the service. The
 * account that it belongs to is kept for the detection of incidents, if there is one.
 */
async function logFailedSignIn(
  { database, request, context: { requestId } }: Call<'none'>,
  reason: string,
  tried: string,
): Promise<void> {
  await database`
    select private.audit_failed_sign_in(
      ${reason}, ${clientAddress(request)}::inet, ${request.headers.get('user-agent')}, ${requestId}, ${tried}, ${isByOtherPage(request)}
    )`
}

/** Refuses a blocked address whatever session the request has. Throws `address_blocked`. */
function checkBlock({ database, request, context }: Call<'none'>): Promise<void> {
  return checkCall(database, request, context.functionName, { reachable: ['in_quarantine'] })
}

/**
 * Checks that the new account would belong to the university that it names. An account belongs to the university of its
 * mail domain, or else to the one that it names, if that accepts addresses of other domains.
 *
 * Throws `university_not_accepted`.
 */
async function checkUniversity(database: Database, email: string, named: string): Promise<void> {
  const [{ given }] = await database<[{ given: string | null }]>`
    select private.university_for(${email}, ${named}) as given`
  if (given === named) return
  throw new ServiceError(
    'university_not_accepted',
    'This university is not known, or does not take this address. Use your address at the university.',
  )
}

/** The mailbox that an address leads to, and the confirmed address of the same mailbox that an account has. */
export async function mailboxOf(
  database: Database,
  email: string,
): Promise<{ mailbox: string; registered: string | null }> {
  const [found] = await database<[{ mailbox: string; registered: string | null }]>`
    select private.mailbox_of(${email}) as mailbox, private.registered_address(${email}) as registered`
  return found
}

async function namesOf(call: Call) {
  const { data, error } = await callerClient(call)
    .from('profiles')
    .select('first_name, last_name')
    .maybeSingle()
  if (error) throw error
  const { first_name, last_name } = data ?? {}
  return { ...(first_name && { first_name }), ...(last_name && { last_name }) }
}

export function tokensOf({ access_token, refresh_token, expires_in }: z.output<typeof tokens>) {
  return { access_token, refresh_token, expires_in }
}

/** Sets `Retry-After` for an error that names the seconds. */
export function withRetryAfter(error: Error, { context }: Call<'none'>): Error {
  const seconds = error instanceof ServiceError ? error.details?.retry_after_s : undefined
  if (seconds !== undefined) context.headers.set('retry-after', String(seconds))
  return error
}

/** Resolves after so many milliseconds: awaited beside work whose duration must not be visible from outside. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
