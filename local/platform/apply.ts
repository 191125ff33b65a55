import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import postgres from 'postgres'

/**
 * Gives a database what a hosted Supabase project has before its first migration: roles, schemas, the tables of
 * Auth, Storage and Realtime, Vault. Changes nothing when applied again. Several may run at once.
 *
 * @param adminUrl connection string of the superuser `supabase_admin` for that database
 */
export async function applyPlatform(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} })
  try {
    // Roles belong to the whole cluster, so the lock is taken in a database that all callers share.
    await withClusterLock(adminUrl, () => sql.begin((transaction) => transaction.unsafe(platformSql())))
  } finally {
    await sql.end()
  }
}

function platformSql(): string {
  const folder = import.meta.dirname
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n')
}

async function withClusterLock(adminUrl: string, use: () => Promise<unknown>): Promise<void> {
  const url = new URL(adminUrl)
  url.pathname = '/postgres'
  const sql = postgres(url.href, { max: 1, onnotice: () => {} })
  try {
    await sql`select pg_advisory_lock(hashtext('local platform'))`
    await use()
  } finally {
    await sql.end()
  }
}
