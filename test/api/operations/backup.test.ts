import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuiltDatabase, buildPlatformDatabase } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly, localStack } from '../../../harness/stack/project.ts'
import {
  type Manifest,
  readConfirmedManifest,
  readManifest,
  writeManifest,
} from '../../../scripts/backup/manifest.ts'
import { dumpRows, restoreRows } from '../../../scripts/backup/rows.ts'
import { differences } from '../../../scripts/backup/tables.ts'
import { applyDeclaredSchema } from '../../../scripts/schema.ts'
import { inventoryOf } from '../../drill/inventory.ts'

type Side = { built: BuiltDatabase; sql: postgres.Sql }

let lost: Side
let empty: Side
const folder = mkdtempSync(join(tmpdir(), 'backup-'))

/** A database as a deployed project has it, with one migration. */
async function newProject(name: string): Promise<Side> {
  const built = await buildPlatformDatabase(localStack().adminUrl, name)
  await applyDeclaredSchema(built)
  const sql = postgres(built.url, { max: 1, onnotice: () => {} })
  await sql`create schema supabase_migrations`
  await sql`create table supabase_migrations.schema_migrations (version text primary key)`
  await sql`insert into supabase_migrations.schema_migrations values ('1')`
  return { built, sql }
}

/** What a careless format loses: line ends, tabs, backslashes, infinity, a JSON null, the last digit. */
async function storePerson(sql: postgres.Sql): Promise<string> {
  const id = crypto.randomUUID()
  const [checkIn, name] = [crypto.randomUUID(), 'A\tname\\N\nover \\. lines “🙂”']
  await sql`
    insert into auth.users (id, email, aud, role, email_confirmed_at)
    values (${id}, ${`${id}@example.edu`}, 'authenticated', 'authenticated', now())`
  await sql`update public.profiles set first_name = ${name} where user_id = ${id}`
  await sql`
    insert into checkin.check_ins (id, user_id, type, progress) values (${checkIn}, ${id}, 'daily', 0.1::float8 + 0.2)`
  await sql`
    insert into private.analysis_jobs (check_in_id, kind, input, outcome, next_dispatch_at)
    values (${checkIn}, 'text', '{"n": 1.10}', 'null', 'infinity')`
  return id
}

/** The manifest of a backup, and what confirms it. */
async function backUp(): Promise<{ manifest: Manifest; hash: string }> {
  const rows = await dumpRows(lost.sql, folder)
  const hash = writeManifest(folder, {
    format: 2,
    ...rows,
    objects: [],
    without_content: [],
    unsafe_names: [],
  })
  return { manifest: readManifest(folder), hash }
}

describe('the rows of a backup', localOnly('makes databases of its own'), () => {
  let manifest: Manifest
  let hash: string
  let person: string
  beforeAll(async () => {
    lost = await newProject('backup_of')
    empty = await newProject('backup_into')
    person = await storePerson(lost.sql)
    ;({ manifest, hash } = await backUp())
  })
  afterAll(async () => {
    for (const side of [lost, empty]) {
      await side?.sql.end()
      await side?.built.drop()
    }
    rmSync(folder, { recursive: true, force: true })
  })

  test('are refused by a project with other migrations', async () => {
    await expect(restoreRows(empty.sql, folder, { ...manifest, migrations: ['1', '2'] })).rejects.toThrow(
      'Missing: 2.',
    )
  })

  test('are those that were backed up, by what their backup printed', () => {
    expect(readConfirmedManifest(folder, hash)).toEqual(manifest)
    expect(() => readConfirmedManifest(folder, undefined)).toThrow(`--confirm ${hash}`)
    for (const path of [
      'tables/public.user_roles.copy.gz',
      'tables/public.universities.copy.gz',
      'secrets.json',
    ]) {
      const content = existsSync(join(folder, path)) ? readFileSync(join(folder, path)) : null
      writeFileSync(join(folder, path), 'Changed.')
      expect(() => readConfirmedManifest(folder, hash)).toThrow(`Not as they were backed up: ${path}`)
      if (content) writeFileSync(join(folder, path), content)
      else rmSync(join(folder, path))
    }
    const file = join(folder, 'manifest.json')
    const written = readFileSync(file, 'utf8')
    writeFileSync(file, written.replace('"format": 2', '"format":  2'))
    expect(() => readConfirmedManifest(folder, hash)).toThrow('Nothing was restored')
    writeFileSync(file, written)
  })

  test('name only tables and columns of the project, whatever their manifest says', async () => {
    const [table] = manifest.tables
    for (const forged of [
      { name: "auth.users (id) from program 'id' --", columns: ['id'] },
      { name: 'public.profiles', columns: ["user_id) from program 'id' --"] },
    ]) {
      const tables = [{ rows: 1, hash: '1', ...table, ...forged }]
      await expect(restoreRows(empty.sql, folder, { ...manifest, tables })).rejects.toThrow(
        'no such tables or columns',
      )
    }
  })

  test('are not restored at all where one differs from what was backed up', async () => {
    const before = await inventoryOf(empty.sql)
    const tables = manifest.tables.map((table) =>
      table.name === 'public.profiles' ? { ...table, hash: '1' } : table,
    )
    await expect(restoreRows(empty.sql, folder, { ...manifest, tables })).rejects.toThrow('public.profiles')
    expect(differences(before, await inventoryOf(empty.sql))).toEqual([])
  })

  test('are restored exactly, with the secrets that they were made with', async () => {
    const before = await inventoryOf(lost.sql)
    expect(differences(before, await inventoryOf(empty.sql))).toContainEqual(
      expect.stringContaining('secret tombstone_key'),
    )
    await restoreRows(empty.sql, folder, manifest)
    expect(differences(before, await inventoryOf(empty.sql))).toEqual([])
    const [found] = await empty.sql`select first_name from public.profiles where user_id = ${person}`
    expect(found?.first_name).toBe('A\tname\\N\nover \\. lines “🙂”')
  })

  test('are refused by a project that has accounts', async () => {
    await storePerson(empty.sql)
    await expect(restoreRows(empty.sql, folder, manifest)).rejects.toThrow('The project has accounts')
  })

  test('keep the new project’s own address and shared secret', () => {
    const kept = readFileSync(join(folder, 'secrets.json'), 'utf8')
    expect(kept).toContain('number_hash_key')
    expect(kept).not.toContain('pipeline_secret')
  })
})

test('a folder without a manifest is no backup, and one of an earlier version or another layout is refused', () => {
  const other = mkdtempSync(join(tmpdir(), 'backup-'))
  expect(() => readManifest(other)).toThrow('no complete backup')
  writeFileSync(join(other, 'manifest.json'), '{"format": 3}')
  expect(() => readManifest(other)).toThrow('another layout')
  writeFileSync(join(other, 'manifest.json'), '{"format": 1}')
  expect(() => readManifest(other)).toThrow('made by an earlier version')
  expect(() => readConfirmedManifest(other, undefined)).toThrow('make a new backup')
  rmSync(other, { recursive: true })
})
