import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { localOnly, migratedDatabase } from '../../harness/stack/project.ts'
import { ROOT } from '../../scripts/root.ts'

const { db } = z
  .object({ db: z.object({ seed: z.object({ sql_paths: z.array(z.string()) }) }) })
  .parse(parse(readFileSync(join(ROOT, 'supabase', 'config.toml'), 'utf8')))

const seeds = db.seed.sql_paths.flatMap((path) => globSync(path, { cwd: join(ROOT, 'supabase') }))

/** What seeds may write: rows of the demonstration, and the log of it. */
const WRITTEN = ['public.universities', 'public.audit_logs', 'private.audit_head', 'private.audit_identities']

test(
  'seeds, which run on preview branches too, change no setting',
  localOnly('builds a database'),
  async () => {
    expect(seeds.length).toBeGreaterThan(0)
    const database = await migratedDatabase('seeds')
    const sql = postgres(database.url, { max: 1, onnotice: () => {} })
    const before = await contents(sql)
    for (const seed of seeds) await sql.unsafe(readFileSync(join(ROOT, 'supabase', seed), 'utf8'))
    const after = await contents(sql)
    const changed = [...after].filter(([table, rows]) => before.get(table) !== rows).map(([table]) => table)
    expect(changed).toContain('public.universities')
    expect(changed.filter((table) => !WRITTEN.includes(table))).toEqual([])
    await sql.end()
    await database.drop()
  },
)

/** A digest of the rows of every table of the service and of Auth. */
async function contents(sql: postgres.Sql): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; digest: string }[]>`
    select n.nspname || '.' || c.relname as name,
      (xpath('/row/d/text()', query_to_xml(
        format('select md5(coalesce(string_agg(t::text, chr(10) order by t::text), '''')) as d from %I.%I t', n.nspname, c.relname),
        false, true, ''
      )))[1]::text as digest
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'private', 'checkin', 'auth')`
  return new Map(rows.map(({ name, digest }) => [name, digest]))
}
