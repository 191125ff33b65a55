grant execute on function
  public.respond_to_incident(text, text, text, boolean),
  private.respond_to_incident(text, text, text, boolean),
  public.change_incident(text, public.incident_status, uuid, text, timestamptz),
  private.change_incident(text, public.incident_status, uuid, text, timestamptz),
  public.detect_incidents(),
  private.detect_as_administrator()
to authenticated;
grant execute on function private.is_blocked(inet, uuid), private.block_notice(inet) to supabase_auth_admin;
