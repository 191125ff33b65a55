import type { ServiceError } from '../errors.ts'

/** Version of the interface, sent with every response. */
export const API_VERSION = '2.0'

/** Headers of every response. */
export const SERVICE_HEADERS = { 'api-version': API_VERSION }

/** Headers that let a browser call the function; the platform leaves them to the function. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers':
    'authorization, x-client-info, apikey, content-type, x-request-id, x-region, x-retry-count, traceparent, tracestate, baggage',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-expose-headers':
    'api-version, deprecation, link, sunset, x-request-id, traceparent, x-analysis-provider, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, ratelimit-policy',
}

/** JSON with the headers that every response has. */
export function jsonResponse(body: unknown, status: number, requestId: string): Response {
  return textResponse(JSON.stringify(body), 'application/json; charset=utf-8', status, requestId)
}

/** Text of any content type with the headers that every response has. */
export function textResponse(body: string, contentType: string, status: number, requestId: string): Response {
  return new Response(body, {
    status,
    headers: {
      ...CORS,
      'content-type': contentType,
      'cache-control': 'no-store',
      ...SERVICE_HEADERS,
      'x-request-id': requestId,
    },
  })
}

/** The error body `{error, code, details?, timestamp}`, with the members that the route adds, and details of the request. */
export function errorResponse(
  error: ServiceError,
  requestId: string,
  {
    errorMembers,
    errorDetails,
  }: { errorMembers?: Record<string, unknown>; errorDetails?: Record<string, unknown> } = {},
): Response {
  const details = error.details || errorDetails ? { ...error.details, ...errorDetails } : undefined
  const body = {
    ...errorMembers,
    error: error.message,
    code: error.code,
    ...(details && { details }),
    timestamp: new Date().toISOString(),
  }
  const response = jsonResponse(body, error.status, requestId)
  const wait = error.details?.retry_after_s
  if (typeof wait === 'number') response.headers.set('retry-after', String(wait))
  return response
}

/** The response to a browser's preflight request. */
export function preflightResponse(requestId: string): Response {
  return new Response(null, {
    status: 204,
    headers: { ...CORS, ...SERVICE_HEADERS, 'x-request-id': requestId },
  })
}
