SET local check_function_bodies = off;

REVOKE ALL ON TABLE "public"."audit_logs" FROM "authenticated";

REVOKE ALL ("status") ON TABLE "public"."clinical_reviews" FROM "authenticated";

REVOKE ALL ON TABLE "public"."clinical_reviews" FROM "authenticated";

DROP POLICY "security administrators read the audit log" ON "public"."audit_logs";

DROP POLICY "counselors claim and close the reviews of their universities" ON "public"."clinical_reviews";

DROP POLICY "counselors see the reviews of their universities" ON "public"."clinical_reviews";

DROP POLICY "members add files to their university" ON "storage"."objects";

DROP POLICY "students read their own check-in media" ON "storage"."objects";

DROP INDEX "public"."clinical_reviews_unclosed_source_idx";

DROP VIEW "public"."open_clinical_reviews";

ALTER TABLE "private"."messaging_settings"
  DROP CONSTRAINT "messaging_settings_positive";

DROP FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text);

DROP FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid);

DROP FUNCTION "private"."personal_data_of"(uuid);

DROP FUNCTION "private"."require_access_log"(public.audit_action, text, uuid);

DROP FUNCTION "public"."export_my_data"();

DROP FUNCTION "private"."export_data"();

DROP FUNCTION "public"."list_open_reviews"();

DROP FUNCTION "private"."list_reviews_as_counselor"();

DROP FUNCTION "public"."log_access"(public.audit_action, text, uuid);

DROP FUNCTION "private"."log_access"(public.audit_action, text, uuid);

DROP FUNCTION "public"."verify_audit_chain"(bigint);

DROP FUNCTION "private"."audit_chain_state"(bigint);

CREATE TABLE "private"."audit_proof" (
  "only_row"  boolean                  NOT NULL DEFAULT true,
  "entries"   bigint                   NOT NULL DEFAULT 0,
  "hash"      bytea                    NOT NULL DEFAULT decode(repeat('00'::text, 32), 'hex'::text),
  "proved_at" timestamp with time zone,
  CONSTRAINT "audit_proof_hash_length" CHECK ((octet_length(hash) = 32)),
  CONSTRAINT "audit_proof_only_row" CHECK (only_row),
  CONSTRAINT "audit_proof_pkey" PRIMARY KEY (only_row)
);

CREATE TABLE "private"."clinical_review_sources" (
  "review_id" uuid                     NOT NULL,
  "source"    public.review_source     NOT NULL,
  "source_id" uuid                     NOT NULL,
  "seen_at"   timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "clinical_review_sources_pkey" PRIMARY KEY (review_id, source, source_id)
);

CREATE TABLE "private"."logged_accesses" (
  "reader"           uuid                     NOT NULL,
  "action"           public.audit_action      NOT NULL,
  "arguments_sha256" bytea                    NOT NULL,
  "logged_at"        timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "logged_accesses_arguments_sha256_length" CHECK ((octet_length(arguments_sha256) = 32)),
  CONSTRAINT "logged_accesses_pkey" PRIMARY KEY (reader, action, arguments_sha256)
);

CREATE TABLE "private"."student_limits" (
  "only_row"      boolean NOT NULL DEFAULT true,
  "sessions"      integer NOT NULL DEFAULT 2000,
  "session_bytes" bigint  NOT NULL DEFAULT 5242880,
  "consents"      integer NOT NULL DEFAULT 500,
  "files"         integer NOT NULL DEFAULT 200,
  "file_bytes"    bigint  NOT NULL DEFAULT 524288000,
  CONSTRAINT "student_limits_only_row" CHECK (only_row),
  CONSTRAINT "student_limits_pkey" PRIMARY KEY (only_row),
  CONSTRAINT "student_limits_positive" CHECK (((sessions > 0) AND (session_bytes > 0) AND (consents > 0) AND (files > 0) AND (file_bytes > 0)))
);

ALTER TABLE "private"."messaging_settings"
  ADD COLUMN "review_digest_after" interval NOT NULL DEFAULT '24:00:00'::interval;

ALTER TABLE "private"."rate_limit_rules"
  ADD COLUMN "daily_requests" integer;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "last_risk_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "last_notified_at" timestamp WITH time zone NOT NULL DEFAULT now();

CREATE OR REPLACE FUNCTION private.access_arguments (
  university  text    DEFAULT NULL::text,
  student     uuid    DEFAULT NULL::uuid,
  search      text    DEFAULT NULL::text,
  sort        text    DEFAULT 'name'::text,
  descending  boolean DEFAULT false,
  page_limit  integer DEFAULT 50,
  page_offset integer DEFAULT 0
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'university', university,
    'student', student,
    'search', nullif(btrim(search), ''),
    'sort', sort,
    'descending', descending,
    'limit', least(greatest(page_limit, 0), 200),
    'offset', greatest(page_offset, 0)
  )
$function$;

CREATE OR REPLACE FUNCTION private.audit_entries (
  before_entry bigint,
  wanted       public.audit_action,
  actor        uuid,
  target       text,
  page_limit   integer
)
  RETURNS SETOF public.audit_logs
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select e.*
  from public.audit_logs e
  where (select private.is_security_admin())
    and (before_entry is null or e.id < before_entry)
    and (wanted is null or e.action = wanted)
    and (actor is null or e.actor_id = actor)
    and (target is null or e.target_id = target)
  order by e.id desc
  limit least(greatest(page_limit, 0), 1000)
