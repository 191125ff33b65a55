import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { addressOf } from './front.ts'

/**
 * A fetch `Request` over a node request. Its body streams; its signal aborts when the client hangs up before the
 * answer is complete.
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
 * The body of a request. Who stops reading it early does not end the connection: the rest is read away, so that the
 * client gets its answer and the connection takes the next request.
 */
function bodyOf(message: IncomingMessage): Readable {
  const body = message.pipe(new PassThrough())
  body.once('close', () => message.resume())
  message.once('close', () => {
    if (!message.complete) body.destroy(new Error('The client hung up'))
  })
  return body
}

/** Sends a fetch `Response` as the answer to a node request, streaming its body. */
export async function sendResponse(answer: Response, response: ServerResponse): Promise<void> {
  const headers: Record<string, string | string[]> = Object.fromEntries(answer.headers)
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  response.writeHead(answer.status, answer.statusText || undefined, headers)
  if (answer.body === null || response.req.method === 'HEAD') {
    await answer.body?.cancel()
    response.end()
    return
  }
  // @ts-expect-error see above
  const body = Readable.fromWeb(answer.body)
  // A client that leaves early is not an error of ours.
  await pipeline(body, response).catch(() => body.destroy())
}
