SET local check_function_bodies = off;

SELECT cron.unschedule('purge-cron-runs');

SELECT cron.unschedule('purge-declined-contacts');

SELECT cron.unschedule('purge-inbound-texts');

SELECT cron.unschedule('purge-rate-limit-uses');

SELECT cron.unschedule('purge-sent-messages');

SELECT cron.unschedule('purge-transcript-results');

SELECT cron.unschedule('purge-worrying-days');

DROP POLICY "students receive broadcasts of their own channels" ON "realtime"."messages";

DROP TRIGGER "end_support_circle" ON "public"."consents";

DROP INDEX "public"."audit_logs_actor_id_idx";

ALTER TABLE "private"."messaging_settings"
  DROP CONSTRAINT "messaging_settings_positive";

ALTER TABLE "private"."support_settings"
  DROP CONSTRAINT "support_settings_positive";

DROP FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text);

DROP FUNCTION "private"."personal_data_of"(uuid, integer);

DROP FUNCTION "private"."purge_declined_contacts"();

DROP FUNCTION "private"."purge_inbound_texts"();

DROP FUNCTION "private"."purge_rate_limit_uses"();

DROP FUNCTION "private"."purge_sent_messages"();

DROP FUNCTION "private"."purge_transcript_results"();

DROP FUNCTION "private"."purge_worrying_days"();

DROP FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid);

DROP FUNCTION "public"."export_my_data"(integer);

DROP FUNCTION "private"."export_data"(integer);

DROP FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer);

DROP FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer);

ALTER TABLE "private"."messaging_settings"
  DROP COLUMN "keep_inbound";

ALTER TABLE "private"."messaging_settings"
  DROP COLUMN "keep_sent";

ALTER TABLE "private"."support_settings"
  DROP COLUMN "keep_declined";

ALTER TABLE "public"."audit_logs"
  DROP COLUMN "actor_id";

ALTER TABLE "public"."audit_logs"
  DROP COLUMN "ip";

ALTER TABLE "public"."audit_logs"
  DROP COLUMN "user_agent";

CREATE TABLE "private"."audit_identities" (
  "entry" bigint NOT NULL
);

CREATE TABLE "private"."bucket_comparisons" (
  "bucket"           text                     NOT NULL,
  "began_at"         timestamp with time zone NOT NULL,
  "compared_through" text                     NOT NULL DEFAULT ''::text,
  "objects"          bigint                   NOT NULL DEFAULT 0,
  "removed"          bigint                   NOT NULL DEFAULT 0,
  "ended_at"         timestamp with time zone,
  CONSTRAINT "bucket_comparisons_pkey" PRIMARY KEY (bucket)
);

CREATE TABLE "private"."erasure_receipts" (
  "id" uuid NOT NULL,
  CONSTRAINT "erasure_receipts_pkey" PRIMARY KEY (id)
);

CREATE TABLE "private"."erasures" (
  "id"      uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id" uuid NOT NULL,
  CONSTRAINT "erasures_pkey" PRIMARY KEY (id),
  CONSTRAINT "erasures_user_id_key" UNIQUE (user_id)
);

CREATE TABLE "private"."export_settings" (
  "only_row"        boolean  NOT NULL DEFAULT true,
  "lease"           interval NOT NULL DEFAULT '00:02:20'::interval,
  "retry_backoff"   interval NOT NULL DEFAULT '00:00:15'::interval,
  "max_attempts"    smallint NOT NULL DEFAULT 5,
  "max_in_flight"   smallint NOT NULL DEFAULT 4,
  "daily_requests"  smallint NOT NULL DEFAULT 3,
  "link_valid"      interval NOT NULL DEFAULT '7 days'::interval,
  "keep"            interval NOT NULL DEFAULT '90 days'::interval,
  "volume_bytes"    bigint   NOT NULL DEFAULT 41943040,
  "rows_per_volume" integer  NOT NULL DEFAULT 250,
  CONSTRAINT "export_settings_only_row" CHECK (only_row),
  CONSTRAINT "export_settings_pkey" PRIMARY KEY (only_row),
  CONSTRAINT "export_settings_positive"
    CHECK
    (((lease > '00:00:00'::interval) AND (retry_backoff > '00:00:00'::interval) AND (max_attempts > 0) AND (max_in_flight > 0) AND (daily_requests > 0) AND (link_valid >
    '00:00:00'::interval) AND (keep >= link_valid) AND (volume_bytes > 0) AND (rows_per_volume > 0)))
);

CREATE TABLE "private"."export_volumes" (
  "export_id" uuid     NOT NULL,
  "ordinal"   smallint NOT NULL,
  CONSTRAINT "export_volumes_ordinal_range" CHECK ((ordinal >= 1)),
  CONSTRAINT "export_volumes_pkey" PRIMARY KEY (export_id, ordinal)
);

CREATE TABLE "private"."exports" (
  "id"           uuid    NOT NULL DEFAULT gen_random_uuid(),
  "user_id"      uuid    NOT NULL,
  "include_name" boolean NOT NULL,
  CONSTRAINT "exports_pkey" PRIMARY KEY (id)
);

CREATE TABLE "private"."legal_holds" (
  "user_id"      uuid                     NOT NULL,
  "reason"       text                     NOT NULL,
  "confidential" boolean                  NOT NULL,
  "set_at"       timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "legal_holds_pkey" PRIMARY KEY (user_id),
  CONSTRAINT "legal_holds_reason_length" CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500)))
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

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "actor_hash" bytea;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "subject_hash" bytea;

ALTER TABLE "public"."consents"
  ADD COLUMN "renewed" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."consents"
  ADD COLUMN "keep_results" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."consents"
  ADD COLUMN "deleted" jsonb;

CREATE TYPE "private"."audit_party" AS ENUM (
  'actor',
  'subject'
);

ALTER TABLE "private"."audit_identities"
  ADD COLUMN "party" private.audit_party NOT NULL;

ALTER TABLE "private"."audit_identities"
  ADD COLUMN "account_id" uuid;

ALTER TABLE "private"."audit_identities"
  ADD COLUMN "ip" inet;

ALTER TABLE "private"."audit_identities"
  ADD COLUMN "user_agent" text;

ALTER TABLE "private"."audit_identities"
  ADD COLUMN "salt" bytea NOT NULL;

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

CREATE TYPE "private"."erasure_source" AS ENUM (
  'person',
  'operator',
  'restore'
);

ALTER TABLE "private"."erasure_receipts"
  ADD COLUMN "source" private.erasure_source NOT NULL;

ALTER TABLE "private"."erasure_receipts"
  ADD COLUMN "requested_at" timestamp WITH time zone NOT NULL;

ALTER TABLE "private"."erasure_receipts"
  ADD COLUMN "completed_at" timestamp WITH time zone NOT NULL;

ALTER TABLE "private"."erasure_receipts"
  ADD COLUMN "counts" jsonb NOT NULL;

ALTER TABLE "private"."erasure_receipts"
  ADD COLUMN "tombstone" bytea NOT NULL;

ALTER TABLE "private"."erasure_receipts"
  ADD COLUMN "checksum" bytea NOT NULL;

ALTER TABLE "private"."erasures"
  ADD COLUMN "source" private.erasure_source NOT NULL;

ALTER TABLE "private"."erasures"
  ADD COLUMN "requested_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "private"."erasures"
  ADD COLUMN "final_at" timestamp WITH time zone NOT NULL;

ALTER TABLE "private"."erasures"
  ADD COLUMN "erased_at" timestamp WITH time zone;

ALTER TABLE "private"."erasures"
  ADD COLUMN "email" text;

ALTER TABLE "private"."erasures"
  ADD COLUMN "phone" text;

ALTER TABLE "private"."erasures"
  ADD COLUMN "mail_receipt" boolean NOT NULL DEFAULT false;

ALTER TABLE "private"."erasures"
  ADD COLUMN "counts" jsonb NOT NULL DEFAULT '{}'::jsonb;

ALTER TABLE "private"."erasures"
  ADD COLUMN "attempts" smallint NOT NULL DEFAULT 0;

ALTER TABLE "private"."erasures"
  ADD COLUMN "next_attempt_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "private"."erasures"
  ADD COLUMN "error_code" text;

CREATE TYPE "private"."export_content" AS ENUM (
  'documents',
  'media',
  'file'
);

ALTER TABLE "private"."export_volumes"
  ADD COLUMN "content" private.export_content NOT NULL;

ALTER TABLE "private"."export_volumes"
  ADD COLUMN "object_name" text NOT NULL;

ALTER TABLE "private"."export_volumes"
  ADD COLUMN "since" timestamp WITH time zone;

ALTER TABLE "private"."export_volumes"
  ADD COLUMN "until" timestamp WITH time zone;

ALTER TABLE "private"."export_volumes"
  ADD COLUMN "objects" jsonb NOT NULL DEFAULT '[]'::jsonb;

ALTER TABLE "private"."export_volumes"
  ADD COLUMN "status" private.job_status NOT NULL DEFAULT 'queued'::private.job_status;

ALTER TABLE "private"."export_volumes"
  ADD COLUMN "attempts" smallint NOT NULL DEFAULT 0;

ALTER TABLE "private"."export_volumes"
  ADD COLUMN "due_at" timestamp WITH time zone NOT NULL DEFAULT '-infinity'::timestamp WITH time zone;

ALTER TABLE "private"."export_volumes"
  ADD COLUMN "bytes" bigint;

ALTER TABLE "private"."export_volumes"
  ADD COLUMN "left_out" integer;

ALTER TABLE "private"."export_volumes"
  ADD COLUMN "error_code" text;

CREATE TYPE "private"."export_status" AS ENUM (
  'queued',
  'building',
  'ready',
  'failed',
  'cancelled',
  'expired'
);

ALTER TABLE "private"."exports"
  ADD COLUMN "status" private.export_status NOT NULL DEFAULT 'queued'::private.export_status;

ALTER TABLE "private"."exports"
  ADD COLUMN "error_code" text;

ALTER TABLE "private"."exports"
  ADD COLUMN "token_hash" text;

ALTER TABLE "private"."exports"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL;

ALTER TABLE "private"."exports"
  ADD COLUMN "ended_at" timestamp WITH time zone;

ALTER TABLE "private"."exports"
  ADD COLUMN "expires_at" timestamp WITH time zone;

ALTER TYPE "public"."audit_action" ADD VALUE 'erasure_requested' AFTER 'data_exported';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'erasure_cancelled' AFTER 'erasure_requested';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'account_erased' AFTER 'erasure_cancelled';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'legal_hold_set' AFTER 'account_erased';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'legal_hold_lifted' AFTER 'legal_hold_set';


SET local check_function_bodies = off;

