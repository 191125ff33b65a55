SET local check_function_bodies = off;

DROP TRIGGER "audit_settings" ON "private"."crisis_contacts";

DROP TRIGGER "audit_settings" ON "private"."support_settings";

ALTER TABLE "private"."retention_rules"
  DROP CONSTRAINT "retention_rules_keep_positive";

DROP FUNCTION "private"."replay_erasures"(jsonb);

CREATE TABLE "private"."erasure_progress" (
  "only_row"    boolean                  NOT NULL DEFAULT true,
  "last_run_at" timestamp with time zone NOT NULL,
  CONSTRAINT "erasure_progress_only_row" CHECK (only_row),
  CONSTRAINT "erasure_progress_pkey" PRIMARY KEY (only_row)
);

ALTER TABLE "private"."retention_rules"
  ADD COLUMN "shortest" interval NOT NULL DEFAULT '01:00:00'::interval;

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
    perform private.purge_orphaned_messages();
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
  last_run timestamptz;
  next_one record;
  due private.erasures;
  advanced integer := 0;
begin
  insert into private.erasure_progress (last_run_at) values (now()) on conflict do nothing;
  update private.erasure_progress
  set last_run_at = now()
  where last_run_at > now() - interval '1 hour' and last_run_at < now() - interval '30 seconds';
  select p.last_run_at into last_run from private.erasure_progress p;

  -- Accounts first, and one after the other as everybody takes them, before the entries of the audit log, which are chained.
  for next_one in
    select d.id, d.user_id
    from (
      select e.id, e.user_id, e.erased_at
      from private.erasures e
      where e.next_attempt_at <= now()
        and e.final_at <= now()
        -- Whoever became final while nothing ran may have cancelled it: in what a restored backup does not have.
        and (e.erased_at is not null or e.final_at <= last_run or last_run > now() - interval '1 hour')
        and not exists (select from private.legal_holds h where h.user_id = e.user_id)
      order by e.next_attempt_at
      limit most
    ) d
    order by d.erased_at is not null, d.user_id
  loop
    begin
      perform from auth.users where id = next_one.user_id for update;
      select e.* into due
      from private.erasures e
      where e.id = next_one.id and e.next_attempt_at <= now() and e.final_at <= now()
      for update skip locked;
      if not found then
        continue;
      end if;
      perform private.advance_erasure(due);
      advanced := advanced + 1;
    exception
      -- One that fails delays no other, and is tried again.
      when others then
        update private.erasures
        set error_code = sqlstate,
          attempts = least(attempts + 1, 32767),
          next_attempt_at = now() + least(interval '2 seconds' * power(2, least(attempts, 20)), interval '10 minutes')
        where id = next_one.id;
    end;
  end loop;
  return advanced;
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
    case when tg_op <> 'INSERT' then
      private.without_values(private.changed_columns(to_jsonb(old), coalesce(to_jsonb(new), '{}')), tg_argv[1:])
    end,
    case when tg_op <> 'DELETE' then
      private.without_values(private.changed_columns(to_jsonb(new), coalesce(to_jsonb(old), '{}')), tg_argv[1:])
    end
  );
  return null;
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
  join auth.users u on u.id = e.user_id
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
  for key share of u skip locked
  for update of e, v skip locked;
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
  files integer := 0;
  analyses integer := 0;
  transcripts integer := 0;
  results integer := 0;
  exports integer := 0;
  affected integer;
  topics text[];
