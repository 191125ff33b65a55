alter table public.universities enable row level security;
alter table public.profiles enable row level security;
alter table public.user_roles enable row level security;
alter table public.consents enable row level security;

grant usage on schema public to anon, authenticated, service_role;
grant select on public.universities, public.profiles, public.user_roles, public.consents to authenticated;
grant update (first_name, last_name) on public.profiles to authenticated;
grant insert (user_id, kind, version) on public.consents to authenticated;
grant update (withdrawn_at) on public.consents to authenticated;
grant select, insert, update, delete on public.universities, public.profiles, public.user_roles, public.consents to service_role;

grant update (
  name, short_name, logo_url, primary_color, secondary_color, features_enabled, assessment_frequency, privacy_settings,
  support_email, crisis_phone, resources
) on public.universities to authenticated;

grant execute on function
  private.university_of(uuid),
  private.universities_joined(),
  private.universities_administered()
to authenticated;

create policy "people see their universities, security administrators all" on public.universities
for select to authenticated
using (id in (select private.universities_joined()) or (select private.is_security_admin()));

create policy "administrators change their universities" on public.universities
for update to authenticated
using (id in (select private.universities_administered()))
with check (id in (select private.universities_administered()));

-- Counselors read names through functions that want the read noted in the audit log.
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
