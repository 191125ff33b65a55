SET local check_function_bodies = off;

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
  free private.job_kind[];
  chosen private.analysis_jobs;
begin
  perform private.lock_queue();
  select array_agg(k.kind) into free
  from unnest(kinds) as k (kind)
  cross join private.pipeline_settings s
  where s.max_in_flight > (
    select count(*)
    from private.analysis_jobs r
    where private.worker_of(r.kind) = private.worker_of(k.kind) and r.status = 'running' and not private.is_waiting(r)
  );

  select j.* into chosen
  from private.analysis_jobs j
  join private.waiting_check_ins c using (check_in_id)
  cross join private.pipeline_settings s
  where j.status in ('queued', 'running')
    and j.kind = any (free)
    and private.is_waiting(j)
    and j.attempts < s.max_attempts
    -- What may have ended an isolate has the next one for itself.
    and (announced is not null or j.attempts = 0)
  -- A fusion takes milliseconds, and ends a check-in.
  order by j.kind = 'fusion' desc, c.turn, j.check_in_id, j.kind, j.ordinal
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
    perform private.dispatch_jobs(w.worker) from (values (worker), ('pipeline-fusion')) as w (worker);
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

CREATE OR REPLACE FUNCTION private.dispatch_new_jobs()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.dispatch_jobs(w.worker)
  from (select distinct private.worker_of(kind) as worker from new_jobs where kind <> 'fusion') w;
  return null;
end
$function$;

COMMENT ON FUNCTION "private"."dispatch_new_jobs"() IS 'Trigger: dispatches jobs that were just queued, but a fusion, which whoever ended the last step claims or dispatches next.';

-- No policies: this file holds rows, not tables.

-- Rows that the schema needs. Each statement can be run again; every migration ends with them, because a diff contains no rows.
insert into private.audit_head default values on conflict do nothing;
insert into private.audit_proof default values on conflict do nothing;
insert into private.cohort_settings default values on conflict do nothing;
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.student_limits default values on conflict do nothing;
insert into private.support_settings default values on conflict do nothing;
select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'number_hash_key')
where not exists (select from vault.secrets where name = 'number_hash_key');
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
  ('unknown-link', 60, '5 minutes'),
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
select cron.schedule('purge-declined-contacts', '57 3 * * *', 'select private.purge_declined_contacts()');
select cron.schedule('purge-inbound-texts', '32 3 * * *', 'select private.purge_inbound_texts()');
select cron.schedule('purge-transcript-results', '37 3 * * *', 'select private.purge_transcript_results()');
select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()');
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');
select cron.schedule('tick-support-alerts', '* * * * *', 'select private.tick_support_alerts(now())');
select cron.schedule('find-standstills', '*/5 * * * *', 'select private.find_standstills(now())');
select cron.schedule('purge-worrying-days', '7 3 * * *', 'select private.purge_worrying_days()');
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