CREATE TYPE "public"."audit_entry" AS (
  "id"            bigint,
  "occurred_at"   timestamp WITH time zone,
  "action"        public.audit_action,
  "actor_id"      uuid,
  "actor_role"    text,
  "university_id" text,
  "target_type"   text,
  "target_id"     text,
  "subject_id"    uuid,
  "before"        jsonb,
  "after"         jsonb,
  "details"       jsonb,
  "ip"            inet,
  "user_agent"    text,
  "request_id"    text,
  "previous_hash" bytea,
  "hash"          bytea
);

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
      join private.audit_log e on e.target_type = 'students' and e.subject_id = p.user_id
      where e.action = 'student_read' and (before_entry is null or e.id < before_entry)
      order by e.id desc
      limit (select size from page)
    )
    union all
    (
      select e.id, e.occurred_at, e.action, e.university_id, e.actor_id
      from person p
      join public.clinical_reviews r on r.user_id = p.user_id
      join private.audit_log e on e.target_type = 'clinical_reviews' and e.target_id = r.id::text
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
      join private.audit_log e
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
      join private.audit_log e
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

CREATE OR REPLACE FUNCTION private.account_of_object (
  bucket text,
  name   text
)
  RETURNS uuid
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when pg_input_is_valid(o.owner, 'uuid') then o.owner::uuid end
  from (
    select case
      when bucket in ('check-in-media', 'check-in-images', 'exports') then split_part(name, '/', 1)
      when bucket = 'university-files' and split_part(name, '/', 2) = 'students' then split_part(name, '/', 3)
    end as owner
  ) as o
$function$;

CREATE OR REPLACE FUNCTION private.advance_erasure (
  erasure private.erasures
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  problem text;
begin
  if erasure.erased_at is null then
    -- The trigger does the rest. Without it, as when triggers were disabled, the next step finds what is left.
    delete from auth.users where id = erasure.user_id;
    update private.erasures set erased_at = coalesce(erased_at, now()), next_attempt_at = now() where id = erasure.id;
    return;
  end if;
  if exists (select from private.objects_of(erasure.user_id))
    or exists (
      select from private.object_removals r where private.account_of_object(r.bucket, r.name) = erasure.user_id
    )
  then
    perform private.queue_files_of(erasure.user_id);
    problem := 'files_left';
  elsif exists (select from private.traces_of(erasure.user_id, erasure.email, erasure.phone)) then
    perform private.erase_rows(erasure.user_id);
    problem := case when exists (select from private.traces_of(erasure.user_id, erasure.email, erasure.phone)) then 'traces_left' end;
  end if;
  if problem is null then
    perform private.complete_erasure(erasure);
    return;
  end if;
  update private.erasures
  set error_code = problem,
    attempts = least(attempts + 1, 32767),
    next_attempt_at = now() + least(interval '2 seconds' * power(2, least(attempts, 20)), interval '10 minutes')
  where id = erasure.id;
end
$function$;

CREATE OR REPLACE FUNCTION private.advance_erasures (
  most integer DEFAULT 5
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  due private.erasures;
  advanced integer := 0;
begin
  for due in
    select e.*
    from private.erasures e
    where e.next_attempt_at <= now()
      and e.final_at <= now()
      and not exists (select from private.legal_holds h where h.user_id = e.user_id)
    order by e.next_attempt_at
    limit most
    for update of e skip locked
  loop
    begin
      perform private.advance_erasure(due);
      advanced := advanced + 1;
    exception
      -- One that fails delays no other, and is tried again.
      when others then
        update private.erasures
        set error_code = sqlstate,
          attempts = least(attempts + 1, 32767),
          next_attempt_at = now() + least(interval '2 seconds' * power(2, least(attempts, 20)), interval '10 minutes')
        where id = due.id;
    end;
  end loop;
  return advanced;
end
$function$;

CREATE OR REPLACE FUNCTION private.announce_ready_export (
  export private.exports,
  token  text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.broadcast_export(export), private.queue_export_email(
    export,
    'Your data is ready to download',
    format(
      E'The copy of your data that you asked for is ready. Download it here, until %s (UTC):\n%s\n\n'
      'It holds everything that is stored about you. Open the link on a device of your own, and do not forward this email:'
      ' whoever has the link can download the data, until you delete the copy on the page or in the app.\n\n'
      'If you did not ask for this, delete the copy on that page and change your password.',
      to_char(export.expires_at at time zone 'UTC', 'FMDD FMMonth YYYY, HH24:MI'),
      private.pages_url() || '/api/privacy/download?token=' || token
    )
  )
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
  request_id  text                DEFAULT private.request_header('x-request-id'::text),
  subject     uuid                DEFAULT NULL::uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  allowance record;
  people private.audit_identities[];
  written bigint;
begin
  -- What one account adds is bounded, so that the log stays short enough to verify.
  if actor is not null and (select auth.role()) = 'authenticated' then
    select * into strict allowance from private.consume_rate_limit(actor, 'audit');
    if not allowance.allowed then
      raise exception 'Too many reads and changes that are logged.'
        using errcode = 'PT429', detail = allowance.reset_s::text, hint = 'Try again after as many seconds as the details say.';
    end if;
  end if;
  people := array(
    select row(0, p.party, p.account, p.ip, p.user_agent, extensions.gen_random_bytes(16))::private.audit_identities
    from (
      values
        ('actor'::private.audit_party, actor, audit.ip, left(audit.user_agent, 500)),
        ('subject', audit.subject, null, null)
    ) as p (party, account, ip, user_agent)
    where num_nonnulls(p.account, p.ip, p.user_agent) > 0
  );
  -- The trigger chain_audit_entry overwrites the first four.
  insert into public.audit_logs (
    id, occurred_at, previous_hash, hash,
    action, actor_hash, subject_hash, actor_role, university_id, target_type, target_id, before, after, details, request_id
  )
  select
    0, now(), '', '',
    audit.action,
    (
      select private.audit_identity_hash(p.salt, p.account_id, p.ip, p.user_agent)
      from unnest(people) p
      where p.party = 'actor'
    ),
    (
      select private.audit_identity_hash(p.salt, p.account_id, p.ip, p.user_agent)
      from unnest(people) p
      where p.party = 'subject'
    ),
    coalesce(nullif((select auth.role()), ''), session_user), left(university, 100), audit.target_type, audit.target_id,
    audit.before, audit.after, audit.details, left(audit.request_id, 64)
  returning id into written;
  insert into private.audit_identities
  select written, p.party, p.account_id, p.ip, p.user_agent, p.salt from unnest(people) p;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_entries (
  before_entry bigint,
  wanted       public.audit_action,
  actor        uuid,
  target       text,
  page_limit   integer
)
  RETURNS SETOF public.audit_entry
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select e.*
  from private.audit_log e
  where (select private.is_security_admin())
    and (before_entry is null or e.id < before_entry)
    and (wanted is null or e.action = wanted)
    and (actor is null or e.actor_id = actor)
    and (target is null or e.target_id = target)
  order by e.id desc
  limit least(greatest(page_limit, 0), 1000)
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
        encode(entry.actor_hash, 'hex'),
        encode(entry.subject_hash, 'hex'),
        entry.actor_role,
        entry.university_id,
        entry.target_type,
        entry.target_id,
        entry.before,
        entry.after,
        entry.details,
        entry.request_id
      )::text,
      'UTF8'
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.audit_identity_hash (
  salt       bytea,
  account    uuid,
  ip         inet,
  user_agent text
)
  RETURNS bytea
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select sha256(salt || convert_to(jsonb_build_array(account, ip, user_agent)::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION private.audit_review()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Who claimed or closed it is who did this; an entry holds no account.
  perform private.audit(
    'review_changed', new.university_id, 'clinical_reviews', new.id::text,
    private.changed_columns(to_jsonb(old), to_jsonb(new)) - array['claimed_by', 'closed_by'],
    private.changed_columns(to_jsonb(new), to_jsonb(old)) - array['claimed_by', 'closed_by'],
    subject => new.user_id
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
      'role_revoked', old.university_id, 'user_roles', subject => old.user_id,
      before => jsonb_build_object('role', old.role, 'university_id', old.university_id)
    );
  end if;
  if tg_op <> 'DELETE' then
    perform private.audit(
      'role_granted', new.university_id, 'user_roles', subject => new.user_id,
      after => jsonb_build_object('role', new.role, 'university_id', new.university_id)
    );
  end if;
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

CREATE OR REPLACE FUNCTION private.broadcast_account (
  account uuid,
  event   text,
  payload jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select realtime.send(payload, event, 'account:' || account, true)
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_export (
  export private.exports
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.broadcast_account(
    export.user_id,
    'export',
    jsonb_build_object(
      'id', export.id,
      'status', export.status,
      'volumes', count(*),
      'volumes_done', count(*) filter (where v.status = 'done'),
      'expires_at', export.expires_at
    )
  )
  from private.export_volumes v
  where v.export_id = export.id
$function$;

CREATE OR REPLACE FUNCTION private.cancel_erasure (
  account uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  cancelled uuid;
begin
  perform from auth.users where id = account for key share;
  delete from private.erasures
  where user_id = account and erased_at is null and final_at > now()
  returning id into cancelled;
  if cancelled is null then
    return false;
  end if;
  delete from private.outbox where user_id = account and purpose = 'erasure_requested' and status = 'queued';
  perform private.audit(
    'erasure_cancelled', private.university_of(account), 'erasures', cancelled::text, actor => account, subject => account
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.cancel_export (
  student uuid,
  export  uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.end_export(e.id, 'cancelled') from private.exports e where e.id = export and e.user_id = student;
  return found;
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

CREATE OR REPLACE FUNCTION private.claim_export_volume()
  RETURNS TABLE (
    export_id    uuid,
    ordinal      smallint,
    attempts     smallint,
    content      private.export_content,
    object_name  text,
    since        timestamp with time zone,
    until        timestamp with time zone,
    objects      jsonb,
    lease_ms     double precision,
    user_id      uuid,
    include_name boolean,
    created_at   timestamp with time zone
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  chosen private.export_volumes;
begin
  -- One claim at a time, so that each counts what the others have in flight.
  perform pg_advisory_xact_lock(77, 0);
  select v.* into chosen
  from private.export_volumes v
  join private.exports e on e.id = v.export_id
  cross join private.export_settings s
  where v.status in ('queued', 'running')
    and v.due_at <= now()
    and v.attempts < s.max_attempts
    and not exists (
      select from private.export_volumes r where r.export_id = v.export_id and r.status = 'running' and r.due_at > now()
    )
    and s.max_in_flight > (
      select count(*) from private.export_volumes r where r.status = 'running' and r.due_at > now()
    )
  order by e.created_at, v.ordinal
  limit 1
  for update of v skip locked;
  if chosen.export_id is null then
    return;
  end if;
  update private.exports e set status = 'building' where e.id = chosen.export_id and e.status = 'queued';
  return query
  update private.export_volumes v
  set status = 'running', attempts = v.attempts + 1, due_at = clock_timestamp() + s.lease
  from private.exports e, private.export_settings s
  where v.export_id = chosen.export_id and v.ordinal = chosen.ordinal and e.id = v.export_id
  returning v.export_id, v.ordinal, v.attempts, v.content, v.object_name, v.since, v.until, v.objects,
    extract(epoch from s.lease)::double precision * 1000, e.user_id, e.include_name, e.created_at;
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_object_removals (
  most integer
)
  RETURNS TABLE (
    claim  uuid,
    bucket text,
    names  text[]
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  first private.object_removals;
  claimed uuid := gen_random_uuid();
begin
  select r.* into first
  from private.object_removals r
  where r.next_attempt_at <= now() and private.removal_is_due(r)
  order by r.next_attempt_at
  limit 1
  for update skip locked;
  if not found then
    return;
  end if;
  return query
  with due as materialized (
    select r.name
    from private.object_removals r
    where r.bucket = first.bucket
      and r.next_attempt_at <= now()
      and private.removal_is_due(r)
      and r.attempts < 3
      -- One that Storage does not take lets a whole batch fail: after two attempts each is tried alone.
      and first.attempts < 2
    order by r.next_attempt_at
    limit greatest(most - 1, 0)
    for update skip locked
  ),
  started as (
    update private.object_removals r
    set claim = claimed, attempts = least(r.attempts + 1, 32767), next_attempt_at = clock_timestamp() + interval '2 minutes'
    where r.bucket = first.bucket and (r.name = first.name or r.name in (select name from due))
    returning r.name
  )
  select claimed, first.bucket, array_agg(s.name) from started s;
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

CREATE OR REPLACE FUNCTION private.complete_erasure (
  erasure private.erasures
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  receipt private.erasure_receipts;
begin
  receipt := row(
    erasure.id, erasure.source, erasure.requested_at, clock_timestamp(), erasure.counts, private.tombstone_of(erasure.user_id), null
  );
  receipt.checksum := private.receipt_checksum(receipt);
  insert into private.erasure_receipts select receipt.*;
  delete from private.erasures where id = erasure.id;
  insert into private.outbox (channel, purpose, recipient, subject, body)
  select
    'email',
    'erasure_receipt',
    erasure.email,
    'Your account was deleted',
    format(
      E'Hello,\n\nyour account was deleted, with everything that was stored of you: %s rows of data and %s files. Afterwards we searched for them, and found nothing. Backups end with their term; if one is ever restored, you are deleted from it again. This address is deleted as soon as this mail is sent.\n\nYour receipt, which does not say who you are:\n\nNumber: %s\nCompleted: %s UTC\nChecksum: %s',
      (select coalesce(sum(value::bigint), 0) from jsonb_each_text(receipt.counts) where key like '%.%'),
      (select coalesce(sum(value::bigint), 0) from jsonb_each_text(receipt.counts) where key not like '%.%'),
      receipt.id,
      to_char(receipt.completed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
      encode(receipt.checksum, 'hex')
    )
  where erasure.mail_receipt and erasure.email is not null;
  perform private.audit('account_erased', target_type => 'erasure_receipts', target_id => receipt.id::text);
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

CREATE OR REPLACE FUNCTION private.dispatch_due_exports (
  at timestamp with time zone DEFAULT now()
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- Their workers were lost with the last attempt.
  perform private.end_export(e.id, 'failed', 'worker_lost')
  from private.exports e
  where e.status = 'building' and exists (
    select
    from private.export_volumes v, private.export_settings s
    where v.export_id = e.id and v.status = 'running' and v.due_at <= at and v.attempts >= s.max_attempts
  );
  perform private.end_export(e.id, 'expired') from private.exports e where e.status = 'ready' and e.expires_at <= at;
  delete from private.exports e using private.export_settings s where e.ended_at < at - s.keep and e.status <> 'ready';
  perform private.dispatch_exports();
end
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_due_object_removals()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.call_function('remove-objects', '{"type": "UPDATE", "schema": "private", "table": "object_removals"}')
  where exists (select from private.object_removals r where r.next_attempt_at <= now() and private.removal_is_due(r))
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_exports()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  -- As many as may be built at once; a webhook too many finds nothing to claim.
  select private.call_function('export-data', '{"type": "INSERT", "schema": "private", "table": "export_volumes"}')
  from (
    select distinct export_id
    from private.export_volumes
    where status in ('queued', 'running') and due_at <= now()
    limit (select max_in_flight from private.export_settings)
  ) due
$function$;

CREATE OR REPLACE FUNCTION private.end_export (
  export  uuid,
  outcome private.export_status,
  code    text                  DEFAULT NULL::text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  stored private.exports;
begin
  update private.exports e
  set status = outcome, error_code = code, token_hash = null, ended_at = coalesce(e.ended_at, now())
  where e.id = export
    and (e.status in ('queued', 'building') or (e.status = 'ready' and outcome in ('cancelled', 'expired')))
  returning e.* into stored;
  if not found then
    return false;
  end if;
  update private.export_volumes v
  set status = 'failed', bytes = null, left_out = null, objects = '[]', error_code = coalesce(v.error_code, outcome::text)
  where v.export_id = export;
  perform private.queue_object_removal('exports', v.object_name, 'export_' || outcome)
  from private.export_volumes v
  where v.export_id = export and v.attempts > 0;
  perform private.broadcast_export(stored);
  if outcome = 'failed' then
    perform private.queue_export_email(
      stored,
      'Your data could not be prepared',
      'The copy of your data that you asked for could not be prepared, and we know of it. Please ask for it again in the app; this try does not count against the daily limit.'
    );
  end if;
  return true;
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

CREATE OR REPLACE FUNCTION private.erasable_relations()
  RETURNS TABLE (
    relation   regclass,
    belongs_to text,
    anonymized text[]
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select
    to_regclass(format('%I.%I', p.schema_name, p.relation_name)),
    p.belongs_to,
    case p.erasure when 'anonymize' then array_agg(c.name) end
  from private.personal_data p
  cross join unnest(p.columns) as c (name)
  where p.erasure in ('delete', 'anonymize')
    and p.store <> 'bucket'
    and to_regclass(format('%I.%I', p.schema_name, p.relation_name)) is not null
    and (p.schema_name, p.relation_name) <> ('auth', 'users')
  group by p.schema_name, p.relation_name, p.belongs_to, p.erasure
  order by p.erasure = 'delete', p.belongs_to ~ '\mselect\M' desc, p.schema_name, p.relation_name
$function$;

CREATE OR REPLACE FUNCTION private.erase_rows (
  account uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  store record;
  affected bigint;
  counts jsonb := '{}';
begin
  for store in select * from private.erasable_relations() loop
    begin
      if store.anonymized is null then
        execute format('delete from %s t where %s', store.relation, store.belongs_to) using account;
      else
        execute format(
          'update %s t set %s where %s',
          store.relation,
          (select string_agg(format('%I = null', name), ', ') from unnest(store.anonymized) name),
          store.belongs_to
        )
        using account;
      end if;
      get diagnostics affected = row_count;
    exception
      -- Of a table that the platform keeps to itself; what is left there shows in private.traces_of.
      when insufficient_privilege then
        affected := 0;
    end;
    if affected > 0 then
      counts := counts || jsonb_build_object(
        store.relation::text, coalesce((counts ->> store.relation::text)::bigint, 0) + affected
      );
    end if;
  end loop;
  return counts;
end
$function$;

CREATE OR REPLACE FUNCTION private.erase_soon()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into private.erasures as e (user_id, source, final_at, email, phone, mail_receipt)
  values (new.id, 'operator', now(), nullif(old.email, ''), nullif(old.phone, ''), old.email_confirmed_at is not null)
  on conflict on constraint erasures_user_id_key do update
  set final_at = least(e.final_at, greatest(now(), e.requested_at)),
    next_attempt_at = now(),
    email = excluded.email,
    phone = excluded.phone,
    mail_receipt = excluded.mail_receipt;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.erase_with_account()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  counts jsonb := private.erase_rows(old.id) || private.queue_files_of(old.id) || '{"auth.users": 1}';
begin
  insert into private.erasures as e (user_id, source, final_at, erased_at, email, phone, mail_receipt, counts)
  values (
    old.id, 'operator', now(), now(), nullif(old.email, ''), nullif(old.phone, ''), old.email_confirmed_at is not null, counts
  )
  on conflict on constraint erasures_user_id_key do update
  set erased_at = now(),
    -- Of an account that was deleted softly, Auth has replaced them.
    email = coalesce(e.email, excluded.email),
    phone = coalesce(e.phone, excluded.phone),
    mail_receipt = e.mail_receipt or (e.source = 'person' and excluded.mail_receipt),
    counts = excluded.counts,
    next_attempt_at = now();
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.erasure_view (
  account uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', e.id,
    'status', case when h.user_id is not null then 'held' when e.final_at <= now() then 'final' else 'scheduled' end,
    'requested_at', e.requested_at,
    'final_at', e.final_at,
    'hold', case when h.user_id is not null then jsonb_build_object('reason', h.reason, 'since', h.set_at) end
  )
  from private.erasures e
  left join private.legal_holds h on h.user_id = e.user_id and not h.confidential
  where e.user_id = account
$function$;

CREATE OR REPLACE FUNCTION private.export_of_link (
  token_hash text
)
  RETURNS TABLE (
    student uuid,
    export  uuid
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select e.user_id, e.id
  from private.exports e
  where e.token_hash = export_of_link.token_hash and e.status = 'ready' and e.expires_at > now()
$function$;

CREATE OR REPLACE FUNCTION private.exported_columns()
  RETURNS TABLE (
    schema_name   text,
    relation_name text,
    column_name   text,
    place         smallint,
    type          text,
    meaning       text,
    store         private.data_store,
    whose         private.data_subject,
    purpose       text,
    belongs_to    text,
    retention     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select p.schema_name, p.relation_name, a.attname::text, a.attnum, pg_catalog.format_type(a.atttypid, a.atttypmod),
    pg_catalog.col_description(a.attrelid, a.attnum), p.store, p.whose, p.purpose, l.belongs_to, p.retention
  from private.personal_data p
  -- The audit log itself names nobody; who an entry is about lies beside it.
  cross join lateral (
    select case
      when p.schema_name = 'public' and p.relation_name = 'audit_logs'
        then 't.id in (select i.entry from private.audit_identities i where i.account_id = $1)'
      else p.belongs_to
    end as belongs_to
  ) l
  join pg_catalog.pg_namespace n on n.nspname = p.schema_name
  join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = p.relation_name
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join private.exported_platform_columns() e on e.schema_name = p.schema_name and e.relation_name = p.relation_name
  where p.store <> 'bucket'
    and l.belongs_to is not null
    and case when p.columns = '{*}' then a.attname = any (e.columns)
      else a.attname = any (p.columns) and p.content is distinct from 'credentials'
    end
    and not exists (
      select
      from private.withheld_data() w
      where (w.schema_name, w.relation_name, w.column_name) = (p.schema_name, p.relation_name, a.attname)
    )
$function$;

CREATE OR REPLACE FUNCTION private.exported_platform_columns()
  RETURNS TABLE (
    schema_name   text,
    relation_name text,
    columns       text[]
  )
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  values
    ('auth', 'users', '{id,email,phone,email_confirmed_at,phone_confirmed_at,created_at,updated_at,last_sign_in_at}'::text[]),
    ('auth', 'identities', '{user_id,provider,email,created_at,updated_at,last_sign_in_at}'),
    ('auth', 'sessions', '{id,user_id,created_at,updated_at,aal,not_after,user_agent,ip}'),
    ('auth', 'mfa_factors', '{id,user_id,friendly_name,factor_type,status,created_at}'),
    ('auth', 'oauth_consents', '{user_id,client_id,scopes,granted_at,revoked_at}'),
    ('auth', 'audit_log_entries', '{id,payload,created_at,ip_address}')
$function$;

CREATE OR REPLACE FUNCTION private.exported_rows (
  person            uuid,
  exported_schema   text,
  exported_relation text,
  since             timestamp with time zone,
  until             timestamp with time zone
)
  RETURNS SETOF text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  relation regclass := format('%I.%I', exported_schema, exported_relation)::regclass;
  every_column text[];
  values_of_row text;
  condition text;
  moment text := private.moment_of_row(relation);
  masked boolean;
begin
  select array_agg(a.attname::text) into every_column
  from pg_catalog.pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  -- Of each row only the columns that are this person's: a review names its counselor too.
  select
    string_agg(
      format('case when %s then to_jsonb(t) - %L::text[] else ''{}'' end', g.belongs_to,
        array(select unnest(every_column) except select unnest(g.columns))),
      ' || '
    ),
    string_agg('(' || g.belongs_to || ')', ' or '),
    bool_or(g.store = 'queue')
  into values_of_row, condition, masked
  from (
    select c.belongs_to, c.store, array_agg(c.column_name) as columns
    from private.exported_columns() c
    where c.schema_name = exported_schema and c.relation_name = exported_relation
    group by c.belongs_to, c.store
  ) g;
  if condition is null then
    return;
  end if;
  return query execute format(
    $query$
      select case when $4 then regexp_replace(r.content::text, '[0-9a-f]{64}', '…', 'g') else r.content::text end
      from (
        select %s as content, %s as moment from %s t where %s
      ) r
      where ($2 is null or r.moment > $2) and (r.moment is null or r.moment <= $3)
      order by r.moment nulls first, r.content::text collate "C"
    $query$,
    values_of_row, moment, relation, condition
  )
  -- Messages carry links, which would let whoever has them act for the person or a contact.
  using person, since, until, masked;
end
$function$;

CREATE OR REPLACE FUNCTION private.fail_export_volume (
  export  uuid,
  volume  smallint,
  attempt smallint,
  code    text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update private.export_volumes v
  set status = 'queued', error_code = code, due_at = now() + s.retry_backoff * power(2, v.attempts - 1)
  from private.export_settings s
  where v.export_id = export and v.ordinal = volume and v.attempts = attempt and v.status = 'running'
    and v.attempts < s.max_attempts;
  if not found then
    perform private.end_export(export, 'failed', code)
    from private.export_volumes v, private.export_settings s
    where v.export_id = export and v.ordinal = volume and v.attempts = attempt and v.status = 'running';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.finish_export_volume (
  export  uuid,
  volume  smallint,
  attempt smallint,
  size    bigint,
  missing integer
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  stored private.exports;
  token text := private.new_link_token();
begin
  select * into stored from private.exports where id = export for update;
  update private.export_volumes v
  set status = 'done', bytes = size, left_out = missing, error_code = null
  where v.export_id = export and v.ordinal = volume and v.attempts = attempt and v.status = 'running';
  if not found then
    return false;
  end if;
  if exists (select from private.export_volumes v where v.export_id = export and v.status <> 'done') then
    perform private.broadcast_export(stored);
    perform private.dispatch_exports();
    return true;
  end if;
  update private.exports e
  set status = 'ready', ended_at = now(), expires_at = now() + s.link_valid, token_hash = private.link_token_hash(token)
  from private.export_settings s
  where e.id = export
  returning e.* into stored;
  perform private.announce_ready_export(stored, token);
  return true;
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

CREATE OR REPLACE FUNCTION private.guard_exports_bucket()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform from private.export_volumes v where v.object_name = new.name and v.status = 'running' for share;
  if not found then
    raise exception 'The bucket exports takes only volumes that are being built.' using errcode = 'insufficient_privilege';
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

CREATE OR REPLACE FUNCTION private.holds_in_force()
  RETURNS TABLE (
    account       uuid,
    reason        text,
    confidential  boolean,
    set_at        timestamp with time zone,
    erasure_waits boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select h.user_id, h.reason, h.confidential, h.set_at, exists (select from private.erasures e where e.user_id = h.user_id)
  from private.legal_holds h
  where (select private.is_security_admin())
  order by h.set_at, h.user_id
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

CREATE OR REPLACE FUNCTION private.lift_hold (
  account uuid
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
  delete from private.legal_holds where user_id = account;
  if not found then
    return false;
  end if;
  perform private.audit('legal_hold_lifted', private.university_of(account), 'legal_holds', subject => account);
  return true;
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
    else
      raise exception 'The action must be students_listed, student_read or reviews_listed.'
        using errcode = 'invalid_parameter_value';
  end case;
  if person is null or not (
    case action
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
  on conflict on constraint logged_accesses_pkey do update set logged_at = excluded.logged_at;
  perform private.audit(
    action,
    university,
    case action when 'student_read' then 'students' end,
    subject => case action when 'student_read' then student end,
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

CREATE OR REPLACE FUNCTION private.moment_of_row (
  relation regclass
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select coalesce('coalesce(' || string_agg(expression, ', ' order by rank) || ')', 'null::timestamptz')
  from (
    values
      (1, 'check_in_id', '(select c.created_at from checkin.check_ins c where c.id = t.check_in_id)'),
      (2, 'session_id', '(select s.created_at from public.assessment_sessions s where s.id = t.session_id)'),
      (3, 'created_at', 't.created_at'),
      (4, 'occurred_at', 't.occurred_at'),
      (5, 'opened_at', 't.opened_at'),
      (6, 'granted_at', 't.granted_at')
  ) as known (rank, column_name, expression)
  join pg_catalog.pg_attribute a on a.attrelid = relation and a.attname = known.column_name and not a.attisdropped
  where pg_catalog.format_type(a.atttypid, null) in ('uuid', 'timestamp with time zone')
    and (relation <> 'auth.sessions'::regclass or rank > 2)
$function$;

CREATE OR REPLACE FUNCTION private.objects_of (
  account uuid
)
  RETURNS TABLE (
    bucket text,
    name   text
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  condition text;
begin
  select string_agg(format('(%s)', p.belongs_to), ' or ') into condition
  from private.personal_data p
  where p.store = 'bucket' and p.erasure = 'delete';
  return query execute format('select t.bucket_id, t.name from storage.objects t where %s', condition) using account;
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

CREATE OR REPLACE FUNCTION private.owns_account_channel (
  topic text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(topic = 'account:' || (select private.current_account()), false)
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

CREATE OR REPLACE FUNCTION private.plan_media_volumes (
  export  uuid,
  student uuid,
  first   smallint
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  most bigint := (select volume_bytes from private.export_settings);
  conditions text;
  object record;
  packed jsonb := '[]';
  packed_bytes bigint := 0;
  volume smallint := first;
begin
  select string_agg(format('(t.bucket_id = %L and (%s))', p.relation_name, p.belongs_to), ' or ') into conditions
  from private.personal_data p
  where p.store = 'bucket' and p.belongs_to is not null and p.relation_name <> 'exports';
  for object in execute format(
    $query$
      select t.bucket_id as bucket, t.name, (t.metadata ->> 'size')::bigint as bytes, t.metadata ->> 'mimetype' as type
      from storage.objects t
      where (%s) and (t.metadata ->> 'size')::bigint is not null
      order by t.bucket_id, t.name collate "C"
    $query$,
    coalesce(conditions, 'false')
  ) using student
  loop
    if object.bytes > most then
      insert into private.export_volumes (export_id, ordinal, content, object_name, objects)
      values (export, volume, 'file', student || '/' || export || '/' || volume, jsonb_build_array(to_jsonb(object)));
      volume := volume + 1;
      continue;
    end if;
    if packed_bytes + object.bytes > most then
      insert into private.export_volumes (export_id, ordinal, content, object_name, objects)
      values (export, volume, 'media', student || '/' || export || '/' || volume, packed);
      volume := volume + 1;
      packed := '[]';
      packed_bytes := 0;
    end if;
    packed := packed || to_jsonb(object);
    packed_bytes := packed_bytes + object.bytes;
  end loop;
  insert into private.export_volumes (export_id, ordinal, content, object_name, objects)
  select export, volume, 'media', student || '/' || export || '/' || volume, packed
  where packed <> '[]';
end
$function$;

CREATE OR REPLACE FUNCTION private.prevent_audit_identity_change()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if tg_op = 'DELETE' and (
    -- Erased, or about to be in this transaction.
    (
      old.account_id is not null
      and (
        not exists (select from auth.users where id = old.account_id)
        or exists (select from private.erasures where user_id = old.account_id and erased_at is not null)
      )
    )
    or (
      select e.occurred_at < now() - case when old.account_id is null then interval '90 days' else interval '6 years' end
      from public.audit_logs e
      where e.id = old.entry
    )
  ) then
    return old;
  end if;
  raise exception 'The people of the audit log are deleted when they are erased, or when their term has ended.'
    using errcode = 'insufficient_privilege';
end
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

CREATE OR REPLACE FUNCTION private.purge_receipt_mail()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if new.status = 'dead' then
    update private.outbox set recipient = null where id = new.id;
  else
    delete from private.outbox where id = new.id;
  end if;
  return null;
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

CREATE OR REPLACE FUNCTION private.queue_export_email (
  export private.exports,
  about  text,
  body   text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body)
  select 'email', 'export', u.id, u.email, about, body
  from auth.users u
  where u.id = export.user_id and u.email is not null
$function$;

CREATE OR REPLACE FUNCTION private.queue_files_of (
  account uuid
)
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with queued as (
    select
      o.bucket,
      -- What waits already is left alone: queueing it again would make the attempt that is under way count for nothing.
      case when not exists (select from private.object_removals r where (r.bucket, r.name) = (o.bucket, o.name))
        then private.queue_object_removal(o.bucket, o.name, 'erasure')
      end
    from private.objects_of(account) o
  )
  select coalesce(jsonb_object_agg(c.bucket, c.files), '{}')
  from (select q.bucket, count(*) as files from queued q group by q.bucket) c
$function$;

CREATE OR REPLACE FUNCTION private.read_exports (
  student uuid,
  wanted  uuid DEFAULT NULL::uuid
)
  RETURNS SETOF jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', e.id,
    'status', e.status,
    'error_code', e.error_code,
    'include_name', e.include_name,
    'created_at', e.created_at,
    'ready_at', case when e.status in ('ready', 'expired') then e.ended_at end,
    'expires_at', e.expires_at,
    'volumes', (
      select jsonb_agg(
        jsonb_build_object(
          'number', v.ordinal, 'content', v.content, 'status', v.status, 'bytes', v.bytes, 'left_out', v.left_out,
          'object_name', v.object_name, 'objects', jsonb_array_length(v.objects),
          'original', case when v.content = 'file' then v.objects -> 0 end
        )
        order by v.ordinal
      )
      from private.export_volumes v
      where v.export_id = e.id
    )
  )
  from private.exports e
  where e.user_id = student and (wanted is null or e.id = wanted)
  order by e.created_at desc, e.id
  limit 100
$function$;

CREATE OR REPLACE FUNCTION private.receipt_checksum (
  receipt private.erasure_receipts
)
  RETURNS bytea
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select sha256(convert_to(
    jsonb_build_array(
      receipt.id,
      receipt.source,
      extract(epoch from receipt.requested_at),
      extract(epoch from receipt.completed_at),
      receipt.counts,
      encode(receipt.tombstone, 'hex')
    )::text,
    'UTF8'
  ))
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

CREATE OR REPLACE FUNCTION private.refuse_object_without_owner()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  owner uuid := private.account_of_object(new.bucket_id, new.name);
begin
  if owner is not null then
    -- An address that was signed before outlives the account; the lock lets no upload and no deletion overlook each other.
    perform from auth.users where id = owner for key share;
    if not found then
      raise exception 'There is no account that this object belongs to.' using errcode = 'insufficient_privilege';
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.release_export_volume (
  export  uuid,
  volume  smallint,
  attempt smallint
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update private.export_volumes v
  set status = 'queued', due_at = '-infinity'
  where v.export_id = export and v.ordinal = volume and v.attempts = attempt and v.status = 'running'
$function$;

CREATE OR REPLACE FUNCTION private.removal_is_due (
  removal private.object_removals
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return removal.next_attempt_at <= now()
    and not exists (
      select from private.legal_holds h where h.user_id = private.account_of_object(removal.bucket, removal.name)
    );
end
$function$;

CREATE OR REPLACE FUNCTION private.remove_export_objects()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.queue_object_removal('exports', object_name, 'export_deleted') from gone where attempts > 0;
  return null;
end
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

CREATE OR REPLACE FUNCTION private.replay_erasures (
  receipts jsonb
)
  RETURNS TABLE (
    accounts integer,
    held     integer
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if not exists (select from vault.decrypted_secrets where name = 'tombstone_key') then
    raise exception 'The vault has no tombstone_key: restore the project''s own vault with the database.';
  end if;
  insert into private.erasure_receipts
  select r.*
  from jsonb_populate_recordset(null::private.erasure_receipts, receipts) r
  on conflict do nothing;
  insert into private.erasures as e (user_id, source, final_at)
  select u.id, 'restore', now()
  from auth.users u
  where private.tombstone_of(u.id) in (select r.tombstone from private.erasure_receipts r)
  on conflict on constraint erasures_user_id_key do update
  set source = 'restore', final_at = greatest(now(), e.requested_at), next_attempt_at = now(), mail_receipt = false;
  get diagnostics accounts = row_count;
  select count(*) into held
  from private.erasures e
  join private.legal_holds h using (user_id)
  where e.source = 'restore';
  -- Nobody signs in meanwhile: the accounts go in this transaction.
  delete from auth.users u
  using private.erasures e
  where e.user_id = u.id and e.source = 'restore' and not exists (select from private.legal_holds h where h.user_id = u.id);
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.request_erasure (
  account uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  requested private.erasures;
begin
  perform from auth.users where id = account for key share;
  if not found then
    return;
  end if;
  insert into private.erasures (user_id, source, final_at, next_attempt_at)
  values (account, 'person', now() + interval '72 hours', now() + interval '72 hours')
  on conflict on constraint erasures_user_id_key do nothing
  returning * into requested;
  if requested.id is null then
    return;
  end if;
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body)
  select
    'email',
    'erasure_requested',
    account,
    u.email,
    'Your account will be deleted',
    format(
      E'Hello,\n\nyou asked us to delete your account with everything that is stored of you. This happens at %s UTC and cannot be undone then. Until then you can go on as usual, and cancel it in the app under "Privacy".\n\nIf it was not you: sign in, cancel it, and choose another password.',
      to_char(requested.final_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    )
  from auth.users u
  where u.id = account and u.email_confirmed_at is not null;
  perform private.audit(
    'erasure_requested', private.university_of(account), 'erasures', requested.id::text, actor => account, subject => account
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.request_export (
  student      uuid,
  include_name boolean,
  at           timestamp with time zone,
  address      inet,
  agent        text,
  request      text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  settings private.export_settings;
  running uuid;
  oldest timestamptz;
  requested integer;
  export uuid;
  volumes smallint;
begin
  select * into strict settings from private.export_settings;
  -- One request of a person at a time; the account goes first, as everywhere.
  perform from auth.users where id = student for no key update;
  if not found then
    return jsonb_build_object('outcome', 'account_deleted');
  end if;
  select id into running from private.exports where user_id = student and status in ('queued', 'building');
  if running is not null then
    return jsonb_build_object('outcome', 'export_running', 'id', running);
  end if;
  select count(*), min(created_at) into requested, oldest
  from (
    select created_at
    from private.exports
    where user_id = student and created_at > at - interval '24 hours' and status <> 'failed'
    order by created_at desc
    limit settings.daily_requests
  ) recent;
  if requested >= settings.daily_requests then
    return jsonb_build_object(
      'outcome', 'export_limit', 'retry_after_s', ceil(extract(epoch from oldest + interval '24 hours' - at))::integer
    );
  end if;

  insert into private.exports (user_id, include_name, created_at) values (student, request_export.include_name, at)
  returning id into export;
  with moments as (
    select created_at, row_number() over (order by created_at) as place
    from (
      select created_at from checkin.check_ins where user_id = student
      union all
      select created_at from public.assessment_sessions where user_id = student
    ) all_moments
    where created_at < at
  ),
  ends as (
    select distinct created_at as until from moments where place % settings.rows_per_volume = 0
    union
    select at
  )
  insert into private.export_volumes (export_id, ordinal, content, object_name, since, until)
  select
    export,
    row_number() over (order by until),
    'documents',
    student || '/' || export || '/' || row_number() over (order by until),
    lag(until) over (order by until),
    until
  from ends;
  get diagnostics volumes = row_count;
  perform private.plan_media_volumes(export, student, (volumes + 1)::smallint);
  perform private.dispatch_exports();
  perform private.audit(
    'data_exported', private.university_of(student), 'profiles',
    actor => student, ip => address, user_agent => agent, request_id => request, subject => student
  );
  return jsonb_build_object('outcome', 'requested', 'id', export);
end
$function$;

CREATE OR REPLACE FUNCTION private.require_access_log (
  read      public.audit_action,
  arguments jsonb,
  account   uuid                DEFAULT private.current_account()
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

CREATE OR REPLACE FUNCTION private.set_hold (
  account      uuid,
  reason       text,
  confidential boolean
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
  perform from auth.users where id = account for key share;
  if not found then
    return false;
  end if;
  insert into private.legal_holds as h (user_id, reason, confidential)
  values (account, set_hold.reason, set_hold.confidential)
  on conflict on constraint legal_holds_pkey do update
  set reason = excluded.reason, confidential = excluded.confidential;
  perform private.audit('legal_hold_set', private.university_of(account), 'legal_holds', subject => account);
  return true;
end
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

CREATE OR REPLACE FUNCTION private.tombstone_of (
  account uuid
)
  RETURNS bytea
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select extensions.hmac('account ' || account, s.decrypted_secret, 'sha256')
  from vault.decrypted_secrets s
  where s.name = 'tombstone_key'
$function$;

CREATE OR REPLACE FUNCTION private.traces_of (
  account uuid,
  email   text,
  phone   text
)
  RETURNS TABLE (
    relation text,
    traces   bigint
  )
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  store record;
  addresses text[] := array(
    select lower(a)
    from unnest(array[traces_of.email, traces_of.phone]) a
    where a is not null and not exists (select from auth.users u where lower(u.email) = lower(a) or u.phone = a)
  );
begin
  for store in
    with recursive bound (oid) as (
      select 'auth.users'::regclass::oid
      union
      select k.conrelid
      from pg_catalog.pg_constraint k
      join bound b on k.confrelid = b.oid
      where k.contype = 'f'
        and not exists (
          select from pg_catalog.pg_attribute a
          where a.attrelid = k.conrelid and a.attnum = any (k.conkey) and not a.attnotnull
        )
    )
    select distinct c.oid::regclass as relation, p.schema_name, p.relation_name
    from private.personal_data p
    join pg_catalog.pg_class c on c.oid = to_regclass(format('%I.%I', p.schema_name, p.relation_name))
    where p.store <> 'bucket'
      and p.whose <> 'nobody'
      and p.erasure <> 'keep'
      and c.oid not in (select b.oid from bound b)
      and has_table_privilege(c.oid, 'select')
  loop
    relation := store.relation::text;
    execute format(
      'select count(*) from %s t where exists (select from unnest($1) n where strpos(lower(t::text), n) > 0)', store.relation
    )
    into traces
    using account::text || case when (store.schema_name, store.relation_name) = ('private', 'outbox') then '{}' else addresses end;
    if traces > 0 then
      return next;
    end if;
  end loop;
  select 'auth.users', count(*) into relation, traces from auth.users where id = account;
  if traces > 0 then
    return next;
  end if;
  select 'private.outbox', count(*) into relation, traces
  from private.outbox o
  where lower(o.recipient) = any (addresses) and o.contact_id is null;
  if traces > 0 then
    return next;
  end if;
  select 'storage.objects', count(*) into relation, traces from private.objects_of(account);
  if traces > 0 then
    return next;
  end if;
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
        when exists (
          select
          from private.audit_identities i
          where i.entry = e.id
            and private.audit_identity_hash(i.salt, i.account_id, i.ip, i.user_agent)
              is distinct from case i.party when 'actor' then e.actor_hash else e.subject_hash end
        )
        then 'who it names was changed'
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

CREATE OR REPLACE FUNCTION private.withheld_data()
  RETURNS TABLE (
    schema_name   text,
    relation_name text,
    column_name   text,
    reason        text
  )
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  values
    ('public', 'buddy_contacts', 'verification_token', 'It would let somebody answer for the contact.'),
    ('public', 'buddy_verification_audit', 'ip_address', 'It is the contact''s own.'),
    ('public', 'buddy_verification_audit', 'user_agent', 'It is the contact''s own.'),
    ('private', 'buddy_verification_sends', 'mailbox_hash', 'It is the contact''s own.'),
    ('private', 'buddy_refusals', 'address_hash', 'It is the contact''s own.'),
    ('public', 'audit_logs', 'actor_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'subject_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'previous_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'target_id', 'It may name somebody else.'),
    ('public', 'audit_logs', 'before', 'It may name somebody else.'),
    ('public', 'audit_logs', 'after', 'It may name somebody else.'),
    ('public', 'audit_logs', 'details', 'It may name somebody else.'),
    ('private', 'audit_identities', 'salt', 'It proves the audit log, and means nothing by itself.'),
    ('private', 'exports', 'token_hash', 'It belongs to a link that lets anybody download the data.')
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

CREATE OR REPLACE FUNCTION public.lift_legal_hold (
  account uuid
)
  RETURNS boolean
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.lift_hold(account)
  AS lift_hold;
END;

REVOKE ALL ON FUNCTION "public"."lift_legal_hold"(uuid) FROM PUBLIC, "anon", "service_role";

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

CREATE OR REPLACE FUNCTION public.read_audit_log (
  before_entry bigint              DEFAULT NULL::bigint,
  action       public.audit_action DEFAULT NULL::public.audit_action,
  actor_id     uuid                DEFAULT NULL::uuid,
  target_id    text                DEFAULT NULL::text,
  page_limit   integer             DEFAULT 100
)
  RETURNS SETOF public.audit_entry
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
     e.subject_id,
     e.before,
     e.after,
     e.details,
     e.ip,
     e.user_agent,
     e.request_id,
     e.previous_hash,
     e.hash
    FROM private.audit_entries(read_audit_log.before_entry, read_audit_log.action, read_audit_log.actor_id, read_audit_log.target_id, read_audit_log.page_limit)
      e(id, occurred_at, action, actor_id, actor_role, university_id, target_type, target_id, subject_id, BEFORE, AFTER, details, ip, user_agent, request_id, previous_hash, hash);
END;

REVOKE ALL ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.read_legal_holds()
  RETURNS TABLE (
    account       uuid,
    reason        text,
    confidential  boolean,
    set_at        timestamp with time zone,
    erasure_waits boolean
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT h.account,
     h.reason,
     h.confidential,
     h.set_at,
     h.erasure_waits
    FROM private.holds_in_force() h(account, reason, confidential, set_at, erasure_waits);
END;

REVOKE ALL ON FUNCTION "public"."read_legal_holds"() FROM PUBLIC, "anon", "service_role";

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

CREATE OR REPLACE FUNCTION public.set_legal_hold (
  account      uuid,
  reason       text,
  confidential boolean DEFAULT false
)
  RETURNS boolean
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.set_hold(account, reason, confidential)
  AS set_hold;
END;

REVOKE ALL ON FUNCTION "public"."set_legal_hold"(uuid, text, boolean) FROM PUBLIC, "anon", "service_role";

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

ALTER TABLE "private"."audit_identities"
  ADD CONSTRAINT "audit_identities_pkey" PRIMARY KEY (entry, party);

ALTER TABLE "private"."audit_identities"
  ADD CONSTRAINT "audit_identities_salt_length" CHECK ((octet_length(salt) = 16));

ALTER TABLE "private"."audit_identities"
  ADD CONSTRAINT "audit_identities_somebody" CHECK ((num_nonnulls(account_id, ip, user_agent) > 0));

ALTER TABLE "private"."erasure_receipts"
  ADD CONSTRAINT "erasure_receipts_hash_lengths" CHECK (((octet_length(tombstone) = 32) AND (octet_length(checksum) = 32)));

ALTER TABLE "private"."erasures"
  ADD CONSTRAINT "erasures_counts_object" CHECK ((jsonb_typeof(counts) = 'object'::text));

ALTER TABLE "private"."erasures"
  ADD CONSTRAINT "erasures_final_after_request" CHECK ((final_at >= requested_at));

ALTER TABLE "private"."export_volumes"
  ADD CONSTRAINT "export_volumes_bytes_when_done" CHECK (((status = 'done'::private.job_status) = ((bytes IS NOT NULL) AND (left_out IS NOT NULL))));

ALTER TABLE "private"."export_volumes"
  ADD CONSTRAINT "export_volumes_object_name_key" UNIQUE (object_name);

ALTER TABLE "private"."export_volumes"
  ADD CONSTRAINT "export_volumes_objects_array" CHECK ((jsonb_typeof(objects) = 'array'::text));

ALTER TABLE "private"."exports"
  ADD CONSTRAINT "exports_ended_at_when_ended" CHECK (((status = ANY (ARRAY['queued'::private.export_status, 'building'::private.export_status])) = (ended_at IS NULL)));

ALTER TABLE "private"."exports"
  ADD CONSTRAINT "exports_error_when_failed" CHECK (((status = 'failed'::private.export_status) = (error_code IS NOT NULL)));

ALTER TABLE "private"."exports"
  ADD CONSTRAINT "exports_expires_at_when_ready" CHECK (((status <> 'ready'::private.export_status) OR (expires_at IS NOT NULL)));

ALTER TABLE "private"."export_volumes"
  ADD CONSTRAINT "export_volumes_export_id_fkey" FOREIGN KEY (export_id) REFERENCES private.exports(id) ON DELETE CASCADE;

ALTER TABLE "private"."exports"
  ADD CONSTRAINT "exports_token_hash_form" CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text));

ALTER TABLE "private"."exports"
  ADD CONSTRAINT "exports_token_hash_key" UNIQUE (token_hash);

ALTER TABLE "private"."exports"
  ADD CONSTRAINT "exports_token_while_ready" CHECK (((token_hash IS NULL) OR (status = 'ready'::private.export_status)));

ALTER TABLE "private"."exports"
  ADD CONSTRAINT "exports_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."legal_holds"
  ADD CONSTRAINT "legal_holds_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id);

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

CREATE VIEW "private"."audit_log" WITH (security_invoker=true) AS  SELECT e.id,
    e.occurred_at,
    e.action,
    a.account_id AS actor_id,
    e.actor_role,
    e.university_id,
    e.target_type,
    COALESCE(e.target_id, (s.account_id)::text) AS target_id,
    s.account_id AS subject_id,
    e.before,
    e.after,
    e.details,
    a.ip,
    a.user_agent,
    e.request_id,
    e.previous_hash,
    e.hash
   FROM ((public.audit_logs e
     LEFT JOIN private.audit_identities a ON (((a.entry = e.id) AND (a.party = 'actor'::private.audit_party))))
     LEFT JOIN private.audit_identities s ON (((s.entry = e.id) AND (s.party = 'subject'::private.audit_party))));

CREATE VIEW "private"."late_erasures" WITH (security_invoker=true) AS  SELECT id,
    source,
    final_at,
    erased_at,
    attempts,
    error_code
   FROM private.erasures e
  WHERE ((final_at < (now() - '01:00:00'::interval)) AND (NOT (EXISTS ( SELECT
           FROM private.legal_holds h
          WHERE (h.user_id = e.user_id)))));

CREATE INDEX check_ins_created_at_idx ON checkin.check_ins USING btree (created_at);

CREATE INDEX audit_identities_account_id_idx ON private.audit_identities USING btree (account_id, entry);

CREATE INDEX check_in_inputs_transcript_created_at_idx ON private.check_in_inputs USING btree (created_at)
  WHERE (transcript IS NOT NULL);

CREATE INDEX check_in_media_created_at_idx ON private.check_in_media USING btree (created_at);

CREATE INDEX erasures_next_attempt_at_idx ON private.erasures USING btree (next_attempt_at);

CREATE INDEX export_volumes_due_at_idx ON private.export_volumes USING btree (due_at)
  WHERE (status = ANY (ARRAY['queued'::private.job_status, 'running'::private.job_status]));

CREATE INDEX exports_ended_at_idx ON private.exports USING btree (ended_at);

CREATE INDEX exports_expires_at_idx ON private.exports USING btree (expires_at)
  WHERE (status = 'ready'::private.export_status);

CREATE UNIQUE INDEX exports_one_at_a_time ON private.exports USING btree (user_id)
  WHERE (status = ANY (ARRAY['queued'::private.export_status, 'building'::private.export_status]));

CREATE INDEX exports_user_id_created_at_idx ON private.exports USING btree (user_id, created_at DESC);

CREATE INDEX personal_data_retention_idx ON private.personal_data USING btree (retention);

CREATE INDEX retention_counts_kind_idx ON private.retention_counts USING btree (kind);

CREATE INDEX assessment_sessions_created_at_idx ON public.assessment_sessions USING btree (created_at);

CREATE TRIGGER erase_soon
  AFTER UPDATE ON auth.users
  FOR EACH ROW
  WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)))
  EXECUTE FUNCTION private.erase_soon();

CREATE TRIGGER erase_with_account
  BEFORE DELETE ON auth.users
  FOR EACH ROW
  EXECUTE FUNCTION private.erase_with_account();

CREATE TRIGGER prevent_audit_identity_change
  BEFORE DELETE OR UPDATE ON private.audit_identities
  FOR EACH ROW
  EXECUTE FUNCTION private.prevent_audit_identity_change();

CREATE TRIGGER prevent_audit_identity_truncate
  BEFORE TRUNCATE ON private.audit_identities
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.prevent_audit_change();

CREATE TRIGGER remove_export_objects
  AFTER DELETE ON private.export_volumes REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.remove_export_objects();

CREATE TRIGGER purge_receipt_mail
  AFTER UPDATE ON private.outbox
  FOR EACH ROW
  WHEN (((new.purpose = 'erasure_receipt'::text) AND (new.ended_at IS NOT NULL) AND (new.recipient IS NOT NULL)))
  EXECUTE FUNCTION private.purge_receipt_mail();

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

CREATE TRIGGER guard_exports_bucket
  BEFORE INSERT OR UPDATE OF bucket_id, name, metadata ON storage.objects
  FOR EACH ROW
  WHEN ((new.bucket_id = 'exports'::text))
  EXECUTE FUNCTION private.guard_exports_bucket();

CREATE TRIGGER refuse_object_without_owner
  BEFORE INSERT OR UPDATE OF bucket_id, name ON storage.objects
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_object_without_owner();

CREATE POLICY "students receive broadcasts of their own channels" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING
    (((EXTENSION = 'broadcast'::text) AND (( SELECT private.owns_check_in_channel(( SELECT realtime.topic() AS topic)) AS owns_check_in_channel) OR ( SELECT
    private.owns_session_channel(( SELECT realtime.topic() AS topic)) AS owns_session_channel) OR
    ( SELECT private.owns_support_channel(( SELECT realtime.topic() AS topic)) AS owns_support_channel) OR
    ( SELECT private.owns_account_channel(( SELECT realtime.topic() AS topic)) AS owns_account_channel))));

COMMENT ON COLUMN "private"."audit_identities"."account_id" IS 'The account; null for an unknown caller.';

COMMENT ON COLUMN "private"."audit_identities"."entry" IS 'The entry, public.audit_logs.id.';

COMMENT ON COLUMN "private"."audit_identities"."ip" IS 'IP address that the request claims to come from.';

COMMENT ON COLUMN "private"."audit_identities"."party" IS 'Who the person is in it.';

COMMENT ON COLUMN "private"."audit_identities"."salt" IS 'Random bytes, so that the hash in the entry says nothing once the row is deleted.';

COMMENT ON COLUMN "private"."audit_identities"."user_agent" IS 'User agent that the request claims.';

COMMENT ON COLUMN "private"."bucket_comparisons"."began_at" IS 'When it began.';

COMMENT ON COLUMN "private"."bucket_comparisons"."bucket" IS 'The bucket.';

COMMENT ON COLUMN "private"."bucket_comparisons"."compared_through" IS 'Name of the last object that was compared.';

COMMENT ON COLUMN "private"."bucket_comparisons"."ended_at" IS 'When the last object was compared; null while it goes on.';

COMMENT ON COLUMN "private"."bucket_comparisons"."objects" IS 'Objects that were compared.';

COMMENT ON COLUMN "private"."bucket_comparisons"."removed" IS 'Objects that belong to no row and were queued for removal.';

COMMENT ON COLUMN "private"."check_in_inputs"."created_at" IS 'When it was submitted.';

COMMENT ON COLUMN "private"."check_in_media"."created_at" IS 'When it was submitted.';

COMMENT ON COLUMN "private"."erasure_receipts"."checksum" IS 'private.receipt_checksum; the person was told it.';

COMMENT ON COLUMN "private"."erasure_receipts"."completed_at" IS 'When nothing was found any more.';

COMMENT ON COLUMN "private"."erasure_receipts"."counts" IS 'How many rows of each table were deleted, and how many files of each bucket.';

COMMENT ON COLUMN "private"."erasure_receipts"."id" IS 'The receipt; the person was told it.';

COMMENT ON COLUMN "private"."erasure_receipts"."requested_at" IS 'When it was asked for.';

COMMENT ON COLUMN "private"."erasure_receipts"."source" IS 'Why somebody was erased.';

COMMENT ON COLUMN "private"."erasure_receipts"."tombstone" IS 'private.tombstone_of the account.';

COMMENT ON COLUMN "private"."erasures"."attempts" IS 'Steps that failed, or found something left.';

COMMENT ON COLUMN "private"."erasures"."counts" IS 'How many rows of each table were deleted, and how many files of each bucket.';

COMMENT ON COLUMN "private"."erasures"."email" IS 'The address of the deleted account, to search for it and to send the receipt.';

COMMENT ON COLUMN "private"."erasures"."erased_at" IS 'When the account and its rows were deleted; null until then.';

COMMENT ON COLUMN "private"."erasures"."error_code" IS 'Why the last step failed: an SQLSTATE, files_left or traces_left.';

COMMENT ON COLUMN "private"."erasures"."final_at" IS 'Until when it can be cancelled; the account is deleted then.';

COMMENT ON COLUMN "private"."erasures"."id" IS 'The erasure; also the id of its receipt.';

COMMENT ON COLUMN "private"."erasures"."mail_receipt" IS 'Whether the receipt is mailed: the address was confirmed, and this is no restored backup.';

COMMENT ON COLUMN "private"."erasures"."next_attempt_at" IS 'Earliest time of the next step.';

COMMENT ON COLUMN "private"."erasures"."phone" IS 'Its phone number, to search for it.';

COMMENT ON COLUMN "private"."erasures"."requested_at" IS 'When it was asked for.';

COMMENT ON COLUMN "private"."erasures"."source" IS 'Why.';

COMMENT ON COLUMN "private"."erasures"."user_id" IS 'The account.';

COMMENT ON COLUMN "private"."export_settings"."daily_requests" IS 'Exports that a person may ask for in 24 hours; those that failed do not count.';

COMMENT ON COLUMN "private"."export_settings"."keep" IS 'How long it is known that there was an export.';

COMMENT ON COLUMN "private"."export_settings"."lease" IS 'How long a worker may keep a volume before another may claim it; shorter than a function may run.';

COMMENT ON COLUMN "private"."export_settings"."link_valid" IS 'How long an export can be downloaded.';

COMMENT ON COLUMN "private"."export_settings"."max_attempts" IS 'Attempts at a volume before the export has failed.';

COMMENT ON COLUMN "private"."export_settings"."max_in_flight" IS 'Volumes that are built at the same time, one of an export.';

COMMENT ON COLUMN "private"."export_settings"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."export_settings"."retry_backoff" IS 'Delay after a failed attempt; doubles with every attempt.';

COMMENT ON COLUMN "private"."export_settings"."rows_per_volume" IS 'Check-ins and sessions whose documents a volume holds; the documents of one volume are built in memory.';

COMMENT ON COLUMN "private"."export_settings"."volume_bytes" IS 'Media that a volume holds at most, bytes; with what the zip adds, less than the bucket takes of an object.';

COMMENT ON COLUMN "private"."export_volumes"."attempts" IS 'Attempts so far. A worker passes the number that it was given, so that a late one changes nothing.';

COMMENT ON COLUMN "private"."export_volumes"."bytes" IS 'Size of the object, once it is built.';

COMMENT ON COLUMN "private"."export_volumes"."content" IS 'What it holds.';

COMMENT ON COLUMN "private"."export_volumes"."due_at" IS 'When it may be claimed: after a failed attempt the end of its backoff, while it is built the end of its worker''s lease.';

COMMENT ON COLUMN "private"."export_volumes"."error_code" IS 'Why the last attempt failed.';

COMMENT ON COLUMN "private"."export_volumes"."export_id" IS 'The export.';

COMMENT ON COLUMN "private"."export_volumes"."left_out" IS 'Objects that were removed between the request and the building.';

COMMENT ON COLUMN "private"."export_volumes"."object_name" IS 'Name of the object in the bucket exports; it begins with the account.';

COMMENT ON COLUMN "private"."export_volumes"."objects" IS 'Of media: array of {bucket, name, bytes, type}.';

COMMENT ON COLUMN "private"."export_volumes"."ordinal" IS 'Number of the volume, from 1.';

COMMENT ON COLUMN "private"."export_volumes"."since" IS 'Of documents: rows after this time; null in the first volume, which also has what has no time.';

COMMENT ON COLUMN "private"."export_volumes"."status" IS 'State of the volume.';

COMMENT ON COLUMN "private"."export_volumes"."until" IS 'Of documents: rows up to this time.';

COMMENT ON COLUMN "private"."exports"."created_at" IS 'When it was asked for; what was stored later is not in it.';

COMMENT ON COLUMN "private"."exports"."ended_at" IS 'When it became ready, failed or was cancelled.';

COMMENT ON COLUMN "private"."exports"."error_code" IS 'Why it failed.';

COMMENT ON COLUMN "private"."exports"."expires_at" IS 'Until when it can be downloaded; null until it is ready.';

COMMENT ON COLUMN "private"."exports"."id" IS 'The export.';

COMMENT ON COLUMN "private"."exports"."include_name" IS 'Whether the FHIR Patient has the name.';

COMMENT ON COLUMN "private"."exports"."status" IS 'State of the export.';

COMMENT ON COLUMN "private"."exports"."token_hash" IS 'private.link_token_hash of the token in the email; null when the link leads nowhere.';

COMMENT ON COLUMN "private"."exports"."user_id" IS 'Whose data it is.';

COMMENT ON COLUMN "private"."legal_holds"."confidential" IS 'Whether the law forbids to tell the person.';

COMMENT ON COLUMN "private"."legal_holds"."reason" IS 'Why, as the person reads it unless it is confidential.';

COMMENT ON COLUMN "private"."legal_holds"."set_at" IS 'Since when.';

COMMENT ON COLUMN "private"."legal_holds"."user_id" IS 'The account.';

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

COMMENT ON COLUMN "public"."audit_logs"."actor_hash" IS 'private.audit_identity_hash of who did it, from where; null for an operator, or a job.';

COMMENT ON COLUMN "public"."audit_logs"."subject_hash" IS 'private.audit_identity_hash of whom it was done to; null when that is no person.';

COMMENT ON COLUMN "public"."audit_logs"."target_id" IS 'Key of the row it was done to; null when that is a person.';

COMMENT ON COLUMN "public"."consents"."deleted" IS 'What the withdrawal deleted: an object of counts; null while nothing was withdrawn.';

COMMENT ON COLUMN "public"."consents"."keep_results" IS 'What the student chose with the withdrawal: to keep past results; media, features and transcripts are deleted all the same.';

COMMENT ON COLUMN "public"."consents"."renewed" IS 'Whether it ended because the student agreed to a later version, so that nothing was withdrawn.';

COMMENT ON COLUMN "public"."consents"."withdrawn_at" IS 'When the student withdrew it, or agreed to a later version; null before that.';

COMMENT ON FUNCTION "private"."accesses_to_own_data"(bigint, integer) IS 'Implementation of public.list_own_accesses, which calls it.';

COMMENT ON FUNCTION "private"."account_of_object"(text, text) IS 'The account in whose folder an object is; null when it is nobody''s. Called by removals and by erasure.';

COMMENT ON FUNCTION "private"."advance_erasure"(private.erasures) IS 'One step of an erasure that is due: deletes the account, waits for its files to be removed, searches for what is left, stores the receipt. Each can be repeated. Called by private.advance_erasures.';

COMMENT ON FUNCTION "private"."advance_erasures"(integer) IS 'Takes the next step of erasures that are due and not held, a few at a time; returns how many. Called by cron.';

COMMENT ON FUNCTION "private"."announce_ready_export"(private.exports, text) IS 'Announces an export by channel and email. Called when its last volume is built.';

COMMENT ON FUNCTION "private"."ask_again"() IS 'Trigger: when another version of counselor_access is required, counselors see the students who agreed to it and no others.';

COMMENT ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text, uuid) IS 'Appends to the audit log, with who did it and to whom beside it; an error for an account that has appended too often. Locks the chain until the transaction ends, so it comes last in it. Called by triggers and by the edge functions.';

COMMENT ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) IS 'Implementation of public.read_audit_log, which calls it.';

COMMENT ON FUNCTION "private"."audit_identity_hash"(bytea, uuid, inet, text) IS 'What an entry holds of a person. Called where entries are written and verified.';

COMMENT ON FUNCTION "private"."belongs_to_a_row"(text, text) IS 'Whether an object of a bucket belongs to a submitted check-in, to a student''s folder or to a university. Called by private.compare_bucket.';

COMMENT ON FUNCTION "private"."broadcast_account"(uuid, text, jsonb) IS 'Broadcasts on a person''s own channel when the transaction commits. Called by exports.';

COMMENT ON FUNCTION "private"."broadcast_export"(private.exports) IS 'Tells the person on their own channel how far their export is. Called by the queue of exports.';

COMMENT ON FUNCTION "private"."cancel_erasure"(uuid) IS 'Cancels an erasure; false when none was asked for, or it is final. Called by the function api.';

COMMENT ON FUNCTION "private"."cancel_export"(uuid, uuid) IS 'Ends an export of an account, also one that is ready, and removes its files; false when there is no such export of theirs, true also when it has ended before. Called by api.';

COMMENT ON FUNCTION "private"."change_retention"(text, interval) IS 'Implementation of public.set_retention, which calls it.';

COMMENT ON FUNCTION "private"."check_in_of_path"(text) IS 'The check-in in whose folder an object lies; null when it lies elsewhere. Called by private.belongs_to_a_row.';

COMMENT ON FUNCTION "private"."claim_export_volume"() IS 'Claims the next volume for one attempt: no row when there is none, or enough are being built. Called by export-data.';

COMMENT ON FUNCTION "private"."compare_bucket"(text, timestamp with time zone, integer) IS 'Compares the next objects of a bucket with the tables, once through a day; those older than unfinished_uploads that belong to no row are queued for removal. Returns how many. Called by private.purge_kind.';

COMMENT ON FUNCTION "private"."complete_erasure"(private.erasures) IS 'Replaces an erasure of which nothing is left by its receipt, which is mailed. Called by private.advance_erasure.';

COMMENT ON FUNCTION "private"."consent_lock"(uuid) IS 'Number of the advisory lock of a student''s consents. Called by what stores analyses and results, and by the withdrawal.';

COMMENT ON FUNCTION "private"."consents_for"(private.job_kind) IS 'Consents that a kind of job needs; a score is made of what is consented to. Called where jobs are queued and ended, and by the withdrawal.';

COMMENT ON FUNCTION "private"."consents_in_force"(uuid) IS 'The student''s consents that are in force. Called where analyses are stored, with the lock of private.consent_lock, so that none is withdrawn meanwhile.';

COMMENT ON FUNCTION "private"."covered_bucket"(public.consent_kind) IS 'Bucket of the media that a consent covers; null when it covers none. Called by the withdrawal.';

COMMENT ON FUNCTION "private"."covered_modality"(public.consent_kind) IS 'Modality whose analysis a consent covers; null when it covers none. Called by the withdrawal.';

COMMENT ON FUNCTION "private"."delete_covered"(uuid, public.consent_kind, boolean) IS 'Deletes what a consent covered that is being withdrawn: queues media for removal, deletes features and transcripts, results too unless they are kept; running work of that kind ends. Returns {files, analyses, transcripts, results}: how many. Called by private.guard_consent.';

COMMENT ON FUNCTION "private"."dispatch_due_exports"(timestamp with time zone) IS 'Dispatches volumes whose webhook or worker was lost, fails exports that are out of attempts, and ends those whose time is over. Called by cron.';

COMMENT ON FUNCTION "private"."dispatch_exports"() IS 'Sends a webhook for each export that has a volume to build. Called by the queue of exports.';

COMMENT ON FUNCTION "private"."end_export"(uuid, private.export_status, text) IS 'Ends an export and queues its objects for removal; false when it has ended already. Called by private.cancel_export, by the queue of exports and by erasure.';

COMMENT ON FUNCTION "private"."end_work_without_consent"(uuid, public.consent_kind) IS 'Ends the jobs of a student''s check-ins that need a consent which is being withdrawn, done ones included, and has scores made anew; returns how many ended. Called by the withdrawal.';

COMMENT ON FUNCTION "private"."erasable_relations"() IS 'The tables of the inventory of which erasing a person deletes rows, or sets columns to null, in their order. Called by erasure.';

COMMENT ON FUNCTION "private"."erase_rows"(uuid) IS 'Deletes what the inventory says of a person, and returns how many rows of each table. Called by erasure.';

COMMENT ON FUNCTION "private"."erase_soon"() IS 'Trigger on auth.users: an account that the admin API deletes softly, which leaves its row, is erased all the same.';

COMMENT ON FUNCTION "private"."erase_with_account"() IS 'Trigger on auth.users: whoever deletes an account deletes with it what no foreign key reaches, and queues its files.';

COMMENT ON FUNCTION "private"."erasure_view"(uuid) IS 'The erasure that a person asked for as the API returns it; null when there is none. A confidential hold does not show. Called by the function api.';

COMMENT ON FUNCTION "private"."export_of_link"(text) IS 'The export that a link in an email leads to; no row when it leads nowhere. Called by api.';

COMMENT ON FUNCTION "private"."exported_columns"() IS 'Every column of which an export has the person''s own values, with what the inventory says of it. Called by export-data and private.exported_rows.';

COMMENT ON FUNCTION "private"."exported_platform_columns"() IS 'Columns of the platform''s own tables that an export has. Called by private.exported_columns.';

COMMENT ON FUNCTION "private"."exported_rows"(uuid, text, text, timestamp with time zone, timestamp with time zone) IS 'A person''s own rows of a table as JSON, those that began after since and up to until; with since null also those without a time. Called by export-data.';

COMMENT ON FUNCTION "private"."fail_export_volume"(uuid, smallint, smallint, text) IS 'Ends an attempt that failed: the volume is queued again with backoff, or the export has failed. Called by export-data.';

COMMENT ON FUNCTION "private"."finish_export_volume"(uuid, smallint, smallint, bigint, integer) IS 'Stores that a volume was built, of this size and without so many objects that are gone; after the last one the export is ready and announced. False when this attempt is no longer the current one. Called by export-data.';

COMMENT ON FUNCTION "private"."finish_job"(uuid, smallint, jsonb) IS 'Stores what a job found and the end of the job in one transaction; false when the attempt is no longer the current one, and when a consent that it needs is not in force any more: then nothing of it is stored. Called by the workers.';

COMMENT ON FUNCTION "private"."guard_consent"() IS 'Trigger: a withdrawal gets the server''s time, cannot be undone, and deletes what the consent covered; what was deleted is stored with it.';

COMMENT ON FUNCTION "private"."guard_exports_bucket"() IS 'Trigger: the bucket exports takes nothing but volumes that are being built.';

COMMENT ON FUNCTION "private"."has_consent"(uuid, public.consent_kind) IS 'Whether the student''s consent of this kind is in force, in a version that still counts. Called by the pipeline, the sessions and the edge functions.';

COMMENT ON FUNCTION "private"."holds_in_force"() IS 'Implementation of public.read_legal_holds, which calls it.';

COMMENT ON FUNCTION "private"."is_current_version"(public.consent_kind, text) IS 'Whether a consent to this version of the text counts. Called by private.has_consent and where consents are shown and renewed.';

COMMENT ON FUNCTION "private"."lift_hold"(uuid) IS 'Implementation of public.lift_legal_hold, which calls it.';

COMMENT ON FUNCTION "private"."lock_own_account"() IS 'Trigger: locks the caller''s account before a consent changes, in the order in which everything else does.';

COMMENT ON FUNCTION "private"."moment_of_row"(regclass) IS 'SQL expression for the time at which a row of the table t began, null when nothing tells. Called by private.exported_rows.';

COMMENT ON FUNCTION "private"."objects_of"(uuid) IS 'The files that belong to a person by the inventory. Called by erasure.';

COMMENT ON FUNCTION "private"."own_consent_status"() IS 'Implementation of public.consent_status, which calls it.';

COMMENT ON FUNCTION "private"."owns_account_channel"(text) IS 'Whether a topic is the caller''s own channel. Called by the policies on realtime.messages.';

COMMENT ON FUNCTION "private"."personal_data_gaps"() IS 'What the inventory of personal data lacks, names twice, or names though it does not exist; no row when it is true. Called by the tests, and by operators on their project.';

COMMENT ON FUNCTION "private"."plan_media_volumes"(uuid, uuid, smallint) IS 'Divides what a person has in Storage into volumes, numbered from first. Called by private.request_export.';

COMMENT ON FUNCTION "private"."prevent_audit_identity_change"() IS 'Trigger: a person of the audit log is never changed, and deleted only when erased or, 90 days after the attempt of an unknown caller and 6 years after anything else, when the term has ended.';

COMMENT ON FUNCTION "private"."purge_expired"(timestamp with time zone, integer) IS 'Deletes what has been kept long enough, a bounded number of each kind; returns what and how many, no row when nothing is due. Called by cron.';

COMMENT ON FUNCTION "private"."purge_kind"(text, timestamp with time zone, integer) IS 'Deletes what has been kept for as long as its rule says, the oldest first and most rows at once; returns how many. Called by private.purge_expired.';

COMMENT ON FUNCTION "private"."purge_receipt_mail"() IS 'Trigger: the mail with a receipt is deleted once it is sent; of one that could not be, the address is.';

COMMENT ON FUNCTION "private"."purge_support_history"(timestamp with time zone, integer) IS 'Deletes alerts, requests, verifications and findings from before the cutoff, at most as many of each; returns how many. Called by private.purge_kind.';

COMMENT ON FUNCTION "private"."queue_export_email"(private.exports, text, text) IS 'Queues an email to the person about their export, without anything personal in it. Called by the queue of exports.';

COMMENT ON FUNCTION "private"."queue_files_of"(uuid) IS 'Queues the files of a person for removal, and returns how many of each bucket. Called by erasure.';

COMMENT ON FUNCTION "private"."read_exports"(uuid, uuid) IS 'The exports of an account, the newest first, or the one that is wanted. Called by api.';

COMMENT ON FUNCTION "private"."receipt_checksum"(private.erasure_receipts) IS 'SHA-256 of what a receipt says. Called by erasure, and by operators to whom somebody shows a receipt.';

COMMENT ON FUNCTION "private"."refresh_last_result"(uuid) IS 'Takes the student''s last result anew from the results that are left. Called where results are deleted.';

COMMENT ON FUNCTION "private"."refuse_object_without_owner"() IS 'Trigger on storage.objects: nothing is stored in the folder of an account that was deleted.';

COMMENT ON FUNCTION "private"."release_export_volume"(uuid, smallint, smallint) IS 'Gives back a volume whose worker is about to be ended. Called by export-data.';

COMMENT ON FUNCTION "private"."removal_is_due"(private.object_removals) IS 'Whether an object may be removed now: no attempt is under way or backing off, and no legal hold keeps its owner''s files. Called by removals.';

COMMENT ON FUNCTION "private"."remove_export_objects"() IS 'Trigger: queues the objects of deleted volumes for removal.';

COMMENT ON FUNCTION "private"."renew_consent"() IS 'Trigger: agreeing to a version that counts ends the consent to one that no longer does, which withdraws nothing.';

COMMENT ON FUNCTION "private"."replay_erasures"(jsonb) IS 'Erases again, in a restored backup, whoever these receipts or its own are about: how many were found, and of how many a legal hold keeps the account. Called by npm run erasures.';

COMMENT ON FUNCTION "private"."request_erasure"(uuid) IS 'Asks for the erasure of an account, and mails when it will be final; nothing when it was asked for already. Called by the function api.';

COMMENT ON FUNCTION "private"."request_export"(uuid, boolean, timestamp with time zone, inet, text, text) IS 'Plans an export of everything that is stored of an account: outcome requested, export_running (id), export_limit (retry_after_s) or account_deleted. Called by api.';

COMMENT ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) IS 'Raises an error unless an account, by default the caller''s, logged this access within the last minute. Called by the functions that counselors call.';

COMMENT ON FUNCTION "private"."retention_terms_of"() IS 'Implementation of public.retention_terms, which calls it.';

COMMENT ON FUNCTION "private"."set_hold"(uuid, text, boolean) IS 'Implementation of public.set_legal_hold, which calls it.';

COMMENT ON FUNCTION "private"."store_session_analysis"(uuid, uuid, jsonb) IS 'Replaces the session''s analysis of a modality, opens a review on high risk and broadcasts it, in one transaction; false when the session is not the student''s, null when the consent that it needs is not in force any more. Called by the analysis functions.';

COMMENT ON FUNCTION "private"."store_session_score"(uuid, uuid, jsonb) IS 'Replaces the session''s score, opens a review on high risk and broadcasts it, in one transaction; false when the session is not the student''s, null when a consent was withdrawn since its input was read. Called by calculate-wellbeing-score.';

COMMENT ON FUNCTION "private"."store_transcript_result"(uuid, jsonb) IS 'Stores the result of a transcript and opens a review on high risk, in one transaction; null when the check-in is not the student''s, the consent is not in force any more, or the account was deleted. Called by the function api.';

COMMENT ON FUNCTION "private"."tombstone_of"(uuid) IS 'A number that finds an account in a restored backup, and tells nobody who it was: it needs the project''s own key. Called by erasure.';

COMMENT ON FUNCTION "private"."traces_of"(uuid, text, text) IS 'Where something of a deleted account is still found, and in how many rows: none when it is erased. Called by erasure, and by operators.';

COMMENT ON FUNCTION "private"."version_numbers"(text) IS 'The numbers of a version, by which versions are ordered. Called by private.is_current_version.';

COMMENT ON FUNCTION "private"."withdraw_own_consent"(public.consent_kind, boolean) IS 'Implementation of public.withdraw_consent, which calls it.';

COMMENT ON FUNCTION "private"."withheld_data"() IS 'Columns of the inventory that an export leaves out although they are about the person. Called by private.exported_columns and the tests.';

COMMENT ON FUNCTION "public"."consent_status"() IS 'Every kind of consent, whether the caller''s is in force, the version agreed to, and the version that is required at least; asks again where version is set and in_force is false. Called by students.';

COMMENT ON FUNCTION "public"."lift_legal_hold"(uuid) IS 'Ends a legal hold: an erasure whose time has come goes on by itself. Called by security administrators; false for others, and when there is no hold.';

COMMENT ON FUNCTION "public"."list_own_accesses"(bigint, integer) IS 'Who of the staff read or handled what is stored of the caller, the newest first, at most 200 a page; the next page is before the last entry. The name is that of somebody who works at the university now. Called by everybody who is signed in and has a role.';

COMMENT ON FUNCTION "public"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) IS 'Logs in the audit log what the caller is about to read, with the same arguments: students_listed of a university, student_read of a student, or reviews_listed. The read is then allowed for a minute. Called by counselors, who list the students of their own universities; false for others.';

COMMENT ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) IS 'Entries of the audit log, the newest first, at most 1000 a page; the next page is before the last id. Called by security administrators; no row for others.';

COMMENT ON FUNCTION "public"."read_legal_holds"() IS 'Legal holds in force, and whether an erasure waits for each. Called by security administrators; no row for others.';

COMMENT ON FUNCTION "public"."retention_terms"() IS 'How long each kind of data is kept, and from when on. Called by everybody who is signed in.';

COMMENT ON FUNCTION "public"."set_legal_hold"(uuid, text, boolean) IS 'Keeps an account from being erased, and its files from being removed, until the hold is lifted; the person reads the reason unless it is confidential. Called by security administrators; false for others, and when there is no such account.';

COMMENT ON FUNCTION "public"."set_retention"(text, interval) IS 'Changes how long a kind of data is kept; the change is in the audit log. False for an unknown kind and for others. Called by security administrators.';

COMMENT ON FUNCTION "public"."withdraw_consent"(public.consent_kind, boolean) IS 'Withdraws the caller''s consent of this kind and deletes what it covered: {kind, withdrawn_at, deleted: {files, analyses, transcripts, results}}; null when there was none. With keep_results past scores stay. Called by students; the same as setting withdrawn_at (and keep_results) of the row.';

COMMENT ON TABLE "private"."audit_identities" IS 'The people of the audit log''s entries. A row is never changed; it is deleted when the person is erased, and when its term ends.';

COMMENT ON TABLE "private"."bucket_comparisons" IS 'The last comparison of each bucket with the tables, and how far it is.';

COMMENT ON TABLE "private"."erasure_receipts" IS 'Proof of each erasure, without who it was. Its tombstone finds the account again in a restored backup; docs/erasure.md.';

COMMENT ON TABLE "private"."erasures" IS 'Who is to be erased, until it is proved that nothing is left; then only a row of private.erasure_receipts remains. Without a foreign key, as it outlives the account.';

COMMENT ON TABLE "private"."export_settings" IS 'Settings of exports that an operator can change without a deployment. Exactly one row.';

COMMENT ON TABLE "private"."export_volumes" IS 'The queue of exports: each volume is one object of the bucket exports, complete of its own, and one unit of work.';

COMMENT ON TABLE "private"."exports" IS 'What people asked to take along: an export of everything that is stored of them.';

COMMENT ON TABLE "private"."legal_holds" IS 'Accounts that the law forbids to erase. Set and lifted by security administrators with functions, which the audit log records.';

COMMENT ON TABLE "private"."personal_data" IS 'Inventory of personal data: every column of every table, every bucket and every queue, those without personal data included. Rows are in sql/91_personal_data.sql; docs/privacy.md is made from it.';

COMMENT ON TABLE "private"."required_consent_versions" IS 'The version of its text that a consent must have at least; of a kind without a row any version counts. An operator raises it when a text changes, and the students are asked again.';

COMMENT ON TABLE "private"."retention_counts" IS 'How much retention deleted on each day.';

COMMENT ON TABLE "private"."retention_rules" IS 'How long each kind of data is kept. Rows are in sql/91_personal_data.sql; terms are changed with public.set_retention, which is audited.';

COMMENT ON TABLE "public"."audit_logs" IS 'What was done, and when. Append-only; every entry holds the hash of the one before it. Who did it, to whom and from where is in private.audit_identities; private.audit_log shows both.';

COMMENT ON TYPE "private"."audit_party" IS 'Who a person is in an entry of the audit log: who did it, or to whom it was done.';

COMMENT ON TYPE "private"."data_content" IS 'What kind of data it is: who somebody is, how to reach them, how they sign in, what they chose, recordings and pictures, what they wrote or said, features and scores and risk, what they did and when.';

COMMENT ON TYPE "private"."data_store" IS 'Where data lies: in a table, in a bucket of Storage, or in a table of work that is to be done.';

COMMENT ON TYPE "private"."data_subject" IS 'Whose data it is: of anybody with an account, a student, staff of a university, a support contact, a caller who is not signed in; nobody: no personal data.';

COMMENT ON TYPE "private"."erasure_rule" IS 'What erasing a person does: delete the rows or objects, set the columns to null, or keep them for a reason that is stated.';

COMMENT ON TYPE "private"."erasure_source" IS 'Why somebody is erased: they asked; the account was deleted in Studio, by the admin API or in SQL; a backup that was restored still had them.';

COMMENT ON TYPE "private"."export_content" IS 'documents: a zip of tables, dictionary, FHIR and the page to read; media: a zip of originals; file: one original that is too large for a zip.';

COMMENT ON TYPE "private"."export_status" IS 'queued → building → ready → expired; queued | building → failed; queued | building | ready → cancelled.';

COMMENT ON TYPE "public"."audit_entry" IS 'An entry of the audit log with the people that it names, as far as they are not erased.';

COMMENT ON TYPE "public"."consent_kind" IS 'What a student agrees to: analysis of audio, of camera images and of the transcript, a support circle, access by counselors, use of their data for research.';

COMMENT ON VIEW "private"."audit_log" IS 'The audit log with the people of its entries, as far as they are not erased.';

COMMENT ON VIEW "private"."late_erasures" IS 'Erasures that an hour was not enough for, with why, for the operator: they have to end within 24 hours.';

REVOKE ALL ON FUNCTION "private"."accesses_to_own_data"(bigint, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."accesses_to_own_data"(bigint, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."accesses_to_own_data"(bigint, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."accesses_to_own_data"(bigint, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."account_of_object"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."account_of_object"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."account_of_object"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."advance_erasure"(private.erasures) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."advance_erasure"(private.erasures) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."advance_erasure"(private.erasures) TO "postgres";

REVOKE ALL ON FUNCTION "private"."advance_erasures"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."advance_erasures"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."advance_erasures"(integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."announce_ready_export"(private.exports, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."announce_ready_export"(private.exports, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."announce_ready_export"(private.exports, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."ask_again"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ask_again"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ask_again"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_identity_hash"(bytea, uuid, inet, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_identity_hash"(bytea, uuid, inet, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_identity_hash"(bytea, uuid, inet, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."belongs_to_a_row"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."belongs_to_a_row"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."belongs_to_a_row"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_account"(uuid, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."broadcast_account"(uuid, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."broadcast_account"(uuid, text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_export"(private.exports) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."broadcast_export"(private.exports) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."broadcast_export"(private.exports) TO "postgres";

REVOKE ALL ON FUNCTION "private"."cancel_erasure"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_erasure"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cancel_erasure"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."cancel_export"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_export"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cancel_export"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."change_retention"(text, interval) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."change_retention"(text, interval) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."change_retention"(text, interval) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."change_retention"(text, interval) TO "postgres";

REVOKE ALL ON FUNCTION "private"."check_in_of_path"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_in_of_path"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."check_in_of_path"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."claim_export_volume"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_export_volume"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_export_volume"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."compare_bucket"(text, timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."compare_bucket"(text, timestamp WITH time zone, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."compare_bucket"(text, timestamp WITH time zone, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."complete_erasure"(private.erasures) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."complete_erasure"(private.erasures) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."complete_erasure"(private.erasures) TO "postgres";

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

REVOKE ALL ON FUNCTION "private"."dispatch_due_exports"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_due_exports"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_due_exports"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_exports"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_exports"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_exports"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_export"(uuid, private.export_status, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_export"(uuid, private.export_status, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_export"(uuid, private.export_status, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_work_without_consent"(uuid, public.consent_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_work_without_consent"(uuid, public.consent_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_work_without_consent"(uuid, public.consent_kind) TO "postgres";

REVOKE ALL ON FUNCTION "private"."erasable_relations"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."erasable_relations"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."erasable_relations"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."erase_rows"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."erase_rows"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."erase_rows"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."erase_soon"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."erase_soon"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."erase_soon"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."erase_with_account"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."erase_with_account"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."erase_with_account"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."erasure_view"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."erasure_view"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."erasure_view"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."export_of_link"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."export_of_link"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."export_of_link"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."exported_columns"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."exported_columns"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."exported_columns"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."exported_platform_columns"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."exported_platform_columns"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."exported_platform_columns"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."exported_rows"(uuid, text, text, timestamp WITH time zone, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."exported_rows"(uuid, text, text, timestamp WITH time zone, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."exported_rows"(uuid, text, text, timestamp WITH time zone, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."fail_export_volume"(uuid, smallint, smallint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fail_export_volume"(uuid, smallint, smallint, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."fail_export_volume"(uuid, smallint, smallint, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."finish_export_volume"(uuid, smallint, smallint, bigint, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."finish_export_volume"(uuid, smallint, smallint, bigint, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."finish_export_volume"(uuid, smallint, smallint, bigint, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."guard_exports_bucket"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_exports_bucket"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."guard_exports_bucket"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."holds_in_force"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."holds_in_force"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."holds_in_force"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."holds_in_force"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_current_version"(public.consent_kind, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_current_version"(public.consent_kind, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_current_version"(public.consent_kind, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lift_hold"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lift_hold"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."lift_hold"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lift_hold"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_own_account"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_own_account"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_own_account"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."moment_of_row"(regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."moment_of_row"(regclass) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."moment_of_row"(regclass) TO "postgres";

REVOKE ALL ON FUNCTION "private"."objects_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."objects_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."objects_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."own_consent_status"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."own_consent_status"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."own_consent_status"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."own_consent_status"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."owns_account_channel"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."owns_account_channel"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."owns_account_channel"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."owns_account_channel"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."personal_data_gaps"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."personal_data_gaps"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."personal_data_gaps"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."plan_media_volumes"(uuid, uuid, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plan_media_volumes"(uuid, uuid, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."plan_media_volumes"(uuid, uuid, smallint) TO "postgres";

REVOKE ALL ON FUNCTION "private"."prevent_audit_identity_change"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."prevent_audit_identity_change"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."prevent_audit_identity_change"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_expired"(timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_expired"(timestamp WITH time zone, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_expired"(timestamp WITH time zone, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_kind"(text, timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_kind"(text, timestamp WITH time zone, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_kind"(text, timestamp WITH time zone, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_receipt_mail"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_receipt_mail"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_receipt_mail"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_support_history"(timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_support_history"(timestamp WITH time zone, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_support_history"(timestamp WITH time zone, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_export_email"(private.exports, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_export_email"(private.exports, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."queue_export_email"(private.exports, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_files_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_files_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."queue_files_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."read_exports"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_exports"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."read_exports"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."receipt_checksum"(private.erasure_receipts) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receipt_checksum"(private.erasure_receipts) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."receipt_checksum"(private.erasure_receipts) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refresh_last_result"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refresh_last_result"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refresh_last_result"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refuse_object_without_owner"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_object_without_owner"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_object_without_owner"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."release_export_volume"(uuid, smallint, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."release_export_volume"(uuid, smallint, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."release_export_volume"(uuid, smallint, smallint) TO "postgres";

REVOKE ALL ON FUNCTION "private"."removal_is_due"(private.object_removals) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."removal_is_due"(private.object_removals) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."removal_is_due"(private.object_removals) TO "postgres";

REVOKE ALL ON FUNCTION "private"."remove_export_objects"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remove_export_objects"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."remove_export_objects"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."renew_consent"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."renew_consent"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."renew_consent"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."replay_erasures"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."replay_erasures"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."replay_erasures"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."request_erasure"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_erasure"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."request_erasure"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."request_export"(uuid, boolean, timestamp WITH time zone, inet, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_export"(uuid, boolean, timestamp WITH time zone, inet, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."request_export"(uuid, boolean, timestamp WITH time zone, inet, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."retention_terms_of"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."retention_terms_of"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."retention_terms_of"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."retention_terms_of"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."set_hold"(uuid, text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."set_hold"(uuid, text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."set_hold"(uuid, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."set_hold"(uuid, text, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."tombstone_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tombstone_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."tombstone_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."traces_of"(uuid, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."traces_of"(uuid, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."traces_of"(uuid, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."version_numbers"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."version_numbers"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."version_numbers"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."withdraw_own_consent"(public.consent_kind, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."withdraw_own_consent"(public.consent_kind, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."withdraw_own_consent"(public.consent_kind, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."withdraw_own_consent"(public.consent_kind, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."withheld_data"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withheld_data"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."withheld_data"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."consent_status"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."consent_status"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."consent_status"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."lift_legal_hold"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."lift_legal_hold"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."lift_legal_hold"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_own_accesses"(bigint, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_own_accesses"(bigint, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_own_accesses"(bigint, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_legal_holds"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_legal_holds"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_legal_holds"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."retention_terms"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."retention_terms"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."retention_terms"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."set_legal_hold"(uuid, text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."set_legal_hold"(uuid, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."set_legal_hold"(uuid, text, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."set_retention"(text, interval) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."set_retention"(text, interval) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."set_retention"(text, interval) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."withdraw_consent"(public.consent_kind, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."withdraw_consent"(public.consent_kind, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."withdraw_consent"(public.consent_kind, boolean) TO "postgres";

REVOKE ALL ("keep_results") ON TABLE "public"."consents" FROM "authenticated";

GRANT UPDATE ("keep_results") ON TABLE "public"."consents" TO "authenticated";

SELECT cron.schedule_in_database('advance-erasures', '10 seconds', 'select private.advance_erasures()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('dispatch-due-exports', '10 seconds', 'select private.dispatch_due_exports()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('purge-expired', '*/5 * * * *', 'select private.purge_expired()', 'postgres', NULL, true);

-- No policies: this file holds rows, not tables.

-- Rows that the schema needs. Each statement can be run again; every migration ends with them, because a diff contains no rows.
insert into private.audit_head default values on conflict do nothing;
insert into private.audit_proof default values on conflict do nothing;
insert into private.cohort_settings default values on conflict do nothing;
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.student_limits default values on conflict do nothing;
insert into private.export_settings default values on conflict do nothing;
insert into private.support_settings default values on conflict do nothing;
select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'number_hash_key')
where not exists (select from vault.secrets where name = 'number_hash_key');
select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'tombstone_key')
where not exists (select from vault.secrets where name = 'tombstone_key');
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
  ('privacy', 60, '1 minute'),
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
select cron.schedule('dispatch-due-exports', '10 seconds', 'select private.dispatch_due_exports()');
select cron.schedule('dispatch-due-object-removals', '10 seconds', 'select private.dispatch_due_object_removals()');
select cron.schedule('advance-erasures', '10 seconds', 'select private.advance_erasures()');
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
  ('exports', '7 days', 'Files of an export: from when it is ready. That there was one: 90 days.'),
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
  ('queue', 'private', 'object_removals', '{bucket, name, reason, attempts, next_attempt_at, claim, error_code, created_at,
    reported_at}', 'account', 'activity', 'Names of files that are to be removed, until they are.',
    'private.account_of_object(t.bucket, t.name) = $1', 'keep',
    'Deleted with the file; an erasure ends only when none of the person''s is left.', null),
  ('queue', 'net', 'http_request_queue', '{*}', 'nobody', null, 'Webhooks that announce work by its id, until they are sent.', null,
    null, null, null),
  ('relation', 'net', '_http_response', '{*}', 'nobody', null,
    'How functions answered webhooks: numbers and codes. pg_net deletes them after 6 hours.', null, null, null, null),
  ('relation', 'cron', 'job', '{*}', 'nobody', null, 'Which jobs run when.', null, null, null, null),
  ('relation', 'cron', 'job_run_details', '{*}', 'nobody', null, 'When jobs ran, and how they ended.', null, null, null,
    'cron_runs'),
  ('relation', 'realtime', 'messages', '{*}', 'student', 'health', 'Progress and results, for the app that listens.',
    't.topic in (''support:'' || $1::text, ''account:'' || $1::text) or t.topic in (select ''check-in:'' || c.id from checkin.check_ins c where c.user_id = $1) or t.topic in (select ''assessment:'' || s.id from public.assessment_sessions s where s.user_id = $1)',
    'delete', null, 'channel_messages'),
  ('relation', 'realtime', 'subscription', '{*}', 'nobody', null,
    'Which changes connected clients listen to, while they are connected.', null, null, null, null),
  ('relation', 'realtime', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own migrations.', null, null, null, null),
  -- Exports
  ('relation', 'private', 'exports', '{id, user_id, include_name, status, error_code, token_hash, created_at, ended_at, expires_at}',
    'account', 'activity', 'What the person asked to take along, and until when it can be downloaded.', 't.user_id = $1', 'delete',
    null, 'exports'),
  ('queue', 'private', 'export_volumes', '{export_id, ordinal, content, object_name, since, until, objects, status, attempts, due_at,
    bytes, left_out, error_code}', 'account', 'activity', 'The files of an export, and the work that is left.',
    't.export_id in (select e.id from private.exports e where e.user_id = $1)', 'delete', null, 'exports'),
  ('relation', 'private', 'export_settings', '{only_row, lease, retry_backoff, max_attempts, max_in_flight, daily_requests,
    link_valid, keep, volume_bytes, rows_per_volume}', 'nobody', null, 'Settings of exports.', null, null, null, null),
  ('bucket', 'storage', 'exports', '{*}', 'account', 'health', 'Everything that is stored of a person, for them to download.',
    't.bucket_id = ''exports'' and starts_with(t.name, $1::text || ''/'')', 'delete', null, 'exports'),
  -- Erasure
  ('queue', 'private', 'erasures', '{id, user_id, source, requested_at, final_at, erased_at, email, phone, mail_receipt, counts,
    attempts, next_attempt_at, error_code}', 'account', 'contact_details',
    'To erase a person, to search for what is left, and to send the receipt.', 't.user_id = $1', 'keep',
    'Deleted by the erasure itself when nothing is found any more, a day after it is final at the latest.', null),
  ('relation', 'private', 'erasure_receipts', '{id, source, requested_at, completed_at, counts, tombstone, checksum}', 'nobody', null,
    'Proof of erasures, and numbers under the project''s own key that find somebody again in a restored backup.', null, null, null,
    null),
  ('relation', 'private', 'legal_holds', '{user_id, reason, confidential, set_at}', 'account', 'activity',
    'To keep what the law forbids to erase.', 't.user_id = $1', 'keep',
    'Only while a security administrator upholds it; until then nothing of the person is erased.', null),
  -- Audit log
  ('relation', 'public', 'audit_logs', '{id, occurred_at, action, actor_hash, subject_hash, actor_role, university_id, target_type,
    target_id, before, after, details, request_id, previous_hash, hash}', 'nobody', null,
    'Proof of what was done and when; of people it has only hashes, under salts that are deleted with them.', null, null, null,
    'audit_log'),
  ('relation', 'private', 'audit_identities', '{entry, party, account_id, ip, user_agent, salt}', 'account', 'activity',
    'Proof of who did what, and of who read whose data.', 't.account_id = $1', 'delete', null, 'audit_log'),
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
    'strpos(t.payload::text, $1::text) > 0', 'delete', null, 'sign_in_log'),
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
