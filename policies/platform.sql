grant usage on schema public to anon, authenticated, service_role;
grant usage on schema checkin to authenticated, service_role;

-- Only the database's owner can name what is in the schema private; policies and exposed functions call the functions of it that
-- the files of the other subjects grant.
revoke all on schema private from public, anon, authenticated, service_role;
revoke execute on all functions in schema private from public, anon, service_role;

grant execute on function public.check_request(), private.refuse_estimates(), private.refuse_blocked(), private.enforce_on_rest()
to anon, authenticated, service_role;

-- The platform's tables may get other policies, as from Studio, and those may not ask who is let in. All that look at folders look at
-- names alone: none lets anybody near an object whose name leads out of its folder.
create policy "accounts are let in, and names lead to the object itself" on storage.objects
as restrictive for all to authenticated
using ((select private.current_account()) is not null and private.is_object_name(name));
