grant execute on function
  private.retention_terms_of(),
  public.retention_terms(),
  private.change_retention(text, interval),
  public.set_retention(text, interval)
to authenticated;
