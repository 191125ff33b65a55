import type { Database } from '../database.ts'
import { EXPECTED_MIGRATIONS, EXPECTED_TABLES } from './expected-schema.ts'
import { SCHEMAS } from './names.ts'

/** A table that the service needs, and its state in the database. */
type TableState = { table: string; exists: boolean; row_level_security: boolean; policies: number }

/** Migrations that the database has, and those that it still lacks. */
type MigrationState = { applied: string[]; pending: string[] }

/** Compares the database with what this version of the service needs. Changes nothing. */
export async function readSetup(
  database: Database,
): Promise<{ tables: TableState[]; migrations: MigrationState }> {
  const found = await database<Omit<TableState, 'exists'>[]>`
    select
      n.nspname || '.' || c.relname as table,
      c.relrowsecurity as row_level_security,
      (select count(*)::int from pg_policy p where p.polrelid = c.oid and p.polpermissive) as policies
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname = any(${[...SCHEMAS]})`
  const states = new Map(found.map((state) => [state.table, state]))
  const tables = EXPECTED_TABLES.map((table) => {
    const state = states.get(table)
    const { row_level_security = false, policies = 0 } = state ?? {}
    return { table, exists: state !== undefined, row_level_security, policies }
  })
  const applied = await appliedMigrations(database)
  const pending = EXPECTED_MIGRATIONS.filter((version) => !applied.includes(version))
  return { tables, migrations: { applied, pending } }
}

/** Versions of the migrations that the CLI has pushed; empty if it never did. */
async function appliedMigrations(database: Database): Promise<string[]> {
  const [history] = await database<[{ exists: boolean }]>`
    select to_regclass('supabase_migrations.schema_migrations') is not null as exists`
  if (!history.exists) return []
  const rows = await database<{ version: string }[]>`
    select version from supabase_migrations.schema_migrations order by version`
  return rows.map(({ version }) => version)
}
