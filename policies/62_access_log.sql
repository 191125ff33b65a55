grant execute on function
  public.log_access(public.audit_action, text, uuid, text, text, boolean, integer, integer),
  private.log_access(public.audit_action, text, uuid, text, text, boolean, integer, integer)
to authenticated;
