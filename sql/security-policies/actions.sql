create type private.policy_action as enum ('send_alerts', 'disable_users', 'create_audit_trails');
comment on type private.policy_action is 'Actions of security policies that are taken once for a person or an address within a time.';

-- A row for each connection, so that no two requests wait for each other.
create table private.policy_triggers (
  policy_id text not null constraint policy_triggers_policy_id_fkey references public.security_policies (id) on delete cascade,
  backend integer not null,
  triggered bigint not null,
  last_triggered timestamptz not null,
  constraint policy_triggers_pkey primary key (policy_id, backend)
);
select private.describe('private.policy_triggers',
  'How often policies applied since the last minute; then added to public.security_policies and private.policy_days, and deleted.', $$
  policy_id: The policy.
  backend: Process of the connection that counted.
  triggered: How often.
  last_triggered: When it applied last.
$$);

select private.declare_term('policy_firings', '1 day', 'What security policies did to whom: from then.');
select private.declare_data('private.policy_triggers', '{policy_id, backend, triggered, last_triggered}',
  'How often policies applied since the last minute.');
select private.declare_unaudited('private.policy_triggers', 'How policies were met, until it is counted.');

create table private.policy_days (
  policy_id text not null constraint policy_days_policy_id_fkey references public.security_policies (id) on delete cascade,
  day date not null,
  triggered bigint not null,
  constraint policy_days_pkey primary key (policy_id, day)
);
select private.describe('private.policy_days', 'How often policies applied on each of the last 90 days.', $$
  policy_id: The policy.
  day: The day, UTC.
  triggered: How often.
$$);

select private.declare_data('private.policy_days', '{policy_id, day, triggered}', 'How often policies applied each day.');
select private.declare_unaudited('private.policy_days', 'Counters of how policies were met.');

create table private.policy_firings (
  id bigint generated always as identity constraint policy_firings_pkey primary key,
  policy_id text not null constraint policy_firings_policy_id_fkey references public.security_policies (id) on delete cascade,
  action private.policy_action not null,
  account uuid constraint policy_firings_account_fkey references auth.users (id) on delete cascade,
  address inet,
  fired_at timestamptz not null default now(),
  constraint policy_firings_once unique nulls not distinct (policy_id, action, account, address)
);
select private.describe('private.policy_firings',
  'What policies did to whom, so that a flood of requests alerts once. A trigger acts when the row is written or renewed.', $$
  id: Number of the entry.
  policy_id: The policy.
  action: What it did.
  account: The account whose request it applied to; null when nobody was signed in.
  address: The address of that request; null where it was not known.
  fired_at: When.
$$);
alter table private.policy_firings alter column account set statistics 0; -- see public.user_roles
create index policy_firings_account_idx on private.policy_firings (account);
create index policy_firings_fired_at_idx on private.policy_firings (fired_at);

select private.declare_data('private.policy_firings', '{id, policy_id, action, account, address, fired_at}',
  'To alert once of one thing, and to disable and log no more often than needed.', 'account', 'activity', 't.account = $1',
  term => 'policy_firings');
select private.declare_purge('policy_firings', 'private.policy_firings', 'd.fired_at < $1', oldest => 'fired_at');
select private.declare_audited('private.policy_firings', 'id', 'by_hand');

create function private.count_policy_trigger(policy text) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.policy_triggers as t (policy_id, backend, triggered, last_triggered)
  values (policy, pg_backend_pid(), 1, clock_timestamp())
  on conflict on constraint policy_triggers_pkey do update
  set triggered = t.triggered + 1, last_triggered = excluded.last_triggered;
end
$$;
comment on function private.count_policy_trigger is 'Counts that a policy applied. Called where policies are evaluated and enforced.';

create function private.roll_up_policy_triggers() returns void
language sql set search_path = '' as $$
  with taken as (
    delete from private.policy_triggers t
    where (t.policy_id, t.backend) in (select d.policy_id, d.backend from private.policy_triggers d for update skip locked)
    returning t.policy_id, t.triggered, t.last_triggered
  ),
  sums as (
    select policy_id, sum(triggered)::bigint as triggered, max(last_triggered) as last_triggered from taken group by policy_id
  ),
  days as (
    insert into private.policy_days as d (policy_id, day, triggered)
    select policy_id, (last_triggered at time zone 'UTC')::date, triggered from sums
    on conflict on constraint policy_days_pkey do update set triggered = d.triggered + excluded.triggered
  ),
  outdated as (
    delete from private.policy_days where day < (now() at time zone 'UTC')::date - 90
  )
  update public.security_policies p
  set trigger_count = least(p.trigger_count + s.triggered, 2147483647),
    last_triggered = greatest(p.last_triggered, s.last_triggered)
  from sums s
  where p.id = s.policy_id
