-- The queue is reached by the database's owner alone.
revoke all on schema private from public, anon, authenticated, service_role;
revoke execute on all functions in schema private from public, anon, service_role;
