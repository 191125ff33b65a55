import type { BuiltDatabase } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly, migratedDatabase } from '../../harness/stack/project.ts'

let built: BuiltDatabase
let sql: postgres.Sql
let columns: Column[]

type Column = { relation: string; name: string; example: string | null }

beforeAll(async () => {
  built = await migratedDatabase('examples')
  sql = postgres(built.url, { max: 1, onnotice: () => {} })
  await sql`select set_config('search_path', '', false)`
  columns = await sql<Column[]>`
    select c.oid::regclass::text as relation, a.attname::text as name,
      substring(col_description(c.oid, a.attnum) from ' Example: (.+)$') as example
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace::regnamespace::text in ('public', 'checkin', 'private', 'staff')
      and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
      and a.atttypid in ('jsonb'::regtype, 'json'::regtype)
    order by 1, a.attnum`
})

afterAll(async () => {
  await sql.end()
  await built.drop()
})

/** The example of a column. */
function exampleOf(relation: string, name: string): string {
  const example = columns.find((column) => column.relation === relation && column.name === name)?.example
  if (!example) throw new Error(`${relation}.${name} has no example`)
  return example
}

/** Runs statements in a transaction with its deferred triggers, and takes them back. */
async function tryOut(statements: (tx: postgres.TransactionSql) => Promise<unknown>): Promise<void> {
  const undone = new Error('rolled back')
  await sql
    .begin(async (tx) => {
      await statements(tx)
      await tx`set constraints all immediate`
      throw undone
    })
    .catch((error) => {
      if (error !== undone) throw error
    })
}

describe('the comment on a column of JSON', localOnly('builds a database'), () => {
  test('ends in an example that can be copied', async () => {
    expect(columns.length).toBeGreaterThan(40)
    const unusable: string[] = []
    for (const { relation, name, example } of columns) {
      const [parsed] = await sql`select pg_input_is_valid(${example ?? ''}, 'jsonb') as valid`
      if (!parsed?.valid) unusable.push(`${relation}.${name}: ${example}`)
    }
    expect(unusable).toEqual([])
  })

  test('has one that the constraints of the column allow', async () => {
    const constraints = await sql<{ relation: string; column: string; name: string; condition: string }[]>`
      select k.conrelid::regclass::text as relation, a.attname::text as column, k.conname::text as name,
        pg_get_expr(k.conbin, k.conrelid) as condition
      from pg_constraint k
      join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum]
      where k.contype = 'c' and a.atttypid in ('jsonb'::regtype, 'json'::regtype)
        and k.connamespace::regnamespace::text in ('public', 'checkin', 'private')`
    expect(constraints.length).toBeGreaterThan(15)
    const broken: string[] = []
    for (const { relation, column, name, condition } of constraints) {
      const [row] = await sql.unsafe(
        `select (${condition}) as holds from (select $1::text::jsonb as "${column}") as row`,
        [exampleOf(relation, column)],
      )
      if (!row?.holds) broken.push(name)
    }
    expect(broken).toEqual([])
  })

  test('of a university is one that can be stored', async () => {
    await tryOut(
      (tx) => tx`
        insert into public.universities (id, name, short_name, domain, privacy_settings, resources)
        values (
          'invented', 'Invented', 'Invented', 'invented.example.edu',
          ${exampleOf('public.universities', 'privacy_settings')}::text::jsonb,
          ${exampleOf('public.universities', 'resources')}::text::jsonb
        )`,
    )
  })

  test('of a security policy is one that compiles', async () => {
    await tryOut(
      (tx) => tx`
        insert into public.security_policies (name, category, type, priority, conditions, actions)
        values (
          'Invented', 'authentication', 'preventive', 900,
          ${exampleOf('public.security_policies', 'conditions')}::text::jsonb,
          ${exampleOf('public.security_policies', 'actions')}::text::jsonb
        )`,
    )
  })

  test('of an incident is one that can be stored and changed', async () => {
    const json = (name: string) => exampleOf('public.security_incidents', name)
    await tryOut(async (tx) => {
      await tx`
        insert into public.security_incidents (type, severity, title, description, key, indicators, timeline, metadata)
        values (
          'suspicious_activity', 'low', 'Invented', 'Invented', 'invented', ${json('indicators')}::text::jsonb,
          ${json('timeline')}::text::jsonb, ${json('metadata')}::text::jsonb
        )`
      await tx`
        update public.security_incidents
        set response = ${json('response')}::text::jsonb, timeline = timeline || ${json('timeline')}::text::jsonb
        where key = 'invented'`
    })
  })

  test('of a module of training is one that can be stored', async () => {
    await tryOut(
      (tx) => tx`
        insert into public.training_modules (title, category, difficulty, estimated_duration, content, assessments)
        values (
          'Invented', 'data_protection', 'beginner', 10,
          ${exampleOf('public.training_modules', 'content')}::text::jsonb,
          ${exampleOf('public.training_modules', 'assessments')}::text::jsonb
        )`,
    )
  })

  test('of a question of training is one that can be stored', async () => {
    const options = exampleOf('private.training_questions', 'options')
    await tryOut(async (tx) => {
      const [module] = await tx`select id from public.training_modules limit 1`
      await tx`
        insert into private.training_questions (module_id, prompt, options, correct)
        values (${module?.id}, 'Invented?', ${options}::text::jsonb, array[${options}::text::jsonb #>> '{0,id}'])`
    })
  })

  test('is tried out above wherever a trigger looks at the column', async () => {
    const looked = await sql<{ relation: string }[]>`
      select distinct c.oid::regclass::text as relation
      from pg_trigger t
      join pg_proc p on p.oid = t.tgfoid
      join pg_class c on c.oid = t.tgrelid
      join pg_attribute a on a.attrelid = c.oid and a.atttypid in ('jsonb'::regtype, 'json'::regtype)
      where not t.tgisinternal and c.relnamespace::regnamespace::text in ('public', 'checkin', 'private')
        and p.prosrc ~ ('\\mnew\\.' || a.attname || '\\M')
        -- A withdrawal fills it in, whatever was given; of changes to audit it is whatever the table has.
        and (c.oid, a.attname) <> ('public.consents'::regclass, 'deleted') and c.oid <> 'private.changes_to_audit'::regclass
      order by 1`
    const tried = [
      'private.training_questions',
      'public.security_incidents',
      'public.security_policies',
      'public.training_modules',
      'public.universities',
    ]
    expect(looked.map(({ relation }) => relation).filter((relation) => !tried.includes(relation))).toEqual([])
  })
})
