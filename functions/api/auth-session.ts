import type { AuthError } from '@supabase/supabase-js'
import * as z from 'zod'
import { factorError } from '../_shared/accounts/auth-errors.ts'
import { ServiceError } from '../_shared/errors.ts'
import { ofPlainJson } from '../_shared/fields.ts'
import { consumeAccountRateLimit } from '../_shared/http/rate-limit.ts'
import { type Call, endpoint } from '../_shared/http/serve.ts'
import { signInClient } from '../_shared/platform/clients.ts'
import { common, success, tokens, tokensOf } from './auth.ts'

/**
 * What calls of a session have in common. Who has signed in with a password alone, or has lost every role, gives a code and signs out
 * all the same: Auth, which is asked, decides.
 */
const ofSession = { ...common, security: 'user', reachable: 'always' } as const

const factorId = z.uuid().describe('the app')

const LIMIT = '30 calls of this and the others of a session within 5 minutes.'

const signOut = endpoint(
  {
    ...ofSession,
    id: 'signOut',
    path: '/api/auth/signout',
    summary: 'Ends the session, those of other devices, or all',
    description: LIMIT,
    body: ofPlainJson(
      z.object({
        scope: z.enum(['local', 'others', 'global']).default('local').describe('which sessions end'),
      }),
    ),
    response: z.object({ success }),
    errors: ['rate_limited'],
    example: { body: { scope: 'local' } },
    exampleResponse: { success: true },
  },
  async ({ body: { scope } }, call) => {
    await countCall(call)
    const { error } = await call.supabase.auth.admin.signOut(call.caller.token, scope)
    if (error) throw sessionError(error, call)
    return { success: true as const }
  },
)

const enroll = endpoint(
  {
    ...ofSession,
    id: 'enrollFactor',
    path: '/api/auth/mfa/enroll',
    summary: 'Begins to add an authenticator app',
    description: `It counts once a code of it was given, within 5 minutes. ${LIMIT}`,
    body: ofPlainJson(
      z.object({
        friendly_name: z.string().trim().min(1).max(100).optional().describe('what the person calls it'),
      }),
    ),
    response: z.object({
      success,
      factor_id: factorId,
      qr_code: z.string().describe('picture to scan, an address `data:image/svg+xml`'),
      secret: z.string().describe('to type instead, base32'),
      uri: z.string().describe('the same for an app on this device, `otpauth://`'),
    }),
    errors: ['factor_conflict', 'mfa_required', 'rate_limited'],
    example: { body: { friendly_name: 'Phone' } },
  },
  async ({ body: { friendly_name } }, call) => {
    await countCall(call)
    const auth = await sessionClient(call)
    const { data, error } = await auth.mfa.enroll({
      factorType: 'totp',
      friendlyName: friendly_name ?? new Date().toISOString(),
    })
    if (error) throw sessionError(error, call)
    const { id, totp } = data
    return {
      success: true as const,
      factor_id: id,
      qr_code: totp.qr_code,
      secret: totp.secret,
      uri: totp.uri,
    }
  },
)

const challenge = endpoint(
  {
    ...ofSession,
    id: 'challengeFactor',
    path: '/api/auth/mfa/challenge',
    summary: 'Asks for a code of an app, which is then given with verify',
    description: `Good for 5 minutes, from the same network address. ${LIMIT}`,
    body: ofPlainJson(z.object({ factor_id: factorId })),
    response: z.object({
      success,
      challenge_id: z.uuid().describe('for verify'),
      expires_at: z.number().describe('until when, seconds since 1970'),
    }),
    errors: ['factor_not_found', 'rate_limited'],
    example: { body: { factor_id: 'f5a1c0de-1c1e-4d3e-9a57-0f6d1c2b3a49' } },
  },
  async ({ body: { factor_id } }, call) => {
    await countCall(call)
    const auth = await sessionClient(call)
    const { data, error } = await auth.mfa.challenge({ factorId: factor_id })
    if (error) throw sessionError(error, call)
    return { success: true as const, challenge_id: data.id, expires_at: data.expires_at }
  },
)

