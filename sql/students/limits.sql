create table private.student_limits (
  only_row boolean not null default true,
  sessions integer not null default 2000,
  session_bytes bigint not null default 5242880,
  consents integer not null default 500,
  files integer not null default 200,
  file_bytes bigint not null default 524288000,
  check_in_bytes bigint not null default 10737418240,
  constraint student_limits_pkey primary key (only_row),
  constraint student_limits_only_row check (only_row),
  constraint student_limits_positive check (
    sessions > 0 and session_bytes > 0 and consents > 0 and files > 0 and file_bytes > 0
    and check_in_bytes > 0
  )
);
select private.describe('private.student_limits', 'How much one account may store; an operator can change it without a deployment. Exactly one row. Numbers are above 0.', $$
  only_row: Always true: there is one row.
  sessions: Assessment sessions of an account.
  session_bytes: Size of session_data in all sessions of an account, bytes.
  consents: Consents of an account, withdrawn ones included.
  files: Files in an account's own folder of the bucket university-files.
  file_bytes: Size of those files, bytes; the last one may exceed it.
  check_in_bytes: Size of the media of all check-ins of an account, bytes; those of the last check-in may exceed it.
$$);

insert into private.student_limits default values;

select private.declare_data('private.student_limits',
  '{only_row, sessions, session_bytes, consents, files, file_bytes, check_in_bytes}', 'Settings: how much an account may store.');
select private.declare_audited('private.student_limits', 'only_row');

-- Not the account's own lock: an update holds rows that the deletion of an account waits for while it holds the account.
create function private.lock_storage_of(accounts uuid[]) returns void
language sql set search_path = '' as $$
  -- Few enough locks for a statement about any number of accounts, always in the same order.
  select pg_advisory_xact_lock(12, key)
  from (
    select distinct (hashtextextended(account::text, 12) % 128)::integer as key from unnest(accounts) as account order by key
  ) as keys
$$;
comment on function private.lock_storage_of is 'Lets one transaction at a time add to what an account stores, so that none overlooks what another adds. Called by the triggers that enforce private.student_limits.';

-- Storage asks before it takes a file, and learns the size afterwards.
create function private.has_room_for_file(path text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
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
$$;
comment on function private.has_room_for_file is 'Whether a student''s folder of the bucket university-files may take another file. Called by policies.';

create function private.has_room_for_check_in(student uuid) returns boolean
language sql stable set search_path = '' as $$
  -- Objects under the student's folder: "0" is the character after "/".
  select coalesce(sum((o.metadata ->> 'size')::bigint), 0) < l.check_in_bytes
  from private.student_limits l
  left join storage.objects o
    on o.bucket_id in ('check-in-media', 'check-in-images')
    and o.name collate "C" >= student::text || '/' and o.name collate "C" < student::text || '0'
  group by l.check_in_bytes
$$;
comment on function private.has_room_for_check_in is 'Whether a student may upload the media of another check-in. Called by the function checkins.';

create function private.limit_stored_rows() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  accounts uuid[] := array(select user_id from changed_rows);
  most private.student_limits;
begin
  perform private.lock_storage_of(accounts);
  select * into strict most from private.student_limits;
  if tg_table_name = 'consents' and exists (
    select from public.consents where user_id = any(accounts) group by user_id having count(*) > most.consents
  ) then
    raise exception 'This account has granted and withdrawn too many consents. Ask the operator.' using errcode = 'check_violation';
  elsif tg_table_name = 'assessment_sessions' and exists (
    select from public.assessment_sessions
    where user_id = any(accounts)
    group by user_id
    having count(*) > most.sessions or sum(pg_column_size(session_data)) > most.session_bytes
  ) then
    raise exception 'This account has too many sessions, or too much session_data in them. Delete old sessions first.'
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
comment on function private.limit_stored_rows is 'Trigger: an account stores at most as many consents and sessions, and bytes of those, as private.student_limits says. Withdrawing is never limited.';

create trigger limit_consents after insert on public.consents referencing new table as changed_rows
for each statement execute function private.limit_stored_rows();

-- Storage compares the announced length of an upload with the bucket's limit, and takes any that is sent in chunks. It writes
-- the size when the content has arrived, and removes the content when that fails.
create function private.limit_object_size() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if (new.metadata ->> 'size')::bigint > (select b.file_size_limit from storage.buckets b where b.id = new.bucket_id) then
    raise exception 'The object is larger than its bucket takes.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
comment on function private.limit_object_size is 'Trigger: an object is at most as large as storage.buckets.file_size_limit says, however it was uploaded.';

create trigger limit_object_size before insert or update of bucket_id, metadata on storage.objects
for each row execute function private.limit_object_size();
