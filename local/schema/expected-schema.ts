import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { SCHEMAS } from '../../functions/_shared/data-api/names.ts'
import { ROOT } from '../stack/root.ts'

/** Source of functions/_shared/data-api/expected.ts: what a migrated database has. */
export async function generateExpectedSchema(databaseUrl: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1 })
  try {
    const tables = await sql<{ name: string }[]>`
      select schemaname || '.' || tablename as name from pg_tables
      where schemaname = any(${[...SCHEMAS]}) order by 1`
    return [
      '/** Tables that the Data API exposes. Made by `npm run types`. */',
      listOf(
        'EXPECTED_TABLES',
        tables.map(({ name }) => name),
      ),
      '',
      '/** Versions of the migrations. Made by `npm run types`. */',
      listOf('EXPECTED_MIGRATIONS', migrationVersions()),
      '',
    ].join('\n')
  } finally {
    await sql.end()
  }
}

function migrationVersions(): string[] {
  return readdirSync(join(ROOT, 'supabase', 'migrations'))
    .flatMap((file) => /^(\d+)_.*\.sql$/.exec(file)?.[1] ?? [])
    .sort()
}

/** One entry a line, unless the formatter would put them on one. */
function listOf(name: string, values: string[]): string {
  const literals = values.map((value) => `'${value}'`)
  const line = `export const ${name} = [${literals.join(', ')}]`
  if (line.length <= 110) return line
  return [`export const ${name} = [`, ...literals.map((literal) => `  ${literal},`), ']'].join('\n')
}
