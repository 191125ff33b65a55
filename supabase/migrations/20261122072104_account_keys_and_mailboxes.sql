SET local check_function_bodies = off;

REVOKE ALL ON SEQUENCE "public"."user_roles_id_seq" FROM "postgres";

ALTER TABLE "checkin"."audio_analysis"
  DROP CONSTRAINT "audio_analysis_user_id_fkey";

ALTER TABLE "checkin"."check_ins"
  DROP CONSTRAINT "check_ins_user_id_fkey";

ALTER TABLE "checkin"."fusion_results"
  DROP CONSTRAINT "fusion_results_user_id_fkey";

ALTER TABLE "checkin"."text_analysis"
  DROP CONSTRAINT "text_analysis_user_id_fkey";

ALTER TABLE "checkin"."user_baselines"
  DROP CONSTRAINT "user_baselines_user_id_fkey";

ALTER TABLE "checkin"."visual_analysis"
  DROP CONSTRAINT "visual_analysis_user_id_fkey";

ALTER TABLE "private"."logged_accesses"
  DROP CONSTRAINT "logged_accesses_reader_fkey";

ALTER TABLE "private"."outbox"
  DROP CONSTRAINT "outbox_user_id_fkey";

ALTER TABLE "private"."student_days"
  DROP CONSTRAINT "student_days_user_id_fkey";

ALTER TABLE "private"."transcript_results"
  DROP CONSTRAINT "transcript_results_user_id_fkey";

ALTER TABLE "public"."assessment_sessions"
  DROP CONSTRAINT "assessment_sessions_user_id_fkey";

ALTER TABLE "public"."clinical_reviews"
  DROP CONSTRAINT "clinical_reviews_claimed_by_fkey";

ALTER TABLE "public"."clinical_reviews"
  DROP CONSTRAINT "clinical_reviews_closed_by_fkey";

ALTER TABLE "public"."clinical_reviews"
  DROP CONSTRAINT "clinical_reviews_user_id_fkey";

ALTER TABLE "public"."consents"
  DROP CONSTRAINT "consents_user_id_fkey";

ALTER TABLE "public"."session_analyses"
  DROP CONSTRAINT "session_analyses_session_id_fkey";

ALTER TABLE "public"."session_analyses"
  DROP CONSTRAINT "session_analyses_user_id_fkey";

ALTER TABLE "public"."session_scores"
  DROP CONSTRAINT "session_scores_user_id_fkey";

ALTER TABLE "public"."students"
  DROP CONSTRAINT "students_user_id_fkey";

ALTER TABLE "public"."user_roles"
  ALTER COLUMN "id" DROP IDENTITY;

CREATE TABLE "private"."mailboxes" (
  "mailbox" text NOT NULL,
  "user_id" uuid NOT NULL,
  CONSTRAINT "mailboxes_mailbox_key" UNIQUE (mailbox),
  CONSTRAINT "mailboxes_pkey" PRIMARY KEY (user_id)
);

ALTER TABLE "public"."user_roles"
  ALTER COLUMN "id" DROP DEFAULT;

ALTER TABLE "public"."user_roles"
  ALTER COLUMN "id" TYPE uuid USING gen_random_uuid();

ALTER TABLE "public"."user_roles"
  ALTER COLUMN "id" SET DEFAULT gen_random_uuid();

CREATE OR REPLACE FUNCTION private.claim_mailbox()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if new.email is null or new.email_confirmed_at is null then
    delete from private.mailboxes where user_id = new.id;
  else
    insert into private.mailboxes as m (mailbox, user_id) values (private.mailbox_of(new.email), new.id)
    on conflict on constraint mailboxes_pkey do update set mailbox = excluded.mailbox
    where m.mailbox <> excluded.mailbox;
  end if;
  return null;
end
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
    period_s     integer
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  -- Locks the account first, as the deletion of an account does.
  perform
  from auth.users u
  join public.profiles p on p.user_id = u.id
  where u.id = account
  for key share of u;
  if not found then
    return;
  end if;
  return query select * from private.consume_rate_limit(account, limit_scope);
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_session_analyses()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  delete from public.session_analyses a using deleted_rows d where a.session_id = d.id;
  return null;
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
  dispatched integer;
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
    join auth.users u on u.id = c.user_id
    where c.status = 'processing' and c.id in (select check_in_id from exhausted)
    order by c.id
    for key share of u skip locked
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

  with due as (
    select j.id
    from private.analysis_jobs j
    where j.next_dispatch_at <= now()
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    order by j.next_dispatch_at
    limit 100
    for update skip locked
  ),
  redispatched as (
    update private.analysis_jobs j
    set dispatches = least(j.dispatches + 1, 10),
      next_dispatch_at = now() + least(s.dispatch_grace * power(2, j.dispatches), interval '5 minutes')
    from due, private.pipeline_settings s
    where j.id = due.id
    returning j.id, j.kind
  )
  select count(private.dispatch_job(id, kind)) into dispatched from redispatched;
  return dispatched;
