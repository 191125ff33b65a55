-- Erasing a person is deleting the account, whoever does it and wherever: a trigger deletes what no foreign key reaches, queues the
-- files, and leaves a row here, from which a job goes on until nothing is found any more.

create type private.erasure_source as enum ('person', 'operator', 'restore');
comment on type private.erasure_source is
  'Why somebody is erased: they asked; the account was deleted in Studio, by the admin API or in SQL; a backup that was restored still had them.';

create table private.erasures (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  source private.erasure_source not null,
  requested_at timestamptz not null default now(),
  final_at timestamptz not null,
  erased_at timestamptz,
  email text,
  phone text,
  mail_receipt boolean not null default false,
  counts jsonb not null default '{}',
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  error_code text,
  constraint erasures_pkey primary key (id),
  constraint erasures_user_id_key unique (user_id),
  constraint erasures_final_after_request check (final_at >= requested_at),
  constraint erasures_counts_object check (jsonb_typeof(counts) = 'object')
);
select private.describe('private.erasures', 'Who is to be erased, until it is proved that nothing is left; then only a row of private.erasure_receipts remains. Without a foreign key, as it outlives the account.', $$
  id: The erasure; also the id of its receipt.
  user_id: The account.
  source: Why.
  requested_at: When it was asked for.
  final_at: Until when it can be cancelled; the account is deleted then.
  erased_at: When the account and its rows were deleted; null until then.
  email: The address of the deleted account, to search for it and to send the receipt.
  phone: Its phone number, to search for it.
  mail_receipt: Whether the receipt is mailed: the address was confirmed, and this is no restored backup.
  counts: How many rows of each table were deleted, and how many files of each bucket. Example: {"public.consents": 4, "check-in-media": 12}
  attempts: Steps that failed, or found something left.
  next_attempt_at: Earliest time of the next step.
  error_code: Why the last step failed: an SQLSTATE, files_left or traces_left.
$$);
create index erasures_next_attempt_at_idx on private.erasures (next_attempt_at);

select private.declare_data('private.erasures',
   '{id, user_id, source, requested_at, final_at, erased_at, email, phone, mail_receipt, counts, attempts, next_attempt_at,
    error_code}', 'To erase a person, to search for what is left, and to send the receipt.', 'account', 'contact_details',
  't.user_id = $1', erasure => 'keep',
  reason => 'Deleted by the erasure itself when nothing is found any more, a day after it is final at the latest.',
  store => 'queue');
select private.declare_audited('private.erasures', 'id', 'by_hand');

create table private.erasure_receipts (
  id uuid not null,
  source private.erasure_source not null,
  requested_at timestamptz not null,
  completed_at timestamptz not null,
  counts jsonb not null,
  tombstone bytea not null,
  checksum bytea not null,
  constraint erasure_receipts_pkey primary key (id),
  constraint erasure_receipts_hash_lengths check (octet_length(tombstone) = 32 and octet_length(checksum) = 32)
);
select private.describe('private.erasure_receipts', 'Proof of each erasure, without who it was. Its tombstone finds the account again in a restored backup; docs/erasure.md.', $$
  id: The receipt; the person was told it.
  source: Why somebody was erased.
  requested_at: When it was asked for.
  completed_at: When nothing was found any more.
  counts: How many rows of each table were deleted, and how many files of each bucket. Example: {"public.consents": 4, "check-in-media": 12}
  tombstone: private.tombstone_of the account.
  checksum: private.receipt_checksum; the person was told it.
$$);

select private.declare_data('private.erasure_receipts', '{id, source, requested_at, completed_at, counts, tombstone, checksum}',
  'Proof of erasures, and numbers under the project''s own key that find somebody again in a restored backup.');
select private.declare_audited('private.erasure_receipts', 'id', 'by_hand');

create table private.erasure_progress (
  only_row boolean not null default true,
  last_run_at timestamptz not null,
  constraint erasure_progress_pkey primary key (only_row),
  constraint erasure_progress_only_row check (only_row)
);
select private.describe('private.erasure_progress', 'When erasures were last looked at, to notice a backup that was restored. One row, from the first time on.', $$
  only_row: Always true: there is one row.
  last_run_at: When private.advance_erasures last ran, to the half minute. When that is over an hour ago, what became final since waits for npm run erasures.
$$);

