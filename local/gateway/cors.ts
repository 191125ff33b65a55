const allowedMethods = 'GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS,TRACE,CONNECT'
const exposed =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, ' +
  'Range-Unit, X-Total-Count, Link, Sb-Request-Id, X-Supabase-Api-Version, X-Sb-Error-Code, ETag'

/** The answer to a browser's question whether it may ask. */
export function preflightResponse(request: Request): Response {
  return new Response(null, {
    status: 200,
    headers: {
      'access-control-allow-origin': request.headers.get('origin') ?? '*',
      'access-control-allow-methods': allowedMethods,
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
      'access-control-max-age': '3600',
      vary: 'origin',
    },
  })
}

/** Lets any page read the answer, unless the answer already says who may. */
export function addCorsHeaders(headers: Headers): void {
  if (headers.has('access-control-allow-origin')) return
  headers.set('access-control-allow-origin', '*')
  headers.set('access-control-expose-headers', exposed)
}
