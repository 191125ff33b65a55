import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { createTokenSigner } from '../../src/http/jwt.ts'
import { sendResponse, toRequest, toStreamedRequest } from '../../src/http/node.ts'
import { type RealtimeOptions, startRealtime } from '../../src/realtime/server.ts'
import { sharedCluster, type startTestCluster } from '../postgres/cluster.ts'

export type RealtimeSetup = Awaited<ReturnType<typeof createSetup>>
export type Cluster = Awaited<ReturnType<typeof startTestCluster>>

const jwtSecret = 'a-secret-of-these-tests-with-32-characters'
const keys = { publishable: 'sb_publishable_test', secret: 'sb_secret_test' }
const tokens = createTokenSigner({ jwtSecret })

/** A token of a signed-in user; `claims` change what it says. */
export function tokenOf(sub: string, claims: Record<string, unknown> = {}): string {
  return tokens.sign({ sub, role: 'authenticated', exp: Math.floor(Date.now() / 1000) + 600, ...claims })
}

/**
 * Realtime over a database of its own, with these policies for signed-in users:
 * - `own:<user id>`: all; `read:…`: read all; `write:…`: read and write broadcasts; `quiet:…`: presence only
 */
export async function createSetup(
  options: Partial<RealtimeOptions> = {},
  cluster: Pick<Cluster, 'database'> = sharedCluster,
) {
  const { adminUrl } = await cluster.database()
  const sql = postgres(adminUrl, { max: 2, onnotice: () => undefined })
  await sql.unsafe(`
    create policy readers on realtime.messages for select to authenticated using (
      realtime.topic() = 'own:' || (select current_setting('request.jwt.claims')::jsonb ->> 'sub')
      or realtime.topic() like 'read:%'
      or (realtime.topic() like 'write:%' and extension = 'broadcast')
      or (realtime.topic() like 'quiet:%' and extension = 'presence')
      or (realtime.topic() like 'broken:%' and 1 / (random() * 0)::int = 1));
    create policy writers on realtime.messages for insert to authenticated with check (
      realtime.topic() = 'own:' || (select current_setting('request.jwt.claims')::jsonb ->> 'sub')
      or (realtime.topic() like 'write:%' and extension = 'broadcast'));`)
  const logged: string[] = []
  const realtime = startRealtime({
    adminUrl,
    jwtSecret,
    keys,
    privateOnly: false,
    log: (line) => logged.push(line),
    ...options,
  })
  const server = createServer(async (message, response) => {
    sendResponse(
      await realtime.fetch(toRequest(toStreamedRequest(message, response, 'http://127.0.0.1'))),
      response,
    )
  })
  server.on('upgrade', (request, socket, head) => realtime.handleUpgrade(request, socket, head))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`
  const clients: SupabaseClient[] = []

  return {
    sql,
    url,
    keys,
    logged,
    /** A supabase-js client; without a token it acts for the key. */
    client(
      token?: string | (() => string),
      realtimeOptions: Record<string, unknown> = {},
      key = keys.publishable,
    ): SupabaseClient {
      const current = typeof token === 'function' ? token : () => token ?? null
      const client = createClient(url, key, {
        realtime: { reconnectAfterMs: () => 50, ...realtimeOptions },
        ...(token !== undefined && { accessToken: async () => current() }),
      })
      // At once, or the first channel would be joined without it.
      if (token !== undefined) void client.realtime.setAuth(current())
      clients.push(client)
      return client
    },
    /** Waits until the database's notifications are listened to. */
    async listening(): Promise<void> {
      await until(async () => {
        const [row] = await sql`
          select 1 from pg_stat_activity
          where datname = current_database() and application_name = 'listen realtime_messages'
            and state = 'idle' and query ilike 'listen %'`
        return row !== undefined
      })
    },
    async stop() {
      await Promise.all(clients.map((client) => client.realtime.disconnect()))
      await realtime.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await sql.end({ timeout: 1 })
    },
  }
}

/** Subscribes and resolves with the first outcome: its status and the message of the error. */
export function subscribe(channel: RealtimeChannel): Promise<{ status: string; message?: string }> {
  return new Promise((resolve) => {
    channel.subscribe((status, error) => resolve({ status, message: error?.message }))
  })
}

/** Subscribes, and fails unless that succeeded. */
export async function join(channel: RealtimeChannel): Promise<RealtimeChannel> {
  const { status, message } = await subscribe(channel)
  if (status !== 'SUBSCRIBED') throw new Error(`${status}: ${message}`)
  return channel
}

export const uniqueTopic = (kind: string): string => `${kind}:${randomUUID()}`

/** Waits until `condition` holds, looking every few milliseconds; the test's own time limit ends it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}
