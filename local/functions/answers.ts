/** Answers that the platform gives in place of a function, with its status and body. */
const answer = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response => Response.json({ code, message }, { status, headers })

export const notFound = (): Response => answer(404, 'NOT_FOUND', 'Requested function was not found')

export const bootError = (retryAfterMs = 0): Response =>
  answer(
    503,
    'BOOT_ERROR',
    'Function failed to start (please check logs)',
    retryAfterMs > 0 ? { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) } : {},
  )

export const workerError = (): Response =>
  answer(502, 'WORKER_ERROR', 'Function exited due to an error (please check logs)')

export const timedOut = (): Response =>
  answer(504, 'IDLE_TIMEOUT', 'Request timed out before the function answered')

export const stopping = (): Response => answer(503, 'SERVICE_UNAVAILABLE', 'The functions are being stopped')
