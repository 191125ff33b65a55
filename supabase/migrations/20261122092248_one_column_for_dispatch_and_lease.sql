SET local check_function_bodies = off;

ALTER TABLE "private"."analysis_jobs"
  DROP CONSTRAINT "analysis_jobs_lease_while_running";

ALTER TABLE "private"."analysis_jobs"
  DROP COLUMN "lease_until";

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
  where j.status in ('queued', 'running')
    and j.kind = any (kinds)
    and private.is_waiting(j)
    and j.attempts < s.max_attempts
    -- What may have ended an isolate has the next one for itself.
    and (announced is not null or j.attempts = 0)
    and s.max_in_flight > (
      select count(*)
      from private.analysis_jobs r
      where private.worker_of(r.kind) = worker and r.status = 'running' and not private.is_waiting(r)
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
    -- The transaction may have waited for the queue's lock.
    next_dispatch_at = clock_timestamp() + case j.kind when 'transcription' then s.transcription_lease else s.lease end
  from private.pipeline_settings s
  where j.id = chosen.id
  returning j.*;
end
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
    where (j.status = 'queued' or private.is_waiting(j))
      and (j.attempts >= s.max_attempts or j.created_at <= now() - s.fail_after)
  ),
  locked as materialized (
    select c.id
    from checkin.check_ins c
    join auth.users u on u.id = c.user_id
    where c.status = 'processing' and c.id in (select check_in_id from exhausted)
    order by c.id
    for key share of u skip locked
    for update of c skip locked
  ),
  failed as (
    update private.analysis_jobs j
    set status = 'failed', error_code = coalesce(j.error_code, case when j.attempts = 0 then 'not_run' else 'worker_lost' end)
    from locked, exhausted
    where j.id = exhausted.id and j.check_in_id = locked.id
      and (j.status = 'queued' or private.is_waiting(j))
    returning j.check_in_id, j.kind
  )
  select count(
    case when g.fusion then private.fail_check_in(g.check_in_id, 'analysis_failed')
      else private.advance_check_in(g.check_in_id)
    end
  )
  into ended
  -- Those that fail first: they wait for rows of their students, and advancing takes the queue's lock.
  from (select check_in_id, bool_or(kind = 'fusion') as fusion from failed group by check_in_id order by fusion desc) g;

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
    and (j.status = 'running' or (j.status = 'queued' and j.dispatched))
    and j.next_dispatch_at > now()
  group by s.max_in_flight;

  with due as (
    select j.id
    from private.analysis_jobs j
    join private.waiting_check_ins c using (check_in_id)
    cross join private.pipeline_settings s
    where j.status in ('queued', 'running')
      and private.worker_of(j.kind) = dispatch_jobs.worker
      and j.next_dispatch_at <= now()
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

CREATE OR REPLACE FUNCTION private.finish_job (
  job      uuid,
  attempt  smallint,
  findings jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in uuid := private.lock_check_in_for_job(job);
  student uuid;
  ended private.analysis_jobs;
begin
  update private.analysis_jobs
  set status = 'done', error_code = null,
    outcome = case when kind in ('audio_slice', 'visual_group') then findings end
  where id = job and check_in_id = check_in and attempts = attempt and status = 'running'
  returning * into ended;
  if ended is null then
    return false;
  end if;

  select user_id into student from checkin.check_ins where id = check_in;
  findings := findings || jsonb_build_object('check_in_id', check_in, 'user_id', student, 'created_at', now());
  case ended.kind
    when 'audio_merge' then
      insert into checkin.audio_analysis select (jsonb_populate_record(null::checkin.audio_analysis, findings)).*;
    when 'visual_merge' then
      insert into checkin.visual_analysis select (jsonb_populate_record(null::checkin.visual_analysis, findings)).*;
    when 'transcription' then
      update private.check_in_inputs
      set transcript = nullif(left(findings ->> 'transcript', 100000), ''),
        transcript_source = 'transcribed',
        crisis_level = (findings ->> 'crisis_level')::checkin.risk_level,
        crisis_rule = findings ->> 'crisis_rule'
      where check_in_id = check_in;
      update checkin.check_ins
      set risk_level = greatest(risk_level, (findings ->> 'crisis_level')::checkin.risk_level)
      where id = check_in;
    when 'text' then
      insert into checkin.text_analysis select (jsonb_populate_record(null::checkin.text_analysis, findings)).*;
    else
      null;
  end case;

  perform private.advance_check_in(check_in);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_waiting (
  job private.analysis_jobs
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select job.status in ('queued', 'running') and (job.dispatched or job.next_dispatch_at <= now())
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
  set status = 'queued', dispatched = false, next_dispatch_at = '-infinity'
  where id = job and attempts = attempt and status = 'running'
  returning private.worker_of(kind) into worker;
  if worker is not null then
    perform private.dispatch_jobs(worker);
  end if;
end
$function$;

COMMENT ON COLUMN "private"."analysis_jobs"."next_dispatch_at" IS 'When the job may be dispatched: -infinity for at once, after a failed attempt the end of its backoff, while it runs the end of its worker''s lease; once dispatched, when its webhook counts as lost.';

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
insert into private.mailboxes (mailbox, user_id)
select distinct on (private.mailbox_of(email)) private.mailbox_of(email), id
from auth.users
where email is not null and email_confirmed_at is not null
order by private.mailbox_of(email), email_confirmed_at, id
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
