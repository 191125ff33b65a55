-- No policies: rights are in policies/02_requests.sql. After the files whose checks it calls: its body is resolved where it is created.
create function public.check_request()
returns void
language sql
set search_path = ''
begin atomic
  select private.refuse_estimates();
  select private.refuse_blocked();
  select private.enforce_on_rest();
end;
comment on function public.check_request is 'Checks a request before the Data API serves it. Called by PostgREST before every request, as the caller.';