begin
  if covered is null then
    return '{}';
  end if;
  perform pg_advisory_xact_lock(private.consent_lock(student));
  -- All of them, before what belongs to them: retention, which skips what is locked, neither waits for this nor takes the last result anew
  -- from one that is deleted here.
  perform from checkin.check_ins c where c.user_id = student order by c.id for update;
  perform private.end_work_without_consent(student, withdrawn);

  delete from private.check_in_media m
  using checkin.check_ins c
  where c.user_id = student and m.check_in_id = c.id
    and m.kind = case withdrawn when 'audio' then 'audio' when 'camera' then 'image' end;
  -- The objects under the student's folder: "0" is the character after "/".
  with queued as materialized (
    select private.queue_object_removal(o.bucket_id, o.name, 'consent_withdrawn')
    from storage.objects o
    where o.bucket_id = private.covered_bucket(withdrawn)
      and o.name collate "C" >= student::text || '/' and o.name collate "C" < student::text || '0'
    order by o.name
  )
  select count(*) into files from queued;

  if not keep_results then
    with deleted as (
      delete from public.session_scores r
      where r.user_id = student
        and exists (select from public.session_analyses a where a.session_id = r.session_id and a.modality = covered)
      returning r.session_id
    )
    select array_agg('assessment:' || d.session_id) into topics from deleted d;
    results := coalesce(cardinality(topics), 0);
    perform private.purge_messages(topics, 'score_calculated') where results > 0;
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
      where f.user_id = student and private.is_made_of(f.components, covered)
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
    select array_agg('check-in:' || c.id) into topics from cleared c;
    affected := coalesce(cardinality(topics), 0);
    results := results + affected;
    perform private.purge_messages(topics, 'result') where affected > 0;
    delete from checkin.user_baselines where user_id = student and affected > 0;
    delete from private.worrying_days where user_id = student and affected > 0;
    perform private.collect_worrying_days(student) where affected > 0;
    perform private.refresh_last_result(student) where affected > 0;
  end if;

  perform private.advance_check_in(c.id)
  from (select id from checkin.check_ins where user_id = student and status = 'processing' order by id) c;
  -- An export has a copy of what was deleted.
  if files + analyses + transcripts + results > 0 then
    select count(*) filter (where private.end_export(e.id, 'cancelled')) into exports
    from private.exports e
    where e.user_id = student and e.status in ('queued', 'building', 'ready');
  end if;
  return jsonb_build_object(
    'files', files, 'analyses', analyses, 'transcripts', transcripts, 'results', results, 'exports', exports
  );
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
declare
  ended integer;
begin
  -- Of many accounts at once, so what somebody else has locked waits for the next time.
  with over as materialized (
    select e.id, e.status
    from private.exports e
    join auth.users u on u.id = e.user_id
    where e.status = 'ready' and e.expires_at <= at
      -- Their workers were lost with the last attempt, or gave it back.
      or e.status = 'building' and exists (
        select
        from private.export_volumes v, private.export_settings s
        where v.export_id = e.id and v.status in ('queued', 'running') and v.due_at <= at and v.attempts >= s.max_attempts
      )
    for key share of u skip locked
    for update of e skip locked
  )
  select count(private.end_export(
    o.id,
    case o.status when 'ready' then 'expired' else 'failed' end::private.export_status,
    case o.status when 'building' then 'worker_lost' end
  )) into ended
  from over o;
  delete from private.exports e
  where e.id = any (array(
    select d.id
    from private.exports d
    join auth.users u on u.id = d.user_id
    join private.retention_rules r on r.kind = 'export_records'
    where d.ended_at < at - r.keep and d.status <> 'ready'
    for key share of u skip locked
    for update of d skip locked
  ));
  perform private.dispatch_exports();
end
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
  if not private.lock_account_of_export(export) then
    return false;
  end if;
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
  where v.export_id = export and v.attempts > 0
  order by v.object_name;
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

