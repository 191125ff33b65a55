import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { SentResponse, StreamedRequest } from '../http/node.ts'

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
export function proxy(request: StreamedRequest, options: ProxyOptions): Promise<SentResponse> {
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
    const { body } = request
    if (body === null) {
      outgoing.end()
      return
    }
    body.once('error', (error) => outgoing.destroy(error))
    outgoing.once('close', () => body.destroy())
    body.pipe(outgoing)
  })
}

function requestHeaders(request: StreamedRequest): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of request.headers) {
    if (!perConnection.has(name)) headers[name] = value
  }
  headers.host ??= new URL(request.url).host
  if (request.body === null) headers['content-length'] = '0'
  if (request.method === 'GET' || request.method === 'HEAD') delete headers['content-length']
  return headers
}

function toResponse(incoming: IncomingMessage): SentResponse {
  const headers = new Headers()
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    const name = incoming.rawHeaders[index] ?? ''
    if (!perConnection.has(name.toLowerCase())) headers.append(name, incoming.rawHeaders[index + 1] ?? '')
  }
  const status = incoming.statusCode ?? 502
  const statusText = incoming.statusMessage ?? ''
  if (!withoutBody.has(status)) return { status, statusText, headers, body: incoming }
  incoming.resume()
  return { status, statusText, headers, body: null }
}
