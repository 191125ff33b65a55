SET local check_function_bodies = off;

DROP POLICY "accounts are signed in and not banned" ON "checkin"."audio_analysis";

DROP POLICY "students see their own audio analyses" ON "checkin"."audio_analysis";

DROP POLICY "accounts are signed in and not banned" ON "checkin"."check_ins";

DROP POLICY "students see their own check-ins" ON "checkin"."check_ins";

DROP POLICY "accounts are signed in and not banned" ON "checkin"."fusion_results";

DROP POLICY "students see their own scores" ON "checkin"."fusion_results";

DROP POLICY "accounts are signed in and not banned" ON "checkin"."text_analysis";

DROP POLICY "students see their own text analyses" ON "checkin"."text_analysis";

DROP POLICY "accounts are signed in and not banned" ON "checkin"."user_baselines";

DROP POLICY "students see their own baseline" ON "checkin"."user_baselines";

DROP POLICY "accounts are signed in and not banned" ON "checkin"."visual_analysis";

DROP POLICY "students see their own visual analyses" ON "checkin"."visual_analysis";

DROP POLICY "accounts are signed in and not banned" ON "public"."assessment_sessions";

DROP POLICY "students begin their own sessions" ON "public"."assessment_sessions";

DROP POLICY "students delete their own sessions" ON "public"."assessment_sessions";

DROP POLICY "students see their own sessions" ON "public"."assessment_sessions";

DROP POLICY "students update their own sessions" ON "public"."assessment_sessions";

DROP POLICY "accounts are signed in and not banned" ON "public"."audit_logs";

DROP POLICY "accounts are signed in and not banned" ON "public"."clinical_reviews";

DROP POLICY "accounts are signed in and not banned" ON "public"."cohort_days";

DROP POLICY "accounts are signed in and not banned" ON "public"."cohort_snapshots";

DROP POLICY "accounts are signed in and not banned" ON "public"."consents";

DROP POLICY "students grant their own consents" ON "public"."consents";

DROP POLICY "students see their own consents" ON "public"."consents";

DROP POLICY "students withdraw their own consents" ON "public"."consents";

DROP POLICY "accounts are signed in and not banned" ON "public"."profiles";

DROP POLICY "people change their own profile" ON "public"."profiles";

DROP POLICY "people see their own profile" ON "public"."profiles";

DROP POLICY "accounts are signed in and not banned" ON "public"."session_analyses";

DROP POLICY "students see the analyses of their own sessions" ON "public"."session_analyses";

DROP POLICY "accounts are signed in and not banned" ON "public"."session_scores";

DROP POLICY "students see the scores of their own sessions" ON "public"."session_scores";

DROP POLICY "accounts are signed in and not banned" ON "public"."students";

DROP POLICY "students change their own enrolment" ON "public"."students";

DROP POLICY "students see their own enrolment" ON "public"."students";

DROP POLICY "accounts are signed in and not banned" ON "public"."universities";

DROP POLICY "accounts are signed in and not banned" ON "public"."user_roles";

DROP POLICY "people see their own roles" ON "public"."user_roles";

DROP POLICY "accounts are signed in and not banned" ON "realtime"."messages";

DROP POLICY "accounts are signed in and not banned" ON "storage"."objects";

DROP POLICY "administrators remove shared files, students their own" ON "storage"."objects";

DROP POLICY "members add files to their university" ON "storage"."objects";

DROP POLICY "members read their university's files" ON "storage"."objects";

DROP POLICY "students read their own check-in media" ON "storage"."objects";

DROP FUNCTION "private"."consume_user_rate_limit"(uuid, text);

CREATE OR REPLACE FUNCTION private.change_review (
  review     uuid,
  new_status public.review_status
)
  RETURNS jsonb
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update public.clinical_reviews r
  set status = new_status
  where r.id = review
    and (new_status, r.status) <> ('claimed', 'claimed')
    and r.university_id in (select private.universities_counseled())
    and r.user_id <> (select private.current_account())
  returning jsonb_build_object('id', r.id, 'status', r.status, 'claimed_by', r.claimed_by)
$function$;

