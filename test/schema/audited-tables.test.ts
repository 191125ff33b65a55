import type { BuiltDatabase } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly, migratedDatabase } from '../../harness/stack/project.ts'

let built: BuiltDatabase
let sql: postgres.Sql

beforeAll(async () => {
  built = await migratedDatabase('audited_tables')
  // As Studio's grid is connected.
  sql = postgres(built.adminUrl, { max: 1, onnotice: () => {}, connection: { application_name: 'a grid' } })
})

afterAll(async () => {
  await sql.end()
  await built.drop()
})

interface Column {
  name: string
  type: string
  category: string
  label: string | null
}

/** A value of that type; what a table asks of it has been lifted. */
function valueFor({ type, category, label }: Column): string {
  if (label !== null) return `'${label}'`
  if (category === 'A') return `'{}'`
  if (category === 'N') return '1'
  if (category === 'B') return 'true'
  const values: Record<string, string> = {
    uuid: `'00000000-0000-4000-8000-0000000000a1'`,
    'timestamp with time zone': 'now()',
    date: 'current_date',
    'time without time zone': `'08:00'`,
    interval: `'1 day'`,
    jsonb: `'{}'`,
    jsonpath: `'$'`,
    inet: `'192.0.2.1'`,
    cidr: `'192.0.2.0/24'`,
    bytea: String.raw`'\x00'`,
    text: `'x'`,
  }
  const value = values[type]
  if (value === undefined) throw new Error(`No value of the type ${type} is known.`)
  return value
}

type Outcome = 'logged' | 'refused' | 'unseen'

/** Adds, changes, removes and empties, as a person does who is connected as postgres; nothing stays. */
async function byHand(relation: string): Promise<Record<string, Outcome>> {
  const columns = await sql<Column[]>`
    select quote_ident(a.attname) as name, format_type(a.atttypid, null) as type, t.typcategory as category,
      (select e.enumlabel from pg_enum e where e.enumtypid = a.atttypid order by e.enumsortorder limit 1) as label
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    where a.attrelid = ${relation}::regclass and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' and a.attidentity <> 'a'
    order by a.attnum`
  const added = `ctid = (select max(ctid) from ${relation})`
  const statements: [string, string][] = [
    [
      'insert',
      `insert into ${relation} (${columns.map((c) => c.name).join(', ')}) values (${columns.map(valueFor).join(', ')})`,
    ],
    ['update', `update ${relation} set ${changeOf(columns)} where ${added}`],
    ['delete', `delete from ${relation} where ${added}`],
    ['truncate', `truncate ${relation}`],
  ]
  const lifted = await lifting(relation)
  const outcomes: Record<string, Outcome> = {}
  const undone = new Error('rolled back')
  await sql
    .begin(async (transaction) => {
      await transaction.unsafe(`set constraints all deferred; ${lifted}`)
      let logged = 0
      for (const [operation, statement] of statements) {
        outcomes[operation] = await transaction
          .savepoint((inner) => inner.unsafe(statement))
          .then(async () => {
            const before = logged
            logged = await count(transaction)
            return logged > before ? ('logged' as const) : ('unseen' as const)
          })
          .catch((error: postgres.PostgresError) => {
            if (error.code === '23001' || error.code === '42501') return 'refused' as const
            throw error
          })
      }
      throw undone
    })
    .catch((error) => {
      if (error !== undone) throw new Error(`${relation}: ${error.message}`, { cause: error })
    })
  return outcomes
}

const count = async (transaction: postgres.TransactionSql) =>
  Number((await transaction`select count(*) from private.changes_to_audit`)[0]?.count)

/** Another value than that of the row that was added, in the first column that can have one. */
function changeOf(columns: Column[]): string {
  const others: Record<string, string> = {
    text: `'y'`,
    'timestamp with time zone': `now() - interval '1 hour'`,
    interval: `'2 days'`,
    jsonb: `'[]'`,
    date: `'2026-01-01'`,
  }
  for (const { name, type, category, label } of columns) {
    const other = category === 'N' ? '2' : category === 'B' ? `not ${name}` : others[type]
    if (label === null && other !== undefined && name !== 'updated_at') return `${name} = ${other}`
  }
  throw new Error('No column can be changed.')
}

/** Lifts what a made-up row does not meet: constraints, and the triggers that are about something else. */
async function lifting(relation: string): Promise<string> {
  const changes = await sql<{ change: string }[]>`
    select format('drop constraint if exists %I cascade', conname) as change
    from pg_constraint where conrelid = ${relation}::regclass and contype in ('c', 'f', 'p', 'u')
    union all
    select format('disable trigger %I', t.tgname)
    from pg_trigger t
    join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = ${relation}::regclass and not t.tgisinternal
      and p.proname not in ('audit_change', 'keep_history', 'prevent_audit_change', 'prevent_audit_identity_change')`
  const altered = changes.map(({ change }) => change).join(', ')
  return `delete from private.changes_to_audit; ${altered && `alter table ${relation} ${altered}`}`
}

describe('a change by hand', localOnly('builds databases'), () => {
  test('of any table leaves an entry in the audit log, or is refused', async () => {
    const tables = await sql<{ relation: string; reason: string | null }[]>`
      select n.nspname || '.' || c.relname as relation, u.reason
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join private.unaudited_tables u on u.relation = n.nspname || '.' || c.relname
      where n.nspname in ('public', 'checkin', 'private') and c.relkind in ('r', 'p')
      order by 1`
    expect(tables.length).toBeGreaterThan(100)
    const unseen: string[] = []
    const leftOut: string[] = []
    for (const { relation, reason } of tables) {
      if (reason !== null) {
        leftOut.push(relation)
        continue
      }
      const outcomes = Object.entries(await byHand(relation))
      const missed = outcomes.filter(([, outcome]) => outcome === 'unseen').map(([operation]) => operation)
      if (missed.length > 0) unseen.push(`${relation}: ${missed.join(', ')}`)
    }
    expect(unseen).toEqual([])
    // Counters, copies and the log itself. Whoever adds one here says why nobody misses an entry.
    expect(leftOut).toMatchInlineSnapshot(`
      [
        "private.audit_identities",
        "private.bucket_comparisons",
        "private.changes_to_audit",
        "private.cohort_progress",
        "private.cron_heartbeats",
        "private.enabled_policies",
        "private.kept_signs_of_life",
        "private.listed_students",
        "private.logged_accesses",
        "private.metric_counts",
        "private.phone_plans",
        "private.policy_counts",
        "private.policy_days",
        "private.policy_triggers",
        "private.rate_limit_uses",
        "private.retention_counts",
        "private.schema_changes_to_confirm",
        "private.schema_snapshot",
        "private.schema_snapshot_of",
        "public.audit_logs",
        "public.cohort_snapshots",
      ]
    `)
  })
})
