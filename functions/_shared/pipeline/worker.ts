import type * as z from 'zod'
import type { Database } from '../database.ts'
import { describeError, inTrace, log } from '../log.ts'
import { Isolate } from './isolate.ts'
import {
  claimJob,
  declineJob,
  type Findings,
  failJob,
  finishJob,
  type Job,
  type jobWebhook,
  NonRetryableError,
  releaseJob,
} from './job.ts'
import { type JobKind, kindsOf, type WorkerName } from './job-kinds.ts'

/** Runs one kind of job; returns its findings, or `null` when it has ended the job itself. */
type RunJob = (job: Job) => Promise<Findings | null>

/** A function of the pipeline. */
type Worker = {
  /** Name of the edge function. */
  name: WorkerName
  /** Runs what is not a fusion, which every worker runs. */
  run?: RunJob
  /** CPU that the platform gives an isolate in its whole life, seconds. */
  isolateCpuS: number
  /** Announces by the event `beforeunload` that it is about to end the isolate. */
  platform: Pick<EventTarget, 'addEventListener'>
  /** How many jobs it runs at the same time: more than one only where they do little but wait. */
  atOnce?: number
}

/**
 * A worker of the pipeline: woken by a webhook it claims the job that is next, runs it, and stores the outcome with the
 * job's end; it goes on as long as its isolate has room for another, and leaves the rest to be dispatched again. The
 * first job is claimed without asking: the platform sends no request to an isolate that has used half of its CPU.
 *
 * A webhook that reaches a busy worker is declined; its job waits in the database, not behind the running one.
 *
 * Whoever ends the last step of a check-in runs its fusion too: its webhook would wait until pg_net has sent what is before
 * it, and then for another isolate to start, a hundred times as long as a fusion takes.
 */
export function jobWorker(
  database: Database,
  { name, run, isolateCpuS, platform, atOnce = 1 }: Worker,
): (event: z.infer<typeof jobWebhook>) => { accepted: { job: string }; work: Promise<unknown> } {
  const kinds = kindsOf(name)
  const isolate = new Isolate(kinds, isolateCpuS)
  const running = new Set<Job>()
  let awake = 0
  let ending = false
  let declined = false

  platform.addEventListener('beforeunload', () => {
    ending = true
    for (const job of running) giveBack(job)
  })

  function giveBack(job: Job): Promise<void> {
    inTrace(job.trace_id, () =>
      log('warn', 'job_released', { job: job.id, kind: job.kind, attempt: job.attempts }),
    )
    return releaseJob(database, job).catch((error) => log('error', 'job_lost', describeError(error)))
  }

  /** Imports the fusion only here, because most isolates end before they meet one. */
  async function runAny(job: Job): Promise<Findings | null> {
    if (run && job.kind !== 'fusion') return await run(job)
    const { runFusionJob } = await import('./fusion.ts')
    return await runFusionJob(database)(job)
  }

  async function workFrom(announced: string): Promise<void> {
    if (ending || awake >= atOnce) {
      declined = true
      return declineJob(database, announced)
    }
    awake++
    try {
      let job = await claimNext(kinds, announced)
      while (job) {
        const claimed = job
        // It was claimed while the platform announced the end.
        if (ending) return await giveBack(claimed)
        running.add(claimed)
        await inTrace(claimed.trace_id, () => attempt(database, claimed, runAny)).finally(() =>
          running.delete(claimed),
        )
        if (ending) return
        isolate.count(claimed.kind)
        job = await claimNext(isolate.kindsWithRoom(), null)
      }
    } finally {
      awake--
    }
  }

  /** Claims again when there was nothing but a webhook was declined meanwhile, or its job would wait for the next dispatch. */
  async function claimNext(kinds: readonly JobKind[], announced: string | null): Promise<Job | null> {
    declined = false
    const job = await claimJob(database, name, kinds, announced)
    return job || !declined || ending ? job : claimNext(kinds, null)
  }

  return ({ record: { id } }) => {
    const work = workFrom(id).catch((error) => log('error', 'job_lost', { job: id, ...describeError(error) }))
    return { accepted: { job: id }, work }
  }
}

/** However an attempt ends, the queue knows: its findings are stored, it ends with a code, or its lease runs out. */
async function attempt(database: Database, job: Job, run: RunJob): Promise<void> {
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
