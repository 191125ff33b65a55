import type { Hono } from 'hono'
import type postgres from 'postgres'
import type { z } from 'zod'
import type { AuthSettings } from '../config.ts'
import type { Caller } from '../http/caller.ts'
import type { TokenSigner } from '../http/jwt.ts'
import { connect } from '../postgres/connections.ts'
import { utcTimestamp } from '../postgres/timestamps.ts'
import { errors } from './errors.ts'
import type { AuthMailer } from './mail.ts'
import type { Passwords } from './passwords.ts'

/** What every part of the auth API works with. */
export interface AuthContext {
  sql: Sql
  settings: AuthSettings
  tokens: TokenSigner
  passwords: Passwords
  mailer: AuthMailer
  /** Where the API is reached from outside, without a trailing slash. */
  apiUrl: string
  /** Where links in mails lead when a request names no address of its own. */
  siteUrl: string
}

const same = <T>(value: T) => value

/** A connection as the role of the auth service, which triggers on `auth.users` run as. */
export function connectAuth(adminUrl: string) {
  return connect(adminUrl, {
    max: 6,
    idle_timeout: 60,
    onnotice: () => {},
    connection: {
      application_name: 'auth',
      TimeZone: 'UTC',
      role: 'supabase_auth_admin',
      search_path: 'auth',
    },
    types: {
      timestamp: { to: 1114, from: [1114], serialize: same, parse: utcTimestamp },
      timestamptz: { to: 1184, from: [1184], serialize: same, parse: utcTimestamp },
    },
  })
}

export type Sql = ReturnType<typeof connectAuth>

/** A connection, or a transaction on it. */
export type Queries = Sql extends postgres.Sql<infer Types> ? postgres.ISql<Types> : never

export interface Env {
  Bindings: { caller: Caller }
}

export type AuthApp = Hono<Env, Record<string, never>, '/auth/v1'>

/** The body as JSON of a shape. @throws AuthError `bad_json` or `validation_failed` */
export async function bodyOf<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const text = await request.text()
  let value: unknown = {}
  try {
    if (text !== '') value = JSON.parse(text)
  } catch {
    throw errors.badJson()
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw errors.validation(`${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'invalid'}`)
}
