-- What API roles can reach at all. The access matrix (test/api/access) lists the tables, views and functions that are exposed, and what
-- each role gets from them.
select plan(14);

select is_empty(
  $$
    select grantee || ': ' || privilege_type || ' on ' || table_schema || '.' || table_name
    from information_schema.role_table_grants
    where table_schema in ('public', 'checkin', 'private')
      and (
        grantee in ('anon', 'PUBLIC')
        or (
          grantee in ('authenticated', 'service_role')
          and (table_schema = 'private' or privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE'))
        )
      )
  $$,
  'anon reaches no table; other API roles no private one, and nobody truncates or references one'
);

select is_empty(
  $$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin') and c.relkind in ('r', 'p') and not c.relrowsecurity
  $$,
  'every exposed table has row-level security on'
);

select is_empty(
  $$
    select schemaname || '.' || tablename || ': ' || policyname
    from pg_policies
    where schemaname in ('public', 'checkin') and ('public' = any (roles) or 'anon' = any (roles))
  $$,
  'every policy names the role it is for'
);

select is_empty(
  $$
    with recursive asking (name) as (
      values ('current_account'::name)
      union
      select p.proname
      from asking a
      join pg_proc p on p.pronamespace = 'private'::regnamespace and p.prosrc ~ ('private\.' || a.name || '\(\)')
    )
    select p.schemaname || '.' || p.tablename || ': ' || p.policyname
    from pg_policies p
    cross join lateral unnest(array_remove(array[p.qual, p.with_check], null)) as condition
    where p.schemaname <> 'cron'
      and condition <> 'false'
      and (
        condition ~ '\muid\('
        or not exists (select from asking a where condition ~ ('private\.' || a.name || '\('))
      )
  $$,
  'every policy asks private.current_account who the caller is, itself or through a function'
);

select set_eq(
  $$
    select (schemaname || '.' || tablename)::text
    from pg_policies
    where permissive = 'RESTRICTIVE' and cmd = 'ALL' and 'authenticated' = any (roles) and qual like '%current_account%'
  $$,
  $$ select distinct (schemaname || '.' || tablename)::text from pg_policies where schemaname in ('storage', 'realtime') $$,
  'whatever policies the platform''s tables get, they let nobody in who is banned, signed out or without a role'
);

select is_empty(
  $$
    select schemaname, tablename, cmd
    from pg_policies
    where schemaname in ('public', 'checkin') and permissive = 'PERMISSIVE'
    group by 1, 2, 3
    having count(*) > 1
  $$,
  'there is one permissive policy per table and action'
);

select set_eq(
  $$
    select p.oid::regprocedure::text
    from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace)
      and has_function_privilege('anon', p.oid, 'execute')
  $$,
  $$
    values ('check_request()'), ('private.enforce_on_rest()'), ('private.refuse_blocked()'), ('private.refuse_estimates()')
  $$,
  'without signing in only these functions can be executed, before every request'
);

-- A role that executes an exposed function, or reads or writes a table, executes what these call with its own rights.
select is_empty(
  $$
    with recursive callable as (
      select p.oid, p.proname, p.prosecdef, pg_get_functiondef(p.oid) as source
      from pg_proc p
      where p.pronamespace = 'private'::regnamespace and p.prokind = 'f' and has_function_privilege('authenticated', p.oid, 'execute')
    ),
    exposed (source) as (
      select pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace in ('public'::regnamespace, 'checkin'::regnamespace)
      union all
      select concat_ws(' ', p.qual, p.with_check) from pg_policies p
      union all
      select v.definition from pg_views v where v.schemaname in ('public', 'checkin')
      union all
      select pg_get_constraintdef(k.oid) from pg_constraint k where k.connamespace in ('public'::regnamespace, 'checkin'::regnamespace)
      union all
      select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
    ),
    called as (
      select c.* from callable c where exists (select from exposed e where e.source ~ ('private\.' || c.proname || '\('))
      union
      select c.* from called d join callable c on not d.prosecdef and d.source ~ ('private\.' || c.proname || '\(')
    )
    select oid::regprocedure from callable except select oid::regprocedure from called
  $$,
  'nobody has a right to a private function that nothing exposed calls'
);

select is_empty(
  $$
    select n.nspname || '.' || p.proname
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin') and p.prosecdef
  $$,
  'no exposed function runs with more rights than its caller'
);

select is_empty(
  $$
    select n.nspname || '.' || p.proname
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'private' and p.prosecdef and not coalesce(p.proconfig @> '{"search_path=\"\""}', false)
  $$,
  'every function that does has an empty search path'
);

select is_empty(
  $$
    select r.rolname
    from pg_roles r
    where r.rolname in ('anon', 'authenticated', 'service_role') and has_schema_privilege(r.oid, 'private', 'usage')
  $$,
  'no API role can name anything in the schema private'
);

create table private.described (id integer, note text);
select throws_ok(
  $$ select private.describe('private.described', 'A table.', '  id: The row.') $$,
  'P0001', 'The column note of private.described is not described.', 'a table is not described without each of its columns'
);
select throws_ok(
  $$ select private.describe('private.described', 'A table.', e'  id: The row.\n  note: What it says.\n  other: Nothing.') $$,
  '42703', null, 'nor with a column that it has not'
);
select throws_ok(
  $$ select private.describe('private.described', 'A table.', e'  id: The row.\n  note: What it says,\n    and more.') $$,
  'P0001', 'A line of the description of private.described is not "name: text".', 'nor with a line that would be lost'
);

select * from finish();