CREATE OR REPLACE FUNCTION private.export_erasures()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'exported_at', now(),
    'receipts', (select coalesce(jsonb_agg(to_jsonb(r) order by r.completed_at, r.id), '[]') from private.erasure_receipts r),
    'pending', (
      select coalesce(
        jsonb_agg(jsonb_build_object('tombstone', private.tombstone_of(e.user_id), 'requested_at', e.requested_at) order by e.requested_at),
        '[]'
      )
      from private.erasures e
      where e.source = 'person' and e.erased_at is null
    )
  )
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
  join pg_catalog.pg_namespace n on n.nspname = p.schema_name
  join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = p.relation_name
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  -- The audit log itself names nobody; who an entry is about lies beside it. Of what others did, the person gets reads and reviews: a
  -- legal hold may be confidential. Of a message that went to an office, its address is not the person's.
  cross join lateral (
    select case
      when p.schema_name = 'public' and p.relation_name = 'audit_logs' then
        't.id in (select i.entry from private.audit_identities i where i.account_id = $1 and i.party = ''actor'')'
        ' or t.action in (''student_read'', ''review_changed'')'
        ' and t.id in (select i.entry from private.audit_identities i where i.account_id = $1)'
      when p.schema_name = 'private' and p.relation_name = 'audit_identities' then p.belongs_to || ' and t.party = ''actor'''
      when p.schema_name = 'private' and p.relation_name = 'outbox' and a.attname = 'recipient' then
        p.belongs_to || ' and (t.contact_id is not null or t.recipient = (select u.email from auth.users u where u.id = $1))'
      else p.belongs_to
    end as belongs_to
  ) l
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
  if not private.lock_account_of_export(export) then
    return false;
  end if;
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

CREATE OR REPLACE FUNCTION private.finish_object_removals (
  claimed uuid,
  error   text DEFAULT NULL::text
)
  RETURNS TABLE (
    removed integer,
    failed  integer
  )
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  -- In the order in which others queue objects.
  select r.name from private.object_removals r where r.claim = claimed order by r.bucket, r.name for update;
  -- Whatever Storage answered: what counts is whether the object is there.
  with gone as (
    delete from private.object_removals r
    where r.claim = claimed
      and not exists (select from storage.objects o where o.bucket_id = r.bucket and o.name = r.name)
    returning r.name
  ),
  kept as (
    update private.object_removals r
    set claim = null,
      error_code = coalesce(error, 'not_removed'),
      next_attempt_at = now() + least(interval '5 seconds' * power(4, least(r.attempts - 1, 10)), interval '1 hour')
    where r.claim = claimed
      and exists (select from storage.objects o where o.bucket_id = r.bucket and o.name = r.name)
    returning r.name
  )
  select (select count(*) from gone)::integer, (select count(*) from kept)::integer
$function$;

CREATE OR REPLACE FUNCTION private.guard_exports_bucket()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- The account goes first, as everywhere: an erasure has it, and waits for the volume.
  perform from auth.users where id = private.account_of_object(new.bucket_id, new.name) for key share;
  perform from private.export_volumes v where v.object_name = new.name and v.status = 'running' for share;
  if not found then
    raise exception 'The bucket exports takes only volumes that are being built.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_made_of (
  components jsonb,
  part       public.modality
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- Of a text that is too short for a score, themes, a stated mood and what it says of a crisis count all the same.
  select coalesce(
    jsonb_path_exists(
      components,
      format('$[*] ? (@.modality == "%s" && (@.score != null || @.modality == "text" && @.quality != null))', part)::jsonpath
    ),
    false
  )
$function$;

