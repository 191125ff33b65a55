import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'smol-toml'
import { z } from 'zod'

const units: Record<string, number> = { '': 1, B: 1, KB: 1000, MB: 1000 ** 2, GB: 1000 ** 3 }
const binaryUnits: Record<string, number> = { KIB: 1024, MIB: 1024 ** 2, GIB: 1024 ** 3 }

/** Bytes of a size as config.toml writes it: `50MiB`, `500KB`, `1024`. */
export function parseSize(size: string | number): number {
  if (typeof size === 'number') return size
  const [, digits = '', unit = ''] = /^\s*([\d.]+)\s*([a-z]*)\s*$/i.exec(size) ?? []
  const factor = units[unit.toUpperCase()] ?? binaryUnits[unit.toUpperCase()]
  if (digits === '' || factor === undefined) throw new Error(`"${size}" is not a size like "50MiB"`)
  return Math.round(Number(digits) * factor)
}

const secondsPerUnit: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 0.001 }

/** Seconds of a Go duration: `24h`, `1m30s`, `500ms`. */
export function parseDuration(duration: string | number): number {
  if (typeof duration === 'number') return duration
  if (!/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(duration)) {
    throw new Error(`"${duration}" is not a duration like "1m30s"`)
  }
  let seconds = 0
  for (const [, amount, unit] of duration.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)) {
    seconds += Number(amount) * (secondsPerUnit[unit ?? 's'] ?? 0)
  }
  return seconds
}

const size = z.union([z.string(), z.number()]).transform(parseSize)
const duration = z.union([z.string(), z.number()]).transform(parseDuration)

const template = z.object({
  subject: z.string().optional(),
  content: z.string().optional(),
  content_path: z.string().optional(),
})

const bucket = z.object({
  public: z.boolean().default(false),
  file_size_limit: size.optional(),
  allowed_mime_types: z.array(z.string()).optional(),
  objects_path: z.string().optional(),
})

const api = z.object({
  port: z.number().int().default(54321),
  schemas: z.array(z.string()).default(['public', 'graphql_public']),
  extra_search_path: z.array(z.string()).default(['public', 'extensions']),
  max_rows: z.number().int().default(1000),
})

const email = z.object({
  enable_signup: z.boolean().default(true),
  double_confirm_changes: z.boolean().default(true),
  enable_confirmations: z.boolean().default(false),
  secure_password_change: z.boolean().default(false),
  max_frequency: duration.default(1),
  otp_length: z.number().int().default(6),
  otp_expiry: z.number().int().default(3600),
  template: z.record(z.string(), template).default({}),
  notification: z.record(z.string(), template.extend({ enabled: z.boolean().default(false) })).default({}),
})

const factorType = z.object({
  enroll_enabled: z.boolean().default(false),
  verify_enabled: z.boolean().default(false),
})

const mfa = z.object({
  max_enrolled_factors: z.number().int().default(10),
  totp: factorType.default(factorType.parse({})),
})

const hook = z.object({ enabled: z.boolean().default(false), uri: z.string().default('') })

const captcha = z.object({
  enabled: z.boolean().default(false),
  provider: z.enum(['hcaptcha', 'turnstile']).default('hcaptcha'),
  secret: z.string().default(''),
})

const auth = z.object({
  site_url: z.string().optional(),
  additional_redirect_urls: z.array(z.string()).default([]),
  jwt_expiry: z.number().int().default(3600),
  enable_refresh_token_rotation: z.boolean().default(true),
  refresh_token_reuse_interval: z.number().default(10),
  enable_signup: z.boolean().default(true),
  minimum_password_length: z.number().int().default(6),
  password_requirements: z.string().default(''),
  sessions: z.object({ timebox: duration.optional(), inactivity_timeout: duration.optional() }).default({}),
  email: email.default(email.parse({})),
  mfa: mfa.default(mfa.parse({})),
  captcha: captcha.default(captcha.parse({})),
  hook: z
    .object({
      custom_access_token: hook.default(hook.parse({})),
      password_verification_attempt: hook.default(hook.parse({})),
      mfa_verification_attempt: hook.default(hook.parse({})),
    })
    .default({
      custom_access_token: hook.parse({}),
      password_verification_attempt: hook.parse({}),
      mfa_verification_attempt: hook.parse({}),
    }),
})

const localSmtp = z.object({
  port: z.number().int().default(54324),
  admin_email: z.string().default('admin@email.com'),
  sender_name: z.string().default('Admin'),
})

const storage = z.object({
  file_size_limit: size.default(50 * 1024 ** 2),
  buckets: z.record(z.string(), bucket).default({}),
})

const db = z.object({
  port: z.number().int().default(54322),
  vault: z.record(z.string(), z.string()).default({}),
})

const edgeRuntime = z.object({
  policy: z.enum(['per_worker', 'oneshot']).default('per_worker'),
  secrets: z.record(z.string(), z.string()).default({}),
})

