SET local check_function_bodies = off;

DROP POLICY "students receive broadcasts of their own channels" ON "realtime"."messages";

DROP FUNCTION "private"."collect_worrying_days"();

DROP FUNCTION "private"."personal_data_of"(uuid, integer);

DROP FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid);

DROP FUNCTION "public"."export_my_data"(integer);

DROP FUNCTION "private"."export_data"(integer);

CREATE TABLE "private"."export_settings" (
  "only_row"        boolean  NOT NULL DEFAULT true,
  "lease"           interval NOT NULL DEFAULT '00:02:20'::interval,
  "retry_backoff"   interval NOT NULL DEFAULT '00:00:15'::interval,
  "max_attempts"    smallint NOT NULL DEFAULT 5,
  "max_in_flight"   smallint NOT NULL DEFAULT 4,
  "daily_requests"  smallint NOT NULL DEFAULT 3,
  "volume_bytes"    bigint   NOT NULL DEFAULT 41943040,
  "rows_per_volume" integer  NOT NULL DEFAULT 250,
  CONSTRAINT "export_settings_only_row" CHECK (only_row),
  CONSTRAINT "export_settings_pkey" PRIMARY KEY (only_row),
  CONSTRAINT "export_settings_positive"
    CHECK
    (((lease > '00:00:00'::interval) AND (retry_backoff > '00:00:00'::interval) AND (max_attempts > 0) AND (max_in_flight > 0) AND (daily_requests > 0) AND (volume_bytes > 0) AND
    (rows_per_volume > 0)))
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
      where e.action in ('student_read', 'review_changed') and (before_entry is null or i.entry < before_entry)
      order by i.entry desc
      limit (select size from page)
    )
    union all
    -- Lists in which the person may have been: while counselors of the university could see them.
    (
      select e.id, e.occurred_at, e.action, e.university_id
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
      select e.id, e.occurred_at, e.action, r.university_id
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

CREATE OR REPLACE FUNCTION private.collect_worrying_days (
  student uuid DEFAULT NULL::uuid
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  insert into private.worrying_days (user_id, day)
  select c.user_id, (coalesce(c.submitted_at, c.completed_at) at time zone 'UTC')::date
  from private.support_settings s
  join checkin.check_ins c on coalesce(c.submitted_at, c.completed_at) > now() - make_interval(days => s.pattern_window_days)
  left join checkin.fusion_results f on f.check_in_id = c.id
  where c.status in ('complete', 'failed')
    and (student is null or c.user_id = student)
    and (c.risk_level >= 'moderate' or (f.direction_of_change = 'worse' and f.significance = 'high'))
  on conflict do nothing
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
    -- Risk stays where somebody is to act on it: in the review that it opened, and where it was found in words that are still covered.
    with deleted as (
      delete from checkin.fusion_results f
      where f.user_id = student and jsonb_path_exists(f.components, scored)
      returning f.check_in_id
    ),
    cleared as (
      update checkin.check_ins c
      set risk_level = (
        select nullif(i.crisis_level, 'none') from private.check_in_inputs i where i.check_in_id = c.id and withdrawn <> 'text'
      )
      from deleted d
      where c.id = d.check_in_id
      returning c.id
    )
    select count(*) into affected from cleared;
    results := results + affected;
    delete from checkin.user_baselines where user_id = student and affected > 0;
    delete from private.worrying_days where user_id = student and affected > 0;
    perform private.collect_worrying_days(student) where affected > 0;
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
  -- Their workers were lost with the last attempt, or gave it back.
  perform private.end_export(e.id, 'failed', 'worker_lost')
  from private.exports e
  where e.status = 'building' and exists (
    select
    from private.export_volumes v, private.export_settings s
    where v.export_id = e.id and v.status in ('queued', 'running') and v.due_at <= at and v.attempts >= s.max_attempts
  );
  perform private.end_export(e.id, 'expired') from private.exports e where e.status = 'ready' and e.expires_at <= at;
  delete from private.exports e using private.retention_rules r
  where r.kind = 'export_records' and e.ended_at < at - r.keep and e.status <> 'ready';
  perform private.dispatch_exports();
end
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

CREATE OR REPLACE FUNCTION private.erase_with_account()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  erased jsonb;
begin
  -- First, because the audit log lets go of who its people are only once they are erased.
  insert into private.erasures as e (user_id, source, final_at, erased_at, email, phone, mail_receipt)
  values (old.id, 'operator', now(), now(), nullif(old.email, ''), nullif(old.phone, ''), old.email_confirmed_at is not null)
  on conflict on constraint erasures_user_id_key do update
  set erased_at = now(),
    -- Who deletes an account does not wait for the end of the time in which its person could still change their mind.
    final_at = least(e.final_at, greatest(now(), e.requested_at)),
    -- Of an account that was deleted softly, Auth has replaced them.
    email = coalesce(e.email, excluded.email),
    phone = coalesce(e.phone, excluded.phone),
    mail_receipt = e.mail_receipt or (e.source = 'person' and excluded.mail_receipt),
    next_attempt_at = now();
  erased := private.erase_rows(old.id) || private.queue_files_of(old.id) || '{"auth.users": 1}';
  update private.erasures set counts = erased where user_id = old.id;
  return old;
end
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
  -- The audit log itself names nobody; who an entry is about lies beside it. Of what others did, the person gets reads and reviews: a
  -- legal hold may be confidential.
  cross join lateral (
    select case
      when p.schema_name = 'public' and p.relation_name = 'audit_logs' then
        't.id in (select i.entry from private.audit_identities i where i.account_id = $1 and i.party = ''actor'')'
        ' or t.action in (''student_read'', ''review_changed'')'
        ' and t.id in (select i.entry from private.audit_identities i where i.account_id = $1)'
      when p.schema_name = 'private' and p.relation_name = 'audit_identities' then p.belongs_to || ' and t.party = ''actor'''
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
  set status = 'ready', ended_at = now(), expires_at = now() + r.keep, token_hash = private.link_token_hash(token)
  from private.retention_rules r
  where e.id = export and r.kind = 'exports'
  returning e.* into stored;
  perform private.announce_ready_export(stored, token);
  return true;
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

CREATE OR REPLACE FUNCTION private.mentions (
  content text,
  sought  text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select strpos(content, sought) > 0
    and (
      sought ~ '^[0-9a-f-]{36}$'
      or content ~ ('(^|[^a-z0-9._%+-])' || regexp_replace(sought, '([^[:alnum:]@_])', '\\\1', 'g') || '(?![a-z0-9-]|[.][a-z0-9])')
    )
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

CREATE OR REPLACE FUNCTION private.request_check_in (
  student uuid,
  contact uuid,
  at      timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  free_at timestamptz;
  request uuid;
begin
  -- One after another for a student, so that of many at once a number is asked once.
  perform from auth.users where id = student for no key update;
  if not exists (select from public.buddy_contacts where id = contact and user_id = student) then
    return jsonb_build_object('outcome', 'buddy_not_found');
  end if;
  if not private.has_consent(student, 'support_circle') then
    return jsonb_build_object('outcome', 'consent_required');
  end if;
  if not exists (select from public.buddy_contacts c where c.id = contact and private.may_reach(c.id, 'sms', c.phone)) then
    return jsonb_build_object('outcome', 'buddy_unavailable');
  end if;
  free_at := private.next_request_at(student, contact);
  if free_at > at then
    return jsonb_build_object(
      'outcome', 'rate_limited',
      -- A request that was made at the same time may have begun a moment after this one.
      'retry_after_s', least(greatest(1, ceil(extract(epoch from free_at - at))), 86400)::integer
    );
  end if;
  request := private.ask_contact(contact, 'user_initiated', null, at);
  -- A stop that was heard since the line above.
  if request is null then
    return jsonb_build_object('outcome', 'buddy_unavailable');
  end if;
  return (
    select jsonb_build_object('outcome', 'requested', 'request_id', request, 'send_at', o.send_at, 'waits', o.send_at > at)
    from private.outbox o
    where o.request_id = request
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

CREATE OR REPLACE FUNCTION private.store_fusion_result (
  job              uuid,
  attempt          smallint,
  result           jsonb,
  next_baseline    jsonb,
  baseline_version integer
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in uuid := private.lock_check_in_for_job(job);
  student uuid;
begin
  if not exists (
    select from private.analysis_jobs
    where id = job and check_in_id = check_in and attempts = attempt and status = 'running'
  ) then
    return 'stale';
  end if;
  select user_id into student from checkin.check_ins where id = check_in;
  -- Claimed while a withdrawal was about to end, the fusion has read what is deleted now.
  if exists (
    select
    from unnest(enum_range(null::public.consent_kind)) as k (kind)
    where k.kind <> all (private.consents_in_force(student))
      and jsonb_path_exists(
        result -> 'components', format('$[*] ? (@.modality == "%s" && @.score != null)', private.covered_modality(k.kind))::jsonpath
      )
  ) then
    return 'consent_withdrawn';
  end if;
  -- A baseline that was deleted meanwhile does not come back with what was read of it.
  if baseline_version > 0 and not exists (select from checkin.user_baselines b where b.user_id = student) then
    return 'baseline_moved';
  end if;

  insert into checkin.user_baselines as b (user_id, version, check_ins, score_mean, score_sd, state)
  select student, 1, n.check_ins, n.score_mean, n.score_sd, n.state
  from jsonb_to_record(next_baseline) as n (
    check_ins integer, score_mean double precision, score_sd double precision, state jsonb
  )
  on conflict (user_id) do update
  set version = b.version + 1,
    check_ins = excluded.check_ins,
    score_mean = excluded.score_mean,
    score_sd = excluded.score_sd,
    state = excluded.state,
    updated_at = now()
  where b.version = store_fusion_result.baseline_version;
  if not found then
    return 'baseline_moved';
  end if;

  insert into checkin.fusion_results
  select (jsonb_populate_record(
    null::checkin.fusion_results,
    result || jsonb_build_object('check_in_id', check_in, 'user_id', student, 'created_at', now())
  )).*;
  delete from private.analysis_jobs where check_in_id = check_in;
  update checkin.check_ins
  set status = 'complete',
    progress = 1,
    completed_at = now(),
    risk_level = greatest(risk_level, (result ->> 'risk_level')::checkin.risk_level)
  where id = check_in;

  perform private.broadcast_check_in(
    check_in, 'progress', jsonb_build_object('check_in_id', check_in, 'status', 'complete', 'progress', 1)
  );
  perform private.broadcast_check_in(
    check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'complete')
  );
  perform private.broadcast_check_in(check_in, 'result', private.check_in_view(check_in));
  return 'stored';
end
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
      'select count(*) from %s t where exists (select from unnest($1) n where private.mentions(lower(t::text), n))', store.relation
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
  select 'storage.objects', count(*) into relation, traces from private.objects_of(account);
  if traces > 0 then
    return next;
  end if;
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
    ('private', 'legal_holds', 'user_id', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'reason', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'confidential', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'set_at', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'exports', 'token_hash', 'It belongs to a link that lets anybody download the data.')
$function$;

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

CREATE INDEX audit_identities_unknown_caller_idx ON private.audit_identities USING btree (entry)
  WHERE (account_id IS NULL);

CREATE INDEX export_volumes_due_at_idx ON private.export_volumes USING btree (due_at)
  WHERE (status = ANY (ARRAY['queued'::private.job_status, 'running'::private.job_status]));

CREATE INDEX exports_ended_at_idx ON private.exports USING btree (ended_at);

CREATE INDEX exports_expires_at_idx ON private.exports USING btree (expires_at)
  WHERE (status = 'ready'::private.export_status);

CREATE UNIQUE INDEX exports_one_at_a_time ON private.exports USING btree (user_id)
  WHERE (status = ANY (ARRAY['queued'::private.export_status, 'building'::private.export_status]));

CREATE INDEX exports_user_id_created_at_idx ON private.exports USING btree (user_id, created_at DESC);

CREATE TRIGGER remove_export_objects
  AFTER DELETE ON private.export_volumes REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.remove_export_objects();

CREATE TRIGGER guard_exports_bucket
  BEFORE INSERT OR UPDATE OF bucket_id, name, metadata ON storage.objects
  FOR EACH ROW
  WHEN ((new.bucket_id = 'exports'::text))
  EXECUTE FUNCTION private.guard_exports_bucket();

CREATE POLICY "students receive broadcasts of their own channels" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING
    (((EXTENSION = 'broadcast'::text) AND (( SELECT private.owns_check_in_channel(( SELECT realtime.topic() AS topic)) AS owns_check_in_channel) OR ( SELECT
    private.owns_session_channel(( SELECT realtime.topic() AS topic)) AS owns_session_channel) OR
    ( SELECT private.owns_support_channel(( SELECT realtime.topic() AS topic)) AS owns_support_channel) OR
    ( SELECT private.owns_account_channel(( SELECT realtime.topic() AS topic)) AS owns_account_channel))));

COMMENT ON COLUMN "private"."export_settings"."daily_requests" IS 'Exports that a person may ask for in 24 hours; those that failed do not count.';

COMMENT ON COLUMN "private"."export_settings"."lease" IS 'How long a worker may keep a volume before another may claim it; shorter than a function may run.';

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

COMMENT ON FUNCTION "private"."announce_ready_export"(private.exports, text) IS 'Announces an export by channel and email. Called when its last volume is built.';

COMMENT ON FUNCTION "private"."broadcast_account"(uuid, text, jsonb) IS 'Broadcasts on a person''s own channel when the transaction commits. Called by exports.';

COMMENT ON FUNCTION "private"."broadcast_export"(private.exports) IS 'Tells the person on their own channel how far their export is. Called by the queue of exports.';

COMMENT ON FUNCTION "private"."cancel_export"(uuid, uuid) IS 'Ends an export of an account, also one that is ready, and removes its files; false when there is no such export of theirs, true also when it has ended before. Called by api.';

COMMENT ON FUNCTION "private"."claim_export_volume"() IS 'Claims the next volume for one attempt: no row when there is none, or enough are being built. Called by export-data.';

COMMENT ON FUNCTION "private"."collect_worrying_days"(uuid) IS 'Stores the worrying days of check-ins, of one student or of all, from what is stored of them. Called where results are deleted, by the migration that added the table and by the seed.';

COMMENT ON FUNCTION "private"."dispatch_due_exports"(timestamp with time zone) IS 'Dispatches volumes whose webhook or worker was lost, fails exports that are out of attempts, and ends those whose time is over. Called by cron.';

COMMENT ON FUNCTION "private"."dispatch_exports"() IS 'Sends a webhook for each export that has a volume to build. Called by the queue of exports.';

COMMENT ON FUNCTION "private"."end_export"(uuid, private.export_status, text) IS 'Ends an export and queues its objects for removal; false when it has ended already. Called by private.cancel_export, by the queue of exports and by erasure.';

COMMENT ON FUNCTION "private"."export_of_link"(text) IS 'The export that a link in an email leads to; no row when it leads nowhere. Called by api.';

COMMENT ON FUNCTION "private"."exported_columns"() IS 'Every column of which an export has the person''s own values, with what the inventory says of it. Called by export-data and private.exported_rows.';

COMMENT ON FUNCTION "private"."exported_platform_columns"() IS 'Columns of the platform''s own tables that an export has. Called by private.exported_columns.';

COMMENT ON FUNCTION "private"."exported_rows"(uuid, text, text, timestamp with time zone, timestamp with time zone) IS 'A person''s own rows of a table as JSON, those that began after since and up to until; with since null also those without a time. Called by export-data.';

COMMENT ON FUNCTION "private"."fail_export_volume"(uuid, smallint, smallint, text) IS 'Ends an attempt that failed: the volume is queued again with backoff, or the export has failed. Called by export-data.';

COMMENT ON FUNCTION "private"."finish_export_volume"(uuid, smallint, smallint, bigint, integer) IS 'Stores that a volume was built, of this size and without so many objects that are gone; after the last one the export is ready and announced. False when this attempt is no longer the current one. Called by export-data.';

COMMENT ON FUNCTION "private"."guard_exports_bucket"() IS 'Trigger: the bucket exports takes nothing but volumes that are being built.';

COMMENT ON FUNCTION "private"."mentions"(text, text) IS 'Whether a text holds an id, an address or a number as a whole, both in lower case. Called by private.traces_of.';

COMMENT ON FUNCTION "private"."moment_of_row"(regclass) IS 'SQL expression for the time at which a row of the table t began, null when nothing tells. Called by private.exported_rows.';

COMMENT ON FUNCTION "private"."owns_account_channel"(text) IS 'Whether a topic is the caller''s own channel. Called by the policies on realtime.messages.';

COMMENT ON FUNCTION "private"."plan_media_volumes"(uuid, uuid, smallint) IS 'Divides what a person has in Storage into volumes, numbered from first. Called by private.request_export.';

COMMENT ON FUNCTION "private"."queue_export_email"(private.exports, text, text) IS 'Queues an email to the person about their export, without anything personal in it. Called by the queue of exports.';

COMMENT ON FUNCTION "private"."read_exports"(uuid, uuid) IS 'The exports of an account, the newest first, or the one that is wanted. Called by api.';

COMMENT ON FUNCTION "private"."release_export_volume"(uuid, smallint, smallint) IS 'Gives back a volume whose worker is about to be ended. Called by export-data.';

COMMENT ON FUNCTION "private"."remove_export_objects"() IS 'Trigger: queues the objects of deleted volumes for removal.';

COMMENT ON FUNCTION "private"."request_export"(uuid, boolean, timestamp with time zone, inet, text, text) IS 'Plans an export of everything that is stored of an account: outcome requested, export_running (id), export_limit (retry_after_s) or account_deleted. Called by api.';

COMMENT ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) IS 'Raises an error unless an account, by default the caller''s, logged this access within the last minute. Called by the functions that counselors call.';

COMMENT ON FUNCTION "private"."store_fusion_result"(uuid, smallint, jsonb, jsonb, integer) IS 'Stores the score, the baseline and the end of a check-in in one transaction. Returns stored, baseline_moved or consent_withdrawn (the baseline or the consents have changed: read the input again), or stale (the attempt is no longer the current one). Called by the fusion worker.';

COMMENT ON FUNCTION "private"."withheld_data"() IS 'Columns of the inventory that an export leaves out although they are about the person. Called by private.exported_columns and the tests.';

COMMENT ON FUNCTION "public"."log_access"(public.audit_action, text, uuid, text, text, boolean, integer, integer) IS 'Logs in the audit log what the caller is about to read, with the same arguments: students_listed of a university, student_read of a student, or reviews_listed. The read is then allowed for a minute. Called by counselors, who list the students of their own universities; false for others.';

COMMENT ON TABLE "private"."export_settings" IS 'Settings of exports that an operator can change without a deployment. Exactly one row.';

COMMENT ON TABLE "private"."export_volumes" IS 'The queue of exports: each volume is one object of the bucket exports, complete of its own, and one unit of work.';

COMMENT ON TABLE "private"."exports" IS 'What people asked to take along: an export of everything that is stored of them.';

COMMENT ON TYPE "private"."export_content" IS 'documents: a zip of tables, dictionary, FHIR and the page to read; media: a zip of originals; file: one original that is too large for a zip.';

COMMENT ON TYPE "private"."export_status" IS 'queued → building → ready → expired; queued | building → failed; queued | building | ready → cancelled.';

REVOKE ALL ON FUNCTION "private"."announce_ready_export"(private.exports, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."announce_ready_export"(private.exports, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."announce_ready_export"(private.exports, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_account"(uuid, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."broadcast_account"(uuid, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."broadcast_account"(uuid, text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_export"(private.exports) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."broadcast_export"(private.exports) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."broadcast_export"(private.exports) TO "postgres";

REVOKE ALL ON FUNCTION "private"."cancel_export"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_export"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cancel_export"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."claim_export_volume"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_export_volume"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_export_volume"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."collect_worrying_days"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."collect_worrying_days"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."collect_worrying_days"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_due_exports"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_due_exports"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_due_exports"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_exports"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_exports"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_exports"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_export"(uuid, private.export_status, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_export"(uuid, private.export_status, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_export"(uuid, private.export_status, text) TO "postgres";

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

REVOKE ALL ON FUNCTION "private"."mentions"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mentions"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mentions"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."moment_of_row"(regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."moment_of_row"(regclass) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."moment_of_row"(regclass) TO "postgres";

REVOKE ALL ON FUNCTION "private"."owns_account_channel"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."owns_account_channel"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."owns_account_channel"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."owns_account_channel"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."plan_media_volumes"(uuid, uuid, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plan_media_volumes"(uuid, uuid, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."plan_media_volumes"(uuid, uuid, smallint) TO "postgres";

REVOKE ALL ON FUNCTION "private"."queue_export_email"(private.exports, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_export_email"(private.exports, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."queue_export_email"(private.exports, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."read_exports"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_exports"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."read_exports"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."release_export_volume"(uuid, smallint, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."release_export_volume"(uuid, smallint, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."release_export_volume"(uuid, smallint, smallint) TO "postgres";

REVOKE ALL ON FUNCTION "private"."remove_export_objects"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remove_export_objects"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."remove_export_objects"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."request_export"(uuid, boolean, timestamp WITH time zone, inet, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_export"(uuid, boolean, timestamp WITH time zone, inet, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."request_export"(uuid, boolean, timestamp WITH time zone, inet, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."require_access_log"(public.audit_action, jsonb, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."withheld_data"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withheld_data"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."withheld_data"() TO "postgres";

SELECT cron.schedule_in_database('dispatch-due-exports', '10 seconds', 'select private.dispatch_due_exports()', 'postgres', NULL, true);

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
  ('sign_in_log', '90 days', 'What Auth logs of sign-ins, and addresses of failed ones: from the sign-in.'),
  ('cron_runs', '7 days', 'Runs of scheduled jobs: from their end.'),
  ('exports', '7 days', 'Files of an export: from when it is ready.'),
  ('export_records', '90 days', 'That somebody asked for an export: from its end.'),
  ('audit_log', '6 years', 'Who the people of the audit log''s entries are: from their writing. The entries stay, without people.')
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
  ('relation', 'public', 'buddy_contacts', '{name, phone, email, relationship, time_zone, number_time_zones, texts_at_night}', 'support_contact',
    'contact_details', 'To ask the people whom the student named to check on them.', 't.user_id = $1', 'delete', null,
    'declined_contacts'),
  ('relation', 'public', 'buddy_contacts', '{id, user_id, notify_channel, is_active, priority_rank, verified, verification_token,
    verification_token_expires_at, verified_at, declined_at, phone_confirmed_at, confirmation_tries, created_at, updated_at}',
    'student', 'choices', 'Whom the student named, in which order, and what they agreed to.', 't.user_id = $1', 'delete', null,
    'declined_contacts'),
  ('relation', 'public', 'support_preferences', '{user_id, alerts_paused_until, pass_on_all_right}', 'student', 'choices',
    'What the student chose for alerts about them.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'buddy_verification_audit', '{id, buddy_contact_id, user_id, event_type, ip_address, user_agent, metadata,
    created_at}', 'support_contact', 'activity', 'Proof of what a contact agreed to, as mobile operators ask for it.', 't.user_id = $1',
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
    't.user_id = $1', 'delete', null, 'sent_messages'),
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
    null, 'export_records'),
  ('queue', 'private', 'export_volumes', '{export_id, ordinal, content, object_name, since, until, objects, status, attempts, due_at,
    bytes, left_out, error_code}', 'account', 'activity', 'The files of an export, and the work that is left.',
    't.export_id in (select e.id from private.exports e where e.user_id = $1)', 'delete', null, 'export_records'),
  ('relation', 'private', 'export_settings', '{only_row, lease, retry_backoff, max_attempts, max_in_flight, daily_requests,
    volume_bytes, rows_per_volume}', 'nobody', null, 'Settings of exports.', null, null, null, null),
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
