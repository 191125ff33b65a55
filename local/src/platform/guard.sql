-- Rejects what the platform rejects from postgres: changing its schemas beyond policies and triggers. Without this
-- a migration could succeed here and fail there.

create or replace function extensions.local_reject_platform_change()
returns event_trigger
language plpgsql
as $$
declare
  change record;
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    return;
  end if;
  if tg_event = 'sql_drop' then
    for change in
      select object_identity
      from pg_event_trigger_dropped_objects()
      where original
        and schema_name in ('auth', 'storage', 'realtime', 'vault', 'graphql_public')
        and object_type not in ('policy', 'trigger')
        and tg_tag <> 'DROP EXTENSION'
    loop
      raise exception 'must be owner of %', change.object_identity using errcode = '42501';
    end loop;
  else
    for change in
      select object_identity
      from pg_event_trigger_ddl_commands()
      where schema_name in ('auth', 'storage', 'realtime', 'vault', 'graphql_public')
        and not in_extension
        and command_tag not in ('CREATE POLICY', 'ALTER POLICY', 'CREATE TRIGGER', 'ALTER TRIGGER', 'COMMENT')
    loop
      raise exception 'must be owner of %', change.object_identity using errcode = '42501';
    end loop;
  end if;
end
$$;

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'local_reject_platform_change') then
    create event trigger local_reject_platform_change
      on ddl_command_end
      execute function extensions.local_reject_platform_change();
    create event trigger local_reject_platform_drop
      on sql_drop
      execute function extensions.local_reject_platform_change();
  end if;
end
$$;