CREATE OR REPLACE FUNCTION private.consume_user_rate_limit (
  account     uuid,
  limit_scope text
)
  RETURNS TABLE (
    allowed      boolean,
    max_requests integer,
    remaining    integer,
    reset_s      integer,
    period_s     integer,
    has_role     boolean
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  -- Locks the profile first, as the deletion of an account does.
  perform from public.profiles where user_id = account for key share;
  if not found then
    return;
  end if;
  return query
  select l.*, exists (select from public.user_roles r where r.user_id = account)
  from private.consume_rate_limit(account, limit_scope) l;
end
$function$;

CREATE OR REPLACE FUNCTION private.current_account()
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  account uuid := private.signed_in_account();
begin
  if exists (select from public.user_roles where user_id = account) then
    return account;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.export_data (
  page integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Also of an account without a role: what is stored of people is theirs.
  person uuid := (select private.signed_in_account());
begin
  if person is null then
    return null;
  end if;
  perform private.require_access_log('data_exported', private.access_arguments());
  return private.personal_data_of(person, page);
end
$function$;

CREATE OR REPLACE FUNCTION private.list_reviews_as_counselor (
  page_limit  integer,
  page_offset integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not exists (select from private.universities_counseled()) then
    return '[]';
  end if;
  perform private.require_access_log('reviews_listed', private.access_arguments());
  return (
    select coalesce(jsonb_agg(to_jsonb(page) order by page.risk_level desc, page.opened_at, page.id), '[]')
    from (
      select *
      from public.open_clinical_reviews r
      where r.university_id in (select private.universities_counseled()) and r.user_id <> (select private.current_account())
      order by r.risk_level desc, r.opened_at, r.id
      limit page_limit
      offset page_offset
    ) as page
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.log_access (
  action      public.audit_action,
  university  text,
  student     uuid,
  search      text,
  sort        text,
  descending  boolean,
  page_limit  integer,
  page_offset integer
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Everybody may export, also whoever lost the role; only counselors log anything else.
  person uuid := (select private.signed_in_account());
  arguments jsonb;
begin
  case action
    when 'students_listed' then
      arguments := private.access_arguments(
        university, null, search, sort::private.student_sort::text, descending, page_limit, page_offset
      );
    when 'student_read' then
      arguments := private.access_arguments(null, student);
      university := private.university_of(student);
    when 'reviews_listed' then
      arguments := private.access_arguments();
    when 'data_exported' then
      arguments := private.access_arguments();
      university := private.university_of(person);
    else
      raise exception 'The action must be students_listed, student_read, reviews_listed or data_exported.'
        using errcode = 'invalid_parameter_value';
  end case;
  if person is null or not (
    case action
      when 'data_exported' then true
      when 'students_listed' then exists (select from private.universities_counseled() as counseled where counseled = university)
      -- Also of a student elsewhere: nothing comes of it, and the entry tells of the attempt.
      else exists (select from private.universities_counseled())
    end
  ) then
    return false;
  end if;
  -- Locks the profile first, as the deletion of an account does.
  perform from public.profiles where user_id = person for key share;
  if not found then
    return false;
  end if;
  delete from private.logged_accesses where reader = person and logged_at < clock_timestamp() - interval '1 minute';
  insert into private.logged_accesses (reader, action, arguments_sha256)
  values (person, action, sha256(convert_to(arguments::text, 'UTF8')))
  on conflict do nothing;
  -- An export that goes on is logged already, and has time for its next page.
  if action = 'data_exported' and not found and exists (
    select from private.logged_accesses l
    where l.reader = person and l.action = 'data_exported' and l.logged_at > clock_timestamp() - interval '30 seconds'
  ) then
    return true;
  end if;
  update private.logged_accesses l set logged_at = clock_timestamp()
  where l.reader = person and l.action = log_access.action and l.arguments_sha256 = sha256(convert_to(arguments::text, 'UTF8'));
  perform private.audit(
    action,
    university,
    case action when 'student_read' then 'students' when 'data_exported' then 'profiles' end,
    case action when 'student_read' then student when 'data_exported' then person end::text,
    details => case
      when action <> 'students_listed' then '{}'
      else arguments - '{university,student,search}'::text[] || jsonb_build_object('search', arguments ->> 'search' is not null)
    end
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_access_log (
  read      public.audit_action,
  arguments jsonb
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
    where reader = (select private.signed_in_account())
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

CREATE OR REPLACE FUNCTION private.reviews_in_queue()
  RETURNS TABLE (
    id            uuid,
    university_id text,
    source        public.review_source,
    risk_level    checkin.risk_level,
    status        public.review_status,
    opened_at     timestamp with time zone,
    claimed_at    timestamp with time zone,
    claimed_by    uuid,
    last_risk_at  timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select r.id, r.university_id, r.source, r.risk_level, r.status, r.opened_at, r.claimed_at, r.claimed_by,
    r.last_risk_at
  from public.clinical_reviews r
  where r.status <> 'closed'
    and r.university_id in (select private.universities_counseled())
    and r.user_id <> (select private.current_account())
  order by r.risk_level desc, r.opened_at
  limit 1000
$function$;

CREATE OR REPLACE FUNCTION private.signed_in_account()
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  claims jsonb := auth.jwt();
  account uuid := claims ->> 'sub';
begin
  if pg_input_is_valid(claims ->> 'session_id', 'uuid')
    and exists (
      select from auth.sessions
      where id = (claims ->> 'session_id')::uuid and user_id = account and (not_after is null or not_after > now())
    )
    and exists (
      select from auth.users
      where id = account and deleted_at is null and (banned_until is null or banned_until <= now())
    )
  then
    return account;
  end if;
  return null;
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
begin
  if university in (select private.universities_counseled()) then
    perform private.require_access_log(
      'students_listed',
      private.access_arguments(university, null, search, sort::text, descending, page_limit, page_offset)
    );
    return query select * from private.student_rows(university, search, sort, descending, page_limit, page_offset);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.students_found (
  university text,
  search     text
)
  RETURNS bigint
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not exists (select from private.universities_counseled() as counseled where counseled = university) then
    return 0;
  end if;
  return (
    select count(*)
    from public.students s
    join public.profiles p on p.user_id = s.user_id
    where s.university_id = university and s.counselor_access
      and (p.first_name || ' ' || p.last_name) ilike '%' || regexp_replace(search, '([\\%_])', '\\\1', 'g') || '%'
  );
end
$function$;

CREATE POLICY "students see their own audio analyses" ON "checkin"."audio_analysis"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see their own check-ins" ON "checkin"."check_ins"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see their own scores" ON "checkin"."fusion_results"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see their own text analyses" ON "checkin"."text_analysis"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see their own baseline" ON "checkin"."user_baselines"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see their own visual analyses" ON "checkin"."visual_analysis"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students begin their own sessions" ON "public"."assessment_sessions"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students delete their own sessions" ON "public"."assessment_sessions"
  FOR DELETE
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see their own sessions" ON "public"."assessment_sessions"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students update their own sessions" ON "public"."assessment_sessions"
  FOR UPDATE
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)))
  WITH CHECK ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students grant their own consents" ON "public"."consents"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see their own consents" ON "public"."consents"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students withdraw their own consents" ON "public"."consents"
  FOR UPDATE
  TO "authenticated"
  USING (((user_id = ( SELECT private.current_account() AS current_account)) AND (withdrawn_at IS NULL)))
  WITH CHECK ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "people change their own profile" ON "public"."profiles"
  FOR UPDATE
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)))
  WITH CHECK ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "people see their own profile" ON "public"."profiles"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see the analyses of their own sessions" ON "public"."session_analyses"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see the scores of their own sessions" ON "public"."session_scores"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students change their own enrolment" ON "public"."students"
  FOR UPDATE
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)))
  WITH CHECK ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "students see their own enrolment" ON "public"."students"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "people see their own roles" ON "public"."user_roles"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT private.current_account() AS current_account)));

