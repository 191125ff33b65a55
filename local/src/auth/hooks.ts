import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { z } from 'zod'
import type { AuthSettings } from '../config.ts'
import type { Claims } from '../http/jwt.ts'
import type { AuthContext, Queries } from './context.ts'
import { AuthError, errors } from './errors.ts'

const madeClaims = z.object({ claims: z.record(z.string(), z.unknown()).optional() })

const verdict = z.object({
  decision: z.string().optional(),
  message: z.string().optional(),
  should_logout_user: z.boolean().optional(),
})

const failure = z.object({
  error: z.object({ http_code: z.number().int().optional(), message: z.string().optional() }).optional(),
})

/** Claims that every token has, which a hook may change but not leave out. */
const required = ['aud', 'exp', 'iat', 'sub', 'email', 'phone', 'role', 'aal', 'session_id', 'is_anonymous']

const queryCanceled = '57014'

/** Schema and name of the function that `pg-functions://postgres/schema/name` names. */
function functionOf(uri: string): [schema: string, name: string] {
  const [, schema, name] = /^pg-functions:\/\/\w+\/(\w+)\/(\w+)$/.exec(uri) ?? []
  if (!schema || !name) throw errors.unexpected(`Only hooks of the form pg-functions://… are served: ${uri}`)
  return [schema, name]
}

/**
 * What a hook, a function of the database, returns. GoTrue runs it as `supabase_auth_admin`, for 2 s at most.
 *
 * @param sql a transaction
 * @throws AuthError when it fails
 */
async function runHook(sql: Queries, uri: string, event: Record<string, unknown>): Promise<unknown> {
  const [schema, name] = functionOf(uri)
  await sql`set local statement_timeout = '2s'`
  const [row] = await sql<{ output: unknown }[]>`
    select ${sql(schema)}.${sql(name)}(${JSON.stringify(event)}::text::jsonb) as output`.catch(
    (error: unknown) => {
      if (error instanceof postgres.PostgresError && error.code === queryCanceled) {
        throw new AuthError(422, 'hook_timeout', 'Failed to reach hook within maximum time')
      }
      throw Object.assign(errors.unexpected('Error running hook URI'), { cause: error })
    },
  )
  return row?.output
}

/** @throws AuthError as a hook says that returned an error */
function assertNoError(output: unknown): void {
  const { error } = failure.parse(output)
  if (!error?.message) return
  const status = error.http_code || 500
  throw new AuthError(status, status === 500 ? 'unexpected_failure' : 'unknown', error.message)
}

/** What a hook returns that has a transaction of its own: what it wrote stays, also when it returns an error. */
async function runHookAlone(sql: AuthContext['sql'], uri: string, event: Record<string, unknown>) {
  const output = await sql.begin((transaction) => runHook(transaction, uri, event))
  assertNoError(output)
  return verdict.parse(output)
}

const metadataOf = (name: string, address: string | null) => ({
  uuid: randomUUID(),
  time: new Date().toISOString(),
  name,
  ...(address !== null && { ip_address: address }),
})

/**
 * The claims of an access token as the project's custom access token hook makes them.
 *
 * @param sql a transaction, which the error of a hook ends
 * @throws AuthError as the hook says, or when what it returns lacks a claim that every token has
 */
export async function customClaims(
  sql: Queries,
  settings: AuthSettings,
  userId: string,
  method: string,
  claims: Claims,
): Promise<Claims> {
  const { enabled, uri } = settings.hook.custom_access_token
  if (!enabled) return claims
  const event = { user_id: userId, claims, authentication_method: method }
  const returned = await runHook(sql, uri, event)
  assertNoError(returned)
  const output = madeClaims.parse(returned)
  const missing = required.filter((claim) => output.claims?.[claim] === undefined)
  if (!output.claims || missing.length > 0) {
    throw errors.unexpected(`output claims do not conform to the expected schema: ${missing.join(', ')}`)
  }
  return output.claims
}

/**
 * Tells the project's password verification hook of a password, right or wrong; it may reject the sign-in.
 *
 * Source: ResourceOwnerPasswordGrant in internal/api/token.go, and internal/hooks/v0hooks, of supabase/auth.
 *
 * @param address where the request comes from; null when nobody says
 * @throws AuthError `invalid_credentials` with the hook's message when it rejects
 */
export async function reportPassword(
  sql: AuthContext['sql'],
  settings: AuthSettings,
  userId: string,
  valid: boolean,
  address: string | null,
): Promise<void> {
  const { enabled, uri } = settings.hook.password_verification_attempt
  if (!enabled) return
  const metadata = metadataOf('password-verification', address)
  const event = { metadata, user_id: userId, valid }
  const { decision, message, should_logout_user: endsSessions } = await runHookAlone(sql, uri, event)
  if (decision !== 'reject') return
  if (endsSessions) await sql`delete from auth.sessions where user_id = ${userId}`
  const usual = 'Further password verification attempts will be rejected.'
  throw new AuthError(400, 'invalid_credentials', message || usual)
}

/**
 * Tells the project's MFA verification hook of a code, right or wrong; it may reject the verification, which ends every
 * session of the account.
 *
 * Source: verifyTOTPFactor in internal/api/mfa.go of supabase/auth.
 *
 * @param address where the request comes from; null when nobody says
 * @throws AuthError `mfa_verification_rejected` with the hook's message when it rejects, and as the hook says
 */
export async function reportCode(
  { sql, settings }: AuthContext,
  factor: { id: string; user_id: string; factor_type: string },
  valid: boolean,
  address: string | null,
): Promise<void> {
  const { enabled, uri } = settings.hook.mfa_verification_attempt
  if (!enabled) return
  const metadata = metadataOf('mfa-verification', address)
  const { id: factor_id, user_id, factor_type } = factor
  const event = { metadata, user_id, factor_id, factor_type, valid }
  const { decision, message } = await runHookAlone(sql, uri, event)
  if (decision !== 'reject') return
  await sql`delete from auth.sessions where user_id = ${user_id}`
  throw errors.mfaVerificationRejected(message || 'Further MFA verification attempts will be rejected.')
}
