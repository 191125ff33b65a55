import type { Database } from '../database.ts'
import { databaseWebhook } from '../http/database-webhook.ts'
import type { Environment } from '../http/environment.ts'
import { describeError, log } from '../http/log.ts'
import { doorbell } from './doorbell.ts'
import { type Findings, type Job, NonRetryableError } from './job.ts'
import { claimJob, failJob, finishJob } from './queue.ts'

/** Runs one kind of job; returns what it found, or `null` when it has ended the job itself. */
export type RunJob = (job: Job) => Promise<Findings | null>

/**
 * A worker of the pipeline: takes the database webhook, then claims the job it names, runs it, and stores the outcome
 * with the job's end.
 *
 * One job at a time in a process, because its memory is limited; only one that hangs past its lease lets the next begin.
 */
export function pipelineWorker(
  name: string,
  { database, environment, run }: { database: Database; environment: Environment; run: RunJob },
): (request: Request) => Promise<Response> {
  let previous: Promise<unknown> = Promise.resolve()
  return databaseWebhook(name, environment, doorbell, ({ record }) => {
    const turn = previous.then(() => work(database, record.id, run))
    previous = turn.catch((error) => log('error', 'job_lost', { job: record.id, ...describeError(error) }))
    return { accepted: { job: record.id }, work: previous }
  })
}

/** Whatever happens to a try, the queue knows: it is stored, ended with a code, or its lease runs out. */
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
    const hopeless = error instanceof NonRetryableError
    const code = hopeless ? error.code : 'worker_error'
    log('warn', 'job_failed', { ...about, code, ...describeError(error) })
    await failJob(database, job, code, !hopeless)
  }
}

/** A try that hangs must not block the jobs behind it: it is given up before its lease ends. */
async function withinLease<Result>(job: Job, running: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The try took longer than its lease')), job.lease_ms * 0.9)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}
