create type public.policy_category as enum (
  'access_control', 'data_protection', 'authentication', 'compliance', 'incident_response', 'monitoring'
);
comment on type public.policy_category is 'What a security policy is about.';

create type public.policy_type as enum ('preventive', 'detective', 'corrective');
comment on type public.policy_type is 'Whether a security policy prevents something, notices it, or mends it.';

create type public.enforcement_point as enum ('request', 'sign_in');
comment on type public.enforcement_point is 'Where security policies are enforced: on each request to the functions, REST, Storage and Realtime, and whenever Auth issues a token.';

create table public.security_policies (
  id text not null default 'pol_' || replace(gen_random_uuid()::text, '-', '') constraint security_policies_pkey primary key,
  name text not null,
  category public.policy_category not null,
  type public.policy_type not null,
  conditions jsonb not null constraint security_policies_conditions_size check (octet_length(conditions::text) <= 16000),
  actions jsonb not null constraint security_policies_actions_size check (octet_length(actions::text) <= 2000),
  enforcement_points public.enforcement_point[] not null default '{request,sign_in}',
  priority integer not null constraint security_policies_priority_range check (priority between 1 and 1000),
  enabled boolean not null default true,
  dry_run boolean not null default false,
  trigger_count integer not null default 0,
  last_triggered timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint security_policies_id_form check (id ~ '^pol_[a-z0-9_]{1,60}$'),
  constraint security_policies_name_form check (char_length(name) >= 1 and char_length(name) <= 200 and name !~ '[[:cntrl:]]'),
  constraint security_policies_enforcement_points_some check (cardinality(enforcement_points) between 1 and 2)
);
select private.describe('public.security_policies',
  'What is done when conditions hold: docs/security-policies.md. Policies are disabled, never deleted, so that what they did can be told.', $$
  id: The policy, such as pol_staff_second_factor: pol_ and up to 60 lower-case letters, digits and underscores.
  name: Name, 1 to 200 characters on one line.
  category: What it is about.
  type: Whether it prevents something, notices it, or mends it.
  conditions: When it applies, in the grammar of docs/security-policies.md, 16,000 bytes at most. Example: {"all": [{"field": "role", "op": "in", "value": ["counselor"]}, {"not": {"field": "address", "op": "in", "value": ["192.0.2.0/24"]}}]}
  actions: What is done then: [{action, …}], 2,000 bytes at most. Example: [{"action": "require_mfa"}, {"action": "apply_rate_limits", "requests": 20, "period": 60}]
  enforcement_points: Where it is enforced: request, sign_in or both.
  priority: Order of evaluation, from 1 to 1000; of those that apply, the first one that blocks decides.
  enabled: Whether it is evaluated.
  dry_run: Whether it only counts, and acts on nothing.
  trigger_count: How often its conditions held, as of the last minute.
  last_triggered: When they held last, as of the last minute; null before the first time.
  created_at: When it was created.
  updated_at: When it was last changed.
$$);

select private.declare_data('public.security_policies',
   '{id, name, category, type, conditions, actions, enforcement_points, priority, enabled, dry_run, trigger_count, last_triggered,
    created_at, updated_at}', 'What is done when conditions hold.');

create table private.enabled_policies (
  policy_id text not null constraint enabled_policies_pkey primary key,
  priority integer not null,
  enforcement_points public.enforcement_point[] not null,
  dry_run boolean not null,
  actions jsonb not null,
  condition jsonpath not null,
  constraint enabled_policies_policy_id_fkey foreign key (policy_id) references public.security_policies (id) on delete cascade
);
select private.describe('private.enabled_policies',
  'The enabled policies, compiled: what a request is evaluated against. Written by a trigger on public.security_policies.', $$
  policy_id: The policy.
  priority: As in public.security_policies.
  enforcement_points: As in public.security_policies.
  dry_run: As in public.security_policies.
  actions: As in public.security_policies. Example: [{"action": "require_mfa"}]
  condition: Its conditions as a predicate on the facts of a request, by private.compile_condition.
$$);

select private.declare_data('private.enabled_policies', '{policy_id, priority, enforcement_points, dry_run, actions, condition}',
  'The enabled policies, compiled.');
select private.declare_unaudited('private.enabled_policies', 'Made from security_policies, whose changes are logged.');

create table private.policy_counts (
  key text not null,
  policy_id text not null,
  kind text not null,
  by_account boolean not null,
  within_s integer not null,
  threshold integer not null,
  constraint policy_counts_pkey primary key (policy_id, key),
  constraint policy_counts_policy_id_fkey foreign key (policy_id) references private.enabled_policies (policy_id) on delete cascade
);
select private.describe('private.policy_counts',
  'The counts of events over time that the enabled policies ask for. Written with private.enabled_policies.', $$
  key: What the compiled condition calls it.
  policy_id: The policy that asks.
  kind: Kind of private.security_events.
  by_account: Whether events of the same account are counted, or else of the same address.
  within_s: How far back, seconds.
  threshold: How many make it hold.
$$);

