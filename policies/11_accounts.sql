alter table public.profiles enable row level security;
alter table public.user_roles enable row level security;
alter table public.consents enable row level security;

grant select on public.profiles, public.user_roles, public.consents to authenticated;
grant update (first_name, last_name) on public.profiles to authenticated;
grant insert (user_id, kind, version) on public.consents to authenticated;
grant update (withdrawn_at) on public.consents to authenticated;
grant select, insert, update, delete on public.profiles, public.user_roles, public.consents to service_role;

grant execute on function
  private.is_security_admin(),
  private.universities_administered(),
  private.universities_counseled(),
  private.universities_joined(),
  private.university_of(uuid)
to authenticated;

-- Counselors read names through functions that require an entry in the access log.
create policy "people see their own profile" on public.profiles
for select to authenticated
using (user_id = (select auth.uid()));

create policy "people change their own profile" on public.profiles
for update to authenticated
using (user_id = (select auth.uid()))
with check (user_id = (select auth.uid()));

create policy "people see their own roles" on public.user_roles
for select to authenticated
using (user_id = (select auth.uid()));

create policy "students see their own consents" on public.consents
for select to authenticated
using (user_id = (select auth.uid()));

create policy "students grant their own consents" on public.consents
for insert to authenticated
with check (user_id = (select auth.uid()));

create policy "students withdraw their own consents" on public.consents
for update to authenticated
using (user_id = (select auth.uid()) and withdrawn_at is null)
with check (user_id = (select auth.uid()));
