-- In PL/pgSQL, like all that runs on every request: it caches its plans for the connection's next request.
create function private.enforce_policies(facts jsonb, point public.enforcement_point, acts boolean) returns jsonb
language plpgsql set search_path = '' as $$
declare
  account constant uuid := facts ->> 'account';
  address constant inet := facts ->> 'address';
  policy private.enabled_policies;
  action jsonb;
  allowance record;
  rejection jsonb;
begin
  for policy in
    select p.*
    from private.enabled_policies p
    where point = any (p.enforcement_points) and jsonb_path_match(facts, p.condition, '{}', true)
    order by p.priority, p.policy_id
  loop
    if acts then
      perform private.count_policy_trigger(policy.policy_id);
    end if;
    continue when policy.dry_run;
    for action in select a from jsonb_array_elements(policy.actions) as a loop
      case action ->> 'action'
        when 'block_access' then
          rejection := coalesce(rejection, '{"code": "access_blocked"}');
        when 'require_mfa' then
          -- Without an account there is no code to give; a sign-in gives it afterwards.
          if account is not null and facts ->> 'aal' is distinct from 'aal2' then
            rejection := coalesce(rejection, '{"code": "mfa_required"}');
          end if;
        when 'apply_rate_limits' then
          if acts and rejection is null and coalesce(account::text, address::text) is not null then
            select * into strict allowance
            from private.consume_rate_limit(
              -- Pages of other sites use up an allowance of their own, not that of everybody behind their visitor's address.
              coalesce(
                account,
                left(encode(sha256(convert_to(concat_ws(' ', address, facts ->> 'sent_by'), 'UTF8')), 'hex'), 32)::uuid
              ),
              'policy ' || policy.policy_id
            );
            if not allowance.allowed then
              rejection := to_jsonb(allowance) || '{"code": "rate_limited"}';
            end if;
          end if;
        when 'log_events' then
          if acts then
            perform private.note_security_event('policy_triggered', account, address, jsonb_build_object(policy.policy_id, true));
          end if;
        else
          if acts then
            perform private.fire_policy_action(policy.policy_id, (action ->> 'action')::private.policy_action, account, address);
          end if;
      end case;
    end loop;
  end loop;
  return rejection;
end
$$;
comment on function private.enforce_policies is 'Enforces the policies that apply to facts of private.policy_facts: counts and acts where that is possible, and returns why the request is refused, {code}: access_blocked, mfa_required, or rate_limited with the state of the limit; null when it is not. Called by private.enforce_on_rest and the other points of enforcement.';

