import type { ConsentKind } from '../consent.ts'
import { asJson, type Database } from '../database.ts'
import type { Findings, Job, StoredMedium } from './job.ts'

/** Takes a job for one try; `null` when another worker has it or it has ended. */
export async function claimJob(database: Database, id: string): Promise<Job | null> {
  const [job] = await database<Job[]>`
    select id, check_in_id, kind, ordinal, input, attempts,
      (extract(epoch from lease_until - now()) * 1000)::float8 as lease_ms
    from private.claim_job(${id})`
  return job ?? null
}

/** Stores what a job found and its end in one transaction; `false` when this try is no longer the current one. */
export async function finishJob(database: Database, job: Job, findings: Findings): Promise<boolean> {
  const [row] = await database<[{ stored: boolean }]>`
    select private.finish_job(${job.id}, ${job.attempts}::smallint, ${asJson(database, findings)}) as stored`
  return row.stored
}

/** Ends a try that failed: queued again with backoff, or given up. */
export async function failJob(database: Database, job: Job, code: string, retry: boolean): Promise<void> {
  await database`select private.fail_job(${job.id}, ${job.attempts}::smallint, ${code}, ${retry})`
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

/** What the finished jobs of one kind found, in order, as the worker that calls this stored it. */
export async function outcomesOf<Outcome>(
  database: Database,
  job: Job,
  kind: Job['kind'],
): Promise<Outcome[]> {
  const rows = await database<{ outcome: Outcome }[]>`
    select outcome
    from private.analysis_jobs
    where check_in_id = ${job.check_in_id} and kind = ${kind} and status = 'done'
    order by ordinal`
  return rows.map((row) => row.outcome)
}

/** Whether the student's consent is in force now; checked before each use. */
export async function consentHolds(database: Database, job: Job, kind: ConsentKind): Promise<boolean> {
  const [row] = await database<[{ holds: boolean }?]>`
    select private.has_consent(user_id, ${kind}) as holds from checkin.check_ins where id = ${job.check_in_id}`
  return row?.holds ?? false
}
