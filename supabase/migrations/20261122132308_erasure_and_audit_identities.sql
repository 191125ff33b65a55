SET local check_function_bodies = off;

-- The log as it was: who did what moves beside the chain, which is hashed anew below.
create temporary table former_audit_logs as select * from public.audit_logs;

DROP INDEX "public"."audit_logs_actor_id_idx";

DROP FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text);

DROP FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer);

DROP FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer);

ALTER TABLE "public"."audit_logs"
  DROP COLUMN "actor_id";

ALTER TABLE "public"."audit_logs"
  DROP COLUMN "ip";

ALTER TABLE "public"."audit_logs"
  DROP COLUMN "user_agent";

CREATE TABLE "private"."audit_identities" (
  "entry" bigint NOT NULL
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

CREATE TABLE "private"."legal_holds" (
  "user_id"      uuid                     NOT NULL,
  "reason"       text                     NOT NULL,
  "confidential" boolean                  NOT NULL,
  "set_at"       timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "legal_holds_pkey" PRIMARY KEY (user_id),
  CONSTRAINT "legal_holds_reason_length" CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500)))
);

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "actor_hash" bytea;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "subject_hash" bytea;

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
      select e.id, e.occurred_at, e.action, e.university_id
      from person p
      join private.audit_identities i on i.account_id = p.user_id and i.party = 'subject'
      join public.audit_logs e on e.id = i.entry
      where e.action in ('student_read', 'review_changed') and (before_entry is null or e.id < before_entry)
      order by e.id desc
      limit (select size from page)
    )
    union all
    -- Lists in which the person may have been: while counselors of the university could see them.
    (
      select e.id, e.occurred_at, e.action, e.university_id
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
      select e.id, e.occurred_at, e.action, r.university_id
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
  left join private.audit_identities actor on actor.entry = e.id and actor.party = 'actor'
  left join lateral (
    select s.role, nullif(btrim(f.first_name || ' ' || f.last_name), '') as name
    from public.user_roles s
    join public.profiles f on f.user_id = s.user_id
    where s.user_id = actor.account_id and s.role <> 'student' and s.university_id = e.university_id
    order by s.role
    limit 1
  ) staff on true
  where actor.account_id is distinct from (select user_id from person)
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

CREATE OR REPLACE FUNCTION private.dispatch_due_object_removals()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.call_function('remove-objects', '{"type": "UPDATE", "schema": "private", "table": "object_removals"}')
  where exists (select from private.object_removals r where r.next_attempt_at <= now() and private.removal_is_due(r))
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
    subject => case action when 'student_read' then student when 'data_exported' then person end,
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
      select e.occurred_at < now() - r.keep
      from public.audit_logs e
      join private.retention_rules r on r.kind = case when old.account_id is null then 'sign_in_log' else 'audit_log' end
      where e.id = old.entry
    )
  ) then
    return old;
  end if;
  raise exception 'The people of the audit log are deleted when they are erased, or when their term has ended.'
    using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION private.purge_audit_identities (
  cutoff          timestamp with time zone,
  unknown_callers boolean,
  most            integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  deleted integer;
begin
  with oldest as materialized (
    select i.entry
    from private.audit_identities i
    where not unknown_callers or i.account_id is null
    order by i.entry
    limit most
  )
  delete from private.audit_identities i
  using oldest o, public.audit_logs e
  where i.entry = o.entry and e.id = o.entry and e.occurred_at < cutoff and (not unknown_callers or i.account_id is null);
  get diagnostics deleted = row_count;
  return deleted;
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
      return private.purge_audit_identities(cutoff, true, most) + private.purge_sign_in_log(cutoff, most);
    when 'audit_log' then
      return private.purge_audit_identities(cutoff, false, most);
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

CREATE OR REPLACE FUNCTION private.purge_sign_in_log (
  cutoff timestamp with time zone,
  most   integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  deleted integer;
begin
  delete from auth.audit_log_entries e
  where e.id = any (array(select d.id from auth.audit_log_entries d where d.created_at < cutoff limit most));
  get diagnostics deleted = row_count;
  return deleted;
end
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

ALTER TABLE "private"."legal_holds"
  ADD CONSTRAINT "legal_holds_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id);

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

CREATE INDEX audit_identities_account_id_idx ON private.audit_identities USING btree (account_id, entry);

CREATE INDEX audit_identities_unknown_caller_idx ON private.audit_identities USING btree (entry)
  WHERE (account_id IS NULL);

CREATE INDEX erasures_next_attempt_at_idx ON private.erasures USING btree (next_attempt_at);

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

CREATE TRIGGER purge_receipt_mail
  AFTER UPDATE ON private.outbox
  FOR EACH ROW
  WHEN (((new.purpose = 'erasure_receipt'::text) AND (new.ended_at IS NOT NULL) AND (new.recipient IS NOT NULL)))
  EXECUTE FUNCTION private.purge_receipt_mail();

CREATE TRIGGER refuse_object_without_owner
  BEFORE INSERT OR UPDATE OF bucket_id, name ON storage.objects
  FOR EACH ROW
  EXECUTE FUNCTION private.refuse_object_without_owner();

COMMENT ON COLUMN "private"."audit_identities"."account_id" IS 'The account; null for an unknown caller.';

COMMENT ON COLUMN "private"."audit_identities"."entry" IS 'The entry, public.audit_logs.id.';

COMMENT ON COLUMN "private"."audit_identities"."ip" IS 'IP address that the request claims to come from.';

COMMENT ON COLUMN "private"."audit_identities"."party" IS 'Who the person is in it.';

COMMENT ON COLUMN "private"."audit_identities"."salt" IS 'Random bytes, so that the hash in the entry says nothing once the row is deleted.';

COMMENT ON COLUMN "private"."audit_identities"."user_agent" IS 'User agent that the request claims.';

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

COMMENT ON COLUMN "private"."legal_holds"."confidential" IS 'Whether the law forbids to tell the person.';

COMMENT ON COLUMN "private"."legal_holds"."reason" IS 'Why, as the person reads it unless it is confidential.';

COMMENT ON COLUMN "private"."legal_holds"."set_at" IS 'Since when.';

COMMENT ON COLUMN "private"."legal_holds"."user_id" IS 'The account.';

COMMENT ON COLUMN "public"."audit_logs"."actor_hash" IS 'private.audit_identity_hash of who did it, from where; null for an operator, or a job.';

COMMENT ON COLUMN "public"."audit_logs"."subject_hash" IS 'private.audit_identity_hash of whom it was done to; null when that is no person.';

COMMENT ON COLUMN "public"."audit_logs"."target_id" IS 'Key of the row it was done to; null when that is a person.';

COMMENT ON FUNCTION "private"."account_of_object"(text, text) IS 'The account in whose folder an object is; null when it is nobody''s. Called by removals and by erasure.';

COMMENT ON FUNCTION "private"."advance_erasure"(private.erasures) IS 'One step of an erasure that is due: deletes the account, waits for its files to be removed, searches for what is left, stores the receipt. Each can be repeated. Called by private.advance_erasures.';

COMMENT ON FUNCTION "private"."advance_erasures"(integer) IS 'Takes the next step of erasures that are due and not held, a few at a time; returns how many. Called by cron.';

COMMENT ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text, uuid) IS 'Appends to the audit log, with who did it and to whom beside it; an error for an account that has appended too often. Locks the chain until the transaction ends, so it comes last in it. Called by triggers and by the edge functions.';

COMMENT ON FUNCTION "private"."audit_entries"(bigint, public.audit_action, uuid, text, integer) IS 'Implementation of public.read_audit_log, which calls it.';

COMMENT ON FUNCTION "private"."audit_identity_hash"(bytea, uuid, inet, text) IS 'What an entry holds of a person. Called where entries are written and verified.';

COMMENT ON FUNCTION "private"."cancel_erasure"(uuid) IS 'Cancels an erasure; false when none was asked for, or it is final. Called by the function api.';

COMMENT ON FUNCTION "private"."complete_erasure"(private.erasures) IS 'Replaces an erasure of which nothing is left by its receipt, which is mailed. Called by private.advance_erasure.';

COMMENT ON FUNCTION "private"."erasable_relations"() IS 'The tables of the inventory of which erasing a person deletes rows, or sets columns to null, in their order. Called by erasure.';

COMMENT ON FUNCTION "private"."erase_rows"(uuid) IS 'Deletes what the inventory says of a person, and returns how many rows of each table. Called by erasure.';

COMMENT ON FUNCTION "private"."erase_soon"() IS 'Trigger on auth.users: an account that the admin API deletes softly, which leaves its row, is erased all the same.';

COMMENT ON FUNCTION "private"."erase_with_account"() IS 'Trigger on auth.users: whoever deletes an account deletes with it what no foreign key reaches, and queues its files.';

COMMENT ON FUNCTION "private"."erasure_view"(uuid) IS 'The erasure that a person asked for as the API returns it; null when there is none. A confidential hold does not show. Called by the function api.';

COMMENT ON FUNCTION "private"."holds_in_force"() IS 'Implementation of public.read_legal_holds, which calls it.';

COMMENT ON FUNCTION "private"."lift_hold"(uuid) IS 'Implementation of public.lift_legal_hold, which calls it.';

COMMENT ON FUNCTION "private"."objects_of"(uuid) IS 'The files that belong to a person by the inventory. Called by erasure.';

COMMENT ON FUNCTION "private"."prevent_audit_identity_change"() IS 'Trigger: a person of the audit log is never changed, and deleted only when erased, or when the term has ended: that of sign_in_log for an unknown caller, else that of audit_log.';

COMMENT ON FUNCTION "private"."purge_audit_identities"(timestamp with time zone, boolean, integer) IS 'Deletes the people of the audit log''s entries from before the cutoff, or only unknown callers; the entries stay. Returns how many. Called by private.purge_kind.';

COMMENT ON FUNCTION "private"."purge_receipt_mail"() IS 'Trigger: the mail with a receipt is deleted once it is sent; of one that could not be, the address is.';

COMMENT ON FUNCTION "private"."purge_sign_in_log"(timestamp with time zone, integer) IS 'Deletes what Auth logged before the cutoff; returns how many. Called by private.purge_kind.';

COMMENT ON FUNCTION "private"."queue_files_of"(uuid) IS 'Queues the files of a person for removal, and returns how many of each bucket. Called by erasure.';

COMMENT ON FUNCTION "private"."receipt_checksum"(private.erasure_receipts) IS 'SHA-256 of what a receipt says. Called by erasure, and by operators to whom somebody shows a receipt.';

COMMENT ON FUNCTION "private"."refuse_object_without_owner"() IS 'Trigger on storage.objects: nothing is stored in the folder of an account that was deleted.';

COMMENT ON FUNCTION "private"."removal_is_due"(private.object_removals) IS 'Whether an object may be removed now: no attempt is under way or backing off, and no legal hold keeps its owner''s files. Called by removals.';

COMMENT ON FUNCTION "private"."replay_erasures"(jsonb) IS 'Erases again, in a restored backup, whoever these receipts or its own are about: how many were found, and of how many a legal hold keeps the account. Called by npm run erasures.';

COMMENT ON FUNCTION "private"."request_erasure"(uuid) IS 'Asks for the erasure of an account, and mails when it will be final; nothing when it was asked for already. Called by the function api.';

COMMENT ON FUNCTION "private"."set_hold"(uuid, text, boolean) IS 'Implementation of public.set_legal_hold, which calls it.';

COMMENT ON FUNCTION "private"."tombstone_of"(uuid) IS 'A number that finds an account in a restored backup, and tells nobody who it was: it needs the project''s own key. Called by erasure.';

COMMENT ON FUNCTION "private"."traces_of"(uuid, text, text) IS 'Where something of a deleted account is still found, and in how many rows: none when it is erased. Called by erasure, and by operators.';

COMMENT ON FUNCTION "public"."lift_legal_hold"(uuid) IS 'Ends a legal hold: an erasure whose time has come goes on by itself. Called by security administrators; false for others, and when there is no hold.';

COMMENT ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) IS 'Entries of the audit log, the newest first, at most 1000 a page; the next page is before the last id. Called by security administrators; no row for others.';

