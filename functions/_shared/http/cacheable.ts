import { createHash } from 'node:crypto'
import { jsonResponse } from './response.ts'
import type { Call } from './serve.ts'

/** Entity tag of JSON, as `jsonResponse` writes it: a digest. */
export function etagOf(body: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(body)).digest('hex')}"`
}

/**
 * JSON that is the same for everybody, which browsers and proxies may keep for five minutes: with an `ETag`, and 304 without a body
 * where the request has the same one in `If-None-Match`.
 */
export function cacheableResponse(
  body: unknown,
  etag: string,
  { request, context: { requestId, headers } }: Pick<Call<'none'>, 'request' | 'context'>,
): Response {
  // What is left to one address is nothing that a cache should tell others.
  for (const name of [...headers.keys()]) if (name.startsWith('ratelimit-')) headers.delete(name)
  const full = jsonResponse(body, 200, requestId)
  full.headers.set('etag', etag)
  full.headers.set('cache-control', 'public, max-age=300')
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  if (!known.some((given) => given.trim().replace(/^W\//, '') === etag)) return full
  full.headers.delete('content-type')
  return new Response(null, { status: 304, headers: full.headers })
}
