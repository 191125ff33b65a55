SET local check_function_bodies = off;

REVOKE ALL ON FUNCTION "private"."students_in_review"() FROM "authenticated";

DROP POLICY "counselors claim and close the reviews of their universities" ON "public"."clinical_reviews";

DROP POLICY "counselors see the reviews of their universities" ON "public"."clinical_reviews";

DROP POLICY "people see their own profile, counselors those in review" ON "public"."profiles";

DROP POLICY "people see their own university" ON "public"."universities";

DROP INDEX "public"."profiles_university_id_idx";

DROP VIEW "public"."open_clinical_reviews";

ALTER TABLE "private"."rate_limit_uses"
  DROP CONSTRAINT "rate_limit_uses_pkey";

ALTER TABLE "private"."rate_limit_uses"
  DROP CONSTRAINT "rate_limit_uses_user_id_fkey";

DROP FUNCTION "private"."universities_counseled"();

ALTER TABLE "private"."rate_limit_uses"
  DROP COLUMN "user_id";

CREATE TABLE "private"."audit_head" (
  "only_row" boolean NOT NULL DEFAULT true,
  "entries"  bigint  NOT NULL DEFAULT 0,
  "hash"     bytea   NOT NULL DEFAULT decode(repeat('00'::text, 32), 'hex'::text),
  CONSTRAINT "audit_head_hash_length" CHECK ((octet_length(hash) = 32)),
  CONSTRAINT "audit_head_only_row" CHECK (only_row),
  CONSTRAINT "audit_head_pkey" PRIMARY KEY (only_row)
);

CREATE TABLE "private"."cohort_settings" (
  "only_row"        boolean NOT NULL DEFAULT true,
  "smallest_cohort" integer NOT NULL DEFAULT 10,
  "closed_through"  date,
  CONSTRAINT "cohort_settings_only_row" CHECK (only_row),
  CONSTRAINT "cohort_settings_pkey" PRIMARY KEY (only_row),
  CONSTRAINT "cohort_settings_smallest_cohort" CHECK ((smallest_cohort >= 10))
);

CREATE TABLE "private"."listed_students" (
  "university_id" text    NOT NULL,
  "students"      integer NOT NULL,
  CONSTRAINT "listed_students_pkey" PRIMARY KEY (university_id)
);

CREATE TABLE "private"."student_days" (
  "day"       date             NOT NULL,
  "user_id"   uuid             NOT NULL,
  "ended"     smallint         NOT NULL DEFAULT 0,
  "completed" smallint         NOT NULL DEFAULT 0,
  "score_sum" double precision NOT NULL DEFAULT 0,
  CONSTRAINT "student_days_pkey" PRIMARY KEY (day, user_id)
);

