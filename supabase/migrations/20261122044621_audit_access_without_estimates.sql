SET local check_function_bodies = off;

REVOKE ALL ON TABLE "public"."audit_logs" FROM "authenticated";

REVOKE ALL ("status") ON TABLE "public"."clinical_reviews" FROM "authenticated";

REVOKE ALL ON TABLE "public"."clinical_reviews" FROM "authenticated";

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "authenticated";

DROP POLICY "security administrators read the audit log" ON "public"."audit_logs";

DROP POLICY "counselors claim and close the reviews of their universities" ON "public"."clinical_reviews";

DROP POLICY "counselors see the reviews of their universities" ON "public"."clinical_reviews";

DROP FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text);

DROP FUNCTION "private"."personal_data_of"(uuid);

DROP FUNCTION "private"."require_access_log"(public.audit_action, text, uuid);

DROP FUNCTION "public"."export_my_data"();

DROP FUNCTION "private"."export_data"();

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

CREATE TABLE "private"."logged_accesses" (
  "reader"           uuid                     NOT NULL,
  "action"           public.audit_action      NOT NULL,
  "arguments_sha256" bytea                    NOT NULL,
  "logged_at"        timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "logged_accesses_arguments_sha256_length" CHECK ((octet_length(arguments_sha256) = 32)),
  CONSTRAINT "logged_accesses_pkey" PRIMARY KEY (reader, action, arguments_sha256)
);

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

CREATE OR REPLACE FUNCTION private.change_review (
  review uuid,
  wanted public.review_status
)
  RETURNS jsonb
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update public.clinical_reviews r
  set status = wanted
  where r.id = review
    and (wanted <> 'claimed' or r.status = 'open')
    and r.university_id in (select private.universities_counseled())
    and r.user_id <> (select auth.uid())
  returning jsonb_build_object('id', r.id, 'status', r.status, 'claimed_by', r.claimed_by)
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
  person uuid := (select auth.uid());
begin
  if person is null then
    return null;
  end if;
  perform private.require_access_log('data_exported', private.access_arguments());
  return private.personal_data_of(person, page);
end
$function$;

CREATE OR REPLACE FUNCTION private.list_reviews_as_counselor()
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
    select coalesce(jsonb_agg(to_jsonb(r) order by r.opened_at), '[]')
    from public.open_clinical_reviews r
    where r.university_id in (select private.universities_counseled()) and r.user_id <> (select auth.uid())
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
  person uuid := (select auth.uid());
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
    where reader = (select auth.uid())
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
    claimed_by    uuid
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select r.id, r.university_id, r.source, r.risk_level, r.status, r.opened_at, r.claimed_at, r.claimed_by
  from public.clinical_reviews r
  where r.status <> 'closed'
    and r.university_id in (select private.universities_counseled())
    and r.user_id <> (select auth.uid())
  order by r.opened_at
  limit 1000
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
  if not private.has_role((select auth.uid()), 'counselor', university) then
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
    claimed_by    uuid
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
     q.claimed_by
    FROM private.reviews_in_queue() q(id, university_id, source, risk_level, status, opened_at, claimed_at, claimed_by);
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

ALTER TABLE "private"."logged_accesses"
  ADD CONSTRAINT "logged_accesses_reader_fkey" FOREIGN KEY (reader) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

CREATE POLICY "clients use functions, not the audit log itself" ON "public"."audit_logs"
  FOR ALL
  TO "authenticated"
  USING (false);

CREATE POLICY "clients use functions, not the table of reviews" ON "public"."clinical_reviews"
  FOR ALL
  TO "authenticated"
  USING (false);

COMMENT ON COLUMN "private"."audit_proof"."entries" IS 'Number of entries that were proved, from the first without gaps.';

COMMENT ON COLUMN "private"."audit_proof"."hash" IS 'Hash of the last of them.';

COMMENT ON COLUMN "private"."audit_proof"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."audit_proof"."proved_at" IS 'When that was; null before the first time.';

COMMENT ON COLUMN "private"."logged_accesses"."action" IS 'What is read.';

COMMENT ON COLUMN "private"."logged_accesses"."arguments_sha256" IS 'SHA-256 of what the read asks for, so that a logged search allows no other.';

COMMENT ON COLUMN "private"."logged_accesses"."logged_at" IS 'When it was logged.';

COMMENT ON COLUMN "private"."logged_accesses"."reader" IS 'Who reads.';

COMMENT ON FUNCTION "private"."access_arguments"(text, uuid, text, text, boolean, integer, integer) IS 'What a read asks for, in one spelling. Called by private.log_access and by the functions that require an entry in the access log.';

