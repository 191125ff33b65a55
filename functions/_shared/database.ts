import postgres from '../_vendor/postgres.js'
import { databaseEncryption } from './database-encryption.ts'

export type Database = postgres.Sql

/** Where the project's database is reached, as the environment says. */
type DatabaseAddress = {
  /** Postgres URL; a `sslmode` in it decides about TLS. */
  url: string
  /** Certificate authority (PEM) that the server's certificate must come from; undefined for the runtime's own. */
  certificateAuthority: string | undefined
  /** While the password is replaced, the next one: the database takes one of the two. */
  nextPassword?: string | undefined
}

/**
 * One statement at a time on a connection. Where one without parameters precedes one with, `postgres` 3.4.9 waits behind a pooler
 * in transaction mode for a response that never comes, and all statements behind it wait too. Its types do not know the setting.
 */
const WITHOUT_PIPELINE = { max_pipeline: 0 }

/**
 * Connects to the project's database as its owner, for what the Data API must not reach (schema `private`).
 *
 * Every statement is one transaction of its own and leaves nothing in the session, because the platform's pooler
 * (transaction mode) hands each to another connection; for the same reason prepared statements are off.
 *
 * @param application name of the function, which the database shows for its connections
 * @param connections most at once. One is enough for a worker; a function that several people call at once gets two.
 */
export function connect(
  { url, certificateAuthority, nextPassword }: DatabaseAddress,
  application: string,
  connections = 1,
): Database {
  return postgres(url, {
    max: connections,
    // Seconds. The database has tens of connections for hundreds of isolates, so an idle one is given back soon.
    idle_timeout: 5,
    connect_timeout: 10,
    prepare: false,
    ...WITHOUT_PIPELINE,
    onnotice: () => {},
    ...databaseEncryption(url, certificateAuthority),
    ...(nextPassword && { password: () => validPassword({ url, certificateAuthority }, nextPassword) }),
    // A database that restarts is back within a second or two; the default would wait up to 20 s.
    backoff: (tries) => Math.min(0.2 * tries, 2),
    connection: { application_name: application },
  })
}

/** The password of the address, or the next one once the database no longer takes that: a trial connection tells. */
async function validPassword(
  { url, certificateAuthority }: DatabaseAddress,
  nextPassword: string,
): Promise<string> {
  const trial = postgres(url, {
    ...{ max: 1, connect_timeout: 10, prepare: false, fetch_types: false },
    ...databaseEncryption(url, certificateAuthority),
  })
  try {
    await trial`select`
    return decodeURIComponent(new URL(url).password)
  } catch (error) {
    // What else is wrong shows when the connection itself is made.
    const refused = error instanceof Error && 'code' in error && error.code === '28P01'
    return refused ? nextPassword : decodeURIComponent(new URL(url).password)
  } finally {
    await trial.end({ timeout: 1 })
  }
}

/** A JSON value for a statement. Postgres takes neither NUL in text nor numbers that are not finite. */
export function asJson(database: Database, value: unknown) {
  const text = JSON.stringify(value, (key, part) => {
    if (typeof part === 'number' && !Number.isFinite(part)) throw new Error(`${key} is not a finite number`)
    return typeof part === 'string' ? part.replaceAll('\0', '') : part
  })
  return database`${text}::text::jsonb`
}
