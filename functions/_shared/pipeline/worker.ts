import type * as z from 'zod'
import type { Database } from '../database.ts'
import { describeError, log } from '../log.ts'
import {
  claimJob,
  type Findings,
  failJob,
  finishJob,
  type Job,
  type jobWebhook,
  NonRetryableError,
} from './job.ts'

/** Runs one kind of job; returns its findings, or `null` when it has ended the job itself. */
export type RunJob = (job: Job) => Promise<Findings | null>

/**
 * A worker of the pipeline: claims the job that a webhook names, runs it, and stores the outcome with the job's end.
 * Returns what to respond with, and the work that goes on after the response.
 *
 * A process works on one job at a time, because its memory is limited; the next job starts before the previous one has
 * ended only if that hangs past its lease.
 */
export function jobWorker(
  database: Database,
  run: RunJob,
): (event: z.infer<typeof jobWebhook>) => { accepted: { job: string }; work: Promise<unknown> } {
  let previous: Promise<unknown> = Promise.resolve()
  return ({ record: { id } }) => {
    const turn = previous.then(() => work(database, id, run))
    previous = turn.catch((error) => log('error', 'job_lost', { job: id, ...describeError(error) }))
    return { accepted: { job: id }, work: previous }
  }
}

/** However an attempt ends, the queue knows: its findings are stored, it ends with a code, or its lease runs out. */
async function work(database: Database, id: string, run: RunJob): Promise<void> {
  const job = await claimJob(database, id)
  if (!job) return
  const started = performance.now()
  const about = { job: job.id, kind: job.kind, attempt: job.attempts }
  try {
    const findings = await withinLease(job, run(job))
    const stored = findings === null || (await finishJob(database, job, findings))
    log('info', stored ? 'job_done' : 'job_superseded', {
      ...about,
      ms: Math.round(performance.now() - started),
    })
  } catch (error) {
    const retry = !(error instanceof NonRetryableError)
    const code = retry ? 'worker_error' : error.code
    log('warn', 'job_failed', { ...about, code, ...describeError(error) })
    await failJob(database, job, code, retry)
  }
}

/** An attempt that hangs must not block the jobs behind it: it fails shortly before its lease ends. */
async function withinLease<Result>(job: Job, running: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The attempt took longer than its lease')), job.lease_ms * 0.9)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}
