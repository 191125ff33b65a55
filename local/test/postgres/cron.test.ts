import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlan, type Job, parseSchedule } from '../../src/cron/plan.ts'
import { startCron } from '../../src/cron/scheduler.ts'
import { eventually, startTestCluster } from './cluster.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const minute = 60_000

describe('parseSchedule', () => {
  it.each([
    ['*/5 * * * *', '2026-03-01T10:02:30', '2026-03-01T10:05:00'],
    ['30 4 * * *', '2026-03-01T04:30:00', '2026-03-02T04:30:00'],
    ['0 0 $ * *', '2026-02-10T00:00:00', '2026-02-28T00:00:00'],
    ['0 9 * * mon-fri', '2026-03-06T10:00:00', '2026-03-09T09:00:00'],
    ['0 12 13 * 5', '2026-03-07T00:00:00', '2026-03-13T12:00:00'],
    ['@hourly', '2026-03-01T10:02:30', '2026-03-01T11:00:00'],
    ['15 seconds', '2026-03-01T10:00:00', '2026-03-01T10:00:15'],
  ])('finds the next moment of %s after %s', (schedule, after, next) => {
    expect(new Date(parseSchedule(schedule).next(at(after)))).toEqual(new Date(at(next)))
  })

  it.each(['60 seconds', '* * * *', '61 * * * *', 'soon'])('rejects %s', (schedule) => {
    expect(() => parseSchedule(schedule)).toThrow()
  })
})

describe('createPlan', () => {
  const start = at('2026-03-01T10:00:30')
  const job = (schedule: string, change: Partial<Job> = {}): Job => ({
    jobid: '1',
    schedule,
    command: 'select 1',
    database: 'postgres',
    username: 'postgres',
    active: true,
    ...change,
  })

  it('takes a job when its minute comes, once', () => {
    const plan = createPlan()
    plan.update([job('* * * * *')], start)
    expect(plan.take(start + 20_000, 9)).toEqual([])
    expect(plan.take(start + 30_000, 9)).toHaveLength(1)
    plan.done('1')
    expect(plan.take(start + 31_000, 9)).toEqual([])
  })

  it('makes up once for many missed minutes', () => {
    const plan = createPlan()
    plan.update([job('* * * * *')], start)
    expect(plan.take(start + 90 * minute, 9)).toHaveLength(1)
    plan.done('1')
    expect(plan.take(start + 90 * minute, 9)).toEqual([])
  })

  it('does not start a job that still runs, and runs it once afterwards', () => {
    const plan = createPlan()
    plan.update([job('* * * * *')], start)
    plan.take(start + minute, 9)
    expect(plan.take(start + 2 * minute, 9)).toEqual([])
    expect(plan.take(start + 3 * minute, 9)).toEqual([])
    plan.done('1')
    expect(plan.take(start + 3 * minute + 1, 9)).toHaveLength(1)
    plan.done('1')
    expect(plan.take(start + 3 * minute + 2, 9)).toEqual([])
  })

  it('tries again a run that could not begin', () => {
    const plan = createPlan()
    plan.update([job('* * * * *')], start)
    plan.take(start + minute, 9)
    plan.done('1', true)
    expect(plan.take(start + minute + 1, 9)).toHaveLength(1)
  })

  it('keeps what is due beyond the limit for later', () => {
    const plan = createPlan()
    plan.update([job('* * * * *'), job('* * * * *', { jobid: '2' })], start)
    expect(plan.take(start + minute, 1).map(({ jobid }) => jobid)).toEqual(['1'])
    expect(plan.take(start + minute, 1).map(({ jobid }) => jobid)).toEqual(['2'])
  })

  it('leaves out inactive and removed jobs, and owes them nothing when they return', () => {
    const plan = createPlan()
    plan.update([job('* * * * *', { active: false })], start)
    expect(plan.take(start + 5 * minute, 9)).toEqual([])
    plan.update([job('* * * * *')], start + 5 * minute)
    expect(plan.take(start + 5 * minute + 1, 9)).toEqual([])
    plan.update([], start + 6 * minute)
    expect(plan.take(start + 9 * minute, 9)).toEqual([])
  })

  it('names the jobs whose schedule it cannot read', () => {
    expect(createPlan().update([job('nonsense')], start)).toEqual([job('nonsense')])
  })
})

