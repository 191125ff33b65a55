import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import postgres from 'postgres'
import { configuredSecrets, readEnvFile, readProject } from './config.ts'
import { startCron } from './cron/scheduler.ts'
import type { IsolateEvent } from './functions/isolate.ts'
import type { Limits } from './functions/limits.ts'
import type { RuntimePolicy } from './functions/pool.ts'
import { createFunctions, type Functions } from './functions/server.ts'
import { startGateway } from './gateway/server.ts'
import { Inbox } from './inbox/inbox.ts'
import { startInbox } from './inbox/server.ts'
import { TwilioAccount } from './inbox/twilio/account.ts'
import {
  environmentOf,
  hasTwilioSettings,
  inventAccount,
  type TextMessages,
} from './inbox/twilio/invented.ts'
import { startNet } from './net.ts'
import { requireFree } from './ports.ts'
import { applyPlatform } from './postgres/databases.ts'
import { removeCluster, startPostgres } from './postgres/server.ts'
import { startRealtime } from './realtime/server.ts'
import { supabase } from './supabase-cli.ts'
import { copyTemplate } from './template.ts'

/** Which project a stack runs, where it listens and where it keeps its data. */
export type StackOptions = {
  /** The project's folder, which holds `supabase/config.toml`. Default: the current folder. */
  root?: string
  /** Port of the API gateway. Default: `[api] port` of config.toml, or 54321. */
  port?: number
  /** Port of Postgres. Default: `[db] port`, or 54322. */
  dbPort?: number
  /** Port of the inbox page. Default: `[local_smtp] port`, or 54324. */
  inboxPort?: number
  /** Where mails of Auth lead. Default: `[auth] site_url`. */
  siteUrl?: string
  /** Folder of the database, the stored objects and the keys. Default: `.stack` in the project's folder. */
  dataDir?: string
  /** Throw the data away first. */
  reset?: boolean
  /** Data folder of `makeTemplate`, of the same project: a new database begins as a copy of its, migrated and seeded. */
  template?: string
  /** Restart functions when their code changes. */
  watch?: boolean
  /** Default true. false skips fsync: faster, survives a killed process but not a power cut. */
  durable?: boolean
  /** bcrypt cost of new passwords, 4 to 31. Default 10, as GoTrue; 4 makes a sign-in 64 times cheaper, for tests. */
  passwordCost?: number
  /**
   * MFA challenges, and as many verifications, that a network address may make per minute; twice as many at once. Default 15, as
   * a hosted project; more for tests in which many people sign in from one address.
   */
  factorRequestsPerMinute?: number
  /** A header whose value stands for the address that a request comes from, for tests that play many callers. Default none. */
  addressHeader?: string
  /** Secrets: every function sees them, and `env(NAME)` in config.toml resolves to them first. */
  env?: Record<string, string>
  /** Dotenv file of further secrets, read again at each start of a function. Default: `supabase/functions/.env`. */
  envFile?: string
  /**
   * Lets the inbox be Twilio: functions get `TWILIO_ACCOUNT_SID`, `TWILIO_AUTH_TOKEN`, `TWILIO_FROM` and `TWILIO_BASE_URL` of an
   * invented account, whose texts are the inbox's. Without effect when the project sets one of the first three itself.
   */
  textMessages?: TextMessages
  /** How functions' isolates get requests: `per_worker` or `oneshot`. Default: `[edge_runtime] policy`, or `per_worker`. */
  runtimePolicy?: RuntimePolicy
  /** The most isolates of a function that take requests at the same time. Default: 10. */
  maxParallelism?: number
  /** What an isolate may use, in the place of the hosted limits; false enforces none. */
  limits?: Partial<Limits> | false
}

/** Where a stack says what it does. */
export type StackOutput = {
  /** Called with each step of the start as it begins. */
  progress?: (step: string) => void
  /** Called with each line that the stack or one of its functions logs. */
  log?: (line: string) => void
  /** Called when an isolate of a function has booted, is retired, and has ended, with what it has used. */
  isolate?: (event: IsolateEvent) => void
}

