/** A row of `net.http_request_queue`. */
export interface QueuedRequest {
  id: string
  method: string
  url: string
  headers: Record<string, string> | null
  body: Uint8Array | null
  timeoutMs: number
}

/** A row of `net._http_response`: either a status with its content, or an error. */
export interface Answer {
  statusCode: number | null
  contentType: string | null
  headers: Record<string, string> | null
  content: string | null
  timedOut: boolean
  error: string | null
}

/** Sends one request, without following redirects, within its own time limit. Never rejects. */
export async function send(request: QueuedRequest, ending: AbortSignal): Promise<Answer> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: { 'user-agent': 'pg_net/0.20.0', ...request.headers },
      body: request.body ? new Uint8Array(request.body) : null,
      redirect: 'manual',
      signal: AbortSignal.any([timeout, ending]),
    })
    return {
      statusCode: response.status,
      contentType: response.headers.get('content-type'),
      headers: Object.fromEntries(response.headers),
      content: await response.text(),
      timedOut: false,
      error: null,
    }
  } catch (error) {
    return {
      statusCode: null,
      contentType: null,
      headers: null,
      content: null,
      timedOut: timeout.aborted,
      error: timeout.aborted ? `Timeout of ${request.timeoutMs} ms reached` : reason(error),
    }
  }
}

/** fetch says only "fetch failed"; why is in its cause. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reason(error.cause) : error.message || error.name
}
