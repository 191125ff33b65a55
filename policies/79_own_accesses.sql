grant execute on function
  private.accesses_to_own_data(bigint, integer),
  public.list_own_accesses(bigint, integer)
to authenticated;