$$;
comment on function private.roll_up_policy_triggers is 'Adds what was counted since the last call to the policies and their days. Called by cron every minute.';
select cron.schedule('roll-up-policy-triggers', '* * * * *', 'select private.roll_up_policy_triggers()');

create function private.fire_policy_action(policy text, action private.policy_action, account uuid, address inet) returns void
language plpgsql set search_path = '' as $$
declare
  again_after constant interval := case action when 'send_alerts' then '1 hour' else '1 minute' end;
begin
  -- Asks first, because an insert would lock the row even where it changes nothing.
  if exists (
    select
    from private.policy_firings f
    where f.policy_id = policy
      and f.action = fire_policy_action.action
      and f.account is not distinct from fire_policy_action.account
      and f.address is not distinct from fire_policy_action.address
      and f.fired_at > now() - again_after
  ) then
    return;
  end if;
  insert into private.policy_firings as f (policy_id, action, account, address)
  values (policy, fire_policy_action.action, fire_policy_action.account, fire_policy_action.address)
  on conflict on constraint policy_firings_once do update set fired_at = excluded.fired_at
  where f.fired_at <= excluded.fired_at - again_after;
end
$$;
comment on function private.fire_policy_action is 'Takes an action of a policy, unless it was taken for this account and address within the last hour (alerts) or minute. Called by private.enforce_policies.';

create function private.take_policy_action(policy text, action private.policy_action, account uuid, address inet) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  policy_name constant text := (select p.name from public.security_policies p where p.id = policy);
begin
  case action
    when 'send_alerts' then
      return private.send_security_alert(
        'Security policy: ' || policy_name,
        format(
          E'The policy "%s" (%s) applied.\n\nAccount: %s\nAddress: %s\nTime: %s\n',
          policy_name, policy, coalesce(account::text, 'nobody signed in'), coalesce(host(address), 'not known'),
          to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
        ) || coalesce(E'\nOpen it: ' || private.staff_link('/policies/' || policy), ''),
        null,
        policy
      );
    when 'disable_users' then
      if account is null then
        return '{"status": "failed", "detail": "Nobody is signed in."}';
      end if;
      return private.disable_account(account, 'Security policy: ' || policy_name);
    when 'create_audit_trails' then
      perform private.audit('policy_triggered', null, 'security_policies', policy, actor => account, ip => address);
      return '{"status": "done"}';
  end case;
end
$$;
comment on function private.take_policy_action is 'Alerts, disables or logs; returns {status: done or failed, detail?}. Called by private.act_on_firing and private.try_policies.';

-- At the end of the transaction: an entry of the audit log locks its chain.
create function private.act_on_firing() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.take_policy_action(new.policy_id, new.action, new.account, new.address);
  return null;
exception
  -- What a policy cannot do must not undo the request that it applied to.
  when others then
    raise warning 'The action % of the policy % failed: %', new.action, new.policy_id, sqlerrm;
    return null;
end
$$;
comment on function private.act_on_firing is 'Trigger: takes the action that the row says, and lets the request pass when that fails.';

create constraint trigger act_on_firing
after insert or update on private.policy_firings
deferrable initially deferred
for each row execute function private.act_on_firing();

