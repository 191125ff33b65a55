-- Where a person is signed in: everybody sees their own sessions and ends them. Auth has a way out of all of them only.

create function private.list_own_sessions()
returns table (
  id uuid, began_at timestamptz, used_at timestamptz, user_agent text, address text, second_factor boolean, is_this boolean
)
language sql stable security definer set search_path = '' as $$
  select
    s.id, s.created_at, greatest(s.created_at, s.refreshed_at at time zone 'UTC'), left(s.user_agent, 500), host(s.ip),
    coalesce(s.aal <> 'aal1', false), s.id::text = auth.jwt() ->> 'session_id'
  from auth.sessions s
  where s.user_id = (select private.current_account()) and (s.not_after is null or s.not_after > now())
  order by 3 desc nulls last, 1
$$;
comment on function private.list_own_sessions is 'Implementation of public.list_own_sessions, which calls it.';

create function public.list_own_sessions()
returns table (
  id uuid, began_at timestamptz, used_at timestamptz, user_agent text, address text, second_factor boolean, is_this boolean
)
language sql stable set search_path = ''
begin atomic
  select s.id, s.began_at, s.used_at, s.user_agent, s.address, s.second_factor, s.is_this from private.list_own_sessions() s;
end;
comment on function public.list_own_sessions is 'Where the caller is signed in, the last used first: since when, when an access token was last fetched, browser and address, whether a second factor was given, and which session the call is made in. Called by everybody who is signed in.';

create function private.end_own_session(session uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions s where s.id = session and s.user_id = private.signed_in_account();
  return found;
end
$$;
comment on function private.end_own_session is 'Implementation of public.end_own_session, which calls it.';

create function public.end_own_session(session_id uuid) returns boolean
language sql set search_path = ''
begin atomic select private.end_own_session(session_id); end;
comment on function public.end_own_session is 'Ends a session of the caller, with every token of it; false when they have no such session. Called by everybody who is signed in.';
