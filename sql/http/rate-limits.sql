create table private.rate_limit_rules (
  scope text not null,
  requests integer not null,
  period interval not null default '1 minute',
  daily_requests integer,
  constraint rate_limit_rules_pkey primary key (scope),
  constraint rate_limit_rules_positive check (requests > 0 and period > interval '0' and period <= interval '1 day'),
  constraint rate_limit_rules_daily_requests_range check (daily_requests between 1 and 10000)
);
select private.describe('private.rate_limit_rules', 'How often one person may make which requests; an operator can change it without a deployment.', $$
  scope: What is limited, named after the function or route.
  requests: Requests allowed within any one period, above 0.
  period: Length of the sliding window, above 0.
  daily_requests: Requests allowed a day as well, 1 to 10,000; null for any number. A person's day begins at midnight where they are; while nobody is signed in, and of wrong codes, any 24 hours are one.
$$);

insert into private.rate_limit_rules (scope, requests, daily_requests)
values
  ('data-api', 100, null),
  ('file-upload', 10, 200),
  ('bulk', 5, null),
  ('analyze-audio', 10, 500),
  ('analyze-visual', 5, 500),
  ('analyze-text', 20, 500),
  ('calculate-wellbeing-score', 10, 500),
  ('textmodel', 20, 200),
  ('check-in-start', 10, null),
  -- Check-ins that were submitted, each once, however often it was started or submitted again.
  ('check-in-submission', 10, 10),
  ('check-in-complete', 10, 60),
  ('check-in-get', 120, null),
  ('refused-words', 30, 300);
insert into private.rate_limit_rules (scope, requests, period)
values
  ('sign-in', 10, '5 minutes'),
  ('sign-up', 5, '1 hour'),
  ('auth-mail', 5, '1 hour'),
  ('session', 30, '5 minutes'),
  ('refresh', 30, '5 minutes'),
  ('unknown-link', 60, '5 minutes'),
  ('universities', 300, '1 minute'),
  ('consent-texts', 300, '1 minute'),
  ('failure-reasons', 300, '1 minute'),
  ('privacy', 60, '1 minute'),
  ('audit', 600, '1 hour'),
  ('staff-invitation', 60, '1 hour');
-- Wrong codes of an authenticator app. Of a million, three are right at any time: docs/accounts.md has what this leaves to a guesser.
insert into private.rate_limit_rules (scope, requests, period, daily_requests)
values
  ('second-factor', 10, '15 minutes', 30),
  -- Of whoever asks for one, and of the address or number that gets one.
  ('crisis-contact-test', 10, '1 hour', 20),
  ('crisis-contact-tested', 3, '1 hour', 10),
  ('student-nudge', 30, '1 hour', 100);

select private.declare_term('rate_limit_uses', '1 day', 'How often somebody called: from the last call.');
select private.declare_data('private.rate_limit_rules', '{scope, requests, period, daily_requests}',
  'Settings: how often one person may call.');
select private.declare_audited('private.rate_limit_rules', 'scope');

create table private.rate_limit_uses (
  subject uuid not null,
  scope text not null,
  used_at timestamptz[] not null default '{}',
  constraint rate_limit_uses_pkey primary key (subject, scope),
  constraint rate_limit_uses_scope_fkey foreign key (scope) references private.rate_limit_rules (scope) on delete cascade
);
select private.describe('private.rate_limit_uses', 'Requests that were allowed within the current window, or the day if a rule limits those; purged a day later.', $$
  subject: The account; when nobody is signed in, a digest of what identifies the caller.
  scope: What was requested.
  used_at: When each request of the window was allowed, oldest first.
$$);
create index rate_limit_uses_scope_idx on private.rate_limit_uses (scope);

select private.declare_data('private.rate_limit_uses', '{subject, scope, used_at}', 'To limit how often one person calls.',
  'account', 'activity', 't.subject = $1', term => 'rate_limit_uses');
select private.declare_purge('rate_limit_uses', 'private.rate_limit_uses', $$
  exists (
    select from private.rate_limit_rules r
    where r.scope = d.scope and d.used_at[cardinality(d.used_at)] < least($1, $2 - r.period)
  )
$$);
select private.declare_unaudited('private.rate_limit_uses', 'Counters of what was used within a period.');