COMMENT ON FUNCTION "public"."read_legal_holds"() IS 'Legal holds in force, and whether an erasure waits for each. Called by security administrators; no row for others.';

COMMENT ON FUNCTION "public"."set_legal_hold"(uuid, text, boolean) IS 'Keeps an account from being erased, and its files from being removed, until the hold is lifted; the person reads the reason unless it is confidential. Called by security administrators; false for others, and when there is no such account.';

COMMENT ON TABLE "private"."audit_identities" IS 'The people of the audit log''s entries. A row is never changed; it is deleted when the person is erased, and when its term ends.';

COMMENT ON TABLE "private"."erasure_receipts" IS 'Proof of each erasure, without who it was. Its tombstone finds the account again in a restored backup; docs/erasure.md.';

COMMENT ON TABLE "private"."erasures" IS 'Who is to be erased, until it is proved that nothing is left; then only a row of private.erasure_receipts remains. Without a foreign key, as it outlives the account.';

COMMENT ON TABLE "private"."legal_holds" IS 'Accounts that the law forbids to erase. Set and lifted by security administrators with functions, which the audit log records.';

COMMENT ON TABLE "public"."audit_logs" IS 'What was done, and when. Append-only; every entry holds the hash of the one before it. Who did it, to whom and from where is in private.audit_identities; private.audit_log shows both.';

