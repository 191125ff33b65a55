import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltDatabase, supabase } from 'local-supabase'
import postgres from 'postgres'
import { SCHEMAS } from '../functions/_shared/data-api/names.ts'
import { ROOT } from './root.ts'

/**
 * Applies the declared files, each in a transaction of its own.
 *
 * @throws Error with the file's name, when it uses what no file above it in the load order declares.
 */
export async function applyDeclaredSchema(database: BuiltDatabase): Promise<void> {
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  try {
    for (const file of declaredFiles()) {
      await sql
        .begin((transaction) => transaction.unsafe(readFileSync(join(ROOT, file), 'utf8')))
        .catch((error) => {
          throw new Error(`${file}: ${error.message}`, { cause: error })
        })
    }
  } finally {
    await sql.end()
  }
}

/**
 * Paths of the declared files: those of `sql/` in the order of `sql/load-order.txt`, then those of `policies/` in the order of their
 * subjects there.
 *
 * @throws Error with the file's name, when it is not in the load order, or is there and does not exist.
 */
export function declaredFiles(): string[] {
  const order = readFileSync(join(ROOT, 'sql', 'load-order.txt'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const files = readdirSync(join(ROOT, 'sql'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sql'),
  )
  const misplaced = files.find((name) => !order.includes(name)) ?? order.find((name) => !files.includes(name))
  if (misplaced) throw new Error(`sql/${misplaced} and sql/load-order.txt do not agree`)
  const subjects = [...new Set(order.map((name) => name.split('/')[0]))]
  const policies = subjects
    .map((subject) => `policies/${subject}.sql`)
    .filter((file) => existsSync(join(ROOT, file)))
  const strange = readdirSync(join(ROOT, 'policies')).find((name) => !policies.includes(`policies/${name}`))
  if (strange) throw new Error(`policies/${strange} has no subject of its name in sql/`)
  return [...order.map((name) => `sql/${name}`), ...policies]
}

/** Applies the migrations with the CLI. */
export async function pushMigrations(database: { url: string }): Promise<string> {
  return supabase(['db', 'push', `--remote=${database.url}`, '--yes', '--skip-vault'], { root: ROOT })
}

/** The statements that turn one database's schema into another's; empty when they are the same. */
export async function diffSchemas(from: { url: string }, to: { url: string }): Promise<string> {
  const output = await supabase(['db', 'diff', '--from', from.url, '--to', to.url], { root: ROOT })
  // The CLI notes what it leaves out, such as rights of the platform's roles, among the statements.
  const statements = /^No schema changes found/m.test(output)
    ? ''
    : output.replaceAll(/^[│▲●].*$/gm, '').trim()
  return [statements, await diffStatistics(from, to)].filter((part) => part).join('\n\n')
}

/** The same for how many statistics are kept of a column, which the CLI leaves out without a note. */
async function diffStatistics(from: { url: string }, to: { url: string }): Promise<string> {
  const [before, after] = await Promise.all([from, to].map(readStatistics))
  return [...(after ?? [])]
    .filter(([column, target]) => (before?.get(column) ?? -1) !== target)
    .map(([column, target]) => `alter table ${column} set statistics ${target};`)
    .join('\n')
}

/** The target of each column of ours, by the words that name it in a statement; -1 is the server's own. */
async function readStatistics({ url }: { url: string }): Promise<Map<string, number>> {
  const sql = postgres(url, { max: 1 })
  try {
    const columns = await sql<{ name: string; target: number }[]>`
      select format('%I.%I alter column %I', c.relnamespace::regnamespace, c.relname, a.attname) as name,
        coalesce(a.attstattarget, -1) as target
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      where c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text = any(${[...SCHEMAS, 'private']})
        and a.attnum > 0 and not a.attisdropped
      order by 1`
    return new Map(columns.map(({ name, target }) => [name, target]))
  } finally {
    await sql.end()
  }
}

/** TypeScript types of the exposed schemas, as the CLI generates them. */
export async function generateTypes(databaseUrl: string): Promise<string> {
  return supabase(['gen', 'types', `--remote=${databaseUrl}`, '--schema', 'public,checkin'], { root: ROOT })
}

/** Source of functions/_shared/data-api/expected-schema.ts: what a migrated database has. */
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
