import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { dirname } from 'node:path'
import type { Duplex } from 'node:stream'
import { type AuthServer, startAuth } from '../auth/server.ts'
import type { Config } from '../config.ts'
import { type ApiKeys, apiKeyOf, bearerOf, type CallerResult, createCallerReader } from '../http/caller.ts'
import { createTokenSigner, JwtError, type JwtKeys, type TokenSigner } from '../http/jwt.ts'
import {
  listen,
  rejectionOf,
  type SentResponse,
  type StreamedRequest,
  sendResponse,
  stopServer,
  toRequest,
  toStreamedRequest,
  wholeResponse,
} from '../http/node.ts'
import type { MessageSink } from '../inbox/inbox.ts'
import { restError } from '../rest/errors.ts'
import { type RestServer, startRest } from '../rest/server.ts'
import { type StorageServer, startStorage } from '../storage/server.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'

export interface RealtimeBackend {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  fetch(request: Request): Promise<Response>
}

export interface GatewayOptions {
  /** 0 for any free one. */
  port: number
  /** As role `postgres`. */
  databaseUrl: string
  /** As role `supabase_admin`. */
  adminUrl: string
  keys: ApiKeys & JwtKeys
  /** Folder that keeps the content of Storage. */
  storageDir: string
  config: Config
  /** The folder of config.toml, which paths in it are relative to. */
  supabaseDir: string
  /** Overrides `auth.site_url`. */
  siteUrl?: string
  /** Where the API is reached, if not at `http://127.0.0.1:<port>`. */
  apiUrl?: string
  inbox: MessageSink
  functions?: FunctionsBackend
  realtime?: RealtimeBackend
  /** bcrypt cost of new passwords, 4 to 31; 10 by default. */
  passwordCost?: number
  /** A header whose value stands for the address that a request comes from, for tests that play many callers. Default none. */
  addressHeader?: string
  /** MFA challenges, and verifications, that an address may make per minute. Default 15. */
  factorRequestsPerMinute?: number
  log?: (line: string) => void
}

export interface Gateway {
  port: number
  /** See `StorageServer.seedBuckets`. */
  seedBuckets(): Promise<void>
  /** Reads the database's tables and functions anew for REST, after a migration. */
  reloadSchema(): void
  stop(): Promise<void>
}

const unauthorized = (message: string, hint: string) => Response.json({ message, hint }, { status: 401 })

const keylessAuth = /^\/auth\/v1\/(verify|callback|authorize|\.well-known\/.*|health)$/

function keyError(result: CallerResult): Response | undefined {
  if (result.fault === 'no_key') {
    return unauthorized('No API key found in request', 'No `apikey` request header or url param was found.')
  }
  if (result.fault === 'bad_key') {
    return unauthorized('Invalid API key', 'Double check your Supabase `anon` or `service_role` API key.')
  }
  return undefined
}

function tokenError(result: CallerResult): Response | undefined {
  if (result.fault !== 'bad_token') return undefined
  if (result.error?.fault === 'expired') return restError(401, { code: 'PGRST303', message: 'JWT expired' })
  const details = 'None of the keys was able to decode the JWT'
  return restError(401, { code: 'PGRST301', message: 'No suitable key or wrong key type', details })
}

/**
 * Says where a request comes from, as the platform's gateway does: `CF-Connecting-IP` is the gateway's word alone, and
 * `X-Forwarded-For` what the client sent, with the address that it came from at the end.
 */
function setOrigin(message: IncomingMessage, id: string, addressHeader: string | undefined): void {
  const played = addressHeader && message.headers[addressHeader]
  const address = (typeof played === 'string' && isIP(played) ? played : message.socket.remoteAddress) ?? ''
  const raw = message.rawHeaders
  for (let place = raw.length - 2; place >= 0; place -= 2) {
    if (raw[place]?.toLowerCase() === 'cf-connecting-ip') raw.splice(place, 2)
  }
  raw.push('sb-request-id', id, 'x-forwarded-for', address, 'cf-connecting-ip', address)
}

