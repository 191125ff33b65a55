import type { ServiceErrorCode } from '../errors.ts'
import { ERROR_STATUSES } from '../generated/error-statuses.ts'

/** A request as the double's parts read it. */
export type Received = {
  method: string
  /** Below the part's own: `/checkins/start` of `/functions/v1/checkins/start`. */
  path: string
  query: URLSearchParams
  headers: Headers
  /** What the JSON of the body says; null where it is none. */
  json: Record<string, unknown> | null
  blob(): Promise<Blob>
}

/** An error of the service, in place of a response. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode
  readonly details: Record<string, unknown> | undefined

  constructor(code: ServiceErrorCode, details?: Record<string, unknown>) {
    super(`The test service responds ${code}.`)
    this.code = code
    this.details = details
  }

  get status(): number {
    return ERROR_STATUSES[this.code]
  }
}

/** A response of a function, with the headers that each has. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'api-version': '2.0',
      'x-request-id': crypto.randomUUID(),
      traceparent: `00-${hex(16)}-${hex(8)}-01`,
      ...headers,
    },
  })
}

/** How a function reports an error; those of sign-in also say that they are none of success. */
export function functionError({ code, status, message, details }: ServiceError, path: string): Response {
  const ofSignIn = path.startsWith('/api/auth/')
  const wait = details?.retry_after_s
  return json(
    {
      ...(ofSignIn && { success: false }),
      ...{ error: message, code, ...(details && { details }), timestamp: new Date().toISOString() },
    },
    status,
    typeof wait === 'number' ? { 'retry-after': String(wait) } : {},
  )
}

/** How the Data API reports one. */
export function dataError({ code, status, message, details }: ServiceError): Response {
  const wait = details?.retry_after_s
  const details_ = typeof wait === 'number' ? String(wait) : null
  return json({ code: `PT${status}`, hint: code, message, details: details_ }, status)
}

/** The text of a member; an empty one where there is none. */
export function textOf(json: Received['json'], name: string): string {
  const value = json?.[name]
  return typeof value === 'string' ? value : ''
}

function hex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