select private.declare_data('private.policy_counts', '{key, policy_id, kind, by_account, within_s, threshold}',
  'What the enabled policies count.');
select private.declare_unaudited('private.policy_counts', 'Counters of what policies count.');

create function private.policy_actions() returns text[]
language sql immutable set search_path = '' as $$
  select '{block_access,require_mfa,log_events,send_alerts,disable_users,apply_rate_limits,create_audit_trails}'::text[]
$$;
comment on function private.policy_actions is 'What policies may do. Called by the check of policies and by private.policy_grammar.';

create function private.check_policy_actions(actions jsonb) returns void
language plpgsql stable set search_path = '' as $$
declare
  known constant text[] := private.policy_actions();
  given record;
begin
  if jsonb_typeof(actions) <> 'array' or jsonb_array_length(actions) not between 1 and 7 then
    perform private.refuse_policy('actions', 'it is a list of 1 to 7 actions');
  end if;
  for given in
    select
      format('actions[%s]', a.position - 1) as place,
      a.value,
      case jsonb_typeof(a.value) when 'object' then a.value ->> 'action' end as action,
      case jsonb_typeof(a.value) when 'object' then array(select k from jsonb_object_keys(a.value) as k order by k) end as members
    from jsonb_array_elements(actions) with ordinality as a (value, position)
  loop
    if given.action is null or given.action <> all (known) then
      perform private.refuse_policy(given.place || '.action', 'it is one of ' || array_to_string(known, ', '));
    end if;
    if given.action = 'apply_rate_limits' then
      if given.members <> '{action,period,requests}'
        or not coalesce(private.is_integer_between(given.value -> 'requests', 1, 10000), false)
        or not coalesce(private.is_integer_between(given.value -> 'period', 1, 86400), false) then
        perform private.refuse_policy(
          given.place, 'it names requests, from 1 to 10000, and period, from 1 to 86400 seconds, in whole numbers'
        );
      end if;
    elsif given.members <> '{action}' then
      perform private.refuse_policy(given.place, format('%s has no other members', given.action));
    end if;
  end loop;
  if (select count(distinct a ->> 'action') from jsonb_array_elements(actions) as a) < jsonb_array_length(actions) then
    perform private.refuse_policy('actions', 'it names each action once');
  end if;
end
$$;
comment on function private.check_policy_actions is 'Error 400 policy_invalid unless actions are [{action, …}] as docs/security-policies.md says. Called where policies are stored.';

create function private.compile_policy() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- More would take longer than a request may wait for them; bench/security-policies.ts.
  most constant integer := 200;
  compiled constant jsonpath := private.compile_condition(new.conditions)::jsonpath;
begin
  perform private.check_policy_actions(new.actions);
  -- Two at once could exceed the limit together.
  perform pg_advisory_xact_lock(86, 0);
  delete from private.enabled_policies where policy_id = new.id;
  delete from private.rate_limit_rules where scope = 'policy ' || new.id;
  if not new.enabled then
    return null;
  end if;
  insert into private.enabled_policies (policy_id, priority, enforcement_points, dry_run, actions, condition)
  values (new.id, new.priority, new.enforcement_points, new.dry_run, new.actions, compiled);
  if (select count(*) from private.enabled_policies) > most then
    perform private.refuse(409, 'policy_limit', format('%s policies are enabled, as many as can be. Disable another one first.', most));
  end if;
  perform private.refuse_to_lock_out(new, compiled);
  perform private.refuse_to_lock_out_everybody(new);
  insert into private.policy_counts (key, policy_id, kind, by_account, within_s, threshold)
  select distinct
    private.policy_count_key(c), new.id, c ->> 'of', c ->> 'by' = 'account', (c ->> 'within')::integer, (c ->> 'count')::integer
  from jsonb_path_query(new.conditions, '$.** ? (exists(@.count))') as c
  where jsonb_typeof(c) = 'object';
  insert into private.rate_limit_rules (scope, requests, period)
  select 'policy ' || new.id, (a ->> 'requests')::integer, (a ->> 'period')::integer * interval '1 second'
  from jsonb_array_elements(new.actions) as a
  where a ->> 'action' = 'apply_rate_limits';
  return null;
end
$$;
comment on function private.compile_policy is 'Trigger: checks what a policy says, and compiles the enabled ones for the requests to come.';

create function private.reached_counts(account uuid, address inet) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant inet := private.block_network(address);
begin
  return coalesce(
    (
      select jsonb_agg(c.key)
      from (select distinct key, kind, by_account, within_s, threshold from private.policy_counts) as c
      where (
        -- Each row counts at least one, so that no more rows than the threshold have to be read.
        select coalesce(sum(e.occurrences), 0)
        from (
          (
            select s.occurrences
            from private.security_events s
            where c.by_account and s.kind = c.kind and s.account = reached_counts.account
              and s.minute > now() - c.within_s * interval '1 second'
            limit c.threshold
          )
          union all
          (
            select s.occurrences
            from private.security_events s
            where not c.by_account and s.kind = c.kind and s.address = caller
              and s.minute > now() - c.within_s * interval '1 second'
            limit c.threshold
          )
        ) as e
      ) >= c.threshold
    ),
    '[]'
  );
