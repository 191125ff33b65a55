SET local check_function_bodies = off;

CREATE TABLE "private"."object_removals" (
  "bucket"          text                     NOT NULL,
  "name"            text                     NOT NULL,
  "reason"          text                     NOT NULL,
  "attempts"        smallint                 NOT NULL DEFAULT 0,
  "next_attempt_at" timestamp with time zone NOT NULL DEFAULT now(),
  "claim"           uuid,
  "error_code"      text,
  "created_at"      timestamp with time zone NOT NULL DEFAULT now(),
  "reported_at"     timestamp with time zone,
  CONSTRAINT "object_removals_pkey" PRIMARY KEY (bucket, name),
  CONSTRAINT "object_removals_reason_form" CHECK ((reason ~ '^[a-z_]{1,50}$'::text))
);

CREATE OR REPLACE FUNCTION private.claim_object_removals (
  most integer
)
  RETURNS TABLE (
    claim  uuid,
    bucket text,
    names  text[]
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  first private.object_removals;
  claimed uuid := gen_random_uuid();
begin
  select * into first
  from private.object_removals
  where next_attempt_at <= now()
  order by next_attempt_at
  limit 1
  for update skip locked;
  if not found then
    return;
  end if;
  return query
  with due as materialized (
    select r.name
    from private.object_removals r
    where r.bucket = first.bucket
      and r.next_attempt_at <= now()
      and r.attempts < 3
      -- One that Storage does not take lets a whole batch fail: after two attempts each is tried alone.
      and first.attempts < 2
    order by r.next_attempt_at
    limit greatest(most - 1, 0)
    for update skip locked
  ),
  started as (
    update private.object_removals r
    set claim = claimed, attempts = least(r.attempts + 1, 32767), next_attempt_at = clock_timestamp() + interval '2 minutes'
    where r.bucket = first.bucket and (r.name = first.name or r.name in (select name from due))
    returning r.name
  )
  select claimed, first.bucket, array_agg(s.name) from started s;
end
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_due_object_removals()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.call_function('remove-objects', '{"type": "UPDATE", "schema": "private", "table": "object_removals"}')
  where exists (select from private.object_removals where next_attempt_at <= now())
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_object_removals()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Only the first of many: the worker goes on until none is due, and cron dispatches what a lost webhook announced.
  perform private.call_function('remove-objects', '{"type": "INSERT", "schema": "private", "table": "object_removals"}')
  where exists (select from new_removals)
    and not exists (
      select
      from private.object_removals r
      where r.attempts = 0 and not exists (select from new_removals n where (n.bucket, n.name) = (r.bucket, r.name))
    );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.finish_object_removals (
  claimed uuid,
  error   text DEFAULT NULL::text
)
  RETURNS TABLE (
    removed integer,
    failed  integer
  )
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  -- Whatever Storage answered: what counts is whether the object is there.
  with gone as (
    delete from private.object_removals r
    where r.claim = claimed
      and not exists (select from storage.objects o where o.bucket_id = r.bucket and o.name = r.name)
    returning r.name
  ),
  kept as (
    update private.object_removals r
    set claim = null,
      error_code = coalesce(error, 'not_removed'),
      next_attempt_at = now() + least(interval '5 seconds' * power(4, least(r.attempts - 1, 10)), interval '1 hour')
    where r.claim = claimed
      and exists (select from storage.objects o where o.bucket_id = r.bucket and o.name = r.name)
    returning r.name
  )
  select (select count(*) from gone)::integer, (select count(*) from kept)::integer
$function$;

CREATE OR REPLACE FUNCTION private.queue_object_removal (
  bucket text,
  name   text,
  reason text
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  insert into private.object_removals as r (bucket, name, reason)
  values (bucket, name, reason)
  -- The attempt that is under way may have been too early for what is there now.
  on conflict on constraint object_removals_pkey do update
  set claim = null, next_attempt_at = least(r.next_attempt_at, excluded.next_attempt_at)
  where r.claim is not null
$function$;

CREATE OR REPLACE FUNCTION private.report_failing_removals()
  RETURNS TABLE (
    bucket     text,
    reason     text,
    error_code text,
    objects    bigint
  )
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with reported as (
    update private.object_removals r
    set reported_at = now()
    where r.attempts >= 5 and r.error_code is not null and r.reported_at is null
    returning r.bucket, r.reason, r.error_code
  )
  select r.bucket, r.reason, r.error_code, count(*) from reported r group by r.bucket, r.reason, r.error_code
$function$;

CREATE VIEW "private"."failing_object_removals" WITH (security_invoker=true) AS  SELECT bucket,
    reason,
    error_code,
    count(*) AS objects,
    max(attempts) AS attempts,
    min(created_at) AS queued_at
   FROM private.object_removals
  WHERE ((attempts >= 5) AND (error_code IS NOT NULL))
  GROUP BY bucket, reason, error_code;

CREATE INDEX object_removals_next_attempt_at_idx ON private.object_removals USING btree (next_attempt_at);

CREATE TRIGGER dispatch_object_removals
  AFTER INSERT ON private.object_removals REFERENCING NEW TABLE AS new_removals
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.dispatch_object_removals();

COMMENT ON COLUMN "private"."object_removals"."attempts" IS 'Attempts so far.';

COMMENT ON COLUMN "private"."object_removals"."bucket" IS 'Its bucket.';

COMMENT ON COLUMN "private"."object_removals"."claim" IS 'The attempt that is under way; another one, or a request in the meantime, replaces it, so that a late one changes nothing.';

COMMENT ON COLUMN "private"."object_removals"."created_at" IS 'When it was queued.';

COMMENT ON COLUMN "private"."object_removals"."error_code" IS 'Why the last attempt failed.';

COMMENT ON COLUMN "private"."object_removals"."name" IS 'Its name within the bucket.';

COMMENT ON COLUMN "private"."object_removals"."next_attempt_at" IS 'When it may be tried next: after a failed attempt the end of its backoff, while one is under way the end of its lease.';

COMMENT ON COLUMN "private"."object_removals"."reason" IS 'Why it is removed, such as erasure.';

COMMENT ON COLUMN "private"."object_removals"."reported_at" IS 'When the log reported that it cannot be removed.';

COMMENT ON FUNCTION "private"."claim_object_removals"(integer) IS 'Claims removals of one bucket that are due, most at once, for one attempt; no row when none is due. Called by remove-objects.';

COMMENT ON FUNCTION "private"."dispatch_due_object_removals"() IS 'Dispatches the worker when a removal is due. Called by cron.';

COMMENT ON FUNCTION "private"."dispatch_object_removals"() IS 'Trigger: dispatches the worker when something is queued and nothing else waits for it.';

COMMENT ON FUNCTION "private"."finish_object_removals"(uuid, text) IS 'Ends an attempt: forgets the objects that are gone, and schedules another attempt for the others; how many of each. Called by remove-objects.';

COMMENT ON FUNCTION "private"."queue_object_removal"(text, text, text) IS 'Queues an object for removal; nothing when it is queued already. Called by retention, withdrawn consents, exports and erasure.';

COMMENT ON FUNCTION "private"."report_failing_removals"() IS 'Counts of objects that five attempts did not remove, each object counted once. Called by remove-objects, which logs them.';

COMMENT ON TABLE "private"."object_removals" IS 'Objects of Storage that are to be removed, until they are: tried again for as long as it takes, every hour at least.';

COMMENT ON VIEW "private"."failing_object_removals" IS 'Objects that five attempts did not remove, counted by bucket, reason and error; they are tried every hour. Names are personal data, and left out.';

REVOKE ALL ON FUNCTION "private"."claim_object_removals"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_object_removals"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_object_removals"(integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_due_object_removals"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_due_object_removals"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_due_object_removals"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_object_removals"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_object_removals"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_object_removals"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."finish_object_removals"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."finish_object_removals"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."finish_object_removals"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_object_removal"(text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_object_removal"(text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."queue_object_removal"(text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."report_failing_removals"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."report_failing_removals"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."report_failing_removals"() TO "postgres";

SELECT cron.schedule_in_database('dispatch-due-object-removals', '10 seconds', 'select private.dispatch_due_object_removals()', 'postgres', NULL, true);

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
select cron.schedule('dispatch-due-object-removals', '10 seconds', 'select private.dispatch_due_object_removals()');
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
