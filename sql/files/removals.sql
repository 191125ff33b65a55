-- Objects are removed through Storage's API, as SQL would remove the row and leave the file.
create table private.object_removals (
  bucket text not null,
  name text not null,
  reason text not null,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  claim uuid,
  error_code text,
  created_at timestamptz not null default now(),
  reported_at timestamptz,
  constraint object_removals_pkey primary key (bucket, name),
  constraint object_removals_reason_form check (reason ~ '^[a-z_]{1,50}$')
);
select private.describe('private.object_removals', 'Objects of Storage that are to be removed, until they are: tried again for as long as it takes, every hour at least.', $$
  bucket: Its bucket.
  name: Its name within the bucket.
  reason: Why it is removed, such as erasure.
  attempts: Attempts so far.
  next_attempt_at: When it may be tried next: after a failed attempt the end of its backoff, while one is under way the end of its lease.
  claim: The attempt that is under way; another one, or a request in the meantime, replaces it, so that a late one changes nothing.
  error_code: Why the last attempt failed.
  created_at: When it was queued.
  reported_at: When the log reported that it cannot be removed.
$$);
create index object_removals_next_attempt_at_idx on private.object_removals (next_attempt_at);

select private.declare_data('private.object_removals',
  '{bucket, name, reason, attempts, next_attempt_at, claim, error_code, created_at, reported_at}',
  'Names of files that are to be removed, until they are.', 'account', 'activity',
  'private.account_of_object(t.bucket, t.name) = $1', erasure => 'keep',
  reason => 'Deleted with the file; an erasure ends only when none of the person''s is left.', store => 'queue');
select private.declare_audited('private.object_removals', 'bucket', 'by_hand');

create view private.failing_object_removals with (security_invoker = true) as
select bucket, reason, error_code, count(*) as objects, max(attempts) as attempts, min(created_at) as queued_at
from private.object_removals
where attempts >= 5 and error_code is not null
group by bucket, reason, error_code;
comment on view private.failing_object_removals is 'Objects that five attempts did not remove, counted by bucket, reason and error; they are tried every hour. Names are personal data, and left out.';

create function private.account_of_object(bucket text, name text) returns uuid
language sql immutable set search_path = '' as $$
  select case when pg_input_is_valid(o.owner, 'uuid') then o.owner::uuid end
  from (
    select case
      when bucket in ('check-in-media', 'check-in-images', 'exports') then split_part(name, '/', 1)
      when bucket = 'university-files' and split_part(name, '/', 2) = 'students' then split_part(name, '/', 3)
    end as owner
  ) as o
$$;
comment on function private.account_of_object is 'The account in whose folder an object is; null when it is nobody''s. Called by removals and by erasure.';

create function private.removal_is_due(removal private.object_removals) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return removal.next_attempt_at <= now()
    and not exists (
      select from private.legal_holds h where h.user_id = private.account_of_object(removal.bucket, removal.name)
    );
end
$$;
comment on function private.removal_is_due is 'Whether an object may be removed now: no attempt is under way or backing off, and no legal hold keeps its owner''s files. Called by removals.';

create function private.queue_object_removal(bucket text, name text, reason text) returns void
language sql set search_path = '' as $$
  insert into private.object_removals as r (bucket, name, reason)
  values (bucket, name, reason)
  -- The attempt that is under way may have been too early for what is there now.
  on conflict on constraint object_removals_pkey do update
  set claim = null, next_attempt_at = least(r.next_attempt_at, excluded.next_attempt_at)
  where r.claim is not null
$$;
comment on function private.queue_object_removal is 'Queues an object for removal; nothing when it is queued already. Called by retention, withdrawn consents, exports and erasure.';

create function private.dispatch_object_removals() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Only the first of many: the worker goes on until none is due, and cron dispatches what a lost webhook announced.
  perform private.call_function('remove-objects', '{"type": "INSERT", "schema": "private", "table": "object_removals"}')
  where exists (select from new_removals)
    and not exists (
      select
      from private.object_removals r
      where r.attempts = 0 and not exists (select from new_removals n where (n.bucket, n.name) = (r.bucket, r.name))
    );
  return null;
end
$$;
comment on function private.dispatch_object_removals is 'Trigger: dispatches the worker when something is queued and nothing else waits for it.';

create function private.dispatch_due_object_removals() returns void
language sql security definer set search_path = '' as $$
  select private.call_function('remove-objects', '{"type": "UPDATE", "schema": "private", "table": "object_removals"}')
  where exists (select from private.object_removals r where r.next_attempt_at <= now() and private.removal_is_due(r))
$$;
comment on function private.dispatch_due_object_removals is 'Dispatches the worker when a removal is due. Called by cron.';
select cron.schedule('dispatch-due-object-removals', '10 seconds', 'select private.dispatch_due_object_removals()');

create function private.claim_object_removals(most integer) returns table (claim uuid, bucket text, names text[])
language plpgsql set search_path = '' as $$
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
$$;
comment on function private.claim_object_removals is 'Claims removals of one bucket that are due, most at once, for one attempt; no row when none is due. Called by remove-objects.';

create function private.finish_object_removals(claimed uuid, error text default null)
returns table (removed integer, failed integer)
language sql set search_path = '' as $$
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
      next_attempt_at = now() + private.retry_delay('5 seconds', r.attempts, '1 hour', 4)
    where r.claim = claimed
      and exists (select from storage.objects o where o.bucket_id = r.bucket and o.name = r.name)
    returning r.name
  )
  select (select count(*) from gone)::integer, (select count(*) from kept)::integer
$$;
comment on function private.finish_object_removals is 'Ends an attempt: forgets the objects that are gone, and schedules another attempt for the others; how many of each. Called by remove-objects.';

create function private.report_failing_removals() returns table (bucket text, reason text, error_code text, objects bigint)
language sql set search_path = '' as $$
  with reported as (
    update private.object_removals r
    set reported_at = now()
    where r.attempts >= 5 and r.error_code is not null and r.reported_at is null
    returning r.bucket, r.reason, r.error_code
  )
  select r.bucket, r.reason, r.error_code, count(*) from reported r group by r.bucket, r.reason, r.error_code
$$;
comment on function private.report_failing_removals is 'Counts of objects that five attempts did not remove, each object counted once. Called by remove-objects, which logs them.';

create trigger dispatch_object_removals after insert on private.object_removals referencing new table as new_removals
for each statement execute function private.dispatch_object_removals();
