import postgres from 'postgres'
import { vi } from 'vitest'

/** Ways into the database of a stack that a test may harm. */
export type Database = {
  /** As the service: triggers and foreign keys do what they do. */
  sql: postgres.Sql
  /** Without them: what is written here has no effect of its own. */
  quiet: postgres.Sql
  /** A student, whose check-ins are made, and who agrees to the analysis of the voice. */
  student: string
  adminUrl: string
}

/** A fault, and the one alert that it has to raise. */
type Fault = {
  alert: string
  inject(database: Database): Promise<unknown>
  mend(database: Database): Promise<unknown>
}

const removeCheckIns = ({ quiet }: Database) =>
  quiet.unsafe('delete from private.analysis_jobs; delete from checkin.check_ins')

/** Check-ins that end as the pipeline ends them: how many, in which way, after how many seconds. */
async function endCheckIns(
  { sql, quiet, student }: Database,
  ...groups: { times: number; status: 'complete' | 'failed'; code?: string; seconds?: number }[]
): Promise<void> {
  for (const { times, status, code = null, seconds = 8 } of groups) {
    await quiet`
      insert into checkin.check_ins (user_id, type, status, submissions, submitted_at)
      select ${student}, 'daily', 'processing', 1, now() - make_interval(secs => ${seconds})
      from generate_series(1, ${times})`
    await sql`
      update checkin.check_ins
      set status = ${status}, error_code = ${code}, completed_at = submitted_at + make_interval(secs => ${seconds})
      where status = 'processing'`
  }
}

/** Has the pipeline analyse check-ins whose recordings Storage has lost. */
async function submitLostRecordings({ sql, student }: Database, times: number): Promise<void> {
  const info = { container: 'm4a', codec: 'aac', durationS: 20, sampleRateHz: 48_000, channels: 1 }
  const slice = { index: 0, startS: 0, endS: 20 }
  for (let submitted = 0; submitted < times; submitted++) {
    const [{ id }] = await sql<[{ id: string }]>`
      insert into checkin.check_ins (user_id, type) values (${student}, 'daily') returning id`
    const medium = {
      path: `${student}/${id}/audio`,
      kind: 'audio',
      ordinal: 0,
      etag: 'invented',
      bytes: 10,
      info,
    }
    await sql`
      select private.submit_check_in(
        ${id}, ${student}, '{}', ${sql.json([medium])}, ${sql.json([{ kind: 'audio_slice', ordinal: 0, input: slice }])}
      )`
  }
  await vi.waitFor(
    async () => {
      await sql`select private.dispatch_due_jobs()`
      const processing = await sql`select from checkin.check_ins where status = 'processing'`
      if (processing.length > 0) throw new Error(`${processing.length} check-ins are being analysed`)
    },
    { timeout: 120_000, interval: 250 },
  )
}

/** A review into which so many findings come, so many seconds after the words that show them. */
async function reviewLate({ sql, quiet, student }: Database, times: number, seconds: number): Promise<void> {
  await quiet`
    insert into public.clinical_reviews (id, user_id, source, source_id)
    values (${student}, ${student}, 'session', gen_random_uuid())`
  await sql`
    insert into private.clinical_review_sources (review_id, source, source_id, arrived_at)
    select ${student}, 'session', gen_random_uuid(), now() - make_interval(secs => ${seconds})
    from generate_series(1, ${times})`
}

const removeReviews = ({ quiet }: Database) =>
  quiet.unsafe('delete from private.clinical_review_sources; delete from public.clinical_reviews')

/** Connections that fill nine of ten places. */
let crowd: postgres.Sql[] = []

