import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import { describeError, log } from '../log.ts'
import type { ProjectClient } from '../platform/clients.ts'
import { authenticate, type Caller, EndedSession } from './authenticate.ts'
import { checkContentType, readJson, validated } from './body.ts'
import { limitConcurrency } from './concurrency-limit.ts'
import { deprecationHeaders } from './deprecation.ts'
import { enforceSecurityPolicies } from './enforce-security-policies.ts'
import type { Environment } from './environment.ts'
import { checkCall } from './guard.ts'
import { type ErrorPage, handle, methodNotAllowed, notFound, type RequestContext } from './handle.ts'
import { consumeRateLimit } from './rate-limit.ts'
import { jsonResponse } from './response.ts'
import type { Input, Output, Route } from './route.ts'
import { noteError } from './security-events.ts'
import { requireRoleAt, rolesOfStaff } from './staff.ts'

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

/** A call that ended with an error, whatever it was, and whose it was. */
export type FailedCall = Services & {
  account: string
  /** Whether the session had ended: the account signed out, or is banned. */
  ended: boolean
  params: Params
  /** The body as it came, not validated; `undefined` where it cannot be read. */
  body: unknown
}

/** What is done about a call that ended with an error; what it returns, if anything, is added to the details of the error. */
type OnError = (call: FailedCall) => Promise<Record<string, unknown> | null>

type Respond = (request: Request, context: RequestContext, params: Params) => Promise<Response>

/** What a path has in place of the names in braces. */
type Params = Record<string, string>

/** A route that can be served, with what it needs of the function. */
export type Endpoint<Needed = Services> = Route & { start: (services: Needed) => Respond }

type DeepReadonly<Value> = Value extends readonly (infer Entry)[]
  ? readonly DeepReadonly<Entry>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value

/**
 * Serves a function, whose folder has this name: each of its endpoints, 405 with `Allow` where an address has them for other
 * methods only, else 404. Of two that a request matches the first one counts. What goes wrong is JSON, but where `errorPage` makes a
 * page of it for a browser.
 *
 * @example
 * Deno.serve(serve('checkins', services, [endpoint(routes.startCheckIn, async ({ body }, { caller }) => …)]))
 */
export function serve<Given>(
  name: string,
  services: Given,
  endpoints: readonly Endpoint<NoInfer<Given>>[],
  errorPage?: ErrorPage,
): (request: Request) => Promise<Response> {
  const served = endpoints.map(({ method, path, start }) => ({
    method: method.toUpperCase(),
    parts: path.split('/'),
    respond: start(services),
  }))
  const answer = async (request: Request, context: RequestContext) => {
    const path = new URL(request.url).pathname.replace(/\/$/, '').split('/').map(decoded)
    const here = served.filter(({ parts }) => matches(parts, path))
    if (here.length === 0) throw notFound()
    const isHead = request.method === 'HEAD'
    const called = here.find(({ method }) => method === (isHead ? 'GET' : request.method))
    if (!called) {
      const methods = here.map(({ method }) => method)
      throw methodNotAllowed(context.headers, methods)
    }
    const response = await called.respond(request, context, paramsOf(called.parts, path))
    return isHead ? new Response(null, response) : response
  }
  return handle(name, answer, errorPage)
}

/**
 * A route with the handler that serves it. A request is checked against blocks, authenticated, held against the security policies,
 * counted against the caller's rate limit, and its caller's role looked up, all before what was sent is validated; what the handler
 * returns is the response. What is refused is recorded for the detection of incidents, and given to `onError` if somebody is signed in.
 *
 * @example
 * const readStudent = endpoint({ id: 'readStudent', method: 'get', … }, async ({ params }, { caller }) => …)
 */
export function endpoint<const R extends Route & { security: 'user' | 'metrics' | 'none' }>(
  route: R,
  handler: RouteHandler<R>,
  onError?: OnError,
): R & Endpoint {
  return { ...route, start: (services) => respondTo(route, handler, services, onError) }
}

