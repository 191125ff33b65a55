import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

const socketsOf = new WeakMap<Server, Set<Socket>>()

/**
 * Opens a server on 127.0.0.1.
 *
 * @param port 0 for any free one
 * @returns the port
 * @throws Error saying that the port is taken
 */
export async function listen(server: Server, port: number): Promise<number> {
  const sockets = new Set<Socket>()
  socketsOf.set(server, sockets)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE' ? new Error(`Port ${port} is already in use.`, { cause: error }) : error,
      )
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Closes a server: lets responses under way end for a moment, then hangs up, on websockets too. */
export async function stopServer(server: Server, graceMs = 1000): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const patience = new AbortController()
  await Promise.race([closed, setTimeout(graceMs, undefined, { signal: patience.signal }).catch(() => {})])
  patience.abort()
  for (const socket of socketsOf.get(server) ?? []) socket.destroy()
  await closed
}

/** The HTTP server of Deno takes 100, and hangs up on a request with more; the gateway adds some. */
const MOST_HEADERS = 90

/**
 * Why the platform's proxies reject a request before anything else reads it, as status and message; null where they
 * pass it on. A method that `fetch` cannot express, an invalid host or address, and more headers than a function
 * accepts would otherwise be errors further in.
 */
export function rejectionOf({
  method,
  url,
  headersDistinct,
  rawHeaders,
}: Pick<IncomingMessage, 'method' | 'url' | 'headersDistinct' | 'rawHeaders'>): [number, string] | null {
  const [host = '', ...more] = headersDistinct.host ?? []
  if (['TRACE', 'CONNECT', 'TRACK'].includes(method?.toUpperCase() ?? '')) return [405, 'Method Not Allowed']
  if (more.length > 0 || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) {
    return [400, 'Invalid Host']
  }
  if (rawHeaders.length / 2 > MOST_HEADERS) return [431, 'Request Header Fields Too Large']
  return URL.canParse(addressOf(url, 'http://localhost')) ? null : [400, 'Invalid address']
}

/** The whole address of a request. Two slashes at its beginning are a path, not a host. */
export function addressOf(url = '/', origin: string): string {
  return url.startsWith('/') ? origin + url : url
}

/** A request whose body streams; its signal aborts when the client hangs up before the response is complete. */
export type StreamedRequest = {
  method: string
  url: string
  headers: Headers
  body: Readable | null
  signal: AbortSignal
}

/** A response to be sent: a body of Node streams, and costs a fraction of a fetch `Response` with one. */
export type SentResponse = {
  status: number
  statusText: string
  headers: Headers
  body: Readable | ReadableStream<Uint8Array> | Uint8Array | null
}

/** A node request as what passes it on sees it. */
export function toStreamedRequest(
  message: IncomingMessage,
  response: ServerResponse,
  origin: string,
): StreamedRequest {
  const headers = new Headers()
  for (let i = 0; i + 1 < message.rawHeaders.length; i += 2) {
    const name = message.rawHeaders[i]
    const value = message.rawHeaders[i + 1]
    if (name !== undefined && value !== undefined && !name.startsWith(':')) headers.append(name, value)
  }
  const aborted = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) aborted.abort()
  })
  const method = message.method ?? 'GET'
  const hasBody =
    method !== 'GET' &&
    method !== 'HEAD' &&
    (message.headers['transfer-encoding'] !== undefined || Number(message.headers['content-length'] ?? 0) > 0)
  return {
    method,
    url: addressOf(message.url, origin),
    headers,
    body: hasBody ? bodyOf(message) : null,
    signal: aborted.signal,
  }
}

/** A fetch `Request` over a streamed one. */
export function toRequest({ method, url, headers, body, signal }: StreamedRequest): Request {
  return new Request(url, {
    method,
    headers,
    signal,
    // @ts-expect-error the DOM type of a stream differs from node's by a detail that fetch does not need
    body: body && Readable.toWeb(body),
    duplex: 'half',
  })
}

/**
 * The body of a request. A handler that stops reading early does not end the connection: the rest is discarded, so that the
 * client gets its response and the connection takes the next request.
 */
function bodyOf(message: IncomingMessage): Readable {
  const body = message.pipe(new PassThrough())
  body.once('close', () => message.resume())
  message.once('close', () => {
    if (!message.complete) body.destroy(new Error('The client hung up'))
  })
  return body
}

/** Sends a response in reply to a node request; a body that streams is sent as it comes. */
export function sendResponse(sent: SentResponse, response: ServerResponse): void {
  const headers: Record<string, string | string[]> = Object.fromEntries(sent.headers)
  const cookies = sent.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  const { body } = sent
  if (body instanceof Uint8Array) headers['content-length'] = `${body.byteLength}`
  response.writeHead(sent.status, sent.statusText || undefined, headers)
  if (body === null || body instanceof Uint8Array) {
    response.end(body)
    return
  }
  // @ts-expect-error see above
  const stream: Readable = body instanceof Readable ? body : Readable.fromWeb(body)
  if (response.req.method === 'HEAD') {
    stream.destroy()
    response.end()
    return
  }
  stream.once('error', () => response.destroy())
  // A client that leaves early is not an error of ours.
  response.once('close', () => stream.destroy())
  stream.pipe(response)
}

/** A response with its whole body, which is sent at once. */
export async function wholeResponse(response: Response): Promise<SentResponse> {
  const { status, statusText, headers } = response
  return { status, statusText, headers, body: response.body && new Uint8Array(await response.arrayBuffer()) }
}
