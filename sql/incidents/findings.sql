-- Auth sees every failed sign-in of an account, also those that the functions pass on and see themselves, which are not counted twice.
create function private.sign_in_failures(since timestamptz)
returns table (account uuid, address inet, direct boolean, failures bigint, last_at timestamptz)
language sql stable set search_path = '' as $$
  with seen as (
    select e.account, e.address, e.source, sum(e.occurrences) as failures, max(e.last_at) as last_at
    from private.security_events e
    where e.kind = 'sign_in_failed' and e.minute >= date_trunc('minute', since)
      and e.last_at > greatest(
        private.resolved_for_address('sign_in:address', e.address),
        private.resolved_at('sign_in:account:' || e.account)
      )
    group by e.account, e.address, e.source
  ),
  by_auth as (
    select s.account, max(s.failures) as most, sum(s.failures) as failures, max(s.last_at) as last_at
    from seen s
    where s.source = 'auth'
    group by s.account
  )
  select s.account, s.address, false, s.failures, s.last_at from seen s where s.source = 'functions'
  union all
  select a.account, null, true, a.failures - coalesce(f.failures, 0), a.last_at
  from by_auth a
  left join (select s.account, sum(s.failures) as failures from seen s where s.source = 'functions' group by s.account) f
    on f.account = a.account
  where a.failures > coalesce(f.failures, 0)
$$;
comment on function private.sign_in_failures is 'Failed sign-ins since a time by account and address, those straight at Auth (direct) beside those through the functions. Called by private.detect_incidents.';

create function private.sign_in_findings(at timestamptz) returns setof private.finding
language sql stable set search_path = '' as $$
  with rules as (
    select
      max(period) as longest,
      max(threshold) filter (where rule = 'brute_force_address') as by_address,
      max(threshold) filter (where rule = 'brute_force_account') as by_account,
      max(threshold) filter (where rule = 'credential_stuffing') as spread
    from private.detection_rules
    where rule in ('brute_force_address', 'brute_force_account', 'credential_stuffing')
  ),
  failures as materialized (
    select f.* from rules, private.sign_in_failures(at - longest) f
  ),
  successes as materialized (
    select e.account, e.address, max(e.last_at) as last_at
    from private.security_events e, rules
    where e.kind = 'sign_in_succeeded' and e.minute >= date_trunc('minute', at - longest)
    group by e.account, e.address
  ),
  -- Whoever gets in after a few attempts has mistyped.
  unresolved as materialized (
    select f.*
    from failures f
    where f.failures >= 5
      or not exists (select from successes s where s.account = f.account and s.last_at >= f.last_at)
  ),
  addresses as materialized (
    select u.address, sum(u.failures) as failures, count(distinct u.account) as accounts,
      array_agg(distinct u.account) filter (where u.account is not null) as affected, n.people,
      exists (
        select from successes s where s.address = u.address and s.account = any (array_agg(u.account) filter (where u.failures >= 5))
      ) as got_in
    from unresolved u
    cross join lateral (select count(distinct s.account) as people from successes s where s.address = u.address) n
    where u.address is not null and private.network_kind(u.address) is distinct from 'platform'
    group by u.address, n.people
    having sum(u.failures) >= (select by_address from rules)
        * (case private.network_kind(u.address) when 'campus' then 10 else 1 end) + n.people / 4
  ),
  accounts as materialized (
    select u.account, sum(u.failures) as failures, bool_or(u.direct) as direct,
      array_agg(distinct u.address) filter (where u.address is not null) as addresses
    from unresolved u
    where u.account is not null and not exists (
      select from addresses a
      where a.address = u.address
        -- What is one incident for many addresses says nothing of the account.
        and not exists (
          select from public.security_incidents i
          where i.ended_at is null
            and i.key in ('sign_in:address:many addresses', 'sign_in:address:' || text(private.wide_network(a.address)))
        )
    )
    group by u.account
    having sum(u.failures) >= (select by_account from rules)
  ),
  spread as (
    select count(*) as attempts, count(distinct u.account) as accounts,
      (array_agg(distinct u.account) filter (where u.account is not null))[:1000] as affected
    from unresolved u
    where not exists (select from addresses a where a.address = u.address)
      and not exists (select from accounts a where a.account = u.account)
      and u.last_at > private.resolved_at('sign_in:spread')
      and private.network_kind(u.address) is null
  )
  select
    'brute_force_address', 'sign_in:address:' || host(a.address),
    case when a.accounts >= 5 then 'Credential stuffing from one address' else 'Brute force from one address' end,
    format('%s sign-ins failed from %s, of %s accounts.', a.failures, host(a.address), a.accounts)
      || case when a.got_in then ' An account that was tried often was then signed in to.' else '' end,
    jsonb_build_object('failures', a.failures, 'accounts', a.accounts, 'people_who_signed_in', a.people, 'got_in', a.got_in),
    a.affected, array[a.address], array['sign_in'], null::public.incident_type,
    case when a.got_in then 'critical'::public.incident_severity end
  from addresses a
  union all
  select
    'brute_force_account', 'sign_in:account:' || a.account, 'Brute force on one account',
    format('%s sign-ins to one account failed%s.', a.failures, case when a.direct then ', some of them straight at Auth' else '' end),
    jsonb_build_object('failures', a.failures, 'straight_at_auth', a.direct),
    array[a.account], a.addresses, array['sign_in'], null, null
  from accounts a
  union all
  select
    'credential_stuffing', 'sign_in:spread', 'Credential stuffing from many addresses',
    format('%s pairs of address and account failed to sign in, few times each.', s.attempts),
    jsonb_build_object('attempts', s.attempts, 'accounts', s.accounts),
    s.affected, null, array['sign_in'], null, null
  from spread s
  where s.attempts >= (select rules.spread from rules) and s.attempts > (select count(distinct account) / 2 from successes)