$function$;

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
    and (new_status <> 'claimed' or r.status = 'open')
    and r.university_id in (select private.universities_counseled())
    and r.user_id <> (select auth.uid())
  returning jsonb_build_object('id', r.id, 'status', r.status, 'claimed_by', r.claimed_by)
$function$;

CREATE OR REPLACE FUNCTION private.consume_rate_limit (
  requester   uuid,
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
declare
  rule private.rate_limit_rules;
  recent timestamptz[];
  checked_at timestamptz;
  tightest record;
begin
  select * into strict rule from private.rate_limit_rules where scope = limit_scope;
  -- Returns the row locked, even if it existed before.
  insert into private.rate_limit_uses as u (subject, scope)
  values (requester, limit_scope)
  on conflict (subject, scope) do update set used_at = u.used_at
  returning used_at into strict recent;

  checked_at := clock_timestamp();
  recent := array(
    select t from unnest(recent) as t
    where t > checked_at - greatest(rule.period, case when rule.daily_requests is not null then interval '1 day' end)
    order by t
  );
  -- Of the two windows the one with fewer requests left; when both are used up, the one that takes longer.
  select w.requests, w.period, w.requests > u.used as allowed, w.requests - u.used as unused, u.first
  into strict tightest
  from (values (rule.requests, rule.period), (rule.daily_requests, interval '1 day')) as w (requests, period)
  cross join lateral (
    select count(*)::integer as used, min(t) as first from unnest(recent) as t where t > checked_at - w.period
  ) as u
  where w.requests is not null
  order by
    greatest(w.requests - u.used, 0),
    case when w.requests > u.used then w.period else -w.period end
  limit 1;

  allowed := tightest.allowed;
  if allowed then
    update private.rate_limit_uses
    set used_at = recent || checked_at
    where subject = requester and scope = limit_scope;
  end if;
  max_requests := tightest.requests;
  remaining := greatest(0, tightest.unused - allowed::integer);
  reset_s := greatest(1, ceil(extract(epoch from coalesce(tightest.first, checked_at) + tightest.period - checked_at)));
  period_s := extract(epoch from tightest.period);
  return next;
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
  person uuid := (select private.current_account());
begin
  if person is null then
    return null;
  end if;
  perform private.require_access_log('data_exported', private.access_arguments());
  return private.personal_data_of(person, page);
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

CREATE OR REPLACE FUNCTION private.has_room_for_file (
  path text
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  folder text := substring(path from '^[^/]+/[^/]+/[^/]+/');
begin
  return (
    select count(o.id) < l.files and coalesce(sum((o.metadata ->> 'size')::bigint), 0) < l.file_bytes
    from private.student_limits l
    left join storage.objects o
      on o.bucket_id = 'university-files'
      and o.name collate "C" >= folder and o.name collate "C" < folder || chr(1114111)
    group by l.files, l.file_bytes
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

CREATE OR REPLACE FUNCTION private.limit_consents()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  accounts uuid[] := array(select user_id from changed_rows);
begin
  perform private.lock_storage_of(accounts);
  if exists (
    select from public.consents c, private.student_limits l
    where c.user_id = any(accounts)
    group by c.user_id, l.consents
    having count(*) > l.consents
  ) then
    raise exception 'This account has granted and withdrawn too many consents. Ask the operator.' using errcode = 'check_violation';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.limit_sessions()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  accounts uuid[] := array(select user_id from changed_rows);
begin
  perform private.lock_storage_of(accounts);
  if exists (
    select from public.assessment_sessions s, private.student_limits l
    where s.user_id = any(accounts)
    group by s.user_id, l.sessions, l.session_bytes
    having count(*) > l.sessions or sum(pg_column_size(s.session_data)) > l.session_bytes
  ) then
    raise exception 'This account has too many sessions, or too much session_data in them. Delete old sessions first.'
      using errcode = 'check_violation';
  end if;
  return null;
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
      where r.university_id in (select private.universities_counseled()) and r.user_id <> (select auth.uid())
      order by r.risk_level desc, r.opened_at, r.id
      limit page_limit
      offset page_offset
    ) as page
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_storage_of (
  accounts uuid[]
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  -- Few enough locks for a statement about any number of accounts, always in the same order.
  select pg_advisory_xact_lock(12, key)
  from (
    select distinct (hashtextextended(account::text, 12) % 128)::integer as key from unnest(accounts) as account order by key
  ) as keys
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
  -- Locks the profile first, as the deletion of an account does.
  perform from public.profiles where user_id = person for key share;
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

CREATE OR REPLACE FUNCTION private.move_student()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Agreed to with the counselors of another university in view.
  update public.consents
  set withdrawn_at = greatest(now(), granted_at)
  where user_id = new.user_id and kind = 'counselor_access' and withdrawn_at is null;
  update public.students set university_id = new.university_id where user_id = new.user_id;

  -- Inserted before the old one is deleted: without a role the enrolment would go.
  insert into public.user_roles (user_id, role, university_id)
  select new.user_id, 'student', new.university_id
  where exists (select from public.user_roles r where r.user_id = new.user_id and r.role = 'student')
  on conflict on constraint user_roles_once do nothing;
  delete from public.user_roles r
  where r.user_id = new.user_id and r.role = 'student' and r.university_id is distinct from new.university_id;

  update public.clinical_reviews
  set university_id = new.university_id, status = 'open', last_notified_at = now()
  where user_id = new.user_id and status <> 'closed';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_crisis_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.queue_review_message(
    new.university_id,
    new.user_id,
    'clinical_review',
    'High risk: a student needs a clinical review',
    format(
      E'%s\n\nReview: %s\nOpened: %s UTC\n\nSign in to see who it is and to claim the review. It stays open until a counselor claims it.',
      case tg_op
        when 'INSERT' then 'A student''s answers show signs of a crisis.'
        else 'A student with an open review has come to your university: their answers showed signs of a crisis.'
      end,
      new.id,
      to_char(new.opened_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    )
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.open_clinical_review (
  student  uuid,
  found_in public.review_source,
  found_at uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  review uuid;
begin
  -- The update changes nothing: it locks the review and returns it.
  insert into public.clinical_reviews as r (user_id, university_id, source, source_id)
  select p.user_id, p.university_id, found_in, found_at
  from public.profiles p
  where p.user_id = student
  for share
  on conflict (user_id) where status <> 'closed' do update set last_risk_at = r.last_risk_at
  returning r.id into review;
  if review is null then
    return;
  end if;

  -- One check-in or session finds the same risk several times: in the words, then in the score.
  insert into private.clinical_review_sources as s (review_id, source, source_id)
  values (review, found_in, found_at)
  on conflict on constraint clinical_review_sources_pkey do update
  set seen_at = now()
  where s.seen_at < now() - interval '1 hour';
  if not found then
    return;
  end if;
  update public.clinical_reviews set last_risk_at = now() where id = review;
  delete from private.clinical_review_sources s
  using (
    select source, source_id
    from private.clinical_review_sources
    where review_id = review
    order by seen_at desc
    offset 100
  ) oldest
  where s.review_id = review and s.source = oldest.source and s.source_id = oldest.source_id;
end
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
    'roles', (select coalesce(jsonb_agg(to_jsonb(r) - 'id' order by r.id), '[]') from public.user_roles r where r.user_id = student),
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

CREATE OR REPLACE FUNCTION private.queue_review_message (
  university text,
  student    uuid,
  purpose    text,
  subject    text,
  body       text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body, status, error_code, ended_at)
  select
    'email',
    queue_review_message.purpose,
    student,
    contact,
    queue_review_message.subject,
    queue_review_message.body,
    case when contact is null then 'dead' else 'queued' end::private.message_status,
    case when contact is null then 'no_recipient' end,
    case when contact is null then now() end
  from (
    select (
      select coalesce(c.email, nullif(btrim(u.support_email), ''))
      from public.universities u
      left join private.crisis_contacts c on c.university_id = u.id
      where u.id = university
    ) as contact
  ) as known
$function$;

CREATE OR REPLACE FUNCTION private.read_student_as_counselor (
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
  perform private.require_access_log('student_read', private.access_arguments(student => student));
  return private.student_record(student, scores);
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_estimates()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  headers jsonb := nullif(current_setting('request.headers', true), '');
begin
  if headers ->> 'prefer' ~* 'count\s*=\s*"?(planned|estimated)' or headers ->> 'accept' ~* 'vnd\.pgrst\.plan' then
    raise exception 'Counts are exact here, and plans are not shown.'
      using errcode = 'PT400', hint = 'Ask with Prefer: count=exact.';
  end if;
end
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
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  allowance record;
begin
  -- What one account adds is bounded, so that the log stays short enough to verify.
  if actor is not null and (select auth.role()) = 'authenticated' then
    select * into strict allowance from private.consume_rate_limit(actor, 'audit');
    if not allowance.allowed then
      raise exception 'Too many reads and changes that are logged.'
        using errcode = 'PT429', detail = allowance.reset_s::text, hint = 'Try again after as many seconds as the details say.';
    end if;
  end if;
  -- The trigger chain_audit_entry overwrites the first four.
  insert into public.audit_logs (
    id, occurred_at, previous_hash, hash,
    action, actor_id, actor_role, university_id, target_type, target_id, before, after, details, ip, user_agent, request_id
  )
  values (
    0, now(), '', '',
    action, actor, coalesce(nullif((select auth.role()), ''), session_user), left(university, 100), target_type, target_id,
    before, after, details, ip, left(user_agent, 500), left(request_id, 64)
  );
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
    where reader = (select private.current_account())
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
    and r.user_id <> (select auth.uid())
  order by r.risk_level desc, r.opened_at
  limit 1000
$function$;

CREATE OR REPLACE FUNCTION private.send_review_digests()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- Materialized, so that a review is locked once.
  with due as materialized (
    select r.id
    from public.clinical_reviews r, private.messaging_settings s
    where r.status <> 'closed'
      and r.last_risk_at > r.last_notified_at
      and r.last_notified_at <= now() - s.review_digest_after
    for update of r skip locked
  ), told as (
    update public.clinical_reviews r
    set last_notified_at = now()
    from due
    where r.id = due.id
    returning r.id, r.university_id, r.opened_at
  )
  select private.queue_review_message(
    university_id,
    null,
    'clinical_review_digest',
    'High risk: open reviews of students who showed risk again',
    format(
      E'Risk showed again in %s whose review is not closed.\n\n%s\n\nSign in to see who it is.',
      case count(*) when 1 then 'one student' else count(*) || ' students' end,
      array_to_string((array_agg(format('Review: %s', id) order by opened_at))[1:100], E'\n')
        || case when count(*) > 100 then E'\nThe list in the app has the others.' else '' end
    )
  )
  from told
  group by university_id
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
  if not private.has_role((select private.current_account()), 'counselor', university) then
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

CREATE OR REPLACE FUNCTION private.verify_audit_log (
  from_entry bigint
)
  RETURNS TABLE (
    intact           boolean,
    entries          bigint,
    verified_through bigint,
    broken_at        bigint,
    problem          text
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  origin constant bytea := decode(repeat('00', 32), 'hex');
  -- What takes some 2 s to verify.
  batch constant bigint := 20000;
  proof private.audit_proof;
  first_entry bigint;
  last_entry bigint;
  found record;
begin
  if not (select private.is_security_admin()) and coalesce((select auth.role()), '') in ('anon', 'authenticated') then
    return;
  end if;
  select * into strict proof from private.audit_proof;
  -- The last proved entry is verified again: it must still have the hash that was proved.
  first_entry := coalesce(from_entry, greatest(proof.entries, 1));
  last_entry := case when from_entry is null then proof.entries + batch end;
  with before as (
    select coalesce((select hash from public.audit_logs where id = first_entry - 1), origin) as hash
  ),
  head as (
    select h.entries, h.hash from private.audit_head h
  ),
  links as (
    select
      e.id,
      e.hash,
      case
        when e.id <> greatest(first_entry, 1) - 1 + row_number() over chain then 'an entry is missing before this one'
        when e.previous_hash <> lag(e.hash, 1, b.hash) over chain then 'does not follow the entry before it'
        when e.hash <> private.audit_hash(e) or (e.id = proof.entries and e.hash <> proof.hash) then 'was changed'
      end as problem
    from public.audit_logs e, before b
    where e.id >= first_entry and (last_entry is null or e.id <= last_entry)
    window chain as (order by e.id)
  ),
  broken as (
    select id, problem from links where problem is not null
    union all
    select null, 'entries are missing at the end'
    from head
    where head.entries < proof.entries
      or (head.entries, head.hash) is distinct from (
        coalesce((select max(id) from public.audit_logs), 0),
        coalesce((select hash from public.audit_logs order by id desc limit 1), origin)
      )
    union all
    select null, 'the end of the chain is missing'
    where not exists (select from head)
    order by id nulls last
    limit 1
  )
  select
    (select head.entries from head) as entries,
    coalesce((select max(id) from links), first_entry - 1) as through,
    (select hash from links order by id desc limit 1) as hash,
    b.id as broken_at,
    b.problem
  into found
  from (select) as log
  left join broken b on true;

  if found.problem is null and found.through > proof.entries and first_entry <= proof.entries + 1 then
    update private.audit_proof p
    set entries = found.through, hash = found.hash, proved_at = now()
    where p.entries < found.through;
  end if;
  return query select found.problem is null, found.entries, found.through, found.broken_at, found.problem;
end
$function$;

CREATE OR REPLACE FUNCTION public.check_request()
  RETURNS void
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.refuse_estimates()
  AS refuse_estimates;
END;

CREATE OR REPLACE FUNCTION public.claim_review (
  review_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.change_review(review_id, 'claimed'::public.review_status)
  AS change_review;
END;

REVOKE ALL ON FUNCTION "public"."claim_review"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.close_review (
  review_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.change_review(review_id, 'closed'::public.review_status)
  AS change_review;
END;

REVOKE ALL ON FUNCTION "public"."close_review"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.export_my_data (
  page integer DEFAULT 0
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.export_data(page)
  AS export_data;
END;

REVOKE ALL ON FUNCTION "public"."export_my_data"(integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_open_reviews (
  page_limit  integer DEFAULT 100,
  page_offset integer DEFAULT 0
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.list_reviews_as_counselor(LEAST(GREATEST(page_limit, 0), 200), GREATEST(page_offset, 0))
  AS list_reviews_as_counselor;
END;

REVOKE ALL ON FUNCTION "public"."list_open_reviews"(integer, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.log_access (
  action        public.audit_action,
  university_id text                DEFAULT NULL::text,
  student_id    uuid                DEFAULT NULL::uuid,
  search        text                DEFAULT NULL::text,
  sort          text                DEFAULT 'name'::text,
  descending    boolean             DEFAULT false,
  page_limit    integer             DEFAULT 50,
  page_offset   integer             DEFAULT 0
)
  RETURNS boolean
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.log_access(action, university_id, student_id, search, sort, descending, page_limit, page_offset)
  AS log_access;
END;

REVOKE ALL ON FUNCTION "public"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.read_audit_log (
  before_entry bigint              DEFAULT NULL::bigint,
  action       public.audit_action DEFAULT NULL::public.audit_action,
  actor_id     uuid                DEFAULT NULL::uuid,
  target_id    text                DEFAULT NULL::text,
  page_limit   integer             DEFAULT 100
)
  RETURNS SETOF public.audit_logs
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT e.id,
     e.occurred_at,
     e.action,
     e.actor_id,
     e.actor_role,
     e.university_id,
     e.target_type,
     e.target_id,
     e.before,
     e.after,
     e.details,
     e.ip,
     e.user_agent,
     e.request_id,
     e.previous_hash,
     e.hash
    FROM private.audit_entries(read_audit_log.before_entry, read_audit_log.action, read_audit_log.actor_id, read_audit_log.target_id, read_audit_log.page_limit)
      e(id, occurred_at, action, actor_id, actor_role, university_id, target_type, target_id, BEFORE, AFTER, details, ip, user_agent, request_id, previous_hash, hash);
END;

REVOKE ALL ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.reopen_review (
  review_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.change_review(review_id, 'open'::public.review_status)
  AS change_review;
END;

REVOKE ALL ON FUNCTION "public"."reopen_review"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.review_queue()
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
  SET search_path TO ''
BEGIN ATOMIC
 SELECT q.id,
     q.university_id,
     q.source,
     q.risk_level,
     q.status,
     q.opened_at,
     q.claimed_at,
     q.claimed_by,
     q.last_risk_at
    FROM private.reviews_in_queue() q(id, university_id, source, risk_level, status, opened_at, claimed_at, claimed_by, last_risk_at);
END;

REVOKE ALL ON FUNCTION "public"."review_queue"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.verify_audit_chain (
  from_entry bigint DEFAULT NULL::bigint
)
  RETURNS TABLE (
    intact           boolean,
    entries          bigint,
    verified_through bigint,
    broken_at        bigint,
    problem          text
  )
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT v.intact,
     v.entries,
     v.verified_through,
     v.broken_at,
     v.problem
    FROM private.verify_audit_log(verify_audit_chain.from_entry) v(intact, entries, verified_through, broken_at, problem);
END;

REVOKE ALL ON FUNCTION "public"."verify_audit_chain"(bigint) FROM PUBLIC, "anon";

ALTER TABLE "private"."clinical_review_sources"
  ADD CONSTRAINT "clinical_review_sources_review_id_fkey" FOREIGN KEY (review_id) REFERENCES public.clinical_reviews(id) ON DELETE CASCADE;

ALTER TABLE "private"."logged_accesses"
  ADD CONSTRAINT "logged_accesses_reader_fkey" FOREIGN KEY (reader) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."messaging_settings"
  ADD CONSTRAINT "messaging_settings_positive"
    CHECK
    (((lease > '00:00:00'::interval) AND (retry_backoff > '00:00:00'::interval) AND (longest_backoff >= retry_backoff) AND (max_attempts > 0) AND (keep_sent > '00:00:00'::interval)
    AND (review_digest_after > '00:00:00'::interval)));

ALTER TABLE "private"."rate_limit_rules"
  ADD CONSTRAINT "rate_limit_rules_daily_requests_range" CHECK (((daily_requests >= 1) AND (daily_requests <= 10000)));

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
    r.claimed_by,
    r.last_risk_at
   FROM (public.clinical_reviews r
     LEFT JOIN public.profiles p ON ((p.user_id = r.user_id)))
  WHERE (r.status <> 'closed'::public.review_status);

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "anon", "authenticated";

-- Of several reviews of a student that are not closed one is kept, a claimed one first; the others become its sources.
update public.clinical_reviews set last_risk_at = opened_at, last_notified_at = opened_at;

insert into private.clinical_review_sources (review_id, source, source_id, seen_at)
select kept.id, r.source, r.source_id, r.opened_at
from public.clinical_reviews r
join (
  select distinct on (user_id) user_id, id
  from public.clinical_reviews
  where status <> 'closed'
  order by user_id, status = 'claimed' desc, opened_at, id
) kept on kept.user_id = r.user_id
where r.status <> 'closed';

delete from public.clinical_reviews r
where r.status <> 'closed' and not exists (select from private.clinical_review_sources s where s.review_id = r.id);

update public.clinical_reviews r
set last_risk_at = s.seen_at, last_notified_at = s.seen_at
from (select review_id, max(seen_at) as seen_at from private.clinical_review_sources group by review_id) s
where r.id = s.review_id;

CREATE UNIQUE INDEX clinical_reviews_unclosed_student_idx ON public.clinical_reviews USING btree (user_id)
  WHERE (status <> 'closed'::public.review_status);

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

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.student_limits DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('only_row');

CREATE TRIGGER limit_changed_sessions
  AFTER UPDATE ON public.assessment_sessions REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.limit_sessions();

CREATE TRIGGER limit_new_sessions
  AFTER INSERT ON public.assessment_sessions REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.limit_sessions();

CREATE TRIGGER notify_other_university
  AFTER UPDATE OF university_id ON public.clinical_reviews
  FOR EACH ROW
  WHEN (((new.status <> 'closed'::public.review_status) AND (new.university_id IS NOT NULL) AND (new.university_id IS DISTINCT FROM old.university_id)))
  EXECUTE FUNCTION private.notify_crisis_contact();

CREATE TRIGGER limit_consents
  AFTER INSERT ON public.consents REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.limit_consents();

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

CREATE POLICY "clients use functions, not the audit log itself" ON "public"."audit_logs"
  FOR ALL
  TO "authenticated"
  USING (false);

CREATE POLICY "accounts are signed in and not banned" ON "public"."clinical_reviews"
  AS RESTRICTIVE
  FOR ALL
  TO "authenticated"
  USING ((( SELECT private.current_account() AS current_account) IS NOT NULL));

CREATE POLICY "clients use functions, not the table of reviews" ON "public"."clinical_reviews"
  FOR ALL
  TO "authenticated"
  USING (false);

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

CREATE POLICY "members add files to their university" ON "storage"."objects"
  FOR INSERT
  TO "authenticated"
  WITH
    CHECK
    (((bucket_id = 'university-files'::text) AND ((((storage.foldername(name))[2] = 'shared'::text) AND (((storage.foldername(name))[1] IN ( SELECT
    private.universities_administered() AS universities_administered)) OR ((storage.foldername(name))[1] IN ( SELECT private.universities_counseled() AS universities_counseled))))
    OR
    (((storage.foldername(name))[2] = 'students'::text) AND ((storage.foldername(name))[3] = (( SELECT auth.uid() AS uid))::text) AND ((storage.foldername(name))[1] IN ( SELECT
    private.universities_joined() AS universities_joined)) AND private.has_room_for_file(name)))));

CREATE POLICY "students read their own check-in media" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING (((bucket_id = ANY (ARRAY['check-in-media'::text, 'check-in-images'::text])) AND ((storage.foldername(name))[1] = (( SELECT auth.uid() AS uid))::text)));

COMMENT ON COLUMN "private"."audit_proof"."entries" IS 'Number of entries that were proved, from the first without gaps.';

COMMENT ON COLUMN "private"."audit_proof"."hash" IS 'Hash of the last of them.';

COMMENT ON COLUMN "private"."audit_proof"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."audit_proof"."proved_at" IS 'When that was; null before the first time.';

COMMENT ON COLUMN "private"."check_in_media"."path" IS 'Object in the bucket check-in-media, or check-in-images.';

COMMENT ON COLUMN "private"."clinical_review_sources"."review_id" IS 'The review.';

COMMENT ON COLUMN "private"."clinical_review_sources"."seen_at" IS 'When risk was found there, to the hour if repeatedly.';

COMMENT ON COLUMN "private"."clinical_review_sources"."source" IS 'What kind of source it is.';

COMMENT ON COLUMN "private"."clinical_review_sources"."source_id" IS 'The check-in, the session or the transcript result.';

COMMENT ON COLUMN "private"."logged_accesses"."action" IS 'What is read.';

COMMENT ON COLUMN "private"."logged_accesses"."arguments_sha256" IS 'SHA-256 of what the read asks for, so that a logged search allows no other.';

COMMENT ON COLUMN "private"."logged_accesses"."logged_at" IS 'When it was logged.';

COMMENT ON COLUMN "private"."logged_accesses"."reader" IS 'Who reads.';

COMMENT ON COLUMN "private"."messaging_settings"."review_digest_after" IS 'How long after the last message about a student''s review the crisis contact is told that risk showed again.';

COMMENT ON COLUMN "private"."rate_limit_rules"."daily_requests" IS 'Requests allowed within any 24 hours as well; null for any number.';

COMMENT ON COLUMN "private"."student_limits"."consents" IS 'Consents of an account, withdrawn ones included.';

COMMENT ON COLUMN "private"."student_limits"."file_bytes" IS 'Size of those files, bytes; the last one may exceed it.';

COMMENT ON COLUMN "private"."student_limits"."files" IS 'Files in an account''s own folder of the bucket university-files.';

COMMENT ON COLUMN "private"."student_limits"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."student_limits"."session_bytes" IS 'Size of session_data in all sessions of an account, bytes.';

COMMENT ON COLUMN "private"."student_limits"."sessions" IS 'Assessment sessions of an account.';

COMMENT ON COLUMN "public"."clinical_reviews"."last_notified_at" IS 'When the crisis contact was last told of it.';

COMMENT ON COLUMN "public"."clinical_reviews"."last_risk_at" IS 'When risk showed last; later than opened_at when it showed again.';

COMMENT ON COLUMN "public"."clinical_reviews"."source" IS 'Where the risk was found first.';

COMMENT ON COLUMN "public"."clinical_reviews"."source_id" IS 'The check-in, the session or the transcript result where it was found first.';

COMMENT ON FUNCTION "private"."access_arguments"(text, uuid, text, text, boolean, integer, integer) IS 'What a read asks for, in one spelling. Called by private.log_access and by the functions that require an entry in the access log.';

COMMENT ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) IS 'Appends to the audit log; an error for an account that has appended too often. Locks the chain until the transaction ends, so it comes last in it. Called by triggers and by the edge functions.';

COMMENT ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) IS 'Implementation of public.read_audit_log, which calls it.';

COMMENT ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text) IS 'Logs a sign-in that failed, without who was meant: the one place that hears of them. Called by the edge functions.';

COMMENT ON FUNCTION "private"."change_review"(uuid, public.review_status) IS 'Changes the status of a review; null when the caller is no counselor of the student''s university. Called by public.claim_review, public.reopen_review and public.close_review.';

COMMENT ON FUNCTION "private"."current_account"() IS 'The caller''s account; null when nobody is signed in, the account is banned or the session has ended. Called by policies and by the functions that they call.';

COMMENT ON FUNCTION "private"."custom_access_token"(jsonb) IS 'Custom access token hook: adds the claim email_verified. Called by Auth, as config.toml says.';

COMMENT ON FUNCTION "private"."discard_other_sign_up"(text, text) IS 'Discards the sign-up of an address that is not confirmed, unless it was made with this password. Called by the edge functions when Auth sends no second mail.';

COMMENT ON FUNCTION "private"."discard_unconfirmed"() IS 'Trigger on auth.users: a second mail to an unconfirmed address discards the password, the names and the university that were given for it.';

COMMENT ON FUNCTION "private"."end_sessions"() IS 'Trigger on auth.users: a ban ends the sessions of the account, also for the time after it.';

COMMENT ON FUNCTION "private"."export_data"(integer) IS 'Implementation of public.export_my_data, which calls it.';

COMMENT ON FUNCTION "private"."has_role"(uuid, public.app_role, text) IS 'Whether an account that is not banned has a role at a university; security_admin applies everywhere. Called by the edge functions and by private.student_page.';

COMMENT ON FUNCTION "private"."has_room_for_file"(text) IS 'Whether a student''s folder of the bucket university-files may take another file. Called by policies.';

COMMENT ON FUNCTION "private"."limit_consents"() IS 'Trigger: an account has at most as many consents as private.student_limits says. Withdrawing is never limited.';

COMMENT ON FUNCTION "private"."limit_sessions"() IS 'Trigger: an account stores at most as many sessions, of as many bytes, as private.student_limits says.';

COMMENT ON FUNCTION "private"."list_reviews_as_counselor"(integer, integer) IS 'Implementation of public.list_open_reviews, which calls it.';

COMMENT ON FUNCTION "private"."lock_storage_of"(uuid[]) IS 'Lets one transaction at a time add to what an account stores, so that none overlooks what another adds. Called by the triggers that enforce private.student_limits.';

COMMENT ON FUNCTION "private"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) IS 'Implementation of public.log_access, which calls it.';

COMMENT ON FUNCTION "private"."move_student"() IS 'Trigger: moves the student''s enrolment, role and open review to the new university of the profile, whose crisis contact is told, and withdraws the consent counselor_access. Roles of staff stay.';

COMMENT ON FUNCTION "private"."notify_crisis_contact"() IS 'Trigger: tells the university''s crisis contact of a new review at once, and another university''s when the student moves.';

COMMENT ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) IS 'Opens a review of the student, or adds the source to the one that is not closed. Called wherever a high risk is stored.';

COMMENT ON FUNCTION "private"."personal_data_of"(uuid, integer) IS 'A page of the personal data of a student as JSON: everything except files and clinical reviews. Called by private.export_data.';

COMMENT ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text) IS 'Queues an email to the university''s crisis contact; a dead letter when there is none. Called by private.notify_crisis_contact and private.send_review_digests.';

COMMENT ON FUNCTION "private"."refuse_estimates"() IS 'Refuses counts and plans that the planner estimates: it estimates from statistics of all rows, also of those that policies hide. Called by public.check_request.';

COMMENT ON FUNCTION "private"."request_ip"() IS 'IP address that the request comes from, by the word of the gateway or of an edge function; null elsewhere. Called by private.audit.';

COMMENT ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb) IS 'Raises an error unless the caller logged this access within the last minute. Called by the functions that counselors call and by private.export_data.';

COMMENT ON FUNCTION "private"."reviews_in_queue"() IS 'Implementation of public.review_queue, which calls it.';

COMMENT ON FUNCTION "private"."send_review_digests"() IS 'Queues one message a university about its reviews in which risk showed again since the crisis contact was told, a day ago or longer. Called by cron.';

COMMENT ON FUNCTION "private"."universities_joined"() IS 'Universities where the caller has a role, as a student or as staff. Called by policies.';

COMMENT ON FUNCTION "private"."verify_audit_log"(bigint) IS 'Implementation of public.verify_audit_chain, which calls it.';

COMMENT ON FUNCTION "public"."check_request"() IS 'Checks a request before the Data API serves it. Called by PostgREST before every request, as the caller.';

COMMENT ON FUNCTION "public"."claim_review"(uuid) IS 'Claims an open review: {id, status, claimed_by}, or null when it is not open, as when a colleague was faster. Called by counselors of the student''s university.';

COMMENT ON FUNCTION "public"."close_review"(uuid) IS 'Closes a claimed review: {id, status, claimed_by}. Called by the counselor who claimed it; null for other universities.';

COMMENT ON FUNCTION "public"."export_my_data"(integer) IS 'A page of the caller''s personal data: everything except clinical reviews and files, which are in the caller''s folders of the buckets; next_page is null on the last. Called by everybody within a minute of log_access(''data_exported'').';

COMMENT ON FUNCTION "public"."list_open_reviews"(integer, integer) IS 'Open and claimed reviews with the students'' names, highest risk first, then oldest first: an array, at most 200 a page. Called by counselors within a minute of log_access(''reviews_listed'').';

COMMENT ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) IS 'Students of a university who consented to counselor_access: {students, total}, at most 200 a page, sorted by name, last_check_in, score or risk. Called by its counselors within a minute of log_access(''students_listed'') with the same arguments. Empty for others.';

COMMENT ON FUNCTION "public"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) IS 'Logs in the audit log what the caller is about to read, with the same arguments: students_listed of a university, student_read of a student, reviews_listed, or data_exported. The read is then allowed for a minute. Called by counselors, and by everybody for their own export; false for others.';

COMMENT ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) IS 'Entries of the audit log, the newest first, at most 1000 a page; the next page is before the last id. Called by security administrators; no row for others.';

COMMENT ON FUNCTION "public"."reopen_review"(uuid) IS 'Returns a claimed review to the queue: {id, status, claimed_by}. Called by the counselor who claimed it; null for other universities.';

COMMENT ON FUNCTION "public"."review_queue"() IS 'Open and claimed reviews without their students, highest risk and oldest first, at most 1000: for a badge or a live view. Called by counselors of the students'' universities; no row for others.';

COMMENT ON FUNCTION "public"."verify_audit_chain"(bigint) IS 'Verifies the audit log: the next 20,000 entries after the last proved one, or all from an entry on. Says whether they are intact, and if not, where. Called by cron, security administrators, the secret key and operators; no row for others.';

COMMENT ON TABLE "private"."audit_proof" IS 'How far the audit log was found intact, from its first entry; verification goes on from there. Exactly one row.';

COMMENT ON TABLE "private"."clinical_review_sources" IS 'Where the risk of a review was found, the first source included; the latest 100 of each review.';

COMMENT ON TABLE "private"."logged_accesses" IS 'Reads that people logged within the last minute and may make; deleted when the same person logs another.';

COMMENT ON TABLE "private"."rate_limit_uses" IS 'Requests that were allowed within the current window, or the last 24 hours if a rule limits those; purged a day later.';

COMMENT ON TABLE "private"."student_limits" IS 'How much one account may store; an operator can change it without a deployment. Exactly one row.';

COMMENT ON TABLE "public"."clinical_reviews" IS 'High risk of a student, for a counselor to handle: one review at a time. Opened in the transaction that stores the risk.';

COMMENT ON VIEW "public"."open_clinical_reviews" IS 'Open and claimed reviews. Only operators and public.list_open_reviews, which requires an entry in the access log, see the names.';

REVOKE ALL ON FUNCTION "private"."access_arguments"(text, uuid, text, text, boolean, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."access_arguments"(text, uuid, text, text, boolean, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."access_arguments"(text, uuid, text, text, boolean, integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."change_review"(uuid, public.review_status) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."change_review"(uuid, public.review_status) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."change_review"(uuid, public.review_status) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."change_review"(uuid, public.review_status) TO "postgres";

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

REVOKE ALL ON FUNCTION "private"."export_data"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."export_data"(integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."export_data"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."export_data"(integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."has_room_for_file"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."has_room_for_file"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."has_room_for_file"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."has_room_for_file"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."limit_consents"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."limit_consents"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."limit_consents"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."limit_sessions"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."limit_sessions"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."limit_sessions"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."list_reviews_as_counselor"(integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_reviews_as_counselor"(integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_reviews_as_counselor"(integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."list_reviews_as_counselor"(integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_storage_of"(uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_storage_of"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_storage_of"(uuid[]) TO "postgres";

REVOKE ALL ON FUNCTION "private"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."personal_data_of"(uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."personal_data_of"(uuid, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."personal_data_of"(uuid, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refuse_estimates"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."refuse_estimates"() TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "private"."refuse_estimates"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_estimates"() TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_estimates"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."reviews_in_queue"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."reviews_in_queue"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."reviews_in_queue"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."reviews_in_queue"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."send_review_digests"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_review_digests"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."send_review_digests"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."verify_audit_log"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."verify_audit_log"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."verify_audit_log"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."verify_audit_log"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."verify_audit_log"(bigint) TO "service_role";

REVOKE ALL ON FUNCTION "public"."check_request"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."check_request"() TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."check_request"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."check_request"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."check_request"() TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."claim_review"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."claim_review"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."claim_review"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."close_review"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."close_review"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."close_review"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."export_my_data"(integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."export_my_data"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."export_my_data"(integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_open_reviews"(integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_open_reviews"(integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_open_reviews"(integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."reopen_review"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reopen_review"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."reopen_review"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."review_queue"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."review_queue"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."review_queue"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."verify_audit_chain"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."verify_audit_chain"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."verify_audit_chain"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."verify_audit_chain"(bigint) TO "service_role";

REVOKE ALL ON SCHEMA "private" FROM "supabase_auth_admin";

GRANT USAGE ON SCHEMA "private" TO "supabase_auth_admin";

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "service_role";

GRANT SELECT ON TABLE "public"."open_clinical_reviews" TO "service_role";

SELECT cron.schedule_in_database('send-review-digests', '22 * * * *', 'select private.send_review_digests()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()', 'postgres', NULL, true);

-- What students who moved earlier left behind.
update public.clinical_reviews r
set university_id = p.university_id, status = 'open'
from public.profiles p
where p.user_id = r.user_id and r.status <> 'closed' and r.university_id is distinct from p.university_id;

insert into public.user_roles (user_id, role, university_id)
select p.user_id, 'student', p.university_id
from public.profiles p
where exists (
  select from public.user_roles r
  where r.user_id = p.user_id and r.role = 'student' and r.university_id is distinct from p.university_id
)
on conflict do nothing;

delete from public.user_roles r
using public.profiles p
where p.user_id = r.user_id and r.role = 'student' and r.university_id is distinct from p.university_id;

-- New rules get these from below.
update private.rate_limit_rules r
set daily_requests = d.requests
from (
  values
    ('file-upload', 200), ('analyze-audio', 500), ('analyze-visual', 500), ('analyze-text', 500),
    ('calculate-wellbeing-score', 500), ('textmodel', 200), ('check-in-start', 20), ('check-in-complete', 60)
) as d (scope, requests)
where d.scope = r.scope and r.daily_requests is null;

-- The CLI's diff does not see statistics targets.
alter table public.profiles
  alter column first_name set statistics 0,
  alter column last_name set statistics 0;

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
