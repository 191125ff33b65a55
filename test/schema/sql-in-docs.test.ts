import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuiltDatabase } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly, migratedDatabase } from '../../harness/stack/project.ts'
import { ROOT } from '../../scripts/root.ts'

/** The account that the examples name, those that they are about, and their sessions. */
const PEOPLE = `
  insert into public.universities (id, name, short_name, domain)
  values
    ('northfield', 'Northfield', 'Northfield', 'northfield.example.edu'),
    ('southfield', 'Southfield', 'Southfield', 'southfield.example.edu');
  insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at)
  values
    ('00000000-0000-4000-8000-000000000041', 'colleague@northfield.example.edu', 'authenticated', 'authenticated', '{}', now()),
    ('00000000-0000-4000-8000-000000000042', 'security@northfield.example.edu', 'authenticated', 'authenticated', '{}', now()),
    ('00000000-0000-4000-8000-000000000043', 'counselor@northfield.example.edu', 'authenticated', 'authenticated', '{}', now()),
    ('00000000-0000-4000-8000-000000000044', 'administrator@northfield.example.edu', 'authenticated', 'authenticated', '{}', now()),
    ('6f1c9a52-1c7e-4d55-9d0b-0a6f3c1d2e47', 'ada@northfield.example.edu', 'authenticated', 'authenticated', '{}', now());
  insert into auth.sessions (id, user_id, aal) select id, id, 'aal2' from auth.users;
  insert into public.user_roles (user_id, role)
  select id, 'security_admin' from auth.users where email = 'security@northfield.example.edu';
  insert into public.user_roles (user_id, role, university_id)
  select id, (case split_part(email, '@', 1) when 'counselor' then 'counselor' else 'university_admin' end)::public.app_role, 'northfield'
  from auth.users where email ~ '^(counselor|administrator)@'`

/** What the examples call by a made-up id. */
const THINGS = `
  select private.see_schema_changes();
  insert into public.user_roles (user_id, role, university_id)
  values ('00000000-0000-4000-8000-000000000041', 'counselor', 'northfield');
  insert into public.clinical_reviews (id, user_id, university_id, source, source_id)
  values (
    '7d0f6a1e-0c35-4c0e-9a52-5f8f2b9c4d10', '6f1c9a52-1c7e-4d55-9d0b-0a6f3c1d2e47', 'northfield', 'session', gen_random_uuid()
  );
  insert into public.security_incidents (id, type, severity, title, description, key, timeline)
  values (
    'inc_42', 'suspicious_activity', 'low', 'Invented', 'Invented', 'invented', jsonb_build_array(private.incident_entry('detected'))
  );
  -- Made in Studio after the migrations, and not confirmed yet.
  select private.see_schema_changes();
  create table public.summer_term (id bigint primary key);
  alter table public.summer_term enable row level security;
  insert into public.vulnerabilities (id, probe, fault, title, severity)
  values ('vul_42', 'hidden_schemas', 'invented', 'Invented', 'low')`

const ACTING = /^set local app\.acting_for = '[^']+';$/m

/** The type of what a function returns that returns nothing. */
const VOID = 2278

/** Blocks of SQL of a page, numbered from 1. */
function blocksOf(page: string): { page: string; number: number; block: string }[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  return [...text.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, block = ''], index) => ({
    page,
    number: index + 1,
    block,
  }))
}

const blocks = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap(blocksOf)
  .filter(({ page, block }) => page === 'studio.md' || ACTING.test(block))

let built: BuiltDatabase
let sql: postgres.Sql

beforeAll(async () => {
  built = await migratedDatabase('sql_in_docs')
  sql = postgres(built.url, { max: 1, onnotice: () => {} })
  await sql.unsafe(PEOPLE)
  await sql.unsafe(THINGS)
})

afterAll(async () => {
  await sql.end()
  await built.drop()
})

/** Runs a block as `postgres` in a transaction that is rolled back, its own begin and commit aside; returns what each query gave. */
async function run(block: string): Promise<postgres.Row[][]> {
  const undone = new Error('rolled back')
  const results: postgres.Row[][] = []
  const statements = block.split(/;$/m).filter((statement) => !/^\s*(begin|commit|)\s*$/.test(statement))
  await sql
    .begin(async (tx) => {
      for (const statement of statements) {
        const rows = await tx.unsafe(statement)
        if (rows.command === 'SELECT' && rows.columns[0]?.type !== VOID) results.push(rows)
      }
      await tx`set constraints all immediate`
      throw undone
    })
    .catch((error) => {
      if (error !== undone) throw error
    })
  return results
}

describe('the SQL of the pages', localOnly('builds a database'), () => {
  test('is there', () => {
    expect(blocks.length).toBeGreaterThan(8)
  })

  test.each(blocks)('runs as it stands: $page, block $number', async ({ block }) => {
    const results = await run(block)
    if (!ACTING.test(block)) return
    expect(results.length).toBeGreaterThan(0)
    for (const rows of results) {
      // A function that somebody else may not call answers false, null or nothing.
      const answers = rows.map((row) => Object.values(row))
      expect(answers.length).toBeGreaterThan(0)
      expect(answers).not.toContainEqual([false])
      expect(answers).not.toContainEqual([null])
    }
  })
})
