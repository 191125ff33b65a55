import { connect } from 'node:net'
import type { Bytes } from './bytes.ts'

/** A request as it goes over the wire. Nothing of it is checked or mended. */
export type RawRequest = {
  method: string
  /** Path and query. */
  target: Bytes
  headers: readonly (readonly [name: string, value: Bytes])[]
  body: Bytes | null
}

export type RawAnswer = { status: number; headers: Headers; body: string }

/** What came in the place of an answer. */
export type NoAnswer = 'the server hung up without an answer' | 'there was no answer in time'

const PATIENCE_MS = 60_000

/**
 * Sends a request on a connection of its own.
 *
 * `fetch` and `node:http` refuse what a hostile client would send; this doesn't.
 */
export function sendRaw(
  port: number,
  { method, target, headers, body }: RawRequest,
): Promise<RawAnswer | NoAnswer> {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Connection: close',
    ...(headers.some(([name]) => name === 'host') ? [] : [`Host: 127.0.0.1:${port}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${body.length}`]),
  ]
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    socket.setTimeout(PATIENCE_MS, () => {
      resolve('there was no answer in time')
      socket.destroy()
    })
    socket.on('data', (piece) => pieces.push(piece))
    // A server may hang up on the rest of a request that it has answered.
    socket.on('error', () => undefined)
    socket.on('close', () =>
      resolve(answerIn(Buffer.concat(pieces)) ?? 'the server hung up without an answer'),
    )
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'latin1')
  })
}

function answerIn(bytes: Buffer): RawAnswer | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [first = '', ...fields] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
  const rest = bytes.subarray(headEnd + 4)
  if (status < 200) return answerIn(rest)
  const headers = new Headers(fields.map((line): [string, string] => partsOf(line, ':')))
  const body = headers.get('transfer-encoding') === 'chunked' ? unchunked(rest) : rest
  return { status, headers, body: body.toString('utf8') }
}

function partsOf(line: string, mark: string): [string, string] {
  const at = line.indexOf(mark)
  return [line.slice(0, at), line.slice(at + 1).trim()]
}

function unchunked(bytes: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (lineEnd < 0 || !(size > 0)) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}
