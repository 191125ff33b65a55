grant execute on function private.password_verification_attempt(jsonb) to supabase_auth_admin;

alter table public.security_incidents enable row level security;

-- Incidents are changed through functions, which keep their timelines.
grant select on public.security_incidents to authenticated, service_role;

create policy "security administrators see incidents" on public.security_incidents
for select to authenticated
using ((select private.is_security_admin()));

grant execute on function
  public.respond_to_incident(text, text, text, boolean),
  private.respond_to_incident(text, text, text, boolean),
  public.change_incident(text, public.incident_status, uuid, text, timestamptz),
  private.change_incident(text, public.incident_status, uuid, text, timestamptz),
  public.detect_incidents(),
  private.detect_as_administrator()
to authenticated;
grant execute on function private.is_blocked(inet, uuid), private.block_notice(inet) to supabase_auth_admin;
