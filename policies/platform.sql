grant usage on schema public to anon, authenticated, service_role;
grant usage on schema checkin to authenticated, service_role;

-- Only the database's owner can name what is in the schema private; policies and exposed functions call the functions of it that
-- the files after this one grant.
revoke all on schema private from public, anon, authenticated, service_role;
revoke execute on all functions in schema private from public, anon, service_role;

grant execute on function public.check_request(), private.refuse_estimates(), private.refuse_blocked(), private.enforce_on_rest()
to anon, authenticated, service_role;
