import * as z from 'zod'

/** How long the Management API may take, milliseconds. */
const TIMEOUT_MS = 60_000

const json: z.ZodType<unknown> = z.unknown()

/** One project of the platform, through its Management API (https://api.supabase.com/api/v1). */
export type Management = {
  ref: string
  /** Reads `/v1/projects/{ref}` and what is below it, in the shape of a schema. */
  get<Shape>(path: string, shape: z.ZodType<Shape>): Promise<Shape>
  /** Sends JSON; the response is ignored unless a shape is given. */
  send<Shape = unknown>(
    method: 'POST' | 'PATCH',
    path: string,
    body: unknown,
    shape?: z.ZodType<Shape>,
  ): Promise<Shape>
}

/**
 * The Management API for one project.
 *
 * Its errors name the call and the status, never the token, nor what was sent.
 */
export function managementOf(address: string, token: string, ref: string): Management {
  async function call<Shape>(
    method: string,
    path: string,
    shape: z.ZodType<Shape>,
    body?: unknown,
  ): Promise<Shape> {
    const response = await fetch(`${address}/v1/projects/${ref}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new Error(`The Management API at ${address} cannot be reached: ${reasonOf(error)}`)
    })
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