select private.declare_data('private.erasure_progress', '{only_row, last_run_at}', 'When erasures were last looked at.');
select private.declare_audited('private.erasure_progress', 'only_row', 'by_hand');

create table private.legal_holds (
  user_id uuid not null,
  reason text not null,
  confidential boolean not null,
  set_at timestamptz not null default now(),
  constraint legal_holds_pkey primary key (user_id),
  -- The database itself does not let a held account go.
  constraint legal_holds_user_id_fkey foreign key (user_id) references auth.users (id),
  constraint legal_holds_reason_length check (char_length(reason) between 1 and 500)
);
select private.describe('private.legal_holds', 'Accounts that the law forbids to erase. Set and lifted by security administrators with functions, which the audit log records.', $$
  user_id: The account.
  reason: Why, as the person reads it unless it is confidential.
  confidential: Whether the law forbids to tell the person.
  set_at: Since when.
$$);

select private.declare_data('private.legal_holds', '{user_id, reason, confidential, set_at}',
  'To keep what the law forbids to erase.', 'account', 'activity', 't.user_id = $1', erasure => 'keep',
  reason => 'Only while a security administrator upholds it; until then nothing of the person is erased.',
  withheld => 'The law may forbid to tell of a hold; one that may be told is in the app.');
select private.declare_audited('private.legal_holds', 'user_id', 'by_hand');

create function private.set_hold(account uuid, reason text, confidential boolean) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if not (select private.is_security_admin()) then
    perform private.require_name();
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
  perform private.audit_at_end('legal_hold_set', private.university_of(account), 'legal_holds', subject => account);
  return true;
end
$$;
comment on function private.set_hold is 'Implementation of public.set_legal_hold, which calls it.';

create function public.set_legal_hold(account uuid, reason text, confidential boolean default false) returns boolean
language sql set search_path = ''
begin atomic select private.set_hold(account, reason, confidential); end;
comment on function public.set_legal_hold is
  'Keeps an account from being erased, and its files from being removed, until the hold is lifted; the person reads the reason unless it is confidential. Called by security administrators; false for others, and when there is no such account.';

create function private.lift_hold(account uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if not (select private.is_security_admin()) then
    perform private.require_name();
    return false;
  end if;
  delete from private.legal_holds where user_id = account;
  if not found then
    return false;
  end if;
  perform private.audit_at_end('legal_hold_lifted', private.university_of(account), 'legal_holds', subject => account);
  return true;
end
$$;
comment on function private.lift_hold is 'Implementation of public.lift_legal_hold, which calls it.';

create function public.lift_legal_hold(account uuid) returns boolean
language sql set search_path = ''
begin atomic select private.lift_hold(account); end;
comment on function public.lift_legal_hold is
  'Ends a legal hold: an erasure whose time has come goes on by itself. Called by security administrators; false for others, and when there is no hold.';

create function private.holds_in_force()
returns table (account uuid, reason text, confidential boolean, set_at timestamptz, erasure_waits boolean)
language sql stable security definer set search_path = '' as $$
  select h.user_id, h.reason, h.confidential, h.set_at, exists (select from private.erasures e where e.user_id = h.user_id)
  from private.legal_holds h
  where (select private.is_security_admin())
  order by h.set_at, h.user_id
$$;
comment on function private.holds_in_force is 'Implementation of public.read_legal_holds, which calls it.';

create function public.read_legal_holds()
returns table (account uuid, reason text, confidential boolean, set_at timestamptz, erasure_waits boolean)
language sql stable set search_path = ''
begin atomic select h.account, h.reason, h.confidential, h.set_at, h.erasure_waits from private.holds_in_force() h; end;
comment on function public.read_legal_holds is
  'Legal holds in force, and whether an erasure waits for each. Called by security administrators; no row for others.';

create function private.mail_erasure(account uuid, until timestamptz) returns void
language sql set search_path = '' as $$
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body)
  select
    'email',
    'erasure_requested',
    u.id,
    u.email,
    'Your account will be deleted',
    format(
      E'Hello,\n\nyou asked us to delete your account with everything that is stored of you. This happens at %s UTC and cannot be undone then. Until then you can go on as usual, and cancel it in the app under "Privacy".\n\nIf it was not you: sign in, cancel it, and choose another password.',
      private.utc_minute(until)
    )
  from auth.users u
  where u.id = account and u.email_confirmed_at is not null
