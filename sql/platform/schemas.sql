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

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function private.touch_updated_at is 'Trigger: sets updated_at to the time of the change.';

create function private.retry_delay(first interval, attempts integer, longest interval default null, factor integer default 2)
returns interval
language sql immutable set search_path = '' as $$
  select least(first * power(factor, least(attempts - 1, 20)), longest)
$$;
comment on function private.retry_delay is 'Delay after so many failed attempts: the first one, and then each time so many times longer, until it is the longest. Called by the queues.';

create function private.describe(relation regclass, description text, columns text) returns void
language plpgsql set search_path = '' as $$
declare
  missing text;
begin
  execute format('comment on table %s is %L', relation, description);
  execute (
    select string_agg(format('comment on column %s.%I is %L', relation, line[1], line[2]), '; ')
    from regexp_matches(columns, '^ *(\w+): (.+)$', 'gn') as line
  );
  select string_agg(attname, ', ') into missing
  from pg_catalog.pg_attribute
  where attrelid = relation and attnum > 0 and not attisdropped and pg_catalog.col_description(relation, attnum) is null;
  if missing is not null then
    raise exception 'Without a description in %: %', relation, missing;
  end if;
end
$$;
comment on function private.describe is 'Comments on a table and on its columns, a line "name: what it holds" each; an error names columns that have none. Called by the files of sql/, after the table.';
