create function private.changed_columns(this_row jsonb, other_row jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(key, value), '{}')
  from jsonb_each(this_row)
  where value is distinct from other_row -> key and key <> 'updated_at'
$$;
comment on function private.changed_columns is 'The columns of a row that differ from another row. Called by private.audit_change.';

-- Whoever may write in this schema may do anything; what is told apart here is a slip of the hand from the service's work.
create function private.written_by(context text, functions text) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select
    from regexp_matches(context, '^(?:PL/pgSQL function private\.|SQL function ")(\w+)', 'gn') as called
    join pg_catalog.pg_proc p on p.proname = called[1] and p.pronamespace = 'private'::regnamespace
    where called[1] ~ functions
  )
$$;
comment on function private.written_by is 'Whether a function of the schema private of such a name is among those that lead to this place, by the context that Postgres gives. Called by the triggers that audit and guard.';

create function private.is_cascade(context text) returns boolean
language sql immutable set search_path = '' as $$ select context ~ '(?n)^SQL statement "DELETE FROM ONLY ' $$;
comment on function private.is_cascade is 'Whether a row goes because the row that it belongs to goes, by the context that Postgres gives. Called by the triggers that audit and guard.';

create type private.audited_changes as enum ('all', 'by_hand');
comment on type private.audited_changes is
  'Whose changes of a table are logged: everybody''s, or only those that a person makes at the database.';

create table private.audited_tables (
  relation text not null constraint audited_tables_pkey primary key,
  key_column text,
  changes private.audited_changes not null,
  actions text[] not null,
  shown text[] not null,
  hidden text[] not null,
  watched text[]
);
select private.describe('private.audited_tables', 'The tables whose changes the audit log records, and how. Rows are declared beside each table.', $$
  relation: The table.
  key_column: The column that an entry names the row by; null where its value is personal data.
  changes: Whose changes are logged. Where only those by hand are, what people ask of the service is logged elsewhere.
  actions: The action of an entry: one, or those of adding, changing and removing.
  shown: Columns with personal data whose values an entry holds nevertheless, such as the status of a review.
  hidden: Columns without personal data whose values an entry does not hold either, such as the answers of a test.
  watched: Columns of which the service's own changes are logged; null: all. Changes by hand are logged whatever the column.
$$);
select private.declare_data('private.audited_tables', '{relation, key_column, changes, actions, shown, hidden, watched}',
  'Which tables the audit log records.');

create table private.unaudited_tables (
  relation text not null constraint unaudited_tables_pkey primary key,
  reason text not null
);
select private.describe('private.unaudited_tables', 'The tables whose changes the audit log does not record. Rows are declared beside each table.', $$
  relation: The table.
  reason: Why nobody misses an entry.
$$);
select private.declare_data('private.unaudited_tables', '{relation, reason}', 'Which tables the audit log leaves out.');

create function private.mark_of(id text) returns text
language sql immutable set search_path = '' as $$ select '…' || left(encode(sha256(convert_to(id, 'UTF8')), 'hex'), 8) $$;
comment on function private.mark_of is
  'What stands for the id of a person in the audit log: it tells two people apart, and leads to nobody once the id is erased. Called by private.shown_values.';