CREATE POLICY "accounts are signed in, not banned and have a role" ON "realtime"."messages"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in, not banned and have a role" ON "storage"."objects"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "administrators remove shared files, students their own" ON "storage"."objects"
  FOR DELETE
  TO "authenticated"
  USING
    (((bucket_id = 'university-files'::text) AND ((((storage.foldername(name))[2] = 'shared'::text) AND ((storage.foldername(name))[1] IN ( SELECT
    private.universities_administered() AS universities_administered))) OR
    (((storage.foldername(name))[2] = 'students'::text) AND ((storage.foldername(name))[3] = (( SELECT private.current_account() AS current_account))::text) AND
    ((storage.foldername(name))[1] IN ( SELECT private.universities_joined() AS universities_joined))))));

CREATE POLICY "members add files to their university" ON "storage"."objects"
  FOR INSERT
  TO "authenticated"
  WITH
    CHECK
    (((bucket_id = 'university-files'::text) AND ((((storage.foldername(name))[2] = 'shared'::text) AND (((storage.foldername(name))[1] IN ( SELECT
    private.universities_administered() AS universities_administered)) OR ((storage.foldername(name))[1] IN ( SELECT private.universities_counseled() AS universities_counseled))))
    OR
    (((storage.foldername(name))[2] = 'students'::text) AND ((storage.foldername(name))[3] = (( SELECT private.current_account() AS current_account))::text) AND
    ((storage.foldername(name))[1] IN ( SELECT private.universities_joined() AS universities_joined)) AND private.has_room_for_file(name)))));

