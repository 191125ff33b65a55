import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from 'local-supabase'
import { type Stack, startStack } from '../../demo/stack.ts'
import { seedDatabase } from '../../seed/seed.ts'
import { openTarget } from '../../seed/target.ts'

/** A stack with demonstration data: all students at one university, each checking in every day. */
export type SeededStack = {
  stack: Stack
  students: number
  seedS: number
  sizeBytes: number
  checkIns: number
}

/**
 * Starts a stack in a folder and seeds it. A folder that was seeded before is used as it is.
 *
 * The tables are vacuumed and analysed, as autovacuum would have done by then.
 */
export async function startSeededStack(
  dataDir: string,
  { students, days, progress }: { students: number; days: number; progress: (line: string) => void },
): Promise<SeededStack> {
  const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
  const stack = await startStack(
    { port, dbPort, inboxPort, dataDir, reset: false, watch: false },
    { progress: () => {}, log: () => {} },
  )
  const marker = join(dataDir, 'seeded.json')
  const sql = openTarget({ databaseUrl: stack.databaseUrl, dataDir, yes: false })
  try {
    if (!existsSync(marker)) {
      const began = performance.now()
      await seedDatabase(
        sql,
        { students, days, universities: 1, participation: 1, until: null, seed: '1' },
        progress,
      )
      const seedS = (performance.now() - began) / 1000
      await sql`vacuum (analyze) public.profiles, public.students, public.cohort_days, public.cohort_snapshots`
      await sql`vacuum (analyze) checkin.check_ins, checkin.fusion_results, checkin.user_baselines`
      // The page of students is measured by itself; otherwise only public.list_students may query it.
      await sql`grant usage on schema private to authenticated`
      // One counselor logs more accesses here than a person could.
      await sql`update private.rate_limit_rules set requests = 1000000, period = '1 second' where scope = 'audit'`
      writeFileSync(marker, JSON.stringify({ seedS }))
    }
    const { seedS }: { seedS: number } = JSON.parse(readFileSync(marker, 'utf8'))
    const [figures] = await sql<{ size: number; check_ins: number }[]>`
      select pg_database_size(current_database())::float8 as size, count(*)::integer as check_ins
      from checkin.check_ins`
    return { stack, students, seedS, sizeBytes: figures?.size ?? 0, checkIns: figures?.check_ins ?? 0 }
  } catch (error) {
    await stack.stop()
    throw error
  } finally {
    await sql.end()
  }
}
