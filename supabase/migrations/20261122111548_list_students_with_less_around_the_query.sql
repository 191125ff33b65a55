SET local check_function_bodies = off;

DROP FUNCTION "private"."require_access_log"(public.audit_action, jsonb);

DROP FUNCTION "private"."student_rows"(text, text, private.student_sort, boolean, integer, integer);

CREATE OR REPLACE FUNCTION private.require_access_log (
  read      public.audit_action,
  arguments jsonb,
  account   uuid                DEFAULT private.signed_in_account()
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not exists (
    select
    from private.logged_accesses
    where reader = account
      and action = read
      and arguments_sha256 = sha256(convert_to(arguments::text, 'UTF8'))
      and logged_at > clock_timestamp() - interval '1 minute'
  ) then
    raise exception 'Log this access first.'
      using errcode = 'insufficient_privilege',
        hint = format('Call log_access with the action %s and the arguments of this call, then read within a minute.', read);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.student_page (
  university  text,
  search      text,
  sort        private.student_sort,
  descending  boolean,
  page_limit  integer,
  page_offset integer
)
  RETURNS SETOF private.listed_student
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  account uuid := private.current_account();
begin
  if exists (
    select
    from public.user_roles
    where user_id = account and role = 'counselor' and university_id = university
  ) then
    perform private.require_access_log(
      'students_listed',
      private.access_arguments(university, null, search, sort::text, descending, page_limit, page_offset),
      account
    );
    return query execute private.student_query(search, sort, descending) using university, page_limit, page_offset;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.student_query (
  search     text,
  sort       private.student_sort,
  descending boolean
)
  RETURNS text
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
declare
  pattern text := '%' || regexp_replace(search, '([\\%_])', '\\\1', 'g') || '%';
  direction text := case when descending then 'desc' else 'asc' end;
  empty text := case when descending then 'nulls last' else 'nulls first' end;
begin
  return format(
    $query$
      select
        s.user_id, p.first_name, p.last_name, s.university_id, s.faculty, s.year_of_study, s.residence, s.check_ins,
        s.last_check_in_at, s.last_score, s.last_uncertainty, s.last_direction_of_change, s.risk_level
      from public.students s
      join public.profiles p on p.user_id = s.user_id
      where s.university_id = $1 and p.university_id = $1 and s.counselor_access
        %s
      order by %s
      limit $2
      offset $3
    $query$,
    case when pattern is not null then format('and (p.first_name || '' '' || p.last_name) ilike %L', pattern) end,
    case sort
      when 'name' then format('p.last_name %1$s, p.first_name %1$s, p.user_id %1$s', direction)
      when 'last_check_in' then format('s.last_check_in_at %1$s %2$s, s.user_id %1$s', direction, empty)
      when 'score' then format('s.last_score %1$s %2$s, s.user_id %1$s', direction, empty)
      when 'risk' then format('s.risk_level %1$s, s.user_id %1$s', direction)
    end
  );
end
$function$;

COMMENT ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) IS 'Raises an error unless an account, by default the caller''s, logged this access within the last minute. Called by the functions that counselors call and by private.export_data.';

COMMENT ON FUNCTION "private"."student_query"(text, private.student_sort, boolean) IS 'The query of a page of the students of a university who consented to counselor_access; its parameters are the university, limit and offset. Called by private.student_page.';

REVOKE ALL ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."student_query"(text, private.student_sort, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."student_query"(text, private.student_sort, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."student_query"(text, private.student_sort, boolean) TO "postgres";

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
