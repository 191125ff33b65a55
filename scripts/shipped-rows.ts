import { isDeepStrictEqual } from 'node:util'
import postgres from 'postgres'

/**
 * Tables whose rows come about by themselves: by triggers on those that are shipped, by work, and by `private.ship_training_module`,
 * which stores a module of `training/` in several tables.
 */
const NOT_SHIPPED = [
  'public.audit_logs',
  'public.training_modules',
  'public.training_assignments',
  'private.audit_head',
  'private.audit_proof',
  'private.enabled_policies',
  'private.security_events',
  'private.training_questions',
  'private.training_versions',
]

type Table = { name: string; key: string[]; columns: string[] }
type Row = Record<string, string | null>
type Job = { name: string; schedule: string; command: string; username: string; active: boolean }

/**
 * The statements that turn the rows which one database was made with into another's; empty when they are the same. A row that an
 * operator has changed since stays as it is. Times are left out, as each database has its own.
 */
export async function diffShippedRows(from: { url: string }, to: { url: string }): Promise<string> {
  const [old, current] = await Promise.all([readShipped(from.url), readShipped(to.url)])
  const changes = current.tables.map(({ table, rows }) => {
    const before = old.tables.find(({ table: { name } }) => name === table.name)?.rows ?? []
    return diffTable(table, before, rows)
  })
  // What is gone goes last: rows that stay may have referred to it.
  return [
    ...changes.flatMap(({ stored }) => stored),
    ...changes.toReversed().flatMap(({ removed }) => removed),
    ...diffJobs(old.jobs, current.jobs),
  ].join('\n')
}

/** The statements that store the rows which a database was made with. */
export async function shippedRows(database: { url: string }): Promise<string> {
  const { tables, jobs } = await readShipped(database.url)
  return [
    ...tables.flatMap(({ table, rows }) => diffTable(table, [], rows).stored),
    ...diffJobs([], jobs),
  ].join('\n')
}

/** Tables come in the order in which they were created: what a row refers to comes before it. */
async function readShipped(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const tables = await sql<Table[]>`
      select n.nspname || '.' || c.relname as name,
        array_agg(a.attname::text order by a.attnum) filter (where a.attnum = any (i.indkey)) as key,
        array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_index i on i.indrelid = c.oid and i.indisprimary
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.atttypid <> 'timestamptz'::regtype and a.attgenerated = ''
      where c.relkind = 'r' and n.nspname in ('public', 'checkin', 'private')
        and n.nspname || '.' || c.relname <> all (${NOT_SHIPPED})
      group by c.oid, 1
      order by c.oid`
    const read = []
    for (const table of tables) {
      const columns = table.columns.map((column) => `${column}::text`).join(', ')
      const rows = await sql.unsafe<Row[]>(
        `select ${columns} from ${table.name} order by ${table.key.join(', ')}`,
      )
      read.push({ table, rows })
    }
    const jobs = await sql<Job[]>`
      select jobname as name, schedule, command, username, active from cron.job order by jobname`
    return { tables: read, jobs }
  } finally {
    await sql.end()
  }
}

function diffTable({ name, key, columns }: Table, before: Row[], after: Row[]) {
  const identify = (row: Row) => JSON.stringify(key.map((column) => row[column]))
  const old = new Map(before.map((row) => [identify(row), row]))
  const current = new Set(after.map(identify))
  const gone = before.filter((row) => !current.has(identify(row)))
  return {
    removed: gone.map((row) => `delete from ${name} where ${conditions(row, key)};`),
    stored: after.flatMap((row) => {
      const was = old.get(identify(row))
      if (!was) {
        const values = columns.map((column) => literal(row[column]))
        return `insert into ${name} (${columns.join(', ')})\nvalues (${values.join(', ')})\non conflict do nothing;`
      }
      const changed = columns.filter((column) => row[column] !== was[column])
      if (changed.length === 0) return []
      const assignments = changed.map((column) => `${column} = ${literal(row[column])}`).join(', ')
      // A column that the table did not have yet holds its default.
      const known = changed.filter((column) => column in was)
      return `update ${name}\nset ${assignments}\nwhere ${conditions({ ...row, ...was }, [...key, ...known])};`
    }),
  }
}

function diffJobs(before: Job[], after: Job[]): string[] {
  const gone = before.filter(({ name }) => !after.some((job) => job.name === name))
  const changed = after.filter((job) => !before.some((old) => isDeepStrictEqual(old, job)))
  return [
    ...gone.map(({ name }) => `select cron.unschedule(${literal(name)});`),
    ...changed.map(
      ({ name, schedule, command }) =>
        `select cron.schedule(${[name, schedule, command].map(literal).join(', ')});`,
    ),
  ]
}

const conditions = (row: Row, columns: string[]) =>
  columns.map((column) => `${column} is not distinct from ${literal(row[column])}`).join(' and ')

const literal = (value: string | null | undefined) =>
  value == null ? 'null' : `'${value.replaceAll("'", "''")}'`