$$;
comment on function private.mail_erasure is
  'Mails to a person when their account will be deleted. Called when it is asked for, and after a restored backup.';

create function private.request_erasure(account uuid) returns void
language plpgsql set search_path = '' as $$
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
  perform private.audit_at_end(
    'erasure_requested', private.university_of(account), 'erasures', requested.id::text, actor => account, subject => account
  );
end
$$;
comment on function private.request_erasure is
  'Asks for the erasure of an account, and mails when it will be final; nothing when it was asked for already. Called by the function api.';

create function private.cancel_erasure(account uuid) returns boolean
language plpgsql set search_path = '' as $$
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
  perform private.audit_at_end(
    'erasure_cancelled', private.university_of(account), 'erasures', cancelled::text, actor => account, subject => account
  );
  return true;
end
$$;
comment on function private.cancel_erasure is
  'Cancels an erasure; false when none was asked for, or it is final. Called by the function api.';

create function private.erasure_view(account uuid) returns jsonb
language sql stable set search_path = '' as $$
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
$$;
comment on function private.erasure_view is
  'The erasure that a person asked for as the API returns it; null when there is none. A confidential hold does not show. Called by the function api.';

-- The order: what is found through other rows before them. Platforms differ in their tables, so one that is not there is left out.
create function private.erasable_relations()
returns table (relation regclass, belongs_to text, anonymized text[])
language sql stable set search_path = '' as $$
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
$$;
comment on function private.erasable_relations is
  'The tables of the inventory of which erasing a person deletes rows, or sets columns to null, in their order. Called by erasure.';

create function private.erase_rows(account uuid) returns jsonb
language plpgsql set search_path = '' as $$
declare
  store record;
  affected bigint;
  counts jsonb := '{}';
begin
  perform set_config('private.erasing', account::text, true);
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
  perform set_config('private.erasing', '', true);
  return counts;
end
$$;
comment on function private.erase_rows is
  'Deletes what the inventory says of a person, and returns how many rows of each table. Called by erasure.';

create function private.objects_of(account uuid)
returns table (bucket text, name text)
language plpgsql stable set search_path = '' as $$
declare
  condition text;
begin
  select string_agg(format('(%s)', p.belongs_to), ' or ') into condition
  from private.personal_data p
  where p.store = 'bucket' and p.erasure = 'delete';
  return query execute format('select t.bucket_id, t.name from storage.objects t where %s', condition) using account;
end
$$;
comment on function private.objects_of is 'The files that belong to a person by the inventory. Called by erasure.';

create function private.queue_files_of(account uuid) returns jsonb
language sql set search_path = '' as $$
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
$$;
comment on function private.queue_files_of is
  'Queues the files of a person for removal, and returns how many of each bucket. Called by erasure.';

create function private.erase_with_account() returns trigger
language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function private.erase_with_account is
  'Trigger on auth.users: whoever deletes an account deletes with it what no foreign key reaches, and queues its files.';

create function private.erase_soon() returns trigger
language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function private.erase_soon is
  'Trigger on auth.users: an account that the admin API deletes softly, which leaves its row, is erased all the same.';

-- Whole addresses: lee@ is not klee@, nor uni.example that of uni.example.com.
create function private.mentions(content text, sought text) returns boolean
language sql immutable set search_path = '' as $$
  select strpos(content, sought) > 0
    and (
      sought ~ '^[0-9a-f-]{36}$'
      or content ~ ('(^|[^a-z0-9._%+-])' || regexp_replace(sought, '([^[:alnum:]@_])', '\\\1', 'g') || '(?![a-z0-9-]|[.][a-z0-9])')
    )