-- What a limit refuses in a request of REST, at a sign-in or where a check-in is submitted is rolled back with its count; what a
-- sequence gave is not.
create sequence private.limited_data_api_requests;
comment on sequence private.limited_data_api_requests is 'Requests of REST that write and that the rate limit data-api refused.';
create sequence private.limited_bulk_requests;
comment on sequence private.limited_bulk_requests is 'Statements of several rows that the rate limit bulk refused.';
create sequence private.limited_audit_entries;
comment on sequence private.limited_audit_entries is 'Requests that the rate limit audit refused.';
create sequence private.limited_submissions;
comment on sequence private.limited_submissions is 'Submissions of check-ins that the rate limit check-in-submission refused.';
create sequence private.limited_by_policies;
comment on sequence private.limited_by_policies is 'Requests of REST and sign-ins that a limit of a security policy refused.';

-- A log of the sliding window, not a counter per fixed window, so that no period exceeds the limit wherever it begins; only the day
-- of a person is the one of their calendar. The row's lock serialises concurrent requests; a rejected request does not count.
create function private.consume_rate_limit(requester uuid, limit_scope text, account uuid default null)
returns table (allowed boolean, max_requests integer, remaining integer, reset_s integer, period_s integer)
language plpgsql set search_path = '' as $$
declare
  rule private.rate_limit_rules;
  recent timestamptz[];
  checked_at timestamptz;
  day_began timestamptz;
  day_ends timestamptz;
  tightest record;
begin
  select * into strict rule from private.rate_limit_rules where scope = limit_scope;
  -- Returns the row locked, even if it existed before.
  insert into private.rate_limit_uses as u (subject, scope)
  values (requester, limit_scope)
  on conflict (subject, scope) do update set used_at = u.used_at
  returning used_at into strict recent;

  checked_at := clock_timestamp();
  if rule.daily_requests is not null then
    if account is not null then
      select d.began, d.ends into day_began, day_ends from private.day_of(account, checked_at) d;
    end if;
    day_began := coalesce(day_began, checked_at - interval '1 day');
  end if;
  recent := array(
    select t from unnest(recent) as t where t >= least(checked_at - rule.period, day_began) order by t
  );
  -- Of the two windows the one with fewer requests left; when both are used up, the one that takes longer.
  select w.requests, w.period, w.requests > u.used as allowed, w.requests - u.used as unused, u.first, w.ends
  into strict tightest
  from (
    values (rule.requests, rule.period, checked_at - rule.period, null), (rule.daily_requests, interval '1 day', day_began, day_ends)
  ) as w (requests, period, since, ends)
  cross join lateral (
    select count(*)::integer as used, min(t) as first from unnest(recent) as t where t >= w.since
  ) as u
  where w.requests is not null
  order by
    greatest(w.requests - u.used, 0),
    case when w.requests > u.used then w.period else -w.period end
  limit 1;

  allowed := tightest.allowed;
  if allowed then
    update private.rate_limit_uses
    set used_at = recent || checked_at
    where subject = requester and scope = limit_scope;
  else
    perform private.count_metric('rate_limited', jsonb_build_object('scope', limit_scope));
  end if;
  max_requests := tightest.requests;
  remaining := greatest(0, tightest.unused - allowed::integer);
  reset_s := greatest(
    1, ceil(extract(epoch from coalesce(tightest.ends, coalesce(tightest.first, checked_at) + tightest.period) - checked_at))
  );
  period_s := extract(epoch from tightest.period);
  return next;
end
$$;
comment on function private.consume_rate_limit is 'Counts one request: whether it is allowed, the limit, the requests remaining, and the seconds until another one is free. Of an account, what is allowed a day is that of its calendar day. Called by the edge functions when nobody is signed in.';

create function private.consume_user_rate_limit(account uuid, limit_scope text)
returns table (allowed boolean, max_requests integer, remaining integer, reset_s integer, period_s integer, has_role boolean)
language plpgsql set search_path = '' as $$
begin
  -- Locks the account first, as the deletion of an account does.
  perform
  from auth.users u
  join public.profiles p on p.user_id = u.id
  where u.id = account
  for key share of u;
  if not found then
    return;
  end if;
  return query
  select l.*, exists (select from public.user_roles r where r.user_id = account)
  from private.consume_rate_limit(account, limit_scope, account) l;
end
$$;
comment on function private.consume_user_rate_limit is 'Counts one request of an account, as private.consume_rate_limit does, and says whether the account has a role; no row when it was deleted. Called by the edge functions.';

