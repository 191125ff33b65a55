import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuiltDatabase } from 'local-supabase'
import postgres from 'postgres'
import { parse } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly, migratedDatabase } from '../../harness/stack/project.ts'
import { generatePrivacyPage } from '../../scripts/privacy.ts'
import { ROOT } from '../../scripts/root.ts'

let built: BuiltDatabase
let sql: postgres.Sql

beforeAll(async () => {
  built = await migratedDatabase('personal_data')
  // As an administrator, who may also add tables to the platform's schemas.
  sql = postgres(built.adminUrl, { max: 1, onnotice: () => {} })
  const config = parse(readFileSync(join(ROOT, 'supabase', 'config.toml'), 'utf8'))
  const { buckets } = config.storage as { buckets: Record<string, unknown> }
  for (const id of Object.keys(buckets))
    await sql`insert into storage.buckets (id, name) values (${id}, ${id})`
})

afterAll(async () => {
  await sql.end()
  await built.drop()
})

/** The gaps of the inventory, or of retention, after a scratch migration, which is rolled back. */
async function gapsAfter(
  migration: string,
  find = 'private.personal_data_gaps()',
): Promise<{ name: string; problem: string }[]> {
  let gaps: { name: string; problem: string }[] = []
  const undone = new Error('rolled back')
  await sql
    .begin(async (transaction) => {
      await transaction.unsafe(migration)
      gaps = await transaction`select name, problem from ${sql.unsafe(find)} order by 1`
      gaps = gaps.map(({ name, problem }) => ({ name, problem }))
      throw undone
    })
    .catch((error) => {
      if (error !== undone) throw error
    })
  return gaps
}

describe('the inventory of personal data', localOnly('builds databases'), () => {
  test('classifies every column of every table, every bucket and every queue, and nothing that is not there', async () => {
    expect(await gapsAfter('')).toEqual([])
  })

  test.each([
    ['a column', 'alter table public.profiles add column phone text', 'public.profiles.phone', 'column'],
    [
      'a column of a table without personal data',
      'alter table public.universities add column dean text',
      'public.universities.dean',
      'column',
    ],
    [
      'a table',
      'create table public.diaries (user_id uuid references auth.users (id), entry text)',
      'public.diaries',
      'table',
    ],
    [
      'a table that only names a person by text',
      'create table checkin.notes (written_by text)',
      'checkin.notes',
      'table',
    ],
    [
      'a materialized view',
      'create materialized view private.people as select email from auth.users',
      'private.people',
      'table',
    ],
    [
      'a table of another schema',
      'create schema clinic; create table clinic.visits (person uuid)',
      'clinic.visits',
      'table',
    ],
    ['a table of Auth', 'create table auth.passports (user_id uuid)', 'auth.passports', 'table'],
    ['a queue', 'create table net.http_retry_queue (body bytea)', 'net.http_retry_queue', 'table'],
    ['a table of Realtime', 'create table realtime.presence (payload jsonb)', 'realtime.presence', 'table'],
    ['a table of the vault', 'create table vault.notes (secret text)', 'vault.notes', 'table'],
    ['a bucket', "insert into storage.buckets (id, name) values ('voices', 'voices')", 'voices', 'bucket'],
  ])(
    'misses %s that a scratch migration adds without classification',
    async (_what, migration, name, kind) => {
      expect(await gapsAfter(migration)).toEqual([{ name, problem: `this ${kind} is not classified` }])
    },
  )

  test.each([
    ['a column', 'alter table public.profiles drop column last_name cascade', 'public.profiles.last_name'],
    ['a table', 'drop table private.logged_accesses', 'private.logged_accesses.reader'],
  ])('names %s that a scratch migration removes', async (_what, migration, name) => {
    const gaps = await gapsAfter(migration)
    expect(gaps).toContainEqual({ name, problem: 'is classified and does not exist' })
  })

  test('is the page that is read', async () => {
    expect(await generatePrivacyPage(built.url)).toBe(readFileSync(join(ROOT, 'docs', 'privacy.md'), 'utf8'))
  })

  test('says of each row how the rows of a person are found, in a condition that runs', async () => {
    const conditions = await sql<{ store: string; schema: string; relation: string; condition: string }[]>`
      select store, schema_name as schema, relation_name as relation, condition
      from private.personal_data, unnest(array[belongs_to, exported_if]) as condition
      where condition is not null
        and (store = 'bucket' or to_regclass(format('%I.%I', schema_name, relation_name)) is not null)`
    expect(conditions.length).toBeGreaterThan(40)
    for (const { store, schema, relation, condition } of conditions) {
      const table = store === 'bucket' ? sql('storage.objects') : sql(`${schema}.${relation}`)
      const [found] = await sql`
        select count(*)::int as people
        from ${table} t
        where ${sql.unsafe(condition.replaceAll('$1', "'00000000-0000-4000-8000-000000000000'::uuid"))}`
      expect(found).toEqual({ people: 0 })
    }
  })

  test('leads to the account from every foreign key that does', async () => {
    const unreached = await sql`
      select k.conrelid::regclass::text || '.' || a.attname as name
      from pg_constraint k
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and k.confrelid = 'auth.users'::regclass and c.relnamespace <> 'auth'::regnamespace
        and not exists (
          select from private.personal_data p
          where p.schema_name = c.relnamespace::regnamespace::text and p.relation_name = c.relname
            and p.whose <> 'nobody' and p.belongs_to like '%t.' || a.attname || ' = $1%'
        )`
    expect(unreached).toEqual([])
  })
})

