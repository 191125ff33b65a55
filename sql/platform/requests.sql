-- What runs before every request of the Data API, as PostgREST's pre-request function.

create function private.refuse_estimates() returns void
language plpgsql stable set search_path = '' as $$
declare
  headers jsonb := nullif(current_setting('request.headers', true), '');
begin
  if headers ->> 'prefer' ~* 'count\s*=\s*"?(planned|estimated)' or headers ->> 'accept' ~* 'vnd\.pgrst\.plan' then
    raise exception 'Counts are exact here, and plans are not shown.'
      using errcode = 'PT400', hint = 'Ask with Prefer: count=exact.';
  end if;
end
$$;
comment on function private.refuse_estimates is 'Refuses counts and plans that the planner estimates: it estimates from statistics of all rows, also of those that policies hide. Called by public.check_request.';

create function public.check_request() returns void
language sql set search_path = ''
begin atomic
  select private.refuse_estimates();
  select private.refuse_blocked();
  select private.enforce_on_rest();
end;
comment on function public.check_request is 'Checks a request before the Data API serves it. Called by PostgREST before every request, as the caller.';

-- PostgREST reads its settings from this role, which is the cluster's: not set again, so that databases do not wait for each other.
do $$
begin
  if not exists (
    select from pg_roles where rolname = 'authenticator' and 'pgrst.db_pre_request=public.check_request' = any (rolconfig)
  ) then
    alter role authenticator set pgrst.db_pre_request = 'public.check_request';
  end if;
  notify pgrst, 'reload config';
end
$$;
