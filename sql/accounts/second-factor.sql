-- The limit is the row second-factor of private.rate_limit_rules: after so many
-- wrong codes of an account no code is taken, not even a right one, until the first of them is as old as the period, or a day.

-- Wrong codes for an app that was removed since do not count, so that an administrator who removes it lets its owner in again.
create function private.second_factor_limited_until(account uuid, failures timestamptz[]) returns timestamptz
language sql stable set search_path = '' as $$
  select max(f.failed_at + w.period)
  from private.rate_limit_rules r
  cross join lateral (values (r.requests, r.period), (r.daily_requests, interval '1 day')) as w (requests, period)
  cross join lateral (
    select t as failed_at
    from unnest(failures) as t
    where t > (select min(m.created_at) from auth.mfa_factors m where m.user_id = account and m.status = 'verified')
    order by t desc
    offset w.requests - 1
    limit 1
  ) f
  where r.scope = 'second-factor' and w.requests is not null and f.failed_at + w.period > clock_timestamp()
$$;
comment on function private.second_factor_limited_until is 'Until when no code of an account is taken after wrong ones at these times; null when one is. Called by private.mfa_verification_attempt and private.second_factor_refused_until.';

-- Auth stores nothing of a wrong code, but a challenge for each of a client that asks for one a code, as supabase-js does.
create function private.second_factor_refused_until(account uuid) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select greatest(
    private.second_factor_limited_until(
      account,
      (select u.used_at from private.rate_limit_uses u where u.subject = account and u.scope = 'second-factor')
    ),
    private.second_factor_limited_until(
      account,
      (
        select array_agg(c.created_at)
        from auth.mfa_challenges c
        join auth.mfa_factors f on f.id = c.factor_id
        where f.user_id = account and c.verified_at is null and c.created_at > now() - interval '1 day'
      )
    )
  )
$$;
comment on function private.second_factor_refused_until is 'Until when no code of an account is taken: for wrong ones that Auth''s hook has counted, or challenges that were not answered, whichever are more; null when one is. Called by private.custom_access_token and private.refuse_second_factor.';

create function private.end_sessions_without_second_factor(account uuid) returns void
language sql security definer set search_path = '' as $$
  delete from auth.sessions where user_id = account and coalesce(aal, 'aal1') = 'aal1'
$$;
comment on function private.end_sessions_without_second_factor is 'Ends the sessions of an account in which no code was given: whoever guesses has one of them, and who gave a code keeps theirs. Called where no further code is taken.';

create function private.refuse_second_factor(account uuid) returns timestamptz
language plpgsql security definer set search_path = '' as $$
declare
  until timestamptz := private.second_factor_refused_until(account);
begin
  if until is not null then
    perform private.end_sessions_without_second_factor(account);
  end if;
  return until;
end
$$;
comment on function private.refuse_second_factor is 'Until when no code of an account is taken, and then ends the sessions in which none was given; null when one is taken. Called by the edge functions before they pass on a code.';