/** Each fault is made in the database as it comes about, with time passed where it takes time. */
export const FAULTS: { readonly [name: string]: Fault } = {
  'an analysis that nobody runs': {
    alert: 'CheckInsWaiting',
    inject: ({ quiet, student }) => quiet`
      with check_in as (
        insert into checkin.check_ins (user_id, type, status, submissions, submitted_at)
        values (${student}, 'daily', 'processing', 1, now() - interval '20 minutes')
        returning id
      )
      insert into private.analysis_jobs (check_in_id, kind, created_at)
      select id, 'text', now() - interval '20 minutes' from check_in`,
    mend: removeCheckIns,
  },
  'workers that die with their job': {
    alert: 'WorkersLost',
    async inject({ sql, quiet, student }) {
      await quiet`
        with check_in as (
          insert into checkin.check_ins (user_id, type, status, submissions, submitted_at)
          values (${student}, 'daily', 'processing', 1, now())
          returning id
        )
        insert into private.analysis_jobs (check_in_id, kind) select id, 'text' from check_in`
      for (let lost = 0; lost < 10; lost++) {
        await quiet`update private.analysis_jobs set status = 'running', attempts = 1, next_dispatch_at = now()`
        await sql`
          select c.id
          from private.analysis_jobs j
          cross join lateral private.claim_job('pipeline-text', '{text}', j.id) c`
      }
      await quiet`delete from private.analysis_jobs`
      await quiet`delete from checkin.check_ins`
    },
    mend: removeCheckIns,
  },
  'analyses that fail, three of a hundred': {
    alert: 'CheckInsFailing',
    async inject(database) {
      await endCheckIns(database, { times: 97, status: 'complete' })
      await submitLostRecordings(database, 3)
    },
    mend: removeCheckIns,
  },
  'a provider that refuses the key': {
    alert: 'AnalysesFailing',
    async inject({ sql, quiet, student }) {
      await quiet`
        with check_ins as (
          insert into checkin.check_ins (user_id, type, status, submissions, submitted_at)
          select ${student}, 'daily', 'processing', 1, now() from generate_series(1, 10)
          returning id
        )
        insert into private.analysis_jobs (check_in_id, kind, status, attempts, next_dispatch_at)
        select id, 'transcription', 'running', 1, now() + interval '1 minute' from check_ins`
      await sql`
        select private.fail_job(id, attempts, 'transcription_refused', false)
        from private.analysis_jobs
        where kind = 'transcription'`
    },
    mend: removeCheckIns,
  },
  'recordings in which there is nothing to score, one of ten': {
    alert: 'CheckInsIncomplete',
    inject: (database) =>
      endCheckIns(
        database,
        { times: 90, status: 'complete' },
        { times: 10, status: 'failed', code: 'nothing_to_score' },
      ),
    mend: removeCheckIns,
  },
  'analyses that take 150 s, one of ten': {
    alert: 'CheckInsSlow',
    inject: (database) =>
      endCheckIns(
        database,
        { times: 90, status: 'complete' },
        { times: 10, status: 'complete', seconds: 150 },
      ),
    mend: removeCheckIns,
  },
  'reviews that open 40 s after the words': {
    alert: 'ReviewsOpenedLate',
    inject: (database) => reviewLate(database, 12, 40),
    mend: removeReviews,
  },
  'a single review that opens ten minutes after the words': {
    alert: 'ReviewsOpenedLate',
    inject: (database) => reviewLate(database, 1, 600),
    mend: removeReviews,
  },
  'words that the sentence encoder could not read': {
    alert: 'CrisisCheckWithoutEncoder',
    inject: ({ sql }) => sql`select private.count_metric('crisis_unread') from generate_series(1, 3)`,
    mend: async () => {},
  },
  'a language model whose provider wants money': {
    alert: 'LanguageModelRefused',
    inject: ({ sql }) => sql`
      select private.count_metric('language_model_failures', '{"error_code": "provider_refused"}') from generate_series(1, 5)`,
    mend: async () => {},
  },
  'a review that nobody claims': {
    alert: 'ReviewsUnclaimed',
    inject: ({ quiet, student }) => quiet`
      insert into public.clinical_reviews (user_id, source, source_id, opened_at, open_since)
      values (${student}, 'session', gen_random_uuid(), now() - interval '3 hours', now() - interval '3 hours')`,
    mend: ({ quiet }) => quiet`delete from public.clinical_reviews`,
  },
  'a claimed review on which nobody writes': {
    alert: 'ReviewsUnanswered',
    inject: ({ quiet, student }) => quiet`
      insert into public.clinical_reviews (user_id, source, source_id, opened_at, status, claimed_at, claimed_by)
      values (${student}, 'session', gen_random_uuid(), now() - interval '7 hours', 'claimed', now(), ${student})`,
    mend: ({ quiet }) => quiet`delete from public.clinical_reviews`,
  },
  'reviews of high risk that were claimed after two hours, two of six': {
    alert: 'ReviewsClaimedLate',
    inject: ({ sql }) => sql`
      select private.count_time_to_human('claim', 'high', now() - waited * interval '1 minute', now())
      from unnest(array[5, 5, 30, 50, 119, 119]) as waited`,
    mend: ({ quiet }) => quiet`delete from private.metric_counts where name = 'time_to_human'`,
  },
  'a support alert that did not end': {
    alert: 'SupportAlertsLate',
    inject: ({ quiet, student }) => quiet`
      insert into public.support_alerts (user_id, worrying_days, opened_at, step_began_at)
      values (${student}, 3, now() - interval '49 hours', now() - interval '49 hours')`,
    mend: ({ quiet }) => quiet`delete from public.support_alerts`,
  },
  'a standstill that was found': {
    alert: 'SupportAlertsStandStill',
    inject: ({ quiet }) => quiet`
      insert into private.support_standstills (kind, found_at, reported_at) values ('tick_not_running', now(), now())`,
    mend: ({ quiet }) => quiet`delete from private.support_standstills`,
  },
  'a sender that does not run': {
    alert: 'MessagesLate',
    inject: ({ quiet }) => quiet`
      insert into private.outbox (channel, purpose, recipient, body, send_at)
      values ('email', 'training_reminder', 'desk@northfield.example.edu', 'invented', now() - interval '20 minutes')`,
    mend: ({ quiet }) => quiet`delete from private.outbox`,
  },
  'a university that names nobody': {
    alert: 'MessagesUndelivered',
    inject: ({ quiet }) => quiet`
      insert into private.outbox (channel, purpose, body, status, error_code, ended_at)
      values ('email', 'clinical_review', 'invented', 'dead', 'no_recipient', now())`,
    mend: ({ quiet }) => quiet`delete from private.outbox`,
  },
  'texts that cost more than half of what they may': {
    alert: 'TextsCostly',
    inject: ({ quiet }) => quiet`
      insert into private.text_costs (day, kind, texts, cost)
      select (now() at time zone 'UTC')::date, 'ordinary', 3000, daily_text_cost * 0.6 from private.support_settings`,
    mend: ({ quiet }) => quiet`delete from private.text_costs`,
  },
  'a flood of requests': {
    alert: 'RateLimitsReached',
    inject: ({ sql }) => sql`
      select private.consume_rate_limit('00000000-0000-4000-8000-000000000001', 'sign-up') from generate_series(1, 200)`,
    mend: ({ quiet }) => quiet`delete from private.rate_limit_uses`,
  },
  'a flood of writes to the Data API': {
    alert: 'RateLimitsReached',
    inject: ({ sql, student }) =>
      sql.begin(async (tx) => {
        const claims = { role: 'authenticated', sub: student, session_id: crypto.randomUUID() }
        await tx`select set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`
        await tx.unsafe(`
          do $$
          begin
            for request in 1..300 loop
              begin
                perform private.enforce_on_rest();
              exception when sqlstate 'PT429' then
                null;
              end;
            end loop;
          end
          $$`)
      }),
    mend: ({ quiet }) => quiet`delete from private.rate_limit_uses`,
  },
  'an erasure that goes on for hours': {
    alert: 'ErasuresLate',
    inject: ({ quiet }) => quiet`
      insert into private.erasures (user_id, source, requested_at, final_at)
      values (gen_random_uuid(), 'person', now() - interval '3 days', now() - interval '2 hours')`,
    mend: ({ quiet }) => quiet`delete from private.erasures`,
  },
  'a file that Storage does not remove': {
    alert: 'FilesNotRemoved',
    inject: ({ quiet }) => quiet`
      insert into private.object_removals (bucket, name, reason, attempts, error_code)
      values ('check-in-media', 'invented', 'retention', 6, 'http_500')`,
    mend: ({ quiet }) => quiet`delete from private.object_removals`,
  },
  'retention that fails': {
    alert: 'RetentionLate',
    inject: ({ quiet }) => quiet`
      insert into private.security_events (kind, source, minute) values ('rate_limited', 'functions', now() - interval '100 days')`,
    mend: ({ quiet }) => quiet`delete from private.security_events where minute < now() - interval '90 days'`,
  },
  'an export that nobody builds': {
    alert: 'ExportsLate',
    inject: ({ quiet }) => quiet`
      insert into private.exports (user_id, include_name, created_at) values (gen_random_uuid(), false, now() - interval '2 hours')`,
    mend: ({ quiet }) => quiet`delete from private.exports`,
  },
  'a job that was unscheduled': {
    alert: 'CronJobLate',
    inject: ({ quiet }) => quiet`
      update private.cron_heartbeats set last_success_at = now() - interval '2 hours' where job = 'purge-expired'`,
    mend: ({ quiet }) => quiet`update private.cron_heartbeats set last_success_at = now()`,
  },
  'a job that fails again and again': {
    alert: 'CronJobFailing',
    inject: ({ quiet }) =>
      quiet.unsafe(`
        insert into cron.job_run_details (jobid, database, username, command, status, start_time, end_time)
        select j.jobid, j.database, j.username, j.command, 'failed', now(), now()
        from cron.job j, generate_series(1, 5)
        where j.jobname = 'purge-expired';
        update cron.job set active = true where jobname = 'purge-expired';
        select private.observe_cron_jobs(now());
        update cron.job set active = false where jobname = 'purge-expired'`),
    mend: async () => {},
  },
  'an observation of cron that does not run': {
    alert: 'CronNotObserved',
    inject: ({ quiet }) => quiet`
      update private.cron_heartbeats
      set observed_at = now() - interval '1 hour', last_success_at = now() - interval '1 hour'`,
    mend: ({ quiet }) =>
      quiet`update private.cron_heartbeats set observed_at = now(), last_success_at = now()`,
  },
  'connections that are never closed': {
    alert: 'ConnectionsNearLimit',
    async inject({ sql, adminUrl }) {
      const [row] = await sql<[{ missing: number }]>`
        select ceil(0.9 * current_setting('max_connections')::integer - sum(numbackends))::integer as missing
        from pg_stat_database`
      crowd = Array.from({ length: row.missing }, () => postgres(adminUrl, { max: 1, onnotice: () => {} }))
      await Promise.all(crowd.map((connection) => connection`select 1`))
    },
    mend: () => Promise.all(crowd.map((connection) => connection.end())),
  },
}
