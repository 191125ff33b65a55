create table private.rate_limit_rules (
  scope text not null,
  requests integer not null,
  period interval not null default '1 minute',
  constraint rate_limit_rules_pkey primary key (scope),
  constraint rate_limit_rules_positive check (requests > 0 and period > interval '0')
);
comment on table private.rate_limit_rules is 'How often one person may call what; an operator can tune it without a deployment.';
comment on column private.rate_limit_rules.scope is 'What is limited, named after the function or call.';
comment on column private.rate_limit_rules.requests is 'Requests within any one period.';
comment on column private.rate_limit_rules.period is 'Length of the sliding window.';

create table private.rate_limit_uses (
  subject uuid not null,
  scope text not null,
  taken timestamptz[] not null default '{}',
  constraint rate_limit_uses_pkey primary key (subject, scope),
  constraint rate_limit_uses_scope_fkey foreign key (scope) references private.rate_limit_rules (scope) on delete cascade
);
comment on table private.rate_limit_uses is 'Requests that were let through within the current window; forgotten a day later.';
comment on column private.rate_limit_uses.subject is 'Account that asked; for who is not signed in, a digest of what they are known by.';
comment on column private.rate_limit_uses.scope is 'What was asked for.';
comment on column private.rate_limit_uses.taken is 'When each request of the window was let through, oldest first.';
create index rate_limit_uses_scope_idx on private.rate_limit_uses (scope);

-- A log of the window, not a counter per minute, so that no minute holds more than its limit wherever it begins. The
-- row's lock makes concurrent requests take turns; a refused request counts for nothing.
create function private.consume_rate_limit(who uuid, wanted text)
returns table (allowed boolean, max_requests integer, remaining integer, reset_s integer, period_s integer)
language plpgsql
set search_path = ''
as $$
declare
  rule private.rate_limit_rules;
  recent timestamptz[];
  moment timestamptz;
begin
  select * into strict rule from private.rate_limit_rules where scope = wanted;
  -- The row comes back locked, also where it was there before.
  insert into private.rate_limit_uses as u (subject, scope)
  values (who, wanted)
  on conflict (subject, scope) do update set taken = u.taken
  returning taken into strict recent;

  moment := clock_timestamp();
  recent := array(select t from unnest(recent) as t where t > moment - rule.period order by t);
  allowed := cardinality(recent) < rule.requests;
  if allowed then
    recent := recent || moment;
    update private.rate_limit_uses set taken = recent where subject = who and scope = wanted;
  end if;
  max_requests := rule.requests;
  remaining := greatest(0, rule.requests - cardinality(recent));
  reset_s := greatest(1, ceil(extract(epoch from recent[1] + rule.period - moment)));
  period_s := extract(epoch from rule.period);
  return next;
end
$$;
comment on function private.consume_rate_limit is
  'Takes one request of an allowance: whether it may pass, the limit, what is left, and the seconds until one more is free. Called by the functions for who is not signed in.';

create function private.consume_user_rate_limit(person uuid, wanted text)
returns table (allowed boolean, max_requests integer, remaining integer, reset_s integer, period_s integer)
language plpgsql
set search_path = ''
as $$
begin
  -- Locked first, as the deletion of an account does.
  perform from public.profiles where user_id = person for key share;
  if not found then
    return;
  end if;
  return query select * from private.consume_rate_limit(person, wanted);
end
$$;
comment on function private.consume_user_rate_limit is
  'Takes one request of a person''s allowance; no row when the account was deleted. Called by the functions.';

create function private.purge_rate_limit_uses()
returns void
language sql
security definer
set search_path = ''
as $$
  delete from private.rate_limit_uses u
  using private.rate_limit_rules r
  where r.scope = u.scope and u.taken[cardinality(u.taken)] < now() - greatest(r.period, interval '1 day')
$$;
comment on function private.purge_rate_limit_uses is 'Deletes what nobody asked for since yesterday. Called by cron.';
