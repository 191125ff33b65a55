import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { readConfig } from '../../src/config.ts'
import { type Gateway, type GatewayOptions, startGateway } from '../../src/gateway/server.ts'
import { Inbox } from '../../src/inbox/inbox.ts'
import { sharedCluster, startTestCluster } from '../postgres/cluster.ts'

export const keys = {
  publishable: 'sb_publishable_test',
  secret: 'sb_secret_test',
  jwtSecret: 'a-secret-of-the-tests-with-at-least-32-characters',
}

export interface TestStack {
  gateway: Gateway
  url: string
  inbox: Inbox
  /** What the gateway reported. */
  logged: string[]
  dir: string
  /** As role `postgres`. */
  sql: postgres.Sql
  /** The database as its superuser. */
  adminUrl: string
  /** A client of its own, signed in to nobody, that keeps nothing. */
  client(key?: string, auth?: { flowType: 'pkce' }): SupabaseClient
  /** A client with the secret key. */
  admin: SupabaseClient
  /** A client signed in as a new, confirmed user. */
  user(
    name: string,
  ): Promise<{ client: SupabaseClient; id: string; email: string; password: string; token: string }>
  /** Kills the database server, with `ownServer`, which then starts again by itself. */
  killDatabase(): void
  /** Stops the gateway and starts it again on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** `config` as it would stand in config.toml. */
type Options = Partial<Omit<GatewayOptions, 'config'>> & {
  config?: unknown
  /** A Postgres of its own, which the test may kill and whose roles it may change; else the stack has a database of the run's. */
  ownServer?: boolean
}

/** A database of its own with the platform in it, and a gateway in front. */
export async function startStack(
  schema: string,
  { ownServer = false, ...options }: Options = {},
): Promise<TestStack> {
  const dir = await mkdtemp(join(tmpdir(), 'gateway-test-'))
  const cluster = ownServer ? await startTestCluster() : undefined
  const database = await (cluster ?? sharedCluster).database()
  const sql = postgres(database.url, { max: 2, onnotice: () => {} })
  await sql.unsafe(schema)
  const inbox = await Inbox.open()
  const logged: string[] = []
  const gatewayOptions = {
    port: 0,
    databaseUrl: database.url,
    adminUrl: database.adminUrl,
    keys,
    storageDir: join(dir, 'storage'),
    supabaseDir: join(dir, 'supabase'),
    inbox,
    passwordCost: 4,
    log: (line: string) => logged.push(line),
    ...options,
    config: readConfig(options.config),
  }
  let gateway = await startGateway(gatewayOptions)
  const url = `http://127.0.0.1:${gateway.port}`
  const client = (key = keys.publishable, auth?: { flowType: 'pkce' }) =>
    createClient(url, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false, ...auth },
    })
  const admin = client(keys.secret)

  async function user(name: string) {
    const email = `${name}-${crypto.randomUUID()}@example.edu`
    const password = 'correct horse 1'
    const created = await admin.auth.admin.createUser({ email, password, email_confirm: true })
    if (created.error) throw created.error
    const signedIn = client()
    const { data, error } = await signedIn.auth.signInWithPassword({ email, password })
    if (error) throw error
    return { client: signedIn, id: created.data.user.id, email, password, token: data.session.access_token }
  }

  function killDatabase() {
    const pid = cluster?.server.pid()
    if (pid === undefined) throw new Error('The stack has no server of its own')
    process.kill(pid, 'SIGKILL')
  }

  async function restart() {
    await gateway.stop()
    gateway = await startGateway({ ...gatewayOptions, port: gateway.port })
  }

  async function stop() {
    await gateway.stop()
    await sql.end()
    await cluster?.stop()
    await rm(dir, { recursive: true, force: true })
  }
  const { adminUrl } = database
  return { gateway, url, inbox, logged, dir, sql, adminUrl, client, admin, user, killDatabase, restart, stop }
}

type Succeeded<Result> = Result extends { error: null; data: infer Data } ? NonNullable<Data> : never

/** The data of a result that must not be an error. */
export function dataOf<Result extends { data: unknown; error: unknown }>(result: Result): Succeeded<Result> {
  const { data, error } = result
  if (error) throw error
  if (data === null || data === undefined) throw new Error('no data')
  // The checks above leave the success.
  return data as Succeeded<Result>
}

/** The link in the latest mail to an address. */
export function linkTo(stack: TestStack, email: string): string {
  const [message] = stack.inbox.list(email)
  const link = /https?:\/\/\S+/.exec(message?.text ?? '')?.[0]
  if (!link) throw new Error(`no link was mailed to ${email}`)
  return link
}
