import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { CallerResult } from '../http/caller.ts'
import { JwtError, type TokenSigner } from '../http/jwt.ts'
import type { Operation, Sql } from './database.ts'
import { errors } from './errors.ts'
import type { ObjectFiles } from './files.ts'
import type { ObjectRef, Objects } from './objects.ts'

/** What every route of the storage API works with. */
export interface StorageContext {
  sql: Sql
  files: ObjectFiles
  objects: Objects
  tokens: TokenSigner
  settings: Config['storage']
}

export interface Env {
  Bindings: { caller: CallerResult }
}

export type StorageApp = Hono<Env>

/** The body as JSON of a shape. @throws StorageError */
export async function bodyOf<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const value: unknown = await request.json().catch(() => {
    throw errors.invalidBody('Body is not valid JSON')
  })
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw errors.invalidBody(`body/${issue?.path.join('/') ?? ''} ${issue?.message ?? 'is invalid'}`)
}

/** The caller and what it asks for. @throws StorageError when the request's token does not hold */
export function operationOf(c: Context<Env>, name: string): Operation {
  const { caller, error } = c.env.caller
  if (caller) return { caller, name: `storage.${name}`, request: c.req.raw }
  if (!(error instanceof JwtError)) throw errors.accessDenied('Invalid key')
  const reason = { malformed: 'Invalid Compact JWS', signature: 'signature verification failed' }
  throw errors.accessDenied(
    error.fault === 'malformed' || error.fault === 'signature'
      ? reason[error.fault]
      : '"exp" claim timestamp check failed',
  )
}

/** Someone without a token, or with one that no longer holds, may still read public buckets. */
export function readOperation(c: Context<Env>, name: string): Operation {
  const anonymous = { role: 'anon', claims: { role: 'anon' } }
  return { caller: c.env.caller.caller ?? anonymous, name: `storage.${name}`, request: c.req.raw }
}

export const refOf = (c: Context<Env>): ObjectRef => ({
  bucket: c.req.param('bucket') ?? '',
  key: c.req.param('key') ?? '',
})
