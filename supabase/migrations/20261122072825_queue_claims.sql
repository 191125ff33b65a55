SET local check_function_bodies = off;

SELECT cron.unschedule('dispatch-due-jobs');

DROP TRIGGER "schedule_first_dispatch" ON "private"."analysis_jobs";

ALTER TABLE "private"."pipeline_settings"
  DROP CONSTRAINT "pipeline_settings_positive";

ALTER TABLE "private"."student_limits"
  DROP CONSTRAINT "student_limits_positive";

DROP FUNCTION "private"."dispatch_job"(uuid, private.job_kind);

DROP FUNCTION "private"."schedule_first_dispatch"();

ALTER TABLE "private"."analysis_jobs"
  DROP COLUMN "dispatches";

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "dispatched" boolean NOT NULL DEFAULT false;

ALTER TABLE "private"."pipeline_settings"
  ADD COLUMN "max_in_flight" smallint NOT NULL DEFAULT 8;

ALTER TABLE "private"."student_limits"
  ADD COLUMN "check_in_bytes" bigint NOT NULL DEFAULT '10737418240'::bigint;

ALTER TABLE "private"."analysis_jobs"
  ALTER COLUMN "next_dispatch_at" SET DEFAULT '-infinity'::timestamp WITH time zone;

ALTER TABLE "private"."pipeline_settings"
  ALTER COLUMN "dispatch_grace" SET DEFAULT '00:00:05'::interval;

ALTER TABLE "private"."pipeline_settings"
  ALTER COLUMN "lease" SET DEFAULT '00:00:20'::interval;

ALTER TABLE "private"."pipeline_settings"
  ALTER COLUMN "max_attempts" SET DEFAULT 5;

ALTER TABLE "private"."pipeline_settings"
  ALTER COLUMN "retry_backoff" SET DEFAULT '00:00:02'::interval;

CREATE OR REPLACE FUNCTION private.claim_job (
  worker    text,
  kinds     private.job_kind[],
  announced uuid               DEFAULT NULL::uuid
)
  RETURNS SETOF private.analysis_jobs
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  chosen private.analysis_jobs;
begin
  perform private.lock_queue();
  select j.* into chosen
  from private.analysis_jobs j
  join private.waiting_check_ins c using (check_in_id)
  cross join private.pipeline_settings s
  where j.kind = any (kinds)
    and private.is_waiting(j)
    and j.attempts < s.max_attempts
    -- What may have ended an isolate has the next one for itself.
    and (announced is not null or j.attempts = 0)
    and s.max_in_flight > (
      select count(*)
      from private.analysis_jobs r
      where private.worker_of(r.kind) = worker and r.status = 'running' and r.lease_until > now()
    )
  order by c.turn, j.check_in_id, j.kind, j.ordinal
  limit 1
  for update of j skip locked;

  -- The webhook has arrived: what it announced waits for that of the job that is claimed in its place, if there is one.
  update private.analysis_jobs
  set dispatched = chosen.dispatched is true and chosen.next_dispatch_at > now(),
    next_dispatch_at = case when chosen.dispatched then chosen.next_dispatch_at else '-infinity' end
  where id = (
    select id
    from private.analysis_jobs
    where id = announced and id is distinct from chosen.id and status = 'queued' and dispatched
    for update skip locked
  );

  if chosen.id is null then
    perform private.dispatch_jobs(worker);
    return;
  end if;
  return query
  update private.analysis_jobs j
  set status = 'running',
    attempts = j.attempts + 1,
    dispatched = false,
    lease_until = now() + case j.kind when 'transcription' then s.transcription_lease else s.lease end,
    next_dispatch_at = now() + case j.kind when 'transcription' then s.transcription_lease else s.lease end
  from private.pipeline_settings s
  where j.id = chosen.id
  returning j.*;
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_job (
  job uuid
)
  RETURNS SETOF private.analysis_jobs
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select c.*
  from private.analysis_jobs j
  cross join lateral private.claim_job(private.worker_of(j.kind), array[j.kind], j.id) c
  where j.id = job
$function$;

