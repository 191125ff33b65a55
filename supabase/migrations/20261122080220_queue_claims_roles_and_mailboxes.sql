SET local check_function_bodies = off;

SELECT cron.unschedule('dispatch-due-jobs');

REVOKE ALL ON SEQUENCE "public"."user_roles_id_seq" FROM "postgres";

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

DROP TRIGGER "schedule_first_dispatch" ON "private"."analysis_jobs";

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

ALTER TABLE "private"."pipeline_settings"
  DROP CONSTRAINT "pipeline_settings_positive";

ALTER TABLE "private"."student_days"
  DROP CONSTRAINT "student_days_user_id_fkey";

ALTER TABLE "private"."student_limits"
  DROP CONSTRAINT "student_limits_positive";

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

DROP FUNCTION "private"."claim_job"(uuid);

DROP FUNCTION "private"."consume_user_rate_limit"(uuid, text);

DROP FUNCTION "private"."dispatch_job"(uuid, private.job_kind);

DROP FUNCTION "private"."schedule_first_dispatch"();

ALTER TABLE "private"."analysis_jobs"
  DROP COLUMN "dispatches";

ALTER TABLE "public"."user_roles"
  ALTER COLUMN "id" DROP IDENTITY;

CREATE TABLE "private"."mailboxes" (
  "mailbox" text NOT NULL,
  "user_id" uuid NOT NULL,
  CONSTRAINT "mailboxes_mailbox_key" UNIQUE (mailbox),
  CONSTRAINT "mailboxes_pkey" PRIMARY KEY (user_id)
);

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "dispatched" boolean NOT NULL DEFAULT false;

ALTER TABLE "private"."pipeline_settings"
  ADD COLUMN "max_in_flight" smallint NOT NULL DEFAULT 8;

ALTER TABLE "private"."student_limits"
  ADD COLUMN "check_in_bytes" bigint NOT NULL DEFAULT '10737418240'::bigint;

ALTER TABLE "public"."user_roles"
  ALTER COLUMN "id" DROP DEFAULT;

ALTER TABLE "public"."user_roles"
  ALTER COLUMN "id" TYPE uuid USING gen_random_uuid();

ALTER TABLE "public"."user_roles"
  ALTER COLUMN "id" SET DEFAULT gen_random_uuid();

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

ALTER TABLE "public"."user_roles"
  ALTER COLUMN "id" SET DEFAULT gen_random_uuid();

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
    -- The transaction may have waited for the queue's lock.
    lease_until = clock_timestamp() + case j.kind when 'transcription' then s.transcription_lease else s.lease end,
    next_dispatch_at = clock_timestamp() + case j.kind when 'transcription' then s.transcription_lease else s.lease end
  from private.pipeline_settings s
  where j.id = chosen.id
  returning j.*;
