import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

const perConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const withoutBody = new Set([101, 204, 205, 304])

export type ProxyOptions = {
  port: number
  /** Path and query that the function sees. */
  path: string
  signal: AbortSignal
  /** Called once, when the response's body has been sent, was cancelled, or broke. */
  onEnd: (status: number) => void
}

/**
 * Passes a request on to a function and resolves with its response; bodies stream both ways. Rejects when the
 * connection breaks before the response began; a later break ends the body with an error.
 */
export function proxy(request: Request, options: ProxyOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      host: '127.0.0.1',
      port: options.port,
      method: request.method,
      path: options.path,
      headers: requestHeaders(request),
      agent: false,
      signal: options.signal,
    })
    outgoing.once('error', reject)
    outgoing.once('response', (incoming) => {
      outgoing.off('error', reject)
      outgoing.on('error', () => incoming.destroy())
      incoming.on('error', () => undefined)
      incoming.once('close', () => options.onEnd(incoming.statusCode ?? 502))
      resolve(toResponse(incoming))
    })
    if (request.body === null) {
      outgoing.end()
      return
    }
    const body = Readable.fromWeb(request.body as import('node:stream/web').ReadableStream<Uint8Array>)
    body.once('error', (error) => outgoing.destroy(error))
    outgoing.once('close', () => body.destroy())
    body.pipe(outgoing)
  })
}

function requestHeaders(request: Request): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of request.headers) {
    if (!perConnection.has(name)) headers[name] = value
  }
  headers.host ??= new URL(request.url).host
  if (request.body === null) headers['content-length'] = '0'
  if (request.method === 'GET' || request.method === 'HEAD') delete headers['content-length']
  return headers
}

function toResponse(incoming: IncomingMessage): Response {
  const headers = new Headers()
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    const name = incoming.rawHeaders[index] ?? ''
    if (!perConnection.has(name.toLowerCase())) headers.append(name, incoming.rawHeaders[index + 1] ?? '')
  }
  const status = incoming.statusCode ?? 502
  if (withoutBody.has(status)) {
    incoming.resume()
    return new Response(null, { status, headers })
  }
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>
  return new Response(body, { status, statusText: incoming.statusMessage ?? '', headers })
}