create function private.try_policies(context jsonb, point public.enforcement_point, enforce boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  evaluated jsonb;
begin
  perform private.require_security_admin();
  evaluated := private.evaluate_policies(context, point::text);
  perform private.count_policy_trigger(p ->> 'id') from jsonb_array_elements(evaluated -> 'policies') as p where p -> 'holds' = 'true';
  return jsonb_set(
    evaluated,
    '{policies}',
    coalesce(
      (
        select jsonb_agg(
          p.policy || jsonb_build_object(
            'actions',
            (
              select jsonb_agg(a.action || private.outcome_of_action(p.policy, a.action, context, enforce) order by a.place)
              from jsonb_array_elements(p.policy -> 'actions') with ordinality as a (action, place)
            )
          )
          order by p.place
        )
        from jsonb_array_elements(evaluated -> 'policies') with ordinality as p (policy, place)
      ),
      '[]'
    )
  );
end
$$;
comment on function private.try_policies is 'Implementation of public.evaluate_policies, which calls it.';

create function private.outcome_of_action(policy jsonb, action jsonb, context jsonb, enforce boolean) returns jsonb
language plpgsql set search_path = '' as $$
declare
  named constant text := action ->> 'action';
  account constant uuid := context ->> 'account';
  address constant inet := context ->> 'address';
begin
  if policy -> 'holds' <> 'true' then
    return '{"outcome": "not_triggered"}';
  elsif policy -> 'dry_run' = 'true' then
    return '{"outcome": "dry_run"}';
  elsif named in ('block_access', 'require_mfa', 'apply_rate_limits') then
    return '{"outcome": "in_force"}';
  elsif not enforce then
    return '{"outcome": "would_act"}';
  elsif named = 'log_events' then
    perform private.note_security_event('policy_triggered', account, address, jsonb_build_object(policy ->> 'id', true));
    return '{"outcome": "done"}';
  end if;
  return (
    select jsonb_strip_nulls(jsonb_build_object('outcome', t.taken -> 'status', 'detail', t.taken -> 'detail'))
    from (select private.take_policy_action(policy ->> 'id', named::private.policy_action, account, address)) as t (taken)
  );
end
$$;
comment on function private.outcome_of_action is 'What becomes of an action of an evaluated policy: {outcome: not_triggered, dry_run, in_force, would_act, done or failed, detail?}; with enforce it acts. Called by private.try_policies.';

create function public.evaluate_policies(
  context jsonb, enforcement_point public.enforcement_point default 'request', enforce boolean default false
) returns jsonb
language sql set search_path = ''
begin atomic select private.try_policies(context, enforcement_point, enforce); end;
comment on function public.evaluate_policies is 'What the enabled policies say of a context {account?, address?, path?, …}, as private.evaluate_policies says, with what becomes of each action; counts, and with enforce acts. Called by security administrators.';

create function private.policy_statistics() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_security_admin();
  return (
    with counted as (
      select
        p.*,
        p.trigger_count + coalesce(n.triggered, 0) as triggered,
        greatest(p.last_triggered, n.last_triggered) as triggered_at,
        coalesce(n.triggered, 0) + coalesce(d.triggered, 0) as last_30_days
      from public.security_policies p
      left join lateral (
        select sum(t.triggered)::bigint as triggered, max(t.last_triggered) as last_triggered
        from private.policy_triggers t
        where t.policy_id = p.id
      ) n on true
      left join lateral (
        select sum(y.triggered)::bigint as triggered
        from private.policy_days y
        where y.policy_id = p.id and y.day > (now() at time zone 'UTC')::date - 30
      ) d on true
    )
    select jsonb_build_object(
      'policies', count(*),
      'enabled', count(*) filter (where enabled),
      'dry_run', count(*) filter (where enabled and dry_run),
      'triggered', coalesce(sum(triggered), 0),
      'triggered_last_30_days', coalesce(sum(last_30_days), 0),
      'by_category', (
        select jsonb_object_agg(c, (select count(*) from counted where category = c and enabled))
        from unnest(enum_range(null::public.policy_category)) as c
      ),
      'by_action', (
        select coalesce(jsonb_object_agg(action, number), '{}')
        from (
          select a ->> 'action' as action, count(*) as number
          from counted, jsonb_array_elements(actions) as a
          where enabled
          group by 1
        ) as of_action
      ),
      'most_triggered', coalesce(
        (
          select jsonb_agg(to_jsonb(m) order by m.triggered desc, m.id)
          from (
            select id, name, enabled, dry_run, triggered, last_30_days as triggered_last_30_days, triggered_at as last_triggered
            from counted
            order by triggered desc, id
            limit 20
          ) as m
        ),
        '[]'
      )
    )
    from counted
  );
end
$$;
comment on function private.policy_statistics is 'Implementation of public.policy_statistics, which calls it.';

create function public.policy_statistics() returns jsonb
language sql stable set search_path = ''
begin atomic select private.policy_statistics(); end;
comment on function public.policy_statistics is 'How many policies there are, by category and by action, and how often they applied: {policies, enabled, dry_run, triggered, triggered_last_30_days, by_category, by_action, most_triggered}. Called by security administrators.';