end
$$;
comment on function private.reached_counts is 'The keys of the counts that an account or an address has reached. Called where facts are made.';

-- Facts that are not known are left out: no comparison with them holds. Given facts come before those of the account.
create function private.policy_facts(account uuid, session uuid, address inet, given jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  moment constant timestamp := now() at time zone 'UTC';
  facts jsonb;
begin
  facts := jsonb_build_object(
    'hour', extract(hour from moment)::integer,
    'weekday', extract(isodow from moment)::integer,
    'signed_in', account is not null,
    'role', '[]'::jsonb,
    'university', '[]'::jsonb
  );
  if address is not null then
    facts := facts || jsonb_build_object(
      'address', host(address),
      'address_digits', private.address_digits(address),
      'network', coalesce(private.network_kind(address), 'other')
    );
  end if;
  if account is not null then
    facts := facts || (
      select jsonb_build_object(
        'account', account,
        'account_age', round(extract(epoch from now() - max(u.created_at)) / 3600, 2),
        'aal', coalesce((select s.aal::text from auth.sessions s where s.id = session and s.user_id = account), 'aal1'),
        'role', coalesce(jsonb_agg(distinct r.role) filter (where r.role is not null), '[]'),
        'university', coalesce(jsonb_agg(distinct r.university_id) filter (where r.university_id is not null), '[]')
      )
      from auth.users u
      left join public.user_roles r on r.user_id = u.id
      where u.id = account
    );
  end if;
  if exists (select from private.policy_counts) then
    -- The platform's own addresses are no caller's.
    facts := facts || jsonb_build_object(
      'reached', private.reached_counts(account, case when facts ->> 'network' is distinct from 'platform' then address end)
    );
  end if;
  return jsonb_strip_nulls(facts || given);
end
$$;
comment on function private.policy_facts is 'What conditions are evaluated on: what is known of an account, its session and an address, and what is given besides. Called where policies are evaluated.';

create function private.evaluate_policies(context jsonb, enforcement_point text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  facts constant jsonb := private.policy_facts(
    (context ->> 'account')::uuid, null, (context ->> 'address')::inet, context - array['account', 'address']
  );
begin
  return (
    select jsonb_build_object(
      'decision', coalesce((array_agg(d.decision order by p.priority, p.id) filter (where d.decision is not null))[1], 'allow'),
      'decided_by', (array_agg(p.id order by p.priority, p.id) filter (where d.decision is not null))[1],
      'policies', coalesce(
        jsonb_agg(
          jsonb_build_object(
            'id', p.id,
            'name', p.name,
            'priority', p.priority,
            'dry_run', p.dry_run,
            'holds', h.explained -> 'holds',
            'conditions', h.explained,
            'actions', p.actions
          )
          order by p.priority, p.id
        ),
        '[]'
      )
    )
    from private.enabled_policies e
    join public.security_policies p on p.id = e.policy_id
    cross join lateral (select private.explain_condition(p.conditions, facts) as explained) as h
    cross join lateral (
      select case
        when p.dry_run or h.explained -> 'holds' <> 'true' then null
        when p.actions @> '[{"action": "block_access"}]' then 'block_access'
        when p.actions @> '[{"action": "require_mfa"}]' and facts -> 'signed_in' = 'true' and facts ->> 'aal' is distinct from 'aal2'
          then 'require_mfa'
      end as decision
    ) as d
    where evaluate_policies.enforcement_point::public.enforcement_point = any (e.enforcement_points)
  );
end
$$;
comment on function private.evaluate_policies is 'What the enabled policies say of a context {account?, address?, path?, …}: {decision: allow, block_access or require_mfa, decided_by, policies: [{id, name, priority, dry_run, holds, conditions, actions}]}, each condition with whether it holds. Changes nothing. Called by private.try_policies.';

create index security_events_address_idx on private.security_events (kind, address, minute) where address is not null;
create index security_events_kind_account_idx on private.security_events (kind, account, minute) where account is not null;

create trigger refuse_direct_write before insert or update or delete on private.enabled_policies
for each row execute function private.refuse_direct_write('public.security_policies');

create trigger refuse_direct_write before insert or update or delete on private.policy_counts
for each row execute function private.refuse_direct_write('public.security_policies');

create trigger compile_policy
after insert or update of conditions, actions, enforcement_points, priority, enabled, dry_run on public.security_policies
for each row execute function private.compile_policy();

create trigger touch_updated_at
before update of name, category, type, conditions, actions, enforcement_points, priority, enabled, dry_run on public.security_policies
for each row execute function private.touch_updated_at();
