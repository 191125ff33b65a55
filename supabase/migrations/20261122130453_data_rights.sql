SET local check_function_bodies = off;

SELECT cron.unschedule('purge-cron-runs');

SELECT cron.unschedule('purge-declined-contacts');

SELECT cron.unschedule('purge-inbound-texts');

SELECT cron.unschedule('purge-rate-limit-uses');

SELECT cron.unschedule('purge-sent-messages');

SELECT cron.unschedule('purge-transcript-results');

SELECT cron.unschedule('purge-worrying-days');

DROP TRIGGER "end_support_circle" ON "public"."consents";

ALTER TABLE "private"."messaging_settings"
  DROP CONSTRAINT "messaging_settings_positive";

ALTER TABLE "private"."support_settings"
  DROP CONSTRAINT "support_settings_positive";

DROP FUNCTION "private"."purge_declined_contacts"();

DROP FUNCTION "private"."purge_inbound_texts"();

DROP FUNCTION "private"."purge_rate_limit_uses"();

DROP FUNCTION "private"."purge_sent_messages"();

DROP FUNCTION "private"."purge_transcript_results"();

DROP FUNCTION "private"."purge_worrying_days"();

ALTER TABLE "private"."messaging_settings"
  DROP COLUMN "keep_inbound";

ALTER TABLE "private"."messaging_settings"
  DROP COLUMN "keep_sent";

ALTER TABLE "private"."support_settings"
  DROP COLUMN "keep_declined";

CREATE TABLE "private"."bucket_comparisons" (
  "bucket"           text                     NOT NULL,
  "began_at"         timestamp with time zone NOT NULL,
  "compared_through" text                     NOT NULL DEFAULT ''::text,
  "objects"          bigint                   NOT NULL DEFAULT 0,
  "removed"          bigint                   NOT NULL DEFAULT 0,
  "ended_at"         timestamp with time zone,
  CONSTRAINT "bucket_comparisons_pkey" PRIMARY KEY (bucket)
);

CREATE TABLE "private"."personal_data" ();

CREATE TABLE "private"."required_consent_versions" ();

CREATE TABLE "private"."retention_counts" (
  "day"     date   NOT NULL,
  "kind"    text   NOT NULL,
  "deleted" bigint NOT NULL,
  CONSTRAINT "retention_counts_pkey" PRIMARY KEY (day, kind)
);

CREATE TABLE "private"."retention_rules" (
  "kind"   text     NOT NULL,
  "keep"   interval NOT NULL,
  "starts" text     NOT NULL,
  CONSTRAINT "retention_rules_keep_positive" CHECK (((keep > '00:00:00'::interval) AND (keep <= '30 years'::interval))),
  CONSTRAINT "retention_rules_kind_form" CHECK ((kind ~ '^[a-z_]{1,40}$'::text)),
  CONSTRAINT "retention_rules_pkey" PRIMARY KEY (kind)
);

ALTER TABLE "private"."check_in_inputs"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "private"."check_in_media"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."consents"
  ADD COLUMN "renewed" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."consents"
  ADD COLUMN "keep_results" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."consents"
  ADD COLUMN "deleted" jsonb;

CREATE TYPE "private"."data_content" AS ENUM (
  'identity',
  'contact_details',
  'credentials',
  'choices',
  'voice_and_image',
  'words',
  'health',
  'activity'
);

CREATE TYPE "private"."data_store" AS ENUM (
  'relation',
  'bucket',
  'queue'
);

ALTER TABLE "private"."personal_data"
  ADD COLUMN "store" private.data_store NOT NULL;

ALTER TABLE "private"."personal_data"
  ADD COLUMN "schema_name" text NOT NULL;

ALTER TABLE "private"."personal_data"
  ADD COLUMN "relation_name" text NOT NULL;

ALTER TABLE "private"."personal_data"
  ADD COLUMN "columns" text[] NOT NULL;

CREATE TYPE "private"."data_subject" AS ENUM (
  'account',
  'student',
  'staff',
  'support_contact',
  'caller',
  'nobody'
);

ALTER TABLE "private"."personal_data"
  ADD COLUMN "whose" private.data_subject NOT NULL;

ALTER TABLE "private"."personal_data"
  ADD COLUMN "content" private.data_content;

ALTER TABLE "private"."personal_data"
  ADD COLUMN "purpose" text NOT NULL;

ALTER TABLE "private"."personal_data"
  ADD COLUMN "belongs_to" text;

CREATE TYPE "private"."erasure_rule" AS ENUM (
  'delete',
  'anonymize',
  'keep'
);

ALTER TABLE "private"."personal_data"
  ADD COLUMN "erasure" private.erasure_rule;

ALTER TABLE "private"."personal_data"
  ADD COLUMN "reason" text;

ALTER TABLE "private"."personal_data"
  ADD COLUMN "retention" text;

ALTER TYPE "public"."consent_kind" ADD VALUE 'research_export' AFTER 'counselor_access';


SET local check_function_bodies = off;

ALTER TABLE "private"."required_consent_versions"
  ADD COLUMN "kind" public.consent_kind NOT NULL;

ALTER TABLE "private"."required_consent_versions"
  ADD COLUMN "version" text NOT NULL;