create function private.shown_values(columns jsonb, audited private.audited_tables) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_object_agg(v.key, case
    when v.value = 'null' then v.value
    when v.key = any (audited.hidden) or v.key <> all (audited.shown) and not exists (
      select from private.personal_data d
      where d.schema_name || '.' || d.relation_name = audited.relation and v.key = any (d.columns) and d.whose = 'nobody'
    ) then to_jsonb(case when pg_input_is_valid(v.value #>> '{}', 'uuid') then private.mark_of(v.value #>> '{}') else '…' end)
    when octet_length(v.value::text) > 4000 then
      jsonb_build_object('bytes', octet_length(v.value::text), 'sha256', encode(sha256(convert_to(v.value::text, 'UTF8')), 'hex'))
    else v.value
  end)
  from jsonb_each(columns) v
$$;
comment on function private.shown_values is 'Values as an entry of the audit log holds them, as nothing can be taken out of it: of personal data, going by the inventory, only that there is one; of what is long its length and hash. Called by private.audit_change.';

-- Entries are written when the transaction ends: the lock on the chain is then the last one that it takes, and cannot deadlock.
create unlogged table private.changes_to_audit (
  id bigint generated always as identity constraint changes_to_audit_pkey primary key,
  action text not null,
  university_id text,
  target_type text,
  target_id text,
  before jsonb,
  after jsonb,
  details jsonb not null,
  actor uuid,
  subject uuid
);
select private.describe('private.changes_to_audit', 'Changes of the transactions under way, which become entries of the audit log when they end; always empty to others.', $$
  id: The change.
  action: The action of the entry.
  university_id: University that it concerns.
  target_type: Table of the row.
  target_id: Key of the row.
  before: The columns that changed, as they were. Example: {"requests": 100}
  after: The columns that changed, as they became. Example: {"requests": 60}
  details: Further details. Example: {"application": "psql", "reason": "An invented reason."}
  actor: Who did it, when it was done.
  subject: To whom.
$$);
select private.declare_data('private.changes_to_audit',
  '{id, action, university_id, target_type, target_id, before, after, details, actor, subject}', 'Changes of a transaction until it ends.');

create function private.audit_at_end(
  action text, university text default null, target_type text default null, target_id text default null, before jsonb default null,
  after jsonb default null, details jsonb default '{}', actor uuid default null, subject uuid default null
) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.changes_to_audit (action, university_id, target_type, target_id, before, after, details, actor, subject)
  values (action, university, target_type, target_id, before, after, details, coalesce(actor, private.actor()), subject);
end
$$;
comment on function private.audit_at_end is 'Has the end of the transaction append to the audit log, with who does it now. Called by triggers and functions, after which the transaction may take further locks.';

create function private.write_audited_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(
    new.action::public.audit_action, new.university_id, new.target_type, new.target_id, new.before, new.after, new.details, new.actor,
    -- An entry about somebody who was erased in the same transaction has nobody to name.
    subject => (select id from auth.users where id = new.subject)
  );
  delete from private.changes_to_audit where id = new.id;
  return null;
end
$$;
comment on function private.write_audited_change is 'Trigger: turns a change into an entry of the audit log.';

create constraint trigger write_audited_change after insert on private.changes_to_audit deferrable initially deferred
for each row execute function private.write_audited_change();

-- A statement that changes up to 20 rows leaves an entry for each, a larger one an entry that says how many.
create function private.audit_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 20;
  hand boolean;
  audited private.audited_tables;
  context text;
  old_values jsonb[] := '{}';
  new_values jsonb[] := '{}';
  changed bigint := 0;
  details jsonb := '{}';
  before jsonb;
  after jsonb;
begin
  -- Erasing and retention say themselves what they did, and to nobody's name. What a trigger or a function of this project does for
  -- a person at the database is not done by hand; the pipeline writes so all day, which is told first. The secret key is a hand too.
  get diagnostics context = pg_context;
  context := coalesce(substr(context, nullif(strpos(context, E'\n'), 0)), '');
  if tg_argv[0] = 'by_hand' and context ~ '(?n)^PL/pgSQL function private\.\w+\(' then
    return null;
  end if;
  hand := (private.by_hand() or coalesce(auth.role(), '') = 'service_role') and not private.written_by(context, '');
  if tg_argv[0] = 'by_hand' and not hand then
    return null;
  end if;
  -- What goes with another row is logged with that row, or is erased with an account.
  if private.written_by(context, '^(erase|purge)_') or tg_op = 'DELETE' and private.is_cascade(context) then
    return null;
  end if;
  select * into audited from private.audited_tables where relation = tg_table_schema || '.' || tg_table_name;
  -- Whoever takes a table off the list has its changes logged with less in them.
  if not found then
    audited := row(tg_table_schema || '.' || tg_table_name, null, 'by_hand', '{edited_by_hand}', '{}', '{}', null)::private.audited_tables;
  end if;
  if tg_op in ('UPDATE', 'DELETE') then
    old_values := array(select to_jsonb(r) from old_rows r limit most + 1);
    changed := (select count(*) from old_rows);
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    new_values := array(select to_jsonb(r) from new_rows r limit most + 1);
    changed := (select count(*) from new_rows);
  end if;
  if changed = 0 and tg_op <> 'TRUNCATE' then
    return null;
  end if;
  if hand then
    details := jsonb_strip_nulls(jsonb_build_object(
      'application', nullif(current_setting('application_name'), ''), 'reason', left(nullif(current_setting('app.reason', true), ''), 500)
    ));
  end if;
  if tg_op = 'TRUNCATE' or changed > most then
    details := details || jsonb_build_object('rows', case when tg_op = 'TRUNCATE' then 'all' else changed::text end, 'operation', lower(tg_op));
  end if;
  for place in 1..case when tg_op = 'TRUNCATE' or changed > most then 1 else changed end loop
    before := private.changed_columns(old_values[place], coalesce(new_values[place], '{}'));
    after := private.changed_columns(new_values[place], coalesce(old_values[place], '{}'));
    continue when tg_op = 'UPDATE' and (
      changed <= most and before = '{}' and after = '{}'
      or not hand and audited.watched is not null and not after ?| audited.watched and not before ?| audited.watched
    );
    perform private.audit_at_end(
      audited.actions[case when cardinality(audited.actions) > 1 then coalesce(array_position('{INSERT,UPDATE}'::text[], tg_op), 3) else 1 end],
      case audited.relation when 'public.universities' then one.key else one.values ->> 'university_id' end,
      tg_table_name,
      case when one.key is distinct from one.person then one.key end,
      case when changed <= most then private.shown_values(nullif(before, '{}'), audited) end,
      case when changed <= most then private.shown_values(nullif(after, '{}'), audited) end,
      details,
      subject => one.person::uuid
    )
    from (
      select v as values, v ->> audited.key_column as key, coalesce(v ->> 'user_id', v ->> 'account') as person
      from (select case when changed <= most then coalesce(new_values[place], old_values[place]) end as v) as changed_row
    ) as one;
  end loop;
  return null;
end
$$;
comment on function private.audit_change is 'Trigger: has the changes of a statement logged, as private.audited_tables says of the table; its argument says whose.';

create function private.keep_history() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  context text;
begin
  get diagnostics context = pg_context;
  -- With the account, by erasure, or when its term has ended.
  if tg_op = 'DELETE' and (private.is_cascade(context) or private.written_by(context, '^(erase|purge)_')) then
    return old;
  end if;
  raise exception '%', tg_argv[0] using errcode = 'restrict_violation', detail = 'What was done must remain known; rows go when their term ends.';
end
$$;
comment on function private.keep_history is 'Trigger: nobody deletes what must stay known; its argument says what to do instead.';

create function private.declare_audited(
  relation regclass, key_column text, changes private.audited_changes default 'all', actions text[] default '{settings_changed}',
  shown text[] default '{}', hidden text[] default '{}', watched text[] default null, kept text default null
) returns void
language plpgsql set search_path = '' as $$
declare
  named constant text := (select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = relation);
  operation record;
begin
  insert into private.audited_tables (relation, key_column, changes, actions, shown, hidden, watched)
  values (
    named, declare_audited.key_column, declare_audited.changes,
    case declare_audited.changes when 'by_hand' then '{edited_by_hand}' else declare_audited.actions end,
    declare_audited.shown, declare_audited.hidden, declare_audited.watched
  );
  for operation in
    select *
    from (
      values
        ('insert', 'referencing new table as new_rows'),
        ('update', 'referencing old table as old_rows new table as new_rows'),
        ('delete', 'referencing old table as old_rows'),
        ('truncate', '')
    ) as o (name, referencing)
  loop
    execute format(
      'create trigger audit_%1$s after %1$s on %2$s %3$s for each statement execute function private.audit_change(%4$L)',
      operation.name, relation, operation.referencing, changes
    );
  end loop;
  if kept is not null then
    execute format('create trigger keep_history before delete on %s for each row execute function private.keep_history(%L)', relation, kept);
    execute format(
      'create trigger keep_all_history before truncate on %s for each statement execute function private.keep_history(%L)', relation, kept
    );
  end if;
end
$$;
comment on function private.declare_audited is
  'Declares that changes of a table are logged, by the value of its key column: all, or those by hand; and, with what to do instead, that its rows are not deleted. Called by the files of sql/, beside the table, after its first rows.';

create function private.declare_unaudited(relation text, reason text) returns void
language sql set search_path = '' as $$
  insert into private.unaudited_tables (relation, reason) values (relation, reason)
$$;
comment on function private.declare_unaudited is 'Declares why changes of a table are not logged. Called by the files of sql/, beside the table.';

create table private.audit_triggers (
  relation text not null,
  name text not null,
  guards boolean not null,
  constraint audit_triggers_pkey primary key (relation, name)
);
select private.describe('private.audit_triggers', 'Further triggers that the audit log relies on. Rows are declared beside each table, so that one that is dropped or disabled is missed.', $$
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
  from (
    select a.relation, a.name, a.guards from private.audit_triggers a
    union all
    select t.relation, 'audit_' || operation, false
    from private.audited_tables t, unnest('{insert, update, delete, truncate}'::text[]) as operation
  ) as d
  where d.guards = guarding
    and not exists (
      select from pg_catalog.pg_trigger t
      where t.tgrelid = to_regclass(d.relation) and t.tgname = d.name and t.tgenabled in ('O', 'A')
    )
  union all
  select n.nspname || '.' || c.relname || ': neither audited nor left out'
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where not guarding
    and c.relkind in ('r', 'p') and n.nspname in ('public', 'checkin', 'private')
    and n.nspname || '.' || c.relname not in (
      select relation from private.audited_tables union all select relation from private.unaudited_tables
    )
$$;
comment on function private.missing_audit_triggers is
  'Triggers that are not there, or disabled, and tables that nothing is said of: of what guards the audit log, or of what writes to it. Called by the checks of compliance.';
select private.declare_audit_triggers('private.changes_to_audit', '{write_audited_change}');
