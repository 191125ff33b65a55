-- The automated checks of who reaches what. They are part of the schema, not settings.
-- Each query returns what is wrong, and no row when nothing is.

create function private.reaches(role name, relation oid) returns boolean
language sql stable set search_path = '' as $$
  select has_any_column_privilege(role, relation, 'select, insert, update, references')
    or has_table_privilege(role, relation, 'delete, truncate, trigger')
$$;
comment on function private.reaches is 'Whether a role can do anything with a relation or a column of it. Called by checks.';

insert into private.compliance_checks (id, failure, title, expected, source, query)
values
  -- Who reaches what
  ('rls_enabled', 'non_compliant', 'Row-level security', 'Every table that an API exposes has row-level security on.', null, $q$
    select name from private.watched_relations where schema <> 'private' and kind in ('r', 'p') and not row_level_security
  $q$),
  ('policies_restrict', 'non_compliant', 'Policies that let everybody in', 'No policy for clients is simply true.', null, $q$
    select schemaname || '.' || tablename || ': ' || policyname
    from pg_policies
    where schemaname in ('public', 'checkin', 'storage', 'realtime')
      and permissive = 'PERMISSIVE'
      and roles <> '{service_role}'
      and ((cmd <> 'INSERT' and qual = 'true') or with_check = 'true')
  $q$),
  ('policies_name_roles', 'partial', 'Policies for unnamed roles', 'Every policy names the role it is for, and none is for anon.', null, $q$
    select schemaname || '.' || tablename || ': ' || policyname
    from pg_policies
    where schemaname in ('public', 'checkin') and ('public' = any (roles) or 'anon' = any (roles))
  $q$),
  ('policies_ask_account', 'partial', 'Policies and ended sessions',
    'Every policy asks private.current_account who the caller is, itself or through a function, so that a ban or a sign-out holds at once.',
    null, $q$
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
    where p.schemaname in ('public', 'checkin', 'storage', 'realtime')
      and p.roles <> '{service_role}'
      and condition not in ('true', 'false')
      and not exists (select from asking a where condition ~ ('private\.' || a.name || '\('))
  $q$),
  ('accounts_gated', 'non_compliant', 'Files and channels of banned accounts',
    'Whatever policies the tables of Storage and Realtime get, they let nobody in who is banned, signed out or without a role.', null, $q$
    select t.name
    from unnest(array['storage.objects', 'realtime.messages']) as t (name)
    where not exists (
      select
      from pg_policies
      where schemaname || '.' || tablename = t.name
        and permissive = 'RESTRICTIVE'
        and cmd = 'ALL'
        and 'authenticated' = any (roles)
        and qual like '%current_account%'
    )
  $q$),
  ('anon_reads_nothing', 'non_compliant', 'Tables without sign-in', 'Nobody reaches a table without signing in.', null, $q$
    select name from private.watched_relations where schema in ('public', 'checkin', 'private', 'staff') and private.reaches('anon', oid)
  $q$),
  ('private_closed', 'non_compliant', 'The schemas private and staff', 'No API role can name anything in them, or reach a table or view of them.', null, $q$
    select r.name || ' may use the schema ' || s.name
    from unnest(array['anon', 'authenticated', 'service_role']) as r (name)
    cross join unnest(array['private', 'staff']) as s (name)
    where has_schema_privilege(r.name, s.name, 'usage')
    union all
    select r.name || ' reaches ' || c.name
    from unnest(array['authenticated', 'service_role']) as r (name)
    join private.watched_relations c on c.schema in ('private', 'staff') and private.reaches(r.name, c.oid)
  $q$),
  ('tables_not_emptied', 'non_compliant', 'Rights that row-level security does not limit',
    'No client may truncate a table, or add a trigger or a foreign key to it.', null, $q$
    select name
    from private.watched_relations
    where schema in ('public', 'checkin') and kind in ('r', 'p')
      and has_table_privilege('authenticated', oid, 'truncate, references, trigger')
  $q$),
  ('definers_unexposed', 'non_compliant', 'Functions with more rights than their caller',
    'No function that an API exposes runs with the rights of its owner.', null, $q$
    select name
    from private.watched_functions
    where schema in ('public', 'checkin') and security_definer
      and (has_function_privilege('anon', oid, 'execute') or has_function_privilege('authenticated', oid, 'execute'))
  $q$),
  ('anon_calls_nothing', 'non_compliant', 'Functions without sign-in',
    'Nobody calls a function without signing in, other than the one that checks each request.', null, $q$
    select name
    from private.watched_functions
    where schema in ('public', 'checkin') and not of_extension and has_function_privilege('anon', oid, 'execute')
      and oid is distinct from to_regprocedure('public.check_request()')
  $q$),
  ('search_paths_fixed', 'partial', 'Search paths of functions', 'Every function has an empty search path, so that nobody slips it another table.', null, $q$
    select name from private.watched_functions where not of_extension and not coalesce(config @> array['search_path=""'], false)
  $q$),
  ('views_as_caller', 'non_compliant', 'Views that pass policies by',
    'Every view that clients read has the rights of its reader; they read no materialized view and no foreign table.', null, $q$
    select name
    from private.watched_relations
    where schema in ('public', 'checkin') and kind in ('v', 'm', 'f')
      and not (kind = 'v' and coalesce(options && array['security_invoker=true', 'security_invoker=on'], false))
      and (has_any_column_privilege('anon', oid, 'select') or has_any_column_privilege('authenticated', oid, 'select'))
  $q$),
  ('roles_limited', 'non_compliant', 'Rights of the API roles', 'No API role passes row-level security by or makes roles.', null, $q$
    select rolname::text
    from pg_roles
    where rolname in ('anon', 'authenticated', 'authenticator') and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)
  $q$),
  ('requests_checked', 'partial', 'The check of each request', 'The Data API calls public.check_request before it serves one.', null, $q$
    select 'authenticator has no pgrst.db_pre_request=public.check_request'
    where not exists (
      select from pg_roles where rolname = 'authenticator' and 'pgrst.db_pre_request=public.check_request' = any (rolconfig)
    )
  $q$),
  ('buckets_private', 'non_compliant', 'Buckets', 'No bucket is public.', null, $q$
    select id from storage.buckets where public
  $q$),
  ('buckets_limited', 'partial', 'Sizes of files', 'Every bucket limits the size of a file.', null, $q$
    select id from storage.buckets where file_size_limit is null
  $q$),
  ('extensions_apart', 'partial', 'Extensions', 'No extension lies in the schema that clients reach.', null, $q$
    select extname::text from pg_extension where extnamespace = 'public'::regnamespace
  $q$),
  ('tables_keyed', 'partial', 'Primary keys', 'Every table has one, so that each row can be named, restored and compared.', null, $q$
    select name
    from private.watched_relations r
    where schema in ('public', 'checkin', 'private') and kind in ('r', 'p') and not is_partition
      and not exists (select from pg_index i where i.indrelid = r.oid and i.indisprimary)
  $q$),

  -- Who acts
  ('staff_second_factor', 'non_compliant', 'Second factors of staff', 'Everybody on the staff signs in with a second factor.', null, $q$
    select s.role || ': ' || count(distinct s.user_id) || ' without one'
    from private.active_staff s
    where not exists (select from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified')
    group by s.role
  $q$),
  ('staff_in_use', 'partial', 'Unused accounts of staff', 'Whoever is on the staff signed in within 90 days.', null, $q$
    select role || ': ' || count(*) || ' did not'
    from private.active_staff
    where greatest(since, last_sign_in_at) < now() - interval '90 days'
    group by role
  $q$),
  ('staff_confirmed', 'non_compliant', 'Addresses of staff', 'Everybody on the staff has confirmed their address.', null, $q$
    select r.role || ': ' || count(*) || ' have not'
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role in ('counselor', 'university_admin', 'security_admin') and u.email_confirmed_at is null and u.phone_confirmed_at is null
    group by r.role
  $q$),
  ('passwords_hashed', 'non_compliant', 'Passwords', 'Passwords of staff are stored as bcrypt or Argon2 hashes.', null, $q$
    select r.role || ': ' || count(*) || ' are not'
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role in ('counselor', 'university_admin', 'security_admin') and u.encrypted_password <> ''
      and u.encrypted_password !~ '^\$(2[aby]|argon2)'
    group by r.role
  $q$),
  ('security_admin_named', 'non_compliant', 'Security administrators', 'Somebody who can sign in is the security administrator.', null, $q$
    select 'there is none' where not exists (select from private.active_staff where role = 'security_admin')
  $q$),
  ('sign_in_limited', 'non_compliant', 'Guessing passwords', 'Sign-ins are limited to 20 in 5 minutes or fewer, and other calls have limits too.', null, $q$
    select 'sign-in: more than 20 in 5 minutes'
    from private.rate_limit_rules
    where scope = 'sign-in' and requests * interval '5 minutes' > 20 * period
    union all
    select s.scope || ': no limit'
    from unnest(array['sign-in', 'sign-up', 'refresh', 'data-api', 'unknown-link', 'audit']) as s (scope)
    where not exists (select from private.rate_limit_rules r where r.scope = s.scope)
  $q$),

  -- Keys and connections
  ('keys_present', 'non_compliant', 'Secrets of the project', 'The vault has every secret that the service needs.', null, $q$
    select k.name
    from unnest(array['functions_url', 'pipeline_secret', 'number_hash_key', 'tombstone_key']) as k (name)
    where not exists (select from vault.secrets s where s.name = k.name)
  $q$),
  ('keys_renewed', 'partial', 'Age of the workers'' secret', 'It was renewed within a year.', $q$
    exists (select from vault.secrets where name = 'pipeline_secret')
  $q$, $q$
    select 'pipeline_secret is of ' || greatest(created_at, updated_at)::date
    from vault.secrets
    where name = 'pipeline_secret' and greatest(created_at, updated_at) < now() - interval '1 year'
  $q$),
  ('connections_encrypted', 'partial', 'Connections to the database', 'They can be encrypted, and passwords of its roles are never sent in a form that can be replayed.', null, $q$
    select name || ' is ' || setting
    from pg_settings
    where (name = 'ssl' and setting <> 'on') or (name = 'password_encryption' and setting <> 'scram-sha-256')
  $q$);