const edgeFunction = z.object({
  enabled: z.boolean().default(true),
  verify_jwt: z.boolean().default(true),
  /** Relative to the folder of config.toml. */
  entrypoint: z.string().optional(),
  import_map: z.string().optional(),
})

const config = z.object({
  api: api.default(api.parse({})),
  auth: auth.default(auth.parse({})),
  db: db.default(db.parse({})),
  local_smtp: localSmtp.default(localSmtp.parse({})),
  storage: storage.default(storage.parse({})),
  edge_runtime: edgeRuntime.default(edgeRuntime.parse({})),
  functions: z.record(z.string(), edgeFunction).default({}),
})

export type Config = z.infer<typeof config>
export type AuthSettings = Config['auth']
export type MailSender = Config['local_smtp']
export type FunctionSettings = Config['functions'][string]

/**
 * Reads the sections of a parsed `supabase/config.toml` that this package serves, with the CLI's defaults. A value
 * `env(NAME)` becomes that variable's value, and empty where there is none.
 *
 * @throws ZodError naming the setting that is wrong
 */
export function readConfig(parsedToml: unknown, env: NodeJS.Dict<string> = {}): Config {
  return config.parse(resolveEnv(parsedToml ?? {}, env))
}

function resolveEnv(value: unknown, env: NodeJS.Dict<string>): unknown {
  if (typeof value === 'string') return value.replace(/^env\((\w+)\)$/, (_, name: string) => env[name] ?? '')
  if (Array.isArray(value)) return value.map((item) => resolveEnv(item, env))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveEnv(item, env)]))
}

/** A folder that holds `supabase/`, as far as a stack needs it. */
export type Project = {
  root: string
  /** The folder of config.toml, which paths in it are relative to. */
  supabaseDir: string
  config: Config
  /** Address of the API. */
  apiUrl: string
  /** Dotenv file of the functions' secrets; it need not exist. */
  envFile: string
}

/**
 * Reads a Supabase project. Its functions are those that config.toml names and the other folders of
 * `supabase/functions` that hold an `index.ts`, except names that begin with `_` or `.`.
 *
 * `env(NAME)` in config.toml is looked for in `env`, in this process's environment, then in `supabase/.env`, `.env` and
 * the file of the functions' secrets (default: `supabase/functions/.env`). `env(FUNCTIONS_URL)` is the address of the
 * functions at `port` (default: the one of config.toml).
 *
 * @throws Error when there is no `supabase/config.toml`; ZodError naming the setting that is wrong
 */
export function readProject(
  folder: string,
  settings: { env?: Record<string, string>; envFile?: string; port?: number },
): Project {
  const root = resolve(folder)
  const supabaseDir = join(root, 'supabase')
  const configFile = join(supabaseDir, 'config.toml')
  if (!existsSync(configFile)) {
    throw new Error(
      `There is no ${configFile}. Start in a project's folder, or make one with: npx supabase init`,
    )
  }
  const envFile = settings.envFile ? resolve(root, settings.envFile) : join(supabaseDir, 'functions', '.env')
  const toml = parse(readFileSync(configFile, 'utf8'))
  const apiUrl = `http://127.0.0.1:${settings.port ?? readConfig(toml).api.port}`
  const env = {
    ...readEnvFile(envFile),
    ...readEnvFile(join(root, '.env')),
    ...readEnvFile(join(supabaseDir, '.env')),
    ...process.env,
    FUNCTIONS_URL: `${apiUrl}/functions/v1`,
    ...settings.env,
  }
  const read = readConfig(toml, env)
  const unnamed = functionFolders(join(supabaseDir, 'functions')).filter((name) => !(name in read.functions))
  const functions = Object.fromEntries(unnamed.map((name) => [name, edgeFunction.parse({})]))
  return {
    root,
    supabaseDir,
    config: { ...read, functions: { ...read.functions, ...functions } },
    apiUrl,
    envFile,
  }
}

/** The variables of a dotenv file; none when there is no such file. */
export function readEnvFile(path: string): NodeJS.Dict<string> {
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}
}

/**
 * The secrets of `[edge_runtime.secrets]` that functions get: those with a value that the file of further secrets does
 * not name, and that do not take one of the platform's names. As the CLI does for `supabase start` and `functions serve`.
 */
export function configuredSecrets({ config, envFile }: Project): Record<string, string> {
  const inFile = readEnvFile(envFile)
  return Object.fromEntries(
    Object.entries(config.edge_runtime.secrets).filter(
      ([name, value]) => value !== '' && !(name in inFile) && !name.startsWith('SUPABASE_'),
    ),
  )
}

function functionFolders(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter(
    (name) => /^[A-Za-z0-9]/.test(name) && existsSync(join(folder, name, 'index.ts')),
  )
}
