import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The keys of one stack, made on its first start. */
export type StackKeys = {
  /** For apps: acts as `anon`, or as the signed-in person. */
  publishable: string
  /** For servers: acts as `service_role`. */
  secret: string
  /** Signs access tokens (HS256). */
  jwtSecret: string
  /** What the database shows to the pipeline's functions. */
  pipelineSecret: string
}

/** Reads the keys kept in the data folder, or makes them. */
export function stackKeys(dataDir: string): StackKeys {
  const file = join(dataDir, 'keys.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const keys = {
    publishable: `sb_publishable_${randomBytes(18).toString('base64url')}`,
    secret: `sb_secret_${randomBytes(24).toString('base64url')}`,
    jwtSecret: randomBytes(32).toString('hex'),
    pipelineSecret: randomBytes(32).toString('hex'),
  }
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, JSON.stringify(keys, null, 2), { mode: 0o600 })
  return keys
}

/** A key in the older form, a token that names its role; the platform still hands these to functions. */
export function legacyKey(role: 'anon' | 'service_role', jwtSecret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iss: 'supabase', role, iat: 0, exp: 4102444800 })}`
  return `${unsigned}.${createHmac('sha256', jwtSecret).update(unsigned).digest('base64url')}`
}
