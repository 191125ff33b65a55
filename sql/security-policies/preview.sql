-- What a policy would have done, before it is stored: its conditions on what detection has kept of the past days.

-- As private.policy_facts has them, for all at once. What is counted is counted as of each event. A role is that of now, and aal2 whoever had an authenticator app: they would have given its code.
create function private.past_policy_facts(since timestamptz, most integer, conditions jsonb)
returns table (at timestamptz, point public.enforcement_point, account uuid, address inet, occurrences integer, facts jsonb)
language sql stable security definer set search_path = '' as $$
  with events as materialized (
    select
      e.id, e.minute, e.last_at, e.address, e.occurrences, e.kind, e.source,
      case when e.kind <> 'sign_in_failed' then e.account end as account
    from private.security_events e
    where e.minute > since
      and e.kind = any (
        '{sign_in_succeeded,sign_in_failed,token_refused,access_refused,rate_limited,worker_secret_refused,link_refused,students_read,data_exported,role_changed,settings_changed}'
      )
      -- A password that Auth refuses reaches no policy.
      and not (e.kind = 'sign_in_failed' and e.source = 'auth')
      and coalesce(e.account::text, text(e.address)) is not null
    order by e.minute desc, e.id desc
    limit most
  ),
  -- Each once: thousands of events are of few callers, or each of another one.
  accounts as materialized (
    select
      u.id, u.created_at,
      (select min(f.created_at) from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as protected_from,
      jsonb_build_object(
        'account', u.id,
        'signed_in', true,
        'role', (select coalesce(jsonb_agg(distinct r.role), '[]') from public.user_roles r where r.user_id = u.id),
        'university', (
          select coalesce(jsonb_agg(distinct r.university_id) filter (where r.university_id is not null), '[]')
          from public.user_roles r
          where r.user_id = u.id
        )
      ) as facts
    from auth.users u
    where u.id in (select e.account from events e)
  ),
  addresses as materialized (
    select
      a.address, coalesce(private.network_kind(a.address), 'other') as network, private.address_digits(a.address) as digits
    from (select distinct e.address from events e where e.address is not null) a
  ),
  counts as materialized (
    select distinct
      private.policy_count_key(c) as key, c ->> 'of' as kind, c ->> 'by' = 'account' as by_account,
      (c ->> 'within')::integer * interval '1 second' as within, (c ->> 'count')::integer as threshold
    from jsonb_path_query(conditions, '$.** ? (exists(@.count))') as c
    where jsonb_typeof(c) = 'object'
  ),
  -- What had come of a caller by each event, and by the beginning of the time that is counted: the difference came in between.
  marks as (
    select n.key, case when n.by_account then o.account::text else text(o.address) end as caller, o.minute as at, o.occurrences as came,
      null::bigint as event, 0 as sign
    from counts n
    join private.security_events o on o.kind = n.kind and o.minute > since - n.within
    union all
    select n.key, case when n.by_account then e.account::text else text(e.address) end, e.minute - case m.sign when 1 then interval '0' else n.within end,
      0, e.id, m.sign
    from counts n
    cross join events e
    cross join (values (1), (-1)) as m (sign)
    where n.by_account or e.address in (select a.address from addresses a where a.network <> 'platform')
  ),
  totals as (
    select m.key, m.event, m.sign, sum(m.came) over (partition by m.key, m.caller order by m.at) as total
    from marks m
    where m.caller is not null
  ),
  reached as materialized (
    select r.event, jsonb_agg(r.key) as keys
    from (
      select t.event, t.key from totals t join counts n on n.key = t.key
      where t.event is not null
      group by t.event, t.key, n.threshold
      having sum(t.sign * t.total) >= n.threshold
    ) r
    group by r.event
  )
  select
    e.last_at,
    (case e.kind when 'sign_in_succeeded' then 'sign_in' else 'request' end)::public.enforcement_point,
    e.account, e.address, e.occurrences,
    coalesce(u.facts, '{"signed_in": false, "role": [], "university": []}') || jsonb_strip_nulls(jsonb_build_object(
      'address', host(e.address),
      'address_digits', a.digits,
      'network', a.network,
      'hour', extract(hour from e.minute at time zone 'UTC')::integer,
      'weekday', extract(isodow from e.minute at time zone 'UTC')::integer,
      'service', case when e.kind = 'sign_in_succeeded' then 'auth' when e.source = 'functions' then 'functions' end,
      'account_age', round(extract(epoch from e.minute - u.created_at) / 3600, 2),
      'aal', case when u.id is not null then case when u.protected_from <= e.last_at then 'aal2' else 'aal1' end end,
      'reached', coalesce(r.keys, '[]')
    ))
  from events e
  left join accounts u on u.id = e.account
  left join addresses a on a.address = e.address
  left join reached r on r.event = e.id
$$;
comment on function private.past_policy_facts is 'The facts of sign-ins and requests that detection has kept since then, the newest first and at most so many, as far as they were kept. Called by private.preview_policy.';

create function private.preview_policy(conditions jsonb, actions jsonb, points public.enforcement_point[], period interval) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  -- What is evaluated within two seconds, from however many callers.
  most constant integer := 20000;
  since constant timestamptz := now() - period;
  predicate jsonpath;
  limited jsonb;
  limit_period interval;
begin
  perform private.require_security_admin();
  predicate := private.compile_condition(conditions)::jsonpath;
  perform private.check_policy_actions(actions);
  if period is null or period not between interval '1 hour' and interval '30 days' or coalesce(cardinality(points), 0) not between 1 and 2 then
    perform private.refuse(400, 'invalid_value', 'A policy is tried on an hour to 30 days, at one or two points.');
  end if;
  limited := jsonb_path_query_first(actions, '$[*] ? (@.action == "apply_rate_limits")');
  limit_period := coalesce((limited ->> 'period')::integer, 1) * interval '1 second';
  return (
    with events as materialized (
      select p.*, jsonb_path_match(p.facts, predicate, '{}', true) is true as held
      from private.past_policy_facts(since, most, conditions) p
    ),
    meant as materialized (
      select e.* from events e where e.point = any (points)
    ),
    decided as materialized (
      select
        m.*,
        m.held and (
          actions @> '[{"action": "block_access"}]'
          or actions @> '[{"action": "disable_users"}]' and m.account is not null
          or actions @> '[{"action": "require_mfa"}]' and m.account is not null and m.facts ->> 'aal' is distinct from 'aal2'
          or limited is not null and sum(m.occurrences) filter (where m.held) over (
            partition by m.held, coalesce(m.account::text, text(m.address)) order by m.at range between limit_period preceding and current row
          ) > (limited ->> 'requests')::integer
        ) as stopped
      from meant m
    ),
    by_account as (
      select
        j.account as user_id, sum(j.occurrences) as held, coalesce(sum(j.occurrences) filter (where j.stopped), 0) as stopped, max(j.at) as last_at,
        (array_agg(j.facts -> 'role'))[1] as roles, (array_agg(j.facts -> 'university'))[1] as universities
      from decided j
      where j.held and j.account is not null
      group by j.account
    ),
    by_address as (
      select
        host(j.address) as address, sum(j.occurrences) as held, coalesce(sum(j.occurrences) filter (where j.stopped), 0) as stopped,
        max(j.at) as last_at
      from decided j
      where j.held and j.address is not null
      group by j.address
    ),
    by_day as (
      select
        (j.at at time zone 'UTC')::date as day, sum(j.occurrences) as events,
        coalesce(sum(j.occurrences) filter (where j.held), 0) as held,
        coalesce(sum(j.occurrences) filter (where j.stopped), 0) as stopped
      from decided j
      group by 1
    )
    select jsonb_build_object(
      'since', coalesce(case when (select count(*) from events) >= most then (select min(e.at) from events e) end, since),
      'is_complete', (select count(*) from events) < most,
      'events', (select coalesce(sum(d.events), 0) from by_day d),
      'held', (select coalesce(sum(d.held), 0) from by_day d),
      'stopped', (select coalesce(sum(d.stopped), 0) from by_day d),
      'accounts_held', (select count(*) from by_account),
      'accounts_stopped', (select count(*) from by_account a where a.stopped > 0),
      'not_known', (
        select coalesce(jsonb_agg(distinct f order by f), '[]')
        from jsonb_path_query(conditions, '$.**.field') as f
        where f <@ '["function", "method", "path", "user_agent", "sign_in_method"]'
      ),
      'days', (select coalesce(jsonb_agg(to_jsonb(d) order by d.day), '[]') from by_day d),
      'accounts', (
        select coalesce(jsonb_agg(to_jsonb(a) order by a.stopped desc, a.held desc, a.user_id), '[]')
        from (select * from by_account b order by b.stopped desc, b.held desc, b.user_id limit 100) a
      ),
      'addresses', (
        select coalesce(jsonb_agg(to_jsonb(a) order by a.stopped desc, a.held desc, a.address), '[]')
        from (select * from by_address b order by b.stopped desc, b.held desc, b.address limit 100) a
      )
    )
  );
end
$$;
comment on function private.preview_policy is 'Implementation of public.preview_policy, which calls it.';

create function public.preview_policy(
  conditions jsonb, actions jsonb, enforcement_points public.enforcement_point[] default '{request,sign_in}',
  period interval default '7 days'
) returns jsonb
language sql stable set search_path = ''
begin atomic select private.preview_policy(conditions, actions, enforcement_points, period); end;
comment on function public.preview_policy is 'What a policy would have done with the sign-ins and requests that detection has kept of the past days: how often its conditions held, whom its actions would have stopped, and which fields of its conditions are not kept. Changes and counts nothing. Called by security administrators.';

create function private.policy_grammar() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_security_admin();
  return jsonb_build_object(
    'fields', (
      select jsonb_agg(
        jsonb_build_object(
          'field', f.field, 'kind', f.kind, 'choices', f.choices, 'operators', private.policy_operators(f.kind, f.choices is not null)
        )
        order by f.field
      )
      from private.policy_fields() f
    ),
    'events', private.countable_events(),
    'actions', private.policy_actions(),
    'categories', enum_range(null::public.policy_category),
    'types', enum_range(null::public.policy_type),
    'enforcement_points', enum_range(null::public.enforcement_point)
  );
end
$$;
comment on function private.policy_grammar is 'Implementation of public.policy_grammar, which calls it.';

create function public.policy_grammar() returns jsonb
language sql stable set search_path = ''
begin atomic select private.policy_grammar(); end;
comment on function public.policy_grammar is 'What policies may say: {fields: [{field, kind, choices, operators}], events, actions, categories, types, enforcement_points}. Called by security administrators whose form asks what there is.';
