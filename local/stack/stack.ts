import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { startCron } from '../cron/scheduler.ts'
import { createFunctions, type FunctionConfig } from '../functions/index.ts'
import { startGateway } from '../gateway/server.ts'
import { Inbox } from '../inbox/inbox.ts'
import { startInbox } from '../inbox/server.ts'
import { startNet } from '../net/sender.ts'
import { applyPlatform } from '../platform/apply.ts'
import { removeCluster, startPostgres } from '../postgres/server.ts'
import { startRealtime } from '../realtime/index.ts'
import { supabase } from './cli.ts'
import { legacyKey, type StackKeys, stackKeys } from './keys.ts'
import type { StackOptions } from './options.ts'
import { requireFree } from './ports.ts'
import { ROOT } from './root.ts'
import { storeSecrets } from './vault.ts'

/** A running stack. */
export type Stack = {
  apiUrl: string
  databaseUrl: string
  /** The same database as its superuser. */
  adminUrl: string
  inboxUrl: string
  keys: StackKeys
  /** Whether the database was made by this start. */
  fresh: boolean
  /** Process ids of what the stack started: the database, and the functions that run at the moment. */
  pids(): { postgres: number | undefined; functions: Record<string, number> }
  stop(): Promise<void>
}

export type StackLog = (line: string) => void

/**
 * Starts everything, in order, and applies the migrations with the Supabase CLI.
 *
 * `progress` is told each step as it begins. When a step fails, what was started is stopped again.
 */
export async function startStack(
  options: StackOptions & { durable?: boolean; env?: Record<string, string> },
  { progress, log }: { progress: StackLog; log: StackLog },
): Promise<Stack> {
  await requireFree({
    '--port': options.port,
    '--db-port': options.dbPort,
    '--inbox-port': options.inboxPort,
  })
  if (options.reset) {
    removeCluster(join(options.dataDir, 'postgres'))
    rmSync(options.dataDir, { recursive: true, force: true })
  }
  mkdirSync(options.dataDir, { recursive: true })
  const fresh = !existsSync(join(options.dataDir, 'keys.json'))
  const keys = stackKeys(options.dataDir)
  const config = parse(readFileSync(join(ROOT, 'supabase', 'config.toml'), 'utf8'))
  const apiUrl = `http://127.0.0.1:${options.port}`
  const inboxUrl = `http://127.0.0.1:${options.inboxPort}`

  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }

  try {
    progress('Postgres')
    const postgres = await startPostgres({
      dataDir: join(options.dataDir, 'postgres'),
      port: options.dbPort,
      durable: options.durable ?? true,
      portHint: '--db-port',
      log,
    })
    stops.push(() => postgres.stop())
    progress('platform roles and schemas')
    await applyPlatform(postgres.adminUrl)

    progress('API gateway, Auth, Storage, Realtime, inbox')
    const inbox = await Inbox.open(join(options.dataDir, 'inbox.jsonl'))
    const inboxPage = await startInbox({ port: options.inboxPort, inbox })
    stops.push(() => inboxPage.stop())
    const functions = createFunctions({
      root: ROOT,
      config: { functions: config.functions as Record<string, FunctionConfig> },
      envFile: join(ROOT, 'functions', '.env'),
      dataDir: options.dataDir,
      watch: options.watch,
      log,
      env: {
        SUPABASE_URL: apiUrl,
        SUPABASE_DB_URL: postgres.url,
        SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: keys.publishable }),
        SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.secret }),
        SUPABASE_ANON_KEY: legacyKey('anon', keys.jwtSecret),
        SUPABASE_SERVICE_ROLE_KEY: legacyKey('service_role', keys.jwtSecret),
        PIPELINE_SECRET: keys.pipelineSecret,
        INBOX_URL: inboxUrl,
        ...options.env,
      },
    })
    stops.push(() => functions.stop())
    const realtime = startRealtime({
      adminUrl: postgres.adminUrl,
      jwtSecret: keys.jwtSecret,
      keys,
      privateOnly: true,
      log,
    })
    stops.push(() => realtime.stop())
    const gateway = await startGateway({
      port: options.port,
      databaseUrl: postgres.url,
      adminUrl: postgres.adminUrl,
      keys,
      storageDir: join(options.dataDir, 'storage'),
      config,
      supabaseDir: join(ROOT, 'supabase'),
      inbox,
      functions,
      realtime,
      log,
    })
    stops.push(() => gateway.stop())

    progress('migrations and seeds')
    const functionsUrl = `${apiUrl}/functions/v1`
    await supabase(['db', 'push', `--remote=${postgres.url}`, '--include-seed', '--yes'], {
      env: { FUNCTIONS_URL: functionsUrl, PIPELINE_SECRET: keys.pipelineSecret },
    })
    await storeSecrets(postgres.url, { functions_url: functionsUrl, pipeline_secret: keys.pipelineSecret })
    gateway.reloadSchema()
    await gateway.seedBuckets()

    progress('cron and webhooks')
    const net = startNet({ adminUrl: postgres.adminUrl, log })
    stops.push(() => net.stop())
    const cron = startCron({ adminUrl: postgres.adminUrl, log })
    stops.push(() => cron.stop())

    const stack: Stack = {
      apiUrl,
      databaseUrl: postgres.url,
      adminUrl: postgres.adminUrl,
      inboxUrl,
      keys,
      fresh,
      pids: () => ({ postgres: postgres.pid(), functions: functions.pids() }),
      stop,
    }
    const description = join(options.dataDir, 'stack.json')
    writeDescription(description, stack)
    stops.push(async () => rmSync(description, { force: true }))
    return stack
  } catch (error) {
    await stop()
    throw error
  }
}

/** The same as is printed, for tools. */
function writeDescription(file: string, stack: Stack): void {
  const description = {
    api_url: stack.apiUrl,
    functions_url: `${stack.apiUrl}/functions/v1`,
    database_url: stack.databaseUrl,
    inbox_url: stack.inboxUrl,
    publishable_key: stack.keys.publishable,
    secret_key: stack.keys.secret,
    jwt_secret: stack.keys.jwtSecret,
    pid: process.pid,
  }
  writeFileSync(file, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 })
}
