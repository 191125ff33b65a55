import { Hono } from 'hono'
import type { Database } from '../database.ts'
import type { ProjectClient } from '../supabase/clients.ts'
import { authenticate, type Caller, pageToken, verifyToken } from './authenticate.ts'
import { checkContentType, readBody, validated } from './body.ts'
import { limitConcurrency } from './concurrency-limit.ts'
import { deprecationHeaders } from './deprecation.ts'
import { enforceSecurityPolicies } from './enforce-security-policies.ts'
import type { Environment } from './environment.ts'
import { checkCall } from './guard.ts'
import { handle, methodNotAllowed, notFound, type RequestContext } from './handle.ts'
import { consumeRateLimit } from './rate-limit.ts'
import { jsonResponse } from './response.ts'
import type { Input, Output, Route } from './route.ts'
import { noteError } from './security-events.ts'

/** The Hono app of a function, its routes with their full paths from its name on. */
type App = Hono<{ Bindings: RequestContext }>

/** What handlers reach, opened once when the function starts. */
export type Services = { environment: Environment; database: Database; supabase: ProjectClient }

/** The request behind a call, in addition to its validated input. `caller` is null where the call is open to everyone. */
export type Call<Security extends Route['security'] = 'user'> = Services & {
  request: Request
  context: RequestContext
  caller: Security extends 'user' ? Caller : null
}

/** A handler returns the body of the response, or a whole `Response`. */
type RouteHandler<R extends Route> = (
  input: Input<R>,
  call: Call<R['security']>,
) => Promise<Output<R> | DeepReadonly<Output<R>> | Response>

/** A route that can be served. `Needed` is what it reaches. */
export type Endpoint<Needed = Services> = Route & { addTo: (app: App, services: Needed) => void }

type DeepReadonly<Value> = Value extends readonly (infer Entry)[]
  ? readonly DeepReadonly<Entry>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value

/**
 * Serves a function, whose folder has this name: each of its endpoints, 405 with `Allow` where an address has them for other
 * methods only, else 404.
 *
 * @example
 * Deno.serve(serve('checkins', services, [endpoint(routes.startCheckIn, async ({ body }, { caller }) => …)]))
 */
export function serve<Given>(
  name: string,
  services: Given,
  endpoints: readonly Endpoint<NoInfer<Given>>[],
): (request: Request) => Promise<Response> {
  const app: App = new Hono({ strict: false })
  // Errors are left to `handle`.
  app.onError((error) => {
    throw error
  })
  app.notFound(({ req, env }) => {
    const path = req.path.replace(/\/$/, '')
    const here = endpoints.filter((endpoint) => matches(endpoint.path, path))
    if (here.length === 0) throw notFound()
    const methods = here.map(({ method }) => method.toUpperCase())
    throw methodNotAllowed(env.headers, methods)
  })
  for (const { addTo } of endpoints) addTo(app, services)
  return handle(name, async (request, context) => app.fetch(request, context))
}

/**
 * A route with the handler that serves it. A request is checked against blocks, authenticated, held against the security policies,
 * counted against the caller's rate limit and validated; what the handler returns is the response. What is refused is recorded for
 * the detection of incidents.
 *
 * @example
 * const readStudent = endpoint({ id: 'readStudent', method: 'get', … }, async ({ params }, { caller }) => …)
 */
export function endpoint<const R extends Route & { security: 'user' | 'metrics' | 'none' }>(
  route: R,
  handler: RouteHandler<R>,
): R & Endpoint {
  return { ...route, addTo: (app, services) => addRoute(app, services, route, handler) }
}

function addRoute<R extends Route>(app: App, services: Services, route: R, handler: RouteHandler<R>): void {
  const path = route.path.replace(/\{(\w+)\}/g, ':$1')
  app.on(route.method.toUpperCase(), path, async ({ req, env: context }) => {
    context.errorMembers = route.errorMembers
    for (const [name, value] of route.deprecation ? deprecationHeaders(route.deprecation) : []) {
      context.headers.set(name, value)
    }
    const request = req.raw
    let caller: Caller | null = null
    try {
      caller = await authorize(request, context)
      return await respond(caller, request, context, req.param())
    } catch (error) {
      await noteError(services.database, request, error, caller?.userId ?? null)
      throw error
    }
  })

  /** Who calls. Both are asked at the same time, as neither waits for the other; a blocked address learns only that. */
  async function authorize(request: Request, { functionName }: RequestContext): Promise<Caller | null> {
    const caller = route.security === 'user' ? authenticate(request, services.supabase) : null
    caller?.catch(() => {})
    await checkCall(services.database, request, functionName, {
      reachable: route.reachable,
      // A session passes a block where it is what the call acts for, and not, say, to sign somebody up.
      ...((caller || route.produces === 'text/html') && {
        caller: async () => caller ?? callerOfPage(request),
      }),
    })
    if (route.jsonOnly) checkContentType(request)
    return caller
  }

  async function callerOfPage(request: Request): Promise<Caller | null> {
    const token = pageToken(request)
    return token === null ? null : verifyToken(token, services.supabase)
  }

  function respond(
    caller: Caller | null,
    request: Request,
    context: RequestContext,
    given: Record<string, string>,
  ): Promise<Response> {
    const answer = async () => {
      if (route.reachable !== 'always') {
        await enforceSecurityPolicies({ ...services, request, context, caller })
      }
      if (route.limit && caller) {
        await consumeRateLimit(services.database, context, caller.userId, route.limit)
      }
      const params = route.params && validated(route.params, given)
      const query = route.query && validated(route.query, queryOf(request))
      const body =
        route.body && !route.consumes
          ? await readBody(request, context.memory, route.body, route.maxBytes)
          : undefined
      // The types of the route's own schemas and security, which TypeScript cannot follow through its generic parameter.
      const input = { params: params ?? {}, query: query ?? {}, body } as Input<R>
      const call = { ...services, request, context, caller } as Call<R['security']>
      const result = await handler(input, call)
      return result instanceof Response
        ? result
        : jsonResponse(result, route.status ?? 200, context.requestId)
    }
    if (!caller) return answer()
    context.memory.sender = caller.userId
    return limitConcurrency(caller.userId, answer)
  }
}

/** The query of an address; `name[part]=value` becomes a member of an object. Of a repeated name the last one counts. */
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

/** Whether a path matches a template with parameters in braces. */
function matches(template: string, path: string): boolean {
  const parts = template.split('/')
  const given = path.split('/')
  return (
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith('{') || part === given[index])
  )
}