CREATE OR REPLACE FUNCTION private.decline_job (
  announced uuid
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  update private.analysis_jobs
  set dispatched = false, next_dispatch_at = '-infinity'
  where id = announced and status = 'queued' and dispatched
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_due_jobs()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  ended integer;
  sent integer;
begin
  -- Out of attempts, or too old. Locks the student, then the check-in, then the job, as everything else does.
  with exhausted as materialized (
    select j.id, j.check_in_id
    from private.analysis_jobs j, private.pipeline_settings s
    where (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
      and (j.attempts >= s.max_attempts or j.created_at <= now() - s.fail_after)
  ),
  locked as materialized (
    select c.id
    from checkin.check_ins c
    join public.profiles p on p.user_id = c.user_id
    where c.status = 'processing' and c.id in (select check_in_id from exhausted)
    order by c.id
    for key share of p skip locked
    for update of c skip locked
  ),
  failed as (
    update private.analysis_jobs j
    set status = 'failed', lease_until = null, error_code = coalesce(j.error_code, case when j.attempts = 0 then 'not_run' else 'worker_lost' end)
    from locked, exhausted
    where j.id = exhausted.id and j.check_in_id = locked.id
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    returning j.check_in_id, j.kind
  )
  select count(
    case when g.fusion then private.fail_check_in(g.check_in_id, 'analysis_failed')
      else private.advance_check_in(g.check_in_id)
    end
  )
  into ended
  from (select check_in_id, bool_or(kind = 'fusion') as fusion from failed group by check_in_id) g;

  select coalesce(sum(private.dispatch_jobs(w.worker)), 0) into sent
  from (
    select distinct private.worker_of(kind) as worker
    from private.analysis_jobs
    where next_dispatch_at <= now() and status in ('queued', 'running')
  ) w;
  return sent;
end
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_jobs (
  worker text
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  places integer;
  sent integer;
begin
  perform private.lock_queue();
  select s.max_in_flight - count(j.id) into places
  from private.pipeline_settings s
  left join private.analysis_jobs j
    on private.worker_of(j.kind) = dispatch_jobs.worker
    and j.status in ('queued', 'running')
    and (j.lease_until > now() or (j.dispatched and j.next_dispatch_at > now()))
  group by s.max_in_flight;

  with due as (
    select j.id
    from private.analysis_jobs j
    join private.waiting_check_ins c using (check_in_id)
    cross join private.pipeline_settings s
    where private.worker_of(j.kind) = dispatch_jobs.worker
      and private.is_waiting(j)
      and not (j.dispatched and j.next_dispatch_at > now())
      and j.attempts < s.max_attempts
    order by c.turn, j.check_in_id, j.kind, j.ordinal
    limit greatest(places, 0)
    for update of j skip locked
  ),
  announced as (
    -- Not in step, so that jobs whose webhooks were lost together do not come back together.
    update private.analysis_jobs j
    set dispatched = true, next_dispatch_at = now() + s.dispatch_grace * (0.75 + random() / 2)
    from due, private.pipeline_settings s
    where j.id = due.id
    returning j.id, j.kind
  )
  select count(
    private.call_function(
      dispatch_jobs.worker,
      jsonb_build_object(
        'type', 'INSERT',
        'schema', 'private',
        'table', 'analysis_jobs',
        'record', jsonb_build_object('id', id, 'kind', kind)
      )
    )
  )
  into sent
  from announced;
  return sent;
end
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_new_jobs()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.dispatch_jobs(w.worker) from (select distinct private.worker_of(kind) as worker from new_jobs) w;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.fail_job (
  job     uuid,
  attempt smallint,
  code    text,
  retry   boolean
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in uuid := private.lock_check_in_for_job(job);
  ended private.analysis_jobs;
begin
  update private.analysis_jobs j
  set status = case when retry and j.attempts < s.max_attempts then 'queued' else 'failed' end::private.job_status,
    lease_until = null,
    dispatched = false,
    error_code = code,
    next_dispatch_at = now() + s.retry_backoff * power(2, j.attempts - 1)
  from private.pipeline_settings s
  where j.id = job and j.check_in_id = check_in and j.attempts = attempt and j.status = 'running'
  returning j.* into ended;
  if ended is null then
    return false;
  end if;
  if ended.status = 'failed' then
    if ended.kind = 'fusion' then
      perform private.fail_check_in(check_in, 'analysis_failed');
    else
      perform private.advance_check_in(check_in);
    end if;
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.has_room_for_check_in (
  student uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  -- Objects under the student's folder: "0" is the character after "/".
  select coalesce(sum((o.metadata ->> 'size')::bigint), 0) < l.check_in_bytes
  from private.student_limits l
  left join storage.objects o
    on o.bucket_id in ('check-in-media', 'check-in-images')
    and o.name collate "C" >= student::text || '/' and o.name collate "C" < student::text || '0'
  group by l.check_in_bytes
$function$;

CREATE OR REPLACE FUNCTION private.is_waiting (
  job private.analysis_jobs
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select (job.status = 'queued' and (job.dispatched or job.next_dispatch_at <= now()))
    or (job.status = 'running' and job.lease_until <= now())
$function$;

CREATE OR REPLACE FUNCTION private.lock_queue()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select pg_advisory_xact_lock(30, 0)
$function$;

CREATE OR REPLACE FUNCTION private.release_job (
  job     uuid,
  attempt smallint
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  worker text;
begin
  update private.analysis_jobs
  set status = 'queued', lease_until = null, dispatched = false, next_dispatch_at = '-infinity'
  where id = job and attempts = attempt and status = 'running'
  returning private.worker_of(kind) into worker;
  if worker is not null then
    perform private.dispatch_jobs(worker);
  end if;
end
$function$;

ALTER TABLE "private"."pipeline_settings"
  ADD CONSTRAINT "pipeline_settings_positive"
    CHECK
    (((lease > '00:00:00'::interval) AND (transcription_lease > '00:00:00'::interval) AND (dispatch_grace > '00:00:00'::interval) AND (retry_backoff > '00:00:00'::interval) AND
    (max_attempts > 0) AND (max_in_flight > 0) AND (fail_after > '00:00:00'::interval)));

ALTER TABLE "private"."student_limits"
  ADD CONSTRAINT "student_limits_positive" CHECK (((sessions > 0) AND (session_bytes > 0) AND (consents > 0) AND (files > 0) AND (file_bytes > 0) AND (check_in_bytes > 0)));

CREATE VIEW "private"."waiting_check_ins" WITH (security_invoker=true) AS  SELECT id AS check_in_id,
    (submitted_at + ('00:01:00'::interval * (count(*) OVER (PARTITION BY user_id))::double precision)) AS turn
   FROM checkin.check_ins
  WHERE (status = 'processing'::checkin.check_in_status);

CREATE INDEX check_ins_processing_user_id_idx ON checkin.check_ins USING btree (user_id)
  WHERE (status = 'processing'::checkin.check_in_status);

COMMENT ON COLUMN "private"."analysis_jobs"."dispatched" IS 'Whether a webhook that announces the job is under way, until next_dispatch_at.';

COMMENT ON COLUMN "private"."analysis_jobs"."next_dispatch_at" IS 'When the job may be dispatched, or dispatched again if no worker has claimed it; -infinity for at once.';

COMMENT ON COLUMN "private"."pipeline_settings"."dispatch_grace" IS 'How long a webhook may be under way before a job is dispatched again; a quarter more or less, at random.';

COMMENT ON COLUMN "private"."pipeline_settings"."lease" IS 'How long a worker may keep a job before another may claim it; longer than the slowest job.';

COMMENT ON COLUMN "private"."pipeline_settings"."max_in_flight" IS 'Jobs of one worker that are dispatched or run at the same time.';

COMMENT ON COLUMN "private"."student_limits"."check_in_bytes" IS 'Size of the media of all check-ins of an account, bytes; those of the last check-in may exceed it.';

COMMENT ON FUNCTION "private"."claim_job"(text, private.job_kind[], uuid) IS 'Claims for one attempt the next job of a worker that is of one of the kinds; announced is the job of the webhook that woke the worker, null when it goes on. No row when there is none or enough are running; then others are dispatched that may be. Called by the workers.';

COMMENT ON FUNCTION "private"."claim_job"(uuid) IS 'Claims a job as the previous release did, so that its functions can be deployed again. To be dropped with the next one. Called by the workers of that release.';

COMMENT ON FUNCTION "private"."decline_job"(uuid) IS 'Notes that a webhook reached a worker that is busy: the job waits for the next claim or dispatch. Called by the workers.';

COMMENT ON FUNCTION "private"."dispatch_due_jobs"() IS 'Dispatches jobs whose webhook or worker was lost; fails those that are out of attempts; returns how many it dispatched. Called by cron.';

COMMENT ON FUNCTION "private"."dispatch_jobs"(text) IS 'Sends webhooks that announce the next jobs to their worker, as many as may be in flight; returns how many. Called by the queue alone.';

COMMENT ON FUNCTION "private"."dispatch_new_jobs"() IS 'Trigger: dispatches jobs that were just queued.';

COMMENT ON FUNCTION "private"."has_room_for_check_in"(uuid) IS 'Whether a student may upload the media of another check-in. Called by the function checkins.';

COMMENT ON FUNCTION "private"."is_waiting"(private.analysis_jobs) IS 'Whether a job may be claimed: it is queued and not backing off, or its worker''s lease expired. Called by the queue alone.';

COMMENT ON FUNCTION "private"."lock_queue"() IS 'Lets one transaction at a time claim or dispatch, so that each counts what the others have in flight. Whoever holds it waits for no row. Called by the queue alone.';

COMMENT ON FUNCTION "private"."release_job"(uuid, smallint) IS 'Gives back a job whose worker is about to be ended, so that another claims it at once. Called by the workers.';

COMMENT ON FUNCTION "private"."worker_of"(private.job_kind) IS 'Edge function that runs a kind of job. Called by the queue alone.';

COMMENT ON TABLE "private"."analysis_jobs" IS 'The queue: the analysis steps of check-ins that are being processed. A webhook only announces that there is work; the worker claims here what is next.';

COMMENT ON TYPE "private"."job_kind" IS 'One step of a check-in''s analysis, small enough for what any isolate has left of its CPU.';

COMMENT ON VIEW "private"."waiting_check_ins" IS 'Check-ins that are being processed and their turn, the earliest first. Every further one of the same student costs a minute, so that many of one do not delay another''s; nobody waits for ever.';

REVOKE ALL ON FUNCTION "private"."claim_job"(text, private.job_kind[], uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_job"(text, private.job_kind[], uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_job"(text, private.job_kind[], uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."decline_job"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decline_job"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."decline_job"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_jobs"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_jobs"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_jobs"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."has_room_for_check_in"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_room_for_check_in"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."has_room_for_check_in"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_waiting"(private.analysis_jobs) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_waiting"(private.analysis_jobs) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_waiting"(private.analysis_jobs) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_queue"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_queue"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_queue"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."release_job"(uuid, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."release_job"(uuid, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."release_job"(uuid, smallint) TO "postgres";

SELECT cron.schedule_in_database('dispatch-due-jobs', '5 seconds', 'select private.dispatch_due_jobs()', 'postgres', NULL, true);

-- Settings that still have the values of the first release.
update private.pipeline_settings set lease = default where lease = '60 seconds';
update private.pipeline_settings set dispatch_grace = default where dispatch_grace = '10 seconds';
update private.pipeline_settings set retry_backoff = default where retry_backoff = '5 seconds';
update private.pipeline_settings set max_attempts = default where max_attempts = 3;
update private.rate_limit_rules set daily_requests = 10 where scope = 'check-in-start' and daily_requests = 20;

-- No policies: this file holds rows, not tables.

-- Rows that the schema needs. Each statement can be run again; every migration ends with them, because a diff contains no rows.
insert into private.audit_head default values on conflict do nothing;
insert into private.audit_proof default values on conflict do nothing;
insert into private.cohort_settings default values on conflict do nothing;
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.student_limits default values on conflict do nothing;
insert into private.rate_limit_rules (scope, requests, daily_requests)
values
  ('data-api', 100, null),
  ('file-upload', 10, 200),
  ('bulk', 5, null),
  ('analyze-audio', 10, 500),
  ('analyze-visual', 5, 500),
  ('analyze-text', 20, 500),
  ('calculate-wellbeing-score', 10, 500),
  ('textmodel', 20, 200),
  ('check-in-start', 10, 10),
  ('check-in-complete', 10, 60),
  ('check-in-get', 120, null)
on conflict do nothing;
insert into private.rate_limit_rules (scope, requests, period)
values
  ('sign-in', 10, '5 minutes'),
  ('sign-up', 5, '1 hour'),
  ('refresh', 30, '5 minutes'),
  ('audit', 600, '1 hour')
on conflict do nothing;
insert into public.students (user_id, university_id, counselor_access)
select p.user_id, p.university_id, private.has_consent(p.user_id, 'counselor_access')
from public.profiles p
where exists (select from public.user_roles r where r.user_id = p.user_id and r.role = 'student')
on conflict do nothing;

select cron.schedule('dispatch-due-jobs', '5 seconds', 'select private.dispatch_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule('dispatch-due-messages', '10 seconds', 'select private.dispatch_due_messages()');
select cron.schedule('daily-rollup', '12 * * * *', $$ select private.roll_up_days((now() at time zone 'UTC')::date - 1) $$);
select cron.schedule('purge-rate-limit-uses', '47 3 * * *', 'select private.purge_rate_limit_uses()');
select cron.schedule('purge-sent-messages', '27 3 * * *', 'select private.purge_sent_messages()');
select cron.schedule('purge-transcript-results', '37 3 * * *', 'select private.purge_transcript_results()');
select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()');
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');
select cron.schedule(
  'purge-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);

-- PostgREST reads its settings from this role, which is the cluster's: not set again, so that databases do not wait for each other.
do $$
begin
  if not exists (
    select from pg_roles where rolname = 'authenticator' and 'pgrst.db_pre_request=public.check_request' = any (rolconfig)
  ) then
    alter role authenticator set pgrst.db_pre_request = 'public.check_request';
  end if;
  notify pgrst, 'reload config';
end
$$;
