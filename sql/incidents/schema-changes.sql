create view private.watched_schemas
with (security_invoker = true)
as
select n.oid, n.nspname as name, n.nspacl as acl
from pg_namespace n
where n.nspname in ('public', 'checkin', 'private', 'staff');
comment on view private.watched_schemas is 'Schemas of this project, whose protection is watched.';

create view private.watched_relations
with (security_invoker = true)
as
select c.oid, n.nspname as schema, n.nspname || '.' || c.relname as name, c.relkind as kind, c.relispartition as is_partition,
  c.relrowsecurity as row_level_security, c.relforcerowsecurity as forced, c.relacl as acl, c.reloptions as options
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f')
  and (
    n.oid in (select s.oid from private.watched_schemas s)
    or n.nspname || '.' || c.relname = any (array['storage.objects', 'storage.buckets', 'realtime.messages'])
  );
comment on view private.watched_relations is 'Tables and views whose protection is watched and checked: those of this project, and those of Storage and Realtime that clients reach.';

create view private.watched_functions
with (security_invoker = true)
as
select p.oid, n.nspname as schema, p.oid::regprocedure::text as name, p.prosecdef as security_definer, p.proconfig as config,
  p.prosrc as source, p.proowner as owner, p.proacl as acl,
  exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e') as of_extension
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
where n.oid in (select s.oid from private.watched_schemas s);
comment on view private.watched_functions is 'Functions whose protection is watched and checked: those of this project.';

-- What a migration left: an attacker with rights in the database changes it without one.
create view private.schema_state
with (security_invoker = true)
as
with granted (object, relation, acl, guarded) as (
  select r.name, r.name, r.acl, r.row_level_security or r.options && array['security_invoker=true', 'security_invoker=on']
  from private.watched_relations r
  union all
  select r.name || '.' || t.attname, r.name, t.attacl,
    r.row_level_security or r.options && array['security_invoker=true', 'security_invoker=on']
  from private.watched_relations r
  join pg_attribute t on t.attrelid = r.oid and not t.attisdropped
  union all
  select s.name, null, s.acl, false from private.watched_schemas s
  union all
  select f.name, f.name, f.acl, not f.security_definer from private.watched_functions f
),
-- What is in the project's own schemas: Storage and Realtime change their tables themselves.
relations as (
  select r.* from private.watched_relations r where r.schema in (select s.name from private.watched_schemas s)
)
select 'row_level_security' as aspect, name as object, name as relation, format('%s %s', row_level_security, forced) as state,
  false as exposes, false as exposes_known
from private.watched_relations
where kind in ('r', 'p')
union all
select 'table', r.name, r.name, p.parts, false, false
from relations r
cross join lateral (
  select string_agg(part, ',' order by part) as parts
  from (
    select 'column ' || md5(concat_ws(
      '|', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated, a.attidentity, pg_get_expr(d.adbin, d.adrelid)
    )) as part
    from pg_attribute a
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    union all
    select 'constraint ' || md5(n.conname || pg_get_constraintdef(n.oid)) from pg_constraint n where n.conrelid = r.oid
    union all
    select 'owner ' || c.relowner::regrole from pg_class c where c.oid = r.oid
  ) as of_table
) p
where r.kind in ('r', 'p', 'f')
union all
select 'index', i.indexrelid::regclass::text, r.name,
  case when i.indisunique then 'unique ' else '' end || md5(pg_get_indexdef(i.indexrelid)), false, false
from pg_index i
join relations r on r.oid = i.indrelid
where not exists (select from pg_constraint n where n.conindid = i.indexrelid)
union all
select
  'policy', r.name || ': ' || p.polname, r.name,
  md5(concat_ws(
    '|', p.polcmd, p.polpermissive, p.polroles::regrole[]::text, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
  )),
  false, p.polpermissive
