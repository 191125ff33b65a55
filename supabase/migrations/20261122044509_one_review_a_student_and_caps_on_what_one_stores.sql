SET local check_function_bodies = off;

DROP POLICY "members add files to their university" ON "storage"."objects";

DROP POLICY "students read their own check-in media" ON "storage"."objects";

DROP INDEX "public"."clinical_reviews_unclosed_source_idx";

DROP VIEW "public"."open_clinical_reviews";

ALTER TABLE "private"."messaging_settings"
  DROP CONSTRAINT "messaging_settings_positive";

DROP FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid);

DROP FUNCTION "public"."list_open_reviews"();

DROP FUNCTION "private"."list_reviews_as_counselor"();

CREATE TABLE "private"."clinical_review_sources" (
  "review_id" uuid                     NOT NULL,
  "source"    public.review_source     NOT NULL,
  "source_id" uuid                     NOT NULL,
  "seen_at"   timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "clinical_review_sources_pkey" PRIMARY KEY (review_id, source, source_id)
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
  perform private.require_access_log('reviews_listed');
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

ALTER TABLE "private"."clinical_review_sources"
  ADD CONSTRAINT "clinical_review_sources_review_id_fkey" FOREIGN KEY (review_id) REFERENCES public.clinical_reviews(id) ON DELETE CASCADE;

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

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "anon";

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

COMMENT ON COLUMN "private"."check_in_media"."path" IS 'Object in the bucket check-in-media, or check-in-images.';

COMMENT ON COLUMN "private"."clinical_review_sources"."review_id" IS 'The review.';

COMMENT ON COLUMN "private"."clinical_review_sources"."seen_at" IS 'When risk was found there, to the hour if repeatedly.';

COMMENT ON COLUMN "private"."clinical_review_sources"."source" IS 'What kind of source it is.';

COMMENT ON COLUMN "private"."clinical_review_sources"."source_id" IS 'The check-in, the session or the transcript result.';

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

COMMENT ON FUNCTION "private"."has_room_for_file"(text) IS 'Whether a student''s folder of the bucket university-files may take another file. Called by policies.';

COMMENT ON FUNCTION "private"."limit_consents"() IS 'Trigger: an account has at most as many consents as private.student_limits says. Withdrawing is never limited.';

COMMENT ON FUNCTION "private"."limit_sessions"() IS 'Trigger: an account stores at most as many sessions, of as many bytes, as private.student_limits says.';

COMMENT ON FUNCTION "private"."list_reviews_as_counselor"(integer, integer) IS 'Implementation of public.list_open_reviews, which calls it.';

COMMENT ON FUNCTION "private"."lock_storage_of"(uuid[]) IS 'Lets one transaction at a time add to what an account stores, so that none overlooks what another adds. Called by the triggers that enforce private.student_limits.';

COMMENT ON FUNCTION "private"."move_student"() IS 'Trigger: moves the student''s enrolment, role and open review to the new university of the profile, whose crisis contact is told, and withdraws the consent counselor_access. Roles of staff stay.';

COMMENT ON FUNCTION "private"."notify_crisis_contact"() IS 'Trigger: tells the university''s crisis contact of a new review at once, and another university''s when the student moves.';

COMMENT ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) IS 'Opens a review of the student, or adds the source to the one that is not closed. Called wherever a high risk is stored.';

COMMENT ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text) IS 'Queues an email to the university''s crisis contact; a dead letter when there is none. Called by private.notify_crisis_contact and private.send_review_digests.';

COMMENT ON FUNCTION "private"."send_review_digests"() IS 'Queues one message a university about its reviews in which risk showed again since the crisis contact was told, a day ago or longer. Called by cron.';

COMMENT ON FUNCTION "public"."list_open_reviews"(integer, integer) IS 'Open and claimed reviews with the students'' names, highest risk first, then oldest first: an array, at most 200 a page. Called by counselors within a minute of log_access(''reviews_listed'').';

COMMENT ON TABLE "private"."clinical_review_sources" IS 'Where the risk of a review was found, the first source included; the latest 100 of each review.';

COMMENT ON TABLE "private"."rate_limit_uses" IS 'Requests that were allowed within the current window, or the last 24 hours if a rule limits those; purged a day later.';

COMMENT ON TABLE "private"."student_limits" IS 'How much one account may store; an operator can change it without a deployment. Exactly one row.';

COMMENT ON TABLE "public"."clinical_reviews" IS 'High risk of a student, for a counselor to handle: one review at a time. Opened in the transaction that stores the risk.';

COMMENT ON VIEW "public"."open_clinical_reviews" IS 'Open and claimed reviews. Only operators and public.list_open_reviews, which requires an entry in the access log, see the names.';

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

REVOKE ALL ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."queue_review_message"(text, uuid, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."send_review_digests"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_review_digests"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."send_review_digests"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_open_reviews"(integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_open_reviews"(integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_open_reviews"(integer, integer) TO "postgres";

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "authenticated";

GRANT SELECT ON TABLE "public"."open_clinical_reviews" TO "authenticated";

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "service_role";

GRANT SELECT ON TABLE "public"."open_clinical_reviews" TO "service_role";

SELECT cron.schedule_in_database('send-review-digests', '22 * * * *', 'select private.send_review_digests()', 'postgres', NULL, true);

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

-- No policies: this file holds rows, not tables.

-- Rows that the schema needs. Each statement can be run again; every migration ends with them, because a diff contains no rows.
insert into private.audit_head default values on conflict do nothing;
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
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');
select cron.schedule(
  'purge-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);
