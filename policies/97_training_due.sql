grant execute on function
  public.my_training(),
  private.my_training(timestamptz)
to authenticated;
grant execute on function
  public.training_statistics(),
  private.training_statistics(timestamptz)
to authenticated, service_role;
