grant execute on function
  public.log_access(public.audit_action, text, uuid),
  private.log_access(public.audit_action, text, uuid)
to authenticated;
