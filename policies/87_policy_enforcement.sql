grant execute on function private.enforce_at_sign_in(jsonb, inet) to supabase_auth_admin;
