-- No policies: API roles cannot reach the schema private.

create type private.export_status as enum ('queued', 'building', 'ready', 'failed', 'cancelled', 'expired');
comment on type private.export_status is 'queued → building → ready → expired; queued | building → failed; queued | building | ready → cancelled.';

create type private.export_content as enum ('documents', 'media', 'file');
comment on type private.export_content is
  'documents: a zip of tables, dictionary, FHIR and the page to read; media: a zip of originals; file: one original that is too large for a zip.';

create table private.export_settings (
  only_row boolean not null default true,
  lease interval not null default '140 seconds',
  retry_backoff interval not null default '15 seconds',
  max_attempts smallint not null default 5,
  max_in_flight smallint not null default 4,
  daily_requests smallint not null default 3,
  link_valid interval not null default '7 days',
  keep interval not null default '90 days',
  volume_bytes bigint not null default 41943040,
  rows_per_volume integer not null default 250,
  constraint export_settings_pkey primary key (only_row),
  constraint export_settings_only_row check (only_row),
  constraint export_settings_positive check (
    lease > interval '0' and retry_backoff > interval '0' and max_attempts > 0 and max_in_flight > 0 and daily_requests > 0
    and link_valid > interval '0' and keep >= link_valid and volume_bytes > 0 and rows_per_volume > 0
  )
);
comment on table private.export_settings is 'Settings of exports that an operator can change without a deployment. Exactly one row.';
comment on column private.export_settings.only_row is 'Always true: there is one row.';
comment on column private.export_settings.lease is 'How long a worker may keep a volume before another may claim it; shorter than a function may run.';
comment on column private.export_settings.retry_backoff is 'Delay after a failed attempt; doubles with every attempt.';
comment on column private.export_settings.max_attempts is 'Attempts at a volume before the export has failed.';
comment on column private.export_settings.max_in_flight is 'Volumes that are built at the same time, one of an export.';
comment on column private.export_settings.daily_requests is 'Exports that a person may ask for in 24 hours; those that failed do not count.';
comment on column private.export_settings.link_valid is 'How long an export can be downloaded.';
comment on column private.export_settings.keep is 'How long it is known that there was an export.';
comment on column private.export_settings.volume_bytes is
  'Media that a volume holds at most, bytes; with what the zip adds, less than the bucket takes of an object.';
comment on column private.export_settings.rows_per_volume is
  'Check-ins and sessions whose documents a volume holds; the documents of one volume are built in memory.';

create table private.exports (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  include_name boolean not null,
  status private.export_status not null default 'queued',
  error_code text,
  token_hash text,
  created_at timestamptz not null,
  ended_at timestamptz,
  expires_at timestamptz,
  constraint exports_pkey primary key (id),
  constraint exports_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint exports_token_hash_key unique (token_hash),
  constraint exports_token_hash_form check (token_hash ~ '^[0-9a-f]{64}$'),
  constraint exports_ended_at_when_ended check ((status in ('queued', 'building')) = (ended_at is null)),
  constraint exports_expires_at_when_ready check (status <> 'ready' or expires_at is not null),
  constraint exports_token_while_ready check (token_hash is null or status = 'ready'),
  constraint exports_error_when_failed check ((status = 'failed') = (error_code is not null))
);
comment on table private.exports is 'What people asked to take along: an export of everything that is stored of them.';
comment on column private.exports.id is 'The export.';
comment on column private.exports.user_id is 'Whose data it is.';
comment on column private.exports.include_name is 'Whether the FHIR Patient has the name.';
comment on column private.exports.status is 'State of the export.';
comment on column private.exports.error_code is 'Why it failed.';
comment on column private.exports.token_hash is 'private.link_token_hash of the token in the email; null when the link leads nowhere.';
comment on column private.exports.created_at is 'When it was asked for; what was stored later is not in it.';
comment on column private.exports.ended_at is 'When it became ready, failed or was cancelled.';
comment on column private.exports.expires_at is 'Until when it can be downloaded; null until it is ready.';
create unique index exports_one_at_a_time on private.exports (user_id) where status in ('queued', 'building');
create index exports_user_id_created_at_idx on private.exports (user_id, created_at desc);
create index exports_expires_at_idx on private.exports (expires_at) where status = 'ready';
create index exports_ended_at_idx on private.exports (ended_at);

