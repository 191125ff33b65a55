-- What API roles can reach at all. The access matrix (test/api/access) tells which rows; a new function fails here until it is
-- added to the list.
select plan(12);

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

select results_eq(
  $$
    select (n.nspname || '.' || p.proname)::text collate "default", has_function_privilege('anon', p.oid, 'execute')
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin', 'private')
      and (has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('anon', p.oid, 'execute'))
    order by 1
  $$,
  $$
    values
      ('private.accept_vulnerability', false),
      ('private.accesses_to_own_data', false),
      ('private.analytics_request', false),
      ('private.audit_entries', false),
      ('private.change_incident', false),
      ('private.change_retention', false),
      ('private.change_review', false),
      ('private.create_security_test', false),
      ('private.create_training_module', false),
      ('private.current_account', false),
      ('private.decide_control', false),
      ('private.detect_as_administrator', false),
      ('private.enforce_on_rest', true),
      ('private.execute_security_test', false),
      ('private.has_room_for_file', false),
      ('private.holds_in_force', false),
      ('private.is_object_name', false),
      ('private.is_security_admin', false),
      ('private.lift_hold', false),
      ('private.list_reviews_as_counselor', false),
      ('private.log_access', false),
      ('private.my_training', false),
      ('private.own_consent_status', false),
      ('private.owns_channel', false),
      ('private.owns_session_channel', false),
      ('private.policy_statistics', false),
      ('private.read_student_as_counselor', false),
      ('private.read_training_sections', false),
      ('private.refuse_blocked', true),
      ('private.refuse_estimates', true),
      ('private.reorder_contacts', false),
      ('private.report_all_right', false),
      ('private.request_assessment', false),
      ('private.respond_to_incident', false),
      ('private.retention_terms_of', false),
      ('private.reviews_in_queue', false),
      ('private.security_test_statistics', false),
      ('private.sees_training', false),
      ('private.set_hold', false),
      ('private.start_training_attempt', false),
      ('private.student_page', false),
      ('private.students_found', false),
      ('private.students_listed', false),
      ('private.submit_training_attempt', false),
      ('private.training_statistics', false),
      ('private.try_policies', false),
      ('private.universities_administered', false),
      ('private.universities_counseled', false),
      ('private.universities_joined', false),
      ('private.university_of', false),
      ('private.verify_audit_log', false),
      ('private.withdraw_own_consent', false),
      ('public.accept_vulnerability', false),
      ('public.analytics_dashboard', false),
      ('public.analytics_scoring_versions', false),
      ('public.analytics_trends', false),
      ('public.analytics_wellbeing', false),
      ('public.assess_compliance', false),
      ('public.change_incident', false),
      ('public.check_request', true),
      ('public.claim_review', false),
      ('public.close_review', false),
      ('public.consent_status', false),
      ('public.create_security_test', false),
      ('public.create_training_module', false),
      ('public.decide_control', false),
      ('public.detect_incidents', false),
      ('public.evaluate_policies', false),
      ('public.execute_security_test', false),
      ('public.lift_legal_hold', false),
      ('public.list_open_reviews', false),
      ('public.list_own_accesses', false),
      ('public.list_students', false),
      ('public.log_access', false),
      ('public.my_training', false),
      ('public.policy_statistics', false),
      ('public.read_audit_log', false),
      ('public.read_legal_holds', false),
      ('public.read_student', false),
      ('public.read_training_sections', false),
      ('public.reopen_review', false),
      ('public.reorder_buddies', false),
      ('public.report_all_right', false),
      ('public.respond_to_incident', false),
      ('public.retention_terms', false),
      ('public.review_queue', false),
      ('public.security_test_statistics', false),
      ('public.set_legal_hold', false),
      ('public.set_retention', false),
      ('public.start_training_attempt', false),
      ('public.submit_training_attempt', false),
      ('public.training_statistics', false),
      ('public.verify_audit_chain', false),
      ('public.withdraw_consent', false)
  $$,
  'only these functions can be executed, by signed-in people and, before every request, by anon'
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

select * from finish();
