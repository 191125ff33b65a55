import type { IncomingMessage } from 'node:http'

/** The HTTP server of Deno takes 100, and hangs up on a request with more; the gateway adds some. */
const MOST_HEADERS = 90

/**
 * Why the platform's front refuses a request before anything else reads it, as status and sentence; null where it
 * passes it on. A method that `fetch` has no request for, a host or an address that is none, and more headers than a function
 * takes would otherwise be errors of whoever reads them.
 */
export function refusedAtTheFront({
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
