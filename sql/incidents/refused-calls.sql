create table private.blocked_addresses (
  network cidr not null constraint blocked_addresses_pkey primary key,
  reason text not null constraint blocked_addresses_reason_length check (char_length(reason) between 1 and 500),
  incident_id text constraint blocked_addresses_incident_id_fkey references public.security_incidents (id) on delete set null,
  blocked_at timestamptz not null default now(),
  until timestamptz not null constraint blocked_addresses_until_finite check (isfinite(until)),
  times integer not null default 1 constraint blocked_addresses_times_range check (times between 1 and 1000),
  sessions_from timestamptz not null default now()
);
select private.describe('private.blocked_addresses', 'Addresses that are, or were, blocked.', $$
  network: The address; of IPv6 its network of 64 bits, of which one caller has all addresses.
  reason: Why.
  incident_id: The incident that it responds to.
  blocked_at: When it was blocked last.
  until: Until when.
  times: How often it was blocked, each time for twice as long, a day at most.
  sessions_from: Sessions that began before then pass: when it was blocked, or earlier where somebody who guessed passwords from there got in.
$$);
create index blocked_addresses_incident_id_idx on private.blocked_addresses (incident_id);
create index blocked_addresses_until_idx on private.blocked_addresses (until);

select private.declare_data('private.blocked_addresses',
  '{network, reason, incident_id, blocked_at, until, times, sessions_from}', 'To refuse addresses that attacks come from.',
  'caller', 'activity', erasure => 'keep', reason => 'No account leads to an address; deleted with its term.',
  term => 'security_events');
select private.declare_purge('security_events', 'private.blocked_addresses', 'd.until < $1');
select private.declare_audited('private.blocked_addresses', null);

create function private.guard_block() returns trigger
language plpgsql set search_path = '' as $$
declare
  problem constant text := private.why_not_blocked(new.network);
begin
  if problem is not null then
    raise exception '%', problem using errcode = 'check_violation';
  end if;
  new.network := private.block_network(new.network);
  return new;
end
$$;
comment on function private.guard_block is 'Trigger: what is blocked is one caller''s, and is stored as it is looked up.';

create trigger guard_block before insert or update of network on private.blocked_addresses
for each row execute function private.guard_block();

-- On the path of every request, so in PL/pgSQL, which caches its plan: one look into the primary key, and one into the sessions
-- of an address that is blocked.
create function private.is_blocked(address inet, session uuid default null) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  barred_from timestamptz;
begin
  if address is null then
    return false;
  end if;
  select b.sessions_from
  into barred_from
  from private.blocked_addresses b
  where b.network = private.block_network(address) and b.until > now();
  if not found then
    return false;
  end if;
  return not exists (select from auth.sessions s where s.id = session and s.created_at < barred_from);
end
$$;
comment on function private.is_blocked is 'Whether an address is blocked now for a request of this session: one that began before the block passes. Called by private.refuse_blocked, private.signed_in_account, Auth''s hooks and the edge functions.';

create function private.block_notice(address inet) returns text
language sql stable security definer set search_path = '' as $$
  select 'This address is blocked until ' || private.utc_minute(
    coalesce((select b.until from private.blocked_addresses b where b.network = private.block_network(address)), now())
  ) || ' UTC. Whoever was signed in before can go on.'
$$;
comment on function private.block_notice is 'What somebody is told whose address is blocked. Called by private.refuse_blocked and private.custom_access_token.';

