import type postgres from 'postgres'
import { connect, listen } from '../postgres/connections.ts'
import { createPlan, type Job } from './plan.ts'
import { failInterruptedRuns, runJob, Sessions } from './run.ts'

export interface CronOptions {
  /** Superuser connection to the database whose `cron.job` is to be run. */
  adminUrl: string
  log: (line: string) => void
  /** Milliseconds since 1970; for tests that move time. */
  now?: () => number
}

export interface Runner {
  /** Ends it; statements under way are cut off and recorded as failed at the next start. */
  stop(): Promise<void>
}

const tickMs = 500
const reloadMs = 5_000
const maxRunning = 16

/**
 * Plays pg_cron's background worker: runs the jobs of `cron.job` when they are due, each in a session of its own.
 * A job that still runs is not started again, and due moments that were missed, because the job ran long or
 * Postgres or this process was away, are made up for by one run. Does nothing while pg_cron is not created.
 */
export function startCron({ adminUrl, log, now = Date.now }: CronOptions): Runner {
  const admin = connect(adminUrl, {
    max: 4,
    // What the library asks about types at first has no catcher: a stop during it would be an unhandled rejection.
    fetch_types: false,
    onnotice: () => {},
    backoff: () => 0.2,
    connection: { application_name: 'pg_cron scheduler' },
  })
  const plan = createPlan()
  const sessions = new Sessions()
  const running = new Set<Promise<void>>()
  let stopped = false
  let interrupted = true
  let loadedAt = Number.NEGATIVE_INFINITY
  let down = false
  let timer: NodeJS.Timeout | undefined
  let turn = tick()
  const changes = listen(adminUrl, 'cron_job_changed', () => {
    loadedAt = Number.NEGATIVE_INFINITY
  })
  return { stop }

  async function tick(): Promise<void> {
    try {
      if (performance.now() - loadedAt >= reloadMs) await reload()
      if (down) log('cron: the database is back')
      down = false
      for (const job of plan.take(now(), maxRunning - running.size)) start(job)
    } catch (error) {
      if (!down && !stopped) log(`cron: waiting for the database (${error})`)
      down = true
      interrupted = true
      loadedAt = Number.NEGATIVE_INFINITY
    }
    if (!stopped) timer = setTimeout(() => (turn = tick()), tickMs)
  }

  async function reload(): Promise<void> {
    const asked = performance.now()
    const jobs = await readJobs(admin)
    if (jobs && interrupted) {
      await failInterruptedRuns(admin)
      interrupted = false
    }
    for (const job of plan.update(jobs ?? [], now()))
      log(`cron: job ${job.jobid}: bad schedule ${job.schedule}`)
    loadedAt = asked
  }

  function start(job: Job): void {
    const run = runJob(admin, adminUrl, job, sessions)
      .then(
        (began) => plan.done(job.jobid, !began),
        (error: unknown) => {
          plan.done(job.jobid)
          interrupted = true
          loadedAt = Number.NEGATIVE_INFINITY
          if (!stopped) log(`cron: job ${job.jobid} could not be recorded: ${error}`)
        },
      )
      .finally(() => running.delete(run))
    running.add(run)
  }

  async function stop(): Promise<void> {
    stopped = true
    clearTimeout(timer)
    await changes.stop()
    await Promise.all([admin.end({ timeout: 0 }), sessions.end()])
    await turn
  }
}

async function readJobs(admin: postgres.Sql): Promise<Job[] | undefined> {
  const [extension] = await admin`select from pg_extension where extname = 'pg_cron'`
  if (!extension) return undefined
  return admin<
    Job[]
  >`select jobid, schedule, command, database, username, active from cron.job order by jobid`
}
