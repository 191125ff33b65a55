import postgres from 'postgres'
import { SCHEMAS } from '../../functions/_shared/data-api/names.ts'
import type { Catalog } from './correct.ts'

/** What the catalog of a database knows of the columns and functions that clients reach. */
export async function readCatalog(databaseUrl: string): Promise<Catalog> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const schemas = [...SCHEMAS]
  try {
    const columns = await sql<{ path: string; insertable: boolean; updatable: boolean; checks: string[] }[]>`
      select
        format('%s.%s.%s', c.relnamespace::regnamespace, c.relname, a.attname) as path,
        has_column_privilege('authenticated', c.oid, a.attnum, 'insert') as insertable,
        has_column_privilege('authenticated', c.oid, a.attnum, 'update') as updatable,
        array(
          select pg_get_constraintdef(n.oid) from pg_constraint n
          where n.conrelid = c.oid and n.contype = 'c' and n.conkey = array[a.attnum]
        ) as checks
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind in ('r', 'p', 'v') and c.relnamespace::regnamespace::text = any(${schemas})`
    const args = await sql<{ path: string }[]>`
      select format('%s.%s().%s', p.pronamespace::regnamespace, p.proname, p.proargnames[i]) as path
      from pg_proc p
      cross join lateral generate_series(p.pronargs - p.pronargdefaults + 1, p.pronargs) i
      where p.pronamespace::regnamespace::text = any(${schemas})
        and pg_get_function_arg_default(p.oid, i) ~ '^NULL(::|$)'`
    const rows = await sql<{ path: string; row: string }[]>`
      select
        format('%s.%s()', p.pronamespace::regnamespace, p.proname) as path,
        format('%s.%s', c.relnamespace::regnamespace, c.relname) as row
      from pg_proc p
      join pg_class c on c.reltype = p.prorettype and c.relkind in ('r', 'p')
      where p.pronamespace::regnamespace::text = any(${schemas})`
    return {
      columns: Object.fromEntries(
        columns.map(({ path, checks, ...rights }) => [path, { ...rights, known: knownTexts(checks) }]),
      ),
      nullableArguments: args.map(({ path }) => path),
      rows: Object.fromEntries(rows.map(({ path, row }) => [path, row])),
    }
  } finally {
    await sql.end()
  }
}

/** `check (column in ('a', 'b'))`, `check (column <@ '{a, b}')` and `check (column = 'a')`, as Postgres writes them. */
const CLOSED_SET =
  /^CHECK \(\(+\w+ (?:= ANY \(|<@ \(?|= )(?:ARRAY\[)?((?:'(?:[^']|'')*'::text(?:, )?)+)\]?\)*$/

/** The texts that one of the checks of a column allows; null where none names them. */
function knownTexts(checks: readonly string[]): string[] | null {
  for (const check of checks) {
    const [, values] = CLOSED_SET.exec(check) ?? []
    if (values) return [...values.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, value = '']) => value)
  }
  return null
}
