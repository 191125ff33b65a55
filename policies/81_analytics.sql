grant select on public.wellbeing_by_day, public.risk_by_cohort to authenticated, service_role;

grant execute on function
  public.analytics_dashboard(text, text, text, text, text),
  public.analytics_wellbeing(text, text),
  public.analytics_trends(text, text, text, text, text, text),
  public.analytics_scoring_versions(text, integer),
  private.range_days(text),
  private.aggregated_through(),
  private.cohort_grain(text, text, text)
to authenticated, service_role;
