import { z } from 'zod'
import type { CallerReader } from '../http/caller.ts'
import type { Services } from './channel.ts'
import { DatabaseUnavailable, type Identity } from './policies.ts'

const batch = z.object({
  messages: z.array(
    z.object({
      topic: z.string().min(1, "can't be blank"),
      event: z.string().min(1, "can't be blank"),
      payload: z.record(z.string(), z.unknown()),
      private: z.boolean().default(false),
    }),
  ),
})

const accepted = (): Response => new Response(null, { status: 202 })
const errorResponse = (status: number, message: string): Response => Response.json({ message }, { status })
const unprocessable = (errors: object): Response => Response.json({ errors }, { status: 422 })

/** Broadcasts over HTTP: `POST …/api/broadcast`, and `POST …/api/broadcast/<topic>/events/<event>`. */
export function createHttp(
  services: Services,
  callers: CallerReader,
): (request: Request) => Promise<Response> {
  const { hub, policies, limits } = services

  function mayWrite(topic: string, identity: Identity): Promise<boolean> {
    return policies.mayWrite(topic, identity, 'broadcast')
  }

  async function many(request: Request, identity: Identity): Promise<Response> {
    const body = await readJson(request)
    if (body === undefined) return errorResponse(400, 'The body is not valid JSON')
    const parsed = batch.safeParse(body)
    if (!parsed.success) return unprocessable(z.flattenError(parsed.error).fieldErrors)
    const allowed = new Map<string, boolean>()
    for (const { topic, payload, private: isPrivate } of parsed.data.messages) {
      if (tooLarge(JSON.stringify(payload)))
        return unprocessable({ payload: ['Payload size exceeds tenant limit'] })
      if (isPrivate && !allowed.has(topic)) allowed.set(topic, await mayWrite(topic, identity))
    }
    for (const { topic, event, payload, private: isPrivate } of parsed.data.messages) {
      // Like the platform, what the caller may not send is left out without a word.
      if (isPrivate && !allowed.get(topic)) continue
      hub.broadcast({ topic, private: isPrivate }, { payload: { type: 'broadcast', event, payload } })
    }
    return accepted()
  }

  async function one(request: Request, identity: Identity, topic: string, event: string): Promise<Response> {
    const isPrivate = new URL(request.url).searchParams.get('private') === 'true'
    const type = request.headers.get('content-type')?.split(';')[0]?.trim()
    const bytes = Buffer.from(await request.arrayBuffer())
    if (tooLarge(bytes)) return unprocessable({ payload: ['Payload size exceeds tenant limit'] })
    if (Buffer.byteLength(event) > 255) return unprocessable({ event: ['should be at most 255 byte(s)'] })
    let payload: unknown
    if (type === 'application/json') {
      payload = parse(bytes)
      if (payload === undefined) return errorResponse(400, 'The body is not valid JSON')
    } else if (type !== 'application/octet-stream') return errorResponse(415, 'Unsupported media type')
    if (isPrivate && !(await mayWrite(topic, identity))) return errorResponse(403, 'Unauthorized')
    const sent = type === 'application/json' ? { type: 'broadcast', event, payload } : { event, bytes }
    hub.broadcast({ topic, private: isPrivate }, { payload: sent })
    return accepted()
  }

  function tooLarge(payload: string | Buffer): boolean {
    return Buffer.byteLength(payload) > limits.payloadBytes
  }

  return async (request) => {
    const path = new URL(request.url).pathname.replace(/^\/realtime\/v1/, '')
    const single = /^\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/.exec(path)
    if (request.method !== 'POST' || (path !== '/api/broadcast' && !single))
      return errorResponse(404, 'Not found')
    const { caller } = callers.read(request, { keyRequired: false })
    if (!caller || (!request.headers.has('apikey') && !request.headers.has('authorization'))) {
      return errorResponse(401, 'Unauthorized')
    }
    try {
      if (!single) return await many(request, caller)
      const [topic, event] = [single[1], single[2]].map((part) => decodeURIComponent(part ?? ''))
      return await one(request, caller, topic ?? '', event ?? '')
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return errorResponse(422, 'Tenant database unavailable')
      if (error instanceof URIError) return errorResponse(400, 'The address is malformed')
      throw error
    }
  }
}

async function readJson(request: Request): Promise<unknown> {
  return parse(Buffer.from(await request.arrayBuffer()))
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
