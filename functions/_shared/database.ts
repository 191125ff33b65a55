import postgres from 'postgres'

export type Database = postgres.Sql

/**
 * Connects to the project's database as its owner, for what the Data API must not reach (schema `private`).
 *
 * Prepared statements are off because the platform's pooler hands statements to different connections.
 */
export function connect(url: string, application: string): Database {
  return postgres(url, {
    max: 2,
    idle_timeout: 20,
    connect_timeout: 10,
    prepare: false,
    onnotice: () => {},
    // A database that restarts is back within a second or two; the default would wait up to 20 s.
    backoff: (tries) => Math.min(0.2 * tries, 2),
    connection: { application_name: application },
  })
}

/** A JSON value for a statement. Postgres takes neither NUL in text nor numbers that are not finite. */
export function asJson(database: Database, value: unknown) {
  const text = JSON.stringify(value, (key, part) => {
    if (typeof part === 'number' && !Number.isFinite(part)) throw new Error(`${key} is not a finite number`)
    return typeof part === 'string' ? part.replaceAll('\0', '') : part
  })
  return database`${text}::text::jsonb`
}
