-- What the API roles may touch at all. A new grant fails here until it is meant.
select plan(10);

select is_empty(
  $$
    select table_schema || '.' || table_name
    from information_schema.role_table_grants
    where grantee in ('anon', 'PUBLIC') and table_schema in ('public', 'checkin', 'private')
  $$,
  'a visitor who is not signed in reaches no table'
);

select results_eq(
  $$
    select (table_schema || '.' || table_name)::text collate "default",
      string_agg(distinct privilege_type::text collate "default", ',')
    from information_schema.role_table_grants
    where grantee = 'authenticated' and table_schema in ('public', 'checkin', 'private')
    group by 1
    order by 1
  $$,
  $$
    values
      ('checkin.audio_analysis', 'SELECT'),
      ('checkin.check_ins', 'SELECT'),
      ('checkin.fusion_results', 'SELECT'),
      ('checkin.text_analysis', 'SELECT'),
      ('checkin.user_baselines', 'SELECT'),
      ('checkin.visual_analysis', 'SELECT'),
      ('public.assessment_sessions', 'DELETE,SELECT'),
      ('public.audit_logs', 'SELECT'),
      ('public.clinical_reviews', 'SELECT'),
      ('public.cohort_days', 'SELECT'),
      ('public.cohort_snapshots', 'SELECT'),
      ('public.consents', 'SELECT'),
      ('public.open_clinical_reviews', 'SELECT'),
      ('public.profiles', 'SELECT'),
      ('public.risk_by_cohort', 'SELECT'),
      ('public.session_analyses', 'SELECT'),
      ('public.session_scores', 'SELECT'),
      ('public.students', 'SELECT'),
      ('public.universities', 'SELECT'),
      ('public.user_roles', 'SELECT'),
      ('public.wellbeing_by_day', 'SELECT')
  $$,
  'a signed-in person reaches these tables'
);

select results_eq(
  $$
    select (c.table_schema || '.' || c.table_name)::text collate "default",
      c.privilege_type::text collate "default",
      string_agg(c.column_name::text collate "default", ',' order by c.column_name::text)
    from information_schema.role_column_grants c
    where c.grantee = 'authenticated' and c.table_schema in ('public', 'checkin', 'private')
      and c.privilege_type in ('INSERT', 'UPDATE')
    group by 1, 2
    order by 1, 2
  $$,
  $$
    values
      ('public.assessment_sessions', 'INSERT', 'assessment_type,session_data,status,user_id'),
      ('public.assessment_sessions', 'UPDATE', 'session_data,status,updated_at'),
      ('public.clinical_reviews', 'UPDATE', 'status'),
      ('public.consents', 'INSERT', 'kind,user_id,version'),
      ('public.consents', 'UPDATE', 'withdrawn_at'),
      ('public.profiles', 'UPDATE', 'first_name,last_name'),
      ('public.students', 'UPDATE', 'faculty,residence,year_of_study'),
      (
        'public.universities',
        'UPDATE',
        'assessment_frequency,crisis_phone,features_enabled,logo_url,name,primary_color,privacy_settings,resources,secondary_color,short_name,support_email'
      )
  $$,
  'a signed-in person writes these columns'
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
    where schemaname in ('public', 'checkin') and ('public' = any (roles) or 'anon' = any (roles) or permissive <> 'PERMISSIVE')
  $$,
  'every policy names the role it is for'
);

select is_empty(
  $$
    select schemaname, tablename, cmd
    from pg_policies
    where schemaname in ('public', 'checkin')
    group by 1, 2, 3
    having count(*) > 1
  $$,
  'there is one policy per table and action'
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
      ('private.audit_chain_state', false),
      ('private.cohort_grain', false),
      ('private.export_data', false),
      ('private.is_security_admin', false),
      ('private.aggregated_through', false),
      ('private.log_access', false),
      ('private.list_reviews_as_counselor', false),
      ('private.owns_check_in_channel', false),
      ('private.owns_session_channel', false),
      ('private.range_days', false),
      ('private.read_student_as_counselor', false),
      ('private.student_page', false),
      ('private.students_found', false),
      ('private.students_listed', false),
      ('private.universities_administered', false),
      ('private.universities_counseled', false),
      ('private.universities_joined', false),
      ('private.university_of', false),
      ('public.analytics_dashboard', false),
      ('public.analytics_trends', false),
      ('public.analytics_wellbeing', false),
      ('public.export_my_data', false),
      ('public.list_open_reviews', false),
      ('public.list_students', false),
      ('public.log_access', false),
      ('public.read_student', false),
      ('public.verify_audit_chain', false)
  $$,
  'only these functions and the helpers of policies can be executed, and only by signed-in people'
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

select * from finish();
