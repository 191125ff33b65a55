-- The queue is reached by the database's owner alone; row-level security is on so that a stray grant opens nothing.
alter table private.pipeline_settings enable row level security;
alter table private.check_in_inputs enable row level security;
alter table private.check_in_media enable row level security;
alter table private.analysis_jobs enable row level security;

revoke all on schema private from public, anon, authenticated, service_role;
revoke execute on all functions in schema private from public, anon, service_role;
