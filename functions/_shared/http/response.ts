import type { ServiceError } from '../errors.ts'
import { API_VERSION } from './version.ts'

/** Headers of every answer, whatever it holds. */
export const SERVICE_HEADERS = { 'api-version': API_VERSION }

/** Headers that let a browser call the function; the platform leaves them to it. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers':
    'authorization, x-client-info, apikey, content-type, x-request-id, x-region, x-retry-count, traceparent, tracestate, baggage',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-expose-headers':
    'api-version, x-request-id, x-analysis-provider, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, ratelimit-policy',
}

/** Answers with JSON and the headers that every answer has. */
export function jsonResponse(body: unknown, status: number, requestId: string): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      ...CORS,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...SERVICE_HEADERS,
      'x-request-id': requestId,
    },
  })
}

/** Answers with the service's error body `{error, code, details?, timestamp}` and the members that go with it. */
export function errorResponse(
  error: ServiceError,
  requestId: string,
  members: Record<string, unknown> = {},
): Response {
  const body = {
    ...members,
    error: error.message,
    code: error.code,
    ...(error.details && { details: error.details }),
    timestamp: new Date().toISOString(),
  }
  return jsonResponse(body, error.status, requestId)
}

/** Answers a browser's preflight. */
export function preflightResponse(requestId: string): Response {
  return new Response(null, {
    status: 204,
    headers: { ...CORS, ...SERVICE_HEADERS, 'x-request-id': requestId },
  })
}
