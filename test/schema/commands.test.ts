import { type BuiltDatabase, buildPlatformDatabase, supabaseOutput } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly, localStack, migratedDatabase } from '../../harness/stack/project.ts'
import { ROOT } from '../../scripts/root.ts'
import { applyDeclaredSchema, diffSchemas } from '../../scripts/schema.ts'
import { diffShippedRows } from '../../scripts/shipped-rows.ts'

let declared: BuiltDatabase
/** Migrated, and changed by the tests. */
let database: BuiltDatabase

beforeAll(async () => {
  database = await migratedDatabase('commands_migrated')
  declared = await buildPlatformDatabase(localStack().adminUrl, 'commands_declared')
  await applyDeclaredSchema(declared)
})

afterAll(() => Promise.all([database.drop(), declared.drop()]))

describe('the commands of the schema', localOnly('builds databases'), () => {
  // Every command reads the project's configuration, and says there what is wrong with it.
  test.each([
    ['db', 'push', '--dry-run'],
    ['migration', 'list'],
    ['gen', 'types'],
    ['db', 'advisors'],
  ])('lets the CLI warn of nothing: %s %s', async (...args) => {
    const { stdout, stderr } = await supabaseOutput([...args, `--remote=${database.url}`], { root: ROOT })
    expect(`${stdout}${stderr}`).not.toMatch(/warn|deprecat|unset/i)
  })

  test('give a migration what gets the rows of the declarative files back', async () => {
    const changed = await migratedDatabase('schema_rows')
    await execute(
      changed,
      `delete from private.personal_data where retention = 'results';
      delete from private.retention_rules where kind = 'results';
      insert into private.retention_rules (kind, keep, starts, shortest)
      select 'words', keep, starts, shortest from private.retention_rules where kind = 'transcripts';
      update private.personal_data set retention = 'words' where retention = 'transcripts';
      delete from private.retention_rules where kind = 'transcripts';
      update private.rate_limit_rules set requests = 7 where scope = 'bulk';
      select cron.unschedule('purge-expired')`,
    )
    await execute(changed, await diffShippedRows(changed, declared))
    expect(await diffShippedRows(changed, declared)).toBe('')

    const limit = 'alter table private.student_limits'
    await execute(changed, `${limit} drop column consents`)
    const statements = await diffShippedRows(changed, declared)
    await execute(changed, `${limit} add column consents integer not null default 1; ${statements}`)
    expect(await diffShippedRows(changed, declared)).toBe('')
    await changed.drop()
  })

  // What is too many shows from this side as well, so that one comparison of the two is enough.
  test('tell when a table, how it is analyzed or what a column of a view says is missing from the migrations, or something is too many', async () => {
    const incomplete = await migratedDatabase('schema_incomplete')
    await execute(
      incomplete,
      `drop table checkin.user_baselines; alter table public.consents alter column user_id set statistics 100;
      comment on column staff.incidents.owner is null;
      create table private.left_over (); alter table public.consents add column left_over text;
      create function private.left_over() returns void language sql return null`,
    )
    const difference = await diffSchemas(incomplete, declared)
    expect(difference).toContain('user_baselines')
    // Without quotation marks, which the CLI may set.
    const plain = difference.replaceAll('"', '').toLowerCase()
    expect(plain).toContain('drop table private.left_over')
    expect(plain).toContain('drop function private.left_over')
    expect(plain).toMatch(/drop column left_over/)
    expect(difference).toContain('alter table public.consents alter column user_id set statistics 0;')
    expect(difference).toContain("comment on column staff.incidents.owner is 'Name of")
    await incomplete.drop()
  })
})

async function execute(database: BuiltDatabase, statement: string): Promise<void> {
  const sql = postgres(database.url, { max: 1 })
  await sql.unsafe(statement)
  await sql.end()
}
