-- The way of a volume: dispatched, claimed, built, and with the last one the export announced, or failed.
-- Whoever changes an export locks first the account, then the export, then its volumes; what does not wait for a lock may skip one.

create function private.dispatch_exports() returns void
language sql set search_path = '' as $$
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

create function private.claim_export_volume() returns table (
  export_id uuid, ordinal smallint, attempts smallint, content private.export_content, object_name text, since timestamptz,
  until timestamptz, objects jsonb, lease_ms double precision, user_id uuid, include_name boolean, created_at timestamptz
)
language plpgsql set search_path = '' as $$
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
$$;
comment on function private.claim_export_volume is 'Claims the next volume for one attempt: no row when there is none, or enough are being built. Called by export-data.';

create function private.broadcast_export(export private.exports) returns void
language sql security definer set search_path = '' as $$
  select private.broadcast_account(
    export.user_id, 'export',
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

create function private.queue_export_email(export private.exports, about text, body text) returns void
language sql security definer set search_path = '' as $$
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body)
  select 'email', 'export', u.id, u.email, about, body
  from auth.users u
  where u.id = export.user_id and u.email is not null
$$;
comment on function private.queue_export_email is 'Queues an email to the person about their export, without anything personal in it. Called by the queue of exports.';

create function private.announce_ready_export(export private.exports, token text) returns void
language sql security definer set search_path = '' as $$
  select private.broadcast_export(export), private.queue_export_email(
    export, 'Your data is ready to download',
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

create function private.lock_account_of_export(export uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform from auth.users where id = (select e.user_id from private.exports e where e.id = export) for key share;
  return found;
end
$$;
comment on function private.lock_account_of_export is 'Locks the account whose export it is, before anything else; false when there is none any more. Called by the queue of exports.';

create function private.finish_export_volume(export uuid, volume smallint, attempt smallint, size bigint, missing integer)
returns boolean
language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function private.finish_export_volume is 'Stores that a volume was built, of this size and without so many objects that are gone; after the last one the export is ready and announced. False when this attempt is no longer the current one. Called by export-data.';

create function private.end_export(export uuid, outcome private.export_status, code text default null) returns boolean
language plpgsql security definer set search_path = '' as $$
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
      stored, 'Your data could not be prepared',
      'The copy of your data that you asked for could not be prepared, and we know of it. Please ask for it again in the app; this try does not count against the daily limit.'
    );
  end if;
  return true;
end
$$;
comment on function private.end_export is 'Ends an export and queues its objects for removal; false when it has ended already. Called by private.cancel_export, by the queue of exports and by erasure.';

create function private.fail_export_volume(export uuid, volume smallint, attempt smallint, code text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update private.export_volumes v
  set status = 'queued', error_code = code, due_at = now() + private.retry_delay(s.retry_backoff, v.attempts)
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
comment on function private.fail_export_volume is 'Ends an attempt that failed: the volume is queued again with backoff, or the export has failed. Called by export-data.';

create function private.release_export_volume(export uuid, volume smallint, attempt smallint) returns void
language sql security definer set search_path = '' as $$
  update private.export_volumes v
  set status = 'queued', due_at = '-infinity'
  where v.export_id = export and v.ordinal = volume and v.attempts = attempt and v.status = 'running'
$$;
comment on function private.release_export_volume is 'Gives back a volume whose worker is about to be ended. Called by export-data.';

create function private.dispatch_due_exports(at timestamptz default now()) returns void
language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function private.dispatch_due_exports is 'Dispatches volumes whose webhook or worker was lost, fails exports that are out of attempts, and ends those whose time is over. Called by cron.';
select cron.schedule('dispatch-due-exports', '10 seconds', 'select private.dispatch_due_exports()');
