grant execute on function
  public.evaluate_policies(jsonb, public.enforcement_point, boolean),
  private.try_policies(jsonb, public.enforcement_point, boolean),
  public.policy_statistics(),
  private.policy_statistics()
to authenticated;
