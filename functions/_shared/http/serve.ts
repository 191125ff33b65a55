import type { Hono } from 'hono'
import type { Database } from '../database.ts'
import { authenticate, type Caller } from './authenticate.ts'
import { readBody, validated } from './body.ts'
import type { Environment } from './environment.ts'
import type { RequestContext } from './handle.ts'
import type { PageCall } from './page.ts'
import type { ProjectClient } from './project-client.ts'
import { consumeRateLimit, type RateLimitScope } from './rate-limit.ts'
import { jsonResponse } from './response.ts'
import type { Input, Output, Route } from './route.ts'

/** An route whose limit, where it has one, is a rule of `private.rate_limit_rules`. */
export type ServedRoute = Route & { limit?: RateLimitScope }

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
 * Serves a route: authenticates, counts the request against the person's rate limit, validates, calls the handler and
 * answers with what it returns. A handler that returns a `Response` answers by itself; that of an open call counts
 * against its limit itself.
 */
export function serve<const O extends ServedRoute>(
  app: Hono<{ Bindings: RequestContext }>,
  { database, supabase, environment: { pagesUrl } }: Access,
  route: O,
  handler: (input: Input<O>, call: Call) => Promise<Output<O> | Lasting<Output<O>> | Response>,
): void {
  const path = route.path.replace(/\{(\w+)\}/g, ':$1')
  app.on(route.method.toUpperCase(), path, async ({ req, env: context }) => {
    context.refusal = route.refusal
    const request = req.raw
    const caller = route.security === 'user' ? await authenticate(request, supabase) : NOBODY
    if (route.limit && caller !== NOBODY) {
      await consumeRateLimit(database, context, caller.userId, route.limit)
    }
    const params = route.params && validated(route.params, req.param())
    const query = route.query && validated(route.query, queryOf(request))
    const body =
      route.body && !route.consumes ? await readBody(request, route.body, route.maxBytes) : undefined
    const input = { params: params ?? {}, query: query ?? {}, body } as Input<O>
    const result = await handler(input, { request, context, caller, pagesUrl })
    return result instanceof Response ? result : jsonResponse(result, route.status ?? 200, context.requestId)
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