COMMENT ON TYPE "private"."audit_party" IS 'Who a person is in an entry of the audit log: who did it, or to whom it was done.';

COMMENT ON TYPE "private"."erasure_source" IS 'Why somebody is erased: they asked; the account was deleted in Studio, by the admin API or in SQL; a backup that was restored still had them.';

COMMENT ON TYPE "public"."audit_entry" IS 'An entry of the audit log with the people that it names, as far as they are not erased.';

COMMENT ON VIEW "private"."audit_log" IS 'The audit log with the people of its entries, as far as they are not erased.';

COMMENT ON VIEW "private"."late_erasures" IS 'Erasures that an hour was not enough for, with why, for the operator: they have to end within 24 hours.';

REVOKE ALL ON FUNCTION "private"."account_of_object"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."account_of_object"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."account_of_object"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."advance_erasure"(private.erasures) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."advance_erasure"(private.erasures) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."advance_erasure"(private.erasures) TO "postgres";

REVOKE ALL ON FUNCTION "private"."advance_erasures"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."advance_erasures"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."advance_erasures"(integer) TO "postgres";

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

REVOKE ALL ON FUNCTION "private"."cancel_erasure"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_erasure"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cancel_erasure"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."complete_erasure"(private.erasures) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."complete_erasure"(private.erasures) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."complete_erasure"(private.erasures) TO "postgres";

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