-- An error of PostgREST's own form, as only that one carries a header; elsewhere, as in SQL, a message that one can read.
create function private.refuse_for(seconds integer, message text) returns void
language plpgsql set search_path = '' as $$
begin
  if nullif(current_setting('request.method', true), '') is null then
    raise exception '%', message using errcode = 'PT429', detail = seconds, hint = 'rate_limited';
  end if;
  raise sqlstate 'PGRST' using
    message = json_build_object('code', 'PT429', 'message', message, 'details', seconds::text, 'hint', 'rate_limited'),
    detail = json_build_object('status', 429, 'headers', json_build_object('Retry-After', seconds::text));
end
$$;
comment on function private.refuse_for is 'Raises the error of a limit, which is free again after so many seconds: 429 with Retry-After. Called where requests of the Data API and what they cause are limited.';

-- A read is a transaction that cannot write. A setting of its connection can be set there all the same, and stays until the
-- connection ends: it holds when the account read, until a request of the account that can write stores it.
create function private.limit_direct_request(account uuid, writes boolean) returns jsonb
language plpgsql set search_path = '' as $$
declare
  setting constant text := 'private.reads_' || replace(account::text, '-', '');
  checked_at constant timestamptz := clock_timestamp();
  rule private.rate_limit_rules;
  reads timestamptz[] := nullif(current_setting(setting, true), '');
  allowance record;
  used integer;
  first timestamptz;
begin
  select * into strict rule from private.rate_limit_rules where scope = 'data-api';
  reads := array(select t from unnest(reads) as t where t > checked_at - rule.period);
  if writes then
    if reads <> '{}' then
      -- In this order, as the deletion of an account takes them.
      perform from auth.users u where u.id = account for key share;
      if found then
        insert into private.rate_limit_uses as u (subject, scope, used_at)
        values (account, rule.scope, reads)
        on conflict (subject, scope) do update set used_at = array(select t from unnest(u.used_at || excluded.used_at) as t order by t);
      end if;
      perform set_config(setting, '', false);
    end if;
    select * into allowance from private.consume_user_rate_limit(account, rule.scope);
    if allowance.allowed is not false then
      return null;
    end if;
    perform nextval('private.limited_data_api_requests');
    return to_jsonb(allowance) || '{"code": "rate_limited"}';
  end if;
  select count(*), min(t) into used, first
  from (
    select t
    from private.rate_limit_uses u, unnest(u.used_at) as t
    where u.subject = account and u.scope = rule.scope and t > checked_at - rule.period
    union all
    select unnest(reads)
  ) as uses (t);
  if used >= rule.requests then
    return jsonb_build_object(
      'code', 'rate_limited', 'reset_s', greatest(1, ceil(extract(epoch from first + rule.period - checked_at)))
    );
  end if;
  perform set_config(setting, (reads || checked_at)::text, false);
  return null;
end
$$;
comment on function private.limit_direct_request is 'Counts a request of the Data API against the rate limit data-api, and returns why it is refused; null when it is not. Reads are counted by connection. Called by private.enforce_on_rest.';

create function private.count_bulk() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  account constant uuid := (select auth.uid());
  allowance record;
begin
  -- The functions count what they insert before they do.
  if account is null or (tg_op = 'INSERT' and private.attested_address() is not null)
    or (select count(*) from (select from changed limit 2) as several) < 2
  then
    return null;
  end if;
  select * into allowance from private.consume_user_rate_limit(account, 'bulk');
  if not allowance.allowed then
    perform nextval('private.limited_bulk_requests');
    perform private.refuse_for(
      allowance.reset_s, format('Too many changes of several rows at once. Try again in %s s.', allowance.reset_s)
    );
  end if;
  return null;
end
$$;
comment on function private.count_bulk is 'Trigger: a statement of a person that adds, changes or deletes several rows counts against the rate limit bulk.';

-- What runs as the caller is the caller's own statement; functions that run as the owner count nothing.
create function private.limit_bulk(relation regclass, variadic operations text[]) returns void
language plpgsql set search_path = '' as $$
declare
  operation text;
begin
  foreach operation in array operations loop
    execute format(
      'create trigger count_bulk_%1$s after %1$s on %2$s referencing %3$s table as changed for each statement
       when (current_user = ''authenticated'') execute function private.count_bulk()',
      operation, relation, case operation when 'delete' then 'old' else 'new' end
    );
  end loop;
end
$$;
comment on function private.limit_bulk is 'Makes statements of several rows count against the rate limit bulk, of a table of which people may insert, update or delete several. Called by policies/, beside the grants.';