COMMENT ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) IS 'Appends to the audit log; an error for an account that has appended too often. Locks the chain until the transaction ends, so it comes last in it. Called by triggers and by the edge functions.';

COMMENT ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) IS 'Implementation of public.read_audit_log, which calls it.';

COMMENT ON FUNCTION "private"."change_review"(uuid, public.review_status) IS 'Changes the status of a review; null when the caller is no counselor of the student''s university. Called by public.claim_review, public.reopen_review and public.close_review.';

COMMENT ON FUNCTION "private"."export_data"(integer) IS 'Implementation of public.export_my_data, which calls it.';

COMMENT ON FUNCTION "private"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) IS 'Implementation of public.log_access, which calls it.';

COMMENT ON FUNCTION "private"."personal_data_of"(uuid, integer) IS 'A page of the personal data of a student as JSON: everything except files and clinical reviews. Called by private.export_data.';

COMMENT ON FUNCTION "private"."refuse_estimates"() IS 'Refuses counts and plans that the planner estimates: it estimates from statistics of all rows, also of those that policies hide. Called by public.check_request.';

COMMENT ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb) IS 'Raises an error unless the caller logged this access within the last minute. Called by the functions that counselors call and by private.export_data.';

COMMENT ON FUNCTION "private"."reviews_in_queue"() IS 'Implementation of public.review_queue, which calls it.';

COMMENT ON FUNCTION "private"."verify_audit_log"(bigint) IS 'Implementation of public.verify_audit_chain, which calls it.';

COMMENT ON FUNCTION "public"."check_request"() IS 'Checks a request before the Data API serves it. Called by PostgREST before every request, as the caller.';

COMMENT ON FUNCTION "public"."claim_review"(uuid) IS 'Claims an open review: {id, status, claimed_by}, or null when it is not open, as when a colleague was faster. Called by counselors of the student''s university.';

COMMENT ON FUNCTION "public"."close_review"(uuid) IS 'Closes a claimed review: {id, status, claimed_by}. Called by the counselor who claimed it; null for other universities.';

COMMENT ON FUNCTION "public"."export_my_data"(integer) IS 'A page of the caller''s personal data: everything except clinical reviews and files, which are in the caller''s folders of the buckets; next_page is null on the last. Called by everybody within a minute of log_access(''data_exported'').';

COMMENT ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) IS 'Students of a university who consented to counselor_access: {students, total}, at most 200 a page, sorted by name, last_check_in, score or risk. Called by its counselors within a minute of log_access(''students_listed'') with the same arguments. Empty for others.';

COMMENT ON FUNCTION "public"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) IS 'Logs in the audit log what the caller is about to read, with the same arguments: students_listed of a university, student_read of a student, reviews_listed, or data_exported. The read is then allowed for a minute. Called by counselors, and by everybody for their own export; false for others.';

COMMENT ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) IS 'Entries of the audit log, the newest first, at most 1000 a page; the next page is before the last id. Called by security administrators; no row for others.';

COMMENT ON FUNCTION "public"."reopen_review"(uuid) IS 'Returns a claimed review to the queue: {id, status, claimed_by}. Called by the counselor who claimed it; null for other universities.';

COMMENT ON FUNCTION "public"."review_queue"() IS 'Open and claimed reviews without their students, oldest first, at most 1000: for a badge or a live view. Called by counselors of the students'' universities; no row for others.';

COMMENT ON FUNCTION "public"."verify_audit_chain"(bigint) IS 'Verifies the audit log: the next 20,000 entries after the last proved one, or all from an entry on. Says whether they are intact, and if not, where. Called by cron, security administrators, the secret key and operators; no row for others.';

COMMENT ON TABLE "private"."audit_proof" IS 'How far the audit log was found intact, from its first entry; verification goes on from there. Exactly one row.';

COMMENT ON TABLE "private"."logged_accesses" IS 'Reads that people logged within the last minute and may make; deleted when the same person logs another.';

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

REVOKE ALL ON FUNCTION "private"."change_review"(uuid, public.review_status) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."change_review"(uuid, public.review_status) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."change_review"(uuid, public.review_status) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."change_review"(uuid, public.review_status) TO "postgres";

REVOKE ALL ON FUNCTION "private"."export_data"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."export_data"(integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."export_data"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."export_data"(integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."personal_data_of"(uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."personal_data_of"(uuid, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."personal_data_of"(uuid, integer) TO "postgres";

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

SELECT cron.schedule_in_database('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()', 'postgres', NULL, true);

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
