grant execute on function
  private.retention_terms_of(),
  public.retention_terms(),
  private.change_retention(text, interval),
  public.set_retention(text, interval)
to authenticated;

grant execute on function
  public.set_legal_hold(uuid, text, boolean),
  private.set_hold(uuid, text, boolean),
  public.lift_legal_hold(uuid),
  private.lift_hold(uuid),
  public.read_legal_holds(),
  private.holds_in_force()
to authenticated;
