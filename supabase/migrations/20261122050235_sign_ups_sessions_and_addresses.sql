SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.audit_failed_sign_in (
  reason     text,
  ip         inet,
  user_agent text,
  request_id text DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.audit(
    'sign_in_failed',
    actor => null,
    details => jsonb_build_object('reason', reason),
    ip => ip,
    user_agent => user_agent,
    request_id => request_id
  )
$function$;

CREATE OR REPLACE FUNCTION private.current_account()
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  claims jsonb := auth.jwt();
  account uuid := claims ->> 'sub';
  session text := claims ->> 'session_id';
begin
  if session ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    and exists (
      select from auth.sessions
      where id = session::uuid and user_id = account and (not_after is null or not_after > now())
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

CREATE OR REPLACE FUNCTION private.custom_access_token (
  event jsonb
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_set(
    event,
    '{claims,email_verified}',
    to_jsonb(
      exists (
        select from auth.users where id = (event ->> 'user_id')::uuid and email_confirmed_at is not null
      )
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.discard_other_sign_up (
  address  text,
  password text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update auth.users
  set encrypted_password = ''
  where email = lower(address)
    and email_confirmed_at is null
    and encrypted_password <> ''
    and case
      when encrypted_password like '$2%' then encrypted_password <> extensions.crypt(password, encrypted_password)
      else true
    end
$function$;

CREATE OR REPLACE FUNCTION private.discard_unconfirmed()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  own constant text[] := array['sub', 'email', 'email_verified', 'phone_verified'];
  university text := private.university_for(new.email, null);
begin
  new.encrypted_password := '';
  new.raw_user_meta_data := (
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(new.raw_user_meta_data) where key = any (own)
  );
  update auth.identities
  set identity_data = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(identity_data) where key = any (own))
  where user_id = new.id;
  update public.profiles set first_name = '', last_name = '', university_id = university where user_id = new.id;
  update public.user_roles set university_id = university
  where user_id = new.id and role = 'student' and university_id is distinct from university;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_sessions()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  delete from auth.sessions where user_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.export_data()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  person uuid := (select private.current_account());
  personal_data jsonb;
begin
  if person is null then
    return null;
  end if;
  personal_data := private.personal_data_of(person);
  if not exists (
    select from public.audit_logs
    where actor_id = person and action = 'data_exported' and occurred_at > now() - interval '1 minute'
  ) then
    perform private.audit('data_exported', private.university_of(person), 'profiles', person::text);
  end if;
  return personal_data;
end
$function$;

CREATE OR REPLACE FUNCTION private.has_role (
  account    uuid,
  required   public.app_role,
  university text
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return exists (
    select
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.user_id = account
      and r.role = required
      and (r.role = 'security_admin' or r.university_id = university)
      and (u.banned_until is null or u.banned_until <= now())
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.is_security_admin()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (select from public.user_roles where user_id = (select private.current_account()) and role = 'security_admin')
$function$;

CREATE OR REPLACE FUNCTION private.owns_check_in_channel (
  topic text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from checkin.check_ins
    where user_id = (select private.current_account())
      and id = case
        when topic ~ '^check-in:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(topic, 10)::uuid
      end
  )
$function$;

CREATE OR REPLACE FUNCTION private.owns_session_channel (
  topic text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.assessment_sessions
    where user_id = (select private.current_account())
      and id = case
        when topic ~ '^assessment:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(topic, 12)::uuid
      end
  )
$function$;

CREATE OR REPLACE FUNCTION private.request_ip()
  RETURNS inet
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  told text := private.request_header('x-client-address');
  address text := split_part(told, ' ', 1);
begin
  if told = address || ' ' || (
    select encode(extensions.hmac('x-client-address ' || address, decrypted_secret, 'sha256'), 'hex')
    from vault.decrypted_secrets
    where name = 'pipeline_secret'
  ) then
    return address::inet;
  end if;
  return private.request_header('cf-connecting-ip')::inet;
exception
  when invalid_text_representation then
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
  if private.has_role((select private.current_account()), 'counselor', university) then
    perform private.require_access_log('students_listed', university);
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
  if not private.has_role((select private.current_account()), 'counselor', university) then
    return 0;
  end if;
  perform private.require_access_log('students_listed', university);
  return (
    select count(*)
    from public.students s
    join public.profiles p on p.user_id = s.user_id
    where s.university_id = university and s.counselor_access
      and (p.first_name || ' ' || p.last_name) ilike '%' || regexp_replace(search, '([\\%_])', '\\\1', 'g') || '%'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.universities_administered()
  RETURNS SETOF text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return query
  select university_id from public.user_roles where user_id = (select private.current_account()) and role = 'university_admin';
end
$function$;

CREATE OR REPLACE FUNCTION private.universities_counseled()
  RETURNS SETOF text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return query
  select university_id from public.user_roles where user_id = (select private.current_account()) and role = 'counselor';
end
$function$;

CREATE OR REPLACE FUNCTION private.universities_joined()
  RETURNS SETOF text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select distinct university_id from public.user_roles where user_id = (select private.current_account()) and university_id is not null
$function$;

CREATE OR REPLACE FUNCTION private.university_for (
  address text,
  named   text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- What follows the last @: the part before it may be quoted and have others.
  with email as (select lower(split_part(address, '@', -1)) as host)
  select coalesce(
    (
      select u.id
      from public.universities u, email
      where email.host = u.domain or email.host like '%.' || u.domain
      order by char_length(u.domain) desc
      limit 1
    ),
    (select id from public.universities where id = named and accepts_other_domains)
  )
$function$;

CREATE TRIGGER discard_unconfirmed
  BEFORE UPDATE ON auth.users
  FOR EACH ROW
  WHEN (((old.email_confirmed_at IS NULL) AND (new.email_confirmed_at IS NULL) AND ((old.confirmation_sent_at <> new.confirmation_sent_at) OR ((new.recovery_sent_at IS
    NOT NULL) AND (new.recovery_sent_at IS DISTINCT FROM old.recovery_sent_at)) OR (((old.encrypted_password)::text <> ''::text) AND ((new.encrypted_password)::text = ''::text)))))
  EXECUTE FUNCTION private.discard_unconfirmed();

CREATE TRIGGER end_sessions
  AFTER UPDATE ON auth.users
  FOR EACH ROW
  WHEN (((new.banned_until > now()) AND (new.banned_until IS DISTINCT FROM old.banned_until)))
  EXECUTE FUNCTION private.end_sessions();

CREATE POLICY "accounts are signed in and not banned" ON "checkin"."audio_analysis"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "checkin"."check_ins"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "checkin"."fusion_results"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "checkin"."text_analysis"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "checkin"."user_baselines"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "checkin"."visual_analysis"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."assessment_sessions"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."audit_logs"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."clinical_reviews"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."cohort_days"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."cohort_snapshots"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."consents"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."profiles"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."session_analyses"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."session_scores"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."students"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."universities"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "public"."user_roles"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "realtime"."messages"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "accounts are signed in and not banned" ON "storage"."objects"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

COMMENT ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text) IS 'Logs a sign-in that failed, without who was meant: the one place that hears of them. Called by the edge functions.';

COMMENT ON FUNCTION "private"."current_account"() IS 'The caller''s account; null when nobody is signed in, the account is banned or the session has ended. Called by policies and by the functions that they call.';

COMMENT ON FUNCTION "private"."custom_access_token"(jsonb) IS 'Custom access token hook: adds the claim email_verified. Called by Auth, as config.toml says.';

COMMENT ON FUNCTION "private"."discard_other_sign_up"(text, text) IS 'Discards the sign-up of an address that is not confirmed, unless it was made with this password. Called by the edge functions when Auth sends no second mail.';

COMMENT ON FUNCTION "private"."discard_unconfirmed"() IS 'Trigger on auth.users: a second mail to an unconfirmed address discards the password, the names and the university that were given for it.';

COMMENT ON FUNCTION "private"."end_sessions"() IS 'Trigger on auth.users: a ban ends the sessions of the account, also for the time after it.';

COMMENT ON FUNCTION "private"."has_role"(uuid, public.app_role, text) IS 'Whether an account that is not banned has a role at a university; security_admin applies everywhere. Called by the edge functions and by private.student_page.';

COMMENT ON FUNCTION "private"."request_ip"() IS 'IP address that the request comes from, by the word of the gateway or of an edge function; null elsewhere. Called by private.audit.';

COMMENT ON FUNCTION "private"."universities_joined"() IS 'Universities where the caller has a role, as a student or as staff. Called by policies.';

REVOKE ALL ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."current_account"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."current_account"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."current_account"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."current_account"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."custom_access_token"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."custom_access_token"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."custom_access_token"(jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."custom_access_token"(jsonb) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."discard_other_sign_up"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."discard_other_sign_up"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."discard_other_sign_up"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."discard_unconfirmed"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."discard_unconfirmed"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."discard_unconfirmed"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_sessions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_sessions"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_sessions"() TO "postgres";

REVOKE ALL ON SCHEMA "private" FROM "supabase_auth_admin";

GRANT USAGE ON SCHEMA "private" TO "supabase_auth_admin";

-- No policies: this file holds rows, not tables.

-- Rows that the schema needs. Each statement can be run again; every migration ends with them, because a diff contains no rows.
insert into private.audit_head default values on conflict do nothing;
insert into private.cohort_settings default values on conflict do nothing;
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.rate_limit_rules (scope, requests)
values
  ('data-api', 100),
  ('file-upload', 10),
  ('bulk', 5),
  ('analyze-audio', 10),
  ('analyze-visual', 5),
  ('analyze-text', 20),
  ('calculate-wellbeing-score', 10),
  ('textmodel', 20),
  ('check-in-start', 10),
  ('check-in-complete', 10),
  ('check-in-get', 120)
on conflict do nothing;
insert into private.rate_limit_rules (scope, requests, period)
values
  ('sign-in', 10, '5 minutes'),
  ('sign-up', 5, '1 hour'),
  ('refresh', 30, '5 minutes')
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
select cron.schedule(
  'purge-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);