/** The HTTP side of a Supabase project: REST, Auth, Storage, and the way to functions and Realtime. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { keys, log = () => {} } = options
  const { config, supabaseDir } = options
  const tokens = createTokenSigner(keys)
  const callers = createCallerReader(keys, tokens)
  const restTurns = new ConcurrencyLimit()
  const storageTurns = new ConcurrencyLimit()
  const services: { auth?: AuthServer; rest?: RestServer; storage?: StorageServer } = {}

  async function dispatch(streamed: StreamedRequest): Promise<SentResponse> {
    const { pathname } = new URL(streamed.url)
    const is = (prefix: string) => pathname === prefix || pathname.startsWith(`${prefix}/`)
    if (pathname === '/') return Response.json({ name: 'supabase', local: true, healthy: true })
    if (is('/functions/v1') && options.functions) {
      return callFunction(streamed, options.functions, config.functions, tokens)
    }
    const request = toRequest(streamed)
    // A client of TUS asks so for what Storage can do; a browser's preflight names the method that follows.
    const isOfTus =
      is('/storage/v1/upload/resumable') && !request.headers.has('access-control-request-method')
    if (request.method === 'OPTIONS' && !isOfTus) return preflightResponse(request)
    if (!services.storage) return Response.json({ message: 'The stack is starting' }, { status: 503 })
    if (is('/auth/v1') && services.auth) {
      const result = callers.read(request, { keyRequired: !keylessAuth.test(pathname) })
      const anonymous = { role: 'anon', claims: {} }
      // Only the secret key may say for whom it asks, also when it brings that person's token.
      const key = apiKeyOf(request)
      const isSecret =
        result.caller?.role === 'service_role' || (key && callers.roleOfKey(key) === 'service_role')
      if (!isSecret) request.headers.delete('sb-forwarded-for')
      return keyError(result) ?? wholeResponse(await services.auth.fetch(request, result.caller ?? anonymous))
    }
    if (is('/rest/v1') && services.rest) {
      const result = callers.read(request, { keyRequired: true })
      const error = keyError(result) ?? tokenError(result)
      if (error || !result.caller) return error ?? unauthorized('Invalid API key', '')
      const { rest } = services
      const { caller } = result
      return wholeResponse(await restTurns.run(caller.claims.sub, () => rest.fetch(request, caller)))
    }
    if (is('/storage/v1') && services.storage) {
      const { storage } = services
      const result = callers.read(request, { keyRequired: false })
      return storageTurns.run(result.caller?.claims.sub, () => storage.fetch(request, result))
    }
    if (is('/realtime/v1') && options.realtime) {
      return keyError(callers.read(request, { keyRequired: true })) ?? options.realtime.fetch(request)
    }
    return Response.json({ message: 'no Route matched with those values' }, { status: 404 })
  }

  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0 }, async (message, response) => {
    const id = randomUUID()
    setOrigin(message, id, options.addressHeader)
    const rejection = rejectionOf(message)
    let result: SentResponse
    try {
      result = rejection
        ? Response.json({ message: rejection[1] }, { status: rejection[0] })
        : await dispatch(toStreamedRequest(message, response, origin()))
    } catch (error) {
      log(
        `gateway: ${message.method} ${message.url?.split('?')[0]}: ${error instanceof Error ? error.message : error}`,
      )
      result = Response.json({ message: 'An unexpected error occurred' }, { status: 500 })
    }
    const headers = new Headers(result.headers)
    // A function says itself who may call it.
    if (!message.url?.startsWith('/functions/v1/')) addCorsHeaders(headers)
    headers.set('sb-request-id', id)
    const { status, statusText, body } = result
    sendResponse({ status, statusText, headers, body }, response)
  })
  server.on('upgrade', (message, socket, head) => {
    if (message.url?.startsWith('/realtime/v1/') && options.realtime) {
      options.realtime.handleUpgrade(message, socket, head)
    } else socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
  })

  const port = await listen(server, options.port)
  const apiUrl = options.apiUrl ?? `http://127.0.0.1:${port}`
  function origin(): string {
    return apiUrl
  }
  const siteUrl = options.siteUrl ?? config.auth.site_url ?? apiUrl

  async function stop(): Promise<void> {
    await stopServer(server)
    await Promise.all([services.auth?.stop(), services.rest?.stop(), services.storage?.stop()])
  }

  try {
    const { adminUrl, databaseUrl, inbox } = options
    const projectDir = dirname(supabaseDir)
    services.auth = await startAuth({
      adminUrl,
      settings: config.auth,
      sender: config.local_smtp,
      tokens,
      inbox,
      apiUrl,
      siteUrl,
      projectDir,
      passwordCost: options.passwordCost,
      factorRequestsPerMinute: options.factorRequestsPerMinute,
      log,
    })
    services.rest = await startRest(databaseUrl, adminUrl, config.api)
    const dir = options.storageDir
    services.storage = await startStorage({ adminUrl, dir, settings: config.storage, tokens, log })
  } catch (error) {
    await stop()
    throw error
  }
  const { storage, rest } = services
  return {
    port,
    seedBuckets: () => storage.seedBuckets(supabaseDir),
    reloadSchema: () => rest.reload(),
    stop,
  }
}

export interface FunctionsBackend {
  handle(name: string, request: StreamedRequest): Promise<SentResponse>
}

const unauthorizedCall = (message: string) => Response.json({ code: 401, message }, { status: 401 })

/**
 * Passes `/functions/v1/<name>/…` to the function, which sees `/<name>/…`, as on the platform. Both bodies
 * stream.
 */
export async function callFunction(
  request: StreamedRequest,
  backend: FunctionsBackend,
  settings: Config['functions'],
  tokens: TokenSigner,
): Promise<SentResponse> {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/^\/functions\/v1/, '')
  const name = url.pathname.split('/')[1] ?? ''
  const entry = settings[name]
  if (!entry || !/^[\w-]+$/.test(name)) {
    return Response.json({ code: 'NOT_FOUND', message: 'Requested function was not found' }, { status: 404 })
  }
  // Browsers ask without a token; the function handles its own CORS preflights.
  if (entry.verify_jwt && request.method !== 'OPTIONS') {
    const bearer = bearerOf(request)
    if (bearer === null) return unauthorizedCall('Missing authorization header')
    try {
      tokens.verify(bearer)
    } catch (error) {
      if (error instanceof JwtError) return unauthorizedCall('Invalid JWT')
      throw error
    }
  }
  return backend.handle(name, { ...request, url: url.href })
}

const allowedMethods = 'GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS,TRACE,CONNECT'
const exposed =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, ' +
  'Range-Unit, X-Total-Count, Link, Sb-Request-Id, X-Supabase-Api-Version, X-Sb-Error-Code, ETag'

/** The response to a browser's CORS preflight. */
export function preflightResponse(request: Request): Response {
  return new Response(null, {
    status: 200,
    headers: {
      'access-control-allow-origin': request.headers.get('origin') ?? '*',
      'access-control-allow-methods': allowedMethods,
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
      'access-control-max-age': '3600',
      vary: 'origin',
    },
  })
}

/** Lets any page read the response, unless it already says who may. */
export function addCorsHeaders(headers: Headers): void {
  if (headers.has('access-control-allow-origin')) return
  headers.set('access-control-allow-origin', '*')
  headers.set('access-control-expose-headers', exposed)
}