end
$function$;

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
    period_s     integer,
    has_role     boolean
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
    and j.status in ('queued', 'running')
    and (j.lease_until > now() or (j.dispatched and j.next_dispatch_at > now()))
  group by s.max_in_flight;

  with due as (
    select j.id
    from private.analysis_jobs j
    join private.waiting_check_ins c using (check_in_id)
    cross join private.pipeline_settings s
    where j.status in ('queued', 'running')
      and private.worker_of(j.kind) = dispatch_jobs.worker
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

CREATE OR REPLACE FUNCTION private.limit_object_size()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if (new.metadata ->> 'size')::bigint > (select b.file_size_limit from storage.buckets b where b.id = new.bucket_id) then
    raise exception 'The object is larger than its bucket takes.' using errcode = 'insufficient_privilege';
  end if;
  return new;
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

CREATE OR REPLACE FUNCTION private.lock_queue()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select pg_advisory_xact_lock(30, 0)
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
  -- Locks the account first, as the deletion of an account does.
  perform from auth.users where id = person for key share;
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

ALTER TABLE "private"."pipeline_settings"
  ADD CONSTRAINT "pipeline_settings_positive"
    CHECK
    (((lease > '00:00:00'::interval) AND (transcription_lease > '00:00:00'::interval) AND (dispatch_grace > '00:00:00'::interval) AND (retry_backoff > '00:00:00'::interval) AND
    (max_attempts > 0) AND (max_in_flight > 0) AND (fail_after > '00:00:00'::interval)));

ALTER TABLE "private"."student_days"
  ADD CONSTRAINT "student_days_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."student_limits"
  ADD CONSTRAINT "student_limits_positive" CHECK (((sessions > 0) AND (session_bytes > 0) AND (consents > 0) AND (files > 0) AND (file_bytes > 0) AND (check_in_bytes > 0)));

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

CREATE VIEW "private"."waiting_check_ins" WITH (security_invoker=true) AS  SELECT id AS check_in_id,
    (submitted_at + ('00:01:00'::interval * (count(*) OVER (PARTITION BY user_id))::double precision)) AS turn
   FROM checkin.check_ins
  WHERE (status = 'processing'::checkin.check_in_status);

CREATE INDEX check_ins_processing_user_id_idx ON checkin.check_ins USING btree (user_id)
  WHERE (status = 'processing'::checkin.check_in_status);

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

CREATE TRIGGER limit_object_size
  BEFORE INSERT OR UPDATE OF bucket_id, metadata ON storage.objects
  FOR EACH ROW
  EXECUTE FUNCTION private.limit_object_size();

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

COMMENT ON COLUMN "private"."analysis_jobs"."dispatched" IS 'Whether a webhook that announces the job is under way, until next_dispatch_at.';

COMMENT ON COLUMN "private"."analysis_jobs"."next_dispatch_at" IS 'When the job may be dispatched, or dispatched again if no worker has claimed it; -infinity for at once.';

COMMENT ON COLUMN "private"."mailboxes"."mailbox" IS 'The address in lower case and without what follows a + in its local part.';

COMMENT ON COLUMN "private"."mailboxes"."user_id" IS 'The account.';

COMMENT ON COLUMN "private"."pipeline_settings"."dispatch_grace" IS 'How long a webhook may be under way before a job is dispatched again; a quarter more or less, at random.';

COMMENT ON COLUMN "private"."pipeline_settings"."lease" IS 'How long a worker may keep a job before another may claim it; longer than the slowest job.';

COMMENT ON COLUMN "private"."pipeline_settings"."max_in_flight" IS 'Jobs of one worker that are dispatched or run at the same time.';

COMMENT ON COLUMN "private"."student_limits"."check_in_bytes" IS 'Size of the media of all check-ins of an account, bytes; those of the last check-in may exceed it.';

COMMENT ON FUNCTION "private"."change_review"(uuid, public.review_status) IS 'Changes the status of a review; null when the caller is no counselor of the student''s university, or claims what is claimed. Called by public.claim_review, public.reopen_review and public.close_review.';

COMMENT ON FUNCTION "private"."claim_job"(text, private.job_kind[], uuid) IS 'Claims for one attempt the next job of a worker that is of one of the kinds; announced is the job of the webhook that woke the worker, null when it goes on. No row when there is none or enough are running; then others are dispatched that may be. Called by the workers.';

COMMENT ON FUNCTION "private"."claim_mailbox"() IS 'Trigger on auth.users: an address can only be confirmed while no other account has one of the same mailbox.';

COMMENT ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) IS 'Counts one request of an account, as private.consume_rate_limit does, and says whether the account has a role; no row when it was deleted. Called by the edge functions.';

COMMENT ON FUNCTION "private"."current_account"() IS 'The caller''s account; null when nobody is signed in, the account is banned or has no role, or the session has ended. Called by policies and by the functions that they call.';

COMMENT ON FUNCTION "private"."decline_job"(uuid) IS 'Notes that a webhook reached a worker that is busy: the job waits for the next claim or dispatch. Called by the workers.';

COMMENT ON FUNCTION "private"."delete_session_analyses"() IS 'Trigger: deletes the analyses of sessions that are deleted.';

COMMENT ON FUNCTION "private"."dispatch_due_jobs"() IS 'Dispatches jobs whose webhook or worker was lost; fails those that are out of attempts; returns how many it dispatched. Called by cron.';

COMMENT ON FUNCTION "private"."dispatch_jobs"(text) IS 'Sends webhooks that announce the next jobs to their worker, as many as may be in flight; returns how many. Called by the queue alone.';

COMMENT ON FUNCTION "private"."dispatch_new_jobs"() IS 'Trigger: dispatches jobs that were just queued.';

