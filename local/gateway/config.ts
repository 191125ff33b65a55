import { z } from 'zod'

/** Turns `env(NAME)` into the value of that variable, as the Supabase CLI does for config.toml. */
const text = z
  .string()
  .transform((value) => value.replace(/^env\((\w+)\)$/, (_, name: string) => process.env[name] ?? ''))

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
  subject: text.optional(),
  content: text.optional(),
  content_path: text.optional(),
})

const bucket = z.object({
  public: z.boolean().default(false),
  file_size_limit: size.optional(),
  allowed_mime_types: z.array(z.string()).optional(),
  objects_path: z.string().optional(),
})

const api = z.object({
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
})

const auth = z.object({
  site_url: text.optional(),
  additional_redirect_urls: z.array(text).default([]),
  jwt_expiry: z.number().int().default(3600),
  enable_refresh_token_rotation: z.boolean().default(true),
  refresh_token_reuse_interval: z.number().default(10),
  enable_signup: z.boolean().default(true),
  minimum_password_length: z.number().int().default(6),
  password_requirements: z.string().default(''),
  sessions: z.object({ timebox: duration.optional(), inactivity_timeout: duration.optional() }).default({}),
  email: email.default(email.parse({})),
})

const localSmtp = z.object({
  admin_email: z.string().default('admin@email.com'),
  sender_name: z.string().default('Admin'),
})

const storage = z.object({
  file_size_limit: size.default(50 * 1024 ** 2),
  buckets: z.record(z.string(), bucket).default({}),
})

const config = z.object({
  api: api.default(api.parse({})),
  auth: auth.default(auth.parse({})),
  local_smtp: localSmtp.default(localSmtp.parse({})),
  storage: storage.default(storage.parse({})),
  functions: z.record(z.string(), z.object({ verify_jwt: z.boolean().default(true) })).default({}),
})

export type GatewayConfig = z.infer<typeof config>
export type AuthSettings = GatewayConfig['auth']
export type MailSender = GatewayConfig['local_smtp']
export type BucketSettings = GatewayConfig['storage']['buckets'][string]

/**
 * Reads the sections of a parsed `supabase/config.toml` that the gateway serves, with the CLI's defaults.
 *
 * @throws ZodError naming the setting that is wrong
 */
export function readConfig(parsedToml: unknown): GatewayConfig {
  return config.parse(parsedToml ?? {})
}
