grant execute on function private.password_verification_attempt(jsonb) to supabase_auth_admin;
