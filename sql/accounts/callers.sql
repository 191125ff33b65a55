-- In PL/pgSQL, like the other functions that run on every request: it caches its plans. `auth.uid()` only reads the token, which
-- goes on until it expires; this looks whether Auth would still let the account in. Only tokens of Auth have a `session_id`.
create function private.signed_in_account() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  account uuid := claims ->> 'sub';
begin
  if pg_input_is_valid(claims ->> 'session_id', 'uuid')
    and exists (
      select from auth.sessions
      where id = (claims ->> 'session_id')::uuid and user_id = account and (not_after is null or not_after > now())
    )
    and exists (
      select from auth.users
      where id = account and deleted_at is null and (banned_until is null or banned_until <= now())
    )
    and not private.is_blocked(private.request_ip(), (claims ->> 'session_id')::uuid)
  then
    return account;
  end if;
  return null;
end
$$;
comment on function private.signed_in_account is 'The caller''s account, whether or not it has a role; null when nobody is signed in, the account is banned, the session has ended or the address is blocked for it. Called by private.current_account, and where people reach what is stored of them.';

-- The platform's own services say whom a request is for by its token; cron acts for nobody.
create function private.by_hand() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if session_user in ('authenticator', 'supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin') then
    return false;
  end if;
  -- A job of cron is a background worker, or a connection that the scheduler opens from the database's own machine.
  if current_setting('application_name') = 'pg_cron' and coalesce(inet_client_addr(), '::1') in ('127.0.0.1', '::1') then
    return false;
  end if;
  return not exists (select from pg_stat_get_activity(pg_backend_pid()) a where a.backend_type <> 'client backend');
end
$$;
comment on function private.by_hand is 'Whether the statement comes from a person who is connected to the database, with Studio, psql or a script, rather than from a service of the platform or from cron. Called by the audit triggers, and where people act.';

create function private.acting_account() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  stated constant text := nullif(btrim(current_setting('app.acting_for', true)), '');
  account uuid;
begin
  if stated is null or not private.by_hand() then
    return null;
  end if;
  select u.id into account
  from auth.users u
  where u.email = lower(stated)
    and u.email_confirmed_at is not null
    and exists (select from private.active_staff s where s.user_id = u.id);
  if account is null then
    raise exception 'app.acting_for names nobody who works here.'
      using errcode = 'insufficient_privilege', hint = 'Give the email address of an account with a role of staff.';
  end if;
  return account;
end
$$;
comment on function private.acting_account is 'The account of the person whom somebody at the database says they act as: set local app.acting_for = their email address. Null where nobody is stated, and in requests; an error for an address of no member of staff. Called by private.current_account and private.actor.';

create function private.actor() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(auth.uid(), private.acting_account());
end
$$;
comment on function private.actor is 'Who does this: the account of the request''s token, or the person stated at the database; null when neither. Called where it is written down who did something.';

-- The one rule for who may act, and the only way in which policies ask who the caller is: each then looks once.
create function private.current_account() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := private.signed_in_account();
begin
  if account is null then
    return private.acting_account();
  end if;
  if exists (select from public.user_roles where user_id = account) and private.policies_allow() then
    return account;
  end if;
  return null;
end
$$;
comment on function private.current_account is 'The caller''s account, or that of the person stated at the database; null when nobody is signed in, the account is banned or has no role, the session has ended, or a security policy refuses the request. Called by policies and by the functions that they call.';

-- In PL/pgSQL, like the other functions that run on every request: it caches its plans for the connection's next request.
create function private.roles_held(account uuid, wanted public.app_role[])
returns table (role public.app_role, university_id text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select r.role, r.university_id
  from public.user_roles r
  join auth.users u on u.id = r.user_id
  where r.user_id = account and r.role = any (wanted) and (u.banned_until is null or u.banned_until <= now());
end
$$;
comment on function private.roles_held is 'Which of these roles an account has that is not banned, and at which university; none for a role that is held everywhere. Called by the edge functions before calls of staff.';

create function private.has_role(account uuid, required public.app_role, university text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from private.roles_held(account, array[required]) h where required = 'security_admin' or h.university_id = university
  );
end
$$;
comment on function private.has_role is 'Whether an account that is not banned has a role at a university; security_admin applies everywhere. Called where somebody is given what only a role allows.';

create function private.is_security_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.user_roles where user_id = (select private.current_account()) and role = 'security_admin')
$$;
comment on function private.is_security_admin is 'Whether the caller is a security administrator. Called by policies.';

create function private.refuse_caller(message text) returns void
language plpgsql stable set search_path = '' as $$
begin
  if private.by_hand() then
    raise exception '%', message
      using errcode = 'insufficient_privilege',
        hint = 'Say who you are, in the same transaction: set local app.acting_for = ''<your email address>''.';
  end if;
  raise exception '%', message using errcode = 'insufficient_privilege';
end
$$;
comment on function private.refuse_caller is 'Raises insufficient_privilege with a message; at the database it says how to act under one''s own name. Called by the functions that only some may call.';

create function private.require_name() returns void
language plpgsql stable set search_path = '' as $$
begin
  if private.by_hand() and private.actor() is null then
    perform private.refuse_caller('Nobody is named who does this.');
  end if;
end
$$;
comment on function private.require_name is 'An error for somebody at the database who has not said who they are. Called where others are told no without an error.';

create function private.require_security_admin() returns void
language plpgsql stable set search_path = '' as $$
begin
  if not private.is_security_admin() then
    perform private.refuse_caller('Only security administrators do this.');
  end if;
end
$$;
comment on function private.require_security_admin is 'An error unless the caller is a security administrator. Called by the functions that only those may call.';

create function private.universities_administered() returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select university_id from public.user_roles where user_id = (select private.current_account()) and role = 'university_admin';
end
$$;
comment on function private.universities_administered is 'Universities that the caller administers. Called by policies.';

create function private.require_administrator(university text) returns void
language plpgsql stable set search_path = '' as $$
begin
  if not private.is_security_admin() and coalesce(university, '') not in (select private.universities_administered()) then
    perform private.refuse_caller('Only security administrators and the university''s own administrators do this.');
  end if;
end
$$;
comment on function private.require_administrator is 'An error unless the caller is a security administrator or administers the university. Called by the functions that only those may call.';

create function private.universities_counseled() returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select university_id from public.user_roles where user_id = (select private.current_account()) and role = 'counselor';
end
$$;
comment on function private.universities_counseled is 'Universities where the caller is a counselor. Called by policies.';

create function private.universities_joined() returns setof text
language sql stable security definer set search_path = '' as $$
  select distinct university_id from public.user_roles where user_id = (select private.current_account()) and university_id is not null
$$;
comment on function private.universities_joined is 'Universities where the caller has a role, as a student or as staff. Called by policies.';

create function private.university_of(account uuid) returns text
language sql stable security definer set search_path = '' as $$
  select university_id from public.profiles where user_id = account
$$;
comment on function private.university_of is 'University of an account. Called by what writes to the audit log.';
