import { Cron } from 'croner'

/** A row of `cron.job`. */
export interface Job {
  jobid: string
  schedule: string
  command: string
  database: string
  username: string
  active: boolean
}

interface Entry {
  job: Job
  schedule: Schedule
  /** The first due moment that has not been noticed, in milliseconds since 1970. */
  due: number
  /** Whether one run is owed. Never more: missed moments are made up for once. */
  owed: boolean
  running: boolean
}

/** Which jobs are to run now: pure bookkeeping, without a clock and without a database. */
export interface Plan {
  /** Takes the jobs as they now are. New and changed ones count from `now`. Returns the unreadable ones. */
  update(jobs: Job[], now: number): Job[]
  /** Marks as running, and returns, the jobs that are due or owed and do not run already, `limit` at most. */
  take(now: number, limit: number): Job[]
  /** Says that a run ended, or, with `owed`, that it could not even begin and is to be tried again. */
  done(jobid: string, owed?: boolean): void
}

export function createPlan(): Plan {
  const entries = new Map<string, Entry>()
  return { update, take, done }

  function update(jobs: Job[], now: number): Job[] {
    const unreadable: Job[] = []
    for (const job of jobs) {
      const known = entries.get(job.jobid)
      if (known && known.job.schedule === job.schedule && known.job.active === job.active) {
        known.job = job
        continue
      }
      try {
        const schedule = parseSchedule(job.schedule)
        const due = schedule.next(now)
        entries.set(job.jobid, { job, schedule, due, owed: false, running: known?.running ?? false })
      } catch {
        unreadable.push(job)
        entries.delete(job.jobid)
      }
    }
    const present = new Set(jobs.map(({ jobid }) => jobid))
    for (const jobid of entries.keys()) if (!present.has(jobid)) entries.delete(jobid)
    return unreadable
  }

  function take(now: number, limit: number): Job[] {
    const taken: Job[] = []
    for (const entry of entries.values()) {
      if (!entry.job.active) continue
      if (entry.due <= now) {
        entry.owed = true
        entry.due = entry.schedule.next(now)
      }
      if (entry.owed && !entry.running && taken.length < limit) {
        entry.owed = false
        entry.running = true
        taken.push(entry.job)
      }
    }
    return taken
  }

  function done(jobid: string, owed = false): void {
    const entry = entries.get(jobid)
    if (!entry) return
    entry.running = false
    entry.owed ||= owed
  }
}

/** When a job is due, from the text that `cron.schedule` takes. */
export interface Schedule {
  /** The first due moment after `moment`, both in milliseconds since 1970; Infinity if there is none. */
  next(moment: number): number
}

/**
 * Reads five cron fields, in GMT, with `$` for the last day of the month, or `[1-59] seconds`, counted from the
 * last run, as pg_cron does.
 *
 * @throws Error when the text is neither
 */
export function parseSchedule(text: string): Schedule {
  const seconds = /^\s*([1-9]|[1-5]\d)\s+seconds?\s*$/i.exec(text)?.[1]
  if (seconds) return { next: (moment) => moment + Number(seconds) * 1_000 }
  const fields = text.trim().replace('$', 'L')
  if (!fields.startsWith('@') && fields.split(/\s+/).length !== 5)
    throw new Error(`invalid schedule: ${text}`)
  const cron = new Cron(fields, { timezone: 'UTC', paused: true })
  return { next: (moment) => cron.nextRun(new Date(moment))?.getTime() ?? Number.POSITIVE_INFINITY }
}
