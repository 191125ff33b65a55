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
  public.record_incident(public.incident_type, public.incident_severity, text, text, text, timestamptz, uuid[], text[]),
  private.record_incident(public.incident_type, public.incident_severity, text, text, text, timestamptz, uuid[], text[]),
  public.add_incident_note(text, text),
  public.reopen_incident(text, text),
  private.explain_incident(text, text, boolean),
  public.assign_incident(text, uuid, text),
  public.list_schema_changes(),
  private.list_schema_changes(),
  public.accept_schema_change(text, text),
  private.accept_schema_change(text, text),
  public.detect_incidents(),
  private.detect_as_administrator(),
  public.list_blocks(),
  private.list_blocks(),
  public.lift_block(text, text, text),
  private.lift_block(text, text, text),
  public.look_up_address(inet),
  private.look_up_address(inet),
  public.incident_transitions(),
  private.incident_transitions()
to authenticated;
grant execute on function private.is_blocked(inet, uuid), private.block_notice(inet) to supabase_auth_admin;