$$;
comment on function private.mentions is
  'Whether a text holds an id, an address or a number as a whole, both in lower case. Called by private.traces_of.';

-- What is left of somebody whose account is deleted. A table whose rows all need an account, by a chain of foreign keys, has none of
-- theirs; every other one that may hold something of people is read whole. Of others the address may be known too: to students who
-- named it as a contact, to messages that go to it as one, to a university that has it in its register or invites it, and to whoever
-- signed up with it since.
create function private.traces_of(account uuid, email text, phone text)
returns table (relation text, traces bigint)
language plpgsql stable set search_path = '' as $$
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
      $query$
        select count(*) from %s t cross join lateral (select lower(t::text) as whole_row offset 0) r
        where (%s) or exists (select from unnest($2) n where strpos(r.whole_row, n) > 0 and private.mentions(r.whole_row, n))
      $query$,
      store.relation, store.belongs_to
    )
    into traces
    using account, account::text || case
      when store.schema_name = 'private' and store.relation_name in ('outbox', 'enrolments', 'staff_invitations') then '{}'
      else addresses
    end;
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
$$;
comment on function private.traces_of is
  'Where something of a deleted account is still found, and in how many rows: none when it is erased. Called by erasure, and by operators.';

create function private.tombstone_of(account uuid) returns bytea
language sql stable set search_path = '' as $$
  select extensions.hmac('account ' || account, s.decrypted_secret, 'sha256')
  from vault.decrypted_secrets s
  where s.name = 'tombstone_key'
$$;
comment on function private.tombstone_of is
  'A number that finds an account in a restored backup, and tells nobody who it was: it needs the project''s own key. Called by erasure.';

create function private.receipt_checksum(receipt private.erasure_receipts) returns bytea
language sql stable set search_path = '' as $$
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
$$;
comment on function private.receipt_checksum is 'SHA-256 of what a receipt says. Called by erasure, and by operators to whom somebody shows a receipt.';

create function private.complete_erasure(erasure private.erasures) returns void
language plpgsql set search_path = '' as $$
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
      private.utc_minute(receipt.completed_at),
      encode(receipt.checksum, 'hex')
    )
  where erasure.mail_receipt and erasure.email is not null;
  perform private.audit_at_end('account_erased', target_type => 'erasure_receipts', target_id => receipt.id::text);
end
$$;
comment on function private.complete_erasure is
  'Replaces an erasure of which nothing is left by its receipt, which is mailed. Called by private.advance_erasure.';

create function private.purge_orphaned_messages() returns void
language plpgsql set search_path = '' as $$
begin
  delete from realtime.messages m where private.is_orphaned_topic(m.topic);
exception
  -- Of a platform that keeps the table to itself; what is left there shows in private.traces_of.
  when insufficient_privilege then
    null;
end
$$;
comment on function private.purge_orphaned_messages is
  'Deletes what was sent to channels of check-ins and sessions that are gone. Called by private.advance_erasure.';

create function private.advance_erasure(erasure private.erasures) returns void
language plpgsql set search_path = '' as $$
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
    next_attempt_at = now() + private.retry_delay('2 seconds', attempts + 1, '10 minutes')
  where id = erasure.id;
end
$$;
comment on function private.advance_erasure is
  'One step of an erasure that is due: deletes the account, waits for its files to be removed, searches for what is left, stores the receipt. Each can be repeated. Called by private.advance_erasures.';

create function private.advance_erasures(most integer default 5) returns integer
language plpgsql security definer set search_path = '' as $$
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
          next_attempt_at = now() + private.retry_delay('2 seconds', attempts + 1, '10 minutes')
        where id = next_one.id;
    end;
  end loop;
  return advanced;
end
$$;
comment on function private.advance_erasures is
  'Takes the next step of erasures that are due and not held, a few at a time; returns how many. After an hour without a run, what became final meanwhile waits for npm run erasures. Called by cron.';
