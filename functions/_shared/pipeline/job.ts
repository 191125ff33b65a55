import * as z from 'zod'
import type { RecordingInfo } from '../audio/recording.ts'
import type { ConsentKind } from '../consent.ts'
import { asJson, type Database } from '../database.ts'
import type { JobKind } from './job-kinds.ts'

/** Webhook payload that the database sends to announce a job. */
export const jobWebhook = z.object({
  type: z.literal('INSERT').describe('What happened to the row'),
  schema: z.literal('private').describe('Schema of the table'),
  table: z.literal('analysis_jobs').describe('The queue'),
  record: z.object({ id: z.guid().describe('The job') }).describe('The row'),
})

const EXAMPLE = '0c2f7f0e-6d1c-4a53-9f0b-6a5d8a9e4b11'

/** What the descriptions of the pipeline's workers have in common. */
export const jobCall = {
  description:
    'Called by the database alone. It wakes the worker, which claims the job that is next, or none where it is busy or others were first, and goes on after its response.',
  body: jobWebhook,
  response: z.strictObject({ job: z.guid().describe('The job that was named') }),
  example: {
    body: { type: 'INSERT', schema: 'private', table: 'analysis_jobs', record: { id: EXAMPLE } },
  },
  exampleResponse: { job: EXAMPLE },
} as const

/** A job as a worker claims it. */
export type Job = {
  id: string
  /** Null where it reads words without a check-in. */
  check_in_id: string | null
  /** The words without a check-in that it reads, a row of `private.unread_transcripts`; null of a check-in. */
  unread_id: string | null
  kind: JobKind
  ordinal: number
  input: Record<string, unknown>
  attempts: number
  /** Trace of what it belongs to; null where that has none. */
  trace_id: string | null
  /** How long this attempt may take, ms. */
  lease_ms: number
}

/** A medium as it was when the check-in was submitted. */
type StoredMedium = { path: string; ordinal: number; etag: string; bytes: number; info: unknown }

/** `info` of a recording: what its header contained when the check-in was submitted. */
export const recordingInfo: z.ZodType<RecordingInfo> = z.object({
  container: z.enum(['m4a', 'webm', 'ogg', 'mp3', 'wav', 'flac', 'adts']),
  codec: z.enum(['aac', 'opus', 'mp3', 'flac', 'pcm']),
  durationS: z.number().positive(),
  sampleRateHz: z.number().positive(),
  channels: z.int().positive(),
})

/** The result of a job as it is stored: columns of its table, or the input of its merge. */
export type Findings = object

/**
 * An attempt that cannot succeed however often it is repeated: the job fails with this code, which becomes the reason
 * why the modality is missing.
 */
export class NonRetryableError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.name = 'NonRetryableError'
    this.code = code
  }
}

/**
 * Claims for one attempt the next job of a worker that is of one of the kinds; `null` when there is none, or as many
 * run as may.
 *
 * @param announced the job that the webhook names which woke the worker; `null` when it goes on
 */
export async function claimJob(
  database: Database,
  worker: string,
  kinds: readonly JobKind[],
  announced: string | null,
): Promise<Job | null> {
  const [job] = await database<Job[]>`
    select j.id, j.check_in_id, j.unread_id, j.kind, j.ordinal, j.input, j.attempts,
      coalesce(
        (select c.trace_id from checkin.check_ins c where c.id = j.check_in_id),
        (select u.trace_id from private.unread_transcripts u where u.id = j.unread_id)
      ) as trace_id,
      (extract(epoch from j.next_dispatch_at - clock_timestamp()) * 1000)::float8 as lease_ms
    from private.claim_job(${worker}, ${`{${kinds.join()}}`}::private.job_kind[], ${announced}) j`
  return job ?? null
}

/** Notes that a webhook's job waits for the next claim, because the worker that it reached is busy. */
export async function declineJob(database: Database, id: string): Promise<void> {
  await database`select private.decline_job(${id})`
}

/** Gives a claimed job back; another worker claims it at once. */
export async function releaseJob(database: Database, job: Job): Promise<void> {
  await database`select private.release_job(${job.id}, ${job.attempts}::smallint)`
}

/** Stores a job's findings and its end in one transaction; `false` when this attempt is no longer the current one. */
export async function finishJob(database: Database, job: Job, findings: Findings): Promise<boolean> {
  const [row] = await database<[{ stored: boolean }]>`
    select private.finish_job(${job.id}, ${job.attempts}::smallint, ${asJson(database, findings)}) as stored`
  return row.stored
}

/** Ends an attempt that failed: the job is queued again with backoff, or has failed. */
export async function failJob(database: Database, job: Job, code: string, retry: boolean): Promise<void> {
  await database`select private.fail_job(${job.id}, ${job.attempts}::smallint, ${code}, ${retry})`
}

/** Throws `no_consent` unless the student's consent is in force now; checked before each use. */
export async function requireConsent(database: Database, job: Job, kind: ConsentKind): Promise<void> {
  const [row] = await database<[{ holds: boolean }?]>`
    select private.has_consent(user_id, ${kind}) as holds from checkin.check_ins where id = ${job.check_in_id}
    union all
    select private.has_consent(user_id, ${kind}) from private.unread_transcripts where id = ${job.unread_id}`
  if (!row?.holds) throw new NonRetryableError('no_consent')
}

/** Media of a job's check-in, in order. */
export async function mediaOf(
  database: Database,
  job: Job,
  kind: 'audio' | 'image',
): Promise<StoredMedium[]> {
  return database<StoredMedium[]>`
    select path, ordinal, etag, bytes::float8 as bytes, info
    from private.check_in_media
    where check_in_id = ${job.check_in_id} and kind = ${kind}
    order by ordinal`
}

/** The stored outcomes of the finished jobs of one kind, in order, in the shape in which the calling worker stored them. */
export async function outcomesOf<Outcome>(database: Database, job: Job, kind: JobKind): Promise<Outcome[]> {
  const rows = await database<{ outcome: Outcome }[]>`
    select outcome
    from private.analysis_jobs
    where check_in_id = ${job.check_in_id} and kind = ${kind} and status = 'done'
    order by ordinal`
  return rows.map((row) => row.outcome)
}
