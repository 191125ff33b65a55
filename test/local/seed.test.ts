import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateBaseline } from '../../functions/_shared/scoring/baseline.ts'
import type { Baseline } from '../../functions/_shared/scoring/types.ts'
import { type OwnStack, startOwnStack } from '../../harness/stack/own-stack.ts'
import { ROOT } from '../../scripts/root.ts'
import { PASSWORD } from '../../seed/accounts.ts'

const run = promisify(execFile)

let stack: OwnStack
let sql: Sql
let printed: string

/** Runs `npm run seed` against the stack. */
async function seed(...args: string[]): Promise<{ code: number; output: string }> {
  const command = ['seed/run.ts', '--data', stack.dataDir, ...args]
  try {
    const { stdout, stderr } = await run(process.execPath, command, { cwd: ROOT })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('stdout' in error) || !('stderr' in error))
      throw error
    return { code: Number(error.code), output: `${error.stdout}${error.stderr}` }
  }
}

/** Acts in a transaction that is then rolled back. */
async function rolledBack<Result>(act: (sql: TransactionSql) => Promise<Result>): Promise<Result> {
  const rollback = new Error('Roll back')
  let result: { value: Result } | undefined
  await sql
    .begin(async (tx) => {
      result = { value: await act(tx) }
      throw rollback
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error
    })
  if (!result) throw new Error('Nothing was done')
  return result.value
}

async function signedIn(email: string) {
  const client = createClient(stack.apiUrl, stack.publishableKey, { auth: { persistSession: false } })
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD })
  if (error) throw error
  return client
}

beforeAll(async () => {
  stack = await startOwnStack()
  sql = postgres(stack.local.adminUrl, { max: 1, onnotice: () => {} })
  const seeded = await seed('--students', '90', '--days', '45', '--universities', '2')
  expect(seeded).toMatchObject({ code: 0 })
  printed = seeded.output
})

afterAll(async () => {
  await sql?.end()
  await stack?.stop()
})

