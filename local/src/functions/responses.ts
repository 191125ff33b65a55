/** A response that the platform gives in place of a function's own. */
const platformResponse = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response => Response.json({ code, message }, { status, headers })

/** What the platform responds when a project has no such function. */
export const notFound = (): Response => platformResponse(404, 'NOT_FOUND', 'Requested function was not found')

/** The function did not start, or no isolate came free in time. */
export const bootError = (retryAfterMs = 0): Response =>
  platformResponse(
    503,
    'BOOT_ERROR',
    'Function failed to start (please check logs)',
    retryAfterMs > 0 ? { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) } : {},
  )

/** The isolate ended by itself before it responded. */
export const workerError = (): Response =>
  platformResponse(502, 'WORKER_ERROR', 'Function exited due to an error (please check logs)')

/** The isolate was killed over a limit before it responded. */
export const resourceLimit = (): Response =>
  platformResponse(
    546,
    'WORKER_RESOURCE_LIMIT',
    'Function failed due to not having enough compute resources (please check logs)',
  )

/** The request had no response in time. */
export const timedOut = (): Response =>
  platformResponse(504, 'IDLE_TIMEOUT', 'Request timed out before the function responded')

/** The stack is being stopped. */
export const stopping = (): Response =>
  platformResponse(503, 'SERVICE_UNAVAILABLE', 'The functions are being stopped')
