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
  private.universities_joined(),
  private.university_of(uuid)
to authenticated;

grant usage on schema private to supabase_auth_admin;
grant execute on function private.custom_access_token(jsonb) to supabase_auth_admin;

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

-- Every other policy only lets more in: nothing is reached with the token of an account that is banned or signed out.
create policy "accounts are signed in and not banned" on public.universities
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on public.profiles
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on public.user_roles
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on public.consents
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on checkin.check_ins
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on checkin.fusion_results
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on checkin.user_baselines
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on checkin.audio_analysis
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on checkin.visual_analysis
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on checkin.text_analysis
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on public.assessment_sessions
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on public.session_analyses
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on public.session_scores
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on public.clinical_reviews
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on public.audit_logs
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on public.students
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on public.cohort_days
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on public.cohort_snapshots
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on storage.objects
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "accounts are signed in and not banned" on realtime.messages
as restrictive for all to authenticated
using ((select private.current_account()) is not null);
