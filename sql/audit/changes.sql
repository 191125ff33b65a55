create function private.changed_columns(this_row jsonb, other_row jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(key, value), '{}')
  from jsonb_each(this_row)
  where value is distinct from other_row -> key and key <> 'updated_at'
$$;
comment on function private.changed_columns is 'The columns of a row that differ from another row. Called by the audit triggers.';

create function private.without_values(changes jsonb, hidden text[]) returns jsonb
language sql immutable set search_path = '' as $$
  select changes || coalesce((select jsonb_object_agg(name, '…') from unnest(hidden) as name where changes ? name), '{}')
$$;
comment on function private.without_values is
  'Changes without the values of columns that hold an address: nothing can be taken out of the audit log. Called by private.audit_settings.';

-- Audit triggers are deferred: the lock on the chain is then the last one that a transaction takes, and cannot deadlock.
create function private.audit_settings() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(
    'settings_changed',
    coalesce(to_jsonb(new), to_jsonb(old)) ->> 'university_id',
    tg_table_name,
    coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0],
    case when tg_op <> 'INSERT' then
      private.without_values(private.changed_columns(to_jsonb(old), coalesce(to_jsonb(new), '{}')), tg_argv[1:])
    end,
    case when tg_op <> 'DELETE' then
      private.without_values(private.changed_columns(to_jsonb(new), coalesce(to_jsonb(old), '{}')), tg_argv[1:])
    end
  );
  return null;
end
$$;
comment on function private.audit_settings is
  'Trigger: logs changes of an operator''s settings; its arguments are the key column, and those of which only the change is logged.';

create table private.audit_triggers (
  relation text not null,
  name text not null,
  guards boolean not null,
  constraint audit_triggers_pkey primary key (relation, name)
);
select private.describe('private.audit_triggers', 'The triggers that the audit log relies on. Rows are declared beside each table, so that one that is dropped or disabled is missed.', $$
  relation: The table.
  name: The trigger.
  guards: Whether it keeps the log from being changed; otherwise it writes to the log.
$$);

select private.declare_data('private.audit_triggers', '{relation, name, guards}', 'The triggers that the audit log relies on.');

create function private.declare_audit_triggers(relation text, names text[], guards boolean default false) returns void
language sql set search_path = '' as $$
  insert into private.audit_triggers (relation, name, guards) select relation, name, guards from unnest(names) as name
$$;
comment on function private.declare_audit_triggers is
  'Declares the triggers of a table that log its changes in a way of their own, or guard the log. Called by the files of sql/, beside them.';

create function private.missing_audit_triggers(guarding boolean) returns setof text
language sql stable set search_path = '' as $$
  select d.relation || ': ' || d.name
  from private.audit_triggers d
  where d.guards = guarding
    and not exists (
      select from pg_catalog.pg_trigger t
      where t.tgrelid = to_regclass(d.relation) and t.tgname = d.name and t.tgenabled in ('O', 'A')
    )
$$;
comment on function private.missing_audit_triggers is
  'Declared triggers that are not there, or disabled: those that guard the audit log, or those that write to it. Called by the checks of compliance.';

create function private.declare_audited(relation regclass, key_column text, variadic hidden text[] default '{}') returns void
language plpgsql set search_path = '' as $$
begin
  execute format(
    'create constraint trigger audit_settings after insert or update or delete on %s deferrable initially deferred for each row execute function private.audit_settings(%s)',
    relation,
    (select string_agg(quote_literal(argument), ', ' order by position) from unnest(array[key_column] || hidden) with ordinality as a (argument, position))
  );
  perform private.declare_audit_triggers(relation::text, '{audit_settings}');
end
$$;
comment on function private.declare_audited is
  'Declares that changes of a table of settings are logged, by the value of its key column, without those of the hidden columns. Called by the files of sql/, beside the table, after its first rows.';
