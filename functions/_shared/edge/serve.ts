import type { Hono } from 'hono'
import type { Input, Operation, Output } from '../contract/operation.ts'
import type { Database } from '../database.ts'
import { answer } from './answer.ts'
import { authenticate, type Caller } from './authenticate.ts'
import { readBody, validated } from './body.ts'
import type { Environment } from './environment.ts'
import type { Exchange } from './handle.ts'
import type { PageCall } from './page.ts'
import type { ProjectClient } from './project-client.ts'
import { type RateLimitScope, takeRateLimit } from './rate-limit.ts'

/** An operation whose limit, where it has one, is a rule of `private.rate_limit_rules`. */
export type ServedOperation = Operation & { limit?: RateLimitScope }

/** The request behind a call, beside its validated input. */
export type Call = PageCall & { caller: Caller }

/** What every call needs, whatever it does. */
export type Access = {
  database: Database
  supabase: ProjectClient
  environment: Pick<Environment, 'pagesUrl'>
}

/** A value that nobody changes: what is written down in a handler's answer is read so. */
type Lasting<Value> = Value extends readonly (infer Entry)[]
  ? readonly Lasting<Entry>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Lasting<Value[Name]> }
    : Value

const NOBODY: Caller = { userId: '', token: '' }

/**
 * Serves an operation: authenticates, takes one request of the person's allowance, validates, calls the handler and
 * answers with what it returns. A handler that returns a `Response` answers by itself; that of an open call counts
 * against its limit itself.
 */
export function serve<const O extends ServedOperation>(
  routes: Hono<{ Bindings: Exchange }>,
  { database, supabase, environment: { pagesUrl } }: Access,
  operation: O,
  handler: (input: Input<O>, call: Call) => Promise<Output<O> | Lasting<Output<O>> | Response>,
): void {
  const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
  routes.on(operation.method.toUpperCase(), path, async ({ req, env: exchange }) => {
    exchange.refusal = operation.refusal
    const request = req.raw
    const caller = operation.security === 'user' ? await authenticate(request, supabase) : NOBODY
    if (operation.limit && caller !== NOBODY) {
      await takeRateLimit(database, exchange, caller.userId, operation.limit)
    }
    const params = operation.params && validated(operation.params, req.param())
    const query = operation.query && validated(operation.query, queryOf(request))
    const body =
      operation.body && !operation.consumes
        ? await readBody(request, operation.body, operation.maxBytes)
        : undefined
    const input = { params: params ?? {}, query: query ?? {}, body } as Input<O>
    const result = await handler(input, { request, exchange, caller, pagesUrl })
    return result instanceof Response ? result : answer(result, operation.status ?? 200, exchange.requestId)
  })
}

/** The query of an address; `name[part]=value` becomes a member of an object. A name that comes twice keeps the last. */
function queryOf(request: Request): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URL(request.url).searchParams) {
    const [, outer, inner] = /^(\w+)\[(\w+)\]$/.exec(name) ?? []
    if (outer === undefined || inner === undefined) {
      query[name] = value
      continue
    }
    const members = query[outer]
    query[outer] = { ...(typeof members === 'object' ? members : {}), [inner]: value }
  }
  return query
}
