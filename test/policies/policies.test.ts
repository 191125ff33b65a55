import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltDatabase, buildPlatformDatabase, withScratchServer } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { migratedDatabase } from '../../harness/stack/project.ts'
import { applyDeclaredSchema } from '../../scripts/schema.ts'
import { shippedRows } from '../../scripts/shipped-rows.ts'

const FOLDER = import.meta.dirname
const stories = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.sql'))
  .sort()
const setup = readFileSync(join(FOLDER, 'setup.sql'), 'utf8')
const empty = readFileSync(join(FOLDER, 'empty.sql'), 'utf8')

/** SQLSTATE of a lock that was not to be had in time. */
const LOCKED = '55P03'

const { databaseUrl, local } = inject('project')

/** A database of its own beside the local stack's, or that of the project from outside, where every story is rolled back. */
let database: Pick<BuiltDatabase, 'url'> & Partial<BuiltDatabase>
/** Tells all stories: a new connection for each would read the catalog again, and compile the functions, which is a sixth of what they take. */
let sql: postgres.Sql
/** What begins a story on a project from outside, beside its set-up. */
let asMigrated: string[] = []

beforeAll(async () => {
  database = { url: databaseUrl }
  if (!local) {
    const rows = await withScratchServer(async (adminUrl) => {
      const declared = await buildPlatformDatabase(adminUrl, 'declared')
      await applyDeclaredSchema(declared)
      return shippedRows(declared)
    })
    asMigrated = [empty, rows]
    sql = postgres(database.url, { max: 1, onnotice: () => {} })
    return
  }
  const built = await migratedDatabase('policies')
  database = built
  const admin = postgres(built.adminUrl, { max: 1, onnotice: () => {} })
  await admin`create extension pgtap schema extensions`
  await admin.end()
  sql = postgres(database.url, { max: 1, onnotice: () => {} })
})

afterAll(async () => {
  await sql.end()
  await database.drop?.()
})

describe('pgTAP', () => {
  test.each(stories)('%s', async (name) => {
    const lines = await runStory(readFileSync(join(FOLDER, name), 'utf8'))
    const results = lines.filter((line) => /^(not )?ok\b/.test(line))
    const planned = lines.find((line) => line.startsWith('1..'))
    expect(lines.filter((line) => /^(not ok|#)/.test(line))).toEqual([])
    expect(planned).toBe(`1..${results.length}`)
  })

  test('every function that people or policies call, and every table of the platform with a policy, has a story', async () => {
    const told = stories
      .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
      .join('\n')
      .replaceAll(/--.*$/gm, '')
    // The tables of public and checkin have the access matrix.
    const reachable = await sql<{ mention: string }[]>`
      select n.nspname || '.' || c.relname as mention
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname not in ('public', 'checkin', 'cron') and exists (select from pg_policy p where p.polrelid = c.oid)
      union
      select 'public.' || p.proname || '('
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')
      union
      select 'private.' || p.proname || '('
      from pg_proc p
      join pg_policies on concat(qual, with_check) ~ ('private\\.' || p.proname || '\\(')
      where p.pronamespace = 'private'::regnamespace`
    expect(reachable.length).toBeGreaterThan(0)
    expect(reachable.filter(({ mention }) => !told.includes(mention))).toEqual([])
  })
})

/** Runs a story after the common set-up in a transaction that is rolled back; returns what pgTAP printed. */
async function runStory(story: string): Promise<string[]> {
  const statements = [
    'begin',
    // The stories' own functions; the service's may not be called unless it is granted.
    'alter default privileges grant execute on functions to public',
    'create extension if not exists pgtap schema extensions',
    ...asMigrated,
    'set local search_path = public, extensions',
    setup,
    story,
    'rollback',
  ].join(';\n')
  return vi.waitFor(async () => textCells(await sql.unsafe(statements).simple().catch(rolledBack)), {
    timeout: 60_000,
    interval: 100,
  })

  /** Ends the transaction. Throws where another try may succeed; what is wrong with a story ends the test. */
  async function rolledBack(error: unknown): Promise<string[]> {
    await sql`rollback`
    if (error instanceof postgres.PostgresError && error.code === LOCKED) throw error
    return [`# ${error}`]
  }
}

function textCells(value: unknown): string[] {
  if (typeof value === 'string') return value.split('\n')
  if (Array.isArray(value)) return value.flatMap(textCells)
  if (value && typeof value === 'object') return Object.values(value).flatMap(textCells)
  return []
}
