import type { Hono } from 'hono'
import type { z } from 'zod'
import type { Caller } from '../gateway/caller.ts'
import { errors } from './errors.ts'

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

/** Where the client wants the mail's link to lead. */
export const redirectOf = (request: Request) =>
  new URL(request.url).searchParams.get('redirect_to') ?? request.headers.get('redirect_to')
