import { connect } from 'node:net'
import type { Attempt } from './attempts.ts'
import type { RawRequest } from './good-request.ts'

export type RawResponse = { status: number; headers: Headers; body: string }

/** What came in the place of a response. */
export type NoResponse = 'the server hung up without a response' | 'there was no response in time'

const PATIENCE_MS = 60_000

/**
 * Sends a request on a connection of its own.
 *
 * `fetch` and `node:http` reject what a hostile client would send; this doesn't.
 */
export function sendRaw(
  port: number,
  { method, target, headers, body }: RawRequest,
): Promise<RawResponse | NoResponse> {
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
      resolve('there was no response in time')
      socket.destroy()
    })
    socket.on('data', (piece) => pieces.push(piece))
    // A server may hang up on the rest of a request that it has responded to.
    socket.on('error', () => undefined)
    socket.on('close', () =>
      resolve(responseIn(Buffer.concat(pieces)) ?? 'the server hung up without a response'),
    )
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'latin1')
  })
}

function responseIn(bytes: Buffer): RawResponse | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [first = '', ...fields] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
  const rest = bytes.subarray(headEnd + 4)
  if (status < 200) return responseIn(rest)
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

/** A request that got a wrong response. */
export type Failure = { attempt: Attempt; response: RawResponse | NoResponse; faults: string[] }

/** How a campaign went. */
export type Outcome = {
  requests: number
  seconds: number
  failures: Failure[]
  /** Answers by call and status, `POST /checkins/start 200`. */
  responses: Map<string, number>
  /** Under which the functions log what went wrong with them. */
  requestIds: Set<string>
}

/** So many are under way at once. */
const AT_ONCE = 32

/** After so many the attackers may call as often as at first, so that nothing hides behind a limit. */
const RENEWED_EVERY = 100

/** Says what is wrong with a response. */
export type ResponseCheck = (
  attempt: Attempt,
  response: RawResponse | NoResponse,
) => Promise<string[]> | string[]

/** Sends the requests with these numbers and checks each response. */
export async function attack(
  port: number,
  attempts: { at(number: number): Attempt },
  numbers: readonly number[],
  { check, renewAllowances }: { check: ResponseCheck; renewAllowances(): Promise<void> },
): Promise<Outcome> {
  const started = performance.now()
  const outcome: Outcome = {
    requests: numbers.length,
    seconds: 0,
    failures: [],
    responses: new Map(),
    requestIds: new Set(),
  }
  const waiting = numbers.values()
  let sent = 0
  const work = async () => {
    for (const number of waiting) {
      if (sent++ % RENEWED_EVERY === 0) await renewAllowances()
      const attempt = attempts.at(number)
      const response = await sendRaw(port, attempt.request)
      const faults = await check(attempt, response)
      if (faults.length > 0) outcome.failures.push({ attempt, response, faults })
      if (typeof response !== 'string') outcome.requestIds.add(response.headers.get('x-request-id') ?? '')
      const key = `${attempt.name} ${typeof response === 'string' ? 'nothing' : response.status}`
      outcome.responses.set(key, (outcome.responses.get(key) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  outcome.seconds = (performance.now() - started) / 1000
  return outcome
}

const SHOWN = 2_000
const HEADER_SHOWN = 300
const HEADERS_SHOWN = 20

/** How a campaign went, in lines. */
export function summary({ requests, seconds, failures, responses }: Outcome): string {
  const statuses = new Map<string, number>()
  for (const [key, count] of responses) {
    const status = key.split(' ').at(-1) ?? ''
    statuses.set(status, (statuses.get(status) ?? 0) + count)
  }
  const counted = [...statuses].sort().map(([status, count]) => `${count} × ${status}`)
  return [
    `${requests} requests in ${seconds.toFixed(0)} s (${(requests / seconds).toFixed(0)} a second): ${counted.join(', ')}`,
    `${failures.length} wrong responses`,
  ].join('\n')
}

/** One failure of each kind, in full. */
export function describeFailures(failures: readonly Failure[]): string {
  const kinds = Map.groupBy(failures, ({ attempt, response, faults }) =>
    [attempt.name, statusOf(response), faults[0]?.replace(/[\d-]{8,}/g, '…')].join(' '),
  )
  return [...kinds]
    .map(([kind, of]) => `── ${of.length} × ${kind}\n${of[0] ? describe(of[0]) : ''}`)
    .join('\n\n')
}

function describe({ attempt, response, faults }: Failure): string {
  const { number, attacker, places, request } = attempt
  const headers = request.headers.map(([name, value]) => {
    const secret = ['authorization', 'cookie', 'apikey'].includes(name.toLowerCase())
    return `${name}: ${secret ? `(${value.length} characters)` : cut(value, HEADER_SHOWN)}`
  })
  return [
    ...faults.map((fault) => `fault: ${fault}`),
    `number ${number}, ${attacker.name}, hostile in ${places.join(' and ')}`,
    `${request.method} ${cut(request.target, SHOWN)}`,
    ...headers.slice(0, HEADERS_SHOWN),
    ...(headers.length > HEADERS_SHOWN ? [`… ${headers.length} headers`] : []),
    '',
    cut(request.body ?? '', SHOWN),
    '',
    `response: ${statusOf(response)} ${typeof response === 'string' ? '' : cut(response.body, SHOWN)}`,
  ].join('\n')
}

function statusOf(response: Failure['response']): string {
  return typeof response === 'string' ? response : String(response.status)
}

function cut(text: string, most: number): string {
  const shown = JSON.stringify(text.slice(0, most)).slice(1, -1).replaceAll('\\"', '"')
  return text.length > most ? `${shown}… (${text.length} bytes)` : shown
}
