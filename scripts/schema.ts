import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltDatabase, supabase } from 'local-supabase'
import postgres from 'postgres'
import { SCHEMAS } from '../functions/_shared/data-api/names.ts'
import { ROOT } from './root.ts'
import { trainingRows } from './training.ts'
import { readCatalog } from './types/catalog.ts'
import { correctTypes } from './types/correct.ts'
import { NULLABLE, SHAPES } from './types/declared.ts'

/**
 * Applies the declared files, each in a transaction of its own, and stores the modules of `training/`.
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
    await sql.unsafe(trainingRows())
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
  return [statements, await diffColumnSettings(from, to)].filter((part) => part).join('\n\n')
}

/** The same for what the CLI leaves out without a note: how many statistics are kept of a column, and comments on columns of views. */
async function diffColumnSettings(from: { url: string }, to: { url: string }): Promise<string> {
  const [before, after] = await Promise.all([from, to].map(readColumnSettings))
  return [...(after ?? [])]
    .filter(([setting, { value, unset }]) => (before?.get(setting)?.value ?? unset) !== value)
    .map(([setting, { value }]) => `${setting} ${value};`)
    .join('\n')
}

/** Settings of each column of ours by the beginning of the statement that makes them, with the value of a column that has none. */
async function readColumnSettings({ url }: { url: string }): Promise<Map<string, ColumnSetting>> {
  const sql = postgres(url, { max: 1 })
  try {
    const settings = await sql<({ setting: string } & ColumnSetting)[]>`
      select setting, value, unset
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      cross join lateral (
        select
          format('alter table %I.%I alter column %I set statistics', c.relnamespace::regnamespace, c.relname, a.attname) as setting,
          coalesce(a.attstattarget, -1)::text as value,
          '-1' as unset
        where c.relkind in ('r', 'p')
        union all
        select
          format('comment on column %I.%I.%I is', c.relnamespace::regnamespace, c.relname, a.attname),
          format('%L', col_description(c.oid, a.attnum)),
          'NULL'
        where c.relkind = 'v'
      ) s
      where c.relnamespace::regnamespace::text = any(${[...SCHEMAS, 'private', 'staff']})
        and a.attnum > 0 and not a.attisdropped
      order by c.oid::regclass::text, a.attnum`
    return new Map(settings.map(({ setting, value, unset }) => [setting, { value, unset }]))
  } finally {
    await sql.end()
  }
}

type ColumnSetting = { value: string; unset: string }

/** TypeScript types of the exposed schemas: those of the CLI, corrected by the catalog and by what scripts/types/declared.ts says. */
export async function generateTypes(databaseUrl: string): Promise<string> {
  const types = await supabase(['gen', 'types', `--remote=${databaseUrl}`, '--schema', 'public,checkin'], {
    root: ROOT,
  })
  const declared = { shapes: SHAPES.flatMap(({ at }) => at), nullable: NULLABLE }
  return `// Generated by npm run types\n\n${correctTypes(types, await readCatalog(databaseUrl), declared)}`
}

/** Source of functions/_shared/data-api/expected-schema.ts: what a migrated database has. */
export async function generateExpectedSchema(databaseUrl: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1 })
  try {
    const tables = await sql<{ name: string }[]>`
      select schemaname || '.' || tablename as name from pg_tables
      where schemaname = any(${[...SCHEMAS]}) order by 1`
    return [
      '// Generated by npm run types',
      '',
      '/** Tables that the Data API exposes. */',
      listOf(
        'EXPECTED_TABLES',
        tables.map(({ name }) => name),
      ),
      '',
      '/** Versions of the migrations. */',
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