REVOKE ALL ON FUNCTION "private"."holds_in_force"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."holds_in_force"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."holds_in_force"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."holds_in_force"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."lift_hold"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."lift_hold"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."lift_hold"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lift_hold"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."objects_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."objects_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."objects_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."prevent_audit_identity_change"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."prevent_audit_identity_change"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."prevent_audit_identity_change"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_audit_identities"(timestamp WITH time zone, boolean, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_audit_identities"(timestamp WITH time zone, boolean, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_audit_identities"(timestamp WITH time zone, boolean, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_receipt_mail"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_receipt_mail"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_receipt_mail"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_sign_in_log"(timestamp WITH time zone, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_sign_in_log"(timestamp WITH time zone, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_sign_in_log"(timestamp WITH time zone, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_files_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_files_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."queue_files_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."receipt_checksum"(private.erasure_receipts) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."receipt_checksum"(private.erasure_receipts) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."receipt_checksum"(private.erasure_receipts) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refuse_object_without_owner"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_object_without_owner"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_object_without_owner"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."removal_is_due"(private.object_removals) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."removal_is_due"(private.object_removals) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."removal_is_due"(private.object_removals) TO "postgres";

REVOKE ALL ON FUNCTION "private"."replay_erasures"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."replay_erasures"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."replay_erasures"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."request_erasure"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_erasure"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."request_erasure"(uuid) TO "postgres";

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

GRANT EXECUTE ON FUNCTION "public"."lift_legal_hold"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."lift_legal_hold"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."lift_legal_hold"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_audit_log"(bigint, public.audit_action, uuid, text, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_legal_holds"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_legal_holds"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_legal_holds"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."set_legal_hold"(uuid, text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."set_legal_hold"(uuid, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."set_legal_hold"(uuid, text, boolean) TO "postgres";

SELECT cron.schedule_in_database('advance-erasures', '10 seconds', 'select private.advance_erasures()', 'postgres', NULL, true);

alter table public.audit_logs disable trigger prevent_audit_change;
do $$
declare
  former record;
  entry public.audit_logs;
  subject uuid;
  salts bytea[];
  previous bytea := decode(repeat('00', 32), 'hex');
begin
  for former in select * from former_audit_logs order by id loop
    select * into strict entry from public.audit_logs where id = former.id;
    subject := case
      when former.action = 'review_changed' then (former.details ->> 'student')::uuid
      when former.target_type in ('user_roles', 'students', 'profiles') and pg_input_is_valid(former.target_id, 'uuid')
        then former.target_id::uuid
    end;
    salts := array[extensions.gen_random_bytes(16), extensions.gen_random_bytes(16)];
    if num_nonnulls(former.actor_id, former.ip, former.user_agent) > 0 then
      insert into private.audit_identities values
        (former.id, 'actor', former.actor_id, former.ip, former.user_agent, salts[1]);
      entry.actor_hash := private.audit_identity_hash(salts[1], former.actor_id, former.ip, former.user_agent);
    end if;
    if subject is not null then
      insert into private.audit_identities values (former.id, 'subject', subject, null, null, salts[2]);
      entry.subject_hash := private.audit_identity_hash(salts[2], subject, null, null);
    end if;
    entry.target_id := case when subject is null or former.action = 'review_changed' then former.target_id end;
    entry.details := former.details - 'student';
    entry.before := case when former.action = 'review_changed' then former.before - array['claimed_by', 'closed_by'] else former.before end;
    entry.after := case when former.action = 'review_changed' then former.after - array['claimed_by', 'closed_by'] else former.after end;
    entry.previous_hash := previous;
    entry.hash := private.audit_hash(entry);
    previous := entry.hash;
    update public.audit_logs
    set actor_hash = entry.actor_hash, subject_hash = entry.subject_hash, target_id = entry.target_id, details = entry.details,
      before = entry.before, after = entry.after, previous_hash = entry.previous_hash, hash = entry.hash
    where id = entry.id;
  end loop;
  update private.audit_head set hash = previous where entries > 0;
  update private.audit_proof set entries = 0, hash = decode(repeat('00', 32), 'hex'), proved_at = null;
end
$$;
alter table public.audit_logs enable trigger prevent_audit_change;
drop table former_audit_logs;

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
  ('sign_in_log', '90 days', 'What Auth logs of sign-ins, and from where unknown callers tried in the audit log: from the sign-in.'),
  ('cron_runs', '7 days', 'Runs of scheduled jobs: from their end.'),
  ('audit_log', '6 years', 'Whom entries of the audit log name; the entries stay, with a hash of nobody: from their writing.')
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
    't.topic = ''support:'' || $1::text or t.topic in (select ''check-in:'' || c.id from checkin.check_ins c where c.user_id = $1) or t.topic in (select ''assessment:'' || s.id from public.assessment_sessions s where s.user_id = $1)',
    'delete', null, 'channel_messages'),
  ('relation', 'realtime', 'subscription', '{*}', 'nobody', null,
    'Which changes connected clients listen to, while they are connected.', null, null, null, null),
  ('relation', 'realtime', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own migrations.', null, null, null, null),
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
