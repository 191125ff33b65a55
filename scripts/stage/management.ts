import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'

/** How long the Management API may take, milliseconds. */
const TIMEOUT_MS = 60_000
/** How often a call is made whose response is 429, or 500 and above. */
const ATTEMPTS = 4
/** The longest wait before the next, milliseconds: the API counts requests by the minute. */
const LONGEST_WAIT_MS = 60_000

const json: z.ZodType<unknown> = z.unknown()

/** One project of the platform, through its Management API (https://api.supabase.com/api/v1). */
export type Management = {
  ref: string
  /** Reads `/v1/projects/{ref}` and what is below it, in the shape of a schema. */
  get<Shape>(path: string, shape: z.ZodType<Shape>): Promise<Shape>
  /** Sends JSON; the response is ignored unless a shape is given. */
  send<Shape = unknown>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body: unknown,
    shape?: z.ZodType<Shape>,
  ): Promise<Shape>
}

/**
 * The Management API for one project.
 *
 * A call whose response is 429, or 500 and above, is made again after the time that the response names: so whatever is sent must be
 * something that can be done twice. Its errors name the call and the status, never the token, nor what was sent.
 */
export function managementOf(address: string, token: string, ref: string): Management {
  async function call<Shape>(
    method: string,
    path: string,
    shape: z.ZodType<Shape>,
    body?: unknown,
  ): Promise<Shape> {
    const request = () =>
      fetch(`${address}/v1/projects/${ref}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: unknown) => {
        throw new Error(`The Management API at ${address} cannot be reached: ${reasonOf(error)}`)
      })
    let response = await request()
    for (let made = 1; made < ATTEMPTS && isPassing(response.status); made++) {
      await response.body?.cancel()
      await wait(waitOf(response.headers, made))
      response = await request()
    }
    const text = await response.text()
    if (response.ok) return shape.parse(text === '' ? null : JSON.parse(text))
    if (response.status === 401)
      throw new Error('The Management API rejects SUPABASE_ACCESS_TOKEN: make another one in the dashboard')
    throw new Error(
      `The Management API answers ${method} ${path} with ${response.status}: ${messageIn(text)}`,
    )
  }
  return {
    ref,
    get: (path, shape) => call('GET', path, shape),
    send: (method, path, body, shape) => call(method, path, shape ?? (json as z.ZodType<never>), body),
  }
}

function isPassing(status: number): boolean {
  return status === 429 || status >= 500
}

/** How long to wait before the next attempt, milliseconds. The headers are in seconds, as the CLI reads them. */
function waitOf(headers: Headers, made: number): number {
  const named = headers.get('retry-after') ?? headers.get('x-ratelimit-reset')
  const seconds = named !== null && /^\d+$/.test(named) ? Number(named) : 2 ** (made - 1)
  return Math.min(seconds * 1000, LONGEST_WAIT_MS)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

const failure = z.object({ message: z.string() })

function messageIn(text: string): string {
  try {
    return failure.parse(JSON.parse(text)).message
  } catch {
    return text.slice(0, 200)
  }
}