create function private.second_factor_error(until timestamptz) returns jsonb
language sql stable strict set search_path = '' as $$
  select jsonb_build_object(
    'error', jsonb_build_object(
      'http_code', 429,
      'message', format(
        'Too many wrong codes. No code is taken before %s UTC. Then sign in again.',
        to_char(date_trunc('minute', until + interval '59.999 seconds') at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
      )
    )
  )
$$;
comment on function private.second_factor_error is 'What a hook returns to Auth while no code is taken, with until when; null for null. Called by the hooks and the edge functions.';

-- Auth's own rejection ("decision": "reject") would end every session of the account, so that whoever has the password could sign its
-- owner out. An error ends none, and Auth has committed by then what the hook wrote.
create function private.mfa_verification_attempt(event jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  holder uuid := (event ->> 'user_id')::uuid;
  told text := event #>> '{metadata,ip_address}';
  failures timestamptz[];
  until timestamptz;
begin
  -- Whoever sets up the first app of an account knows its key. A further one that its owner began and left is there to be guessed.
  if not exists (select from auth.mfa_factors f where f.user_id = holder and f.status = 'verified') then
    return '{"decision": "continue"}';
  end if;
  -- Returns the row locked, for a right code too: of codes that are given at once, each meets those before it.
  insert into private.rate_limit_uses as u (subject, scope)
  values (holder, 'second-factor')
  on conflict (subject, scope) do update set used_at = u.used_at
  returning used_at into strict failures;
  until := private.second_factor_limited_until(holder, failures);
  if not coalesce((event ->> 'valid')::boolean, false) then
    -- Over the limit without the address, so that one account writes a row a minute, however many addresses it is tried from.
    perform private.note_security_event(
      'second_factor_failed', holder,
      case when until is null and pg_input_is_valid(told, 'inet') then told::inet end,
      jsonb_build_object('reason', case when until is null then 'wrong_code' else 'refused' end),
      'auth'
    );
    if until is null then
      update private.rate_limit_uses u
      set used_at = array(select t from unnest(u.used_at) as t where t > clock_timestamp() - interval '1 day' order by t) || clock_timestamp()
      where u.subject = holder and u.scope = 'second-factor'
      returning u.used_at into strict failures;
      until := private.second_factor_limited_until(holder, failures);
    end if;
  end if;
  if until is null then
    return '{"decision": "continue"}';
  end if;
  perform private.end_sessions_without_second_factor(holder);
  return private.second_factor_error(until);
end
$$;
comment on function private.mfa_verification_attempt is 'MFA verification hook: counts and notes wrong codes, and takes none of an account that had too many. Called by Auth, as config.toml says.';

-- Auth asks for a code of the app that an account has before it adds another, but not before it confirms one that was added. It
-- does that in the transaction in which it asks for the token, so that an error undoes it. A level that the session had
-- before shows in its claim of a code, which is older then. Auth also writes an app whose key it encrypts anew, but not its time.
create function private.is_raised_by_added_app(session uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select
    from auth.sessions s
    join auth.mfa_factors added on added.id = s.factor_id
    join auth.mfa_factors had on had.user_id = s.user_id and had.id <> added.id and had.status = 'verified'
    join auth.mfa_amr_claims c on c.session_id = s.id
    where s.id = session
      and added.xmin = pg_current_xact_id_if_assigned()::xid
      and added.updated_at > c.updated_at - interval '1 minute'
      and (c.authentication_method = 'totp' or c.authentication_method like 'mfa/%')
    group by s.id
    having bool_and(c.created_at = c.updated_at)
  )
$$;
comment on function private.is_raised_by_added_app is 'Whether a session gets its second factor in this transaction by an app that is confirmed in it, while the account has another. Called by private.custom_access_token.';

create function private.second_factor_findings(at timestamptz) returns setof private.finding
language sql stable set search_path = '' as $$
  with attempts as (
    select e.account, e.last_at, e.occurrences, e.address, 'wrong codes' as seen
    from private.security_events e
    where e.kind = 'second_factor_failed' and e.minute >= date_trunc('minute', at - interval '1 day')
    union all
    select f.user_id, c.created_at, 1, private.block_network(c.ip_address), 'challenges without an answer'
    from auth.mfa_challenges c
    join auth.mfa_factors f on f.id = c.factor_id
    where c.verified_at is null
      and c.created_at > at - interval '1 day'
      -- As private.second_factor_limited_until counts: while the account has an app, and for whichever of its apps.
      and c.created_at > (select min(m.created_at) from auth.mfa_factors m where m.user_id = f.user_id and m.status = 'verified')
  ),
  -- One attempt may be seen in both ways, so the larger number counts.
  seen as (
    select
      a.account, a.seen, r.threshold, l.daily_requests,
      coalesce(sum(a.occurrences) filter (where a.last_at > at - r.period), 0) as recent,
      sum(a.occurrences) as of_day,
      array_remove(array_agg(distinct a.address::inet), null) as addresses
    from attempts a
    join private.detection_rules r on r.rule = 'second_factor_guessing'
    left join private.rate_limit_rules l on l.scope = 'second-factor'
    where a.account is not null and a.last_at > private.resolved_at('second_factor:' || a.account)
    group by a.account, a.seen, r.threshold, l.daily_requests
  ),
  guessed as (
    select distinct on (s.account) s.*
    from seen s
    where s.recent >= s.threshold or s.of_day >= s.daily_requests
    order by s.account, s.of_day desc
  )
  select
    'second_factor_guessing', 'second_factor:' || g.account, 'The second factor of an account is guessed',
    format('%s %s within a day, from %s addresses. Whoever does this has the password.', g.of_day, g.seen, cardinality(g.addresses)),
    -- Evidence alone: whoever guesses may have written the addresses that Auth was told, and nobody is blocked by them.
    jsonb_build_object('count', g.of_day, 'seen', g.seen, 'networks', cardinality(g.addresses), 'told_addresses', to_jsonb(g.addresses[:100])),
    array[g.account], null::inet[], array['sign_in'], null::public.incident_type, null::public.incident_severity
  from guessed g
$$;
comment on function private.second_factor_findings is 'Accounts whose second factor is guessed: by wrong codes, or where no hook tells of those, by challenges without an answer. Called by private.detect_incidents.';

create function private.warn_of_guessing() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  holder uuid := split_part(new.key, ':', 2)::uuid;
begin
  perform private.end_sessions_without_second_factor(holder);
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body)
  select
    'email', 'second_factor_guessing', u.id, u.email,
    'Somebody has your password',
    E'Hello,\n\nsomebody signed in to your account with your password, and then tried to pass the second step without the right code of your authenticator app. They did not get in, and were signed out.\n\nIf it was you, there is nothing to do: after too many wrong codes none is taken for a while, then sign in again.\n\nIf it was not you, they have your password. Choose a new one now: where you are still signed in with your app, or by "forgot password" and a code of your app. Change it as well wherever else you use it. If no code is taken, ask your university for help.'
  from auth.users u
  where u.id = holder and u.email is not null and u.deleted_at is null;
  return null;
end
$$;
comment on function private.warn_of_guessing is 'Trigger on public.security_incidents: when the second factor of an account is guessed, ends the sessions without one and tells its owner, once for each incident.';

create trigger warn_of_guessing after insert on public.security_incidents
for each row when (new.key like 'second\_factor:%' and pg_input_is_valid(split_part(new.key, ':', 2), 'uuid'))
execute function private.warn_of_guessing();

-- A code that is given for a challenge that has expired makes Auth delete it, and with it what tells of the guess.
create function private.keep_unanswered_challenge() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from auth.mfa_factors f where f.id = old.factor_id) then
    return null;
  end if;
  return old;
end
$$;
comment on function private.keep_unanswered_challenge is 'Trigger on auth.mfa_challenges: one that was not answered stays for a day, as it counts as a wrong code, unless its app is removed.';

create trigger keep_unanswered_challenge before delete on auth.mfa_challenges
for each row when (old.verified_at is null and old.created_at > now() - interval '1 day')
execute function private.keep_unanswered_challenge();
