import postgres from 'postgres'
import { connect } from '../postgres/connections.ts'
import type { Job } from './plan.ts'

/** pg_cron's home database (`cron.database_name`), which stands for the scheduler's own. */
const homeDatabase = 'postgres'

const sessionName = 'pg_cron'

/** Sessions that no run has at the moment: one that nothing is left in runs a job for a fraction of what a new one takes. */
export class Sessions {
  readonly #unused = new Map<string, postgres.Sql[]>()
  #ended = false

  take(url: string): postgres.Sql {
    const options = { max: 1, idle_timeout: 20, prepare: false, fetch_types: false, onnotice: () => {} }
    return (
      this.#unused.get(url)?.pop() ??
      connect(url, { ...options, connection: { application_name: sessionName } })
    )
  }

  /** Takes a session back as new; one in which the job left a transaction, or that is lost, is ended. */
  async giveBack(url: string, session: postgres.Sql): Promise<void> {
    const isClean = await session.unsafe('discard all').then(
      () => !this.#ended,
      () => false,
    )
    if (!isClean) await session.end({ timeout: 1 })
    else this.#unused.set(url, [...(this.#unused.get(url) ?? []), session])
  }

  async end(): Promise<void> {
    this.#ended = true
    await Promise.all([...this.#unused.values()].flat().map((session) => session.end({ timeout: 0 })))
  }
}

/**
 * Runs one job in a session that nobody else has meanwhile, as the job's user, and records the run in `cron.job_run_details`.
 * Returns false when the database could not be reached, so that the run never began.
 */
export async function runJob(
  admin: postgres.Sql,
  adminUrl: string,
  job: Job,
  sessions: Sessions,
): Promise<boolean> {
  const url = sessionUrl(adminUrl, job)
  const session = sessions.take(url)
  try {
    let pid: number | null
    try {
      const [backend] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`
      pid = backend?.pid ?? null
    } catch (error) {
      if (!(error instanceof postgres.PostgresError) || isStarting(error)) return false
      await record(admin, job, null, 'failed', `connection failed: ${error.message}`)
      return true
    }
    const runid = await record(admin, job, pid, 'running')
    const [status, message] = await outcome(session, job.command)
    await admin`
      update cron.job_run_details
      set status = ${status}, return_message = ${message}, end_time = clock_timestamp()
      where runid = ${runid}`
    return true
  } finally {
    await sessions.giveBack(url, session)
  }
}

/** Says of the runs whose session is gone, with Postgres or with an earlier scheduler, that they failed. */
export async function failInterruptedRuns(admin: postgres.Sql): Promise<void> {
  await admin`
    update cron.job_run_details as run
    set status = 'failed', return_message = 'server restarted', end_time = clock_timestamp()
    where
      status = 'running'
      and not exists (
        select from pg_stat_activity where pid = run.job_pid and application_name = ${sessionName}
      )`
}

async function record(
  admin: postgres.Sql,
  job: Job,
  pid: number | null,
  status: 'running' | 'failed',
  message: string | null = null,
): Promise<string | null> {
  const [row] = await admin<{ runid: string }[]>`
    insert into cron.job_run_details
      (jobid, job_pid, database, username, command, status, return_message, start_time, end_time)
    values (
      ${job.jobid}, ${pid}, ${job.database}, ${job.username}, ${job.command}, ${status}, ${message},
      clock_timestamp(), case when ${status} = 'failed' then clock_timestamp() end
    )
    returning runid`
  return row?.runid ?? null
}

async function outcome(session: postgres.Sql, command: string): Promise<['succeeded' | 'failed', string]> {
  try {
    // The simple protocol takes several statements, as one transaction unless the command says otherwise.
    const result = await session.unsafe(command).simple()
    return ['succeeded', summary(result)]
  } catch (error) {
    return ['failed', error instanceof Error ? `ERROR:  ${error.message}` : String(error)]
  }
}

/** What psql would print as the command's tag; of several statements, the last one's. */
function summary(result: unknown): string {
  const last: unknown = Array.isArray(result) && !('command' in result) ? result.at(-1) : result
  if (typeof last !== 'object' || last === null || !('command' in last) || !('count' in last)) return ''
  const { command, count } = last
  if (command === 'SELECT') return count === 1 ? '1 row' : `${count} rows`
  return typeof count === 'number' ? `${command} ${count}` : String(command ?? '')
}

function sessionUrl(adminUrl: string, job: Job): string {
  const url = new URL(adminUrl)
  url.username = encodeURIComponent(job.username)
  if (job.database !== homeDatabase) url.pathname = `/${encodeURIComponent(job.database)}`
  return url.href
}

/** 57P03: the server is up but not yet, or no longer, open to sessions. */
const isStarting = (error: postgres.PostgresError): boolean =>
  error.code === '57P03' || error.code === '57P01'