from pg_policy p
join private.watched_relations r on r.oid = p.polrelid
union all
select 'grant', g.object || ' to ' || r.name, g.relation, string_agg(a.privilege_type || a.is_grantable, ',' order by a.privilege_type),
  g.relation is null or r.name <> 'service_role' and not coalesce(bool_or(g.guarded), false), true
from granted g
cross join lateral aclexplode(g.acl) a
join (
  select 0::oid as oid, 'public' as name
  union all
  select oid, rolname::text from pg_roles where rolname in ('anon', 'authenticated', 'service_role')
) as r on r.oid = a.grantee
group by g.object, g.relation, r.name
union all
select 'function', name, name, md5(concat_ws('|', source, pg_get_function_sqlbody(oid), security_definer, config, owner::regrole::text)),
  security_definer, false
from private.watched_functions
union all
-- What runs before a row is written can keep it from being guarded and logged.
select 'trigger', n.nspname || '.' || c.relname || ': ' || t.tgname, n.nspname || '.' || c.relname,
  md5(t.tgenabled::text || pg_get_triggerdef(t.oid)),
  n.nspname = 'auth', t.tgtype & 66 <> 0 or n.nspname = 'private' or c.relname = 'audit_logs'
from pg_trigger t
join pg_class c on c.oid = t.tgrelid
join pg_namespace n on n.oid = c.relnamespace
where not t.tgisinternal
  and (n.oid in (select s.oid from private.watched_schemas s) or t.tgrelid in ('auth.users'::regclass, 'auth.sessions'::regclass))
union all
select 'rule', r.name || ': ' || w.rulename, r.name, md5(w.ev_enabled::text || pg_get_ruledef(w.oid)), false, true
from pg_rewrite w
join relations r on r.oid = w.ev_class
where w.rulename <> '_RETURN'
union all
select 'view', name, name, md5(concat_ws('|', pg_get_viewdef(oid), options)), false, false
from private.watched_relations
where kind in ('v', 'm')
union all
select 'job', jobname, null, md5(concat_ws('|', schedule, command, active)), false, false
from cron.job
where jobname is not null
union all
select 'role', r.rolname, null,
  concat_ws(
    ' ', r.rolsuper, r.rolbypassrls, r.rolcreaterole,
    case when r.rolname in ('anon', 'authenticated', 'authenticator') then
      (select string_agg(m.roleid::regrole::text, ',' order by m.roleid::regrole::text) from pg_auth_members m where m.member = r.oid)
    end,
    (select string_agg(setting, ',') from unnest(r.rolconfig) as setting where setting like 'pgrst.db\_pre\_request=%')
  ),
  true, true
from pg_roles r
where r.rolname in ('anon', 'authenticated', 'authenticator') or r.rolsuper or r.rolbypassrls;
comment on view private.schema_state is 'What protects the data, and what else a migration makes, as the catalog has it: row-level security, tables, indexes, policies, grants, functions, triggers, rules, views, scheduled jobs and roles. exposes: whether adding it weakens protection; exposes_known: whether it does on a table, view or function of a migration.';

create table private.schema_snapshot (
  aspect text not null,
  object text not null,
  state text not null,
  relation text,
  confirmed boolean not null default false,
  constraint schema_snapshot_pkey primary key (aspect, object)
);
select private.describe('private.schema_snapshot', 'What private.schema_state was when the last migration ended, with what was confirmed since.', $$
  aspect: What kind of protection it is.
  object: Of what.
  state: How it was.
  relation: Table, view or function that it belongs to; null for schemas, jobs and roles.
  confirmed: Whether it was made without a migration, and confirmed: to take it away again weakens nothing.
$$);

select private.declare_data('private.schema_snapshot', '{aspect, object, state, relation, confirmed}',
  'What protected the data after the last migration.');
select private.declare_unaudited('private.schema_snapshot', 'Taken anew by each migration; who accepts a change is logged.');

