alter table public.profiles enable row level security;
alter table public.user_roles enable row level security;

grant select on public.profiles, public.user_roles to authenticated;
grant update (first_name, last_name, time_zone, language) on public.profiles to authenticated;
grant select, insert, update, delete on public.profiles, public.user_roles to service_role;

grant execute on function
  private.current_account(),
  private.is_security_admin(),
  private.universities_administered(),
  private.universities_counseled(),
  private.universities_joined()
to authenticated;

grant execute on function
  public.invite_staff(text, public.app_role, text),
  public.withdraw_invitation(text, public.app_role, text),
  public.grant_role(text, public.app_role, text),
  public.revoke_role(text, public.app_role, text),
  public.list_staff(text),
  private.invite_staff(text, public.app_role, text),
  private.withdraw_invitation(text, public.app_role, text),
  private.grant_role(text, public.app_role, text),
  private.revoke_role(text, public.app_role, text),
  private.list_staff(text),
  public.read_account(text),
  private.read_account(text)
to authenticated;

grant execute on function
  public.list_own_sessions(),
  public.end_own_session(uuid),
  private.list_own_sessions(),
  private.end_own_session(uuid)
to authenticated;

-- Constraints call it as whoever writes.
grant execute on function private.is_mail_address(text) to authenticated, service_role;

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

grant execute on function
  private.mfa_verification_attempt(jsonb),
  private.second_factor_refused_until(uuid),
  private.is_raised_by_added_app(uuid),
  private.second_factor_error(timestamptz)
to supabase_auth_admin;
