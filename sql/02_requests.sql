-- Runs before every request of the Data API (PostgREST's pre-request function; sql/90_settings_and_cron.sql sets it).

create function private.refuse_estimates()
returns void
language plpgsql
stable
set search_path = ''
as $$
declare
  headers jsonb := nullif(current_setting('request.headers', true), '');
begin
  if headers ->> 'prefer' ~* 'count\s*=\s*"?(planned|estimated)' or headers ->> 'accept' ~* 'vnd\.pgrst\.plan' then
    raise exception 'Counts are exact here, and plans are not shown.'
      using errcode = 'PT400', hint = 'Ask with Prefer: count=exact.';
  end if;
end
$$;
comment on function private.refuse_estimates is
  'Refuses counts and plans that the planner estimates: it estimates from statistics of all rows, also of those that policies hide. Called by public.check_request.';