$$;
comment on function private.sign_in_findings is 'Attacks on sign-in. Called by private.detect_incidents.';

-- What pages of other sites have browsers send comes from many who know nothing of it: it is one finding of a rule, without an
-- address, and takes ten times as much.
create function private.refusal_findings(at timestamptz) returns setof private.finding
language sql stable set search_path = '' as $$
  with counted as (
    select r.rule, r.threshold * p.most as threshold, k.key, p.most > 1 as by_pages, e.address, e.account, e.occurrences
    from private.detection_rules r
    join (
      values
        ('token_forgery', 'token_refused', 'address'),
        ('access_refused', 'access_refused', 'account'),
        ('flood', 'rate_limited', 'account'),
        ('worker_secret', 'worker_secret_refused', 'address'),
        ('link_guessing', 'link_refused', 'address')
    ) as w (rule, kind, by) on w.rule = r.rule
    join private.security_events e on e.kind = w.kind and e.minute >= date_trunc('minute', at - r.period)
    cross join lateral (
      select case e.source when 'pages' then 10 else 1 end as most
    ) p
    cross join lateral (
      select r.rule || ':' || case
        when e.source = 'pages' then 'pages'
        when w.by = 'account' and e.account is not null then e.account::text
        else coalesce(host(e.address), 'unknown')
      end as key
    ) k
    where (e.account is not null and w.by = 'account' or private.network_kind(e.address) is distinct from 'platform')
      and e.last_at > case
        when w.by = 'account' and e.account is not null or e.address is null then private.resolved_at(k.key)
        else private.resolved_for_address(r.rule, e.address)
      end
  )
  select
    c.rule, c.key,
    case c.rule
      when 'token_forgery' then 'Forged access tokens'
      when 'access_refused' then 'An account reaches for what it may not'
      when 'flood' then 'A flood of requests'
      when 'worker_secret' then 'The workers'' secret is guessed'
      else 'Links are guessed'
    end,
    format(
      '%s times within the period%s.', sum(c.occurrences),
      case when c.by_pages then ', by pages of other sites or by who pretends to be one; ten times the threshold counts' else '' end
    ),
    jsonb_build_object('count', sum(c.occurrences), 'by_pages', c.by_pages),
    array_agg(distinct c.account) filter (where c.account is not null),
    array_agg(distinct c.address) filter (where c.address is not null),
    array[case c.rule when 'worker_secret' then 'workers' when 'link_guessing' then 'links' else 'functions' end],
    null::public.incident_type, null::public.incident_severity
  from counted c
  group by c.rule, c.key, c.threshold, c.by_pages
  having sum(c.occurrences) >= c.threshold
$$;
comment on function private.refusal_findings is 'What the edge functions refused too often. Called by private.detect_incidents.';

