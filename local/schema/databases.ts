import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { applyPlatform } from '../platform/apply.ts'
import { createDatabase, dropDatabase } from '../postgres/databases.ts'
import { supabase } from '../stack/cli.ts'
import { ROOT } from '../stack/root.ts'

/** Connection strings of one database, as its owner `postgres` and as the superuser. */
export type BuiltDatabase = { url: string; adminUrl: string; drop(): Promise<void> }

/** Makes a database with what the platform provides and nothing else. */
export async function buildPlatformDatabase(adminUrl: string, name: string): Promise<BuiltDatabase> {
  await dropDatabase(adminUrl, name)
  const url = await createDatabase(adminUrl, name)
  await applyPlatform(url)
  const owner = new URL(url)
  owner.username = 'postgres'
  return { url: owner.href, adminUrl: url, drop: () => dropDatabase(adminUrl, name) }
}

/** Applies the declarative files, `sql/` and then `policies/`, in the order of their names. */
export async function applyDeclaredSchema(database: BuiltDatabase): Promise<void> {
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  try {
    for (const file of declaredFiles())
      await sql.begin((transaction) => transaction.unsafe(readFileSync(file, 'utf8')))
  } finally {
    await sql.end()
  }
}

function declaredFiles(): string[] {
  return ['sql', 'policies'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => join(ROOT, folder, name)),
  )
}

/** Applies the migrations with the CLI. */
export async function pushMigrations(database: { url: string }): Promise<string> {
  return supabase(['db', 'push', `--remote=${database.url}`, '--yes', '--skip-vault'])
}

/** The statements that turn one database's schema into another's; empty when they are the same. */
export async function diffSchemas(from: { url: string }, to: { url: string }): Promise<string> {
  const output = await supabase(['db', 'diff', '--from', from.url, '--to', to.url])
  // The CLI notes what it leaves out, such as rights of the platform's roles, among the statements.
  return /^No schema changes found/m.test(output) ? '' : output.replaceAll(/^[│▲●].*$/gm, '').trim()
}