const verify = endpoint(
  {
    ...ofSession,
    id: 'verifyFactor',
    path: '/api/auth/mfa/verify',
    summary: 'Takes a code of an app: adds the app, or raises the session',
    description: `The new tokens are those of the raised session; the account's other sessions below it end. After 10 wrong codes of an account within 15 minutes, or 30 a day, none is taken. ${LIMIT}`,
    body: ofPlainJson(
      z.object({
        factor_id: factorId,
        challenge_id: z.uuid().optional().describe('from challenge; without it one is made'),
        code: z.string().trim().min(1).max(20).describe('what the app shows now'),
      }),
    ),
    response: z.object({ success, tokens }),
    errors: ['wrong_code', 'factor_not_found', 'rate_limited'],
    example: { body: { factor_id: 'f5a1c0de-1c1e-4d3e-9a57-0f6d1c2b3a49', code: '123456' } },
  },
  async ({ body: { factor_id: factorId, challenge_id: challengeId, code } }, call) => {
    await countCall(call)
    await requireCodesTaken(call)
    const auth = await sessionClient(call)
    const { data, error } = challengeId
      ? await auth.mfa.verify({ factorId, challengeId, code })
      : await auth.mfa.challengeAndVerify({ factorId, code })
    if (error) {
      await requireCodesTaken(call)
      throw sessionError(error, call)
    }
    return { success: true as const, tokens: tokensOf(data) }
  },
)

const unenroll = endpoint(
  {
    ...ofSession,
    id: 'unenrollFactor',
    path: '/api/auth/mfa/unenroll',
    summary: 'Removes an authenticator app',
    description: `An app that counts takes a session in which a code was given. ${LIMIT}`,
    body: ofPlainJson(z.object({ factor_id: factorId })),
    response: z.object({ success }),
    errors: ['factor_not_found', 'mfa_required', 'rate_limited'],
    example: { body: { factor_id: 'f5a1c0de-1c1e-4d3e-9a57-0f6d1c2b3a49' } },
    exampleResponse: { success: true },
  },
  async ({ body: { factor_id } }, call) => {
    await countCall(call)
    const auth = await sessionClient(call)
    const { error } = await auth.mfa.unenroll({ factorId: factor_id })
    if (error) throw sessionError(error, call)
    return { success: true as const }
  },
)

const listFactors = endpoint(
  {
    ...ofSession,
    id: 'listFactors',
    method: 'get',
    jsonOnly: undefined,
    maxBytes: undefined,
    path: '/api/auth/mfa/factors',
    summary: "The account's authenticator apps",
    description: LIMIT,
    response: z.object({
      success,
      factors: z
        .array(
          z.object({
            factor_id: factorId,
            friendly_name: z.string().nullable().describe('what the person calls it'),
            verified: z.boolean().describe('whether it counts: a code of it was given'),
            created_at: z.string().describe('when it was added, ISO 8601'),
          }),
        )
        .describe('those that count, and those whose first code is awaited'),
    }),
    errors: ['rate_limited'],
  },
  async (_, call) => {
    await countCall(call)
    const auth = await sessionClient(call)
    const { data, error } = await auth.mfa.listFactors()
    if (error) throw sessionError(error, call)
    const apps = data.all.filter(({ factor_type }) => factor_type === 'totp')
    return {
      success: true as const,
      factors: apps.map(({ id, friendly_name, status, created_at }) => ({
        factor_id: id,
        friendly_name: friendly_name ?? null,
        verified: status === 'verified',
        created_at,
      })),
    }
  },
)

/** `/api/auth/signout` and `/api/auth/mfa/*`. */
export const AUTH_SESSION = [signOut, listFactors, enroll, challenge, verify, unenroll] as const

function countCall({ database, context, caller }: Call): Promise<void> {
  return consumeAccountRateLimit(database, context, caller.userId, 'session')
}

/** Auth as the session of the call sees it; it is never refreshed here. */
async function sessionClient(call: Call) {
  const { auth } = signInClient(call)
  const { error } = await auth.setSession({ access_token: call.caller.token, refresh_token: 'none' })
  if (error) throw sessionError(error, call)
  return auth
}

/** Throws `rate_limited` while no code of the account is taken; the session has ended then. */
async function requireCodesTaken({ database, caller }: Call): Promise<void> {
  const [{ problem }] = await database<[{ problem: string | null }]>`
    select private.second_factor_error(private.refuse_second_factor(${caller.userId})) #>> '{error,message}' as problem`
  if (problem !== null) throw new ServiceError('rate_limited', problem)
}

function sessionError(error: AuthError, { context }: Call): Error {
  const reported = factorError(error)
  const seconds = reported instanceof ServiceError ? reported.details?.retry_after_s : undefined
  if (seconds !== undefined) context.headers.set('retry-after', String(seconds))
  return reported
}
