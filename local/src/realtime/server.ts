import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { type ApiKeys, createCallerReader } from '../http/caller.ts'
import { createTokenSigner, type JwtKeys } from '../http/jwt.ts'
import { connect } from '../postgres/connections.ts'
import type { Services } from './channel.ts'
import { Connection } from './connection.ts'
import type { Version } from './frames.ts'
import { createHttp } from './http.ts'
import { Hub } from './hub.ts'
import { defaultLimits, type RealtimeLimits } from './limits.ts'
import { createPolicies } from './policies.ts'
import { followMessages } from './stored-messages.ts'

export { defaultLimits, type RealtimeLimits } from './limits.ts'

export type RealtimeOptions = {
  /** The database as its superuser. */
  adminUrl: string
  jwtSecret: string
  keys: ApiKeys & Partial<JwtKeys>
  /** Reject public channels, as a project with "Allow public access" switched off. */
  privateOnly: boolean
  limits?: Partial<RealtimeLimits>
  log?: (line: string) => void
}

export type Realtime = {
  /** Takes a websocket handshake for `/realtime/v1/websocket`. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Handles `POST /realtime/v1/api/broadcast…`. */
  fetch(request: Request): Promise<Response>
  stop(): Promise<void>
}

const frameOverheadBytes = 2000

/**
 * Serves Supabase Realtime: broadcast, presence, private channels that the policies on `realtime.messages` decide on,
 * and broadcast from the database. Row changes (`postgres_changes`) are not served; a client that asks for them gets
 * a system message that says so.
 */
export function startRealtime(options: RealtimeOptions): Realtime {
  const log = options.log ?? (() => undefined)
  const limits = { ...defaultLimits, ...options.limits }
  const tokens = createTokenSigner({ jwtSecret: options.jwtSecret, signingKey: options.keys.signingKey })
  const callers = createCallerReader(options.keys, tokens)
  const sql = connect(options.adminUrl, {
    max: 4,
    idle_timeout: 60,
    onnotice: () => undefined,
    connection: { application_name: 'realtime', statement_timeout: 10_000 },
  })
  const hub = new Hub()
  const stored = followMessages(
    sql,
    options.adminUrl,
    ({ id, topic, event, payload, private: isPrivate }) => {
      const message = Buffer.isBuffer(payload)
        ? { event, bytes: payload }
        : { type: 'broadcast', event, payload, meta: { id } }
      hub.broadcast({ topic, private: isPrivate }, { payload: message, id })
    },
  )
  const policies = createPolicies(sql, log)
  const services: Services = { hub, policies, tokens, stored, limits, privateOnly: options.privateOnly, log }
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.payloadBytes + frameOverheadBytes,
  })
  const connections = new Set<Connection>()
  let stopped = false

  return {
    handleUpgrade(request, socket, head) {
      socket.on('error', () => undefined)
      const reject = (status: string): void =>
        void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
      const url = new URL(request.url ?? '/', 'http://localhost')
      if (stopped) return reject('503 Service Unavailable')
      if (!/^\/realtime\/v1\/websocket\/?$/.test(url.pathname)) return reject('404 Not Found')
      const header = request.headers['x-api-key']
      const key = url.searchParams.get('apikey') ?? (typeof header === 'string' ? header : undefined)
      const role = key === undefined ? null : callers.roleOfKey(key)
      if (role === null) return reject('401 Unauthorized')
      const version = versionOf(url.searchParams.get('vsn'))
      if (version === undefined) return reject('403 Forbidden')
      sockets.handleUpgrade(request, socket, head, (client) => {
        const connection = new Connection(client, version, role, services)
        connections.add(connection)
        client.once('close', () => connections.delete(connection))
      })
    },
    fetch: createHttp(services, callers),
    async stop() {
      stopped = true
      for (const connection of connections) connection.close()
      sockets.close()
      await stored.stop()
      await sql.end({ timeout: 1 })
    },
  }
}

function versionOf(asked: string | null): Version | undefined {
  if (asked === null || asked.startsWith('1.')) return '1.0.0'
  return asked.startsWith('2.') ? '2.0.0' : undefined
}
