import type { AuthSettings } from '../config.ts'
import { connect } from '../postgres/connections.ts'
import { errors } from './errors.ts'

export interface Passwords {
  /** bcrypt hash, as GoTrue stores it. */
  hash(password: string): Promise<string>
  matches(password: string, hash: string | null): Promise<boolean>
  /** @throws AuthError `weak_password` or `validation_failed` */
  assertAcceptable(password: string): void
  stop(): Promise<void>
}

const classes: Record<string, string> = {
  lower: 'abcdefghijklmnopqrstuvwxyz',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  digits: '0123456789',
  symbols: '!@#$%^&*()_+-=[]{};\'\\:"|<>?,./`~',
}
const letters = `${classes.lower}${classes.upper}`

const required: Record<string, string[]> = {
  letters_digits: [letters, '0123456789'],
  lower_upper_letters_digits: [classes.lower ?? '', classes.upper ?? '', '0123456789'],
  lower_upper_letters_digits_symbols: [
    classes.lower ?? '',
    classes.upper ?? '',
    '0123456789',
    classes.symbols ?? '',
  ],
}

function weaknesses(password: string, settings: AuthSettings): { reasons: string[]; messages: string[] } {
  const reasons: string[] = []
  const messages: string[] = []
  if ([...password].length < settings.minimum_password_length) {
    reasons.push('length')
    messages.push(`Password should be at least ${settings.minimum_password_length} characters.`)
  }
  const needed = required[settings.password_requirements] ?? []
  if (needed.some((characters) => ![...password].some((character) => characters.includes(character)))) {
    reasons.push('characters')
    messages.push(`Password should contain at least one character of each: ${needed.join(', ')}.`)
  }
  return { reasons, messages }
}

/** Hashes in Postgres (pgcrypto), so that bcrypt's CPU does not stop the gateway. The default cost is GoTrue's. */
export async function openPasswords(adminUrl: string, settings: AuthSettings, cost = 10): Promise<Passwords> {
  const sql = connect(adminUrl, {
    max: 2,
    idle_timeout: 60,
    onnotice: () => {},
    connection: { application_name: 'auth' },
  })
  await sql`create schema if not exists extensions`
  await sql`create extension if not exists pgcrypto with schema extensions`
  const [row] = await sql<{ schema: string }[]>`
    select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pgcrypto'`
  const schema = sql.unsafe(row?.schema ?? 'extensions')
  return {
    async hash(password) {
      const [hashed] = await sql<{ hash: string }[]>`
        select ${schema}.crypt(${password}, ${schema}.gen_salt('bf', ${cost})) as hash`
      return hashed?.hash ?? ''
    },
    async matches(password, hash) {
      if (!hash?.startsWith('$2')) return false
      const [compared] = await sql<{ same: boolean }[]>`
        select ${schema}.crypt(${password}, ${hash}) = ${hash} as same`
      return compared?.same === true
    },
    assertAcceptable(password) {
      if (Buffer.byteLength(password) > 72)
        throw errors.validation('Password cannot be longer than 72 characters')
      const { reasons, messages } = weaknesses(password, settings)
      if (reasons.length > 0) throw errors.weakPassword(messages.join(' '), reasons)
    },
    stop: () => sql.end({ timeout: 2 }),
  }
}
