import postgres from 'postgres'
import { z } from 'zod'
import type { AuthSettings } from '../config.ts'
import type { Queries } from './context.ts'
import { AuthError, errors } from './errors.ts'
import type { Claims } from './jwt.ts'

const response = z.object({
  claims: z.record(z.string(), z.unknown()).optional(),
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
 * The claims of an access token as the project's custom access token hook makes them. GoTrue runs it as
 * `supabase_auth_admin`, for 2 s at most.
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
  const [schema, name] = functionOf(uri)
  const event = JSON.stringify({ user_id: userId, claims, authentication_method: method })
  await sql`set local statement_timeout = '2s'`
  const [row] = await sql<{ output: unknown }[]>`
    select ${sql(schema)}.${sql(name)}(${event}::text::jsonb) as output`.catch((error: unknown) => {
    if (error instanceof postgres.PostgresError && error.code === queryCanceled) {
      throw new AuthError(422, 'hook_timeout', 'Failed to reach hook within maximum time')
    }
    throw Object.assign(errors.unexpected('Error running hook URI'), { cause: error })
  })
  const output = response.parse(row?.output)
  if (output.error) {
    throw new AuthError(output.error.http_code ?? 500, 'unexpected_failure', output.error.message ?? '')
  }
  const missing = required.filter((claim) => output.claims?.[claim] === undefined)
  if (!output.claims || missing.length > 0) {
    throw errors.unexpected(`output claims do not conform to the expected schema: ${missing.join(', ')}`)
  }
  return output.claims
}
