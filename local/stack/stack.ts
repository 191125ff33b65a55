import { rmSync, writeFileSync } from 'node:fs'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { startCron } from '../cron/scheduler.ts'
import { createFunctions } from '../functions/index.ts'
import { readConfig } from '../gateway/config.ts'
import { startGateway } from '../gateway/server.ts'
import { Inbox } from '../inbox/inbox.ts'
import { startInbox } from '../inbox/server.ts'
import { startNet } from '../net/sender.ts'
import { applyPlatform } from '../platform/apply.ts'
import { startPostgres } from '../postgres/server.ts'
import { startRealtime } from '../realtime/index.ts'
import { seedBuckets } from '../storage/seed.ts'
import { supabase } from './cli.ts'
import { type StackKeys, legacyKey, stackKeys } from './keys.ts'
import type { StackOptions } from './options.ts'
import { requireFree } from './ports.ts'
import { ROOT } from './root.ts'

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
  await requireFree({ '--port': options.port, '--db-port': options.dbPort, '--inbox-port': options.inboxPort })
  if (options.reset) rmSync(options.dataDir, { recursive: true, force: true })
  mkdirSync(options.dataDir, { recursive: true })
  const fresh = !existsSync(join(options.dataDir, 'keys.json'))
  const keys = stackKeys(options.dataDir)
  const config = readConfig(join(ROOT, 'supabase', 'config.toml'))
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
      log,
    })
    stops.push(() => postgres.stop())
    progress('platform roles and schemas')
    await applyPlatform(postgres.adminUrl)

    progress('API gateway, Auth, Storage, Realtime, inbox')
    const inbox = new Inbox({ dir: join(options.dataDir, 'inbox') })
    const inboxPage = await startInbox({ port: options.inboxPort, inbox })
    stops.push(() => inboxPage.stop())
    const functions = createFunctions({
      root: ROOT,
      config,
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
        ...functionSecrets(),
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
      inbox,
      functions,
      realtime,
      log,
    })
    stops.push(() => gateway.stop())

    progress('migrations and seeds')
    await supabase(['db', 'push', `--remote=${postgres.url}`, '--include-seed', '--yes'], {
      env: { FUNCTIONS_URL: `${apiUrl}/functions/v1`, PIPELINE_SECRET: keys.pipelineSecret },
    })
    await seedBuckets({ config, apiUrl, secretKey: keys.secret, supabaseDir: join(ROOT, 'supabase') })

    progress('cron and webhooks')
    const net = await startNet({ adminUrl: postgres.adminUrl, log })
    stops.push(() => net.stop())
    const cron = await startCron({ adminUrl: postgres.adminUrl, log })
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
    writeDescription(join(options.dataDir, 'stack.json'), stack)
    return stack
  } catch (error) {
    await stop()
    throw error
  }
}

/** Provider keys that a developer keeps for the functions, as `supabase functions serve` reads them. */
function functionSecrets(): Record<string, string | undefined> {
  const file = join(ROOT, 'functions', '.env')
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
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