select cron.schedule('advance-erasures', '10 seconds', 'select private.advance_erasures()');

create view private.late_erasures
with (security_invoker = true)
as
select id, source, final_at, erased_at, attempts, error_code
from private.erasures e
where final_at < now() - interval '1 hour'
  and not exists (select from private.legal_holds h where h.user_id = e.user_id);
comment on view private.late_erasures is
  'Erasures that an hour was not enough for, with why, for the operator: they have to end within 24 hours.';

create function private.erasures_signature(exported jsonb) returns text
language sql stable set search_path = '' as $$
  select encode(extensions.hmac('erasures ' || (exported - 'signature')::text, s.decrypted_secret, 'sha256'), 'hex')
  from vault.decrypted_secrets s
  where s.name = 'tombstone_key'
$$;
comment on function private.erasures_signature is
  'What proves that private.export_erasures of this project gave something, under the project''s own key. Called by it and by private.replay_erasures.';

create function private.export_erasures() returns jsonb
language sql stable set search_path = '' as $$
  with content (exported) as (select jsonb_build_object(
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
  ))
  select exported || jsonb_build_object('signature', private.erasures_signature(exported)) from content
$$;
comment on function private.export_erasures is
  'What private.replay_erasures needs and a backup of before does not have: {exported_at, receipts, pending, signature}, which names nobody. Called by npm run erasures.';

create function private.resume_erasures() returns void
language sql set search_path = '' as $$
  insert into private.erasure_progress (last_run_at) values (now())
  on conflict on constraint erasure_progress_pkey do update set last_run_at = excluded.last_run_at
$$;
comment on function private.resume_erasures is
  'Lets erasures go on that became final while nothing ran. Called by npm run erasures, when that was no restored backup, or it is dealt with.';

create function private.replay_erasures(exported jsonb)
returns table (accounts integer, held integer, pending integer, cancelled integer)
language plpgsql set search_path = '' as $$
declare
  exported_at constant timestamptz := exported ->> 'exported_at';
  asked constant bytea[] := array(select (p ->> 'tombstone')::bytea from jsonb_array_elements(exported -> 'pending') p);
begin
  if not exists (select from vault.decrypted_secrets where name = 'tombstone_key') then
    raise exception 'The vault has no tombstone_key: restore the project''s own vault with the database.';
  end if;
  -- Who takes a receipt out of the file would bring somebody back, and who makes one of what is pending would end their time to cancel.
  if exported is not null and exported ->> 'signature' is distinct from private.erasures_signature(exported) then
    raise exception 'This file is not as npm run erasures -- export of this project wrote it.';
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
$$;
comment on function private.replay_erasures is
  'After a restored backup, with what private.export_erasures gave, or null: erases again whoever there are receipts of; erasures that are pending in it alone are cancelled, and all others get their time again. How many of each, and of how many a legal hold keeps the account. Called by npm run erasures.';

-- The address goes when the receipt has arrived, or cannot.
create function private.purge_receipt_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status = 'dead' then
    update private.outbox set recipient = null where id = new.id;
  else
    delete from private.outbox where id = new.id;
  end if;
  return null;
end
$$;
comment on function private.purge_receipt_mail is
  'Trigger: the mail with a receipt is deleted once it is sent; of one that could not be, the address is.';

create function private.refuse_object_without_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function private.refuse_object_without_owner is
  'Trigger on storage.objects: nothing is stored in the folder of an account that was deleted.';

create trigger erase_with_account
before delete on auth.users
for each row execute function private.erase_with_account();

create trigger erase_soon
after update on auth.users
for each row when (old.deleted_at is null and new.deleted_at is not null)
execute function private.erase_soon();

create trigger purge_receipt_mail
after update on private.outbox
for each row when (new.purpose = 'erasure_receipt' and new.ended_at is not null and new.recipient is not null)
execute function private.purge_receipt_mail();

create trigger refuse_object_without_owner
before insert or update of bucket_id, name on storage.objects
for each row execute function private.refuse_object_without_owner();

select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'tombstone_key')
where not exists (select from vault.secrets where name = 'tombstone_key');