describe('the terms of retention', localOnly('builds databases'), () => {
  const gaps = (migration: string) => gapsAfter(migration, 'private.retention_gaps()')

  test('each end something, and every table of people ends with its term', async () => {
    expect(await gaps('')).toEqual([])
  })

  test('are missed when nothing ends them', async () => {
    const migration = "select private.declare_term('diaries', '1 day', 'Diaries: from the writing.')"
    expect(await gaps(migration)).toEqual([{ name: 'diaries', problem: 'this term ends nothing' }])
  })

  test.each([
    ['a table', 'create table public.diaries (user_id uuid references auth.users (id) on delete cascade)'],
    [
      'a table that stays when the check-in goes',
      `create table public.diaries (
        user_id uuid references auth.users (id), check_in uuid references checkin.check_ins (id) on delete set null)`,
    ],
  ])('are missed on %s without a step', async (_what, table) => {
    const migration = `${table};
      select private.declare_data('public.diaries', '{user_id}', 'Invented.', 'student', 'words', 't.user_id = $1', term => 'results')`
    expect(await gaps(migration)).toEqual([
      { name: 'public.diaries', problem: 'the term results ends none of its rows' },
    ])
  })

  test('are missed when the function that ends them is gone', async () => {
    const lost = await gaps('drop function private.purge_raw_media')
    expect(lost.map(({ name }) => name)).toEqual(['private.check_in_media', 'raw_media'])
  })
})

describe('the triggers that the audit log relies on', localOnly('builds databases'), () => {
  test('are declared, each that writes to the log and each that guards it, and are there', async () => {
    const undeclared = await sql`
      select c.relnamespace::regnamespace || '.' || c.relname as relation, t.tgname::text as name
      from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
      join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal
        and p.proname <> 'audit_change'
        and (p.prosrc ~ 'private\\.audit(_at_end)?\\(' or t.tgrelid in ('public.audit_logs'::regclass, 'private.audit_identities'::regclass))
      except
      select relation, name from private.audit_triggers`
    expect(undeclared).toEqual([])
    const missing = await sql`
      select missing from unnest(array[true, false]) as guards, private.missing_audit_triggers(guards) as missing`
    expect(missing).toEqual([])
  })
})
