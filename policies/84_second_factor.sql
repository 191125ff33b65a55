grant execute on function
  private.mfa_verification_attempt(jsonb),
  private.second_factor_refused_until(uuid),
  private.is_raised_by_added_app(uuid),
  private.second_factor_error(timestamptz)
to supabase_auth_admin;