end
$function$;

CREATE OR REPLACE FUNCTION private.expire_check_ins()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update checkin.check_ins
  set status = 'expired'
  where id in (
    -- Locks the student too, as the deletion of an account does; rows that are locked wait for the next run.
    select c.id
    from checkin.check_ins c
    join auth.users u on u.id = c.user_id
    where c.status = 'created' and c.expires_at <= now()
    for key share of u skip locked
    for update of c skip locked
  )
$function$;

CREATE OR REPLACE FUNCTION private.lock_check_in_for_job (
  job uuid
)
  RETURNS uuid
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  locked uuid;
begin
  perform
  from auth.users
  where id = (
    select c.user_id
    from checkin.check_ins c
    join private.analysis_jobs j on j.check_in_id = c.id
    where j.id = job
  )
  for key share;

  select c.id into locked
  from checkin.check_ins c
  where c.id = (select check_in_id from private.analysis_jobs where id = job) and c.status = 'processing'
  for update;
  return locked;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_session (
  session uuid,
  student uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform from auth.users where id = student for key share;
  perform from public.assessment_sessions where id = session and user_id = student for update;
  return found;
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
  person uuid := (select private.current_account());
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
  if person is null or (action <> 'data_exported' and not exists (select from private.universities_counseled())) then
    return false;
  end if;
  -- Locks the account first, as the deletion of an account does.
  perform from auth.users where id = person for key share;
  if not found then
    return false;
  end if;
  delete from private.logged_accesses where reader = person and logged_at < clock_timestamp() - interval '1 minute';
  insert into private.logged_accesses (reader, action, arguments_sha256)
  values (person, action, sha256(convert_to(arguments::text, 'UTF8')))
  on conflict do nothing;
  -- An export that goes on is logged already.
  if not found and action = 'data_exported' then
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

CREATE OR REPLACE FUNCTION private.mailbox_of (
  address text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- The greedy match from the first + leaves the last @, as a quoted local part may have others.
  select regexp_replace(lower(address), '^([^+]+)\+.*(@[^@]*)$', '\1\2')
$function$;

CREATE OR REPLACE FUNCTION private.personal_data_of (
  student uuid,
  page    integer
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with paging as (
    select 50 as size, greatest(page, 0)::bigint * 50 as skipped
  ),
  consents as (
    select to_jsonb(c) as consent, row_number() over (order by c.granted_at, c.id) as place
    from public.consents c
    where c.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  check_ins as (
    select c, row_number() over (order by c.created_at, c.id) as place
    from checkin.check_ins c
    where c.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  transcripts as (
    select to_jsonb(t) - 'user_id' as transcript, row_number() over (order by t.created_at, t.id) as place
    from private.transcript_results t
    where t.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  sessions as (
    select s, row_number() over (order by s.created_at, s.id) as place
    from public.assessment_sessions s
    where s.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  )
  select jsonb_build_object(
    'exported_at', now(),
    'page', greatest(page, 0),
    'next_page', (
      select case
        when p.size + p.skipped < greatest(
          (select count(*) from public.consents c where c.user_id = student),
          (select count(*) from checkin.check_ins c where c.user_id = student),
          (select count(*) from private.transcript_results t where t.user_id = student),
          (select count(*) from public.assessment_sessions s where s.user_id = student)
        ) then greatest(page, 0) + 1
      end
      from paging p
    ),
    'profile', (select to_jsonb(p) from public.profiles p where p.user_id = student),
    'enrolment', (select to_jsonb(s) from public.students s where s.user_id = student),
    'roles', (select coalesce(jsonb_agg(to_jsonb(r) - 'id' order by r.created_at, r.id), '[]') from public.user_roles r where r.user_id = student),
    'baseline', (select to_jsonb(b) from checkin.user_baselines b where b.user_id = student),
    'consents', (select coalesce(jsonb_agg(c.consent order by c.place), '[]') from consents c),
    'check_ins', (
      select coalesce(
        jsonb_agg(
          to_jsonb(i.c) || jsonb_build_object(
            'audio_analysis', to_jsonb(a), 'visual_analysis', to_jsonb(v), 'text_analysis', to_jsonb(t), 'result', to_jsonb(f)
          )
          order by i.place
        ),
        '[]'
      )
      from check_ins i
      left join checkin.audio_analysis a on a.check_in_id = (i.c).id
      left join checkin.visual_analysis v on v.check_in_id = (i.c).id
      left join checkin.text_analysis t on t.check_in_id = (i.c).id
      left join checkin.fusion_results f on f.check_in_id = (i.c).id
    ),
    'transcripts', (select coalesce(jsonb_agg(t.transcript order by t.place), '[]') from transcripts t),
    'sessions', (
      select coalesce(
        jsonb_agg(
          to_jsonb(i.s) || jsonb_build_object(
            'analyses', (
              select coalesce(jsonb_agg(to_jsonb(a) order by a.modality), '[]')
              from public.session_analyses a
              where a.session_id = (i.s).id
            ),
            'score', (select to_jsonb(r) from public.session_scores r where r.session_id = (i.s).id)
          )
          order by i.place
        ),
        '[]'
      )
      from sessions i
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.registered_address (
  address text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select u.email
  from private.mailboxes m
  join auth.users u on u.id = m.user_id
  where m.mailbox = private.mailbox_of(address)
$function$;

CREATE OR REPLACE FUNCTION private.store_transcript_result (
  student uuid,
  stored  jsonb
)
  RETURNS uuid
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in uuid := (stored ->> 'check_in_id')::uuid;
  risk checkin.risk_level := (stored ->> 'risk_level')::checkin.risk_level;
  stored_id uuid;
begin
  perform from auth.users where id = student for key share;
  if not found then
    return null;
  end if;
  if check_in is not null then
    update checkin.check_ins
    set risk_level = greatest(risk_level, risk)
    where id = check_in and user_id = student;
    if not found then
      return null;
    end if;
  end if;

  insert into private.transcript_results as t (user_id, transcript_sha256, check_in_id, provider, risk_level, result)
  values (
    student,
    decode(stored ->> 'transcript_sha256', 'hex'),
    check_in,
    stored ->> 'provider',
    risk,
    stored -> 'result'
  )
  on conflict on constraint transcript_results_once do update
  set check_in_id = excluded.check_in_id,
    provider = excluded.provider,
    risk_level = excluded.risk_level,
    result = excluded.result,
    created_at = now()
  returning t.id into stored_id;

  if risk = 'high' and check_in is not null then
    perform private.open_clinical_review(student, 'check_in', check_in);
  elsif risk = 'high' then
    perform private.open_clinical_review(student, 'transcript', stored_id);
  end if;
  return stored_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.submit_check_in (
  check_in uuid,
  student  uuid,
  inputs   jsonb,
  media    jsonb,
  jobs     jsonb
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  existing checkin.check_ins;
begin
  perform from auth.users where id = student for key share;
  select * into existing from checkin.check_ins where id = check_in and user_id = student for update;
  if existing is null then
    return 'not_found';
  end if;
  if existing.status in ('processing', 'complete') then
    return 'unchanged';
  end if;
  if existing.status = 'expired' or (existing.status = 'created' and existing.expires_at <= now()) then
    update checkin.check_ins set status = 'expired' where id = check_in;
    return 'expired';
  end if;
  if existing.submissions >= 3 then
    return 'too_many_submissions';
  end if;

  delete from checkin.audio_analysis where check_in_id = check_in;
  delete from checkin.visual_analysis where check_in_id = check_in;
  delete from checkin.text_analysis where check_in_id = check_in;
  delete from private.check_in_inputs where check_in_id = check_in;
  delete from private.check_in_media where check_in_id = check_in;
  delete from private.analysis_jobs where check_in_id = check_in;

  update checkin.check_ins
  set status = 'processing',
    progress = 0,
    submissions = submissions + 1,
    submitted_at = now(),
    completed_at = null,
    error_code = null,
    -- A risk that was found after an earlier submission still counts.
    risk_level = greatest(risk_level, (inputs ->> 'crisis_level')::checkin.risk_level)
  where id = check_in;

  insert into private.check_in_inputs (
    check_in_id, transcript, crisis_level, crisis_rule, mood_score, conversation_duration, missing
  )
  select
    check_in,
    i.transcript,
    coalesce(i.crisis_level, 'none'),
    i.crisis_rule,
    i.mood_score,
    i.conversation_duration,
    coalesce(i.missing, '{}')
  from jsonb_to_record(inputs) as i (
    transcript text,
    crisis_level checkin.risk_level,
    crisis_rule text,
    mood_score double precision,
    conversation_duration double precision,
    missing jsonb
  );

  insert into private.check_in_media (check_in_id, path, kind, ordinal, etag, bytes, info)
  select check_in, m.path, m.kind, m.ordinal, m.etag, m.bytes, m.info
  from jsonb_to_recordset(media) as m (
    path text, kind text, ordinal smallint, etag text, bytes bigint, info jsonb
  );

  insert into private.analysis_jobs (check_in_id, kind, ordinal, input)
  select check_in, j.kind, j.ordinal, coalesce(j.input, '{}')
  from jsonb_to_recordset(jobs) as j (kind private.job_kind, ordinal smallint, input jsonb);

  perform private.advance_check_in(check_in);
  perform private.broadcast_check_in(
    check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'processing')
  );
  return 'accepted';
end
$function$;

ALTER TABLE "checkin"."audio_analysis"
  ADD CONSTRAINT "audio_analysis_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "checkin"."check_ins"
  ADD CONSTRAINT "check_ins_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "checkin"."fusion_results"
  ADD CONSTRAINT "fusion_results_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "checkin"."text_analysis"
  ADD CONSTRAINT "text_analysis_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "checkin"."user_baselines"
  ADD CONSTRAINT "user_baselines_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "checkin"."visual_analysis"
  ADD CONSTRAINT "visual_analysis_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."logged_accesses"
  ADD CONSTRAINT "logged_accesses_reader_fkey" FOREIGN KEY (reader) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."mailboxes"
  ADD CONSTRAINT "mailboxes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."student_days"
  ADD CONSTRAINT "student_days_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."transcript_results"
  ADD CONSTRAINT "transcript_results_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."assessment_sessions"
  ADD CONSTRAINT "assessment_sessions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_claimed_by_fkey" FOREIGN KEY (claimed_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_closed_by_fkey" FOREIGN KEY (closed_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."consents"
  ADD CONSTRAINT "consents_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."session_scores"
  ADD CONSTRAINT "session_scores_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."students"
  ADD CONSTRAINT "students_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE TRIGGER claim_mailbox
  AFTER INSERT ON auth.users
  FOR EACH ROW
  WHEN ((new.email_confirmed_at IS NOT NULL))
  EXECUTE FUNCTION private.claim_mailbox();

CREATE TRIGGER move_mailbox
  AFTER UPDATE ON auth.users
  FOR EACH ROW
  WHEN ((((new.email)::text IS DISTINCT FROM (old.email)::text) OR ((new.email_confirmed_at IS NULL) <> (old.email_confirmed_at IS NULL))))
  EXECUTE FUNCTION private.claim_mailbox();

CREATE TRIGGER delete_session_analyses
  AFTER DELETE ON public.assessment_sessions REFERENCING OLD TABLE AS deleted_rows
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.delete_session_analyses();

COMMENT ON COLUMN "private"."mailboxes"."mailbox" IS 'The address in lower case and without what follows a + in its local part.';

COMMENT ON COLUMN "private"."mailboxes"."user_id" IS 'The account.';

COMMENT ON FUNCTION "private"."claim_mailbox"() IS 'Trigger on auth.users: an address can only be confirmed while no other account has one of the same mailbox.';

COMMENT ON FUNCTION "private"."delete_session_analyses"() IS 'Trigger: deletes the analyses of sessions that are deleted.';

COMMENT ON FUNCTION "private"."mailbox_of"(text) IS 'The mailbox that an address leads to: name+tag@host leads to that of name@host. Called by private.claim_mailbox, private.registered_address and the edge functions.';

COMMENT ON FUNCTION "private"."registered_address"(text) IS 'The confirmed address of the same mailbox, which an account has; null when there is none. Called by the edge functions.';

COMMENT ON TABLE "private"."mailboxes" IS 'The mailbox of each account whose address is confirmed: one person has one account, however many addresses lead to them.';

REVOKE ALL ON FUNCTION "private"."claim_mailbox"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_mailbox"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_mailbox"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."delete_session_analyses"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_session_analyses"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."delete_session_analyses"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."mailbox_of"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mailbox_of"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mailbox_of"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."registered_address"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."registered_address"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."registered_address"(text) TO "postgres";

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