CREATE OR REPLACE FUNCTION private.is_orphaned_topic (
  topic text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select case
    when topic ~ '^check-in:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      not exists (select from checkin.check_ins c where c.id = substr(topic, 10)::uuid)
    when topic ~ '^assessment:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      not exists (select from public.assessment_sessions s where s.id = substr(topic, 12)::uuid)
    else false
  end
$function$;

CREATE OR REPLACE FUNCTION private.lock_account_of_export (
  export uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform from auth.users where id = (select e.user_id from private.exports e where e.id = export) for key share;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION private.mail_erasure (
  account uuid,
  until   timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body)
  select
    'email',
    'erasure_requested',
    u.id,
    u.email,
    'Your account will be deleted',
    format(
      E'Hello,\n\nyou asked us to delete your account with everything that is stored of you. This happens at %s UTC and cannot be undone then. Until then you can go on as usual, and cancel it in the app under "Privacy".\n\nIf it was not you: sign in, cancel it, and choose another password.',
      to_char(until at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    )
  from auth.users u
  where u.id = account and u.email_confirmed_at is not null
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
        order by path
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
      get diagnostics further = row_count;
      return further + private.purge_audit_identities(cutoff, most, false);
    when 'cron_runs' then
      delete from cron.job_run_details r
      where r.runid = any (array(select d.runid from cron.job_run_details d where d.end_time < cutoff limit most));
    when 'audit_log' then
      return private.purge_audit_identities(cutoff, most, true);
    else
      return 0;
  end case;
  get diagnostics deleted = row_count;
  return deleted;
end
$function$;

CREATE OR REPLACE FUNCTION private.purge_messages (
  topics       text[],
  purged_event text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  delete from realtime.messages m where m.topic = any (topics) and m.event = purged_event;
exception
  -- Of a platform that keeps the table to itself, and deletes what is older than three days.
  when insufficient_privilege then
    null;
end
$function$;

CREATE OR REPLACE FUNCTION private.purge_orphaned_messages()
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  delete from realtime.messages m where private.is_orphaned_topic(m.topic);
exception
  -- Of a platform that keeps the table to itself; what is left there shows in private.traces_of.
  when insufficient_privilege then
    null;
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
    order by o.bucket, o.name
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
    -- Its time is over also while nothing ends it.
    'status', case when e.status = 'ready' and e.expires_at <= now() then 'expired' else e.status end,
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

CREATE OR REPLACE FUNCTION private.remove_export_objects()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.queue_object_removal('exports', object_name, 'export_deleted') from gone where attempts > 0 order by object_name;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.replay_erasures (
  exported jsonb
)
  RETURNS TABLE (
    accounts  integer,
    held      integer,
    pending   integer,
    cancelled integer
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  exported_at constant timestamptz := exported ->> 'exported_at';
  asked constant bytea[] := array(select (p ->> 'tombstone')::bytea from jsonb_array_elements(exported -> 'pending') p);
begin
  if not exists (select from vault.decrypted_secrets where name = 'tombstone_key') then
    raise exception 'The vault has no tombstone_key: restore the project''s own vault with the database.';
  end if;
  insert into private.erasure_receipts
  select r.*
  from jsonb_populate_recordset(null::private.erasure_receipts, exported -> 'receipts') r
  on conflict do nothing;
  -- The accounts first, in the order of private.advance_erasures.
  with gone as materialized (
    select u.id
    from auth.users u
    where private.tombstone_of(u.id) in (select r.tombstone from private.erasure_receipts r)
    order by u.id
    for update
  )
  insert into private.erasures as e (user_id, source, final_at)
  select g.id, 'restore', now()
  from gone g
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

  -- Those that were cancelled after the backup are not among the pending ones.
  delete from private.erasures e
  where e.source = 'person' and e.erased_at is null and e.requested_at <= exported_at
    and private.tombstone_of(e.user_id) <> all (asked);
  get diagnostics cancelled = row_count;
  insert into private.erasures (user_id, source, final_at)
  select u.id, 'person', now()
  from auth.users u
  where private.tombstone_of(u.id) = any (asked)
  on conflict on constraint erasures_user_id_key do nothing;
  -- What was cancelled after the export is not known: so everybody has the whole time again, and is told.
  delete from private.outbox o where o.purpose = 'erasure_requested' and o.status = 'queued';
  with renewed as (
    update private.erasures e
    set final_at = now() + interval '72 hours', next_attempt_at = now() + interval '72 hours'
    where e.source = 'person' and e.erased_at is null
    returning e.user_id, e.final_at
  ),
  mailed as materialized (
    select private.mail_erasure(r.user_id, r.final_at) from renewed r
  )
  select count(*) into pending from mailed;
  perform private.resume_erasures();
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
  perform private.mail_erasure(account, requested.final_at);
  perform private.audit(
    'erasure_requested', private.university_of(account), 'erasures', requested.id::text, actor => account, subject => account
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.resume_erasures()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  insert into private.erasure_progress (last_run_at) values (now())
  on conflict on constraint erasure_progress_pkey do update set last_run_at = excluded.last_run_at
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
      and private.is_made_of(result -> 'components', private.covered_modality(k.kind))
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
    select c.oid::regclass as relation, p.schema_name, p.relation_name, string_agg(format('(%s)', p.belongs_to), ' or ') as belongs_to
    from private.personal_data p
    join pg_catalog.pg_class c on c.oid = to_regclass(format('%I.%I', p.schema_name, p.relation_name))
    where p.store <> 'bucket'
      and p.whose <> 'nobody'
      and p.erasure <> 'keep'
      and c.oid not in (select b.oid from bound b)
      and has_table_privilege(c.oid, 'select')
    group by c.oid, p.schema_name, p.relation_name
  loop
    relation := store.relation::text;
    execute format(
      'select count(*) from %s t where (%s) or exists (select from unnest($2) n where private.mentions(lower(t::text), n))',
      store.relation, store.belongs_to
    )
    into traces
    using account, account::text || case when (store.schema_name, store.relation_name) = ('private', 'outbox') then '{}' else addresses end;
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
  -- A channel is named after its check-in, which is deleted: that was theirs, or somebody else's.
  select 'realtime.messages', count(*) into relation, traces from realtime.messages m where private.is_orphaned_topic(m.topic);
  if traces > 0 then
    return next;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.without_values (
  changes jsonb,
  hidden  text[]
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select changes || coalesce((select jsonb_object_agg(name, '…') from unnest(hidden) as name where changes ? name), '{}')
$function$;

ALTER TABLE "private"."retention_rules"
  ADD CONSTRAINT "retention_rules_keep_range" CHECK (((shortest > '00:00:00'::interval) AND (keep >= shortest) AND (keep <= '30 years'::interval)));

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.crisis_contacts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('university_id', 'email');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.support_settings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('only_row', 'operator_email');

COMMENT ON COLUMN "private"."erasure_progress"."last_run_at" IS 'When private.advance_erasures last ran, to the half minute. When that is over an hour ago, what became final since waits for npm run erasures.';

COMMENT ON COLUMN "private"."erasure_progress"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."retention_rules"."shortest" IS 'The shortest term that may be set: what people were promised, or what other parts of the service rely on.';

COMMENT ON FUNCTION "private"."advance_erasures"(integer) IS 'Takes the next step of erasures that are due and not held, a few at a time; returns how many. After an hour without a run, what became final meanwhile waits for npm run erasures. Called by cron.';

COMMENT ON FUNCTION "private"."audit_settings"() IS 'Trigger: logs changes of an operator''s settings; its arguments are the key column, and those of which only the change is logged.';

COMMENT ON FUNCTION "private"."delete_covered"(uuid, public.consent_kind, boolean) IS 'Deletes what a consent covered that is being withdrawn: queues media for removal, deletes features and transcripts, results too unless they are kept, and exports, which have a copy; running work of that kind ends. Returns {files, analyses, transcripts, results, exports}: how many. Called by private.guard_consent.';

COMMENT ON FUNCTION "private"."export_erasures"() IS 'What private.replay_erasures needs and a backup of before does not have: {exported_at, receipts, pending}, which names nobody. Called by npm run erasures.';

COMMENT ON FUNCTION "private"."is_made_of"(jsonb, public.modality) IS 'Whether a modality went into a score with these components. Called where scores are stored, and by the withdrawal.';

COMMENT ON FUNCTION "private"."is_orphaned_topic"(text) IS 'Whether a topic is the channel of a check-in or session that is gone, so that nothing says any more whose it was. Called by erasure.';

COMMENT ON FUNCTION "private"."lock_account_of_export"(uuid) IS 'Locks the account whose export it is, before anything else; false when there is none any more. Called by the queue of exports.';

COMMENT ON FUNCTION "private"."mail_erasure"(uuid, timestamp with time zone) IS 'Mails to a person when their account will be deleted. Called when it is asked for, and after a restored backup.';

COMMENT ON FUNCTION "private"."purge_messages"(text[], text) IS 'Deletes the messages with an event from channels. Called by the withdrawal of consents.';

COMMENT ON FUNCTION "private"."purge_orphaned_messages"() IS 'Deletes what was sent to channels of check-ins and sessions that are gone. Called by private.advance_erasure.';

COMMENT ON FUNCTION "private"."replay_erasures"(jsonb) IS 'After a restored backup, with what private.export_erasures gave, or null: erases again whoever there are receipts of; erasures that are pending in it alone are cancelled, and all others get their time again. How many of each, and of how many a legal hold keeps the account. Called by npm run erasures.';

COMMENT ON FUNCTION "private"."resume_erasures"() IS 'Lets erasures go on that became final while nothing ran. Called by npm run erasures, when that was no restored backup, or it is dealt with.';

COMMENT ON FUNCTION "private"."without_values"(jsonb, text[]) IS 'Changes without the values of columns that hold an address: nothing can be taken out of the audit log. Called by private.audit_settings.';

COMMENT ON FUNCTION "public"."set_retention"(text, interval) IS 'Changes how long a kind of data is kept, to a term not below private.retention_rules.shortest; the change is in the audit log. False for an unknown kind and for others. Called by security administrators.';

COMMENT ON FUNCTION "public"."withdraw_consent"(public.consent_kind, boolean) IS 'Withdraws the caller''s consent of this kind and deletes what it covered: {kind, withdrawn_at, deleted: {files, analyses, transcripts, results, exports}}; null when there was none. With keep_results past scores stay. Called by students; the same as setting withdrawn_at (and keep_results) of the row.';

COMMENT ON TABLE "private"."erasure_progress" IS 'When erasures were last looked at, to notice a backup that was restored. One row, from the first time on.';

COMMENT ON TYPE "public"."consent_kind" IS 'What a student agrees to: analysis of audio, of camera images and of the transcript, a support circle, access by counselors, use of their data for research, which nothing does yet.';

REVOKE ALL ON FUNCTION "private"."export_erasures"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."export_erasures"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."export_erasures"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_made_of"(jsonb, public.modality) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_made_of"(jsonb, public.modality) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_made_of"(jsonb, public.modality) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_orphaned_topic"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_orphaned_topic"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_orphaned_topic"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_account_of_export"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_account_of_export"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_account_of_export"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."mail_erasure"(uuid, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mail_erasure"(uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mail_erasure"(uuid, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_messages"(text[], text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_messages"(text[], text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_messages"(text[], text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_orphaned_messages"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_orphaned_messages"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_orphaned_messages"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."replay_erasures"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."replay_erasures"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."replay_erasures"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."resume_erasures"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."resume_erasures"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."resume_erasures"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."without_values"(jsonb, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."without_values"(jsonb, text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."without_values"(jsonb, text[]) TO "postgres";

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
select cron.schedule('remind-of-training', '*/10 * * * *', 'select private.remind_of_training(now())');
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
-- the migrated database has. Terms of retention are settings, so those that exist are left as they are,
-- but for what may not be set.
insert into private.retention_rules as r (kind, keep, shortest, starts)
values
  ('raw_media', '30 days', '1 day', 'Recordings and pictures: from the end of the check-in.'),
  ('unfinished_uploads', '2 days', '1 day', 'Files that no check-in was submitted with, or that belong to no row: from the upload.'),
  ('transcripts', '90 days', '1 day', 'Transcripts of check-ins: from the end of the check-in.'),
  ('transcript_results', '90 days', '1 day', 'What the language model made of a transcript: from the analysis.'),
  ('results', '3 years', '30 days', 'Check-ins and sessions with their features and scores: from the start.'),
  ('clinical_reviews', '3 years', '30 days', 'Reviews: from their closing.'),
  ('worrying_days', '30 days', '30 days', 'Days with risk: from the day; no pattern looks back further.'),
  ('support_history', '3 years', '30 days', 'Alerts, requests, links, verifications: from when each began.'),
  ('declined_contacts', '30 days', '1 day', 'Contacts who declined, with phone and email: from their answer.'),
  ('inbound_texts', '1 year', '7 days', 'That a text came in, not what it said: from its arrival.'),
  ('sent_messages', '30 days', '7 days', 'Emails and texts that were sent or cancelled: from then.'),
  ('undelivered_messages', '90 days', '7 days', 'Emails and texts that could not be sent: from the last attempt.'),
  ('channel_messages', '3 days', '1 hour', 'Messages of Realtime: from their sending.'),
  ('rate_limit_uses', '1 day', '1 hour', 'How often somebody called: from the last call.'),
  ('logged_accesses', '1 day', '1 hour', 'That a read was logged and may happen: from the entry.'),
  ('sign_in_log', '90 days', '1 day', 'What Auth logs of sign-ins, and addresses of failed ones: from the sign-in.'),
  ('cron_runs', '7 days', '1 day', 'Runs of scheduled jobs: from their end.'),
  ('exports', '7 days', '7 days', 'Files of an export: from when it is ready.'),
  ('export_records', '90 days', '7 days', 'That somebody asked for an export: from its end.'),
  ('audit_log', '6 years', '6 years', 'Who the people of the audit log''s entries are: from their writing. The entries stay, without people.')
on conflict on constraint retention_rules_pkey do update
set shortest = excluded.shortest, keep = greatest(r.keep, excluded.shortest);

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
  ('relation', 'private', 'retention_rules', '{kind, keep, starts, shortest}', 'nobody', null, 'Settings: how long data is kept.', null, null,
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
  ('relation', 'private', 'erasure_progress', '{only_row, last_run_at}', 'nobody', null, 'When erasures were last looked at.', null,
    null, null, null),
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
    't.owner_id = $1::text or private.account_of_object(t.bucket_id, t.key) = $1', 'delete', null, null),
  ('relation', 'storage', 's3_multipart_uploads_parts', '{*}', 'account', 'activity', 'Parts of uploads that are not finished.',
    't.owner_id = $1::text or private.account_of_object(t.bucket_id, t.key) = $1', 'delete', null, null),
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
  -- Training
  ('relation', 'public', 'training_modules', '{id, title, category, difficulty, estimated_duration, mandatory, content, assessments,
    published, version, created_at, updated_at}', 'nobody', null, 'What staff are trained with.', null, null, null, null),
  ('relation', 'private', 'training_versions', '{module_id, version, title, content, pass_score, questions_per_attempt, created_at}',
    'nobody', null, 'The modules as they were when somebody took them.', null, null, null, null),
  ('relation', 'private', 'training_questions', '{module_id, version, id, prompt, options, correct}', 'nobody', null,
    'The questions of the modules, with their answers.', null, null, null, null),
  ('relation', 'public', 'training_assignments', '{id, module_id, user_id, role, due_days, created_at}', 'staff', 'activity',
    'To know who has to take which module.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'training_assignments', '{assigned_by}', 'staff', 'activity', 'To know who assigned it.',
    't.assigned_by = $1', 'anonymize', null, null),
  ('relation', 'public', 'training_progress', '{user_id, module_id, version, sections_read, started_at, updated_at}', 'staff',
    'activity', 'To go on reading where one stopped.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'training_attempts', '{id, user_id, module_id, version, questions, started_at, expires_at, submitted_at,
    correct, score, passed}', 'staff', 'activity', 'To show how somebody was assessed.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'private', 'training_papers', '{attempt_id, questions, answers}', 'staff', 'words',
    'To show what was asked and answered.', 't.attempt_id in (select a.id from public.training_attempts a where a.user_id = $1)',
    'delete', null, null),
  ('relation', 'public', 'training_certificates', '{id, user_id, module_id, version, attempt_id, score, issued_at, expires_at}',
    'staff', 'activity', 'To show that somebody is trained.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'private', 'training_reminders', '{user_id, module_id, due_at, days_before, reached_at, message_id}', 'staff',
    'activity', 'To remind of each date once.', 't.user_id = $1', 'delete', null, null),
  -- Platform
  ('relation', 'vault', 'secrets', '{*}', 'nobody', null, 'The project''s own secrets, encrypted.', null, null, null, null),
  ('relation', 'vault', 'local_key', '{*}', 'nobody', null, 'The key of the local stack''s vault.', null, null, null, null),
  ('relation', 'supabase_migrations', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null,
    null),
  ('relation', 'supabase_migrations', 'seed_files', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'hooks', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null);
