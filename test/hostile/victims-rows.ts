import type postgres from 'postgres'
import { type Project, withDatabase } from '../stack/project.ts'
import type { Victims } from './victims.ts'

/** What the database holds of the victims: a digest of each row that names them, and how many there are that are theirs. */
export type VictimsRows = { rows: Record<string, string>; counts: Record<string, number> }

type Table = { name: string; key: string[]; uuids: string[] }

/** What counts and forgets requests, whoever makes them. */
const PASSING = ['private.rate_limit_uses', 'private.audit_head']

/** Reads what the database holds of the victims; with what it held before, those rows again. */
export async function readVictimsRows(
  project: Project,
  victims: Victims,
  before?: VictimsRows,
): Promise<VictimsRows> {
  return withDatabase(project, async (sql) => {
    const rows: VictimsRows['rows'] = {}
    const counts: VictimsRows['counts'] = {}
    for (const table of await tables(sql)) {
      const found = before
        ? await rowsByKey(
            sql,
            table,
            Object.keys(before.rows).filter((key) => key.startsWith(`${table.name} `)),
          )
        : await rowsNaming(sql, table, [...victims.ids, victims.university])
      Object.assign(rows, found)
      for (const column of table.uuids) {
        const [{ count = 0 } = {}] = await sql<{ count: number }[]>`
          select count(*)::int as count from ${sql(table.name)} where ${sql(column)} = any(${[...victims.ids]}::uuid[])`
        counts[`${table.name}.${column}`] = count
      }
    }
    return { rows, counts }
  })
}

async function tables(sql: postgres.Sql): Promise<Table[]> {
  return sql<Table[]>`
    select
      format('%s.%s', n.nspname, c.relname) as name,
      array(
        select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary order by a.attnum
      )::text[] as key,
      array(
        select a.attname from pg_attribute a
        where a.attrelid = c.oid and a.atttypid = 'uuid'::regtype and a.attnum > 0 and not a.attisdropped
      )::text[] as uuids
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r'
      and n.nspname in ('public', 'checkin', 'private', 'auth', 'storage')
      and exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
      and format('%s.%s', n.nspname, c.relname) <> all(${PASSING}::text[])
    order by name`
}

type Digest = { key: string; digest: string }

/** `schema.table ["key"]`, which stays when the row is changed. */
function keyOf(sql: postgres.Sql, { name, key }: Table) {
  const columns = key.map((column) => sql`${sql(column)}`)
  const listed = columns.reduce((all, column) => sql`${all}, ${column}`)
  return sql`${`${name} `}::text || jsonb_build_array(${listed})::text`
}

async function rowsNaming(sql: postgres.Sql, table: Table, names: string[]): Promise<Record<string, string>> {
  const found = await sql<Digest[]>`
    select ${keyOf(sql, table)} as key, md5(t::text) as digest from ${sql(table.name)} as t
    where exists (select from unnest(${names}::text[]) as name where t::text like '%' || name || '%')`
  return digests(found)
}

async function rowsByKey(sql: postgres.Sql, table: Table, keys: string[]): Promise<Record<string, string>> {
  if (keys.length === 0) return {}
  const found = await sql<Digest[]>`
    select ${keyOf(sql, table)} as key, md5(t::text) as digest from ${sql(table.name)} as t
    where ${keyOf(sql, table)} = any(${keys}::text[])`
  return digests(found)
}

function digests(found: readonly Digest[]): Record<string, string> {
  return Object.fromEntries(found.map(({ key, digest }) => [key, digest]))
}
