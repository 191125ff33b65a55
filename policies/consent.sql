grant update (keep_results) on public.consents to authenticated;

grant execute on function
  private.withdraw_own_consent(public.consent_kind, boolean),
  public.withdraw_consent(public.consent_kind, boolean),
  private.own_consent_status(),
  public.consent_status()
to authenticated;