create table private.export_volumes (
  export_id uuid not null,
  ordinal smallint not null,
  content private.export_content not null,
  object_name text not null,
  since timestamptz,
  until timestamptz,
  objects jsonb not null default '[]',
  status private.job_status not null default 'queued',
  attempts smallint not null default 0,
  due_at timestamptz not null default '-infinity',
  bytes bigint,
  left_out integer,
  error_code text,
  constraint export_volumes_pkey primary key (export_id, ordinal),
  constraint export_volumes_object_name_key unique (object_name),
  constraint export_volumes_export_id_fkey foreign key (export_id) references private.exports (id) on delete cascade,
  constraint export_volumes_ordinal_range check (ordinal >= 1),
  constraint export_volumes_objects_array check (jsonb_typeof(objects) = 'array'),
  constraint export_volumes_bytes_when_done check ((status = 'done') = (bytes is not null and left_out is not null))
);
comment on table private.export_volumes is
  'The queue of exports: each volume is one object of the bucket exports, complete of its own, and one unit of work.';
comment on column private.export_volumes.export_id is 'The export.';
comment on column private.export_volumes.ordinal is 'Number of the volume, from 1.';
comment on column private.export_volumes.content is 'What it holds.';
comment on column private.export_volumes.object_name is 'Name of the object in the bucket exports; it begins with the account.';
comment on column private.export_volumes.since is 'Of documents: rows after this time; null in the first volume, which also has what has no time.';
comment on column private.export_volumes.until is 'Of documents: rows up to this time.';
comment on column private.export_volumes.objects is 'Of media: array of {bucket, name, bytes, type}.';
comment on column private.export_volumes.status is 'State of the volume.';
comment on column private.export_volumes.attempts is 'Attempts so far. A worker passes the number that it was given, so that a late one changes nothing.';
comment on column private.export_volumes.due_at is
  'When it may be claimed: after a failed attempt the end of its backoff, while it is built the end of its worker''s lease.';
comment on column private.export_volumes.bytes is 'Size of the object, once it is built.';
comment on column private.export_volumes.left_out is 'Objects that were removed between the request and the building.';
comment on column private.export_volumes.error_code is 'Why the last attempt failed.';
create index export_volumes_due_at_idx on private.export_volumes (due_at) where status in ('queued', 'running');

-- Objects are packed in the order of their names; only a loop can say where the next volume begins.
create function private.plan_media_volumes(export uuid, student uuid, first smallint)
returns void
language plpgsql
set search_path = ''
as $$
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
$$;
comment on function private.plan_media_volumes is
  'Divides what a person has in Storage into volumes, numbered from first. Called by private.request_export.';

create function private.request_export(
  student uuid,
  include_name boolean,
  at timestamptz,
  address inet,
  agent text,
  request text
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
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
$$;
comment on function private.request_export is
  'Plans an export of everything that is stored of an account: outcome requested, export_running (id), export_limit (retry_after_s) or account_deleted. Called by api.';

create function private.dispatch_exports()
returns void
language sql
set search_path = ''
as $$
  -- As many as may be built at once; a webhook too many finds nothing to claim.
  select private.call_function('export-data', '{"type": "INSERT", "schema": "private", "table": "export_volumes"}')
  from (
    select distinct export_id
    from private.export_volumes
    where status in ('queued', 'running') and due_at <= now()
    limit (select max_in_flight from private.export_settings)
  ) due
$$;
comment on function private.dispatch_exports is 'Sends a webhook for each export that has a volume to build. Called by the queue of exports.';

create function private.claim_export_volume()
returns table (
  export_id uuid,
  ordinal smallint,
  attempts smallint,
  content private.export_content,
  object_name text,
  since timestamptz,
  until timestamptz,
  objects jsonb,
  lease_ms double precision,
  user_id uuid,
  include_name boolean,
  created_at timestamptz
)
language plpgsql
set search_path = ''
as $$
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
$$;
comment on function private.claim_export_volume is
  'Claims the next volume for one attempt: no row when there is none, or enough are being built. Called by export-data.';

create function private.broadcast_export(export private.exports)
returns void
language sql
security definer
set search_path = ''
as $$
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
$$;
comment on function private.broadcast_export is 'Tells the person on their own channel how far their export is. Called by the queue of exports.';

create function private.queue_export_email(export private.exports, about text, body text)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body)
  select 'email', 'export', u.id, u.email, about, body
  from auth.users u
  where u.id = export.user_id and u.email is not null
