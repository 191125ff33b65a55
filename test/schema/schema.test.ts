import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltDatabase, buildPlatformDatabase, supabase } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly, localStack, migratedDatabase } from '../../harness/stack/project.ts'
import { generateDataModel } from '../../scripts/data-model.ts'
import { ROOT } from '../../scripts/root.ts'
import { applyDeclaredSchema, diffSchemas, generateTypes, pushMigrations } from '../../scripts/schema.ts'
import { diffShippedRows } from '../../scripts/shipped-rows.ts'

let migrated: BuiltDatabase
let declared: BuiltDatabase

beforeAll(async () => {
  migrated = await migratedDatabase('schema_migrated')
  declared = await buildPlatformDatabase(localStack().adminUrl, 'schema_declared')
  await applyDeclaredSchema(declared)
})

afterAll(() => Promise.all([migrated.drop(), declared.drop()]))

describe('the schema', localOnly('builds databases'), () => {
  test('is the same from the migrations as from the declarative files', async () => {
    expect(await diffSchemas(migrated, declared)).toBe('')
  })

  test('has the same rows from the migrations as from the declarative files', async () => {
    expect(await diffShippedRows(migrated, declared)).toBe('')
  })

  test('does not change when the migrations are pushed again', async () => {
    expect(await pushMigrations(migrated)).toContain('up to date')
  })

  test('has types that are current', async () => {
    const types = readFileSync(join(ROOT, 'types', 'database.ts'), 'utf8')
    expect(await generateTypes(migrated.url)).toBe(types)
  })

  test('has a page of the data model that is current', async () => {
    const page = readFileSync(join(ROOT, 'docs', 'data-model.md'), 'utf8')
    expect(await generateDataModel(migrated.url)).toBe(page)
  })

  test('has no finding of the advisors but that a new database has not used its indexes yet', async () => {
    const output = await supabase(['db', 'advisors', `--remote=${migrated.url}`, '--level', 'info'])
    const findings: { name: string; detail: string }[] = JSON.parse(output)
    expect(findings.filter((finding) => finding.name !== 'unused_index')).toEqual([])
  })

  test('has a comment on every table, view, column of a table or of the schema staff, type and function', async () => {
    const sql = postgres(migrated.url, { max: 1 })
    const bare = await sql`
      select c.oid::regclass::text as object
      from pg_class c
      where c.relnamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace, 'staff'::regnamespace)
        and c.relkind in ('r', 'v', 'm', 'p') and obj_description(c.oid, 'pg_class') is null
      union all
      select a.attrelid::regclass || '.' || a.attname
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      where c.relnamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace, 'staff'::regnamespace)
        and (c.relkind in ('r', 'p') or c.relnamespace = 'staff'::regnamespace) and a.attnum > 0 and not a.attisdropped
        and col_description(a.attrelid, a.attnum) is null
      union all
      select t.oid::regtype::text
      from pg_type t
      where t.typnamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace, 'staff'::regnamespace)
        and t.typtype = 'e' and obj_description(t.oid, 'pg_type') is null
      union all
      select p.oid::regprocedure::text
      from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace, 'staff'::regnamespace)
        and obj_description(p.oid, 'pg_proc') is null`
    await sql.end()
    expect(bare).toEqual([])
  })

  test('says of every function who calls it', async () => {
    const sql = postgres(migrated.url, { max: 1 })
    const silent = await sql`
      select p.oid::regprocedure::text as name
      from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace, 'staff'::regnamespace)
        and obj_description(p.oid, 'pg_proc') !~ '(^Trigger|which calls it|Called )'`
    await sql.end()
    expect(silent).toEqual([])
  })

  test('has an index for every foreign key', async () => {
    const sql = postgres(migrated.url, { max: 1 })
    const unindexed = await sql`
      select k.conname
      from pg_constraint k
      where k.contype = 'f'
        and k.connamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace, 'staff'::regnamespace)
        and not exists (
          select from pg_index i where i.indrelid = k.conrelid and i.indkey[0] = k.conkey[1]
        )`
    await sql.end()
    expect(unindexed).toEqual([])
  })

  test('gives security definer functions an empty search path', async () => {
    const sql = postgres(migrated.url, { max: 1 })
    const open = await sql`
      select oid::regprocedure::text as name
      from pg_proc
      where pronamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace, 'staff'::regnamespace)
        and not coalesce(proconfig @> array['search_path=""'], false)`
    await sql.end()
    expect(open).toEqual([])
  })
})