CREATE OR REPLACE FUNCTION private.accesses_to_own_data (
  before_entry bigint,
  page_limit   integer
)
  RETURNS TABLE (
    entry         bigint,
    occurred_at   timestamp with time zone,
    action        public.audit_action,
    university_id text,
    role          public.app_role,
    name          text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with person as materialized (
    select p.user_id, p.university_id from public.profiles p where p.user_id = (select private.current_account())
  ),
  page as (
    select least(greatest(page_limit, 0), 200) as size
  ),
  entries as (
    (
      select e.id, e.occurred_at, e.action, e.university_id, e.actor_id
      from person p
      join public.audit_logs e on e.target_type = 'students' and e.target_id = p.user_id::text
      where e.action = 'student_read' and (before_entry is null or e.id < before_entry)
      order by e.id desc
      limit (select size from page)
    )
    union all
    (
      select e.id, e.occurred_at, e.action, e.university_id, e.actor_id
      from person p
      join public.clinical_reviews r on r.user_id = p.user_id
      join public.audit_logs e on e.target_type = 'clinical_reviews' and e.target_id = r.id::text
      where e.action = 'review_changed' and (before_entry is null or e.id < before_entry)
      order by e.id desc
      limit (select size from page)
    )
    union all
    -- Lists in which the person may have been: while counselors of the university could see them.
    (
      select e.id, e.occurred_at, e.action, e.university_id, e.actor_id
      from person p
      join public.consents c on c.user_id = p.user_id and c.kind = 'counselor_access'
      join public.audit_logs e
        on e.action = 'students_listed' and e.university_id = p.university_id
        and e.occurred_at between c.granted_at and coalesce(c.withdrawn_at, 'infinity')
      where before_entry is null or e.id < before_entry
      order by e.occurred_at desc
      limit (select size from page)
    )
    union all
    (
      select e.id, e.occurred_at, e.action, r.university_id, e.actor_id
      from person p
      join public.clinical_reviews r on r.user_id = p.user_id
      join public.audit_logs e
        on e.action = 'reviews_listed' and e.occurred_at between r.opened_at and coalesce(r.closed_at, 'infinity')
      where e.details -> 'universities' ? r.university_id and (before_entry is null or e.id < before_entry)
      order by e.occurred_at desc
      limit (select size from page)
    )
  )
  select distinct on (e.id) e.id, e.occurred_at, e.action, e.university_id, staff.role, staff.name
  from entries e
  left join lateral (
    select s.role, nullif(btrim(f.first_name || ' ' || f.last_name), '') as name
    from public.user_roles s
    join public.profiles f on f.user_id = s.user_id
    where s.user_id = e.actor_id and s.role <> 'student' and s.university_id = e.university_id
    order by s.role
    limit 1
  ) staff on true
  where e.actor_id is distinct from (select user_id from person)
  order by e.id desc
  limit (select size from page)
$function$;

CREATE OR REPLACE FUNCTION private.ask_again()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.students s
  set counselor_access = not s.counselor_access
  where s.counselor_access <> private.has_consent(s.user_id, 'counselor_access');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.belongs_to_a_row (
  bucket text,
  name   text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select case bucket
    when 'university-files' then split_part(name, '/', 2) <> 'students'
      or exists (select from auth.users u where u.id::text = split_part(name, '/', 3))
    else exists (
      select from private.check_in_media m where m.check_in_id = private.check_in_of_path(name) and m.path = name
    )
  end
$function$;

CREATE OR REPLACE FUNCTION private.change_retention (
  changed text,
  term    interval
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not (select private.is_security_admin()) then
    return false;
  end if;
  update private.retention_rules r set keep = term where r.kind = changed and r.keep <> term;
  return exists (select from private.retention_rules r where r.kind = changed);
end
$function$;

CREATE OR REPLACE FUNCTION private.check_in_of_path (
  path text
)
  RETURNS uuid
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when path ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/' then substr(path, 38, 36)::uuid
  end
$function$;

CREATE OR REPLACE FUNCTION private.compare_bucket (
  compared text,
  at       timestamp with time zone,
  most     integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  pass private.bucket_comparisons;
  cutoff timestamptz := at - (select keep from private.retention_rules where kind = 'unfinished_uploads');
  found_objects integer;
  last_name text;
  orphans integer;
begin
  insert into private.bucket_comparisons (bucket, began_at) values (compared, at) on conflict do nothing;
  select * into pass from private.bucket_comparisons where bucket = compared for update skip locked;
  if not found or (pass.ended_at is not null and (pass.began_at at time zone 'UTC')::date = (at at time zone 'UTC')::date) then
    return 0;
  end if;
  if pass.ended_at is not null then
    pass.began_at := at;
    pass.compared_through := '';
    pass.objects := 0;
    pass.removed := 0;
  end if;

  with page as materialized (
    select o.name, o.created_at
    from storage.objects o
    where o.bucket_id = compared and o.name collate "C" > pass.compared_through
    order by o.name collate "C"
    limit most
  ),
  removed as materialized (
    select private.queue_object_removal(compared, p.name, 'no_row')
    from page p
    where p.created_at < cutoff
      and not private.belongs_to_a_row(compared, p.name)
      and not exists (select from private.object_removals r where r.bucket = compared and r.name = p.name)
  )
  select (select count(*) from page), (select max(name collate "C") from page), (select count(*) from removed)
  into found_objects, last_name, orphans;

  update private.bucket_comparisons
  set began_at = pass.began_at,
    compared_through = coalesce(last_name, pass.compared_through),
    objects = pass.objects + found_objects,
    removed = pass.removed + orphans,
    ended_at = case when found_objects < most then at end
  where bucket = compared;
  return orphans;
end
$function$;

CREATE OR REPLACE FUNCTION private.consent_lock (
  student uuid
)
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select hashtextextended('consents ' || student, 0)
$function$;

CREATE OR REPLACE FUNCTION private.consents_for (
  kind private.job_kind
)
  RETURNS public.consent_kind[]
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when kind in ('audio_slice', 'audio_merge') then '{audio}'
    when kind in ('visual_group', 'visual_merge') then '{camera}'
    when kind = 'transcription' then '{audio, text}'
    when kind = 'text' then '{text}'
    else '{}'
  end::public.consent_kind[]
$function$;

CREATE OR REPLACE FUNCTION private.consents_in_force (
  student uuid
)
  RETURNS public.consent_kind[]
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return array(
    select kind from public.consents where user_id = student and withdrawn_at is null and private.is_current_version(kind, version)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.covered_bucket (
  kind public.consent_kind
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case kind when 'audio' then 'check-in-media' when 'camera' then 'check-in-images' end
$function$;

CREATE OR REPLACE FUNCTION private.covered_modality (
  kind public.consent_kind
)
  RETURNS public.modality
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case kind when 'audio' then 'audio' when 'camera' then 'visual' when 'text' then 'text' end::public.modality
$function$;

CREATE OR REPLACE FUNCTION private.delete_covered (
  student      uuid,
  withdrawn    public.consent_kind,
  keep_results boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  covered constant public.modality := private.covered_modality(withdrawn);
  scored constant jsonpath := format('$[*] ? (@.modality == "%s" && @.score != null)', covered)::jsonpath;
  files integer := 0;
  analyses integer := 0;
  transcripts integer := 0;
  results integer := 0;
  affected integer;
begin
  if covered is null then
    return '{}';
  end if;
  perform pg_advisory_xact_lock(private.consent_lock(student));
  perform private.end_work_without_consent(student, withdrawn);

  -- The objects under the student's folder: "0" is the character after "/".
  with queued as materialized (
    select private.queue_object_removal(o.bucket_id, o.name, 'consent_withdrawn')
    from storage.objects o
    where o.bucket_id = private.covered_bucket(withdrawn)
      and o.name collate "C" >= student::text || '/' and o.name collate "C" < student::text || '0'
  )
  select count(*) into files from queued;
  delete from private.check_in_media m
  using checkin.check_ins c
  where c.user_id = student and m.check_in_id = c.id
    and m.kind = case withdrawn when 'audio' then 'audio' when 'camera' then 'image' end;

  if not keep_results then
    delete from public.session_scores r
    where r.user_id = student
      and exists (select from public.session_analyses a where a.session_id = r.session_id and a.modality = covered);
    get diagnostics results = row_count;
  end if;
  delete from public.session_analyses where user_id = student and modality = covered;
  get diagnostics analyses = row_count;
  case withdrawn
    when 'audio' then delete from checkin.audio_analysis where user_id = student;
    when 'camera' then delete from checkin.visual_analysis where user_id = student;
    else delete from checkin.text_analysis where user_id = student;
  end case;
  get diagnostics affected = row_count;
  analyses := analyses + affected;

  if withdrawn = 'text' then
    update private.check_in_inputs i
    set transcript = null, crisis_rule = null
    from checkin.check_ins c
    where c.user_id = student and i.check_in_id = c.id and i.transcript is not null;
    get diagnostics transcripts = row_count;
  end if;

  if keep_results then
    -- What was usual of the features goes with them; the usual score is a result.
    update checkin.user_baselines b
    set version = b.version + 1,
      state = jsonb_set(
        b.state,
        '{features}',
        (
          select coalesce(jsonb_object_agg(f.key, f.value), '{}')
          from jsonb_each(b.state -> 'features') f
          where not starts_with(f.key, covered || '.')
        )
      )
    where b.user_id = student and jsonb_typeof(b.state -> 'features') = 'object';
  else
    if withdrawn = 'text' then
      delete from private.transcript_results where user_id = student;
      get diagnostics affected = row_count;
      results := results + affected;
    end if;
    -- Risk stays where somebody is to act on it: in the review that it opened.
    with deleted as (
      delete from checkin.fusion_results f
      where f.user_id = student and jsonb_path_exists(f.components, scored)
      returning f.check_in_id
    ),
    cleared as (
      update checkin.check_ins c set risk_level = null from deleted d where c.id = d.check_in_id returning c.id
    )
    select count(*) into affected from cleared;
    results := results + affected;
    delete from checkin.user_baselines where user_id = student and affected > 0;
    delete from private.worrying_days where user_id = student and affected > 0;
    perform private.refresh_last_result(student) where affected > 0;
  end if;

  perform private.advance_check_in(c.id)
  from (select id from checkin.check_ins where user_id = student and status = 'processing' order by id) c;
  return jsonb_build_object('files', files, 'analyses', analyses, 'transcripts', transcripts, 'results', results);
end
$function$;

CREATE OR REPLACE FUNCTION private.end_work_without_consent (
  student   uuid,
  withdrawn public.consent_kind
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_ins uuid[];
  ended integer;
begin
  check_ins := array(
    select c.id from checkin.check_ins c where c.user_id = student and c.status = 'processing' order by c.id for update
  );
  -- Also steps that are done, whose findings a merge would read; a transcript that is made belongs to the consent text.
  update private.analysis_jobs j
  set status = 'failed', error_code = 'no_consent', outcome = null, dispatched = false
  where j.check_in_id = any (check_ins)
    and withdrawn = any (private.consents_for(j.kind))
    and (j.status in ('queued', 'running') or j.kind <> 'transcription')
    and j.status <> 'failed';
  get diagnostics ended = row_count;
  -- A score that is being made has read what is deleted now. Its worker is late from here on, and another makes it.
  update private.analysis_jobs j
  set status = 'queued', dispatched = false, next_dispatch_at = '-infinity'
  where j.check_in_id = any (check_ins) and j.kind = 'fusion' and j.status = 'running';
  return ended;
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
  if not private.consents_for(ended.kind) <@ private.consents_in_force(student) then
    update private.analysis_jobs set status = 'failed', error_code = 'no_consent', outcome = null where id = job;
    perform private.advance_check_in(check_in);
    return false;
  end if;
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

CREATE OR REPLACE FUNCTION private.guard_consent()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if old.withdrawn_at is not null then
    raise exception 'This consent was withdrawn; grant a new one instead.' using errcode = 'check_violation';
  end if;
  if new.withdrawn_at is null then
    new.keep_results := false;
  else
    new.withdrawn_at := greatest(now(), new.granted_at);
    if not new.renewed then
      new.deleted := private.delete_covered(new.user_id, new.kind, new.keep_results);
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.has_consent (
  student  uuid,
  required public.consent_kind
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.consents
    where user_id = student and kind = required and withdrawn_at is null and private.is_current_version(kind, version)
  )
$function$;

CREATE OR REPLACE FUNCTION private.is_current_version (
  kind    public.consent_kind,
  version text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select not exists (
    select
    from private.required_consent_versions r
    where r.kind = is_current_version.kind
      and private.version_numbers(is_current_version.version) < private.version_numbers(r.version)
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
  student uuid;
  locked uuid;
begin
  select c.user_id into student
  from checkin.check_ins c
  join private.analysis_jobs j on j.check_in_id = c.id
  where j.id = job;
  perform from auth.users where id = student for key share;
  perform pg_advisory_xact_lock_shared(private.consent_lock(student));

  select c.id into locked
  from checkin.check_ins c
  where c.id = (select check_in_id from private.analysis_jobs where id = job) and c.status = 'processing'
  for update;
  return locked;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_own_account()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform from auth.users where id = (select auth.uid()) for key share;
  return null;
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
  perform pg_advisory_xact_lock_shared(private.consent_lock(student));
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
      when action = 'reviews_listed' then jsonb_build_object(
        'universities', (select jsonb_agg(counseled order by counseled) from private.universities_counseled() as counseled)
      )
      when action <> 'students_listed' then '{}'
      else arguments - '{university,student,search}'::text[] || jsonb_build_object('search', arguments ->> 'search' is not null)
    end
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.own_consent_status()
  RETURNS TABLE (
    kind             public.consent_kind,
    in_force         boolean,
    version          text,
    required_version text,
    granted_at       timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select k.kind, c.version is not null and private.is_current_version(k.kind, c.version), c.version, r.version, c.granted_at
  from unnest(enum_range(null::public.consent_kind)) as k (kind)
  left join public.consents c
    on c.user_id = (select private.current_account()) and c.kind = k.kind and c.withdrawn_at is null
  left join private.required_consent_versions r on r.kind = k.kind
  where (select private.current_account()) is not null
  order by k.kind
$function$;

CREATE OR REPLACE FUNCTION private.personal_data_gaps()
  RETURNS TABLE (
    name    text,
    problem text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with platform (schema_name) as (
    values ('auth'), ('storage'), ('realtime'), ('net'), ('cron'), ('vault'), ('supabase_migrations'), ('supabase_functions')
  ),
  stored as (
    select n.nspname::text as schema_name, c.relname::text as relation_name,
      array_agg(a.attname::text order by a.attnum) as columns
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'm', 'f')
      and not c.relispartition
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (
        select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
          and n.nspname not in (select p.schema_name from platform p)
      )
    group by 1, 2
  ),
  classified as (
    select p.schema_name, p.relation_name, array_agg(column_name) as columns, count(*) > count(distinct column_name) as twice
    from private.personal_data p, unnest(p.columns) as column_name
    where p.store <> 'bucket'
    group by 1, 2
  )
  select s.schema_name || '.' || s.relation_name, 'this table is not classified'
  from stored s
  left join classified c using (schema_name, relation_name)
  where c.columns is null
  union all
  select s.schema_name || '.' || s.relation_name || '.' || column_name, 'this column is not classified'
  from stored s
  join classified c using (schema_name, relation_name)
  cross join unnest(s.columns) as column_name
  where column_name <> all (c.columns)
    and not (c.columns = '{*}' and s.schema_name in (select p.schema_name from platform p))
  union all
  select c.schema_name || '.' || c.relation_name || '.' || column_name, 'is classified and does not exist'
  from classified c
  left join stored s using (schema_name, relation_name)
  cross join unnest(c.columns) as column_name
  where column_name <> '*' and column_name <> all (coalesce(s.columns, '{}'))
    or s.columns is null and c.schema_name not in (select p.schema_name from platform p)
  union all
  select c.schema_name || '.' || c.relation_name, 'a column is classified twice'
  from classified c
  where c.twice
  union all
  select b.id, 'this bucket is not classified'
  from storage.buckets b
  where not exists (select from private.personal_data p where p.store = 'bucket' and p.relation_name = b.id)
$function$;

CREATE OR REPLACE FUNCTION private.purge_expired (
  at   timestamp with time zone DEFAULT now(),
  most integer                  DEFAULT 5000
)
  RETURNS TABLE (
    kind    text,
    deleted integer
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
begin
  -- One run at a time; the next one goes on where it ended.
  if not pg_try_advisory_xact_lock(76, 0) then
    return;
  end if;
  return query
  with purged as materialized (
    select r.kind, private.purge_kind(r.kind, at, most) as deleted from private.retention_rules r order by r.kind
  ),
  counted as (
    insert into private.retention_counts as c (day, kind, deleted)
    select (at at time zone 'UTC')::date, p.kind, p.deleted from purged p where p.deleted > 0
    on conflict on constraint retention_counts_pkey do update set deleted = c.deleted + excluded.deleted
  )
  select p.kind, p.deleted from purged p where p.deleted > 0;
end
$function$;

CREATE OR REPLACE FUNCTION private.purge_kind (
  purged text,
  at     timestamp with time zone,
  most   integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  cutoff timestamptz := at - (select keep from private.retention_rules where kind = purged);
  students uuid[];
  deleted integer;
  further integer;
begin
  case purged
    when 'raw_media' then
      with due as materialized (
        select m.ctid
        from private.check_in_media m
        join checkin.check_ins c on c.id = m.check_in_id
        where m.created_at < cutoff and c.completed_at < cutoff
        order by m.created_at
        limit most
        for update of m skip locked
      ),
      gone as (
        delete from private.check_in_media m where m.ctid = any (array(select ctid from due)) returning m.kind, m.path
      ),
      queued as materialized (
        select private.queue_object_removal(case kind when 'audio' then 'check-in-media' else 'check-in-images' end, path, 'retention')
        from gone
      )
      select count(*) into deleted from queued;
      return deleted;
    when 'unfinished_uploads' then
      -- Looking is cheap: most of what is compared stays.
      return private.compare_bucket('check-in-media', at, 10 * most)
        + private.compare_bucket('check-in-images', at, 10 * most)
        + private.compare_bucket('university-files', at, 10 * most);
    when 'transcripts' then
      update private.check_in_inputs i
      set transcript = null, crisis_rule = null
      where i.check_in_id = any (array(
        select n.check_in_id
        from private.check_in_inputs n
        join checkin.check_ins c on c.id = n.check_in_id
        where n.transcript is not null and n.created_at < cutoff and c.completed_at < cutoff
        order by n.created_at
        limit most
        for update of n skip locked
      ));
    when 'transcript_results' then
      delete from private.transcript_results t
      where t.id = any (array(
        select d.id from private.transcript_results d where d.created_at < cutoff order by d.created_at limit most for update skip locked
      ));
    when 'results' then
      -- Locks the student too, as the deletion of an account does.
      with due as materialized (
        select c.id
        from checkin.check_ins c
        join auth.users u on u.id = c.user_id
        where c.created_at < cutoff and c.status <> 'processing'
        order by c.created_at
        limit most
        for key share of u skip locked
        for update of c skip locked
      ),
      gone as (
        delete from checkin.check_ins c where c.id = any (array(select id from due)) returning c.user_id
      )
      select count(*), array_agg(distinct user_id order by user_id) into deleted, students from gone;
      perform private.refresh_last_result(student) from unnest(students) as student;
      delete from public.assessment_sessions s
      where s.id = any (array(
        select d.id from public.assessment_sessions d where d.created_at < cutoff order by d.created_at limit most for update skip locked
      ));
      get diagnostics further = row_count;
      return deleted + further;
    when 'clinical_reviews' then
      delete from public.clinical_reviews r
      where r.id = any (array(
        select d.id from public.clinical_reviews d where d.status = 'closed' and d.closed_at < cutoff limit most for update skip locked
      ));
    when 'worrying_days' then
      delete from private.worrying_days w
      where w.ctid = any (array(
        select d.ctid from private.worrying_days d where d.day < (cutoff at time zone 'UTC')::date limit most for update skip locked
      ));
    when 'support_history' then
      return private.purge_support_history(cutoff, most);
    when 'declined_contacts' then
      delete from public.buddy_contacts c
      where c.id = any (array(
        select d.id from public.buddy_contacts d where d.declined_at < cutoff limit most for update skip locked
      ));
    when 'inbound_texts' then
      delete from private.inbound_texts t
      where t.ctid = any (array(
        select d.ctid from private.inbound_texts d where d.received_at < cutoff order by d.received_at limit most for update skip locked
      ));
    when 'sent_messages' then
      delete from private.outbox o
      where o.id = any (array(
        select d.id
        from private.outbox d
        where d.status in ('sent', 'cancelled') and d.ended_at < cutoff
        order by d.ended_at
        limit most
        for update skip locked
      ));
    when 'undelivered_messages' then
      delete from private.outbox o
      where o.id = any (array(
        select d.id
        from private.outbox d
        where d.status in ('dead', 'unconfirmed') and d.ended_at < cutoff
        order by d.ended_at
        limit most
        for update skip locked
      ));
    when 'channel_messages' then
      delete from realtime.messages m
      where (m.id, m.inserted_at) in (
        select d.id, d.inserted_at from realtime.messages d where d.inserted_at < cutoff at time zone 'UTC' limit most
      );
    when 'rate_limit_uses' then
      delete from private.rate_limit_uses u
      where u.ctid = any (array(
        select d.ctid
        from private.rate_limit_uses d
        join private.rate_limit_rules r on r.scope = d.scope
        where d.used_at[cardinality(d.used_at)] < least(cutoff, at - r.period)
        limit most
        for update of d skip locked
      ));
    when 'logged_accesses' then
      delete from private.logged_accesses l
      where l.ctid = any (array(
        select d.ctid from private.logged_accesses d where d.logged_at < cutoff limit most for update skip locked
      ));
    when 'sign_in_log' then
      delete from auth.audit_log_entries e
      where e.id = any (array(select d.id from auth.audit_log_entries d where d.created_at < cutoff limit most));
    when 'cron_runs' then
      delete from cron.job_run_details r
      where r.runid = any (array(select d.runid from cron.job_run_details d where d.end_time < cutoff limit most));
    else
      return 0;
  end case;
  get diagnostics deleted = row_count;
  return deleted;
end
$function$;

CREATE OR REPLACE FUNCTION private.purge_support_history (
  cutoff timestamp with time zone,
  most   integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  deleted integer := 0;
  affected integer;
begin
  delete from public.support_alerts a
  where a.id = any (array(
    select d.id from public.support_alerts d where d.status <> 'open' and d.opened_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from public.buddy_check_in_requests r
  where r.id = any (array(
    select d.id from public.buddy_check_in_requests d where d.created_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  -- The proof of what somebody agreed to lasts as long as they are a contact.
  delete from public.buddy_verification_audit a
  where a.id = any (array(
    select d.id from public.buddy_verification_audit d where d.buddy_contact_id is null and d.created_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.buddy_verification_sends s
  where s.id = any (array(
    select d.id from private.buddy_verification_sends d where d.sent_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.buddy_refusals f
  where f.ctid = any (array(
    select d.ctid from private.buddy_refusals d where d.refused_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.support_standstills s
  where s.id = any (array(
    select d.id from private.support_standstills d where d.ended_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  return deleted + affected;
end
$function$;

CREATE OR REPLACE FUNCTION private.refresh_last_result (
  student uuid
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  update public.students s
  set last_score = last.score,
    last_uncertainty = last.uncertainty,
    last_direction_of_change = last.direction_of_change,
    risk_level = coalesce(ended.risk_level, 'none')
  from (select student as user_id) as this
  left join lateral (
    select f.score, f.uncertainty, f.direction_of_change
    from checkin.fusion_results f
    where f.user_id = this.user_id
    order by f.created_at desc
    limit 1
  ) last on true
  left join lateral (
    select c.risk_level
    from checkin.check_ins c
    where c.user_id = this.user_id and c.status in ('complete', 'failed')
    order by c.completed_at desc
    limit 1
  ) ended on true
  where s.user_id = this.user_id
$function$;

CREATE OR REPLACE FUNCTION private.renew_consent()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if private.is_current_version(new.kind, new.version) then
    update public.consents c
    set withdrawn_at = now(), renewed = true
    where c.user_id = new.user_id and c.kind = new.kind and c.withdrawn_at is null
      and not private.is_current_version(c.kind, c.version);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.retention_terms_of()
  RETURNS TABLE (
    kind   text,
    keep   interval,
    starts text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select r.kind, r.keep, r.starts
  from private.retention_rules r
  where (select private.current_account()) is not null
  order by r.kind
$function$;

CREATE OR REPLACE FUNCTION private.standstills_at (
  at timestamp with time zone
)
  RETURNS TABLE (
    kind     text,
    alert_id uuid,
    user_id  uuid
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with clock as (
    select s.*, at - s.standstill_after as late, (at at time zone 'UTC')::date as today
    from private.support_settings s
  ),
  -- Materialized, so that no plan computes it for each alert.
  asked as materialized (
    select a.id as alert_id, a.user_id, r.id as request_id, r.created_at, r.sent_at, r.response_type, r.response_received_at,
      r.delivery_status, r.buddy_contact_id, o.id as message_id, o.status, o.send_at, o.lease_until, o.ended_at as message_ended_at,
      r.created_at = max(r.created_at) over (partition by a.id) as is_newest,
      greatest(
        case when r.response_type is not null then r.response_received_at end,
        case when o.status in ('dead', 'cancelled') or r.delivery_status in ('undelivered', 'failed') then o.ended_at end,
        case when not (c.is_active and c.verified) then c.updated_at end,
        n.opted_out_at
      ) as over_at
    from public.support_alerts a
    join public.buddy_check_in_requests r
      on r.user_id = a.user_id and r.request_type = 'system_initiated' and r.created_at >= a.opened_at
    left join private.outbox o on o.request_id = r.id and o.purpose = 'support_alert'
    left join public.buddy_contacts c on c.id = r.buddy_contact_id
    left join private.buddy_links l on l.request_id = r.id
    left join private.text_opt_outs n on n.number_hash = l.number_hash
    where a.status = 'open'
  ),
  happened as materialized (
    select q.alert_id,
      count(*) as requests,
      max(q.created_at) as asked_at,
      min(q.response_received_at) filter (where q.response_type in ('called', 'messaged')) as answered_at,
      count(*) filter (where q.is_newest and q.over_at is null) as awaited,
      max(q.over_at) filter (where q.is_newest) as over_at,
      coalesce(
        min(q.sent_at) filter (where q.is_newest and q.delivery_status not in ('undelivered', 'failed')),
        min(q.message_ended_at) filter (where q.is_newest and q.status = 'unconfirmed')
      ) as first_sent_at,
      bool_or(
        (q.status = 'queued' and (q.send_at < late or q.send_at > at + interval '24 hours'))
        or (q.status = 'sending' and q.lease_until < late)
      ) as is_stuck,
      bool_or(
        q.message_id is null and q.delivery_status = 'queued' and q.buddy_contact_id is not null and q.created_at < late
      ) as is_lost
    from clock
    cross join asked q
    group by q.alert_id
  ),
  facts as (
    select a.id as alert_id, a.user_id, a.opened_at, a.step, a.step_began_at, a.crisis_contact_told_at,
      coalesce(h.requests, 0) as requests, h.asked_at, h.answered_at, coalesce(h.awaited, 0) as awaited, h.over_at,
      h.first_sent_at, h.is_stuck, h.is_lost
    from public.support_alerts a
    left join happened h on h.alert_id = a.id
    where a.status = 'open'
  )
  select found.kind, f.alert_id, f.user_id
  from clock k
  cross join facts f
  cross join lateral (
    select max(p.step) as steps, count(p.request_id) as asked
    from private.support_alert_plan p
    where p.alert_id = f.alert_id
  ) as plan
  cross join lateral (
    values
      ('past_its_end', f.opened_at + k.alert_valid < k.late),
      ('answer_without_effect', f.answered_at < k.late),
      ('nobody_asked', f.requests = 0 and f.opened_at < k.late),
      ('nobody_awaited', f.requests > 0 and f.awaited = 0 and f.over_at < k.late),
      ('next_not_asked', f.answered_at is null and f.first_sent_at + k.response_time < k.late),
      (
        'crisis_contact_not_told',
        f.first_sent_at is null and f.crisis_contact_told_at is null and f.asked_at + k.response_time < k.late
      ),
      ('text_stuck', f.is_stuck),
      ('text_lost', f.is_lost),
      ('plan_wrong', f.asked_at < k.late and (f.step > coalesce(plan.steps, 0) or f.requests > plan.asked)),
      (
        'clock_wrong',
        f.opened_at > at + k.standstill_after or f.step_began_at > at + k.standstill_after
          or f.step_began_at < f.opened_at or f.step_began_at <> f.asked_at
      )
  ) as found (kind, is_so)
  where found.is_so

  union all
  select 'status_wrong', a.id, a.user_id
  from clock k
  join public.support_alerts a on a.ended_at > at - interval '7 days'
  where a.ended_at < a.opened_at
    or a.ended_at > at + k.standstill_after
    or case a.status
      when 'answered' then not exists (
        select
        from public.buddy_check_in_requests r
        where r.user_id = a.user_id and r.request_type = 'system_initiated' and r.created_at >= a.opened_at
          and r.response_type in ('called', 'messaged') and r.response_received_at <= a.ended_at + k.standstill_after
      )
      when 'resolved' then a.all_right_at is null
        and not exists (
          select
          from public.consents c
          where c.user_id = a.user_id and c.kind = 'support_circle' and c.withdrawn_at <= a.ended_at + k.standstill_after
        )
        and private.has_consent(a.user_id, 'support_circle')
      when 'expired' then a.ended_at < a.opened_at + k.alert_valid
      else a.crisis_contact_told_at is null
    end

  union all
  select 'crisis_contact_not_told', a.id, a.user_id
  from public.support_alerts a
  where a.ended_at > at - interval '7 days'
    and a.crisis_contact_told_at is not null
    and not (
      exists (select from private.clinical_review_sources s where s.source = 'support_alert' and s.source_id = a.id)
      and exists (
        select
        from private.outbox o
        where o.user_id = a.user_id and o.purpose = 'support_alert_escalation' and o.status <> 'dead'
          and o.created_at >= a.opened_at - interval '1 day'
      )
    )

  union all
  select 'crisis_mail_stuck', null, o.user_id
  from clock k
  join private.outbox o on o.purpose = 'support_alert_escalation'
    and ((o.status = 'queued' and o.send_at < k.late) or (o.status = 'sending' and o.lease_until < k.late))

  union all
  select 'pattern_without_alert', null, w.user_id
  from clock k
  join private.worrying_days w on w.stored_at < k.late
    and w.day > k.today - k.pattern_window_days
    and w.day <= (k.late at time zone 'UTC')::date
  join auth.users u on u.id = w.user_id and (u.banned_until is null or u.banned_until < k.late)
  where exists (
      select
      from public.consents c
      where c.user_id = w.user_id and c.kind = 'support_circle' and c.withdrawn_at is null and c.granted_at < k.late
    )
    and private.has_consent(w.user_id, 'support_circle')
    and not exists (
      select from public.support_preferences p where p.user_id = w.user_id and p.alerts_paused_until > k.late
    )
    and not exists (
      select from public.support_alerts a where a.user_id = w.user_id and a.opened_at > k.late - k.alert_pause
    )
  group by w.user_id, k.pattern_days
  having count(*) >= k.pattern_days

  union all
  -- Only while cron itself has worked for that long: after a pause of the project, the first runs have yet to come.
  select 'tick_not_running', null, null
  from clock k
  where exists (
      select from cron.job_run_details d where d.start_time between k.late - k.standstill_after and k.late
    )
    and not exists (
      select
      from cron.job_run_details d
      join cron.job j on j.jobid = d.jobid
      where j.jobname = 'tick-support-alerts' and j.active and d.status = 'succeeded' and d.end_time between k.late and at
    )
$function$;

CREATE OR REPLACE FUNCTION private.store_session_analysis (
  session uuid,
  student uuid,
  stored  jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  result public.session_analyses := jsonb_populate_record(
    null::public.session_analyses,
    stored || jsonb_build_object('session_id', session, 'user_id', student, 'created_at', now())
  );
begin
  if not private.lock_session(session, student) then
    return false;
  end if;
  if not exists (
    select from unnest(private.consents_in_force(student)) as agreed where private.covered_modality(agreed) = result.modality
  ) then
    return null;
  end if;
  delete from public.session_analyses where session_id = session and modality = result.modality;
  insert into public.session_analyses select result.*;
  if result.risk_level = 'high' then
    perform private.open_clinical_review(student, 'session', session);
  end if;
  perform private.broadcast_session(
    session, 'analysis_complete', jsonb_build_object('analysis_type', result.modality)
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.store_session_score (
  session uuid,
  student uuid,
  stored  jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  result public.session_scores := jsonb_populate_record(
    null::public.session_scores,
    stored || jsonb_build_object('session_id', session, 'user_id', student, 'created_at', now())
  );
begin
  if not private.lock_session(session, student) then
    return false;
  end if;
  if exists (
    select
    from (values ('audio_score', 'audio'::public.consent_kind), ('visual_score', 'camera'), ('text_score', 'text')) as part (name, consent)
    where jsonb_typeof(result.fusion_score -> 'component_scores' -> part.name) = 'number'
      and part.consent <> all (private.consents_in_force(student))
  ) then
    return null;
  end if;
  delete from public.session_scores where session_id = session;
  insert into public.session_scores select result.*;
  if result.risk_level = 'high' then
    perform private.open_clinical_review(student, 'session', session);
  end if;
  perform private.broadcast_session(
    session, 'score_calculated', jsonb_build_object('score', result.final_score)
  );
  return true;
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
  perform pg_advisory_xact_lock_shared(private.consent_lock(student));
  if not private.has_consent(student, 'text') then
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

CREATE OR REPLACE FUNCTION private.students_to_alert (
  at timestamp with time zone
)
  RETURNS TABLE (
    user_id       uuid,
    worrying_days integer
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with worried as materialized (
    select w.user_id, count(*)::integer as days
    from private.support_settings s
    cross join lateral (select (at at time zone 'UTC')::date as today) as clock
    join private.worrying_days w on w.day > clock.today - s.pattern_window_days and w.day <= clock.today
    group by w.user_id, s.pattern_days
    having count(*) >= s.pattern_days
  )
  select w.user_id, w.days
  from worried w
  cross join private.support_settings s
  join auth.users u on u.id = w.user_id and (u.banned_until is null or u.banned_until <= now())
  where private.has_consent(w.user_id, 'support_circle')
    and not exists (
      select from public.support_preferences p where p.user_id = w.user_id and p.alerts_paused_until > at
    )
    and not exists (
      select from public.support_alerts a
      where a.user_id = w.user_id and (a.status = 'open' or a.opened_at > at - s.alert_pause)
    )
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
  -- What was agreed to when the caller looked may be withdrawn by now.
  agreed public.consent_kind[];
begin
  perform from auth.users where id = student for key share;
  perform pg_advisory_xact_lock_shared(private.consent_lock(student));
  agreed := private.consents_in_force(student);
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
    case when 'text' = any (agreed) then i.transcript end,
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
  )
  where case m.kind when 'audio' then 'audio' else 'camera' end::public.consent_kind = any (agreed);

  insert into private.analysis_jobs (check_in_id, kind, ordinal, input)
  select check_in, j.kind, j.ordinal, coalesce(j.input, '{}')
  from jsonb_to_recordset(jobs) as j (kind private.job_kind, ordinal smallint, input jsonb)
  where private.consents_for(j.kind) <@ agreed;

  perform private.advance_check_in(check_in);
  perform private.broadcast_check_in(
    check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'processing')
  );
  return 'accepted';
end
$function$;

CREATE OR REPLACE FUNCTION private.version_numbers (
  version text
)
  RETURNS numeric[]
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select array(select number[1]::numeric from regexp_matches(version, '[0-9]+', 'g') as number)
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_own_consent (
  withdrawn public.consent_kind,
  keep      boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  ended public.consents;
begin
  update public.consents c
  set withdrawn_at = now(), keep_results = keep
  where c.user_id = (select private.current_account()) and c.kind = withdrawn and c.withdrawn_at is null
  returning * into ended;
  if ended.id is null then
    return null;
  end if;
  return jsonb_build_object('kind', ended.kind, 'withdrawn_at', ended.withdrawn_at, 'deleted', ended.deleted);
end
$function$;

CREATE OR REPLACE FUNCTION public.consent_status()
  RETURNS TABLE (
    kind             public.consent_kind,
    in_force         boolean,
    version          text,
    required_version text,
    granted_at       timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT s.kind,
     s.in_force,
     s.version,
     s.required_version,
     s.granted_at
    FROM private.own_consent_status() s(kind, in_force, VERSION, required_version, granted_at);
END;

REVOKE ALL ON FUNCTION "public"."consent_status"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_own_accesses (
  before_entry bigint  DEFAULT NULL::bigint,
  page_limit   integer DEFAULT 50
)
  RETURNS TABLE (
    entry         bigint,
    occurred_at   timestamp with time zone,
    action        public.audit_action,
    university_id text,
    role          public.app_role,
    name          text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT a.entry,
     a.occurred_at,
     a.action,
     a.university_id,
     a.role,
     a.name
    FROM private.accesses_to_own_data(list_own_accesses.before_entry, list_own_accesses.page_limit) a(entry, occurred_at, action, university_id, ROLE, name);
END;

REVOKE ALL ON FUNCTION "public"."list_own_accesses"(bigint, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.retention_terms()
  RETURNS TABLE (
    kind   text,
    keep   interval,
    starts text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT t.kind,
     t.keep,
     t.starts
    FROM private.retention_terms_of() t(kind, keep, starts);
END;

REVOKE ALL ON FUNCTION "public"."retention_terms"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.set_retention (
  kind text,
  keep interval
)
  RETURNS boolean
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.change_retention(kind, keep)
  AS change_retention;
END;

REVOKE ALL ON FUNCTION "public"."set_retention"(text, interval) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.withdraw_consent (
  kind         public.consent_kind,
  keep_results boolean             DEFAULT false
)
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.withdraw_own_consent(kind, keep_results)
  AS withdraw_own_consent;
END;

REVOKE ALL ON FUNCTION "public"."withdraw_consent"(public.consent_kind, boolean) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "private"."messaging_settings"
  ADD CONSTRAINT "messaging_settings_positive"
    CHECK
    (((lease > '00:00:00'::interval) AND (retry_backoff > '00:00:00'::interval) AND (longest_backoff >= retry_backoff) AND (max_attempts > 0) AND (review_digest_after >
    '00:00:00'::interval)));

ALTER TABLE "private"."personal_data"
  ADD CONSTRAINT "personal_data_classified" CHECK (
CASE
    WHEN (whose = 'nobody'::private.data_subject) THEN ((content IS NULL) AND (belongs_to IS NULL) AND (erasure IS NULL))
    ELSE ((content IS NOT NULL) AND (erasure IS NOT NULL))
END);

ALTER TABLE "private"."personal_data"
  ADD CONSTRAINT "personal_data_columns_some" CHECK ((cardinality(columns) > 0));

ALTER TABLE "private"."personal_data"
  ADD CONSTRAINT "personal_data_person_unless_kept" CHECK (((erasure IS NULL) OR (erasure = 'keep'::private.erasure_rule) OR (belongs_to IS NOT NULL)));

ALTER TABLE "private"."personal_data"
  ADD CONSTRAINT "personal_data_pkey" PRIMARY KEY (schema_name, relation_name, columns);

ALTER TABLE "private"."personal_data"
  ADD CONSTRAINT "personal_data_reason_when_kept" CHECK (((NOT (erasure IS DISTINCT FROM 'keep'::private.erasure_rule)) = (reason IS NOT NULL)));

ALTER TABLE "private"."required_consent_versions"
  ADD CONSTRAINT "required_consent_versions_pkey" PRIMARY KEY (kind);

ALTER TABLE "private"."required_consent_versions"
  ADD CONSTRAINT "required_consent_versions_version_form" CHECK (((version ~ '^[A-Za-z0-9._-]{1,40}$'::text) AND (version ~ '[0-9]'::text)));

ALTER TABLE "private"."personal_data"
  ADD CONSTRAINT "personal_data_retention_fkey" FOREIGN KEY (retention) REFERENCES private.retention_rules(kind);

ALTER TABLE "private"."retention_counts"
  ADD CONSTRAINT "retention_counts_kind_fkey" FOREIGN KEY (kind) REFERENCES private.retention_rules(kind) ON DELETE CASCADE;

ALTER TABLE "private"."support_settings"
  ADD CONSTRAINT "support_settings_positive"
    CHECK
    (((link_valid > '00:00:00'::interval) AND (verification_pause > '00:00:00'::interval) AND (max_verifications > 0) AND (daily_verifications > 0) AND (max_contacts >= 5) AND
    (request_pause > '00:00:00'::interval) AND (alert_pause > '00:00:00'::interval) AND (response_time > '00:00:00'::interval) AND (contacts_at_once > 0) AND
    (alert_valid > response_time) AND (longest_student_pause > '00:00:00'::interval) AND (standstill_after > '00:00:00'::interval)));

ALTER TABLE "public"."consents"
  ADD CONSTRAINT "consents_renewed_when_ended" CHECK (((withdrawn_at IS NOT NULL) OR (NOT renewed)));

CREATE INDEX check_ins_created_at_idx ON checkin.check_ins USING btree (created_at);

CREATE INDEX check_in_inputs_transcript_created_at_idx ON private.check_in_inputs USING btree (created_at)
  WHERE (transcript IS NOT NULL);

CREATE INDEX check_in_media_created_at_idx ON private.check_in_media USING btree (created_at);

CREATE INDEX personal_data_retention_idx ON private.personal_data USING btree (retention);

CREATE INDEX retention_counts_kind_idx ON private.retention_counts USING btree (kind);

CREATE INDEX assessment_sessions_created_at_idx ON public.assessment_sessions USING btree (created_at);

CREATE TRIGGER ask_again
  AFTER INSERT OR DELETE OR UPDATE ON private.required_consent_versions
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.ask_again();

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.required_consent_versions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('kind');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.retention_rules DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('kind');

CREATE TRIGGER end_support_circle
  AFTER UPDATE ON public.consents
  FOR EACH ROW
  WHEN (((new.kind = 'support_circle'::public.consent_kind) AND (old.withdrawn_at IS NULL) AND (new.withdrawn_at IS NOT NULL) AND (NOT new.renewed)))
  EXECUTE FUNCTION private.end_support_circle();

CREATE TRIGGER lock_own_account
  BEFORE UPDATE ON public.consents
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.lock_own_account();

CREATE TRIGGER renew_consent
  BEFORE INSERT ON public.consents
  FOR EACH ROW
  EXECUTE FUNCTION private.renew_consent();

COMMENT ON COLUMN "private"."bucket_comparisons"."began_at" IS 'When it began.';

COMMENT ON COLUMN "private"."bucket_comparisons"."bucket" IS 'The bucket.';

COMMENT ON COLUMN "private"."bucket_comparisons"."compared_through" IS 'Name of the last object that was compared.';

COMMENT ON COLUMN "private"."bucket_comparisons"."ended_at" IS 'When the last object was compared; null while it goes on.';

COMMENT ON COLUMN "private"."bucket_comparisons"."objects" IS 'Objects that were compared.';

COMMENT ON COLUMN "private"."bucket_comparisons"."removed" IS 'Objects that belong to no row and were queued for removal.';

COMMENT ON COLUMN "private"."check_in_inputs"."created_at" IS 'When it was submitted.';

COMMENT ON COLUMN "private"."check_in_media"."created_at" IS 'When it was submitted.';

COMMENT ON COLUMN "private"."personal_data"."belongs_to" IS 'SQL condition that finds the rows of a person, with t for the table (storage.objects for a bucket) and $1 for the account''s id; null when no account leads to them.';

COMMENT ON COLUMN "private"."personal_data"."columns" IS 'The columns that the row is about; {*}: all of them, of a bucket and of a table whose columns the platform decides.';

COMMENT ON COLUMN "private"."personal_data"."content" IS 'What kind of data it is; null when it is nobody''s.';

COMMENT ON COLUMN "private"."personal_data"."erasure" IS 'What erasing the person does to it; null when it is nobody''s.';

COMMENT ON COLUMN "private"."personal_data"."purpose" IS 'What it is kept for.';

COMMENT ON COLUMN "private"."personal_data"."reason" IS 'Why erasure keeps it, and for how long.';

COMMENT ON COLUMN "private"."personal_data"."relation_name" IS 'The table, or the bucket.';

COMMENT ON COLUMN "private"."personal_data"."retention" IS 'The rule after which it is deleted anyway; null when it is kept as long as the account.';

COMMENT ON COLUMN "private"."personal_data"."schema_name" IS 'Schema of the table; storage for a bucket.';

COMMENT ON COLUMN "private"."personal_data"."store" IS 'Where the data lies.';

COMMENT ON COLUMN "private"."personal_data"."whose" IS 'Whose data it is.';

COMMENT ON COLUMN "private"."required_consent_versions"."kind" IS 'What is agreed to.';

COMMENT ON COLUMN "private"."required_consent_versions"."version" IS 'The earliest version that counts, compared number by number: 2026-9 is before 2026-10, and 1.9 before 1.10.';

COMMENT ON COLUMN "private"."retention_counts"."day" IS 'The day (UTC).';

COMMENT ON COLUMN "private"."retention_counts"."deleted" IS 'Rows that were deleted, or files that were queued for removal.';

COMMENT ON COLUMN "private"."retention_counts"."kind" IS 'The kind of data.';

COMMENT ON COLUMN "private"."retention_rules"."keep" IS 'For how long.';

COMMENT ON COLUMN "private"."retention_rules"."kind" IS 'What is kept.';

COMMENT ON COLUMN "private"."retention_rules"."starts" IS 'From when on the term counts, and what is deleted at its end.';

COMMENT ON COLUMN "public"."consents"."deleted" IS 'What the withdrawal deleted: an object of counts; null while nothing was withdrawn.';

COMMENT ON COLUMN "public"."consents"."keep_results" IS 'What the student chose with the withdrawal: to keep past results; media, features and transcripts are deleted all the same.';

COMMENT ON COLUMN "public"."consents"."renewed" IS 'Whether it ended because the student agreed to a later version, so that nothing was withdrawn.';

COMMENT ON COLUMN "public"."consents"."withdrawn_at" IS 'When the student withdrew it, or agreed to a later version; null before that.';

COMMENT ON FUNCTION "private"."accesses_to_own_data"(bigint, integer) IS 'Implementation of public.list_own_accesses, which calls it.';

COMMENT ON FUNCTION "private"."ask_again"() IS 'Trigger: when another version of counselor_access is required, counselors see the students who agreed to it and no others.';

COMMENT ON FUNCTION "private"."belongs_to_a_row"(text, text) IS 'Whether an object of a bucket belongs to a submitted check-in, to a student''s folder or to a university. Called by private.compare_bucket.';

COMMENT ON FUNCTION "private"."change_retention"(text, interval) IS 'Implementation of public.set_retention, which calls it.';

COMMENT ON FUNCTION "private"."check_in_of_path"(text) IS 'The check-in in whose folder an object lies; null when it lies elsewhere. Called by private.belongs_to_a_row.';

COMMENT ON FUNCTION "private"."compare_bucket"(text, timestamp with time zone, integer) IS 'Compares the next objects of a bucket with the tables, once through a day; those older than unfinished_uploads that belong to no row are queued for removal. Returns how many. Called by private.purge_kind.';

COMMENT ON FUNCTION "private"."consent_lock"(uuid) IS 'Number of the advisory lock of a student''s consents. Called by what stores analyses and results, and by the withdrawal.';

COMMENT ON FUNCTION "private"."consents_for"(private.job_kind) IS 'Consents that a kind of job needs; a score is made of what is consented to. Called where jobs are queued and ended, and by the withdrawal.';

COMMENT ON FUNCTION "private"."consents_in_force"(uuid) IS 'The student''s consents that are in force. Called where analyses are stored, with the lock of private.consent_lock, so that none is withdrawn meanwhile.';

COMMENT ON FUNCTION "private"."covered_bucket"(public.consent_kind) IS 'Bucket of the media that a consent covers; null when it covers none. Called by the withdrawal.';

COMMENT ON FUNCTION "private"."covered_modality"(public.consent_kind) IS 'Modality whose analysis a consent covers; null when it covers none. Called by the withdrawal.';

COMMENT ON FUNCTION "private"."delete_covered"(uuid, public.consent_kind, boolean) IS 'Deletes what a consent covered that is being withdrawn: queues media for removal, deletes features and transcripts, results too unless they are kept; running work of that kind ends. Returns {files, analyses, transcripts, results}: how many. Called by private.guard_consent.';

COMMENT ON FUNCTION "private"."end_work_without_consent"(uuid, public.consent_kind) IS 'Ends the jobs of a student''s check-ins that need a consent which is being withdrawn, done ones included, and has scores made anew; returns how many ended. Called by the withdrawal.';

COMMENT ON FUNCTION "private"."finish_job"(uuid, smallint, jsonb) IS 'Stores what a job found and the end of the job in one transaction; false when the attempt is no longer the current one, and when a consent that it needs is not in force any more: then nothing of it is stored. Called by the workers.';

COMMENT ON FUNCTION "private"."guard_consent"() IS 'Trigger: a withdrawal gets the server''s time, cannot be undone, and deletes what the consent covered; what was deleted is stored with it.';

COMMENT ON FUNCTION "private"."has_consent"(uuid, public.consent_kind) IS 'Whether the student''s consent of this kind is in force, in a version that still counts. Called by the pipeline, the sessions and the edge functions.';

COMMENT ON FUNCTION "private"."is_current_version"(public.consent_kind, text) IS 'Whether a consent to this version of the text counts. Called by private.has_consent and where consents are shown and renewed.';

COMMENT ON FUNCTION "private"."lock_own_account"() IS 'Trigger: locks the caller''s account before a consent changes, in the order in which everything else does.';

COMMENT ON FUNCTION "private"."own_consent_status"() IS 'Implementation of public.consent_status, which calls it.';

COMMENT ON FUNCTION "private"."personal_data_gaps"() IS 'What the inventory of personal data lacks, names twice, or names though it does not exist; no row when it is true. Called by the tests, and by operators on their project.';

COMMENT ON FUNCTION "private"."purge_expired"(timestamp with time zone, integer) IS 'Deletes what has been kept long enough, a bounded number of each kind; returns what and how many, no row when nothing is due. Called by cron.';

COMMENT ON FUNCTION "private"."purge_kind"(text, timestamp with time zone, integer) IS 'Deletes what has been kept for as long as its rule says, the oldest first and most rows at once; returns how many. Called by private.purge_expired.';

COMMENT ON FUNCTION "private"."purge_support_history"(timestamp with time zone, integer) IS 'Deletes alerts, requests, verifications and findings from before the cutoff, at most as many of each; returns how many. Called by private.purge_kind.';

COMMENT ON FUNCTION "private"."refresh_last_result"(uuid) IS 'Takes the student''s last result anew from the results that are left. Called where results are deleted.';

COMMENT ON FUNCTION "private"."renew_consent"() IS 'Trigger: agreeing to a version that counts ends the consent to one that no longer does, which withdraws nothing.';

COMMENT ON FUNCTION "private"."retention_terms_of"() IS 'Implementation of public.retention_terms, which calls it.';

COMMENT ON FUNCTION "private"."store_session_analysis"(uuid, uuid, jsonb) IS 'Replaces the session''s analysis of a modality, opens a review on high risk and broadcasts it, in one transaction; false when the session is not the student''s, null when the consent that it needs is not in force any more. Called by the analysis functions.';

COMMENT ON FUNCTION "private"."store_session_score"(uuid, uuid, jsonb) IS 'Replaces the session''s score, opens a review on high risk and broadcasts it, in one transaction; false when the session is not the student''s, null when a consent was withdrawn since its input was read. Called by calculate-wellbeing-score.';

COMMENT ON FUNCTION "private"."store_transcript_result"(uuid, jsonb) IS 'Stores the result of a transcript and opens a review on high risk, in one transaction; null when the check-in is not the student''s, the consent is not in force any more, or the account was deleted. Called by the function api.';

COMMENT ON FUNCTION "private"."version_numbers"(text) IS 'The numbers of a version, by which versions are ordered. Called by private.is_current_version.';

COMMENT ON FUNCTION "private"."withdraw_own_consent"(public.consent_kind, boolean) IS 'Implementation of public.withdraw_consent, which calls it.';

COMMENT ON FUNCTION "public"."consent_status"() IS 'Every kind of consent, whether the caller''s is in force, the version agreed to, and the version that is required at least; asks again where version is set and in_force is false. Called by students.';

COMMENT ON FUNCTION "public"."list_own_accesses"(bigint, integer) IS 'Who of the staff read or handled what is stored of the caller, the newest first, at most 200 a page; the next page is before the last entry. The name is that of somebody who works at the university now. Called by everybody who is signed in and has a role.';

COMMENT ON FUNCTION "public"."retention_terms"() IS 'How long each kind of data is kept, and from when on. Called by everybody who is signed in.';

COMMENT ON FUNCTION "public"."set_retention"(text, interval) IS 'Changes how long a kind of data is kept; the change is in the audit log. False for an unknown kind and for others. Called by security administrators.';

COMMENT ON FUNCTION "public"."withdraw_consent"(public.consent_kind, boolean) IS 'Withdraws the caller''s consent of this kind and deletes what it covered: {kind, withdrawn_at, deleted: {files, analyses, transcripts, results}}; null when there was none. With keep_results past scores stay. Called by students; the same as setting withdrawn_at (and keep_results) of the row.';

COMMENT ON TABLE "private"."bucket_comparisons" IS 'The last comparison of each bucket with the tables, and how far it is.';

COMMENT ON TABLE "private"."personal_data" IS 'Inventory of personal data: every column of every table, every bucket and every queue, those without personal data included. Rows are in sql/91_personal_data.sql; docs/privacy.md is made from it.';

COMMENT ON TABLE "private"."required_consent_versions" IS 'The version of its text that a consent must have at least; of a kind without a row any version counts. An operator raises it when a text changes, and the students are asked again.';

COMMENT ON TABLE "private"."retention_counts" IS 'How much retention deleted on each day.';

COMMENT ON TABLE "private"."retention_rules" IS 'How long each kind of data is kept. Rows are in sql/91_personal_data.sql; terms are changed with public.set_retention, which is audited.';

COMMENT ON TYPE "private"."data_content" IS 'What kind of data it is: who somebody is, how to reach them, how they sign in, what they chose, recordings and pictures, what they wrote or said, features and scores and risk, what they did and when.';

COMMENT ON TYPE "private"."data_store" IS 'Where data lies: in a table, in a bucket of Storage, or in a table of work that is to be done.';

COMMENT ON TYPE "private"."data_subject" IS 'Whose data it is: of anybody with an account, a student, staff of a university, a support contact, a caller who is not signed in; nobody: no personal data.';

COMMENT ON TYPE "private"."erasure_rule" IS 'What erasing a person does: delete the rows or objects, set the columns to null, or keep them for a reason that is stated.';

COMMENT ON TYPE "public"."consent_kind" IS 'What a student agrees to: analysis of audio, of camera images and of the transcript, a support circle, access by counselors, use of their data for research.';

REVOKE ALL ON FUNCTION "private"."accesses_to_own_data"(bigint, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."accesses_to_own_data"(bigint, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."accesses_to_own_data"(bigint, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."accesses_to_own_data"(bigint, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."ask_again"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_again"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ask_again"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."belongs_to_a_row"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."belongs_to_a_row"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."belongs_to_a_row"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."change_retention"(text, interval) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."change_retention"(text, interval) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."change_retention"(text, interval) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."change_retention"(text, interval) TO "postgres";

REVOKE ALL ON FUNCTION "private"."check_in_of_path"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_in_of_path"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."check_in_of_path"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."compare_bucket"(text, timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."compare_bucket"(text, timestamp WITH time zone, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."compare_bucket"(text, timestamp WITH time zone, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."consent_lock"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."consent_lock"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."consent_lock"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."consents_for"(private.job_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."consents_for"(private.job_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."consents_for"(private.job_kind) TO "postgres";

REVOKE ALL ON FUNCTION "private"."consents_in_force"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."consents_in_force"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."consents_in_force"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."covered_bucket"(public.consent_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."covered_bucket"(public.consent_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."covered_bucket"(public.consent_kind) TO "postgres";

REVOKE ALL ON FUNCTION "private"."covered_modality"(public.consent_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."covered_modality"(public.consent_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."covered_modality"(public.consent_kind) TO "postgres";

REVOKE ALL ON FUNCTION "private"."delete_covered"(uuid, public.consent_kind, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."delete_covered"(uuid, public.consent_kind, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."delete_covered"(uuid, public.consent_kind, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_work_without_consent"(uuid, public.consent_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_work_without_consent"(uuid, public.consent_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_work_without_consent"(uuid, public.consent_kind) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_current_version"(public.consent_kind, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_current_version"(public.consent_kind, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_current_version"(public.consent_kind, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_own_account"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_own_account"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_own_account"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."own_consent_status"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."own_consent_status"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."own_consent_status"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."own_consent_status"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."personal_data_gaps"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."personal_data_gaps"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."personal_data_gaps"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_expired"(timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_expired"(timestamp WITH time zone, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_expired"(timestamp WITH time zone, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_kind"(text, timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_kind"(text, timestamp WITH time zone, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_kind"(text, timestamp WITH time zone, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_support_history"(timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_support_history"(timestamp WITH time zone, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_support_history"(timestamp WITH time zone, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refresh_last_result"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refresh_last_result"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refresh_last_result"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."renew_consent"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."renew_consent"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."renew_consent"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."retention_terms_of"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."retention_terms_of"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."retention_terms_of"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."retention_terms_of"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."version_numbers"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."version_numbers"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."version_numbers"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."withdraw_own_consent"(public.consent_kind, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."withdraw_own_consent"(public.consent_kind, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."withdraw_own_consent"(public.consent_kind, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."withdraw_own_consent"(public.consent_kind, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."consent_status"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."consent_status"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."consent_status"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_own_accesses"(bigint, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_own_accesses"(bigint, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_own_accesses"(bigint, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."retention_terms"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."retention_terms"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."retention_terms"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."set_retention"(text, interval) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."set_retention"(text, interval) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."set_retention"(text, interval) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."withdraw_consent"(public.consent_kind, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."withdraw_consent"(public.consent_kind, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."withdraw_consent"(public.consent_kind, boolean) TO "postgres";

REVOKE ALL ("keep_results") ON TABLE "public"."consents" FROM "authenticated";

GRANT UPDATE ("keep_results") ON TABLE "public"."consents" TO "authenticated";

SELECT cron.schedule_in_database('purge-expired', '*/5 * * * *', 'select private.purge_expired()', 'postgres', NULL, true);

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
select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()');
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');
select cron.schedule('tick-support-alerts', '* * * * *', 'select private.tick_support_alerts(now())');
select cron.schedule('find-standstills', '*/5 * * * *', 'select private.find_standstills(now())');
select cron.schedule('purge-expired', '*/5 * * * *', 'select private.purge_expired()');
select cron.unschedule(jobname) from cron.job where jobname like 'purge-%' and jobname <> 'purge-expired';

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


-- No policies: this file holds rows, not tables.

-- The inventory of personal data. It is part of the schema, not a setting: each migration ends with all of it, so that it says what
-- the migrated database has. Terms of retention are settings, so those that exist are left as they are.
insert into private.retention_rules (kind, keep, starts)
values
  ('raw_media', '30 days', 'Recordings and pictures: from the end of the check-in.'),
  ('unfinished_uploads', '2 days', 'Files that no check-in was submitted with, or that belong to no row: from the upload.'),
  ('transcripts', '90 days', 'Transcripts of check-ins: from the end of the check-in.'),
  ('transcript_results', '90 days', 'What the language model made of a transcript: from the analysis.'),
  ('results', '3 years', 'Check-ins and sessions with their features and scores: from the start.'),
  ('clinical_reviews', '3 years', 'Reviews: from their closing.'),
  ('worrying_days', '30 days', 'Days with risk: from the day; no pattern looks back further.'),
  ('support_history', '3 years', 'Alerts, requests, links, verifications: from when each began.'),
  ('declined_contacts', '30 days', 'Contacts who declined, with phone and email: from their answer.'),
  ('inbound_texts', '1 year', 'That a text came in, not what it said: from its arrival.'),
  ('sent_messages', '30 days', 'Emails and texts that were sent or cancelled: from then.'),
  ('undelivered_messages', '90 days', 'Emails and texts that could not be sent: from the last attempt.'),
  ('channel_messages', '3 days', 'Messages of Realtime: from their sending.'),
  ('rate_limit_uses', '1 day', 'How often somebody called: from the last call.'),
  ('logged_accesses', '1 day', 'That a read was logged and may happen: from the entry.'),
  ('sign_in_log', '90 days', 'What Auth logs of sign-ins: from the sign-in.'),
  ('cron_runs', '7 days', 'Runs of scheduled jobs: from their end.'),
  ('audit_log', '6 years', 'Entries of the audit log: from their writing.')
on conflict do nothing;

delete from private.personal_data;
insert into private.personal_data (
  store, schema_name, relation_name, columns, whose, content, purpose, belongs_to, erasure, reason, retention
)
values
  -- Accounts
  ('relation', 'public', 'profiles', '{first_name, last_name}', 'account', 'identity',
    'To address the person and to show staff whom they help.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'profiles', '{user_id, university_id, created_at, updated_at}', 'account', 'identity',
    'To know which university the account belongs to.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'user_roles', '{id, user_id, role, university_id, created_at}', 'account', 'identity',
    'To decide what the account may do.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'private', 'mailboxes', '{mailbox, user_id}', 'account', 'contact_details', 'To keep one person to one account.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'consents', '{id, user_id, kind, version, granted_at, withdrawn_at, renewed, keep_results, deleted}',
    'student', 'choices', 'To know what the student agreed to, in which version, and when.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'public', 'students', '{user_id, university_id, faculty, year_of_study, residence, counselor_access, check_ins,
    last_check_in_at, last_score, last_uncertainty, last_direction_of_change, risk_level, created_at, updated_at}', 'student',
    'health', 'Enrolment and the result of the last check-in, for counselors with the student''s consent.', 't.user_id = $1',
    'delete', null, null),
  ('relation', 'private', 'logged_accesses', '{reader, action, arguments_sha256, logged_at}', 'staff', 'activity',
    'To let a read happen only after it was logged.', 't.reader = $1', 'delete', null, 'logged_accesses'),
  ('relation', 'private', 'rate_limit_uses', '{subject, scope, used_at}', 'account', 'activity',
    'To limit how often one person calls.', 't.subject = $1', 'delete', null, 'rate_limit_uses'),
  -- Universities and settings
  ('relation', 'public', 'universities', '{id, name, short_name, domain, logo_url, primary_color, secondary_color, features_enabled,
    assessment_frequency, privacy_settings, support_email, crisis_phone, resources, accepts_other_domains, created_at, updated_at}',
    'nobody', null, 'The universities'' names, branding, settings and public contacts.', null, null, null, null),
  ('relation', 'private', 'crisis_contacts', '{university_id, email}', 'staff', 'contact_details',
    'To notify a university of high risk.', null, 'keep',
    'The address of an office, changed by the operator; kept as long as the university.', null),
  ('relation', 'private', 'listed_students', '{university_id, students}', 'nobody', null,
    'How many students each university''s counselors can list.', null, null, null, null),
  ('relation', 'private', 'support_settings', '{operator_email}', 'staff', 'contact_details',
    'To notify the operator of alerts that stand still.', null, 'keep', 'The operator''s own address, changed by the operator.',
    null),
  ('relation', 'private', 'support_settings', '{only_row, link_valid, verification_pause, max_verifications, daily_verifications,
    max_contacts, request_pause, alert_pause, pattern_days, pattern_window_days, response_time, contacts_at_once, alert_valid,
    standstill_after, longest_student_pause, day_begins, day_ends}', 'nobody', null, 'Settings of the support circle.', null, null,
    null, null),
  ('relation', 'private', 'student_limits', '{only_row, sessions, session_bytes, consents, files, file_bytes, check_in_bytes}',
    'nobody', null, 'Settings: how much an account may store.', null, null, null, null),
  ('relation', 'private', 'pipeline_settings', '{only_row, lease, transcription_lease, dispatch_grace, retry_backoff, max_attempts,
    max_in_flight, fail_after}', 'nobody', null, 'Settings of the pipeline.', null, null, null, null),
  ('relation', 'private', 'messaging_settings', '{only_row, lease, retry_backoff, longest_backoff, max_attempts,
    review_digest_after}', 'nobody', null, 'Settings of the outbox.', null, null, null, null),
  ('relation', 'private', 'cohort_settings', '{only_row, smallest_cohort, aggregated_through}', 'nobody', null,
    'Settings and progress of the daily rollup.', null, null, null, null),
  ('relation', 'private', 'rate_limit_rules', '{scope, requests, period, daily_requests}', 'nobody', null,
    'Settings: how often one person may call.', null, null, null, null),
  ('relation', 'private', 'retention_rules', '{kind, keep, starts}', 'nobody', null, 'Settings: how long data is kept.', null, null,
    null, null),
  ('relation', 'private', 'personal_data', '{store, schema_name, relation_name, columns, whose, content, purpose, belongs_to,
    erasure, reason, retention}', 'nobody', null, 'This inventory.', null, null, null, null),
  ('relation', 'private', 'retention_counts', '{day, kind, deleted}', 'nobody', null, 'How much retention deleted on each day.',
    null, null, null, null),
  ('relation', 'private', 'bucket_comparisons', '{compared_through}', 'student', 'activity',
    'How far the comparison of a bucket is: the name of a file, until the next one.',
    'starts_with(t.compared_through, $1::text || ''/'') or t.compared_through like ''%/students/'' || $1::text || ''/%''', 'keep',
    'Replaced with the next files that are compared, within a day.', null),
  ('relation', 'private', 'bucket_comparisons', '{bucket, began_at, objects, removed, ended_at}', 'nobody', null,
    'The last comparison of each bucket with the tables.', null, null, null, null),
  ('relation', 'private', 'required_consent_versions', '{kind, version}', 'nobody', null,
    'Settings: which version of a consent counts.', null, null, null, null),
  -- Check-ins
  ('relation', 'checkin', 'check_ins', '{id, user_id, type, status, progress, submissions, error_code, risk_level, created_at,
    expires_at, submitted_at, completed_at}', 'student', 'health',
    'The student''s check-ins, their state and the highest risk that was found.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'audio_analysis', '{check_in_id, user_id, f0_mean_hz, f0_sd_semitones, f0_range_semitones,
    f0_slope_semitones_per_s, intensity_mean_db, intensity_sd_db, intensity_range_db, voiced_fraction, speech_rate_syllables_per_s,
    articulation_rate_syllables_per_s, phonation_ratio, pause_rate_per_min, pause_mean_s, pause_sd_s, long_pause_rate_per_min,
    speech_run_mean_s, jitter_local, shimmer_local, hnr_db, cpps_db, alpha_ratio_db, hammarberg_index_db, voice_break_fraction,
    quality, quality_reason, snr_db, clipping_fraction, speech_s, duration_s, created_at}', 'student', 'health',
    'Features of the voice, from which the score is made and explained.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'visual_analysis', '{check_in_id, user_id, emotion_happy, emotion_sad, emotion_angry, emotion_fear,
    emotion_surprise, emotion_disgust, emotion_neutral, emotion_stability, smile_intensity, mouth_openness, eye_openness,
    eye_closure_fraction, brow_lowering, expressivity, gaze_on_camera_fraction, gaze_down_fraction, head_pitch_mean_deg,
    head_yaw_sd_deg, quality, quality_reason, images_total, images_usable, created_at}', 'student', 'health',
    'Features of the face, from which the score is made and explained.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'text_analysis', '{check_in_id, user_id, sentiment_compound, sentiment_positive, sentiment_negative,
    sentiment_variability, emotion_joy, emotion_sadness, emotion_anger, emotion_anxiety, lexical_diversity_mattr,
    mean_sentence_length_words, hesitation_rate, reading_grade, coping_rate, social_connection_rate, future_focus_rate,
    absolutist_rate, quality, quality_reason, language, words, themes, keywords, stated_mood, crisis_level, crisis_rule,
    transcript_source, created_at}', 'student', 'health', 'Features of the transcript, from which the score is made and explained.',
    't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'fusion_results', '{check_in_id, user_id, score, uncertainty, direction_of_change, significance,
    risk_level, summary, themes, drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version, created_at}',
    'student', 'health', 'The score of each check-in, with what explains it.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'user_baselines', '{user_id, version, check_ins, score_mean, score_sd, state, updated_at}', 'student',
    'health', 'The student''s usual score and features, with which a check-in is compared.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'private', 'check_in_inputs', '{transcript}', 'student', 'words', 'To analyse what the student said.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, 'transcripts'),
  ('relation', 'private', 'check_in_inputs', '{check_in_id, transcript_source, crisis_level, crisis_rule, mood_score,
    conversation_duration, missing, created_at}', 'student', 'health',
    'What the student submitted besides media, and what the crisis check found.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, 'results'),
  ('relation', 'private', 'check_in_media', '{check_in_id, path, kind, ordinal, etag, bytes, info, created_at}', 'student',
    'voice_and_image', 'To find the recordings and pictures, and to reject those that have changed.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, 'raw_media'),
  ('queue', 'private', 'analysis_jobs', '{id, check_in_id, kind, ordinal, input, status, attempts, dispatched, next_dispatch_at,
    outcome, error_code, created_at}', 'student', 'health',
    'The analyses of a check-in that are to be done, with what they found so far; deleted when it ends.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, null),
  ('relation', 'private', 'student_days', '{day, user_id, ended, completed, score_sum}', 'student', 'health',
    'Totals of a student''s day, until the daily rollup has counted it.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'cohort_days', '{university_id, grain, faculty, year_of_study, residence, day, students, ended, completed,
    score_sum}', 'nobody', null, 'Figures of ten students or more a row.', null, null, null, null),
  ('relation', 'public', 'cohort_snapshots', '{university_id, grain, faculty, year_of_study, residence, seen_within_days, students,
    high_risk, moderate_risk, as_of}', 'nobody', null, 'Figures of ten students or more a row.', null, null, null, null),
  -- Sessions and transcripts
  ('relation', 'public', 'assessment_sessions', '{id, user_id, assessment_type, status, session_data, created_at, updated_at}',
    'student', 'health', 'The sessions of the app''s conversational assessment.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'public', 'session_analyses', '{session_id, user_id, modality, analysis, measures, quality, quality_reason,
    risk_level, created_at}', 'student', 'health', 'The analyses of a session.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'public', 'session_scores', '{session_id, user_id, final_score, confidence, risk_level, fusion_score,
    algorithm_version, created_at}', 'student', 'health', 'The score of a session.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'private', 'transcript_results', '{id, user_id, transcript_sha256, check_in_id, provider, risk_level, result,
    created_at}', 'student', 'health', 'What the language model made of a transcript, so that a repeated call costs nothing.',
    't.user_id = $1', 'delete', null, 'transcript_results'),
  -- Risk and reviews
  ('relation', 'public', 'clinical_reviews', '{claimed_by}', 'staff', 'activity', 'To know which counselor helps.',
    't.claimed_by = $1', 'anonymize', null, 'clinical_reviews'),
  ('relation', 'public', 'clinical_reviews', '{closed_by}', 'staff', 'activity', 'To know which counselor helped.',
    't.closed_by = $1', 'anonymize', null, 'clinical_reviews'),
  ('relation', 'public', 'clinical_reviews', '{id, user_id, university_id, source, source_id, risk_level, status, opened_at,
    claimed_at, closed_at, last_risk_at, last_notified_at}', 'student', 'health', 'High risk, for a counselor to act on.',
    't.user_id = $1', 'delete', null, 'clinical_reviews'),
  ('relation', 'private', 'clinical_review_sources', '{review_id, source, source_id, seen_at}', 'student', 'health',
    'Where the risk of a review was found.', 't.review_id in (select r.id from public.clinical_reviews r where r.user_id = $1)',
    'delete', null, 'clinical_reviews'),
  ('relation', 'private', 'worrying_days', '{user_id, day, stored_at}', 'student', 'health',
    'Days of the last weeks with risk, to notice a lasting pattern.', 't.user_id = $1', 'delete', null, 'worrying_days'),
  -- Support circle
  ('relation', 'public', 'buddy_contacts', '{name, phone, email, relationship, time_zone, texts_at_night}', 'support_contact',
    'contact_details', 'To ask the people whom the student named to check on them.', 't.user_id = $1', 'delete', null,
    'declined_contacts'),
  ('relation', 'public', 'buddy_contacts', '{id, user_id, notify_channel, is_active, priority_rank, verified, verification_token,
    verification_token_expires_at, verified_at, declined_at, phone_confirmed_at, confirmation_tries, created_at, updated_at}',
    'student', 'choices', 'Whom the student named, in which order, and what they agreed to.', 't.user_id = $1', 'delete', null,
    'declined_contacts'),
  ('relation', 'public', 'support_preferences', '{user_id, alerts_paused_until, pass_on_all_right}', 'student', 'choices',
    'What the student chose for alerts about them.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'buddy_verification_audit', '{id, buddy_contact_id, user_id, event_type, ip_address, user_agent, metadata,
    created_at}', 'support_contact', 'activity', 'Proof of what a contact agreed to, as carriers ask for it.', 't.user_id = $1',
    'delete', null, 'support_history'),
  ('relation', 'private', 'buddy_verification_sends', '{id, user_id, mailbox_hash, sent_at}', 'support_contact', 'activity',
    'To limit how often an address is written to.', 't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'private', 'buddy_refusals', '{user_id, address_hash, refused_at}', 'support_contact', 'choices',
    'Not to ask again who has declined.', 't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'public', 'buddy_check_in_requests', '{id, buddy_contact_id, user_id, request_type, trigger_reason, sent_at,
    link_clicked_at, response_received_at, delivery_status, response_type, created_at}', 'student', 'activity',
    'Whom the student, or an alert, asked to check on them, and what they answered.', 't.user_id = $1', 'delete', null,
    'support_history'),
  ('relation', 'private', 'buddy_links', '{request_id, token_hash, number_hash, expires_at}', 'support_contact', 'credentials',
    'The link of a request, which allows one answer.',
    't.request_id in (select r.id from public.buddy_check_in_requests r where r.user_id = $1)', 'delete', null, 'support_history'),
  ('relation', 'public', 'support_alerts', '{id, user_id, status, worrying_days, step, step_began_at, crisis_contact_told_at,
    all_right_at, opened_at, ended_at}', 'student', 'health', 'Each time that a lasting pattern told the student''s contacts.',
    't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'private', 'support_alert_plan', '{alert_id, position, step, contact_id, request_id}', 'student', 'choices',
    'Whom an alert asks.', 't.alert_id in (select a.id from public.support_alerts a where a.user_id = $1)', 'delete', null,
    'support_history'),
  ('relation', 'private', 'support_standstills', '{id, kind, alert_id, user_id, found_at, ended_at, reported_at}', 'student',
    'activity', 'Alerts of which nothing became in time, for the operator.', 't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'private', 'text_opt_outs', '{number_hash, opted_out_at, heard_by}', 'support_contact', 'choices',
    'Never to text a number that said STOP.', null, 'keep',
    'The choice of whoever has the number, for all students; a hash under the project''s own key, which leads to no account. Kept until the number says START.',
    null),
  ('relation', 'private', 'inbound_texts', '{provider_message_id, number_hash, meaning, received_at}', 'support_contact',
    'activity', 'To count a text once that the provider reports twice.', null, 'keep',
    'What is known of a number that texted, as a hash; it leads to no account, and ends with its term.', 'inbound_texts'),
  -- Messages and queues
  ('queue', 'private', 'outbox', '{id, channel, purpose, user_id, contact_id, request_id, recipient, subject, body, status,
    attempts, send_at, lease_until, provider_called_at, provider, provider_message_id, provider_status, error_code, created_at,
    ended_at, reported_at}', 'account', 'contact_details',
    'Emails and text messages that are to be sent, and proof that they were.',
    't.user_id = $1 or t.recipient = (select u.email from auth.users u where u.id = $1)', 'delete', null, 'sent_messages'),
  ('queue', 'net', 'http_request_queue', '{*}', 'nobody', null, 'Webhooks that announce work by its id, until they are sent.', null,
    null, null, null),
  ('relation', 'net', '_http_response', '{*}', 'nobody', null,
    'How functions answered webhooks: numbers and codes. pg_net deletes them after 6 hours.', null, null, null, null),
  ('relation', 'cron', 'job', '{*}', 'nobody', null, 'Which jobs run when.', null, null, null, null),
  ('relation', 'cron', 'job_run_details', '{*}', 'nobody', null, 'When jobs ran, and how they ended.', null, null, null,
    'cron_runs'),
  ('relation', 'realtime', 'messages', '{*}', 'student', 'health', 'Progress and results, for the app that listens.',
    't.topic = ''support:'' || $1::text or t.topic in (select ''check-in:'' || c.id from checkin.check_ins c where c.user_id = $1) or t.topic in (select ''assessment:'' || s.id from public.assessment_sessions s where s.user_id = $1)',
    'delete', null, 'channel_messages'),
  ('relation', 'realtime', 'subscription', '{*}', 'nobody', null,
    'Which changes connected clients listen to, while they are connected.', null, null, null, null),
  ('relation', 'realtime', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own migrations.', null, null, null, null),
  ('queue', 'private', 'object_removals', '{bucket, name, reason, attempts, next_attempt_at, claim, error_code, created_at,
    reported_at}', 'student', 'voice_and_image', 'Files that are to be removed, until they are.',
    'starts_with(t.name, $1::text || ''/'') or t.name like ''%/students/'' || $1::text || ''/%''', 'keep',
    'Each row ends when its file is removed; the erasure waits for that.', null),
  -- Audit log
  ('relation', 'public', 'audit_logs', '{id, occurred_at, action, actor_id, actor_role, university_id, target_type, target_id,
    before, after, details, ip, user_agent, request_id, previous_hash, hash}', 'account', 'activity',
    'Proof of who did what, and of who read whose data.', 't.actor_id = $1 or t.target_id = $1::text', 'keep',
    'Proof that nothing was read or changed in secret must outlive the account; kept for the term of the audit log.', 'audit_log'),
  ('relation', 'private', 'audit_head', '{only_row, entries, hash}', 'nobody', null, 'The last hash of the audit log.', null, null,
    null, null),
  ('relation', 'private', 'audit_proof', '{only_row, entries, hash, proved_at}', 'nobody', null,
    'How far the audit log was verified.', null, null, null, null),
  -- Files
  ('bucket', 'storage', 'check-in-media', '{*}', 'student', 'voice_and_image', 'Recordings of check-ins.',
    't.bucket_id = ''check-in-media'' and starts_with(t.name, $1::text || ''/'')', 'delete', null, 'raw_media'),
  ('bucket', 'storage', 'check-in-images', '{*}', 'student', 'voice_and_image', 'Pictures of check-ins.',
    't.bucket_id = ''check-in-images'' and starts_with(t.name, $1::text || ''/'')', 'delete', null, 'raw_media'),
  ('bucket', 'storage', 'university-files', '{*}', 'student', 'words',
    'What students keep in their own folders; files that a university shares belong to it.',
    't.bucket_id = ''university-files'' and t.path_tokens[2] = ''students'' and t.path_tokens[3] = $1::text', 'delete', null, null),
  ('bucket', 'storage', 'analysis-assets', '{*}', 'nobody', null, 'Weights of the analyses.', null, null, null, null),
  ('relation', 'storage', 'objects', '{*}', 'account', 'activity', 'The list of the files, with who uploaded each.',
    't.owner_id = $1::text', 'keep',
    'A row is deleted with its file, as its bucket says. A file that a university shares keeps the id of who uploaded it, which leads nowhere once the account is deleted.',
    null),
  ('relation', 'storage', 'buckets', '{*}', 'nobody', null, 'Which buckets there are.', null, null, null, null),
  ('relation', 'storage', 'migrations', '{*}', 'nobody', null, 'The platform''s own migrations.', null, null, null, null),
  ('relation', 'storage', 'buckets_analytics', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'buckets_vectors', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'vector_indexes', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'iceberg_namespaces', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'iceberg_tables', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'prefixes', '{*}', 'student', 'activity',
    'The folders of the files, as some versions of Storage keep them.',
    't.name = $1::text or starts_with(t.name, $1::text || ''/'')', 'keep', 'Storage itself deletes a folder with its last file.',
    null),
  ('relation', 'storage', 's3_multipart_uploads', '{*}', 'account', 'activity', 'Uploads in parts that are not finished.',
    't.owner_id = $1::text', 'delete', null, 'unfinished_uploads'),
  ('relation', 'storage', 's3_multipart_uploads_parts', '{*}', 'account', 'activity', 'Parts of uploads that are not finished.',
    't.owner_id = $1::text', 'delete', null, 'unfinished_uploads'),
  -- Auth
  ('relation', 'auth', 'users', '{*}', 'account', 'credentials', 'To sign in.', 't.id = $1', 'delete', null, null),
  ('relation', 'auth', 'identities', '{*}', 'account', 'identity', 'How the account signs in.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'auth', 'sessions', '{*}', 'account', 'activity', 'Where the account is signed in, with address and browser.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'mfa_factors', '{*}', 'account', 'credentials', 'Second factors.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'one_time_tokens', '{*}', 'account', 'credentials', 'Hashes of the links in emails.', 't.user_id = $1',
    'delete', null, null),
  ('relation', 'auth', 'flow_state', '{*}', 'account', 'credentials', 'Sign-ins that have begun.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'auth', 'oauth_authorizations', '{*}', 'account', 'activity', 'Apps that ask to sign in with the account.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'oauth_consents', '{*}', 'account', 'choices', 'Apps that may sign in with the account.', 't.user_id = $1',
    'delete', null, null),
  ('relation', 'auth', 'webauthn_credentials', '{*}', 'account', 'credentials', 'Passkeys.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'auth', 'webauthn_challenges', '{*}', 'account', 'credentials', 'Sign-ins with a passkey that have begun.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'refresh_tokens', '{*}', 'account', 'credentials', 'To stay signed in.', 't.user_id = $1::text', 'delete',
    null, null),
  ('relation', 'auth', 'mfa_amr_claims', '{*}', 'account', 'activity', 'How each session was signed in.',
    't.session_id in (select s.id from auth.sessions s where s.user_id = $1)', 'delete', null, null),
  ('relation', 'auth', 'mfa_challenges', '{*}', 'account', 'credentials', 'Second factors that were asked for.',
    't.factor_id in (select f.id from auth.mfa_factors f where f.user_id = $1)', 'delete', null, null),
  ('relation', 'auth', 'audit_log_entries', '{*}', 'account', 'activity', 'What Auth logs of sign-ins.',
    't.payload ->> ''actor_id'' = $1::text', 'delete', null, 'sign_in_log'),
  ('relation', 'auth', 'instances', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null, null),
  ('relation', 'auth', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'saml_providers', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'saml_relay_states', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'sso_providers', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'sso_domains', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null, null),
  ('relation', 'auth', 'oauth_clients', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'oauth_client_states', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'custom_oauth_providers', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null,
    null, null),
  -- Platform
  ('relation', 'vault', 'secrets', '{*}', 'nobody', null, 'The project''s own secrets, encrypted.', null, null, null, null),
  ('relation', 'vault', 'local_key', '{*}', 'nobody', null, 'The key of the local stack''s vault.', null, null, null, null),
  ('relation', 'supabase_migrations', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null,
    null),
  ('relation', 'supabase_migrations', 'seed_files', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'hooks', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null);
