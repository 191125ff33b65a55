-- API roles reach nothing unless a file of policies/ grants it.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;

create schema checkin;
comment on schema checkin is 'Check-ins, their analyses and scores. Exposed read-only to the student who owns the rows.';

create schema private;
comment on schema private is 'Never exposed: functions that policies use, the job queue, the outbox, inputs of check-ins, settings.';

create schema staff;
comment on schema staff is 'Never exposed: views for whoever looks at the service in Studio, without the words and scores of students and the addresses of messages.';

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

create function private.refuse(status integer, code text, message text) returns void
language plpgsql set search_path = '' as $$
begin
  raise exception '%', message using errcode = 'PT' || status, hint = code;
end
$$;
comment on function private.refuse is 'Raises an error with a status, a code of docs/errors.md and a message without values of rows. Called by rules that clients run into.';

create function private.refuse_direct_write() returns trigger
language plpgsql set search_path = '' as $$
begin
  if pg_trigger_depth() > 1 then
    return coalesce(new, old);
  end if;
  raise exception 'Rows of % follow from %: change them there.', tg_table_name, tg_argv[0]
    using errcode = 'insufficient_privilege', hint = format('Triggers on %s write them.', tg_argv[0]);
end
$$;
comment on function private.refuse_direct_write is 'Trigger: rows that only a trigger of another table writes, which its argument names, are written by nobody else.';

create function private.refuse_emptying() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception '% is not emptied at once: delete single rows.', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
comment on function private.refuse_emptying is 'Trigger: a table whose triggers act on each deleted row is not truncated, as that runs none of them.';

create function private.retry_delay(first interval, attempts integer, longest interval default null, factor integer default 2)
returns interval
language sql immutable set search_path = '' as $$
  select least(first * power(factor, least(attempts - 1, 20)), longest)
$$;
comment on function private.retry_delay is 'Delay after so many failed attempts: the first one, and then each time so many times longer, until it is the longest. Called by the queues.';

create function private.utc_minute(moment timestamptz) returns text
language sql stable set search_path = '' as $$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD HH24:MI') $$;
comment on function private.utc_minute is 'A moment as messages write it, such as 2026-05-04 09:30, in UTC. Called where messages are written.';

-- COMMENT takes no parameters, so that the statements are put together here.
create function private.describe(relation regclass, about text, columns text) returns void
language plpgsql set search_path = '' as $function$
declare
  described record;
begin
  if columns ~ '(?n)^ *(?! *\w+: .)\S' then
    raise exception 'A line of the description of % is not "name: text".', relation;
  end if;
  execute format(
    'comment on %s %s is %L', case (select relkind from pg_class where oid = relation) when 'v' then 'view' else 'table' end, relation, about
  );
  for described in
    select coalesce(l.name, a.name) as name, l.text
    from (select m[1] as name, m[2] as text from regexp_matches(columns, '^ *(\w+): (.+)$', 'gn') as m) as l
    full join (
      select attname::text as name from pg_attribute where attrelid = relation and attnum > 0 and not attisdropped
    ) as a on a.name = l.name
  loop
    if described.text is null then
      raise exception 'The column % of % is not described.', described.name, relation;
    end if;
    execute format('comment on column %s.%I is %L', relation, described.name, described.text);
  end loop;
end
$function$;
comment on function private.describe is
  'Comments a table or view, and each of its columns by a line "name: text"; an error for one that is not described, or that does not exist. Called beside each table and each view of the schema staff.';
