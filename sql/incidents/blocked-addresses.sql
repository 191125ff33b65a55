create table private.blocked_addresses (
  network cidr not null,
  reason text not null,
  incident_id text,
  blocked_at timestamptz not null default now(),
  until timestamptz not null,
  times integer not null default 1,
  sessions_from timestamptz not null default now(),
  constraint blocked_addresses_pkey primary key (network),
  constraint blocked_addresses_incident_id_fkey foreign key (incident_id) references public.security_incidents (id) on delete set null,
  constraint blocked_addresses_reason_length check (char_length(reason) between 1 and 500),
  constraint blocked_addresses_times_range check (times between 1 and 1000)
);
comment on table private.blocked_addresses is 'Addresses that are, or were, blocked.';
comment on column private.blocked_addresses.network is 'The address; of IPv6 its network of 64 bits, of which one caller has all addresses.';
comment on column private.blocked_addresses.reason is 'Why.';
comment on column private.blocked_addresses.incident_id is 'The incident that it responds to.';
comment on column private.blocked_addresses.blocked_at is 'When it was blocked last.';
comment on column private.blocked_addresses.until is 'Until when.';
comment on column private.blocked_addresses.times is 'How often it was blocked, each time for twice as long, a day at most.';
comment on column private.blocked_addresses.sessions_from is
  'Sessions that began before then pass: when it was blocked, or earlier where somebody who guessed passwords from there got in.';
create index blocked_addresses_incident_id_idx on private.blocked_addresses (incident_id);
create index blocked_addresses_until_idx on private.blocked_addresses (until);

select private.declare_data('private.blocked_addresses',
  '{network, reason, incident_id, blocked_at, until, times, sessions_from}', 'To refuse addresses that attacks come from.',
  'caller', 'activity', erasure => 'keep', reason => 'No account leads to an address; deleted with its term.',
  term => 'security_events');
select private.declare_purge('security_events', 'private.blocked_addresses', 'd.until < $1');

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
comment on function private.is_blocked is
  'Whether an address is blocked now for a request of this session: one that began before the block passes. Called by private.refuse_blocked, private.signed_in_account, Auth''s hooks and the edge functions.';

create function private.block_notice(address inet) returns text
language sql stable security definer set search_path = '' as $$
  select 'This address is blocked until ' || to_char(
    coalesce((select b.until from private.blocked_addresses b where b.network = private.block_network(address)), now()) at time zone 'UTC',
    'YYYY-MM-DD HH24:MI'
  ) || ' UTC. Whoever was signed in before can go on.'
$$;
comment on function private.block_notice is 'What somebody is told whose address is blocked. Called by private.refuse_blocked and private.custom_access_token.';

create function private.block_address(
  address inet, until timestamptz, reason text, incident text default null, sessions_from timestamptz default now()
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  blocked private.blocked_addresses;
begin
  if private.network_kind(address) is not null then
    return jsonb_build_object('status', 'failed', 'detail', 'This network is known, and is never blocked.');
  end if;
  insert into private.blocked_addresses as b (network, reason, incident_id, until, sessions_from)
  values (
    private.block_network(address),
    left(reason, 500),
    incident,
    coalesce(block_address.until, now() + interval '1 hour'),
    block_address.sessions_from
  )
  on conflict on constraint blocked_addresses_pkey do update
  set
    reason = excluded.reason,
    incident_id = excluded.incident_id,
    blocked_at = case when b.until > now() then b.blocked_at else now() end,
    times = case when b.until > now() then b.times else least(b.times + 1, 1000) end,
    sessions_from = case
      when b.until > now() then least(b.sessions_from, excluded.sessions_from)
      else excluded.sessions_from
    end,
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
comment on function private.block_address is
  'Blocks an address until a time; without one for an hour, and each further time for twice as long, a day at most; who signed in before passes. Nothing changes for one that is blocked as long. Returns {status, until | detail}. Called by detection and by public.respond_to_incident.';

create function private.unblock_address(address inet) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  update private.blocked_addresses set until = now() where network = private.block_network(address) and until > now();
  return '{"status": "done"}';
end
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
comment on function private.refuse_blocked is
  'Refuses requests from blocked addresses, but for sessions of before, and those of disabled accounts; says whom to ask and where help is. Called by public.check_request.';