describe('npm run seed', () => {
  test('prints what it stores, and how to sign in', () => {
    expect(printed).toContain('90 of 90 students')
    expect(printed).toMatch(/Done in \d+ s: \d+ check-ins/)
    expect(printed).toContain(PASSWORD)
  })

  test('leaves each student in the state that a recount of their check-ins gives', async () => {
    const wrong = await sql`
      select s.user_id
      from public.students s
      left join lateral (
        select count(*) filter (where c.status = 'complete') as completed, max(c.completed_at) as last_at
        from checkin.check_ins c
        where c.user_id = s.user_id
      ) counted on true
      left join lateral (
        select f.* from checkin.fusion_results f where f.user_id = s.user_id order by f.created_at desc limit 1
      ) last on true
      left join lateral (
        select c.risk_level
        from checkin.check_ins c
        where c.user_id = s.user_id and c.status in ('complete', 'failed')
        order by c.completed_at desc
        limit 1
      ) ended on true
      where (s.check_ins, s.last_check_in_at, s.last_score, s.last_uncertainty, s.last_direction_of_change, s.risk_level)
        is distinct from (
          counted.completed, counted.last_at, last.score, last.uncertainty, last.direction_of_change,
          coalesce(ended.risk_level, 'none')
        )`
    expect(wrong).toHaveLength(0)
  })

  test('leaves each student in the state that the check-ins would have left, ending one by one', async () => {
    const student = sql`(select user_id from public.students where university_id = 'westhaven' order by user_id limit 1)`
    const columns = sql`check_ins, last_check_in_at, last_score, last_uncertainty, last_direction_of_change, risk_level`
    const [stored] = await sql`select ${columns} from public.students where user_id = ${student}`
    const replayed = await rolledBack(async (tx) => {
      const ended = await tx<{ id: string; status: string; completed_at: Date }[]>`
        select id, status, completed_at from checkin.check_ins
        where user_id = ${student} and status in ('complete', 'failed')
        order by completed_at`
      await tx`
        update public.students
        set check_ins = 0, last_check_in_at = null, last_score = null, last_uncertainty = null,
          last_direction_of_change = null, risk_level = 'none'
        where user_id = ${student}`
      await tx`alter table checkin.check_ins disable trigger user`
      await tx`
        update checkin.check_ins set status = 'processing', completed_at = null, error_code = null
        where id = any(${ended.map(({ id }) => id)})`
      await tx`alter table checkin.check_ins enable trigger user`
      for (const { id, status, completed_at } of ended) {
        await tx`update checkin.check_ins set status = ${status}, completed_at = ${completed_at} where id = ${id}`
      }
      const [row] = await tx`select ${columns} from public.students where user_id = ${student}`
      return row
    })
    expect(replayed).toEqual(stored)
  })

  test('leaves each baseline as its scores give it, one after another', async () => {
    const stored = await sql<{ state: Baseline; version: number; scores: number[] }[]>`
      select b.state, b.version, array_agg(f.score::float8 order by f.created_at) as scores
      from checkin.user_baselines b
      join checkin.fusion_results f on f.user_id = b.user_id
      group by b.user_id`
    expect(stored.length).toBeGreaterThan(80)
    for (const { state, version, scores } of stored) {
      const grown = scores.reduce<Baseline | null>(
        (own, score) => updateBaseline(own, { score, features: {} }),
        null,
      )
      expect(state).toEqual(grown)
      expect(version).toBe(scores.length)
    }
  })

  test('stores the figures of each day and cohort that a new daily rollup gives', async () => {
    const differences = await rolledBack(async (tx) => {
      await tx`create temporary table days on commit drop as select * from public.cohort_days`
      await tx`create temporary table snapshots on commit drop as select * from public.cohort_snapshots`
      await tx`delete from public.cohort_days`
      await tx`
        insert into private.student_days (day, user_id, ended, completed, score_sum)
        select
          private.university_date(private.university_of(c.user_id), coalesce(c.completed_at, c.expires_at)), c.user_id, count(*), count(f.score),
          coalesce(sum(f.score), 0)
        from checkin.check_ins c
        left join checkin.fusion_results f on f.check_in_id = c.id
        group by 1, 2`
      await tx`delete from private.cohort_progress`
      await tx`select private.roll_up_days()`
      const rounded = (table: string) => tx`
        select university_id, faculty, year_of_study, residence, day, students, ended, completed, round(score_sum::numeric, 6)
        from ${tx(table)}`
      return tx`
        (${rounded('days')} except ${rounded('public.cohort_days')})
        union all (${rounded('public.cohort_days')} except ${rounded('days')})
        union all (
          select university_id, faculty, year_of_study, residence, as_of, students, high_risk, moderate_risk, seen_within_days
          from (
            (select * from snapshots except select * from public.cohort_snapshots)
            union all (select * from public.cohort_snapshots except select * from snapshots)
          ) s
        )`
    })
    expect(differences).toHaveLength(0)
    const [stored] =
      await sql`select count(distinct day)::integer as days from public.cohort_days where grain = 0`
    expect(stored).toEqual({ days: 45 })
    expect(await sql`select from private.student_days`).toHaveLength(0)
  })

  test('counts the students that counselors see', async () => {
    const [counts] = await sql`
      select
        (select sum(students)::integer from private.listed_students where university_id in ('westhaven', 'marlow-bay')) as listed,
        (select count(*)::integer from public.students where counselor_access and university_id in ('westhaven', 'marlow-bay')) as there`
    expect(counts?.listed).toBe(counts?.there)
    expect(counts?.listed).toBeGreaterThan(30)
  })

  test('opens a review for each high risk and sends no message about it', async () => {
    const unreviewed = await sql`
      select from checkin.check_ins c
      where c.risk_level = 'high'
        and not exists (select from private.clinical_review_sources s where s.source = 'check_in' and s.source_id = c.id)`
    expect(unreviewed).toHaveLength(0)
    expect(await sql`select from private.outbox`).toHaveLength(0)
    const [trigger] = await sql`select tgenabled from pg_trigger where tgname = 'notify_crisis_contact'`
    expect(trigger).toEqual({ tgenabled: 'O' })
  })

  test('creates an administrator who sees a dashboard with figures', async () => {
    const admin = await signedIn('admin@westhaven.example.edu')
    const { data } = await admin.rpc('analytics_dashboard', { university_id: 'westhaven', date_range: '30d' })
    expect(data.summary).toMatchObject({ total_students: 45 })
    expect(data.trends.wellbeing_trend).toHaveLength(30)
    const other = await admin.rpc('analytics_dashboard', { university_id: 'marlow-bay', date_range: '30d' })
    expect(other.data).toBeNull()
  })

  test('creates counselors, who see their students', async () => {
    const counselor = await signedIn('counselor-1@westhaven.example.edu')
    await counselor.rpc('log_access', { action: 'students_listed', university_id: 'westhaven' })
    const { data } = await counselor.rpc('list_students', { university_id: 'westhaven' })
    expect(data.total).toBeGreaterThan(20)
    expect(data.students).toHaveLength(Math.min(50, data.total))
  })

  test('creates students, who see their own check-ins with results', async () => {
    const student = await signedIn('student-000001@westhaven.example.edu')
    const { data, error } = await student
      .schema('checkin')
      .from('check_ins')
      .select('id, status, fusion_results (score, risk_level)')
      .eq('status', 'complete')
      .order('created_at', { ascending: false })
      .limit(50)
    expect(error).toBeNull()
    expect(data?.length).toBeGreaterThan(10)
    for (const { fusion_results } of data ?? [])
      expect(fusion_results).toMatchObject({ score: expect.any(Number) })
  })

  test('rejects a seed that the database already holds, and says what to do', async () => {
    const again = await seed('--students', '5', '--days', '2')
    expect(again.code).toBe(1)
    expect(again.output).toContain('--seed')
    expect(again.output).not.toContain('    at ')
  })

  test('adds another seed and leaves the first as it was', async () => {
    const figures = () => sql`
      select * from public.cohort_days where university_id in ('westhaven', 'marlow-bay')
      order by university_id, grain, faculty, year_of_study, residence, day`
    const before = await figures()
    expect(
      await seed('--students', '20', '--days', '10', '--universities', '1', '--seed', '2'),
    ).toMatchObject({ code: 0 })
    expect(await figures()).toEqual(before)
    const [added] =
      await sql`select count(*)::integer as students from public.students where university_id = 'westhaven-2'`
    expect(added).toEqual({ students: 20 })
  })

  test('rejects a day that is not over', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const rejected = await seed('--seed', '3', '--until', tomorrow)
    expect(rejected.code).toBe(1)
    expect(rejected.output).toContain('--until')
  })

  test('shows its options with --help', async () => {
    expect((await seed('--help')).output).toContain('--participation')
  })
})
