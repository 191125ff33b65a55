import { ServiceError } from '../errors.ts'
import { describeError, log, loggedAs } from './log.ts'
import { errorResponse, preflightResponse } from './response.ts'

/** What goes with one request. */
export type RequestContext = {
  requestId: string
  /** Headers that the answer gets however it ends. */
  headers: Headers
  /** Members that a refusal has beside those of every error body. */
  refusal?: Record<string, unknown>
}

export type Handler = (request: Request, context: RequestContext) => Promise<Response>

/**
 * Wraps a function's handler: a request id, one log line a request, and the one error path.
 *
 * @example
 * Deno.serve(handle('checkins', async (request, { requestId }) => jsonResponse({ ok: true }, 200, requestId)))
 */
export function handle(name: string, handler: Handler): (request: Request) => Promise<Response> {
  return (request) => {
    const requestId = acceptableId(request.headers.get('x-request-id')) ?? crypto.randomUUID()
    return loggedAs({ function: name, request_id: requestId }, async () => {
      const started = performance.now()
      const context: RequestContext = { requestId, headers: new Headers() }
      const response = await respond(handler, request, context)
      for (const [name, value] of context.headers) response.headers.set(name, value)
      log(response.status >= 500 ? 'error' : 'info', 'request', {
        method: request.method,
        status: response.status,
        ms: Math.round(performance.now() - started),
      })
      return response
    })
  }
}

async function respond(handler: Handler, request: Request, context: RequestContext): Promise<Response> {
  const { requestId } = context
  if (request.method === 'OPTIONS') return preflightResponse(requestId)
  try {
    return await handler(request, context)
  } catch (error) {
    if (error instanceof ServiceError) return errorResponse(error, requestId, context.refusal)
    log('error', 'unexpected_error', describeError(error))
    return errorResponse(
      new ServiceError('internal_error', 'Something went wrong on our side. Nothing was lost; try again.'),
      requestId,
      context.refusal,
    )
  }
}

/** A caller's own request id is kept when it is short and plain. */
function acceptableId(id: string | null): string | null {
  return id && /^[A-Za-z0-9._-]{8,64}$/.test(id) ? id : null
}