/** The keys of one stack, made on its first start. */
export type StackKeys = {
  /** For apps: acts as `anon`, or as the signed-in person. */
  publishable: string
  /** For servers: acts as `service_role`. */
  secret: string
  /** Signs access tokens (HS256). */
  jwtSecret: string
  /** Keys that are valid besides, as while one is replaced. */
  further?: { publishable: string; secret: string }[]
}

/** A running stack. */
export type Stack = {
  apiUrl: string
  databaseUrl: string
  /** The same database as its superuser. */
  adminUrl: string
  inboxUrl: string
  dataDir: string
  keys: StackKeys
  /** Where texts go when `textMessages` is given: to the inbox as Twilio, or with the project's own settings. */
  texts: 'inbox' | 'own settings' | undefined
  /** Whether the database was made by this start. */
  fresh: boolean
  /** Process ids of what the stack started: the database, and the functions that run at the moment. */
  pids(): { postgres: number | undefined; functions: Record<string, number> }
  /** The functions' isolates: what they have used, what became of them, and a way to end one. */
  functions: Pick<Functions, 'isolates' | 'counts' | 'end' | 'setSecrets'>
  stop(): Promise<void>
}

/**
 * Starts everything, in order, and applies the migrations and seeds with the Supabase CLI. When a step fails, what was
 * started is stopped again.
 *
 * `env(FUNCTIONS_URL)` in config.toml is the address of this stack's functions; functions see `INBOX_URL`, the address
 * of its inbox, beside what the platform gives them.
 *
 * @throws Error when a port is taken, the project cannot be read, or a migration fails
 */
export async function startStack(
  options: StackOptions = {},
  { progress = () => {}, log = () => {}, isolate }: StackOutput = {},
): Promise<Stack> {
  const project = readProject(options.root ?? '.', options)
  const { root, supabaseDir, config, apiUrl, envFile } = project
  const port = options.port ?? config.api.port
  const dbPort = options.dbPort ?? config.db.port
  const inboxPort = options.inboxPort ?? config.local_smtp.port
  const inboxUrl = `http://127.0.0.1:${inboxPort}`
  await requireFree({ '--port': port, '--db-port': dbPort, '--inbox-port': inboxPort })
  const dataDir = resolve(options.dataDir ?? join(root, '.stack'))
  if (options.reset) {
    removeCluster(join(dataDir, 'postgres'))
    rmSync(dataDir, { recursive: true, force: true })
  }
  mkdirSync(dataDir, { recursive: true })
  const fresh = !existsSync(join(dataDir, 'keys.json'))
  const keys = stackKeys(dataDir)

  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }

  try {
    progress('Postgres')
    const copied = options.template !== undefined && copyTemplate(options.template, dataDir)
    const database = await startPostgres({
      dataDir: join(dataDir, 'postgres'),
      port: dbPort,
      durable: options.durable ?? true,
      portHint: '--db-port',
      log,
    })
    stops.push(() => database.stop())
    progress('platform roles and schemas')
    await applyPlatform(database.adminUrl)

    progress('API gateway, Auth, Storage, Realtime, inbox')
    const inbox = await Inbox.open(join(dataDir, 'inbox.jsonl'))
    const secrets = configuredSecrets(project)
    const { textMessages, env: given = {} } = options
    const hasOwnTwilio = hasTwilioSettings(given, { ...secrets, ...readEnvFile(envFile) })
    const twilio = textMessages && !hasOwnTwilio ? inventAccount(textMessages, apiUrl) : undefined
    const account = twilio && (await TwilioAccount.open(twilio, inbox, join(dataDir, 'phones.json')))
    const inboxPage = await startInbox({ port: inboxPort, inbox, account })
    stops.push(() => inboxPage.stop())
    const functions = createFunctions({
      root,
      functions: config.functions,
      envFile,
      dataDir,
      watch: options.watch ?? false,
      runtimePolicy: options.runtimePolicy ?? config.edge_runtime.policy,
      maxParallelism: options.maxParallelism,
      limits: options.limits,
      log,
      onIsolate: isolate,
      env: {
        ...secrets,
        SUPABASE_URL: apiUrl,
        SUPABASE_DB_URL: database.url,
        SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: keys.publishable }),
        SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.secret }),
        SUPABASE_ANON_KEY: legacyKey('anon', keys.jwtSecret),
        SUPABASE_SERVICE_ROLE_KEY: legacyKey('service_role', keys.jwtSecret),
        INBOX_URL: inboxUrl,
        ...(twilio && environmentOf(twilio, inboxUrl)),
        ...given,
      },
    })
    stops.push(() => functions.stop())
    const realtime = startRealtime({
      adminUrl: database.adminUrl,
      jwtSecret: keys.jwtSecret,
      keys,
      privateOnly: true,
      log,
    })
    stops.push(() => realtime.stop())
    const gateway = await startGateway({
      port,
      databaseUrl: database.url,
      adminUrl: database.adminUrl,
      keys,
      storageDir: join(dataDir, 'storage'),
      config,
      supabaseDir,
      inbox,
      functions,
      realtime,
      siteUrl: options.siteUrl,
      passwordCost: options.passwordCost,
      factorRequestsPerMinute: options.factorRequestsPerMinute,
      addressHeader: options.addressHeader,
      log,
    })
    stops.push(() => gateway.stop())

    progress(copied ? 'secrets and buckets' : 'migrations and seeds')
    await storeSecrets(database.url, config.db.vault, log)
    const push = ['db', 'push', `--remote=${database.url}`, '--include-seed', '--skip-vault', '--yes']
    if (!copied) await supabase(push, { root })
    gateway.reloadSchema()
    await gateway.seedBuckets()

    progress('cron and webhooks')
    const net = startNet({ adminUrl: database.adminUrl, log })
    stops.push(() => net.stop())
    const cron = startCron({ adminUrl: database.adminUrl, log })
    stops.push(() => cron.stop())

    const stack: Stack = {
      apiUrl,
      databaseUrl: database.url,
      adminUrl: database.adminUrl,
      inboxUrl,
      dataDir,
      keys,
      texts: textMessages && (twilio ? 'inbox' : 'own settings'),
      fresh,
      pids: () => ({ postgres: database.pid(), functions: functions.pids() }),
      functions: {
        isolates: functions.isolates,
        counts: functions.counts,
        end: functions.end,
        setSecrets: functions.setSecrets,
      },
      stop,
    }
    const description = join(dataDir, 'stack.json')
    writeDescription(description, stack)
    stops.push(async () => rmSync(description, { force: true }))
    return stack
  } catch (error) {
    await stop()
    throw error
  }
}

