import { Hono } from 'hono'
import type { Database } from '../database.ts'
import type { ProjectClient } from '../supabase/clients.ts'
import { authenticate, type Caller, pageToken, verifyToken } from './authenticate.ts'
import { checkContentType, readBody, validated } from './body.ts'
import { deprecationHeaders } from './deprecation.ts'
import type { Environment } from './environment.ts'
import { checkCall } from './guard.ts'
import { methodNotAllowed, notFound, type RequestContext } from './handle.ts'
import { enforcePolicies } from './policies.ts'
import { consumeRateLimit } from './rate-limit.ts'
import { jsonResponse } from './response.ts'
import type { Input, Output, Route } from './route.ts'
import { noteError } from './security-events.ts'
import { inTurn } from './turns.ts'

/** The Hono app of a function, its routes with their full paths from its name on. */
export type App = Hono<{ Bindings: RequestContext }>

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

/** A route with its handler. */
type Endpoint<R extends Route = Route> = { route: R; addTo(app: App, services: Services): void }

type DeepReadonly<Value> = Value extends readonly (infer Entry)[]
  ? readonly DeepReadonly<Entry>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value

/**
 * Creates the app of a function; `serve` adds the handlers. Errors are left to `handle`. An address that takes other
 * methods is distinguished from one that does not exist.
 */
export function newApp(routes: readonly Route[]): App {
  const app: App = new Hono({ strict: false })
  app.onError((error) => {
    throw error
  })
  app.notFound(({ req, env }) => {
    const path = req.path.replace(/\/$/, '')
    const here = routes.filter((route) => matches(route.path, path))
    if (here.length === 0) throw notFound()
    const methods = here.map(({ method }) => method.toUpperCase())
    throw methodNotAllowed(env.headers, methods)
  })
  return app
}

/**
 * A call in one piece: its description and the handler that serves it.
 *
 * @example
 * const readStudent = endpoint({ id: 'readStudent', method: 'get', … }, async ({ params }, { caller }) => …)
 */
export function endpoint<const R extends Route>(route: R, handler: RouteHandler<R>): Endpoint<R> {
  return { route, addTo: (app, services) => serve(app, services, route, handler) }
}

/**
 * Serves a route: checks that the call is not blocked, authenticates, enforces the security policies, counts the request
 * against the caller's rate limit, validates, calls the handler and responds with what it returns. What is refused is recorded
 * for the detection of incidents.
 */
export function serve<const R extends Route>(
  app: App,
  services: Services,
  route: R,
  handler: RouteHandler<R>,
): void {
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
      if (route.security !== 'database' && route.reachable !== 'always') {
        await enforcePolicies({ ...services, request, context, caller })
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
    return inTurn(caller.userId, answer)
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