create function private.activity_findings(at timestamptz) returns setof private.finding
language sql stable set search_path = '' as $$
  select
    r.rule, 'reading:' || l.actor_id, 'One person reads many students',
    format('%s students and %s pages of lists within the period.', count(distinct l.subject_id), count(*) filter (where l.action = 'students_listed')),
    jsonb_build_object(
      'students', count(distinct l.subject_id),
      'pages', count(*) filter (where l.action = 'students_listed'),
      'audit_entries', jsonb_build_array(min(l.id), max(l.id))
    ),
    array[l.actor_id], array_agg(distinct l.ip) filter (where l.ip is not null), array['students'],
    null::public.incident_type, null::public.incident_severity
  from private.detection_rules r
  join private.audit_log l on l.action in ('student_read', 'students_listed', 'account_read') and l.occurred_at > at - r.period
  where r.rule = 'mass_reading' and l.actor_id is not null and l.occurred_at > private.resolved_at('reading:' || l.actor_id)
  group by r.rule, l.actor_id
  having greatest(count(distinct l.subject_id), count(*) filter (where l.action = 'students_listed')) >= r.threshold
  union all
  select
    r.rule, 'exports:' || host(l.ip), 'Exports of many accounts from one address',
    format('%s accounts exported their data from %s.', count(distinct l.actor_id), host(l.ip)),
    jsonb_build_object('accounts', count(distinct l.actor_id), 'audit_entries', jsonb_build_array(min(l.id), max(l.id))),
    array_agg(distinct l.actor_id) filter (where l.actor_id is not null), array[l.ip], array['exports'], null, null
  from private.detection_rules r
  join private.audit_log l on l.action = 'data_exported' and l.occurred_at > at - r.period
  where r.rule = 'mass_export' and l.ip is not null and private.network_kind(l.ip) is null
    and l.occurred_at > private.resolved_for_address('exports', l.ip)
  group by r.rule, l.ip
  having count(distinct l.actor_id) >= r.threshold
  union all
  select
    r.rule, 'addresses:' || e.account, 'One account signs in from many addresses',
    format('Signed in from %s addresses within the period.', count(distinct private.block_network(e.address))),
    jsonb_build_object('networks', count(distinct private.block_network(e.address))),
    array[e.account], (array_agg(distinct e.address))[:100], array['sign_in'], null, null
  from private.detection_rules r
  join private.security_events e on e.kind = 'sign_in_succeeded' and e.minute >= date_trunc('minute', at - r.period)
  where r.rule = 'many_addresses' and e.account is not null and private.network_kind(e.address) is null
    and e.last_at > private.resolved_at('addresses:' || e.account)
  group by r.rule, e.account
  having count(distinct private.block_network(e.address)) >= r.threshold
  union all
  -- Roles are granted by operators, who are no account, or to somebody else by who administers security or that university.
  select
    r.rule, 'roles:' || l.actor_id, 'Somebody grants a role that is not theirs to grant',
    format('The role %s was granted by %s.', string_agg(distinct l.after ->> 'role', ', '),
      case when bool_or(l.actor_id = l.subject_id) then 'its holder' else 'nobody who may give it' end),
    jsonb_build_object('roles', jsonb_agg(distinct l.after -> 'role'), 'audit_entries', jsonb_build_array(min(l.id), max(l.id))),
    array[l.actor_id] || (array_agg(distinct l.subject_id) filter (where l.subject_id <> l.actor_id)),
    array_agg(distinct l.ip) filter (where l.ip is not null), array['roles'], null, null
  from private.detection_rules r
  join private.audit_log l on l.action = 'role_granted' and l.occurred_at > at - r.period
  where r.rule = 'role_change' and l.actor_id is not null
    and (
      l.actor_id = l.subject_id
      or not exists (
        select
        from public.user_roles u
        where u.user_id = l.actor_id
          and (
            u.role = 'security_admin'
            or u.role = 'university_admin' and u.university_id = l.university_id and l.after ->> 'role' in ('counselor', 'university_admin')
          )
      )
    )
    and l.occurred_at > private.resolved_at('roles:' || l.actor_id)
  group by r.rule, l.actor_id
$$;
comment on function private.activity_findings is 'What people did that is too much, or not theirs to do. Called by private.detect_incidents.';