CREATE TABLE "public"."audit_logs" (
  "id"          bigint                   NOT NULL,
  "occurred_at" timestamp with time zone NOT NULL,
  CONSTRAINT "audit_logs_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."audit_logs"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."audit_logs" FROM "anon";

CREATE TABLE "public"."cohort_days" (
  "university_id" text             NOT NULL,
  "faculty"       text             NOT NULL DEFAULT ''::text,
  "year_of_study" text             NOT NULL DEFAULT ''::text,
  "residence"     text             NOT NULL DEFAULT ''::text,
  "grain"         smallint         GENERATED ALWAYS AS (((
CASE
    WHEN (faculty = ''::text) THEN 0
    ELSE 4
END +
CASE
    WHEN (year_of_study = ''::text) THEN 0
    ELSE 2
END) +
CASE
    WHEN (residence = ''::text) THEN 0
    ELSE 1
END)) STORED NOT NULL,
  "day"           date             NOT NULL,
  "students"      integer          NOT NULL,
  "ended"         integer          NOT NULL,
  "completed"     integer          NOT NULL,
  "score_sum"     double precision NOT NULL,
  CONSTRAINT "cohort_days_pkey" PRIMARY KEY (university_id, grain, faculty, year_of_study, residence, day),
  CONSTRAINT "cohort_days_students" CHECK ((students >= 10))
);

ALTER TABLE "public"."cohort_days"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."cohort_days" FROM "anon";

CREATE TABLE "public"."cohort_standings" (
  "university_id"    text     NOT NULL,
  "faculty"          text     NOT NULL DEFAULT ''::text,
  "year_of_study"    text     NOT NULL DEFAULT ''::text,
  "residence"        text     NOT NULL DEFAULT ''::text,
  "grain"            smallint GENERATED ALWAYS AS (((
CASE
    WHEN (faculty = ''::text) THEN 0
    ELSE 4
END +
CASE
    WHEN (year_of_study = ''::text) THEN 0
    ELSE 2
END) +
CASE
    WHEN (residence = ''::text) THEN 0
    ELSE 1
END)) STORED NOT NULL,
  "seen_within_days" smallint NOT NULL DEFAULT 0,
  "students"         integer  NOT NULL,
  "high_risk"        integer  NOT NULL,
  "moderate_risk"    integer  NOT NULL,
  "as_of"            date     NOT NULL,
  CONSTRAINT "cohort_standings_pkey" PRIMARY KEY (university_id, grain, faculty, year_of_study, residence, seen_within_days),
  CONSTRAINT "cohort_standings_risk" CHECK (((high_risk >= 0) AND (moderate_risk >= 0) AND ((high_risk + moderate_risk) <= students))),
  CONSTRAINT "cohort_standings_students" CHECK ((students >= 10))
);

ALTER TABLE "public"."cohort_standings"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."cohort_standings" FROM "anon";

CREATE TABLE "public"."students" (
  "user_id"                  uuid                        NOT NULL,
  "university_id"            text,
  "faculty"                  text,
  "year_of_study"            text,
  "residence"                text,
  "counselor_access"         boolean                     NOT NULL DEFAULT false,
  "check_ins"                integer                     NOT NULL DEFAULT 0,
  "last_check_in_at"         timestamp with time zone,
  "last_score"               numeric(5,2),
  "last_uncertainty"         numeric(4,3),
  "last_direction_of_change" checkin.direction_of_change,
  "risk_level"               checkin.risk_level          NOT NULL DEFAULT 'none'::checkin.risk_level,
  "created_at"               timestamp with time zone    NOT NULL DEFAULT now(),
  "updated_at"               timestamp with time zone    NOT NULL DEFAULT now(),
  CONSTRAINT "students_faculty_length" CHECK (((char_length(faculty) >= 1) AND (char_length(faculty) <= 100))),
  CONSTRAINT "students_pkey" PRIMARY KEY (user_id),
  CONSTRAINT "students_residence_length" CHECK (((char_length(residence) >= 1) AND (char_length(residence) <= 100))),
  CONSTRAINT "students_year_of_study_length" CHECK (((char_length(year_of_study) >= 1) AND (char_length(year_of_study) <= 20)))
);

ALTER TABLE "public"."students"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."students" FROM "anon";

ALTER TABLE "private"."rate_limit_uses"
  ADD COLUMN "subject" uuid NOT NULL;

ALTER TABLE "public"."universities"
  ADD COLUMN "accepts_other_domains" boolean NOT NULL DEFAULT false;

CREATE TYPE "private"."listed_student" AS (
  "user_id"                  uuid,
  "first_name"               text,
  "last_name"                text,
  "university_id"            text,
  "faculty"                  text,
  "year_of_study"            text,
  "residence"                text,
  "check_ins"                integer,
  "last_check_in_at"         timestamp WITH time zone,
  "last_score"               numeric,
  "last_uncertainty"         numeric,
  "last_direction_of_change" checkin.direction_of_change,
  "risk_level"               checkin.risk_level
);

CREATE TYPE "private"."student_sort" AS ENUM (
  'name',
  'last_check_in',
  'score',
  'risk'
);

CREATE TYPE "public"."audit_action" AS ENUM (
  'signed_in',
  'sign_in_failed',
  'role_granted',
  'role_revoked',
  'university_added',
  'university_changed',
  'university_removed',
  'settings_changed',
  'review_changed',
  'students_listed',
  'student_read',
  'reviews_listed',
  'data_exported'
);

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "action" public.audit_action NOT NULL;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "actor_id" uuid;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "actor_role" text NOT NULL;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "university_id" text;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "target_type" text;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "target_id" text;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "before" jsonb;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "after" jsonb;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "details" jsonb NOT NULL DEFAULT '{}'::jsonb;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "ip" inet;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "user_agent" text;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "request_id" text;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "previous_hash" bytea NOT NULL;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "hash" bytea NOT NULL;

CREATE OR REPLACE FUNCTION private.audit_chain_state (
  from_entry bigint
)
  RETURNS TABLE (
    intact    boolean,
    entries   bigint,
    broken_at bigint,
    problem   text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with before as (
    select coalesce(
      (select hash from public.audit_logs where id = from_entry - 1), decode(repeat('00', 32), 'hex')
    ) as hash
  ),
  links as (
    select
      e.id,
      case
        when e.id <> greatest(from_entry, 1) - 1 + row_number() over chain then 'an entry is missing before this one'
        when e.previous_hash <> lag(e.hash, 1, b.hash) over chain then 'does not follow the entry before it'
        when e.hash <> private.audit_hash(e) then 'was changed'
      end as problem
    from public.audit_logs e, before b
    where e.id >= from_entry
    window chain as (order by e.id)
  ),
  broken as (
    select id, problem from links where problem is not null
    union all
    select null, 'entries are missing at the end'
    from private.audit_head h
    where (h.entries, h.hash) is distinct from (
      coalesce((select max(id) from public.audit_logs), 0),
      coalesce((select hash from public.audit_logs order by id desc limit 1), decode(repeat('00', 32), 'hex'))
    )
    union all
    select null, 'the end of the chain is missing'
    where not exists (select from private.audit_head)
    order by id nulls last
    limit 1
  )
  select b.problem is null, (select entries from private.audit_head), b.id, b.problem
  from (select) as log
  left join broken b on true
  where (select private.is_security_admin()) or coalesce((select auth.role()), '') not in ('anon', 'authenticated')
$function$;

CREATE OR REPLACE FUNCTION private.audit_hash (
  entry public.audit_logs
)
  RETURNS bytea
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select sha256(
    entry.previous_hash || convert_to(
      jsonb_build_array(
        entry.id,
        extract(epoch from entry.occurred_at),
        entry.action,
        entry.actor_id,
        entry.actor_role,
        entry.university_id,
        entry.target_type,
        entry.target_id,
        entry.before,
        entry.after,
        entry.details,
        entry.ip,
        entry.user_agent,
        entry.request_id
      )::text,
      'UTF8'
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.audit_review()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.audit(
    'review_changed', new.university_id, 'clinical_reviews', new.id::text,
    private.changed_columns(to_jsonb(old), to_jsonb(new)),
    private.changed_columns(to_jsonb(new), to_jsonb(old)),
    jsonb_build_object('student', new.user_id)
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_role()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if tg_op <> 'INSERT' then
    perform private.audit(
      'role_revoked', old.university_id, 'user_roles', old.user_id::text,
      before => jsonb_build_object('role', old.role, 'university_id', old.university_id)
    );
  end if;
  if tg_op <> 'DELETE' then
    perform private.audit(
      'role_granted', new.university_id, 'user_roles', new.user_id::text,
      after => jsonb_build_object('role', new.role, 'university_id', new.university_id)
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_settings()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.audit(
    'settings_changed',
    coalesce(to_jsonb(new), to_jsonb(old)) ->> 'university_id',
    tg_table_name,
    coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0],
    case when tg_op <> 'INSERT' then private.changed_columns(to_jsonb(old), coalesce(to_jsonb(new), '{}')) end,
    case when tg_op <> 'DELETE' then private.changed_columns(to_jsonb(new), coalesce(to_jsonb(old), '{}')) end
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_sign_in()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.audit(
    'signed_in',
    private.university_of(new.user_id),
    actor => new.user_id,
    ip => new.ip,
    user_agent => new.user_agent,
    request_id => null
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_university()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- An update that changes nothing says nothing.
  if tg_op = 'UPDATE' and private.changed_columns(to_jsonb(new), to_jsonb(old)) = '{}' then
    return null;
  end if;
  perform private.audit(
    (case tg_op
      when 'INSERT' then 'university_added'
      when 'UPDATE' then 'university_changed'
      else 'university_removed'
    end)::public.audit_action,
    coalesce(new.id, old.id),
    'universities',
    coalesce(new.id, old.id),
    case tg_op when 'UPDATE' then private.changed_columns(to_jsonb(old), to_jsonb(new)) when 'DELETE' then to_jsonb(old) end,
    case tg_op when 'UPDATE' then private.changed_columns(to_jsonb(new), to_jsonb(old)) when 'INSERT' then to_jsonb(new) end
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.chain_audit_entry()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  head private.audit_head;
begin
  select * into strict head from private.audit_head for update;
  new.id := head.entries + 1;
  new.occurred_at := clock_timestamp();
  new.previous_hash := head.hash;
  new.hash := private.audit_hash(new);
  update private.audit_head set entries = new.id, hash = new.hash;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.changed_columns (
  of_row jsonb,
  other  jsonb
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_object_agg(key, value), '{}')
  from jsonb_each(of_row)
  where value is distinct from other -> key and key <> 'updated_at'
$function$;

CREATE OR REPLACE FUNCTION private.close_days (
  through date
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  smallest integer;
begin
  if through >= (now() at time zone 'UTC')::date then
    raise exception 'The day % is not over yet.', through using errcode = 'check_violation';
  end if;
  -- Waits for check-ins that are being counted, and holds up those that come.
  perform pg_advisory_xact_lock(private.closing_lock());
  select smallest_cohort into smallest
  from private.cohort_settings
  where closed_through is null or closed_through < through;
  if smallest is null then
    return;
  end if;
  delete from public.cohort_standings;

  with cells as (
    select
      s.university_id,
      s.faculty,
      s.year_of_study,
      s.residence,
      d.day,
      null::smallint as seen_within_days,
      count(*) filter (where d.completed > 0) as students,
      sum(d.ended) as ended,
      sum(d.completed) as completed,
      sum(d.score_sum) as score_sum,
      0::bigint as high_risk,
      0::bigint as moderate_risk
    from private.student_days d
    join public.students s on s.user_id = d.user_id
    where d.day <= through and s.university_id is not null
    group by s.university_id, s.faculty, s.year_of_study, s.residence, d.day
    union all
    select
      s.university_id,
      s.faculty,
      s.year_of_study,
      s.residence,
      null,
      seen.within,
      count(*),
      0,
      0,
      0,
      count(*) filter (where s.risk_level = 'high'),
      count(*) filter (where s.risk_level = 'moderate')
    from public.students s
    cross join lateral (
      select through - (s.last_check_in_at at time zone 'UTC')::date as days_ago
    ) last
    cross join lateral (
      select (case
        when last.days_ago < 7 then 7
        when last.days_ago < 30 then 30
        when last.days_ago < 90 then 90
        when last.days_ago < 365 then 365
        else 0
      end)::smallint as within
    ) seen
    where s.university_id is not null
    group by s.university_id, s.faculty, s.year_of_study, s.residence, seen.within
  ),
  sized as (
    select c.*, c.students >= smallest as shown
    from cells c
  ),
  by_year as (
    select
      c.*,
      sum(c.students) filter (where not c.shown) over (
        partition by c.university_id, c.day, c.seen_within_days, c.faculty, c.year_of_study
      ) >= smallest as shown_by_year
    from sized c
  ),
  by_faculty as (
    select
      c.*,
      sum(c.students) filter (where not c.shown and not c.shown_by_year) over (
        partition by c.university_id, c.day, c.seen_within_days, c.faculty
      ) >= smallest as shown_by_faculty
    from by_year c
  ),
  by_university as (
    select
      c.*,
      sum(c.students) filter (where not c.shown and not c.shown_by_year and not c.shown_by_faculty) over (
        partition by c.university_id, c.day, c.seen_within_days
      ) >= smallest as shown_at_all
    from by_faculty c
  ),
  whenever as (
    select
      c.*,
      c.day is null
        and sum(c.students) filter (
          where not c.shown and not c.shown_by_year and not c.shown_by_faculty and not c.shown_at_all
        ) over (partition by c.university_id, c.day) >= smallest as shown_whenever
    from by_university c
  ),
  groups as (
    select
      university_id,
      case when shown or shown_by_year or shown_by_faculty then faculty end as faculty,
      case when shown or shown_by_year then year_of_study end as year_of_study,
      case when shown then residence end as residence,
      day,
      case when shown or shown_by_year or shown_by_faculty or shown_at_all then seen_within_days
        when day is null then 0
      end as seen_within_days,
      students,
      ended,
      completed,
      score_sum,
      high_risk,
      moderate_risk
    from whenever
    where shown or shown_by_year or shown_by_faculty or shown_at_all or shown_whenever
  ),
  figures as (
    select
      university_id,
      faculty,
      year_of_study,
      residence,
      day,
      seen_within_days,
      sum(students) as students,
      sum(ended) as ended,
      sum(completed) as completed,
      sum(score_sum) as score_sum,
      sum(high_risk) as high_risk,
      sum(moderate_risk) as moderate_risk
    from groups
    group by university_id, day, seen_within_days, cube (faculty, year_of_study, residence)
    -- A cohort that has no name is part of the larger ones only.
    having (grouping(faculty) = 1 or faculty is not null)
      and (grouping(year_of_study) = 1 or year_of_study is not null)
      and (grouping(residence) = 1 or residence is not null)
  ),
  days as (
    insert into public.cohort_days (
      university_id, faculty, year_of_study, residence, day, students, ended, completed, score_sum
    )
    select
      university_id, coalesce(faculty, ''), coalesce(year_of_study, ''), coalesce(residence, ''), day,
      students, ended, completed, score_sum
    from figures
    where day is not null
  )
  insert into public.cohort_standings (
    university_id, faculty, year_of_study, residence, seen_within_days, students, high_risk, moderate_risk, as_of
  )
  select
    university_id, coalesce(faculty, ''), coalesce(year_of_study, ''), coalesce(residence, ''), seen_within_days,
    students, high_risk, moderate_risk, through
  from figures
  where day is null;

  delete from private.student_days where day <= through;
  update private.cohort_settings set closed_through = through;
end
$function$;

CREATE OR REPLACE FUNCTION private.closing_lock()
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select 7216430911::bigint
$function$;

CREATE OR REPLACE FUNCTION private.cohort_grain (
  faculty       text,
  year_of_study text,
  residence     text
)
  RETURNS smallint
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select (
    case when faculty is null then 0 else 4 end
    + case when year_of_study is null then 0 else 2 end
    + case when residence is null then 0 else 1 end
  )::smallint
$function$;

CREATE OR REPLACE FUNCTION private.count_check_in()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  result checkin.fusion_results;
begin
  perform pg_advisory_xact_lock_shared(private.closing_lock());
  if new.status = 'processing' then
    update private.student_days
    set ended = ended - 1
    where user_id = new.user_id
      and day = (old.completed_at at time zone 'UTC')::date
      and ended > completed;
    return null;
  end if;
  if new.status = 'complete' then
    select * into result from checkin.fusion_results where check_in_id = new.id;
  end if;
  insert into private.student_days as d (day, user_id, ended, completed, score_sum)
  select
    greatest((now() at time zone 'UTC')::date, c.closed_through + 1),
    new.user_id,
    1,
    case when result.check_in_id is null then 0 else 1 end,
    coalesce(result.score, 0)
  from private.cohort_settings c
  on conflict (day, user_id) do update
  set ended = d.ended + 1,
    completed = d.completed + excluded.completed,
    score_sum = d.score_sum + excluded.score_sum;

  if new.status <> 'expired' then
    update public.students
    set check_ins = check_ins + case when result.check_in_id is null then 0 else 1 end,
      last_check_in_at = new.completed_at,
      last_score = coalesce(result.score, last_score),
      last_uncertainty = coalesce(result.uncertainty, last_uncertainty),
      last_direction_of_change = coalesce(result.direction_of_change, last_direction_of_change),
      risk_level = coalesce(new.risk_level, 'none')
    where user_id = new.user_id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_listed_student()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into private.listed_students as l (university_id, students)
  select university_id, sum(change)
  from (
    select old.university_id, -1 as change where tg_op <> 'INSERT' and old.counselor_access
    union all
    select new.university_id, 1 where tg_op <> 'DELETE' and new.counselor_access
  ) as changes
  where university_id in (select id from public.universities)
  group by university_id
  having sum(change) <> 0
  order by university_id
  on conflict (university_id) do update set students = l.students + excluded.students;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.create_profile()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  home text := private.university_for(new.email, new.raw_user_meta_data ->> 'university_id');
begin
  insert into public.profiles (user_id, first_name, last_name, university_id)
  values (
    new.id,
    left(coalesce(new.raw_user_meta_data ->> 'first_name', ''), 100),
    left(coalesce(new.raw_user_meta_data ->> 'last_name', ''), 100),
    home
  );
  insert into public.user_roles (user_id, role, university_id) values (new.id, 'student', home);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.enrol_student()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if tg_op = 'DELETE' then
    delete from public.students s
    where s.user_id = old.user_id
      and not exists (select from public.user_roles r where r.user_id = old.user_id and r.role = 'student');
  else
    insert into public.students (user_id, university_id, counselor_access)
    select user_id, university_id, private.has_consent(user_id, 'counselor_access')
    from public.profiles
    where user_id = new.user_id
    on conflict do nothing;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.everything_of (
  student uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'exported_at', now(),
    'profile', (select to_jsonb(p) from public.profiles p where p.user_id = student),
    'enrolment', (select to_jsonb(s) from public.students s where s.user_id = student),
    'roles', (select coalesce(jsonb_agg(to_jsonb(r) - 'id' order by r.id), '[]') from public.user_roles r where r.user_id = student),
    'consents', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.granted_at, c.id), '[]') from public.consents c where c.user_id = student
    ),
    'baseline', (select to_jsonb(b) from checkin.user_baselines b where b.user_id = student),
    'check_ins', (
      select coalesce(
        jsonb_agg(
          to_jsonb(c) || jsonb_build_object(
            'audio_analysis', to_jsonb(a), 'visual_analysis', to_jsonb(v), 'text_analysis', to_jsonb(t), 'result', to_jsonb(f)
          )
          order by c.created_at, c.id
        ),
        '[]'
      )
      from checkin.check_ins c
      left join checkin.audio_analysis a on a.check_in_id = c.id
      left join checkin.visual_analysis v on v.check_in_id = c.id
      left join checkin.text_analysis t on t.check_in_id = c.id
      left join checkin.fusion_results f on f.check_in_id = c.id
      where c.user_id = student
    ),
    'transcripts', (
      select coalesce(jsonb_agg(to_jsonb(t) - 'user_id' order by t.created_at), '[]')
      from private.transcript_results t
      where t.user_id = student
    ),
    'sessions', (
      select coalesce(
        jsonb_agg(
          to_jsonb(s) || jsonb_build_object(
            'analyses', (
              select coalesce(jsonb_agg(to_jsonb(a) order by a.modality), '[]')
              from public.session_analyses a
              where a.session_id = s.id
            ),
            'score', (select to_jsonb(r) from public.session_scores r where r.session_id = s.id)
          )
          order by s.created_at, s.id
        ),
        '[]'
      )
      from public.assessment_sessions s
      where s.user_id = student
    )
  )
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
    -- The student is locked with it, as the deletion of an account does: what is busy waits for the next time.
    select c.id
    from checkin.check_ins c
    join public.profiles p on p.user_id = c.user_id
    where c.status = 'created' and c.expires_at <= now()
    for key share of p skip locked
    for update of c skip locked
  )
$function$;

CREATE OR REPLACE FUNCTION private.export_data()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  person uuid := (select auth.uid());
  everything jsonb;
begin
  if person is null then
    return null;
  end if;
  everything := private.everything_of(person);
  if not exists (
    select from public.audit_logs
    where actor_id = person and action = 'data_exported' and occurred_at > now() - interval '1 minute'
  ) then
    perform private.audit('data_exported', private.university_of(person), 'profiles', person::text);
  end if;
  return everything;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_counselor_access()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.students
  set counselor_access = private.has_consent(new.user_id, 'counselor_access')
  where user_id = new.user_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.forget_rate_limit_uses()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from private.rate_limit_uses u
  using private.rate_limit_rules r
  where r.scope = u.scope and u.taken[cardinality(u.taken)] < now() - greatest(r.period, interval '1 day')
$function$;

CREATE OR REPLACE FUNCTION private.has_role (
  account    uuid,
  wanted     public.app_role,
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
    select from public.user_roles
    where user_id = account and role = wanted and (role = 'security_admin' or university_id = university)
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
  select exists (select from public.user_roles where user_id = (select auth.uid()) and role = 'security_admin')
$function$;

CREATE OR REPLACE FUNCTION private.last_closed_day()
  RETURNS date
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select closed_through from private.cohort_settings
$function$;

CREATE OR REPLACE FUNCTION private.move_student()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.students set university_id = new.university_id where user_id = new.user_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_read (
  action     public.audit_action,
  university text,
  student    uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if action not in ('students_listed', 'student_read', 'reviews_listed') then
    raise exception 'A read is students_listed, student_read or reviews_listed.' using errcode = 'invalid_parameter_value';
  end if;
  if not exists (select from private.universities_counseled()) then
    return false;
  end if;
  perform private.audit(
    action,
    case when action = 'student_read' then private.university_of(student) else university end,
    case when student is not null then 'students' end,
    student::text
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.noted_reviews()
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
  perform private.require_note('reviews_listed');
  return (
    select coalesce(jsonb_agg(to_jsonb(r) order by r.opened_at), '[]')
    from public.open_clinical_reviews r
    where r.university_id in (select private.universities_counseled()) and r.user_id <> (select auth.uid())
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.range_days (
  date_range text
)
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case date_range when '7d' then 7 when '30d' then 30 when '90d' then 90 when '1y' then 365 end
$function$;

CREATE OR REPLACE FUNCTION private.read_noted_student (
  student uuid,
  scores  integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not exists (select from private.universities_counseled()) then
    return null;
  end if;
  perform private.require_note('student_read', student => student);
  return private.student_record(student, scores);
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_audit_change()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION private.request_header (
  name text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select nullif(current_setting('request.headers', true), '')::jsonb ->> name
$function$;

CREATE OR REPLACE FUNCTION private.request_ip()
  RETURNS inet
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return split_part(private.request_header('x-forwarded-for'), ',', 1)::inet;
exception
  when invalid_text_representation then
    return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit (
  action      public.audit_action,
  university  text                DEFAULT NULL::text,
  target_type text                DEFAULT NULL::text,
  target_id   text                DEFAULT NULL::text,
  before      jsonb               DEFAULT NULL::jsonb,
  after       jsonb               DEFAULT NULL::jsonb,
  details     jsonb               DEFAULT '{}'::jsonb,
  actor       uuid                DEFAULT auth.uid(),
  ip          inet                DEFAULT private.request_ip(),
  user_agent  text                DEFAULT private.request_header('user-agent'::text),
  request_id  text                DEFAULT private.request_header('x-request-id'::text)
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- The chain's trigger sets the rest.
  insert into public.audit_logs (
    id, occurred_at, previous_hash, hash,
    action, actor_id, actor_role, university_id, target_type, target_id, before, after, details, ip, user_agent, request_id
  )
  values (
    0, now(), '', '',
    action, actor, coalesce(nullif((select auth.role()), ''), session_user), left(university, 100), target_type, target_id,
    before, after, details, ip, left(user_agent, 500), left(request_id, 64)
  )
$function$;

CREATE OR REPLACE FUNCTION private.require_note (
  read       public.audit_action,
  university text                DEFAULT NULL::text,
  student    uuid                DEFAULT NULL::uuid
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  reader uuid := auth.uid();
  -- Once, so that the index finds what is newer.
  since timestamptz := clock_timestamp() - interval '1 minute';
begin
  if not exists (
    select
    from public.audit_logs e
    where e.actor_id = reader
      and e.occurred_at > since
      and e.action = read
      and (university is null or e.university_id = university)
      and (student is null or e.target_id = student::text)
  ) then
    raise exception 'Note this read first.'
      using errcode = 'insufficient_privilege', hint = format('Call note_read with the action %s, then read within a minute.', read);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.ring_due_jobs()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  ended integer;
  rung integer;
begin
  -- Out of tries, or waiting for too long: locked student and check-in first, as everywhere.
  with hopeless as materialized (
    select j.id, j.check_in_id
    from private.analysis_jobs j, private.pipeline_settings s
    where (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
      and (j.attempts >= s.max_attempts or j.created_at <= now() - s.give_up_after)
  ),
  held as materialized (
    select c.id
    from checkin.check_ins c
    join public.profiles p on p.user_id = c.user_id
    where c.status = 'processing' and c.id in (select check_in_id from hopeless)
    order by c.id
    for key share of p skip locked
    for update of c skip locked
  ),
  given_up as (
    update private.analysis_jobs j
    set status = 'given_up', lease_until = null, error_code = coalesce(j.error_code, case when j.attempts = 0 then 'not_run' else 'worker_lost' end)
    from held, hopeless
    where j.id = hopeless.id and j.check_in_id = held.id
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    returning j.check_in_id, j.kind
  )
  select count(
    case when g.fusion then private.fail_check_in(g.check_in_id, 'analysis_failed')
      else private.advance_check_in(g.check_in_id)
    end
  )
  into ended
  from (select check_in_id, bool_or(kind = 'fusion') as fusion from given_up group by check_in_id) g;

  with due as (
    select j.id
    from private.analysis_jobs j
    where j.ring_at <= now()
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    order by j.ring_at
    limit 100
    for update skip locked
  ),
  due_again as (
    update private.analysis_jobs j
    set rings = least(j.rings + 1, 10),
      ring_at = now() + least(s.ring_grace * power(2, j.rings), interval '5 minutes')
    from due, private.pipeline_settings s
    where j.id = due.id
    returning j.id, j.kind
  )
  select count(private.ring(id, kind)) into rung from due_again;
  return rung;
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
  if private.has_role((select auth.uid()), 'counselor', university) then
    perform private.require_note('students_listed', university);
    return query select * from private.student_rows(university, search, sort, descending, page_limit, page_offset);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.student_record (
  student uuid,
  scores  integer
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
      'user_id', s.user_id,
      'first_name', p.first_name,
      'last_name', p.last_name,
      'university_id', s.university_id,
      'counselor_access', s.counselor_access
    )
    || case when not s.counselor_access then '{}'::jsonb else jsonb_build_object(
      'faculty', s.faculty,
      'year_of_study', s.year_of_study,
      'residence', s.residence,
      'check_ins', s.check_ins,
      'last_check_in_at', s.last_check_in_at,
      'last_score', s.last_score,
      'last_uncertainty', s.last_uncertainty,
      'last_direction_of_change', s.last_direction_of_change,
      'risk_level', s.risk_level,
      'scores', coalesce(
        (
          select jsonb_agg(to_jsonb(f) order by f.created_at desc)
          from (
            select check_in_id, created_at, score, uncertainty, direction_of_change, significance, risk_level
            from checkin.fusion_results
            where user_id = student
            order by created_at desc
            limit scores
          ) f
        ),
        '[]'
      )
    ) end
  from public.students s
  join public.profiles p on p.user_id = s.user_id
  where s.user_id = student
    and s.university_id in (select private.universities_counseled())
    and (s.counselor_access or s.user_id in (select private.students_in_review()))
$function$;

CREATE OR REPLACE FUNCTION private.student_rows (
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
  SET search_path TO ''
  AS $function$
declare
  pattern text := '%' || regexp_replace(search, '([\\%_])', '\\\1', 'g') || '%';
  direction text := case when descending then 'desc' else 'asc' end;
  empty text := case when descending then 'nulls last' else 'nulls first' end;
begin
  return query execute format(
    $query$
      select
        s.user_id, p.first_name, p.last_name, s.university_id, s.faculty, s.year_of_study, s.residence, s.check_ins,
        s.last_check_in_at, s.last_score, s.last_uncertainty, s.last_direction_of_change, s.risk_level
      from public.students s
      join public.profiles p on p.user_id = s.user_id
      where s.university_id = $1 and p.university_id = $1 and s.counselor_access
        %s
      order by %s
      limit $3
      offset $4
    $query$,
    case when pattern is not null then 'and (p.first_name || '' '' || p.last_name) ilike $2' end,
    case sort
      when 'name' then format('p.last_name %1$s, p.first_name %1$s, p.user_id %1$s', direction)
      when 'last_check_in' then format('s.last_check_in_at %1$s %2$s, s.user_id %1$s', direction, empty)
      when 'score' then format('s.last_score %1$s %2$s, s.user_id %1$s', direction, empty)
      when 'risk' then format('s.risk_level %1$s, s.user_id %1$s', direction)
    end
  )
  using university, pattern, page_limit, page_offset;
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
  if not private.has_role((select auth.uid()), 'counselor', university) then
    return 0;
  end if;
  perform private.require_note('students_listed', university);
  return (
    select count(*)
    from public.students s
    join public.profiles p on p.user_id = s.user_id
    where s.university_id = university and s.counselor_access
      and (p.first_name || ' ' || p.last_name) ilike '%' || regexp_replace(search, '([\\%_])', '\\\1', 'g') || '%'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.students_listed (
  university text
)
  RETURNS bigint
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(
    (
      select students
      from private.listed_students
      where university_id = university and university in (select private.universities_counseled())
    ),
    0
  )
$function$;

CREATE OR REPLACE FUNCTION private.take_allowance (
  who    uuid,
  wanted text
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
declare
  rule private.rate_limit_rules;
  recent timestamptz[];
  moment timestamptz;
begin
  select * into strict rule from private.rate_limit_rules where scope = wanted;
  -- The row comes back locked, also where it was there before.
  insert into private.rate_limit_uses as u (subject, scope)
  values (who, wanted)
  on conflict (subject, scope) do update set taken = u.taken
  returning taken into strict recent;

  moment := clock_timestamp();
  recent := array(select t from unnest(recent) as t where t > moment - rule.period order by t);
  allowed := cardinality(recent) < rule.requests;
  if allowed then
    recent := recent || moment;
    update private.rate_limit_uses set taken = recent where subject = who and scope = wanted;
  end if;
  max_requests := rule.requests;
  remaining := greatest(0, rule.requests - cardinality(recent));
  reset_s := greatest(1, ceil(extract(epoch from recent[1] + rule.period - moment)));
  period_s := extract(epoch from rule.period);
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.take_rate_limit (
  person uuid,
  wanted text
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
  -- Locked first, as the deletion of an account does.
  perform from public.profiles where user_id = person for key share;
  if not found then
    return;
  end if;
  return query select * from private.take_allowance(person, wanted);
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
  select university_id from public.user_roles where user_id = (select auth.uid()) and role = 'university_admin';
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
  select university_id from public.user_roles where user_id = (select auth.uid()) and role = 'counselor';
end
$function$;

CREATE OR REPLACE FUNCTION private.universities_joined()
  RETURNS SETOF text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select university_id from public.profiles where user_id = (select auth.uid()) and university_id is not null
  union
  select university_id from public.user_roles where user_id = (select auth.uid()) and university_id is not null
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
  with mail as (select lower(split_part(address, '@', 2)) as host)
  select coalesce(
    (
      select u.id
      from public.universities u, mail
      where mail.host = u.domain or mail.host like '%.' || u.domain
      order by char_length(u.domain) desc
      limit 1
    ),
    (select id from public.universities where id = named and accepts_other_domains)
  )
$function$;

CREATE OR REPLACE FUNCTION public.analytics_dashboard (
  university_id text,
  date_range    text DEFAULT '30d'::text,
  faculty       text DEFAULT NULL::text,
  year_of_study text DEFAULT NULL::text,
  residence     text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 WITH asked
  AS (
          SELECT private.range_days(analytics_dashboard.date_range) AS days,
             private.last_closed_day() AS through,
             private.cohort_grain(analytics_dashboard.faculty, analytics_dashboard.year_of_study, analytics_dashboard.residence) AS grain
         ), days AS (
          SELECT d.day,
             d.students,
             d.ended,
             d.completed,
             d.score_sum
            FROM public.cohort_days d
           WHERE ((d.university_id = analytics_dashboard.university_id) AND (d.grain = ( SELECT asked.grain
                    FROM asked)) AND (d.faculty = COALESCE(analytics_dashboard.faculty, ''::text)) AND (d.year_of_study = COALESCE(analytics_dashboard.year_of_study, ''::text)) AND (d.residence = COALESCE(analytics_dashboard.residence, ''::text)) AND (d.day > ( SELECT (asked.through - asked.days)
                    FROM asked)))
         ), standing AS (
          SELECT sum(s_1.students) AS students,
             sum(s_1.students) FILTER (WHERE ((s_1.seen_within_days >= 1) AND (s_1.seen_within_days <= ( SELECT asked.days
                    FROM asked)))) AS active,
             sum(s_1.high_risk) FILTER (WHERE ((s_1.seen_within_days >= 1) AND (s_1.seen_within_days <= ( SELECT asked.days
                    FROM asked)))) AS high_risk,
             sum(s_1.moderate_risk) FILTER (WHERE ((s_1.seen_within_days >= 1) AND (s_1.seen_within_days <= ( SELECT asked.days
                    FROM asked)))) AS moderate_risk
            FROM public.cohort_standings s_1
           WHERE ((s_1.university_id = analytics_dashboard.university_id) AND (s_1.grain = ( SELECT asked.grain
                    FROM asked)) AND (s_1.faculty = COALESCE(analytics_dashboard.faculty, ''::text)) AND (s_1.year_of_study = COALESCE(analytics_dashboard.year_of_study, ''::text)) AND (s_1.residence = COALESCE(analytics_dashboard.residence, ''::text)))
         ), averages AS (
          SELECT by.dimension,
             by.name,
             round(((sum(by.score_sum) / (sum(by.completed))::double precision))::numeric, 2) AS average
            FROM ( SELECT 'faculty'::text AS dimension,
                     d.faculty AS name,
                     d.score_sum,
                     d.completed
                    FROM public.cohort_days d
                   WHERE ((d.university_id = analytics_dashboard.university_id) AND (d.grain = ( SELECT ((asked.grain)::integer | 4)
                            FROM asked)) AND (d.faculty = COALESCE(analytics_dashboard.faculty, d.faculty)) AND (d.year_of_study = COALESCE(analytics_dashboard.year_of_study, ''::text)) AND (d.residence = COALESCE(analytics_dashboard.residence, ''::text)) AND (d.day > ( SELECT (asked.through - asked.days)
                            FROM asked)))
                 UNION ALL
                  SELECT 'year'::text AS dimension,
                     d.year_of_study AS name,
                     d.score_sum,
                     d.completed
                    FROM public.cohort_days d
                   WHERE ((d.university_id = analytics_dashboard.university_id) AND (d.grain = ( SELECT ((asked.grain)::integer | 2)
                            FROM asked)) AND (d.faculty = COALESCE(analytics_dashboard.faculty, ''::text)) AND (d.year_of_study = COALESCE(analytics_dashboard.year_of_study, d.year_of_study)) AND (d.residence = COALESCE(analytics_dashboard.residence, ''::text)) AND (d.day > ( SELECT (asked.through - asked.days)
                            FROM asked)))
                 UNION ALL
                  SELECT 'residence'::text AS dimension,
                     d.residence AS name,
                     d.score_sum,
                     d.completed
                    FROM public.cohort_days d
                   WHERE ((d.university_id = analytics_dashboard.university_id) AND (d.grain = ( SELECT ((asked.grain)::integer | 1)
                            FROM asked)) AND (d.faculty = COALESCE(analytics_dashboard.faculty, ''::text)) AND (d.year_of_study = COALESCE(analytics_dashboard.year_of_study, ''::text)) AND (d.residence = COALESCE(analytics_dashboard.residence, d.residence)) AND (d.day > ( SELECT (asked.through - asked.days)
                            FROM asked)))) by
           GROUP BY by.dimension, by.name
         )
  SELECT jsonb_build_object('summary', jsonb_build_object('total_students', s.students, 'active_students', COALESCE(s.active, (0)::bigint), 'assessments_completed', ( SELECT COALESCE(sum(days.completed), (0)::bigint) AS "coalesce"
            FROM days), 'average_wellbeing_score', ( SELECT round(((sum(days.score_sum) / (sum(days.completed))::double precision))::numeric, 2) AS round
            FROM days)), 'trends', jsonb_build_object('wellbeing_trend', ( SELECT COALESCE(jsonb_agg(jsonb_build_object('date', days.day, 'average_score', round(((days.score_sum / (days.completed)::double precision))::numeric, 2), 'student_count', days.students) ORDER BY days.day), '[]'::jsonb) AS "coalesce"
            FROM days), 'engagement_trend', ( SELECT COALESCE(jsonb_agg(jsonb_build_object('date', days.day, 'completion_rate', round(((days.completed)::numeric / (days.ended)::numeric), 4)) ORDER BY days.day), '[]'::jsonb) AS "coalesce"
            FROM days)), 'risk_analysis', jsonb_build_object('high_risk_count', COALESCE(s.high_risk, (0)::bigint), 'medium_risk_count', COALESCE(s.moderate_risk, (0)::bigint)), 'cohort_breakdown', jsonb_build_object('by_faculty', ( SELECT COALESCE(jsonb_object_agg(averages.name, averages.average), '{}'::jsonb) AS "coalesce"
            FROM averages
           WHERE (averages.dimension = 'faculty'::text)), 'by_year', ( SELECT COALESCE(jsonb_object_agg(averages.name, averages.average), '{}'::jsonb) AS "coalesce"
            FROM averages
           WHERE (averages.dimension = 'year'::text)), 'by_residence', ( SELECT COALESCE(jsonb_object_agg(averages.name, averages.average), '{}'::jsonb) AS "coalesce"
            FROM averages
           WHERE (averages.dimension = 'residence'::text)))) AS jsonb_build_object
    FROM standing s
   WHERE ((s.students IS NOT NULL) AND (( SELECT asked.days
            FROM asked) IS NOT NULL));
END;

REVOKE ALL ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.analytics_trends (
  university_id text,
  date_range    text DEFAULT '90d'::text,
  step          text DEFAULT 'week'::text,
  faculty       text DEFAULT NULL::text,
  year_of_study text DEFAULT NULL::text,
  residence     text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 WITH asked
  AS (
          SELECT private.range_days(analytics_trends.date_range) AS days,
             private.last_closed_day() AS through,
             private.cohort_grain(analytics_trends.faculty, analytics_trends.year_of_study, analytics_trends.residence) AS grain
         ), points AS (
          SELECT (date_trunc(analytics_trends.step, (d.day)::timestamp without time zone))::date AS from_day,
             count(*) AS days,
             sum(d.students) AS students,
             sum(d.ended) AS ended,
             sum(d.completed) AS completed,
             sum(d.score_sum) AS score_sum
            FROM public.cohort_days d
           WHERE ((d.university_id = analytics_trends.university_id) AND (d.grain = ( SELECT asked_1.grain
                    FROM asked asked_1)) AND (d.faculty = COALESCE(analytics_trends.faculty, ''::text)) AND (d.year_of_study = COALESCE(analytics_trends.year_of_study, ''::text)) AND (d.residence = COALESCE(analytics_trends.residence, ''::text)) AND (d.day > ( SELECT (asked_1.through - asked_1.days)
                    FROM asked asked_1)))
           GROUP BY ((date_trunc(analytics_trends.step, (d.day)::timestamp without time zone))::date)
         )
  SELECT jsonb_build_object('university_id', analytics_trends.university_id, 'date_range', analytics_trends.date_range, 'step', analytics_trends.step, 'from', ( SELECT ((asked_1.through - asked_1.days) + 1)
            FROM asked asked_1), 'to', ( SELECT asked_1.through
            FROM asked asked_1), 'points', ( SELECT COALESCE(jsonb_agg(jsonb_build_object('date', p.from_day, 'average_score', round(((p.score_sum / (p.completed)::double precision))::numeric, 2), 'assessments_completed', p.completed, 'completion_rate', round(((p.completed)::numeric / (p.ended)::numeric), 4), 'students_per_day', round(((p.students)::numeric / (p.days)::numeric), 1)) ORDER BY p.from_day), '[]'::jsonb) AS "coalesce"
            FROM points p)) AS jsonb_build_object
    FROM asked
   WHERE ((EXISTS ( SELECT
            FROM public.cohort_standings s
           WHERE ((s.university_id = analytics_trends.university_id) AND (s.grain = asked.grain) AND (s.faculty = COALESCE(analytics_trends.faculty, ''::text)) AND (s.year_of_study = COALESCE(analytics_trends.year_of_study, ''::text)) AND (s.residence = COALESCE(analytics_trends.residence, ''::text))))) AND (asked.days IS NOT NULL));
END;

REVOKE ALL ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.analytics_wellbeing (
  university_id text,
  date_range    text DEFAULT '30d'::text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 WITH asked
  AS (
          SELECT private.range_days(analytics_wellbeing.date_range) AS days,
             private.last_closed_day() AS through
         ), cohorts AS (
          SELECT d.grain,
             ((d.faculty || d.year_of_study) || d.residence) AS name,
             sum(d.completed) FILTER (WHERE (d.day > (a.through - a.days))) AS completed,
             sum(d.ended) FILTER (WHERE (d.day > (a.through - a.days))) AS ended,
             sum(d.score_sum) FILTER (WHERE (d.day > (a.through - a.days))) AS score_sum,
             sum(d.completed) FILTER (WHERE (d.day <= (a.through - a.days))) AS completed_before,
             sum(d.score_sum) FILTER (WHERE (d.day <= (a.through - a.days))) AS score_sum_before
            FROM public.cohort_days d,
             asked a
           WHERE ((d.university_id = analytics_wellbeing.university_id) AND (d.grain = ANY (ARRAY[0, 1, 2, 4])) AND (d.day > (a.through - (2 * a.days))))
           GROUP BY d.grain, ((d.faculty || d.year_of_study) || d.residence)
         ), standings AS (
          SELECT s.grain,
             ((s.faculty || s.year_of_study) || s.residence) AS name,
             sum(s.students) AS students,
             sum(s.students) FILTER (WHERE ((s.seen_within_days >= 1) AND (s.seen_within_days <= a.days))) AS active,
             sum(s.high_risk) FILTER (WHERE ((s.seen_within_days >= 1) AND (s.seen_within_days <= a.days))) AS high_risk,
             sum(s.moderate_risk) FILTER (WHERE ((s.seen_within_days >= 1) AND (s.seen_within_days <= a.days))) AS moderate_risk
            FROM public.cohort_standings s,
             asked a
           WHERE ((s.university_id = analytics_wellbeing.university_id) AND (s.grain = ANY (ARRAY[0, 1, 2, 4])) AND (a.days IS NOT NULL))
           GROUP BY s.grain, ((s.faculty || s.year_of_study) || s.residence)
         ), figures AS (
          SELECT s.grain,
             s.name,
             jsonb_build_object('dimension',
                 CASE s.grain
                     WHEN 4 THEN 'faculty'::text
                     WHEN 2 THEN 'year'::text
                     WHEN 1 THEN 'residence'::text
                     ELSE 'university'::text
                 END, 'name',
                 CASE
                     WHEN (s.grain = 0) THEN analytics_wellbeing.university_id
                     ELSE s.name
                 END, 'total_students', s.students, 'active_students', COALESCE(s.active, (0)::bigint), 'assessments_completed', COALESCE(c.completed, (0)::bigint), 'completion_rate', round(((c.completed)::numeric / (c.ended)::numeric), 4), 'average_score', round(((c.score_sum / (c.completed)::double precision))::numeric, 2), 'change', round((((c.score_sum / (c.completed)::double precision) - (c.score_sum_before / (c.completed_before)::double precision)))::numeric, 2), 'high_risk_count', COALESCE(s.high_risk, (0)::bigint), 'medium_risk_count', COALESCE(s.moderate_risk, (0)::bigint)) AS figure
            FROM (standings s
              LEFT JOIN cohorts c ON (((c.grain = s.grain) AND (c.name = s.name))))
         )
  SELECT jsonb_build_object('university_id', analytics_wellbeing.university_id, 'date_range', analytics_wellbeing.date_range, 'from', ( SELECT ((asked.through - asked.days) + 1)
            FROM asked), 'to', ( SELECT asked.through
            FROM asked), 'university', f.figure, 'cohorts', ( SELECT COALESCE(jsonb_agg(o.figure ORDER BY o.grain DESC, o.name), '[]'::jsonb) AS "coalesce"
            FROM figures o
           WHERE (o.grain <> 0))) AS jsonb_build_object
    FROM figures f
   WHERE (f.grain = 0);
END;

REVOKE ALL ON FUNCTION "public"."analytics_wellbeing"(text, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.export_my_data()
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.export_data()
  AS export_data;
END;

REVOKE ALL ON FUNCTION "public"."export_my_data"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_open_reviews()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.noted_reviews()
  AS noted_reviews;
END;

REVOKE ALL ON FUNCTION "public"."list_open_reviews"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_students (
  university_id text,
  search        text    DEFAULT NULL::text,
  sort          text    DEFAULT 'name'::text,
  descending    boolean DEFAULT false,
  page_limit    integer DEFAULT 50,
  page_offset   integer DEFAULT 0
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT jsonb_build_object('students', COALESCE(( SELECT jsonb_agg((to_jsonb(s.*) - 'place'::text) ORDER BY s.place) AS jsonb_agg
            FROM
              private.student_page(list_students.university_id, NULLIF(btrim(list_students.search), ''::text), (list_students.sort)::private.student_sort, list_students.descending,
              LEAST(GREATEST(list_students.page_limit, 0), 200),
              GREATEST(list_students.page_offset, 0))
              WITH ORDINALITY
              s(user_id, first_name, last_name, university_id, faculty, year_of_study, residence, check_ins, last_check_in_at, last_score, last_uncertainty,
              last_direction_of_change, risk_level, place)), '[]'::jsonb), 'total',
         CASE
             WHEN (NULLIF(btrim(search), ''::text) IS NULL) THEN private.students_listed(university_id)
             ELSE private.students_found(university_id, btrim(search))
         END)
  AS jsonb_build_object;
END;

REVOKE ALL ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.note_read (
  action        public.audit_action,
  university_id text                DEFAULT NULL::text,
  student_id    uuid                DEFAULT NULL::uuid
)
  RETURNS boolean
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.note_read(action, university_id, student_id)
  AS note_read;
END;

REVOKE ALL ON FUNCTION "public"."note_read"(public.audit_action, text, uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.read_student (
  student_id uuid,
  scores     integer DEFAULT 50
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.read_noted_student(student_id, LEAST(GREATEST(scores, 0), 200))
  AS read_noted_student;
END;

REVOKE ALL ON FUNCTION "public"."read_student"(uuid, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.verify_audit_chain (
  from_entry bigint DEFAULT 1
)
  RETURNS TABLE (
    intact    boolean,
    entries   bigint,
    broken_at bigint,
    problem   text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT audit_chain_state.intact,
     audit_chain_state.entries,
     audit_chain_state.broken_at,
     audit_chain_state.problem
    FROM private.audit_chain_state(verify_audit_chain.from_entry) audit_chain_state(intact, entries, broken_at, problem);
END;

REVOKE ALL ON FUNCTION "public"."verify_audit_chain"(bigint) FROM PUBLIC, "anon";

ALTER TABLE "private"."listed_students"
  ADD CONSTRAINT "listed_students_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE CASCADE;

ALTER TABLE "private"."rate_limit_uses"
  ADD CONSTRAINT "rate_limit_uses_pkey" PRIMARY KEY (subject, scope);

ALTER TABLE "private"."student_days"
  ADD CONSTRAINT "student_days_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."audit_logs"
  ADD CONSTRAINT "audit_logs_details_object" CHECK ((jsonb_typeof(details) = 'object'::text));

ALTER TABLE "public"."cohort_days"
  ADD CONSTRAINT "cohort_days_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE CASCADE;

ALTER TABLE "public"."cohort_standings"
  ADD CONSTRAINT "cohort_standings_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE CASCADE;

ALTER TABLE "public"."students"
  ADD CONSTRAINT "students_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE SET NULL;

ALTER TABLE "public"."students"
  ADD CONSTRAINT "students_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."universities"
  ADD CONSTRAINT "universities_assessment_frequency_known"
    CHECK ((assessment_frequency = ANY (ARRAY['daily'::text, 'twice_weekly'::text, 'weekly'::text, 'biweekly'::text, 'monthly'::text])));

ALTER TABLE "public"."universities"
  ADD CONSTRAINT "universities_crisis_phone_form" CHECK ((crisis_phone ~ '^[+0-9][-0-9 ().]{1,29}$'::text));

ALTER TABLE "public"."universities"
  ADD CONSTRAINT "universities_features_enabled_known"
    CHECK ((features_enabled <@ ARRAY['check_ins'::text, 'sessions'::text, 'text_model'::text, 'support_circle'::text, 'counselor_access'::text, 'training'::text]));

ALTER TABLE "public"."universities"
  ADD CONSTRAINT "universities_logo_url_form" CHECK (((logo_url ~ '^https://[^[:space:]"<>]+$'::text) AND (char_length(logo_url) <= 500)));

ALTER TABLE "public"."universities"
  ADD CONSTRAINT "universities_privacy_settings_size" CHECK ((pg_column_size(privacy_settings) <= 16384));

ALTER TABLE "public"."universities"
  ADD CONSTRAINT "universities_resources_form"
    CHECK
    (((pg_column_size(resources) <= 16384) AND (NOT jsonb_path_exists(resources,
    '$[*]?((((@.type() != "object" || !(exists (@."name"?(@.type() == "string" && @ like_regex "^.{1,200}$")))) || exists (@."phone"?(@.type() != "null" && !(@.type() == "string" && @ like_regex "^[+0-9][-0-9 ().]{1,29}$")))) || exists (@."website"?(@.type() != "null" && !(@.type() == "string" && @ like_regex "^https?://[^ \"<>]+$")))) || exists (@.keyvalue()?((@."key" != "name" && @."key" != "phone") && @."key" != "website")))'::jsonpath))));

ALTER TABLE "public"."universities"
  ADD CONSTRAINT "universities_support_email_form" CHECK ((support_email ~ '^[^@[:space:]<>"]{1,64}@[^@[:space:]<>"]{1,190}$'::text));

CREATE VIEW "public"."open_clinical_reviews" WITH (security_invoker=true) AS  SELECT r.id,
    r.university_id,
    r.user_id,
    p.first_name,
    p.last_name,
    r.source,
    r.risk_level,
    r.status,
    r.opened_at,
    r.claimed_at,
    r.claimed_by
   FROM (public.clinical_reviews r
     LEFT JOIN public.profiles p ON ((p.user_id = r.user_id)))
  WHERE (r.status <> 'closed'::public.review_status);

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "anon";

CREATE VIEW "public"."risk_by_cohort" WITH (security_invoker=true) AS  SELECT university_id,
    NULLIF(faculty, ''::text) AS faculty,
    NULLIF(year_of_study, ''::text) AS year_of_study,
    NULLIF(residence, ''::text) AS residence,
    as_of,
    sum(students) AS students,
    COALESCE(sum(students) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 7))), (0)::bigint) AS active_7d,
    COALESCE(sum(students) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 30))), (0)::bigint) AS active_30d,
    COALESCE(sum(students) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 90))), (0)::bigint) AS active_90d,
    COALESCE(sum(students) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 365))), (0)::bigint) AS active_1y,
    COALESCE(sum(high_risk) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 30))), (0)::bigint) AS high_risk_30d,
    COALESCE(sum(moderate_risk) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 30))), (0)::bigint) AS moderate_risk_30d
   FROM public.cohort_standings
  GROUP BY university_id, faculty, year_of_study, residence, as_of;

REVOKE ALL ON TABLE "public"."risk_by_cohort" FROM "anon";

CREATE VIEW "public"."wellbeing_by_day" WITH (security_invoker=true) AS  SELECT university_id,
    NULLIF(faculty, ''::text) AS faculty,
    NULLIF(year_of_study, ''::text) AS year_of_study,
    NULLIF(residence, ''::text) AS residence,
    day,
    students,
    completed AS assessments_completed,
    round(((score_sum / (completed)::double precision))::numeric, 2) AS average_score,
    round(((completed)::numeric / (ended)::numeric), 4) AS completion_rate
   FROM public.cohort_days;

REVOKE ALL ON TABLE "public"."wellbeing_by_day" FROM "anon";

CREATE INDEX student_days_user_id_idx ON private.student_days USING btree (user_id);

CREATE INDEX audit_logs_action_idx ON public.audit_logs USING btree (action, occurred_at);

CREATE INDEX audit_logs_actor_id_idx ON public.audit_logs USING btree (actor_id, occurred_at);

CREATE INDEX audit_logs_target_idx ON public.audit_logs USING btree (target_type, target_id);

CREATE INDEX profiles_university_id_name_idx ON public.profiles USING btree (university_id, last_name, first_name, user_id);

CREATE INDEX students_counseled_last_check_in_idx ON public.students USING btree (university_id, last_check_in_at NULLS FIRST, user_id)
  WHERE counselor_access;

CREATE INDEX students_counseled_risk_idx ON public.students USING btree (university_id, risk_level, user_id)
  WHERE counselor_access;

CREATE INDEX students_counseled_score_idx ON public.students USING btree (university_id, last_score NULLS FIRST, user_id)
  WHERE counselor_access;

CREATE INDEX students_university_id_idx ON public.students USING btree (university_id);

CREATE CONSTRAINT TRIGGER audit_sign_in
  AFTER INSERT ON auth.sessions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_sign_in();

CREATE TRIGGER count_check_in
  AFTER UPDATE OF status ON checkin.check_ins
  FOR EACH ROW
  WHEN
    (((new.status <> old.status) AND ((new.status = ANY (ARRAY['complete'::checkin.check_in_status, 'failed'::checkin.check_in_status, 'expired'::checkin.check_in_status])) OR
    (old.status = 'failed'::checkin.check_in_status))))
  EXECUTE FUNCTION private.count_check_in();

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER UPDATE ON private.cohort_settings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((new.smallest_cohort <> old.smallest_cohort))
  EXECUTE FUNCTION private.audit_settings('only_row');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.crisis_contacts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('university_id');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.messaging_settings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('only_row');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.pipeline_settings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('only_row');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.rate_limit_rules DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('scope');

CREATE TRIGGER chain_audit_entry
  BEFORE INSERT ON public.audit_logs
  FOR EACH ROW
  EXECUTE FUNCTION private.chain_audit_entry();

CREATE TRIGGER refuse_audit_change
  BEFORE DELETE OR UPDATE ON public.audit_logs
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_audit_change();

CREATE TRIGGER refuse_audit_truncate
  BEFORE TRUNCATE ON public.audit_logs
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.refuse_audit_change();

CREATE CONSTRAINT TRIGGER audit_review
  AFTER UPDATE ON public.clinical_reviews DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((new.status <> old.status))
  EXECUTE FUNCTION private.audit_review();

CREATE TRIGGER follow_counselor_access
  AFTER INSERT OR UPDATE ON public.consents
  FOR EACH ROW
  WHEN ((new.kind = 'counselor_access'::public.consent_kind))
  EXECUTE FUNCTION private.follow_counselor_access();

CREATE TRIGGER move_student
  AFTER UPDATE OF university_id ON public.profiles
  FOR EACH ROW
  WHEN ((new.university_id IS DISTINCT FROM old.university_id))
  EXECUTE FUNCTION private.move_student();

CREATE TRIGGER count_listed_student
  AFTER INSERT OR DELETE OR UPDATE OF university_id, counselor_access ON public.students
  FOR EACH ROW
  EXECUTE FUNCTION private.count_listed_student();

CREATE TRIGGER touch_updated_at
  BEFORE UPDATE ON public.students
  FOR EACH ROW
  EXECUTE FUNCTION private.touch_updated_at();

CREATE CONSTRAINT TRIGGER audit_university
  AFTER INSERT OR DELETE OR UPDATE ON public.universities DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_university();

CREATE CONSTRAINT TRIGGER audit_role_changed
  AFTER UPDATE ON public.user_roles DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN (((new.role <> 'student'::public.app_role) OR (old.role <> 'student'::public.app_role)))
  EXECUTE FUNCTION private.audit_role();

CREATE CONSTRAINT TRIGGER audit_role_granted
  AFTER INSERT ON public.user_roles DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((new.role <> 'student'::public.app_role))
  EXECUTE FUNCTION private.audit_role();

CREATE CONSTRAINT TRIGGER audit_role_revoked
  AFTER DELETE ON public.user_roles DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((old.role <> 'student'::public.app_role))
  EXECUTE FUNCTION private.audit_role();

CREATE TRIGGER enrol_student
  AFTER INSERT ON public.user_roles
  FOR EACH ROW
  WHEN ((new.role = 'student'::public.app_role))
  EXECUTE FUNCTION private.enrol_student();

CREATE TRIGGER unenrol_student
  AFTER DELETE ON public.user_roles
  FOR EACH ROW
  WHEN ((old.role = 'student'::public.app_role))
  EXECUTE FUNCTION private.enrol_student();

CREATE POLICY "security administrators read the audit log" ON "public"."audit_logs"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "counselors claim and close the reviews of their universities" ON "public"."clinical_reviews"
  FOR UPDATE
  TO "authenticated"
  USING (((university_id IN ( SELECT private.universities_counseled() AS universities_counseled)) AND (user_id <> ( SELECT auth.uid() AS uid))))
  WITH CHECK (((university_id IN ( SELECT private.universities_counseled() AS universities_counseled)) AND (user_id <> ( SELECT auth.uid() AS uid))));

CREATE POLICY "counselors see the reviews of their universities" ON "public"."clinical_reviews"
  FOR SELECT
  TO "authenticated"
  USING (((university_id IN ( SELECT private.universities_counseled() AS universities_counseled)) AND (user_id <> ( SELECT auth.uid() AS uid))));

CREATE POLICY "administrators see their universities' days" ON "public"."cohort_days"
  FOR SELECT
  TO "authenticated"
  USING ((university_id = ANY (ARRAY( SELECT private.universities_administered() AS universities_administered))));

CREATE POLICY "administrators see their universities' risk" ON "public"."cohort_standings"
  FOR SELECT
  TO "authenticated"
  USING ((university_id = ANY (ARRAY( SELECT private.universities_administered() AS universities_administered))));

CREATE POLICY "people see their own profile" ON "public"."profiles"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students say where they study and live" ON "public"."students"
  FOR UPDATE
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)))
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see their own enrolment" ON "public"."students"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "administrators change their universities" ON "public"."universities"
  FOR UPDATE
  TO "authenticated"
  USING ((id IN ( SELECT private.universities_administered() AS universities_administered)))
  WITH CHECK ((id IN ( SELECT private.universities_administered() AS universities_administered)));

CREATE POLICY "people see their universities, security administrators all" ON "public"."universities"
  FOR SELECT
  TO "authenticated"
  USING (((id IN ( SELECT private.universities_joined() AS universities_joined)) OR ( SELECT private.is_security_admin() AS is_security_admin)));

CREATE POLICY "administrators remove shared files, students their own" ON "storage"."objects"
  FOR DELETE
  TO "authenticated"
  USING
    (((bucket_id = 'university-files'::text) AND ((((storage.foldername(name))[2] = 'shared'::text) AND ((storage.foldername(name))[1] IN ( SELECT
    private.universities_administered() AS universities_administered))) OR
    (((storage.foldername(name))[2] = 'students'::text) AND ((storage.foldername(name))[3] = (( SELECT auth.uid() AS uid))::text) AND ((storage.foldername(name))[1] IN ( SELECT
    private.universities_joined() AS universities_joined))))));

CREATE POLICY "members add files to their university" ON "storage"."objects"
  FOR INSERT
  TO "authenticated"
  WITH
    CHECK
    (((bucket_id = 'university-files'::text) AND ((((storage.foldername(name))[2] = 'shared'::text) AND (((storage.foldername(name))[1] IN ( SELECT
    private.universities_administered() AS universities_administered)) OR ((storage.foldername(name))[1] IN ( SELECT private.universities_counseled() AS universities_counseled))))
    OR
    (((storage.foldername(name))[2] = 'students'::text) AND ((storage.foldername(name))[3] = (( SELECT auth.uid() AS uid))::text) AND ((storage.foldername(name))[1] IN ( SELECT
    private.universities_joined() AS universities_joined))))));

CREATE POLICY "members read their university's files" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING
    (((bucket_id = 'university-files'::text) AND ((storage.foldername(name))[1] IN ( SELECT private.universities_joined() AS universities_joined)) AND
    (((storage.foldername(name))[2] = 'shared'::text) OR (((storage.foldername(name))[2] = 'students'::text) AND ((storage.foldername(name))[3] = (( SELECT auth.uid() AS
    uid))::text)))));

COMMENT ON COLUMN "private"."audit_head"."entries" IS 'Entries in the log.';

COMMENT ON COLUMN "private"."audit_head"."hash" IS 'Hash of the last entry.';

COMMENT ON COLUMN "private"."audit_head"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."cohort_settings"."closed_through" IS 'Last day (UTC) that is closed; null before the first.';

COMMENT ON COLUMN "private"."cohort_settings"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."cohort_settings"."smallest_cohort" IS 'Fewest students that a figure may be about; never under ten.';

COMMENT ON COLUMN "private"."listed_students"."students" IS 'Students with the consent counselor_access in force.';

COMMENT ON COLUMN "private"."listed_students"."university_id" IS 'The university.';

COMMENT ON COLUMN "private"."rate_limit_uses"."subject" IS 'Account that asked; for who is not signed in, a digest of what they are known by.';

COMMENT ON COLUMN "private"."student_days"."completed" IS 'Check-ins that were completed.';

COMMENT ON COLUMN "private"."student_days"."day" IS 'Day (UTC) on which the check-ins ended.';

COMMENT ON COLUMN "private"."student_days"."ended" IS 'Check-ins that ended: complete, failed or expired.';

COMMENT ON COLUMN "private"."student_days"."score_sum" IS 'Sum of their scores.';

COMMENT ON COLUMN "private"."student_days"."user_id" IS 'The student.';

COMMENT ON COLUMN "public"."audit_logs"."action" IS 'What was done.';

COMMENT ON COLUMN "public"."audit_logs"."actor_id" IS 'Account of who did it; null for an operator, a job, or somebody unknown.';

COMMENT ON COLUMN "public"."audit_logs"."actor_role" IS 'Database role it was done with: authenticated, service_role, postgres, anon.';

COMMENT ON COLUMN "public"."audit_logs"."after" IS 'The columns that changed, as they are now; the row where it was added.';

COMMENT ON COLUMN "public"."audit_logs"."before" IS 'The columns that changed, as they were; the row where it was removed.';

COMMENT ON COLUMN "public"."audit_logs"."details" IS 'Further circumstances, such as why a sign-in failed.';

COMMENT ON COLUMN "public"."audit_logs"."hash" IS 'SHA-256 of previous_hash and everything in this entry.';

COMMENT ON COLUMN "public"."audit_logs"."id" IS 'Place in the chain, from 1, without gaps.';

COMMENT ON COLUMN "public"."audit_logs"."ip" IS 'Address that the request says it comes from.';

COMMENT ON COLUMN "public"."audit_logs"."occurred_at" IS 'When the entry was written.';

COMMENT ON COLUMN "public"."audit_logs"."previous_hash" IS 'Hash of the entry before; 32 zero bytes for the first.';

COMMENT ON COLUMN "public"."audit_logs"."request_id" IS 'Finds the request in the functions'' logs.';

COMMENT ON COLUMN "public"."audit_logs"."target_id" IS 'Key of what it was done to.';

COMMENT ON COLUMN "public"."audit_logs"."target_type" IS 'Table of what it was done to.';

COMMENT ON COLUMN "public"."audit_logs"."university_id" IS 'University it concerns.';

COMMENT ON COLUMN "public"."audit_logs"."user_agent" IS 'Program that the request says it comes from.';

COMMENT ON COLUMN "public"."cohort_days"."completed" IS 'Check-ins that were completed.';

COMMENT ON COLUMN "public"."cohort_days"."day" IS 'The day, UTC.';

COMMENT ON COLUMN "public"."cohort_days"."ended" IS 'Check-ins that ended: complete, failed or expired.';

COMMENT ON COLUMN "public"."cohort_days"."faculty" IS 'Faculty; empty for all.';

COMMENT ON COLUMN "public"."cohort_days"."grain" IS 'Which of faculty (4), year of study (2) and residence (1) the row is limited to.';

COMMENT ON COLUMN "public"."cohort_days"."residence" IS 'Residence; empty for all.';

COMMENT ON COLUMN "public"."cohort_days"."score_sum" IS 'Sum of their scores; over completed it is the average score.';

COMMENT ON COLUMN "public"."cohort_days"."students" IS 'Students who completed a check-in.';

COMMENT ON COLUMN "public"."cohort_days"."university_id" IS 'The university.';

COMMENT ON COLUMN "public"."cohort_days"."year_of_study" IS 'Year of study; empty for all.';

COMMENT ON COLUMN "public"."cohort_standings"."as_of" IS 'Day whose closing found this.';

COMMENT ON COLUMN "public"."cohort_standings"."faculty" IS 'Faculty; empty for all.';

COMMENT ON COLUMN "public"."cohort_standings"."grain" IS 'Which of faculty (4), year of study (2) and residence (1) the row is limited to.';

COMMENT ON COLUMN "public"."cohort_standings"."high_risk" IS 'Of them, whose last check-in showed high risk.';

COMMENT ON COLUMN "public"."cohort_standings"."moderate_risk" IS 'Of them, whose last check-in showed moderate risk.';

COMMENT ON COLUMN "public"."cohort_standings"."residence" IS 'Residence; empty for all.';

COMMENT ON COLUMN "public"."cohort_standings"."seen_within_days" IS 'Last check-in within the last 7, 30, 90 or 365 days and not within the shorter time; 0 for longer ago, never, or too few to say.';

COMMENT ON COLUMN "public"."cohort_standings"."students" IS 'Students.';

COMMENT ON COLUMN "public"."cohort_standings"."university_id" IS 'The university.';

COMMENT ON COLUMN "public"."cohort_standings"."year_of_study" IS 'Year of study; empty for all.';

COMMENT ON COLUMN "public"."profiles"."university_id" IS 'University the account belongs to: by its mail domain, or the named one where that takes addresses of other domains.';

COMMENT ON COLUMN "public"."students"."check_ins" IS 'Check-ins that were completed.';

COMMENT ON COLUMN "public"."students"."counselor_access" IS 'Whether the consent counselor_access is in force.';

COMMENT ON COLUMN "public"."students"."created_at" IS 'When the row was made.';

COMMENT ON COLUMN "public"."students"."faculty" IS 'Faculty, as the student or the university names it.';

COMMENT ON COLUMN "public"."students"."last_check_in_at" IS 'When the last check-in ended, complete or failed.';

COMMENT ON COLUMN "public"."students"."last_direction_of_change" IS 'Its direction of change.';

COMMENT ON COLUMN "public"."students"."last_score" IS 'Score of the last check-in that was completed, 0 to 100.';

COMMENT ON COLUMN "public"."students"."last_uncertainty" IS 'Its uncertainty, 0 to 1.';

COMMENT ON COLUMN "public"."students"."residence" IS 'Where the student lives, such as on_campus.';

COMMENT ON COLUMN "public"."students"."risk_level" IS 'Risk level of the last check-in that ended.';

COMMENT ON COLUMN "public"."students"."university_id" IS 'University of the profile.';

COMMENT ON COLUMN "public"."students"."updated_at" IS 'When the row was last changed.';

COMMENT ON COLUMN "public"."students"."user_id" IS 'The student.';

COMMENT ON COLUMN "public"."students"."year_of_study" IS 'Year of study, such as 1 or postgraduate.';

COMMENT ON COLUMN "public"."universities"."accepts_other_domains" IS 'Whether a student with an address of no university''s domain may join by naming this one.';

COMMENT ON COLUMN "public"."universities"."assessment_frequency" IS 'How often students are invited to check in: daily, twice_weekly, weekly, biweekly or monthly.';

COMMENT ON COLUMN "public"."universities"."features_enabled" IS 'Features the university has switched on: check_ins, sessions, text_model, support_circle, counselor_access, training.';

COMMENT ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) IS 'Appends to the audit log. Holds the chain until the transaction ends, so it comes last in it. Called by triggers and by the functions.';

COMMENT ON FUNCTION "private"."audit_chain_state"(bigint) IS 'What public.verify_audit_chain answers.';

COMMENT ON FUNCTION "private"."audit_hash"(public.audit_logs) IS 'What the hash of an entry must be. Called where entries are written and verified.';

COMMENT ON FUNCTION "private"."audit_review"() IS 'Trigger: clinical reviews that are claimed, handed back or closed.';

COMMENT ON FUNCTION "private"."audit_role"() IS 'Trigger: roles of staff that are given, changed or taken away.';

COMMENT ON FUNCTION "private"."audit_settings"() IS 'Trigger: settings of an operator; its argument is the key''s column.';

COMMENT ON FUNCTION "private"."audit_sign_in"() IS 'Trigger on auth.sessions: sign-ins, where Auth says they come from.';

COMMENT ON FUNCTION "private"."audit_university"() IS 'Trigger: changes of universities, before and after.';

COMMENT ON FUNCTION "private"."chain_audit_entry"() IS 'Trigger: gives an entry its place, time and hash, whatever the statement says; one transaction at a time.';

COMMENT ON FUNCTION "private"."changed_columns"(jsonb, jsonb) IS 'The columns of a row that differ in another. Called by audit triggers.';

COMMENT ON FUNCTION "private"."close_days"(date) IS 'Stores the figures of all days up to one that is over, and where students stand at its end. Closing a day again does nothing. Called by cron.';

COMMENT ON FUNCTION "private"."closing_lock"() IS 'Advisory lock: shared by what counts a check-in, alone for what closes days.';

COMMENT ON FUNCTION "private"."cohort_grain"(text, text, text) IS 'Grain of the rows of a cohort in cohort_days and cohort_standings.';

COMMENT ON FUNCTION "private"."count_check_in"() IS 'Trigger: counts a check-in that ended in its day and on its student, once however often it is handed in.';

COMMENT ON FUNCTION "private"."count_listed_student"() IS 'Trigger: keeps private.listed_students true.';

COMMENT ON FUNCTION "private"."enrol_student"() IS 'Trigger: who has the student role has a row of students, and nobody else.';

COMMENT ON FUNCTION "private"."everything_of"(uuid) IS 'What the service knows of a student, as JSON: all but files and clinical reviews. Called by private.export_data.';

COMMENT ON FUNCTION "private"."export_data"() IS 'What public.export_my_data answers.';

COMMENT ON FUNCTION "private"."follow_counselor_access"() IS 'Trigger: counselors see a student as long as the consent is in force.';

COMMENT ON FUNCTION "private"."forget_rate_limit_uses"() IS 'Deletes what nobody asked for since yesterday. Called by cron.';

COMMENT ON FUNCTION "private"."has_role"(uuid, public.app_role, text) IS 'Whether an account holds a role at a university; security_admin holds everywhere. Called by the functions.';

COMMENT ON FUNCTION "private"."is_security_admin"() IS 'Whether the caller is a security administrator. Called by policies.';

COMMENT ON FUNCTION "private"."last_closed_day"() IS 'Last day that is closed, with which every range ends. Called by the analytics.';

COMMENT ON FUNCTION "private"."move_student"() IS 'Trigger: students follow the university of their profile.';

COMMENT ON FUNCTION "private"."note_read"(public.audit_action, text, uuid) IS 'What public.note_read answers.';

COMMENT ON FUNCTION "private"."noted_reviews"() IS 'What public.list_open_reviews answers.';

COMMENT ON FUNCTION "private"."range_days"(text) IS 'Days of a range 7d, 30d, 90d or 1y; null for another. Called by the analytics.';

COMMENT ON FUNCTION "private"."read_noted_student"(uuid, integer) IS 'What public.read_student answers.';

COMMENT ON FUNCTION "private"."refuse_audit_change"() IS 'Trigger: no entry of the audit log is changed or removed, by anybody.';

COMMENT ON FUNCTION "private"."request_header"(text) IS 'A header of the request that PostgREST works on; null elsewhere.';

COMMENT ON FUNCTION "private"."request_ip"() IS 'Address the request says it comes from; null where it says none. Called by private.audit.';

COMMENT ON FUNCTION "private"."require_note"(public.audit_action, text, uuid) IS 'Refuses a read that the caller did not note within the last minute. Called by the functions that answer counselors.';

COMMENT ON FUNCTION "private"."student_page"(text, text, private.student_sort, boolean, integer, integer) IS 'A page of the students that the caller may see at a university as its counselor. Called by public.list_students.';

COMMENT ON FUNCTION "private"."student_record"(uuid, integer) IS 'What the caller may know of a student as a counselor; null when nothing. Called by private.read_noted_student.';

COMMENT ON FUNCTION "private"."student_rows"(text, text, private.student_sort, boolean, integer, integer) IS 'A page of the students of a university who agreed to counselor_access. Called by private.student_page.';

COMMENT ON FUNCTION "private"."students_found"(text, text) IS 'How many students the caller may see have a name like this. Called by public.list_students.';

COMMENT ON FUNCTION "private"."students_in_review"() IS 'Students whose review is not closed, at universities where the caller is a counselor. Called by private.student_record.';

COMMENT ON FUNCTION "private"."students_listed"(text) IS 'How many students the caller sees at a university as its counselor. Called by public.list_students.';

COMMENT ON FUNCTION "private"."take_allowance"(uuid, text) IS 'Takes one request of an allowance: whether it may pass, the limit, what is left, and the seconds until one more is free. Called by the functions for who is not signed in.';

COMMENT ON FUNCTION "private"."take_rate_limit"(uuid, text) IS 'Takes one request of a person''s allowance; no row when the account was deleted. Called by the functions.';

COMMENT ON FUNCTION "private"."universities_administered"() IS 'Universities that the caller administers. Called by policies.';

COMMENT ON FUNCTION "private"."universities_counseled"() IS 'Universities where the caller is a counselor. Called by policies.';

COMMENT ON FUNCTION "private"."universities_joined"() IS 'Universities that the caller studies or holds a role at. Called by policies.';

COMMENT ON FUNCTION "private"."university_for"(text, text) IS 'University that an account with this mail address, which names that university, belongs to. Called by create_profile and by the functions.';

COMMENT ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) IS 'Figures of a university or of a cohort over 7d, 30d, 90d or 1y, up to the last day that is over; cohort_breakdown holds average scores. Null where fewer than ten students would be shown, or the caller administers no such university. Called by university administrators.';

COMMENT ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) IS 'Average score, completion and students a day by day, week or month of a range that ends with the last day that is over. Null as for analytics_dashboard. Called by university administrators.';

COMMENT ON FUNCTION "public"."analytics_wellbeing"(text, text) IS 'Each cohort of one faculty, year or residence: students, completion, average score and its change against the time as long before, risk. Null as for analytics_dashboard. Called by university administrators.';

COMMENT ON FUNCTION "public"."export_my_data"() IS 'What the service knows of the caller: all but files, which are in their folders of the buckets, and clinical reviews. Called by students; exports are in the audit log, once a minute at most.';

COMMENT ON FUNCTION "public"."list_open_reviews"() IS 'Open and claimed reviews with the students'' names, oldest first: an array. Called by counselors within a minute of note_read(''reviews_listed'').';

COMMENT ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) IS 'Students of a university who agreed to counselor_access: {students, total}, at most 200 a page, sorted by name, last_check_in, score or risk. Called by its counselors within a minute of note_read(''students_listed''). Empty for others.';

COMMENT ON FUNCTION "public"."note_read"(public.audit_action, text, uuid) IS 'Notes in the audit log that the caller is about to read: students_listed of a university, student_read of a student, or reviews_listed. For a minute the read is then answered. Called by counselors; false for others.';

COMMENT ON FUNCTION "public"."read_student"(uuid, integer) IS 'A student with the last scores and risk levels, never words or media; null when the caller may not see them. Called by counselors within a minute of note_read(''student_read'').';

COMMENT ON FUNCTION "public"."verify_audit_chain"(bigint) IS 'Reads the audit log from an entry on and says whether it is intact, and where not. Called by security administrators, the secret key and operators; no row for others.';

COMMENT ON TABLE "private"."audit_head" IS 'End of the audit log''s chain; its lock lets one transaction append at a time. Exactly one row.';

COMMENT ON TABLE "private"."cohort_settings" IS 'What the aggregates keep to. Exactly one row.';

COMMENT ON TABLE "private"."listed_students" IS 'How many students of each university its counselors see, so that a list need not count.';

COMMENT ON TABLE "private"."rate_limit_uses" IS 'Requests that were let through within the current window; forgotten a day later.';

COMMENT ON TABLE "private"."student_days" IS 'What each student''s check-ins of a day came to, until the day is closed.';

COMMENT ON TABLE "public"."audit_logs" IS 'Who did what, when and from where. Append-only; every entry carries the hash of the one before it.';

COMMENT ON TABLE "public"."cohort_days" IS 'Check-ins of each day that is over, by cohort, never of fewer than ten students. Students of cohorts too small to show count in the next larger one.';

COMMENT ON TABLE "public"."cohort_standings" IS 'Students and their risk by cohort and by how long ago their last check-in ended, as of the last day that is over; never fewer than ten students a row.';

COMMENT ON TABLE "public"."students" IS 'One row per account with the student role: enrolment, and where the last check-in left them.';

COMMENT ON TYPE "private"."listed_student" IS 'A student as counselors see them.';

COMMENT ON TYPE "private"."student_sort" IS 'What a list of students can be sorted by.';

COMMENT ON TYPE "public"."audit_action" IS 'What an entry of the audit log tells of.';

COMMENT ON VIEW "public"."open_clinical_reviews" IS 'Reviews that wait for a counselor or are in work. The names are there for operators and in public.list_open_reviews, which wants the read noted.';

COMMENT ON VIEW "public"."risk_by_cohort" IS 'Students, how many are active, and risk among those of the last 30 days, by cohort; a cohort''s column is null for all.';

COMMENT ON VIEW "public"."wellbeing_by_day" IS 'Average score and completion rate of each day that is over, by cohort; a cohort''s column is null for all.';

REVOKE ALL ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_chain_state"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."audit_chain_state"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."audit_chain_state"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_chain_state"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_chain_state"(bigint) TO "service_role";

REVOKE ALL ON FUNCTION "private"."audit_hash"(public.audit_logs) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_hash"(public.audit_logs) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_hash"(public.audit_logs) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_review"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_review"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_review"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_role"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_role"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_role"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_settings"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_settings"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_settings"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_sign_in"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_sign_in"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_sign_in"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_university"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_university"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_university"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."chain_audit_entry"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chain_audit_entry"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."chain_audit_entry"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."changed_columns"(jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."changed_columns"(jsonb, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."changed_columns"(jsonb, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."close_days"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_days"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."close_days"(date) TO "postgres";

REVOKE ALL ON FUNCTION "private"."closing_lock"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."closing_lock"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."closing_lock"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."cohort_grain"(text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."cohort_grain"(text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."cohort_grain"(text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cohort_grain"(text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."cohort_grain"(text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."count_check_in"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_check_in"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."count_check_in"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."count_listed_student"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_listed_student"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."count_listed_student"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."enrol_student"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enrol_student"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."enrol_student"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."everything_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."everything_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."everything_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."export_data"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."export_data"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."export_data"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."export_data"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."follow_counselor_access"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."follow_counselor_access"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."follow_counselor_access"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."forget_rate_limit_uses"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_rate_limit_uses"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."forget_rate_limit_uses"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."has_role"(uuid, public.app_role, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_role"(uuid, public.app_role, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."has_role"(uuid, public.app_role, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_security_admin"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_security_admin"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."is_security_admin"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_security_admin"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."last_closed_day"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."last_closed_day"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."last_closed_day"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."last_closed_day"() TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."last_closed_day"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."move_student"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."move_student"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."move_student"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."note_read"(public.audit_action, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."note_read"(public.audit_action, text, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."note_read"(public.audit_action, text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."note_read"(public.audit_action, text, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."noted_reviews"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."noted_reviews"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."noted_reviews"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."noted_reviews"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."range_days"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."range_days"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."range_days"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."range_days"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."range_days"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."read_noted_student"(uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_noted_student"(uuid, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."read_noted_student"(uuid, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."read_noted_student"(uuid, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refuse_audit_change"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_audit_change"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_audit_change"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."request_header"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_header"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."request_header"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."request_ip"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_ip"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."request_ip"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."require_note"(public.audit_action, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_note"(public.audit_action, text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."require_note"(public.audit_action, text, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."student_page"(text, text, private.student_sort, boolean, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."student_page"(text, text, private.student_sort, boolean, integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."student_page"(text, text, private.student_sort, boolean, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."student_page"(text, text, private.student_sort, boolean, integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."student_record"(uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."student_record"(uuid, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."student_record"(uuid, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."student_rows"(text, text, private.student_sort, boolean, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."student_rows"(text, text, private.student_sort, boolean, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."student_rows"(text, text, private.student_sort, boolean, integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."students_found"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."students_found"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."students_found"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."students_found"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."students_listed"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."students_listed"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."students_listed"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."students_listed"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."take_allowance"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_allowance"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."take_allowance"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."universities_administered"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."universities_administered"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."universities_administered"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."universities_administered"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."universities_counseled"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."universities_counseled"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."universities_counseled"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."universities_counseled"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."universities_joined"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."universities_joined"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."universities_joined"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."universities_joined"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."university_for"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."university_for"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."university_for"(text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."analytics_wellbeing"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."analytics_wellbeing"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_wellbeing"(text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_wellbeing"(text, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."export_my_data"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."export_my_data"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."export_my_data"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_open_reviews"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_open_reviews"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_open_reviews"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."note_read"(public.audit_action, text, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."note_read"(public.audit_action, text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."note_read"(public.audit_action, text, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_student"(uuid, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_student"(uuid, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_student"(uuid, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."verify_audit_chain"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."verify_audit_chain"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."verify_audit_chain"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."verify_audit_chain"(bigint) TO "service_role";

REVOKE ALL ON TABLE "public"."audit_logs" FROM "authenticated";

GRANT SELECT ON TABLE "public"."audit_logs" TO "authenticated";

REVOKE ALL ON TABLE "public"."audit_logs" FROM "service_role";

GRANT SELECT ON TABLE "public"."audit_logs" TO "service_role";

REVOKE ALL ON TABLE "public"."cohort_days" FROM "authenticated";

GRANT SELECT ON TABLE "public"."cohort_days" TO "authenticated";

REVOKE ALL ON TABLE "public"."cohort_days" FROM "service_role";

GRANT SELECT ON TABLE "public"."cohort_days" TO "service_role";

REVOKE ALL ON TABLE "public"."cohort_standings" FROM "authenticated";

GRANT SELECT ON TABLE "public"."cohort_standings" TO "authenticated";

REVOKE ALL ON TABLE "public"."cohort_standings" FROM "service_role";

GRANT SELECT ON TABLE "public"."cohort_standings" TO "service_role";

REVOKE ALL ON TABLE "public"."students" FROM "authenticated";

REVOKE ALL ("faculty") ON TABLE "public"."students" FROM "authenticated";

GRANT UPDATE ("faculty") ON TABLE "public"."students" TO "authenticated";

REVOKE ALL ("residence") ON TABLE "public"."students" FROM "authenticated";

GRANT UPDATE ("residence") ON TABLE "public"."students" TO "authenticated";

REVOKE ALL ("year_of_study") ON TABLE "public"."students" FROM "authenticated";

GRANT UPDATE ("year_of_study") ON TABLE "public"."students" TO "authenticated";

GRANT SELECT ON TABLE "public"."students" TO "authenticated";

REVOKE ALL ON TABLE "public"."students" FROM "service_role";

REVOKE ALL ("faculty") ON TABLE "public"."students" FROM "service_role";

GRANT UPDATE ("faculty") ON TABLE "public"."students" TO "service_role";

REVOKE ALL ("residence") ON TABLE "public"."students" FROM "service_role";

GRANT UPDATE ("residence") ON TABLE "public"."students" TO "service_role";

REVOKE ALL ("year_of_study") ON TABLE "public"."students" FROM "service_role";

GRANT UPDATE ("year_of_study") ON TABLE "public"."students" TO "service_role";

GRANT SELECT ON TABLE "public"."students" TO "service_role";

REVOKE ALL ("assessment_frequency") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("assessment_frequency") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("crisis_phone") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("crisis_phone") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("features_enabled") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("features_enabled") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("logo_url") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("logo_url") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("name") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("name") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("primary_color") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("primary_color") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("privacy_settings") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("privacy_settings") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("resources") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("resources") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("secondary_color") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("secondary_color") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("short_name") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("short_name") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("support_email") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("support_email") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "authenticated";

GRANT SELECT ON TABLE "public"."open_clinical_reviews" TO "authenticated";

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "service_role";

GRANT SELECT ON TABLE "public"."open_clinical_reviews" TO "service_role";

REVOKE ALL ON TABLE "public"."risk_by_cohort" FROM "authenticated";

GRANT SELECT ON TABLE "public"."risk_by_cohort" TO "authenticated";

REVOKE ALL ON TABLE "public"."risk_by_cohort" FROM "service_role";

GRANT SELECT ON TABLE "public"."risk_by_cohort" TO "service_role";

REVOKE ALL ON TABLE "public"."wellbeing_by_day" FROM "authenticated";

GRANT SELECT ON TABLE "public"."wellbeing_by_day" TO "authenticated";

REVOKE ALL ON TABLE "public"."wellbeing_by_day" FROM "service_role";

GRANT SELECT ON TABLE "public"."wellbeing_by_day" TO "service_role";

SELECT cron.schedule_in_database('close-days', '12 * * * *', ' select private.close_days((now() at time zone ''UTC'')::date - 1) ', 'postgres', NULL, true);

SELECT cron.schedule_in_database('forget-rate-limit-uses', '47 3 * * *', 'select private.forget_rate_limit_uses()', 'postgres', NULL, true);

-- Rows that the schema cannot do without. Each statement can be run again; every migration ends with them,
-- because a diff carries no rows.
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

select cron.schedule('ring-due-jobs', '10 seconds', 'select private.ring_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule('ring-due-messages', '10 seconds', 'select private.ring_due_messages()');
select cron.schedule('close-days', '12 * * * *', $$ select private.close_days((now() at time zone 'UTC')::date - 1) $$);
select cron.schedule('forget-rate-limit-uses', '47 3 * * *', 'select private.forget_rate_limit_uses()');
select cron.schedule('forget-sent-messages', '27 3 * * *', 'select private.forget_sent_messages()');
select cron.schedule('forget-transcript-results', '37 3 * * *', 'select private.forget_transcript_results()');
select cron.schedule(
  'forget-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);
