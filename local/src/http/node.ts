import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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

/**
 * A fetch `Request` over a node request. Its body streams; its signal aborts when the client hangs up before the
 * response is complete.
 */
export function toRequest(message: IncomingMessage, response: ServerResponse, origin: string): Request {
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
  return new Request(addressOf(message.url, origin), {
    method,
    headers,
    signal: aborted.signal,
    // @ts-expect-error the DOM type of a stream differs from node's by a detail that fetch does not need
    body: hasBody ? Readable.toWeb(bodyOf(message)) : undefined,
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

/** Sends a fetch `Response` in reply to a node request, streaming its body. */
export async function sendResponse(sent: Response, response: ServerResponse): Promise<void> {
  const headers: Record<string, string | string[]> = Object.fromEntries(sent.headers)
  const cookies = sent.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  response.writeHead(sent.status, sent.statusText || undefined, headers)
  if (sent.body === null || response.req.method === 'HEAD') {
    await sent.body?.cancel()
    response.end()
    return
  }
  // @ts-expect-error see above
  const body = Readable.fromWeb(sent.body)
  // A client that leaves early is not an error of ours.
  await pipeline(body, response).catch(() => body.destroy())
}
