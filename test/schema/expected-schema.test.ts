import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPlatformDatabase } from 'local-supabase'
import postgres from 'postgres'
import { expect, inject, test } from 'vitest'
import { EXPECTED_MIGRATIONS, EXPECTED_TABLES } from '../../functions/_shared/data-api/expected-schema.ts'
import { readSetup } from '../../functions/_shared/data-api/setup.ts'
import { localOnly, localStack, migratedDatabase } from '../../harness/stack/project.ts'
import { ROOT } from '../../scripts/root.ts'
import { generateExpectedSchema } from '../../scripts/schema.ts'

test('what setup-tables expects is what the migrations make', async () => {
  const file = join(ROOT, 'functions', '_shared', 'data-api', 'expected-schema.ts')
  expect(await generateExpectedSchema(inject('project').databaseUrl)).toBe(readFileSync(file, 'utf8'))
})

test('setup-tables tells what a database lacks', localOnly('builds databases'), async () => {
  const bare = await buildPlatformDatabase(localStack().adminUrl, 'schema_bare')
  const built = await migratedDatabase('schema_expected')
  const bareSql = postgres(bare.url, { max: 1 })
  const sql = postgres(built.url, { max: 1, onnotice: () => {} })
  try {
    const empty = await readSetup(bareSql)
    expect(empty.migrations).toEqual({ applied: [], pending: EXPECTED_MIGRATIONS })
    expect(empty.tables).toEqual(
      EXPECTED_TABLES.map((table) => ({ table, exists: false, row_level_security: false, policies: 0 })),
    )

    const last = EXPECTED_MIGRATIONS.at(-1) ?? ''
    await sql`drop table checkin.user_baselines cascade`
    await sql`alter table public.consents disable row level security`
    await sql`drop policy "people see their own roles" on public.user_roles`
    await sql`delete from supabase_migrations.schema_migrations where version = ${last}`
    const { tables, migrations } = await readSetup(sql)
    expect(migrations).toEqual({ applied: EXPECTED_MIGRATIONS.slice(0, -1), pending: [last] })
    const wrong = tables.filter((table) => !table.row_level_security || table.policies === 0)
    expect(wrong).toEqual([
      { table: 'checkin.user_baselines', exists: false, row_level_security: false, policies: 0 },
      { table: 'public.consents', exists: true, row_level_security: false, policies: 3 },
      { table: 'public.user_roles', exists: true, row_level_security: true, policies: 0 },
    ])
  } finally {
    await Promise.all([bareSql.end(), sql.end()])
    await Promise.all([bare.drop(), built.drop()])
  }
})
