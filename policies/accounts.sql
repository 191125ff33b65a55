alter table public.profiles enable row level security;
alter table public.user_roles enable row level security;
alter table public.consents enable row level security;

grant select on public.profiles, public.user_roles, public.consents to authenticated;
grant update (first_name, last_name) on public.profiles to authenticated;
grant insert (user_id, kind, version) on public.consents to authenticated;
grant update (withdrawn_at) on public.consents to authenticated;
grant select, insert, update, delete on public.profiles, public.user_roles, public.consents to service_role;

grant execute on function
  private.current_account(),
  private.is_security_admin(),
  private.universities_administered(),
  private.universities_counseled(),
  private.universities_joined()
to authenticated;

grant usage on schema private to supabase_auth_admin;
grant execute on function private.custom_access_token(jsonb) to supabase_auth_admin;

-- Counselors read names through functions that require an entry in the access log.
create policy "people see their own profile" on public.profiles
for select to authenticated
using (user_id = (select private.current_account()));

create policy "people change their own profile" on public.profiles
for update to authenticated
using (user_id = (select private.current_account()))
with check (user_id = (select private.current_account()));

create policy "people see their own roles" on public.user_roles
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students see their own consents" on public.consents
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students grant their own consents" on public.consents
for insert to authenticated
with check (user_id = (select private.current_account()));

create policy "students withdraw their own consents" on public.consents
for update to authenticated
using (user_id = (select private.current_account()) and withdrawn_at is null)
with check (user_id = (select private.current_account()));

-- The platform's tables may get other policies, as from Studio, and those may not ask who is let in. All that look at folders look at
-- names alone: none lets anybody near an object whose name leads out of its folder.
create policy "accounts are let in, and names lead to the object itself" on storage.objects
as restrictive for all to authenticated
using ((select private.current_account()) is not null and private.is_object_name(name));

create policy "accounts are signed in, not banned and have a role" on realtime.messages
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

grant execute on function
  private.mfa_verification_attempt(jsonb),
  private.second_factor_refused_until(uuid),
  private.is_raised_by_added_app(uuid),
  private.second_factor_error(timestamptz)
to supabase_auth_admin;