create table private.schema_snapshot_of (
  only_row boolean not null default true constraint schema_snapshot_of_pkey primary key,
  migration text,
  taken_at timestamptz not null default now(),
  constraint schema_snapshot_of_only_row check (only_row)
);
select private.describe('private.schema_snapshot_of',
  'After which migration private.schema_snapshot was taken. Exactly one row.', $$
  only_row: Always true: there is one row.
  migration: The last migration by then; null where none is recorded.
  taken_at: When.
$$);

select private.declare_data('private.schema_snapshot_of', '{only_row, migration, taken_at}', 'Which migration that was.');
select private.declare_unaudited('private.schema_snapshot_of', 'Taken anew by each migration; who accepts a change is logged.');

create table private.schema_changes_to_confirm (
  aspect text not null,
  object text not null,
  relation text,
  change text not null,
  weakens boolean not null,
  state text,
  seen_at timestamptz not null default now(),
  constraint schema_changes_to_confirm_pkey primary key (aspect, object),
  constraint schema_changes_to_confirm_change_known check (change = any (array['added', 'changed', 'removed']))
);
select private.describe('private.schema_changes_to_confirm',
  'What was made, changed or removed without a migration, such as in Studio, until somebody confirms it with accept_schema_change. Detection keeps the list every minute.', $$
  aspect: What kind of protection it is.
  object: Of what.
  relation: Table, view or function that it belongs to; null for schemas, jobs and roles.
  change: added, changed or removed.
  weakens: Whether it weakens what protects the data, which is an incident.
  state: How it is now; null for what was removed.
  seen_at: When detection saw it first as it is now.
$$);

select private.declare_data('private.schema_changes_to_confirm', '{aspect, object, relation, change, weakens, state, seen_at}',
  'What was changed in the database without a migration.');
select private.declare_unaudited('private.schema_changes_to_confirm', 'Made anew every minute; who accepts a change is logged.');

create function private.last_migration() returns text
language plpgsql stable set search_path = '' as $$
declare
  version text;
begin
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select max(version) from supabase_migrations.schema_migrations' into version;
  end if;
  return version;
end
$$;
comment on function private.last_migration is 'Version of the last migration that the CLI has recorded; null where there is none. Called by private.take_schema_snapshot and detection.';

-- What waits to be confirmed goes on waiting, unless the migration has changed it.
create function private.take_schema_snapshot() returns void
language sql security definer set search_path = '' as $$
  delete from private.schema_changes_to_confirm c
  where c.state is distinct from (select s.state from private.schema_state s where s.aspect = c.aspect and s.object = c.object);
  delete from private.schema_snapshot b
  where (b.aspect, b.object) not in (select aspect, object from private.schema_state)
    and (b.aspect, b.object) not in (select aspect, object from private.schema_changes_to_confirm);
  insert into private.schema_snapshot (aspect, object, relation, state)
  select aspect, object, relation, coalesce(state, '')
  from private.schema_state
  where (aspect, object) not in (select aspect, object from private.schema_changes_to_confirm)
  on conflict on constraint schema_snapshot_pkey do update set state = excluded.state, relation = excluded.relation;
  insert into private.schema_snapshot_of (migration) values (private.last_migration())
  on conflict on constraint schema_snapshot_of_pkey do update set migration = excluded.migration, taken_at = excluded.taken_at
$$;
comment on function private.take_schema_snapshot is 'Takes what a migration has left to be right; what waits to be confirmed is not taken. Called by private.see_schema_changes after a migration.';