CREATE POLICY "members read their university's files" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING
    (((bucket_id = 'university-files'::text) AND ((storage.foldername(name))[1] IN ( SELECT private.universities_joined() AS universities_joined)) AND
    (((storage.foldername(name))[2] = 'shared'::text) OR (((storage.foldername(name))[2] = 'students'::text) AND ((storage.foldername(name))[3] = (( SELECT
    private.current_account() AS current_account))::text)))));

CREATE POLICY "students read their own check-in media" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING
    (((bucket_id = ANY (ARRAY['check-in-media'::text, 'check-in-images'::text])) AND ((storage.foldername(name))[1] = (( SELECT private.current_account() AS
    current_account))::text)));

COMMENT ON FUNCTION "private"."change_review"(uuid, public.review_status) IS 'Changes the status of a review; null when the caller is no counselor of the student''s university, or claims what is claimed. Called by public.claim_review, public.reopen_review and public.close_review.';

COMMENT ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) IS 'Counts one request of an account, as private.consume_rate_limit does, and says whether the account has a role; no row when it was deleted. Called by the edge functions.';

COMMENT ON FUNCTION "private"."current_account"() IS 'The caller''s account; null when nobody is signed in, the account is banned or has no role, or the session has ended. Called by policies and by the functions that they call.';

COMMENT ON FUNCTION "private"."has_role"(uuid, public.app_role, text) IS 'Whether an account that is not banned has a role at a university; security_admin applies everywhere. Called by the edge functions.';

COMMENT ON FUNCTION "private"."signed_in_account"() IS 'The caller''s account, whether or not it has a role; null when nobody is signed in, the account is banned or the session has ended. Called by private.current_account, and where people reach what is stored of them.';

COMMENT ON FUNCTION "public"."claim_review"(uuid) IS 'Claims an open review: {id, status, claimed_by}, or null when a colleague was faster; an error when it is closed. Called by counselors of the student''s university.';

COMMENT ON FUNCTION "public"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) IS 'Logs in the audit log what the caller is about to read, with the same arguments: students_listed of a university, student_read of a student, reviews_listed, or data_exported. The read is then allowed for a minute. Called by counselors, who list the students of their own universities, and by everybody for their own export; false for others.';

REVOKE ALL ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."signed_in_account"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."signed_in_account"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."signed_in_account"() TO "postgres";

-- The CLI's diff does not see statistics targets.
alter table public.user_roles alter column user_id set statistics 0;
alter table public.consents alter column user_id set statistics 0;
alter table public.assessment_sessions alter column user_id set statistics 0;
alter table public.session_analyses alter column user_id set statistics 0;
alter table public.session_scores alter column user_id set statistics 0;
alter table checkin.check_ins alter column user_id set statistics 0;
alter table checkin.fusion_results alter column user_id set statistics 0;
alter table checkin.audio_analysis alter column user_id set statistics 0;
alter table checkin.visual_analysis alter column user_id set statistics 0;
alter table checkin.text_analysis alter column user_id set statistics 0;
alter table public.cohort_days
  alter column students set statistics 0,
  alter column ended set statistics 0,
  alter column completed set statistics 0,
  alter column score_sum set statistics 0;
alter table public.cohort_snapshots
  alter column students set statistics 0,
  alter column high_risk set statistics 0,
  alter column moderate_risk set statistics 0;

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
  ('check-in-start', 10, 20),
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

select cron.schedule('dispatch-due-jobs', '10 seconds', 'select private.dispatch_due_jobs()');
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
