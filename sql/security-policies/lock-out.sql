-- What keeps a policy from locking out whoever enables it, or everybody who could disable it again: for every way of writing one, the
-- grid of Studio included.

-- As far as it can be told from this request.
create function private.refuse_to_lock_out(policy public.security_policies, compiled jsonpath) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  facts jsonb;
begin
  if (select auth.uid()) is null or policy.dry_run or not 'request' = any (policy.enforcement_points) then
    return;
  end if;
  facts := private.facts_of_request();
  if jsonb_path_match(facts, compiled, '{}', true)
    or jsonb_path_match(
      facts || '{"service": "functions", "function": "api", "path": "/api/security/policies"}', compiled, '{}', true
    )
  then
    if policy.actions @> '[{"action": "block_access"}]' then
      perform private.refuse(409, 'policy_blocks_caller', 'This policy would block you too. Leave your own requests out of its conditions.');
    elsif policy.actions @> '[{"action": "require_mfa"}]' and facts ->> 'aal' is distinct from 'aal2' then
      perform private.refuse(409, 'policy_blocks_caller', 'This policy would want a second factor of you too. Sign in with one first.');
    end if;
  end if;
end
$$;
comment on function private.refuse_to_lock_out is 'Error 409 policy_blocks_caller for a policy that would stop the person who enables it. Called by private.compile_policy.';

-- Facts of requests that may be: of each security administrator from addresses on both sides of every network that policies name, with
-- every browser that they name, and at every hour where they name hours. One that passes is enough, so that this mostly ends with the first.
create function private.an_administrator_passes() returns boolean
language sql stable security definer set search_path = '' as $$
  with stopping as materialized (
    select
      e.condition, e.enforcement_points, p.conditions, e.actions @> '[{"action": "require_mfa"}]' as wants_mfa,
      e.actions @> '[{"action": "block_access"}]'
        or e.actions @> '[{"action": "disable_users"}]'
        -- Fewer than ten at less than one a minute: too few to change a policy with.
        or jsonb_path_exists(e.actions, '$[*] ? (@.requests < 10 && @.period > 60 * @.requests)') as blocks
    from private.enabled_policies e
    join public.security_policies p on p.id = e.policy_id
    where not e.dry_run
  ),
  named as materialized (
    select distinct c ->> 'field' as field, v #>> '{}' as value
    from stopping s
    cross join jsonb_path_query(s.conditions, '$.** ? (exists(@.field))') as c
    cross join jsonb_path_query(c -> 'value', '$[*]') as v
    where s.blocks or s.wants_mfa
  ),
  networks as (
    select network(value::inet)::inet as first, broadcast(value::inet) as last
    from named
    where field = 'address' and pg_input_is_valid(value, 'inet')
  ),
  addresses as (
    select address
    from (
      values (inet '203.0.113.1'), (inet '2001:db8::1')
      union
      select set_masklen(network::inet + 1, case family(network) when 4 then 32 else 128 end)
      from private.known_networks
      where kind = 'campus'
      union
      select host(around)::inet
      from networks n
      cross join lateral (
        values
          (n.first), (n.last),
          (case when host(n.first) not in ('0.0.0.0', '::') then n.first - 1 end),
          (case when host(n.last) not in ('255.255.255.255', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff') then n.last + 1 end)
      ) as v (around)
      where around is not null
    ) as a (address)
    where private.network_kind(address) is distinct from 'platform'
    limit 30
  ),
  administrators as (
    select s.user_id from private.active_staff s where s.role = 'security_admin'
    union all
    -- Before there is the first one.
    select null where not exists (select from private.active_staff s where s.role = 'security_admin')
    limit 10
  ),
  browsers as (
    (select 'Mozilla/5.0' as user_agent union select value from named where field = 'user_agent') limit 5
  ),
  moments as (
    select hour, weekday
    from generate_series(0, case when exists (select from named where field = 'hour') then 23 else 0 end) as hour
    cross join generate_series(1, case when exists (select from named where field = 'weekday') then 7 else 1 end) as weekday
  ),
  known as materialized (
    select
      private.policy_facts(
        a.user_id, null, d.address,
        case when a.user_id is null then '{"signed_in": true, "role": ["security_admin"], "account_age": 1}'::jsonb else '{}' end
      ) as facts
    from administrators a
    cross join addresses d
  ),
  possible as (
    select
      k.facts
        || jsonb_build_object('user_agent', b.user_agent)
        || case when exists (select from named where field = 'hour') then jsonb_build_object('hour', m.hour) else '{}' end
        || case when exists (select from named where field = 'weekday') then jsonb_build_object('weekday', m.weekday) else '{}' end
        as facts
    from known k
    cross join browsers b
    cross join moments m
  )
  select exists (
    select
    from possible p
    where exists (
      select
      from unnest(array['password', 'otp']) as method
      where not exists (
        select
        from stopping s
        where s.blocks
          and 'sign_in' = any (s.enforcement_points)
          and jsonb_path_match(
            p.facts || jsonb_build_object('service', 'auth', 'aal', 'aal1', 'sign_in_method', method), s.condition, '{}', true
          )
      )
    )
    and exists (
      select
      from unnest(array['aal1', 'aal2']) as level
      cross join (
        values
          ('{"service": "functions", "function": "api", "method": "PUT", "path": "/api/security/policies/pol_any"}'::jsonb),
          ('{"service": "rest", "method": "PATCH", "path": "/security_policies"}')
      ) as r (request)
      where not exists (
        select
        from stopping s
        where (s.blocks or s.wants_mfa and level = 'aal1')
          and 'request' = any (s.enforcement_points)
          and jsonb_path_match(p.facts || r.request || jsonb_build_object('aal', level), s.condition, '{}', true)
      )
    )
  )
$$;
comment on function private.an_administrator_passes is 'Whether the enabled policies leave a security administrator a way to sign in and change a policy, from somewhere and at some time. Called by private.refuse_to_lock_out_everybody.';

create function private.refuse_to_lock_out_everybody(policy public.security_policies) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not policy.dry_run and not private.an_administrator_passes() then
    perform private.refuse(
      409, 'policy_blocks_caller',
      'This policy would stop every security administrator, and nobody could disable it again. Leave theirs out of its conditions.'
    );
  end if;
end
$$;
comment on function private.refuse_to_lock_out_everybody is 'Error 409 policy_blocks_caller for a policy with which no security administrator could sign in and change one. Called by private.compile_policy.';