function respondTo<R extends Route>(
  route: R,
  handler: RouteHandler<R>,
  services: Services,
  onError?: OnError,
): Respond {
  return async (request, context, params) => {
    context.errorMembers = route.errorMembers
    for (const [name, value] of route.deprecation ? deprecationHeaders(route.deprecation) : []) {
      context.headers.set(name, value)
    }
    const authenticated = route.security === 'user' ? authenticate(request, services.supabase) : null
    authenticated?.catch(() => {})
    const body = once(() => readJson(request, context.memory, route.maxBytes))
    let caller: Caller | null = null
    try {
      caller = await authorize(authenticated, request, context)
      return await respond(caller, request, context, params, body)
    } catch (error) {
      await noteError(services.database, request, error, caller?.userId ?? null)
      if (onError && authenticated) {
        const details = await detailsOf(onError, authenticated, context, params, body)
        if (details) context.errorDetails = details
      }
      throw error
    }
  }

  /** What is done about an error; its answer is the same if that fails. */
  async function detailsOf(
    onError: OnError,
    authenticated: Promise<Caller>,
    context: RequestContext,
    params: Params,
    body: () => Promise<unknown>,
  ): Promise<Record<string, unknown> | null> {
    try {
      const caller = await authenticated.catch((error) => {
        if (error instanceof EndedSession) return error
        throw error
      })
      const ended = caller instanceof EndedSession
      const account = ended ? caller.account : caller.userId
      context.memory.sender = account
      return await onError({ ...services, account, ended, params, body: await body() })
    } catch (error) {
      if (!(error instanceof ServiceError)) log('error', 'error_not_acted_on', describeError(error))
      return null
    }
  }

  /** Who calls. Both are asked at the same time, as neither waits for the other; a blocked address learns only that. */
  async function authorize(
    caller: Promise<Caller> | null,
    request: Request,
    { functionName }: RequestContext,
  ): Promise<Caller | null> {
    // A session passes a block where it is what the call acts for, and not, say, to sign somebody up.
    await checkCall(services.database, request, functionName, { reachable: route.reachable, caller })
    if (route.jsonOnly) checkContentType(request)
    return caller
  }

  /** A policy counts and logs every request, and blocks none of a route that nobody is to be kept from. */
  function letPass(error: unknown): void {
    const isBlock = error instanceof ServiceError && error.code === 'access_blocked'
    if (!isBlock || route.reachable === 'always' || !route.reachable?.includes('past_policies')) throw error
  }

  function respond(
    caller: Caller | null,
    request: Request,
    context: RequestContext,
    given: Params,
    json: () => Promise<unknown>,
  ): Promise<Response> {
    const answer = async () => {
      if (route.reachable !== 'always') {
        await enforceSecurityPolicies({ ...services, request, context, caller }).catch(letPass)
      }
      if (route.limit && caller) {
        await consumeRateLimit(services.database, context, caller.userId, route.limit)
      }
      const roles =
        route.staff && caller ? await rolesOfStaff(services.database, caller.userId, route.staff) : []
      const params = route.params && validated(route.params, given)
      const query = route.query && validated(route.query, queryOf(request))
      if (route.staffAt) requireRoleAt({ ...params, ...query }[route.staffAt], roles)
      const body = route.body && !route.consumes ? validated(route.body, await json()) : undefined
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

/** Does something when it is first asked for, and gives the same result after. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined
  return () => {
    made ??= make()
    return made
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

/** Whether a path matches a template with parameters in braces, both in parts. */
function matches(template: readonly string[], path: readonly string[]): boolean {
  return (
    template.length === path.length &&
    template.every((part, index) => (part.startsWith('{') ? path[index] !== '' : part === path[index]))
  )
}

function paramsOf(template: readonly string[], path: readonly string[]): Params {
  return Object.fromEntries(
    template.flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), path[index] ?? '']] : [])),
  )
}

/** A part of a path as it was meant; what is no UTF-8 stays as it is. */
function decoded(part: string): string {
  return part.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes
    }
  })
}
