import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { freePorts } from '../ports.ts'
import { startPostgres } from './server.ts'

/**
 * Creates a database as a copy of `template` (default: an empty one) and returns the same connection string
 * with the new name. The copy is owned by role `postgres`, as the platform's is. Nobody may be connected to
 * the template meanwhile.
 */
export async function createDatabase(
  adminUrl: string,
  name: string,
  template = 'template0',
): Promise<string> {
  await withServer(adminUrl, async (sql) => {
    // Copying the files is several times quicker than logging them when a template is small and unused.
    await sql`create database ${sql(name)} template ${sql(template)} strategy file_copy owner postgres`
  })
  return databaseUrl(adminUrl, name)
}

/** Drops a database if it exists, ending the sessions that use it. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await withServer(adminUrl, async (sql) => {
    await sql`drop database if exists ${sql(name)} with (force)`
  })
}

/** The connection string of another database of the same server. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(name)}`
  return other.href
}

async function withServer(url: string, use: (sql: postgres.Sql) => Promise<void>): Promise<void> {
  const sql = postgres(databaseUrl(url, 'template1'), { max: 1, onnotice: () => {} })
  try {
    await use(sql)
  } finally {
    await sql.end()
  }
}

const platformFolder = path.join(import.meta.dirname, '..', 'platform')
/** In the order in which they are applied. */
const PLATFORM_FILES = ['roles', 'schemas', 'auth', 'storage', 'realtime', 'guard']

/**
 * Gives a database what a hosted Supabase project has before its first migration: roles, schemas, the tables of
 * Auth, Storage and Realtime, Vault. Changes nothing when applied again. Several may run at once.
 *
 * @param adminUrl connection string of the superuser `supabase_admin` for that database
 */
export async function applyPlatform(adminUrl: string): Promise<void> {
  const script = PLATFORM_FILES.map((name) =>
    readFileSync(path.join(platformFolder, `${name}.sql`), 'utf8'),
  ).join('\n')
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} })
  // Roles belong to the whole cluster, so the lock is taken in a database that all callers share.
  const lock = postgres(databaseUrl(adminUrl, 'postgres'), { max: 1, onnotice: () => {} })
  try {
    await lock`select pg_advisory_lock(hashtext('local platform'))`
    await sql.begin((transaction) => transaction.unsafe(script))
  } finally {
    await Promise.all([sql.end(), lock.end()])
  }
}

/** Connection strings of one database, as its owner `postgres` and as the superuser. */
export type BuiltDatabase = { url: string; adminUrl: string; drop(): Promise<void> }

/**
 * Makes a database in place of one of that name: it holds what the platform provides and nothing else, or what `template` does.
 */
export async function buildPlatformDatabase(
  adminUrl: string,
  name: string,
  template?: string,
): Promise<BuiltDatabase> {
  await dropDatabase(adminUrl, name)
  const url = await createDatabase(adminUrl, name, template)
  if (template === undefined) await applyPlatform(url)
  const owner = new URL(url)
  owner.username = 'postgres'
  return { url: owner.href, adminUrl: url, drop: () => dropDatabase(adminUrl, name) }
}

/** Runs `use` with the superuser's address of a Postgres that is gone afterwards. */
export async function withScratchServer<Result>(use: (adminUrl: string) => Promise<Result>): Promise<Result> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'postgres-'))
  const [port = 0] = await freePorts(1)
  const server = await startPostgres({ dataDir, port, durable: false, log: () => {} })
  try {
    return await use(server.adminUrl)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