create function private.schema_changes()
returns table (aspect text, object text, relation text, change text, state text, weakens boolean)
language sql stable security definer set search_path = '' as $$
  with current as materialized (
    select aspect, object, relation, coalesce(state, '') as state, exposes, exposes_known from private.schema_state
  ),
  -- Of a migration, and still there.
  known as materialized (
    select b.object as name
    from private.schema_snapshot b
    join current s using (aspect, object)
    where b.aspect in ('table', 'view', 'function') and not b.confirmed
  )
  select
    coalesce(s.aspect, b.aspect),
    coalesce(s.object, b.object),
    coalesce(s.relation, b.relation),
    case when b.object is null then 'added' when s.object is null then 'removed' else 'changed' end,
    s.state,
    case
      when b.object is null then s.exposes or s.exposes_known and coalesce(s.relation in (select name from known), false)
      when s.object is null then
        not b.confirmed and b.aspect not in ('grant', 'role', 'index')
        or b.state like 'unique %' and b.relation in (select name from known)
      when b.aspect = 'row_level_security' then b.state like 't%' and s.state like 'f%' or b.state like '% t' and s.state like '% f'
      when b.aspect = 'grant' then
        (s.exposes or coalesce(s.relation in (select name from known), false))
        and not string_to_array(s.state, ',') <@ string_to_array(b.state, ',')
      when b.confirmed then s.exposes
      when b.aspect = 'table' then exists (
        select
        from unnest(string_to_array(b.state, ',')) part
        where part not like 'column %' and part <> all (string_to_array(s.state, ','))
      )
      when b.aspect = 'index' then b.state like 'unique %'
      else true
    end
  from current s
  full join private.schema_snapshot b on b.aspect = s.aspect and b.object = s.object
  where s.state is distinct from b.state
$$;
comment on function private.schema_changes is 'How the schema differs from the last snapshot, and what of it weakens the protection of the data. Called by private.see_schema_changes.';

create function private.see_schema_changes() returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- One at a time: the next one finds the same.
  perform pg_advisory_xact_lock(84, 1);
  if not exists (select from private.schema_snapshot_of where migration is not distinct from private.last_migration()) then
    perform private.take_schema_snapshot();
  end if;
  with changes as materialized (select * from private.schema_changes()),
  undone as (
    delete from private.schema_changes_to_confirm c
    where not exists (select from changes n where n.aspect = c.aspect and n.object = c.object)
  )
  insert into private.schema_changes_to_confirm as c (aspect, object, relation, change, weakens, state)
  select aspect, object, relation, change, weakens, state from changes
  on conflict on constraint schema_changes_to_confirm_pkey do update
  set relation = excluded.relation, change = excluded.change, weakens = excluded.weakens, state = excluded.state, seen_at = excluded.seen_at
  where (c.change, c.weakens, c.state) is distinct from (excluded.change, excluded.weakens, excluded.state);
end
$$;
comment on function private.see_schema_changes is 'Brings private.schema_changes_to_confirm up to date, after a migration with a new snapshot. Called by detection, and where somebody looks at the list.';

create function private.list_schema_changes()
returns table (aspect text, object text, change text, weakens boolean, seen_at timestamptz)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  perform private.require_security_admin();
  perform private.see_schema_changes();
  return query
  select c.aspect, c.object, c.change, c.weakens, c.seen_at
  from private.schema_changes_to_confirm c
  -- What a new table or view consists of, or one that is gone, is confirmed with it.
  where c.weakens and c.change <> 'removed'
    or c.aspect in ('table', 'view')
    or not exists (
      select
      from private.schema_changes_to_confirm whole
      where whole.relation = c.relation and whole.aspect in ('table', 'view') and whole.change = c.change and c.change <> 'changed'
    )
  order by c.weakens desc, c.object, c.aspect;
end
$$;
comment on function private.list_schema_changes is 'Implementation of public.list_schema_changes, which calls it.';

create function public.list_schema_changes()
returns table (aspect text, object text, change text, weakens boolean, seen_at timestamptz)
language sql set search_path = ''
begin atomic select aspect, object, change, weakens, seen_at from private.list_schema_changes(); end;
comment on function public.list_schema_changes is 'What was made, changed or removed in the database without a migration and nobody has confirmed yet, what weakens its protection first. Called by security administrators.';
