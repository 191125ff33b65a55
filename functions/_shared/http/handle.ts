import { refusedByDatabase, ServiceError } from '../errors.ts'
import { describeError, log, loggedAs, traceHeaders } from '../log.ts'
import { clientAddress } from '../platform/client-address.ts'
import { traceOf } from '../trace.ts'
import { BodyMemory } from './body-memory.ts'
import { errorResponse, preflightResponse } from './response.ts'

/** State of one request. */
export type RequestContext = {
  requestId: string
  /** Name of the edge function. */
  functionName: string
  /** When the request began, on the clock of `performance.now`. */
  startedAt: number
  /** Headers to add to the response, whether the request succeeds or fails. */
  headers: Headers
  /** What the body of the request takes. */
  memory: BodyMemory
  /** Members that an error of this route has in addition to those of every error body. */
  errorMembers?: Record<string, unknown>
  /** What an error of this request has in its details beside its own. */
  errorDetails?: Record<string, unknown>
}

type Handler = (request: Request, context: RequestContext) => Promise<Response>

/** What a browser is shown in place of an error; null where that stays JSON. */
export type ErrorPage = (
  error: ServiceError,
  call: { request: Request; context: RequestContext },
) => Promise<Response | null>

/**
 * Wraps a function's handler: a request id, a trace (the caller's by its header `traceparent`, or a new one), one log line per
 * request, and one way for errors.
 */
export function handle(
  name: string,
  handler: Handler,
  errorPage?: ErrorPage,
): (request: Request) => Promise<Response> {
  return (request) => {
    const requestId = acceptableId(request.headers.get('x-request-id')) ?? crypto.randomUUID()
    const trace = traceOf(request.headers.get('traceparent'))
    return loggedAs({ function: name, request_id: requestId }, trace, async () => {
      const context: RequestContext = {
        requestId,
        functionName: name,
        startedAt: performance.now(),
        headers: new Headers(),
        memory: new BodyMemory(clientAddress(request)),
      }
      const response = await respond(handler, request, context, errorPage)
      const headers = [...context.headers, ...Object.entries(traceHeaders())]
      for (const [name, value] of headers) response.headers.set(name, value)
      log(response.status >= 500 ? 'error' : 'info', 'request', {
        method: request.method,
        status: response.status,
        ms: Math.round(performance.now() - context.startedAt),
      })
      return response
    })
  }
}

/** The error of an address that no route has. */
export function notFound(): ServiceError {
  return new ServiceError('not_found', 'There is nothing at this address. See /api/docs.')
}

/** The error of a method that an address does not take; the response names those it does in `Allow`. */
export function methodNotAllowed(headers: Headers, allowed: readonly string[]): ServiceError {
  headers.set('allow', allowed.join(', '))
  return new ServiceError('method_not_allowed', 'This address does not take that method.')
}

async function respond(
  handler: Handler,
  request: Request,
  context: RequestContext,
  errorPage?: ErrorPage,
): Promise<Response> {
  const { requestId } = context
  if (request.method === 'OPTIONS') return preflightResponse(requestId)
  try {
    return await handler(request, context)
  } catch (error) {
    const known = error instanceof ServiceError ? error : refusedByDatabase(error)
    if (!known) log('error', 'unexpected_error', describeError(error))
    const told =
      known ??
      new ServiceError('internal_error', 'Something went wrong on our side. Nothing was lost; try again.')
    const page = errorPage && wantsPage(request) ? await shown(errorPage, told, { request, context }) : null
    return page ?? errorResponse(told, requestId, context)
  } finally {
    context.memory.release()
  }
}

/** Whether a request is a browser's for a page: programs take anything, or JSON. */
function wantsPage({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.get('accept') ?? '')
}

/** The page of an error, with the error's own headers; null where there is none, or where it cannot be made. */
async function shown(
  errorPage: ErrorPage,
  error: ServiceError,
  call: { request: Request; context: RequestContext },
): Promise<Response | null> {
  try {
    const page = await errorPage(error, call)
    const wait = error.details?.retry_after_s
    if (page && typeof wait === 'number') page.headers.set('retry-after', String(wait))
    return page
  } catch (reason) {
    log('error', 'error_page_failed', describeError(reason))
    return null
  }
}

/** A caller's own request id is kept when it is short and plain. */
function acceptableId(id: string | null): string | null {
  return id && /^[A-Za-z0-9._-]{8,64}$/.test(id) ? id : null
}
