-- API roles reach nothing unless a file of policies/ grants it.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;

create schema checkin;
comment on schema checkin is 'Check-ins, their analyses and scores. Exposed read-only to the student who owns the rows.';

create schema private;
comment on schema private is 'Never exposed: functions that policies use, the job queue, the outbox, inputs of check-ins, settings.';

create extension if not exists pg_net with schema extensions;
create extension if not exists pg_cron with schema pg_catalog;

create function private.utc_minute(moment timestamptz) returns text
language sql stable set search_path = '' as $$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD HH24:MI') $$;
comment on function private.utc_minute is 'A moment as messages write it, such as 2026-05-04 09:30, in UTC. Called where messages are written.';
