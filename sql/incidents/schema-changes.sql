create view private.watched_relations
with (security_invoker = true)
as
select c.oid, n.nspname as schema, n.nspname || '.' || c.relname as name, c.relkind as kind, c.relispartition as is_partition,
  c.relrowsecurity as row_level_security, c.relforcerowsecurity as forced, c.relacl as acl, c.reloptions as options
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f')
  and (
    n.nspname in ('public', 'checkin', 'private', 'staff')
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
where n.nspname in ('public', 'checkin', 'private', 'staff');
comment on view private.watched_functions is 'Functions whose protection is watched and checked: those of this project.';

-- What a migration left: an attacker with rights in the database changes it without one.
create view private.schema_state
with (security_invoker = true)
as
with granted (object, acl) as (
  select name, acl from private.watched_relations
  union all
  select r.name || '.' || t.attname, t.attacl
  from private.watched_relations r
  join pg_attribute t on t.attrelid = r.oid and not t.attisdropped
  union all
  select nspname, nspacl from pg_namespace where nspname in ('public', 'checkin', 'private', 'staff')
  union all
  select name, acl from private.watched_functions
)
select 'row_level_security' as aspect, name as object, format('%s %s', row_level_security, forced) as state
from private.watched_relations
where kind in ('r', 'p')
union all
select
  'policy', r.name || ': ' || p.polname,
  md5(concat_ws(
    '|', p.polcmd, p.polpermissive, p.polroles::regrole[]::text, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
  ))
from pg_policy p
join private.watched_relations r on r.oid = p.polrelid
union all
select 'grant', g.object || ' to ' || r.name, string_agg(a.privilege_type || a.is_grantable, ',' order by a.privilege_type)
from granted g
cross join lateral aclexplode(g.acl) a
join (
  select 0::oid as oid, 'public' as name
  union all
  select oid, rolname::text from pg_roles where rolname in ('anon', 'authenticated', 'service_role')
) as r on r.oid = a.grantee
group by g.object, r.name
union all
select 'function', name, md5(concat_ws('|', source, pg_get_function_sqlbody(oid), security_definer, config, owner::regrole::text))
from private.watched_functions
union all
select 'trigger', t.tgrelid::regclass::text || ': ' || t.tgname, md5(t.tgenabled::text || pg_get_triggerdef(t.oid))
from pg_trigger t
join pg_class c on c.oid = t.tgrelid
where not t.tgisinternal
  and (
    c.relnamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace, 'staff'::regnamespace)
    or t.tgrelid in ('auth.users'::regclass, 'auth.sessions'::regclass)
  )
union all
select 'view', name, md5(concat_ws('|', pg_get_viewdef(oid), options))
from private.watched_relations
where kind = 'v'
union all
select 'job', jobname, md5(concat_ws('|', schedule, command, active))
from cron.job
where jobname is not null
union all
select 'role', rolname, concat_ws(' ', rolsuper, rolbypassrls, rolcreaterole)
from pg_roles
where rolname in ('anon', 'authenticated');
comment on view private.schema_state is 'What protects the data, as the catalog has it: row-level security, policies, grants, functions, triggers, views, scheduled jobs and roles.';

create table private.schema_snapshot (
  aspect text not null,
  object text not null,
  state text not null,
  constraint schema_snapshot_pkey primary key (aspect, object)
);
select private.describe('private.schema_snapshot', 'What private.schema_state was when the last migration ended.', $$
  aspect: What kind of protection it is.
  object: Of what.
  state: How it was.
$$);

select private.declare_data('private.schema_snapshot', '{aspect, object, state}',
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

create function private.take_schema_snapshot() returns void
language sql security definer set search_path = '' as $$
  delete from private.schema_snapshot;
  insert into private.schema_snapshot (aspect, object, state) select aspect, object, coalesce(state, '') from private.schema_state;
  insert into private.schema_snapshot_of (migration) values (private.last_migration())
  on conflict on constraint schema_snapshot_of_pkey do update set migration = excluded.migration, taken_at = excluded.taken_at
$$;
comment on function private.take_schema_snapshot is 'Takes what protects the data now to be right. Called by detection after a migration, and by an operator who has changed it without one.';

create function private.schema_changes()
returns table (aspect text, object text, change text)
language sql stable security definer set search_path = '' as $$
  select
    coalesce(s.aspect, b.aspect),
    coalesce(s.object, b.object),
    case when b.object is null then 'added' when s.object is null then 'removed' else 'changed' end
  from private.schema_state s
  full join private.schema_snapshot b on b.aspect = s.aspect and b.object = s.object
  where s.state is distinct from b.state
$$;
comment on function private.schema_changes is 'How what protects the data differs from the last snapshot. Called by detection and by checks.';