$$;
comment on function private.queue_export_email is 'Queues an email to the person about their export, without anything personal in it. Called by the queue of exports.';

create function private.announce_ready_export(export private.exports, token text)
returns void
language sql
security definer
set search_path = ''
as $$
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
$$;
comment on function private.announce_ready_export is 'Announces an export by channel and email. Called when its last volume is built.';

create function private.finish_export_volume(export uuid, volume smallint, attempt smallint, size bigint, missing integer)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
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
$$;
comment on function private.finish_export_volume is
  'Stores that a volume was built, of this size and without so many objects that are gone; after the last one the export is ready and announced. False when this attempt is no longer the current one. Called by export-data.';

create function private.end_export(export uuid, outcome private.export_status, code text default null)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
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
$$;
comment on function private.end_export is
  'Ends an export and queues its objects for removal; false when it has ended already. Called by private.cancel_export, by the queue of exports and by erasure.';

create function private.fail_export_volume(export uuid, volume smallint, attempt smallint, code text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
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
$$;
comment on function private.fail_export_volume is
  'Ends an attempt that failed: the volume is queued again with backoff, or the export has failed. Called by export-data.';

create function private.release_export_volume(export uuid, volume smallint, attempt smallint)
returns void
language sql
security definer
set search_path = ''
as $$
  update private.export_volumes v
  set status = 'queued', due_at = '-infinity'
  where v.export_id = export and v.ordinal = volume and v.attempts = attempt and v.status = 'running'
$$;
comment on function private.release_export_volume is
  'Gives back a volume whose worker is about to be ended. Called by export-data.';

create function private.cancel_export(student uuid, export uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.end_export(e.id, 'cancelled') from private.exports e where e.id = export and e.user_id = student;
  return found;
end
$$;
comment on function private.cancel_export is
  'Ends an export of an account, also one that is ready, and removes its files; false when there is no such export of theirs, true also when it has ended before. Called by api.';

create function private.read_exports(student uuid, wanted uuid default null)
returns setof jsonb
language sql
stable
security definer
set search_path = ''
as $$
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
$$;
comment on function private.read_exports is 'The exports of an account, the newest first, or the one that is wanted. Called by api.';

create function private.export_of_link(token_hash text)
returns table (student uuid, export uuid)
language sql
stable
security definer
set search_path = ''
as $$
  select e.user_id, e.id
  from private.exports e
  where e.token_hash = export_of_link.token_hash and e.status = 'ready' and e.expires_at > now()
$$;
comment on function private.export_of_link is 'The export that a link in an email leads to; no row when it leads nowhere. Called by api.';

create function private.dispatch_due_exports(at timestamptz default now())
returns void
language plpgsql
security definer
set search_path = ''
as $$
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
$$;
comment on function private.dispatch_due_exports is
  'Dispatches volumes whose webhook or worker was lost, fails exports that are out of attempts, and ends those whose time is over. Called by cron.';

-- However the row goes, with the account too, the object goes with it.
create function private.remove_export_objects()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.queue_object_removal('exports', object_name, 'export_deleted') from gone where attempts > 0;
  return null;
end
$$;
comment on function private.remove_export_objects is 'Trigger: queues the objects of deleted volumes for removal.';

create trigger remove_export_objects
after delete on private.export_volumes
referencing old table as gone
for each statement execute function private.remove_export_objects();

-- An upload that ends after its export was cancelled or erased would leave a file that nobody removes.
create function private.guard_exports_bucket()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform from private.export_volumes v where v.object_name = new.name and v.status = 'running' for share;
  if not found then
    raise exception 'The bucket exports takes only volumes that are being built.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
comment on function private.guard_exports_bucket is 'Trigger: the bucket exports takes nothing but volumes that are being built.';

create trigger guard_exports_bucket
before insert or update of bucket_id, name, metadata on storage.objects
for each row when (new.bucket_id = 'exports') execute function private.guard_exports_bucket();