COMMENT ON FUNCTION "private"."has_role"(uuid, public.app_role, text) IS 'Whether an account that is not banned has a role at a university; security_admin applies everywhere. Called by the edge functions.';

COMMENT ON FUNCTION "private"."has_room_for_check_in"(uuid) IS 'Whether a student may upload the media of another check-in. Called by the function checkins.';

COMMENT ON FUNCTION "private"."is_waiting"(private.analysis_jobs) IS 'Whether a job may be claimed: it is queued and not backing off, or its worker''s lease expired. Called by the queue alone.';

COMMENT ON FUNCTION "private"."limit_object_size"() IS 'Trigger: an object is at most as large as storage.buckets.file_size_limit says, however it was uploaded.';

COMMENT ON FUNCTION "private"."lock_queue"() IS 'Lets one transaction at a time claim or dispatch, so that each counts what the others have in flight. Whoever holds it waits for no row. Called by the queue alone.';

COMMENT ON FUNCTION "private"."mailbox_of"(text) IS 'The mailbox that an address leads to: name+tag@host leads to that of name@host. Called by private.claim_mailbox, private.registered_address and the edge functions.';

COMMENT ON FUNCTION "private"."registered_address"(text) IS 'The confirmed address of the same mailbox, which an account has; null when there is none. Called by the edge functions.';

COMMENT ON FUNCTION "private"."release_job"(uuid, smallint) IS 'Gives back a job whose worker is about to be ended, so that another claims it at once. Called by the workers.';

COMMENT ON FUNCTION "private"."signed_in_account"() IS 'The caller''s account, whether or not it has a role; null when nobody is signed in, the account is banned or the session has ended. Called by private.current_account, and where people reach what is stored of them.';

COMMENT ON FUNCTION "private"."worker_of"(private.job_kind) IS 'Edge function that runs a kind of job. Called by the queue alone.';

COMMENT ON FUNCTION "public"."claim_review"(uuid) IS 'Claims an open review: {id, status, claimed_by}, or null when a colleague was faster; an error when it is closed. Called by counselors of the student''s university.';

COMMENT ON FUNCTION "public"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) IS 'Logs in the audit log what the caller is about to read, with the same arguments: students_listed of a university, student_read of a student, reviews_listed, or data_exported. The read is then allowed for a minute. Called by counselors, who list the students of their own universities, and by everybody for their own export; false for others.';

COMMENT ON TABLE "private"."analysis_jobs" IS 'The queue: the analysis steps of check-ins that are being processed. A webhook only announces that there is work; the worker claims here what is next.';

COMMENT ON TABLE "private"."mailboxes" IS 'The mailbox of each account whose address is confirmed: one person has one account, however many addresses lead to them.';

COMMENT ON TYPE "private"."job_kind" IS 'One step of a check-in''s analysis, small enough for what any isolate has left of its CPU.';

COMMENT ON VIEW "private"."waiting_check_ins" IS 'Check-ins that are being processed and their turn, the earliest first. Each is put back by a minute for every one that its student has, so that many of one do not delay another''s; nobody waits for ever.';

REVOKE ALL ON FUNCTION "private"."claim_job"(text, private.job_kind[], uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_job"(text, private.job_kind[], uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_job"(text, private.job_kind[], uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."claim_mailbox"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_mailbox"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_mailbox"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."decline_job"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decline_job"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."decline_job"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."delete_session_analyses"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_session_analyses"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."delete_session_analyses"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_jobs"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_jobs"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_jobs"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."has_room_for_check_in"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_room_for_check_in"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."has_room_for_check_in"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_waiting"(private.analysis_jobs) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_waiting"(private.analysis_jobs) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_waiting"(private.analysis_jobs) TO "postgres";

REVOKE ALL ON FUNCTION "private"."limit_object_size"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."limit_object_size"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."limit_object_size"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_queue"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_queue"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_queue"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."mailbox_of"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mailbox_of"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mailbox_of"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."registered_address"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."registered_address"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."registered_address"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."release_job"(uuid, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."release_job"(uuid, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."release_job"(uuid, smallint) TO "postgres";

REVOKE ALL ON FUNCTION "private"."signed_in_account"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."signed_in_account"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."signed_in_account"() TO "postgres";

SELECT cron.schedule_in_database('dispatch-due-jobs', '5 seconds', 'select private.dispatch_due_jobs()', 'postgres', NULL, true);

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