describe('startCron', () => {
  let cluster: Awaited<ReturnType<typeof startTestCluster>>
  beforeAll(async () => {
    cluster = await startTestCluster()
  })
  afterAll(() => cluster.stop())

  async function scheduled(
    use: (sql: postgres.Sql, clock: { skew: number }) => Promise<void>,
  ): Promise<void> {
    const { url, adminUrl } = await cluster.database()
    const clock = { skew: 0 }
    const cron = startCron({ adminUrl, log: () => {}, now: () => Date.now() + clock.skew })
    const sql = postgres(url, { max: 2, onnotice: () => {}, backoff: () => 0.1 })
    try {
      await sql`create extension pg_cron`
      await use(sql, clock)
    } finally {
      await cron.stop()
      await sql.end({ timeout: 1 })
    }
  }

  const finished = (sql: postgres.Sql, jobid: string) =>
    eventually(async () => {
      const rows =
        await sql`select * from cron.job_run_details where jobid = ${jobid} and end_time is not null`
      return rows[0] ?? false
    })

  const schedule = async (sql: postgres.Sql, when: string, command: string): Promise<string> => {
    const [row] = await sql<{ id: string }[]>`select cron.schedule('job', ${when}, ${command}) as id`
    return row?.id ?? ''
  }

  it('runs a due job as its owner, in its own database, and records the run', async () => {
    await scheduled(async (sql) => {
      await sql`create table public.log as select ''::text as who, ''::text as db limit 0`
      const id = await schedule(
        sql,
        '1 second',
        'insert into public.log select session_user, current_database()',
      )
      expect(await finished(sql, id)).toMatchObject({
        status: 'succeeded',
        return_message: 'INSERT 1',
        username: 'postgres',
        job_pid: expect.any(Number),
      })
      const [here] = await sql`select current_database() as db`
      const [row] = await sql`select * from public.log limit 1`
      expect(row).toEqual({ who: 'postgres', db: here?.db })
    })
  })

  it('finds nothing that the run before left in its session', async () => {
    await scheduled(async (sql) => {
      await sql`create table public.log as select ''::text as setting, ''::text as left_behind limit 0`
      const id = await schedule(
        sql,
        '1 second',
        `insert into public.log select nullif(current_setting('app.run', true), ''), to_regclass('pg_temp.left_behind')::text;
        create temporary table left_behind ();
        set app.run = 'one'`,
      )
      await eventually(async () => (await sql`select from public.log`).length > 2)
      await sql`select cron.unschedule(${id}::bigint)`
      expect(await sql`select distinct setting, left_behind from public.log`).toEqual([
        { setting: null, left_behind: null },
      ])
    })
  })

  it('records why a job failed', async () => {
    await scheduled(async (sql) => {
      const id = await schedule(sql, '1 second', 'select 1 / 0')
      expect(await finished(sql, id)).toMatchObject({
        status: 'failed',
        return_message: 'ERROR:  division by zero',
      })
    })
  })

  it('runs a minute job when its minute comes', async () => {
    await scheduled(async (sql, clock) => {
      const id = await schedule(sql, '* * * * *', 'select 1 as one')
      await eventually(async () => {
        clock.skew += minute
        const rows = await sql`select from cron.job_run_details where jobid = ${id}`
        return rows.length > 0
      })
      expect(await finished(sql, id)).toMatchObject({ status: 'succeeded', return_message: '1 row' })
    })
  })

  it('does not start a job again while it runs', async () => {
    await scheduled(async (sql) => {
      await sql`create table public.gate ()`
      const gate = await sql.reserve()
      await gate`begin`
      await gate`lock table public.gate`
      const slow = await schedule(sql, '1 second', 'select from public.gate')
      const [other] = await sql<{ id: string }[]>`select cron.schedule('other', '1 second', 'select 1') as id`
      await eventually(async () => {
        const [count] = await sql`
          select
            count(*) filter (where jobid = ${slow}) as slow,
            count(*) filter (where jobid = ${other?.id ?? ''}) as other
          from cron.job_run_details`
        return count?.slow === '1' && Number(count.other) >= 3
      })
      const [count] = await sql`select count(*) from cron.job_run_details where jobid = ${slow}`
      await gate`commit`
      gate.release()
      expect(count).toEqual({ count: '1' })
    })
  })

  it('stops running a job once it is unscheduled', async () => {
    await scheduled(async (sql) => {
      const id = await schedule(sql, '1 second', 'select 1')
      await finished(sql, id)
      await sql`select cron.unschedule('job')`
      const [other] = await sql<{ id: string }[]>`select cron.schedule('other', '1 second', 'select 1') as id`
      await finished(sql, other?.id ?? '')
      const count = async () => (await sql`select count(*) from cron.job_run_details where jobid = ${id}`)[0]
      const before = await count()
      await eventually(async () => {
        const rows = await sql`select from cron.job_run_details where jobid = ${other?.id ?? ''}`
        return rows.length >= 3
      })
      expect(await count()).toEqual(before)
    })
  })

  it('goes on after Postgres was killed, and says which run that cut off', async () => {
    await scheduled(async (sql) => {
      await sql`create table public.gate ()`
      const gate = await sql.reserve()
      await gate`begin`
      await gate`lock table public.gate`
      const id = await schedule(sql, '1 second', 'select from public.gate')
      await eventually(
        async () => (await sql`select from cron.job_run_details where jobid = ${id}`).length > 0,
      )
      const pid = cluster.server.pid()
      if (pid) process.kill(pid, 'SIGKILL')
      const statuses = await eventually(async () => {
        const rows = await sql`select status from cron.job_run_details where jobid = ${id} order by runid`
        return rows.some(({ status }) => status === 'succeeded') && rows[0]?.status !== 'running' && rows
      })
      expect(statuses[0]).toEqual({ status: 'failed' })
    })
  })

  it.each(['61 * * * *', '* * * *', '0 seconds', 'often'])('rejects to schedule %s', async (when) => {
    await scheduled(async (sql) => {
      await expect(schedule(sql, when, 'select 1')).rejects.toThrow(`invalid schedule: ${when}`)
    })
  })

  it('changes a job that is scheduled again under its name', async () => {
    await scheduled(async (sql) => {
      const first = await schedule(sql, '0 4 * * *', 'select 1')
      const second = await schedule(sql, '0 5 * * *', 'select 2')
      expect(second).toBe(first)
      expect(await sql`select schedule, command, username, active from cron.job`).toMatchObject([
        { schedule: '0 5 * * *', command: 'select 2', username: 'postgres', active: true },
      ])
    })
  })
})
