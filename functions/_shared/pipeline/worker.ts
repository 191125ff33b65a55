import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { answer } from '../edge/answer.ts'
import { readBody } from '../edge/body.ts'
import type { Database } from '../edge/database.ts'
import type { Environment } from '../edge/environment.ts'
import { handle } from '../edge/handle.ts'
import { describeError, log } from '../edge/log.ts'
import { ServiceError } from '../errors.ts'
import { type Findings, HopelessJob, type Job } from './job.ts'
import { claimJob, failJob, finishJob } from './queue.ts'

/** Runs one kind of job; returns what it found, or `null` when it has ended the job itself. */
export type RunJob = (job: Job) => Promise<Findings | null>

const doorbell = z.object({
  type: z.literal('INSERT'),
  schema: z.literal('private'),
  table: z.literal('analysis_jobs'),
  record: z.object({ id: z.guid() }),
})

/**
 * A worker of the pipeline: answers the database webhook by claiming the job it names, running it, and storing the
 * outcome with the job's end.
 *
 * One job at a time in a process, because a request's memory is limited. The answer says what became of the job:
 * `done`, `given_up`, `retry`, `not_claimed` (somebody else has it, or it has ended) or `superseded` (its lease ran
 * out meanwhile).
 */
export function pipelineWorker(
  name: string,
  { database, environment, run }: { database: Database; environment: Environment; run: RunJob },
): (request: Request) => Promise<Response> {
  const { pipelineSecret } = environment
  if (!pipelineSecret) throw new Error('PIPELINE_SECRET is not set; see docs/deployment.md')
  let previous: Promise<unknown> = Promise.resolve()

  return handle(name, async (request, requestId) => {
    if (!isFromDatabase(request, pipelineSecret)) {
      throw new ServiceError('unauthorized', 'Only the database rings this function.')
    }
    const { record } = await readBody(request, doorbell)
    const turn = previous.then(() => work(database, record.id, run))
    previous = turn.catch(() => undefined)
    return answer({ job: record.id, outcome: await turn }, 200, requestId)
  })
}

async function work(database: Database, id: string, run: RunJob): Promise<string> {
  const job = await claimJob(database, id)
  if (!job) return 'not_claimed'
  try {
    const findings = await run(job)
    if (findings === null) return 'done'
    return (await finishJob(database, job, findings)) ? 'done' : 'superseded'
  } catch (error) {
    const hopeless = error instanceof HopelessJob
    const code = hopeless ? error.code : 'worker_error'
    log('warn', 'job_failed', {
      job: job.id,
      kind: job.kind,
      attempt: job.attempts,
      code,
      ...describeError(error),
    })
    await failJob(database, job, code, !hopeless)
    return hopeless ? 'given_up' : 'retry'
  }
}

function isFromDatabase(request: Request, secret: string): boolean {
  const encoder = new TextEncoder()
  const given = encoder.encode(request.headers.get('authorization') ?? '')
  const expected = encoder.encode(`Bearer ${secret}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
