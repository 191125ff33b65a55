create type private.export_status as enum ('queued', 'building', 'ready', 'failed', 'cancelled', 'expired');
comment on type private.export_status is 'queued → building → ready → expired; queued | building → failed; queued | building | ready → cancelled.';

create type private.export_content as enum ('documents', 'media', 'file');
comment on type private.export_content is 'documents: a zip of tables, dictionary, FHIR and the page to read; media: a zip of originals; file: one original that is too large for a zip.';

create table private.export_settings (
  only_row boolean not null default true,
  lease interval not null default '140 seconds',
  retry_backoff interval not null default '15 seconds',
  max_attempts smallint not null default 5,
  max_in_flight smallint not null default 4,
  daily_requests smallint not null default 3,
  volume_bytes bigint not null default 41943040,
  rows_per_volume integer not null default 250,
  constraint export_settings_pkey primary key (only_row),
  constraint export_settings_only_row check (only_row),
  constraint export_settings_positive check (
    lease > interval '0' and retry_backoff > interval '0' and max_attempts > 0 and max_in_flight > 0 and daily_requests > 0
    and volume_bytes > 0 and rows_per_volume > 0
  )
);
select private.describe('private.export_settings', 'Settings of exports that an operator can change without a deployment. Exactly one row. Intervals and numbers are above 0.', $$
  only_row: Always true: there is one row.
  lease: How long a worker may keep a volume before another may claim it; shorter than a function may run.
  retry_backoff: Delay after a failed attempt; doubles with every attempt.
  max_attempts: Attempts at a volume before the export has failed.
  max_in_flight: Volumes that are built at the same time, one of an export.
  daily_requests: Exports that a person may ask for on a day where they are; those that failed do not count.
  volume_bytes: Media that a volume holds at most, bytes; with what the zip adds, less than the bucket takes of an object.
  rows_per_volume: Check-ins and sessions whose documents a volume holds; the documents of one volume are built in memory.
$$);

insert into private.export_settings default values;

select private.declare_term('exports', '7 days', 'Files of an export: from when it is ready.', shortest => '7 days');
select private.declare_term('export_records', '90 days', 'That somebody asked for an export: from its end.',
  shortest => '7 days');
select private.declare_data('private.export_settings',
  '{only_row, lease, retry_backoff, max_attempts, max_in_flight, daily_requests, volume_bytes, rows_per_volume}',
  'Settings of exports.');
select private.declare_audited('private.export_settings', 'only_row');
select private.declare_data('exports', '{*}', 'Everything that is stored of a person, for them to download.', 'account', 'health',
  't.bucket_id = ''exports'' and starts_with(t.name, $1::text || ''/'')', term => 'exports', store => 'bucket');

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
select private.describe('private.exports', 'What people asked to take along: an export of everything that is stored of them.', $$
  id: The export.
  user_id: Whose data it is.
  include_name: Whether the FHIR Patient has the name.
  status: State of the export.
  error_code: Why it failed.
  token_hash: private.link_token_hash of the token in the email; null when the link leads nowhere.
  created_at: When it was asked for; what was stored later is not in it.
  ended_at: When it became ready, failed or was cancelled.
  expires_at: Until when it can be downloaded; null until it is ready.
$$);
create unique index exports_one_at_a_time on private.exports (user_id) where status in ('queued', 'building');
create index exports_user_id_created_at_idx on private.exports (user_id, created_at desc);
create index exports_expires_at_idx on private.exports (expires_at) where status = 'ready';
create index exports_ended_at_idx on private.exports (ended_at);

select private.declare_data('private.exports',
  '{id, user_id, include_name, status, error_code, created_at, ended_at, expires_at}',
  'What the person asked to take along, and until when it can be downloaded.', 'account', 'activity', 't.user_id = $1',
  term => 'export_records');
select private.declare_data('private.exports', '{token_hash}', 'The link to the page with the download.', 'account', 'activity',
  't.user_id = $1', term => 'export_records', withheld => 'It belongs to a link that lets anybody download the data.');
select private.declare_audited('private.exports', 'id', 'by_hand');

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
select private.describe('private.export_volumes', 'The queue of exports: each volume is one object of the bucket exports, complete of its own, and one unit of work.', $$
  export_id: The export.
  ordinal: Number of the volume, from 1.
  content: What it holds.
  object_name: Name of the object in the bucket exports; it begins with the account.
  since: Of documents: rows after this time; null in the first volume, which also has what has no time.
  until: Of documents: rows up to this time.
  objects: Of media: array of {bucket, name, bytes, type}. Example: [{"bucket": "check-in-media", "name": "6f1c9a52-1c7e-4d55-9d0b-0a6f3c1d2e47/1/audio", "bytes": 48213, "type": "audio/mp4"}]
  status: State of the volume.
  attempts: Attempts so far. A worker passes the number that it was given, so that a late one changes nothing.
  due_at: When it may be claimed: after a failed attempt the end of its backoff, while it is built the end of its worker's lease.
  bytes: Size of the object, once it is built.
  left_out: Objects that are not in it: removed between the request and the building, or under a name that could lead elsewhere.
  error_code: Why the last attempt failed.
$$);
create index export_volumes_due_at_idx on private.export_volumes (due_at) where status in ('queued', 'running');

select private.declare_data('private.export_volumes',
  '{export_id, ordinal, content, object_name, since, until, objects, status, attempts, due_at, bytes, left_out, error_code}',
  'The files of an export, and the work that is left.', 'account', 'activity',
  't.export_id in (select e.id from private.exports e where e.user_id = $1)', term => 'export_records', store => 'queue');
select private.declare_audited('private.export_volumes', 'export_id', 'by_hand');

-- However the row goes, with the account too, the object goes with it.
create function private.remove_export_objects() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_object_removal('exports', object_name, 'export_deleted') from gone where attempts > 0 order by object_name;
  return null;
end
$$;
comment on function private.remove_export_objects is 'Trigger: queues the objects of deleted volumes for removal.';

create trigger remove_export_objects after delete on private.export_volumes referencing old table as gone
for each statement execute function private.remove_export_objects();

-- An upload that ends after its export was cancelled or erased would leave a file that nobody removes.
create function private.guard_exports_bucket() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The account goes first, as everywhere: an erasure has it, and waits for the volume.
  perform from auth.users where id = private.account_of_object(new.bucket_id, new.name) for key share;
  perform from private.export_volumes v where v.object_name = new.name and v.status = 'running' for share;
  if not found then
    raise exception 'The bucket exports takes only volumes that are being built.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
comment on function private.guard_exports_bucket is 'Trigger: the bucket exports takes nothing but volumes that are being built.';

create trigger guard_exports_bucket before insert or update of bucket_id, name, metadata on storage.objects
for each row when (new.bucket_id = 'exports') execute function private.guard_exports_bucket();