create function private.block_address(
  address inet, until timestamptz, reason text, incident text default null, sessions_from timestamptz default now()
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  problem constant text := private.why_not_blocked(address);
  blocked private.blocked_addresses;
begin
  if problem is not null then
    return jsonb_build_object('status', 'failed', 'detail', problem);
  end if;
  insert into private.blocked_addresses as b (network, reason, incident_id, until, sessions_from)
  values (
    private.block_network(address), left(reason, 500), incident, coalesce(block_address.until, now() + interval '1 hour'),
    block_address.sessions_from
  )
  on conflict on constraint blocked_addresses_pkey do update
  set reason = excluded.reason, incident_id = excluded.incident_id,
    blocked_at = case when b.until > now() then b.blocked_at else now() end,
    times = case when b.until > now() then b.times else least(b.times + 1, 1000) end,
    sessions_from = case when b.until > now() then least(b.sessions_from, excluded.sessions_from) else excluded.sessions_from end,
    until = greatest(
      b.until,
      coalesce(
        block_address.until,
        case when b.until > now() then b.until else now() + least(interval '1 hour' * power(2, least(b.times, 5)), interval '1 day') end
      )
    )
  returning * into blocked;
  return jsonb_build_object('status', 'done', 'until', blocked.until, 'times', blocked.times);
end
$$;
comment on function private.block_address is 'Blocks an address until a time; without one for an hour, and each further time for twice as long, a day at most; who signed in before passes. Nothing changes for one that is blocked as long. Returns {status, until | detail}. Called by detection and by public.respond_to_incident.';

create function private.unblock_address(address inet) returns jsonb
language sql security definer set search_path = '' as $$
  update private.blocked_addresses set until = now() where network = private.block_network(address) and until > now();
  select '{"status": "done"}'::jsonb
$$;
comment on function private.unblock_address is 'Lifts the block of an address. Called by public.respond_to_incident.';

create function private.refuse_blocked() returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  address constant inet := private.request_ip();
  help constant text := 'In danger, call the emergency services (112, 911, 999 or 000). Somebody to talk to: https://findahelpline.com';
begin
  if (select auth.role()) = 'service_role' then
    return;
  end if;
  if private.is_blocked(
    address, case when pg_input_is_valid(auth.jwt() ->> 'session_id', 'uuid') then (auth.jwt() ->> 'session_id')::uuid end
  ) then
    raise exception '%', private.block_notice(address)
      using errcode = 'PT403', hint = 'address_blocked',
        detail = concat_ws(' ', 'Ask ' || (select s.blocked_contact from private.detection_settings s) || '.', help);
  end if;
  if exists (select from auth.users where id = (select auth.uid()) and banned_until > now()) then
    raise exception 'This account is disabled.' using errcode = 'PT403', detail = help, hint = 'account_disabled';
  end if;
end
$$;
comment on function private.refuse_blocked is 'Refuses requests from blocked addresses, but for sessions of before, and those of disabled accounts; says whom to ask and where help is. Called by public.check_request.';

create function private.is_edge_function(name text) returns boolean
language sql immutable set search_path = '' as $$
  select name = any (array[
    'analyze-audio', 'analyze-text', 'analyze-visual', 'api', 'buddy', 'calculate-wellbeing-score', 'checkins', 'deliver-messages',
    'export-data', 'pipeline-audio', 'pipeline-crisis', 'pipeline-fusion', 'pipeline-text', 'pipeline-transcription', 'pipeline-visual',
    'probe-security', 'remove-objects'
  ])
$$;
comment on function private.is_edge_function is 'Whether an edge function has this name, as supabase/config.toml declares them. Called where one is quarantined: any other name would switch off nothing.';

create table private.quarantines (
  function_name text not null constraint quarantines_pkey primary key,
  reason text not null constraint quarantines_reason_length check (char_length(reason) between 1 and 500),
  incident_id text constraint quarantines_incident_id_fkey references public.security_incidents (id) on delete set null,
  since timestamptz not null default now(),
  constraint quarantines_function_known check (function_name = '*' or private.is_edge_function(function_name))
);
select private.describe('private.quarantines', 'Edge functions that answer nothing but 503 quarantined.', $$
  function_name: The function; * for all.
  reason: Why.
  incident_id: The incident that it responds to.
  since: Since when.
$$);
create index quarantines_incident_id_idx on private.quarantines (incident_id);

select private.declare_data('private.quarantines', '{function_name, reason, incident_id, since}',
  'Functions that are switched off.');
select private.declare_audited('private.quarantines', 'function_name');

create function private.check_call(address inet, called text)
returns table (code text, retry_s integer, until timestamptz, contact text, resources jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select
    'address_blocked',
    greatest(1, ceil(extract(epoch from b.until - now())))::integer,
    b.until,
    (select s.blocked_contact from private.detection_settings s),
    private.university_crisis_resources(null)
  from private.blocked_addresses b
  where address is not null and b.network = private.block_network(address) and b.until > now()
  union all
  select 'quarantined', 60, null, null, private.university_crisis_resources(null) from private.quarantines q
  where q.function_name in (called, '*')
  order by 1;
end
$$;
comment on function private.check_call is 'Why a call of a function is refused, for how many seconds, for a blocked address until when and whom to ask, and the help that nothing keeps from anybody; no row when it is not, a row for each reason. Called by the edge functions before each call.';

create function private.quarantine(called text, lift boolean, reason text, incident text) returns jsonb
language plpgsql set search_path = '' as $$
begin
  if lift then
    delete from private.quarantines where function_name = called;
  else
    insert into private.quarantines (function_name, reason, incident_id)
    values (called, left(reason, 500), incident)
    on conflict on constraint quarantines_pkey do nothing;
  end if;
  return '{"status": "done"}';
end
$$;
comment on function private.quarantine is 'Quarantines a function, or all (*), or lifts that. Called by private.respond_to_incident.';
