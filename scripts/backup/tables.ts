import type { Sql, TransactionSql } from 'postgres'

/** A table with the columns that can be stored, both quoted for SQL. */
export type Table = { name: string; columns: string[] }

/** How many rows a table has, and the sum of their hashes, which no order changes. */
export type Fingerprint = { rows: number; hash: string }

/** Schemas whose rows a backup has. What it leaves out and why: docs/recovery.md. */
export const BACKED_UP_SCHEMAS = ['auth', 'public', 'checkin', 'private']

/** Rows of a table as text come out the same in every session with these. */
const SETTINGS = [
  'timezone = UTC',
  "datestyle = 'ISO'",
  "intervalstyle = 'postgres'",
  'extra_float_digits = 1',
]

/** Tables of some schemas, but the platform's own list of its migrations. */
export function tablesOf(sql: Sql | TransactionSql, schemas: readonly string[]): Promise<Table[]> {
  return sql<Table[]>`
    select format('%I.%I', n.nspname, c.relname) as name,
      array_agg(quote_ident(a.attname) order by a.attname) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and n.nspname = any (${[...schemas]}) and (n.nspname, c.relname) <> ('auth', 'schema_migrations')
    group by 1
    order by 1`
}

/** Counts and hashes of tables, in a transaction whose snapshot they are to agree with. */
export async function fingerprints(
  tx: TransactionSql,
  tables: readonly Table[],
): Promise<Map<string, Fingerprint>> {
  await useComparableText(tx)
  const found = new Map<string, Fingerprint>()
  for (const { name, columns } of tables) {
    const [row] = await tx.unsafe<[Fingerprint]>(`
      select count(*)::int as rows,
        coalesce(sum(('x' || left(md5(row(${columns.join(', ')})::text), 16))::bit(64)::bigint::numeric), 0)::text as hash
      from ${name}`)
    found.set(name, row)
  }
  return found
}

/** Makes the text of a value the same whatever the role, the session or the server has set. */
export async function useComparableText(tx: TransactionSql): Promise<void> {
  for (const setting of SETTINGS) await tx.unsafe(`set local ${setting}`)
  await tx`set local statement_timeout = 0`
}

/** What differs between two sets of fingerprints, one line for each table. */
export function differences(
  expected: ReadonlyMap<string, Fingerprint>,
  found: ReadonlyMap<string, Fingerprint>,
): string[] {
  return [...new Set([...expected.keys(), ...found.keys()])].sort().flatMap((name) => {
    const [one, other] = [expected.get(name), found.get(name)]
    if (one && other && one.rows === other.rows && one.hash === other.hash) return []
    const told = (print: Fingerprint | undefined) =>
      print ? `${print.rows} rows, hash ${print.hash}` : 'not there'
    return [`${name}: ${told(one)} before, ${told(other)} after`]
  })
}