create function private.reject_request(rejection jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  case rejection ->> 'code'
    when 'access_blocked' then
      perform private.refuse(
        403, 'access_blocked',
        'A security policy blocks this. In danger, call the emergency services (112, 911, 999 or 000). Somebody to talk to: https://findahelpline.com'
      );
    when 'mfa_required' then
      perform private.refuse(403, 'mfa_required', 'This needs a second factor. Give the code of your authenticator app, then repeat the request.');
    else
      raise exception 'Too many requests.'
        using errcode = 'PT429', detail = rejection ->> 'reset_s', hint = 'Try again after as many seconds as the details say.';
  end case;
end
$$;
comment on function private.reject_request is 'The error of a request that private.enforce_policies refuses. Called before requests of the Data API.';

create function private.enforce_on_function(
  account uuid, session uuid, address inet, method text, path text, user_agent text, by_other_page boolean default false
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  rejection jsonb;
begin
  if not exists (select from private.enabled_policies) then
    return null;
  end if;
  rejection := private.enforce_policies(
    private.policy_facts(
      account, session, address,
      jsonb_build_object(
        'service', 'functions', 'function', split_part(path, '/', 2), 'method', method, 'path', left(path, 1000),
        'user_agent', left(user_agent, 500), 'sent_by', case when by_other_page then 'another page' end
      )
    ),
    'request',
    true
  );
  -- Help is never behind a block.
  return rejection || case when rejection ->> 'code' = 'access_blocked'
    then jsonb_build_object('crisis_resources', private.crisis_resources(account)) else '{}' end;
end
$$;
comment on function private.enforce_on_function is 'Enforces the policies on a request to an edge function, as private.enforce_policies does; with crisis_resources where access is blocked. Called by the edge functions before each request.';

-- What REST, Storage and Realtime say of a request before they ask the database as the caller. Realtime names no method and no path.
create function private.facts_of_request() returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return private.policy_facts(
    (select auth.uid()),
    case when pg_input_is_valid(auth.jwt() ->> 'session_id', 'uuid') then (auth.jwt() ->> 'session_id')::uuid end,
    private.request_ip(),
    jsonb_build_object(
      'service', case
        when nullif(current_setting('storage.operation', true), '') is not null then 'storage'
        when nullif(current_setting('realtime.topic', true), '') is not null then 'realtime'
        else 'rest'
      end,
      'method', nullif(current_setting('request.method', true), ''),
      'path', left(nullif(current_setting('request.path', true), ''), 1000),
      'user_agent', left(private.request_header('user-agent'), 500)
    )
  );
end
$$;
comment on function private.facts_of_request is 'The facts of the request that REST, Storage or Realtime is handling. Called where policies are enforced.';

create function private.mark_of_request() returns text
language plpgsql stable set search_path = '' as $$
begin
  return md5(concat_ws(
    '|', current_setting('request.jwt.claims', true), current_setting('request.headers', true), current_setting('request.path', true)
  ));
end
$$;
comment on function private.mark_of_request is 'What tells one request of a transaction from another. Called where a decision about a request is kept for its transaction.';

-- A read is a transaction that cannot write, so that nothing counts it: docs/security-policies.md.
create function private.enforce_on_rest() returns void
language plpgsql security definer set search_path = '' as $$
declare
  account constant uuid := (select auth.uid());
  writes constant boolean := current_setting('transaction_read_only') = 'off';
  rejection jsonb;
  allowance record;
begin
  if (select auth.role()) = 'service_role' then
    return;
  end if;
  -- The functions have enforced and counted the request that they serve.
  if private.attested_address() is null then
    if exists (select from private.enabled_policies) then
      rejection := private.enforce_policies(private.facts_of_request(), 'request', writes);
      if rejection ->> 'code' = 'rate_limited' then
        perform nextval('private.limited_by_policies');
      end if;
    end if;
    if rejection is null and writes and account is not null then
      select * into allowance from private.consume_user_rate_limit(account, 'data-api');
      if not allowance.allowed then
        perform nextval('private.limited_data_api_requests');
        rejection := to_jsonb(allowance) || '{"code": "rate_limited"}';
      end if;
    end if;
    if rejection is not null then
      perform private.reject_request(rejection);
    end if;
  end if;
  perform set_config('private.allowed_request', private.mark_of_request(), true);
end
$$;
comment on function private.enforce_on_rest is 'Enforces the policies on a request of the Data API and, where it can write, counts it against the rate limit data-api. Called by private.check_request.';

create function private.policies_allow() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  mark text;
  allowed boolean;
begin
  if not exists (
    select
    from private.enabled_policies p
    where 'request' = any (p.enforcement_points)
      and not p.dry_run
      and (p.actions @> '[{"action": "block_access"}]' or p.actions @> '[{"action": "require_mfa"}]')
  ) then
    return true;
  end if;
  mark := private.mark_of_request();
  if current_setting('private.allowed_request', true) = mark then
    return true;
  end if;
  allowed := private.enforce_policies(private.facts_of_request(), 'request', false) is null;
  if allowed then
    perform set_config('private.allowed_request', mark, true);
  end if;
  return allowed;
end
$$;
comment on function private.policies_allow is 'Whether the security policies let the caller of this request act: none that applies blocks it or wants a second factor. Called by private.current_account, so that it holds for row-level security everywhere, Storage and Realtime included.';

create function private.enforce_at_sign_in(event jsonb, address inet) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  told text := event -> 'claims' ->> 'session_id';
  session uuid := case when pg_input_is_valid(told, 'uuid') then told::uuid end;
  rejection jsonb;
begin
  if not exists (select from private.enabled_policies where 'sign_in' = any (enforcement_points)) then
    return null;
  end if;
  rejection := private.enforce_policies(
    private.policy_facts(
      (event ->> 'user_id')::uuid, session, address,
      jsonb_build_object(
        'service', 'auth',
        'aal', event -> 'claims' ->> 'aal',
        'sign_in_method', event ->> 'authentication_method',
        'user_agent', left((select s.user_agent from auth.sessions s where s.id = session), 500)
      )
    ),
    'sign_in',
    true
  );
  if rejection ->> 'code' = 'rate_limited' then
    perform nextval('private.limited_by_policies');
  end if;
  return rejection;
end
$$;
comment on function private.enforce_at_sign_in is 'Enforces the policies on a token that Auth is about to issue, as private.enforce_policies does. Called by private.custom_access_token.';

-- The functions count what they upload for somebody, and check-ins have limits of their own. Storage tries each upload and undoes
-- that before it takes the file, so that a refused one is refused early, and one that comes is counted once.
create function private.count_upload() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  allowance record;
begin
  if private.attested_address() is not null then
    return new;
  end if;
  select * into allowance from private.consume_user_rate_limit(new.owner_id::uuid, 'file-upload');
  if not allowance.allowed then
    raise exception 'Too many uploads. Try again in % s.', allowance.reset_s using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
comment on function private.count_upload is 'Trigger on storage.objects: files that people upload to Storage themselves count against the rate limit file-upload.';

create trigger count_upload
before insert on storage.objects
for each row when (new.bucket_id = 'university-files' and new.owner_id is not null)
execute function private.count_upload();

-- Before it is on, staff add an authenticator app (docs/security-policies.md); the demonstration switches it off (seed/).
insert into public.security_policies (id, name, category, type, conditions, actions, priority)
values (
  'pol_staff_second_factor',
  'Staff give a second factor',
  'authentication',
  'preventive',
  '{"all": [
    {"field": "role", "op": "in", "value": ["counselor", "university_admin", "security_admin"]},
    {"field": "aal", "op": "ne", "value": "aal2"}
  ]}',
  '[{"action": "require_mfa"}]',
  100
);
select private.declare_audited('public.security_policies', 'id', watched => '{name, category, type, conditions, actions, enforcement_points, priority, enabled, dry_run}',
  kept => 'A policy is never deleted: disable it instead.');