/** Reads the keys kept in the data folder, or makes them. */
function stackKeys(dataDir: string): StackKeys {
  const file = join(dataDir, 'keys.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const keys = {
    publishable: `sb_publishable_${randomBytes(18).toString('base64url')}`,
    secret: `sb_secret_${randomBytes(24).toString('base64url')}`,
    jwtSecret: randomBytes(32).toString('hex'),
  }
  writeFileSync(file, JSON.stringify(keys, null, 2), { mode: 0o600 })
  return keys
}

/** A key in the older form, a token that names its role; the platform still hands these to functions. */
function legacyKey(role: 'anon' | 'service_role', jwtSecret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iss: 'supabase', role, iat: 0, exp: 4102444800 })}`
  return `${unsigned}.${createHmac('sha256', jwtSecret).update(unsigned).digest('base64url')}`
}

/**
 * Brings the secrets of `[db.vault]` up to date. `supabase db push` stores them too, but only when there is a migration
 * to apply; a stack that is started again on other ports has none.
 */
async function storeSecrets(
  databaseUrl: string,
  secrets: Record<string, string>,
  log: (line: string) => void,
): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    for (const [name, value] of Object.entries(secrets)) {
      if (value === '') {
        log(
          `vault: ${name} is not stored, because its value in config.toml is empty or an env() that is not set`,
        )
        continue
      }
      await sql`
        select case
          when s.id is null then vault.create_secret(${value}, ${name})::text
          else vault.update_secret(s.id, ${value})::text
        end
        from (select) one
        left join vault.secrets s on s.name = ${name}`
    }
  } finally {
    await sql.end()
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
