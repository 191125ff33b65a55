-- What keeps somebody out now, whoever ordered it: an administrator, detection, a security policy or somebody in the grid of Studio.

create function private.list_blocks()
returns table (
  action text, target text, reason text, incident_id text, since timestamptz, until timestamptz, times integer, is_active boolean
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_security_admin();
  return query
  select 'block_ip', text(b.network), b.reason, b.incident_id, b.blocked_at, b.until, b.times, b.until > now()
  from private.blocked_addresses b
  union all
  select 'disable_user', d.account::text, d.reason, d.incident_id, d.disabled_at, null, 1, true
  from private.disabled_accounts d
  union all
  select 'quarantine', q.function_name, q.reason, q.incident_id, q.since, null, 1, true
  from private.quarantines q
  order by 8 desc, 5 desc, 2;
end
$$;
comment on function private.list_blocks is 'Implementation of public.list_blocks, which calls it.';

create function public.list_blocks()
returns table (
  action text, target text, reason text, incident_id text, since timestamptz, until timestamptz, times integer, is_active boolean
)
language sql stable set search_path = ''
begin atomic
  select b.action, b.target, b.reason, b.incident_id, b.since, b.until, b.times, b.is_active from private.list_blocks() b;
end;
comment on function public.list_blocks is 'Addresses that are or were blocked, accounts that are disabled and functions in quarantine: what is in force first, the newest first. Called by security administrators.';

-- Part of the incident that it answered, as long as its timeline has room: whoever reads the incident sees that it was taken back, and why.
create function private.lift_block(action text, target text, reason text) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  said constant text := btrim(reason);
  incident text;
  found_one boolean;
  outcome jsonb;
begin
  perform private.require_security_admin();
  if char_length(coalesce(said, '')) not between 1 and 500 then
    perform private.refuse(400, 'invalid_value', 'A block is lifted with a reason of up to 500 characters.');
  end if;
  if (
    case action
      when 'block_ip' then pg_input_is_valid(target, 'inet')
      when 'disable_user' then pg_input_is_valid(target, 'uuid')
      when 'quarantine' then true
    end
  ) is not true then
    perform private.refuse(400, 'invalid_value', 'The target does not fit the action.');
  end if;
  select b.incident_id, true into incident, found_one
  from private.list_blocks() b
  where b.is_active and b.action = action
    and b.target = case action
      when 'block_ip' then text(private.block_network(target::inet))
      when 'disable_user' then target::uuid::text
      else target
    end;
  -- Doing it again changes nothing.
  if found_one is not true then
    return jsonb_build_object('action', action, 'target', target, 'undone', true, 'status', 'done');
  end if;
  if exists (select from public.security_incidents i where i.id = incident and jsonb_array_length(i.timeline) < 980) then
    perform private.explain_incident(incident, said, false);
    return private.respond_to_incident(incident, action, target, true);
  end if;
  outcome := case action
    when 'block_ip' then private.unblock_address(target::inet)
    when 'disable_user' then private.enable_account(target::uuid)
    else private.quarantine(target, true, said, null)
  end;
  perform private.audit_at_end(
    'response_action', target_type => 'security_incidents', target_id => incident,
    details => jsonb_build_object('action', action, 'undone', true, 'status', outcome -> 'status', 'reason', said),
    subject => case when action = 'disable_user' then target::uuid end
  );
  return outcome || jsonb_build_object('action', action, 'target', target, 'undone', true);
end
$$;
comment on function private.lift_block is 'Implementation of public.lift_block, which calls it.';

create function public.lift_block(action text, target text, reason text) returns jsonb
language sql set search_path = ''
begin atomic select private.lift_block(action, target, reason); end;
comment on function public.lift_block is 'Lifts the block of an address (block_ip), enables an account (disable_user) or ends a quarantine, whoever ordered it, with the reason: in the timeline of the incident that it answered, or in the audit log. Returns what respond_to_incident does. Called by security administrators.';

create function private.look_up_address(address inet) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  looked_up constant cidr := private.block_network(address);
begin
  perform private.require_security_admin();
  return jsonb_build_object(
    'network', looked_up,
    'kind', private.network_kind(address),
    'problem', private.why_not_blocked(address),
    'is_own', coalesce(private.block_network(private.request_ip()) = looked_up, false),
    'blocked', (
      select jsonb_build_object(
        'reason', b.reason, 'incident_id', b.incident_id, 'since', b.blocked_at, 'until', b.until, 'times', b.times,
        'is_active', b.until > now()
      )
      from private.blocked_addresses b
      where b.network = looked_up
    ),
    'last_day', (
      select jsonb_build_object(
        'accounts', count(distinct e.account) filter (where e.kind = 'sign_in_succeeded'),
        'sign_ins', coalesce(sum(e.occurrences) filter (where e.kind = 'sign_in_succeeded'), 0),
        'failed_sign_ins', coalesce(sum(e.occurrences) filter (where e.kind = 'sign_in_failed'), 0)
      )
      from private.security_events e
      where e.kind = any ('{sign_in_succeeded,sign_in_failed}') and e.address = looked_up and e.minute > now() - interval '1 day'
    )
  );
end
$$;
comment on function private.look_up_address is 'Implementation of public.look_up_address, which calls it.';

create function public.look_up_address(address inet) returns jsonb
language sql stable set search_path = ''
begin atomic select private.look_up_address(address); end;
comment on function public.look_up_address is 'What a block of an address would reach: {network, kind: campus, platform or null, problem: why it is never blocked, is_own, blocked: the block there is or was, last_day: {accounts, sign_ins, failed_sign_ins}}. Called by security administrators before they block one.';

create function private.incident_transitions() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_security_admin();
  return (
    select jsonb_object_agg(
      s,
      (select coalesce(jsonb_agg(f order by f), '[]') from unnest(enum_range(null::public.incident_status)) f where private.may_become(s, f))
    )
    from unnest(enum_range(null::public.incident_status)) s
  );
end
$$;
comment on function private.incident_transitions is 'Implementation of public.incident_transitions, which calls it.';

create function public.incident_transitions() returns jsonb
language sql stable set search_path = ''
begin atomic select private.incident_transitions(); end;
comment on function public.incident_transitions is 'Which statuses an incident may go to, from each: {open: [investigating, …], …}. Called by security administrators.';
