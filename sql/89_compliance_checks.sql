-- No policies: this file holds rows, not tables.

-- The automated checks and the controls. They are part of the schema, not settings: a migration that changes them ends with all of them.
-- Each query returns what is wrong, and no row when nothing is.
insert into private.compliance_checks as c (id, failure, title, expected, source, query)
values
  -- Who reaches what
  ('rls_enabled', 'non_compliant', 'Row-level security', 'Every table that an API exposes has row-level security on.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p')
      and not c.relrowsecurity
      and (
        n.nspname in ('public', 'checkin')
        or (n.nspname, c.relname) in (('storage', 'objects'), ('storage', 'buckets'), ('realtime', 'messages'))
      )
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
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin', 'private')
      and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and (
        has_any_column_privilege('anon', c.oid, 'select, insert, update, references')
        or has_table_privilege('anon', c.oid, 'delete, truncate, trigger')
      )
  $q$),
  ('private_closed', 'non_compliant', 'The schema private', 'No API role can name anything in the schema private, or reach a table of it.', null, $q$
    select r.name || ' may use the schema'
    from unnest(array['anon', 'authenticated', 'service_role']) as r (name)
    where has_schema_privilege(r.name, 'private', 'usage')
    union all
    select r.name || ' reaches ' || c.relname
    from unnest(array['authenticated', 'service_role']) as r (name)
    join pg_class c on c.relnamespace = 'private'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
    where has_any_column_privilege(r.name, c.oid, 'select, insert, update, references')
      or has_table_privilege(r.name, c.oid, 'delete, truncate, trigger')
  $q$),
  ('tables_not_emptied', 'non_compliant', 'Rights that row-level security does not limit',
    'No client may truncate a table, or add a trigger or a foreign key to it.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin')
      and c.relkind in ('r', 'p')
      and has_table_privilege('authenticated', c.oid, 'truncate, references, trigger')
  $q$),
  ('definers_unexposed', 'non_compliant', 'Functions with more rights than their caller',
    'No function that an API exposes runs with the rights of its owner.', null, $q$
    select p.oid::regprocedure::text
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin')
      and p.prosecdef
      and (has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('authenticated', p.oid, 'execute'))
  $q$),
  ('anon_calls_nothing', 'non_compliant', 'Functions without sign-in',
    'Nobody calls a function without signing in, other than the one that checks each request.', null, $q$
    select p.oid::regprocedure::text
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin')
      and p.oid is distinct from to_regprocedure('public.check_request()')
      and has_function_privilege('anon', p.oid, 'execute')
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
  $q$),
  ('search_paths_fixed', 'partial', 'Search paths of functions', 'Every function has an empty search path, so that nobody slips it another table.', null, $q$
    select p.oid::regprocedure::text
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin', 'private')
      and not coalesce(p.proconfig @> array['search_path=""'], false)
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
  $q$),
  ('views_as_caller', 'non_compliant', 'Views that pass policies by',
    'Every view that clients read has the rights of its reader; they read no materialized view and no foreign table.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin')
      and (
        c.relkind in ('m', 'f')
        or (c.relkind = 'v' and not coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on'], false))
      )
      and (has_any_column_privilege('anon', c.oid, 'select') or has_any_column_privilege('authenticated', c.oid, 'select'))
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
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin', 'private')
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
  $q$),

  -- Who acts
  ('staff_second_factor', 'non_compliant', 'Second factors of staff', 'Everybody on the staff signs in with a second factor.', null, $q$
    select r.role || ': ' || count(*) || ' without one'
    from (select distinct user_id, role from public.user_roles where role in ('counselor', 'university_admin', 'security_admin')) r
    join auth.users u on u.id = r.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    where not exists (select from auth.mfa_factors f where f.user_id = r.user_id and f.status = 'verified')
    group by r.role
  $q$),
  ('staff_in_use', 'partial', 'Unused accounts of staff', 'Whoever is on the staff signed in within 90 days.', null, $q$
    select r.role || ': ' || count(*) || ' did not'
    from public.user_roles r
    join auth.users u on u.id = r.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    where r.role in ('counselor', 'university_admin', 'security_admin')
      and r.created_at < now() - interval '90 days'
      and coalesce(u.last_sign_in_at, '-infinity') < now() - interval '90 days'
    group by r.role
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
    select 'there is none'
    where not exists (
      select
      from public.user_roles r
      join auth.users u on u.id = r.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      where r.role = 'security_admin'
    )
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
  ('access_reviewed', 'partial', 'Reviews of access', 'Who has which role was reviewed within a year.', $q$
    exists (select from private.compliance_facts where fact = 'access_review')
  $q$, $q$
    select 'the last one was on ' || happened_at::date
    from private.compliance_facts
    where fact = 'access_review' and happened_at < now() - interval '1 year'
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
  $q$),
  ('encryption_at_rest', 'non_compliant', 'Disks and backups', 'That they are encrypted was confirmed within a year.', $q$
    exists (select from private.compliance_facts where fact = 'encryption_at_rest')
  $q$, $q$
    select 'last confirmed on ' || happened_at::date
    from private.compliance_facts
    where fact = 'encryption_at_rest' and happened_at < now() - interval '1 year'
  $q$),

  -- Personal data
  ('data_classified', 'partial', 'The inventory of personal data', 'Every column is classified.', null, $q$
    select name || ': ' || problem from private.personal_data_gaps()
  $q$),
  ('retention_kept', 'non_compliant', 'Data past its term', 'Nothing is kept two days longer than its term.', null, $q$
    with terms as (
      select kind, now() - keep - interval '2 days' as cutoff from private.retention_rules
    )
    select t.kind
    from terms t
    where case t.kind
      when 'raw_media' then exists (
        select
        from private.check_in_media m
        join checkin.check_ins c on c.id = m.check_in_id
        where m.created_at < t.cutoff and c.completed_at < t.cutoff
      )
      when 'transcripts' then exists (
        select
        from private.check_in_inputs i
        join checkin.check_ins c on c.id = i.check_in_id
        where i.transcript is not null and i.created_at < t.cutoff and c.completed_at < t.cutoff
      )
      when 'transcript_results' then exists (select from private.transcript_results r where r.created_at < t.cutoff)
      when 'results' then exists (
        select from (select c.status from checkin.check_ins c where c.created_at < t.cutoff order by c.created_at limit 1000) as oldest
        where status <> 'processing'
      )
      when 'sent_messages' then exists (
        select from private.outbox o where o.ended_at < t.cutoff and o.status in ('sent', 'cancelled')
      )
      when 'undelivered_messages' then exists (select from private.outbox o where o.ended_at < t.cutoff)
      when 'inbound_texts' then exists (select from private.inbound_texts i where i.received_at < t.cutoff)
      when 'exports' then exists (select from private.exports e where e.status = 'ready' and e.expires_at < now() - interval '2 days')
    end
  $q$),
  ('terms_short', 'partial', 'Terms of recordings and transcripts',
    'Recordings are kept for 90 days at most, transcripts for a year, what was not submitted for a week.', null, $q$
    select r.kind || ': ' || r.keep
    from private.retention_rules r
    join (
      values
        ('raw_media', interval '90 days'), ('transcripts', interval '1 year'), ('transcript_results', interval '1 year'),
        ('unfinished_uploads', interval '7 days')
    ) as most (kind, keep) on most.kind = r.kind
    where r.keep > most.keep
  $q$),
  ('records_kept', 'non_compliant', 'Terms of proof', 'The people of the audit log, and assessments, are kept for six years at least.', null, $q$
    select r.kind || ': ' || r.keep
    from private.retention_rules r
    where r.kind in ('audit_log', 'compliance_assessments') and r.keep < interval '6 years'
  $q$),
  ('erasures_in_time', 'non_compliant', 'Erasures', 'None takes longer than a day once it is final, unless the law holds it.', null, $q$
    select count(*) || ' late'
    from private.erasures e
    where e.final_at < now() - interval '24 hours' and not exists (select from private.legal_holds h where h.user_id = e.user_id)
    having count(*) > 0
  $q$),
  ('files_removed', 'partial', 'Removal of files', 'No file resists its removal for a day.', null, $q$
    select bucket || ': ' || count(*)
    from private.object_removals
    where attempts >= 5 and error_code is not null and created_at < now() - interval '24 hours'
    group by bucket
  $q$),
  ('exports_in_time', 'partial', 'Exports of personal data', 'Nobody waits for one longer than a day.', null, $q$
    select count(*) || ' late'
    from private.exports
    where status in ('queued', 'building') and created_at < now() - interval '24 hours'
    having count(*) > 0
  $q$),
  ('consent_before_use', 'non_compliant', 'Consent before use',
    'Each analysis was made while the consent to it was in force: the latest 1,000 check-ins of a week.', null, $q$
    with recent as materialized (
      select c.id, c.user_id
      from checkin.check_ins c
      where c.created_at > now() - interval '7 days'
      order by c.created_at desc
      limit 1000
    ),
    used as (
      select r.user_id, 'audio'::public.consent_kind as kind, a.created_at
      from recent r
      join checkin.audio_analysis a on a.check_in_id = r.id
      union all
      select r.user_id, 'camera', a.created_at
      from recent r
      join checkin.visual_analysis a on a.check_in_id = r.id
      union all
      select r.user_id, 'text', a.created_at
      from recent r
      join checkin.text_analysis a on a.check_in_id = r.id
    )
    select u.kind || ': ' || count(*) || ' without'
    from used u
    where not exists (
      select
      from public.consents c
      where c.user_id = u.user_id
        and c.kind = u.kind
        and c.granted_at <= u.created_at
        and (c.withdrawn_at is null or c.withdrawn_at >= u.created_at)
    )
    group by u.kind
  $q$),

  -- Proof of what was done
  ('audit_intact', 'non_compliant', 'The chain of the audit log', 'The latest 5,000 entries and all that was proved before are as they were written.', null, $q$
    select coalesce('entry ' || v.broken_at || ': ', '') || v.problem
    from (select coalesce(max(entries), 0) as entries from private.audit_head) h
    cross join lateral private.verify_audit_log(greatest(h.entries - 5000, 1)) v
    where not v.intact
    union all
    select 'entry ' || p.entries || ': was changed after it was proved'
    from private.audit_proof p
    where p.entries > 0
      and not exists (select from public.audit_logs e where e.id = p.entries and e.hash = p.hash)
  $q$),
  ('audit_verified', 'partial', 'Verification of the audit log', 'Every entry is verified within an hour.', null, $q$
    select 'entry ' || e.id || ' and those after it'
    from private.audit_proof p
    join public.audit_logs e on e.id = p.entries + 1
    where e.occurred_at < now() - interval '1 hour'
  $q$),
  ('audit_guarded', 'non_compliant', 'Guards of the audit log', 'Nobody changes, deletes or empties it.', null, $q$
    select g.relation || ': ' || g.name
    from (
      values
        ('public.audit_logs', 'chain_audit_entry'), ('public.audit_logs', 'prevent_audit_change'),
        ('public.audit_logs', 'prevent_audit_truncate'), ('private.audit_identities', 'prevent_audit_identity_change'),
        ('private.audit_identities', 'prevent_audit_identity_truncate')
    ) as g (relation, name)
    where not exists (
      select from pg_trigger t where t.tgrelid = to_regclass(g.relation) and t.tgname = g.name and t.tgenabled in ('O', 'A')
    )
  $q$),
  ('changes_audited', 'non_compliant', 'What the audit log hears of', 'Sign-ins, roles, settings and reviews are logged.', null, $q$
    select g.relation || ': ' || g.name
    from (
      values
        ('auth.sessions', 'audit_sign_in'), ('public.user_roles', 'audit_role_granted'), ('public.user_roles', 'audit_role_changed'),
        ('public.user_roles', 'audit_role_revoked'), ('public.universities', 'audit_university'),
        ('public.clinical_reviews', 'audit_review'), ('private.retention_rules', 'audit_settings'),
        ('private.rate_limit_rules', 'audit_settings'), ('private.required_consent_versions', 'audit_settings'),
        ('private.compliance_checks', 'audit_settings'), ('private.compliance_facts', 'audit_settings')
    ) as g (relation, name)
    where not exists (
      select from pg_trigger t where t.tgrelid = to_regclass(g.relation) and t.tgname = g.name and t.tgenabled in ('O', 'A')
    )
  $q$),
  ('assessments_intact', 'non_compliant', 'Earlier assessments', 'The latest 50 are as the audit log has them.', null, $q$
    select a.id
    from (select * from public.compliance_assessments order by ended_at desc limit 50) as a
    where a.hash <> private.assessment_hash(a)
      or not exists (
        select
        from public.audit_logs e
        where e.target_type = 'compliance_assessments' and e.target_id = a.id and e.details ->> 'sha256' = encode(a.hash, 'hex')
      )
  $q$),

  -- The service
  ('high_risk_reviewed', 'non_compliant', 'High risk', 'A counselor claims each review within a day, and closes it within a week.', null, $q$
    select r.status || ': ' || count(*) || ' late'
    from public.clinical_reviews r
    where r.status <> 'closed'
      and (
        (r.status = 'open' and r.opened_at < now() - interval '24 hours')
        or (r.status = 'claimed' and r.claimed_at < now() - interval '7 days')
      )
    group by r.status
  $q$),
  ('crisis_contacts_named', 'partial', 'Whom to notify of high risk', 'Every university names an address.', null, $q$
    select u.id
    from public.universities u
    where u.support_email is null and not exists (select from private.crisis_contacts c where c.university_id = u.id)
  $q$),
  ('messages_delivered', 'partial', 'Dead letters', 'No message of the last week could not be sent.', null, $q$
    select purpose || ': ' || count(*) || ' ' || status
    from private.outbox
    where ended_at > now() - interval '7 days' and status in ('dead', 'unconfirmed')
    group by purpose, status
  $q$),
  ('messages_in_time', 'partial', 'Waiting messages', 'None waits longer than an hour after it is due.', null, $q$
    select status || ': ' || count(*)
    from private.outbox
    where (status = 'queued' and send_at < now() - interval '1 hour') or (status = 'sending' and lease_until < now() - interval '1 hour')
    group by status
  $q$),
  ('check_ins_in_time', 'partial', 'Waiting check-ins', 'None is analysed for longer than a day.', null, $q$
    select count(*) || ' late'
    from checkin.check_ins
    where status = 'processing' and submitted_at < now() - interval '24 hours'
    having count(*) > 0
  $q$),
  ('alerts_moving', 'non_compliant', 'Support alerts that stand still', 'None does.', null, $q$
    select kind || ': ' || count(*) from private.support_standstills where ended_at is null group by kind
  $q$),
  ('jobs_healthy', 'partial', 'Scheduled jobs', 'Those that others rest on are scheduled, and the last run of each succeeded.', null, $q$
    select n.name || ': not scheduled'
    from unnest(array[
      'dispatch-due-jobs', 'dispatch-due-messages', 'dispatch-due-object-removals', 'advance-erasures', 'verify-audit-log',
      'tick-support-alerts', 'purge-expired', 'assess-compliance'
    ]) as n (name)
    where not exists (select from cron.job j where j.jobname = n.name and j.active)
    union all
    select j.jobname || ': its last run failed'
    from (
      select distinct on (r.jobid) r.jobid, r.status
      from (select * from cron.job_run_details order by runid desc limit 5000) as r
      where r.status in ('succeeded', 'failed')
      order by r.jobid, r.runid desc
    ) as last
    join cron.job j on j.jobid = last.jobid
    where last.status = 'failed'
  $q$),

  -- What operators tell
  ('backup_recent', 'non_compliant', 'Backups', 'The last one is of the last 26 hours.', $q$
    exists (select from private.compliance_facts where fact = 'backup')
  $q$, $q$
    select 'the last one ended on ' || happened_at::date
    from private.compliance_facts
    where fact = 'backup' and happened_at < now() - interval '26 hours'
  $q$),
  ('restore_tested', 'partial', 'Restoring a backup', 'It was tried within half a year.', $q$
    exists (select from private.compliance_facts where fact = 'restore_test')
  $q$, $q$
    select 'last tried on ' || happened_at::date
    from private.compliance_facts
    where fact = 'restore_test' and happened_at < now() - interval '180 days'
  $q$),
  ('risk_analysed', 'non_compliant', 'Risk analysis', 'It was made or renewed within a year.', $q$
    exists (select from private.compliance_facts where fact = 'risk_analysis')
  $q$, $q$
    select 'it is of ' || happened_at::date
    from private.compliance_facts
    where fact = 'risk_analysis' and happened_at < now() - interval '1 year'
  $q$),
  ('impact_assessed', 'non_compliant', 'Data protection impact assessment', 'It was made or renewed within two years.', $q$
    exists (select from private.compliance_facts where fact = 'impact_assessment')
  $q$, $q$
    select 'it is of ' || happened_at::date
    from private.compliance_facts
    where fact = 'impact_assessment' and happened_at < now() - interval '2 years'
  $q$),
  ('incidents_exercised', 'partial', 'Exercises', 'An incident was exercised within a year.', $q$
    exists (select from private.compliance_facts where fact = 'incident_exercise')
  $q$, $q$
    select 'last on ' || happened_at::date
    from private.compliance_facts
    where fact = 'incident_exercise' and happened_at < now() - interval '1 year'
  $q$),

  -- Training, incidents, tests
  ('training_offered', 'non_compliant', 'Mandatory training', 'There is a published mandatory module on health data, assigned to all roles of staff.', null, $q$
    select 'there is none'
    where not exists (
      select
      from public.training_modules m
      join public.training_assignments a on a.module_id = m.id and a.role is not null
      where m.category = 'hipaa_compliance' and m.published and m.mandatory
      group by m.id
      having count(*) = 3
    )
  $q$),
  ('training_done', 'partial', 'Overdue training', 'Nobody is overdue.', null, $q$
    select module_id || ': ' || count(*) || ' overdue' from private.training_due where due_at <= now() group by module_id
  $q$),
  ('incidents_handled', 'partial', 'Open incidents', 'Severe ones are contained within a day, others within a week.', null, $q$
    select i.id
    from public.security_incidents i
    where i.status in ('open', 'investigating')
      and i.detected_at < now() - case when i.severity in ('high', 'critical') then interval '24 hours' else interval '7 days' end
  $q$),
  ('breaches_contained', 'non_compliant', 'Breaches', 'No breach of personal data is open 72 hours after it was known.', null, $q$
    select i.id
    from public.security_incidents i
    where i.status in ('open', 'investigating')
      and i.aware_at < now() - interval '72 hours'
  $q$),
  ('tests_recent', 'partial', 'Security tests', 'The last one ended within 30 days.', null, $q$
    select 'none in 30 days'
    where not exists (select from public.security_test_runs where status <> 'running' and ended_at > now() - interval '30 days')
  $q$),
  ('vulnerabilities_fixed', 'non_compliant', 'Vulnerabilities',
    'Severe ones are fixed within a week, others within 90 days, and nobody''s acceptance has ended.', $q$
    exists (select from public.security_test_runs where status <> 'running')
  $q$, $q$
    select v.id
    from public.vulnerabilities v
    where (
        v.status = 'open'
        and v.found_at < now() - case when v.severity in ('high', 'critical') then interval '7 days' else interval '90 days' end
      )
      or (v.status = 'accepted' and v.accepted_until < now())
  $q$)
on conflict on constraint compliance_checks_pkey do update
set failure = excluded.failure,
  title = excluded.title,
  expected = excluded.expected,
  source = excluded.source,
  query = excluded.query
where (c.failure, c.title, c.expected, c.source, c.query)
  is distinct from (excluded.failure, excluded.title, excluded.expected, excluded.source, excluded.query);

insert into public.compliance_controls as c (id, framework, reference, title, requirement, checks)
values
  -- HIPAA: 45 CFR
  ('ctl_hipaa_164_308_a_1_ii_a', 'hipaa', '164.308(a)(1)(ii)(A)', 'Risk analysis',
    'The risks to the data of students are written down, and renewed every year.', '{risk_analysed, tests_recent}'),
  ('ctl_hipaa_164_308_a_1_ii_d', 'hipaa', '164.308(a)(1)(ii)(D)', 'Review of activity',
    'What people do is logged, and somebody looks at the log and at what stands out in it.', '{audit_verified, changes_audited, incidents_handled}'),
  ('ctl_hipaa_164_308_a_2', 'hipaa', '164.308(a)(2)', 'Responsible person', 'Somebody is responsible for security.', '{security_admin_named}'),
  ('ctl_hipaa_164_308_a_3', 'hipaa', '164.308(a)(3)', 'Staff',
    'Only staff who work with students'' data have access, for as long as they do.', '{staff_in_use, access_reviewed}'),
  ('ctl_hipaa_164_308_a_4', 'hipaa', '164.308(a)(4)', 'Granting access',
    'Each role reaches what it needs, and nothing is open by default.',
    '{anon_reads_nothing, anon_calls_nothing, private_closed, policies_name_roles, roles_limited}'),
  ('ctl_hipaa_164_308_a_5_i', 'hipaa', '164.308(a)(5)(i)', 'Training', 'All staff are trained, and again every year.', '{training_offered, training_done}'),
  ('ctl_hipaa_164_308_a_5_ii_c', 'hipaa', '164.308(a)(5)(ii)(C)', 'Sign-ins', 'Sign-ins are logged, and guessing is limited.', '{sign_in_limited, changes_audited}'),
  ('ctl_hipaa_164_308_a_6', 'hipaa', '164.308(a)(6)', 'Incidents', 'Incidents are detected, handled, and written down.', '{incidents_handled, incidents_exercised}'),
  ('ctl_hipaa_164_308_a_7', 'hipaa', '164.308(a)(7)', 'Contingency', 'Data can be restored, and the service goes on.', '{backup_recent, restore_tested, jobs_healthy}'),
  ('ctl_hipaa_164_308_a_8', 'hipaa', '164.308(a)(8)', 'Evaluation', 'The protection itself is tested, and what is found is mended.', '{tests_recent, vulnerabilities_fixed, assessments_intact}'),
  ('ctl_hipaa_164_308_b', 'hipaa', '164.308(b)', 'Contracts', 'There are contracts with everybody who processes the data on our behalf.', '{}'),
  ('ctl_hipaa_164_310_d_2_i', 'hipaa', '164.310(d)(2)(i)', 'Disposal', 'What is not needed any more is deleted, files too.', '{retention_kept, files_removed}'),
  ('ctl_hipaa_164_312_a_1', 'hipaa', '164.312(a)(1)', 'Access control',
    'Software lets each person reach only their own data, or that of those who agreed to it.',
    '{rls_enabled, policies_restrict, policies_ask_account, accounts_gated, tables_not_emptied, definers_unexposed, views_as_caller, search_paths_fixed, buckets_private, requests_checked}'),
  ('ctl_hipaa_164_312_a_2_i', 'hipaa', '164.312(a)(2)(i)', 'Accounts of persons', 'Everybody acts under an account that is theirs.', '{staff_confirmed}'),
  ('ctl_hipaa_164_312_a_2_iv', 'hipaa', '164.312(a)(2)(iv)', 'Encryption at rest', 'Disks and backups are encrypted.', '{encryption_at_rest}'),
  ('ctl_hipaa_164_312_b', 'hipaa', '164.312(b)', 'Audit', 'Access to health data is recorded in a log that nobody can change.', '{audit_guarded, audit_intact, changes_audited}'),
  ('ctl_hipaa_164_312_c_1', 'hipaa', '164.312(c)(1)', 'Integrity', 'Data is not altered or lost unnoticed.', '{audit_intact, tables_keyed}'),
  ('ctl_hipaa_164_312_d', 'hipaa', '164.312(d)', 'Authentication', 'Whoever sees health data proves who they are.', '{staff_second_factor, staff_confirmed, passwords_hashed}'),
  ('ctl_hipaa_164_312_e_1', 'hipaa', '164.312(e)(1)', 'Transmission', 'Data is encrypted on its way.', '{connections_encrypted, keys_present}'),
  ('ctl_hipaa_164_316_b_2_i', 'hipaa', '164.316(b)(2)(i)', 'Keeping proof', 'Documents and records of what was done are kept for six years.', '{records_kept, assessments_intact}'),
  ('ctl_hipaa_164_404', 'hipaa', '164.404', 'Notice of breaches', 'People are told of a breach without delay, within 60 days.', '{breaches_contained}'),
  ('ctl_hipaa_164_502_b', 'hipaa', '164.502(b)', 'Minimum necessary', 'No more data is used and shown than the purpose needs.', '{terms_short, buckets_limited}'),
  ('ctl_hipaa_164_508', 'hipaa', '164.508', 'Authorization', 'Recordings are used only with the student''s consent.', '{consent_before_use}'),
  ('ctl_hipaa_164_524', 'hipaa', '164.524', 'Access by the person', 'People get a copy of their data.', '{exports_in_time}'),

  -- GDPR
  ('ctl_gdpr_5_1_c', 'gdpr', 'Art. 5(1)(c)', 'Minimisation', 'No more is collected and kept than the purpose needs.', '{terms_short, buckets_limited}'),
  ('ctl_gdpr_5_1_e', 'gdpr', 'Art. 5(1)(e)', 'Storage limitation', 'Data is deleted when its term ends.', '{retention_kept, terms_short}'),
  ('ctl_gdpr_5_2', 'gdpr', 'Art. 5(2)', 'Accountability', 'It can be shown what was done, by whom, and that the rules were kept.', '{audit_guarded, audit_intact, changes_audited, assessments_intact, records_kept}'),
  ('ctl_gdpr_7', 'gdpr', 'Art. 7', 'Consent', 'Nothing is analysed without the student''s consent, and a withdrawal holds at once.', '{consent_before_use}'),
  ('ctl_gdpr_9', 'gdpr', 'Art. 9', 'Health data', 'Health data is processed with explicit consent, and only those reach it who have to.', '{consent_before_use, rls_enabled, policies_restrict}'),
  ('ctl_gdpr_13', 'gdpr', 'Art. 13', 'Information', 'People are told what is done with their data, in words that they understand.', '{}'),
  ('ctl_gdpr_15', 'gdpr', 'Art. 15', 'Access', 'People see what is stored of them, and who read it.', '{exports_in_time, changes_audited}'),
  ('ctl_gdpr_17', 'gdpr', 'Art. 17', 'Erasure', 'Whoever asks is erased, with everything, in time.', '{erasures_in_time, files_removed}'),
  ('ctl_gdpr_20', 'gdpr', 'Art. 20', 'Portability', 'People take their data along in a form that machines read.', '{exports_in_time}'),
  ('ctl_gdpr_22', 'gdpr', 'Art. 22', 'Decisions by persons', 'What matters is decided by a person: a counselor looks at each high risk.', '{high_risk_reviewed, crisis_contacts_named}'),
  ('ctl_gdpr_25', 'gdpr', 'Art. 25', 'Protection by design', 'Without anybody doing anything, data is closed.', '{anon_reads_nothing, anon_calls_nothing, private_closed, policies_name_roles, buckets_private, views_as_caller}'),
  ('ctl_gdpr_28', 'gdpr', 'Art. 28', 'Processors', 'There are contracts with everybody who processes data on our behalf.', '{}'),
  ('ctl_gdpr_30', 'gdpr', 'Art. 30', 'Records of processing', 'It is written down what is stored, of whom, what for and how long.', '{data_classified}'),
  ('ctl_gdpr_32_1_a', 'gdpr', 'Art. 32(1)(a)', 'Encryption and pseudonyms', 'Data is encrypted on its way and at rest, and keys are renewed.', '{encryption_at_rest, connections_encrypted, keys_present, keys_renewed}'),
  ('ctl_gdpr_32_1_b', 'gdpr', 'Art. 32(1)(b)', 'Confidentiality and resilience', 'Each person reaches what is theirs, staff prove who they are, and the service runs.',
    '{rls_enabled, policies_restrict, policies_ask_account, accounts_gated, definers_unexposed, staff_second_factor, sign_in_limited, jobs_healthy, check_ins_in_time, messages_delivered}'),
  ('ctl_gdpr_32_1_c', 'gdpr', 'Art. 32(1)(c)', 'Restoring', 'Data can be restored in time after an incident.', '{backup_recent, restore_tested}'),
  ('ctl_gdpr_32_1_d', 'gdpr', 'Art. 32(1)(d)', 'Testing', 'The protection is tested regularly.', '{tests_recent, vulnerabilities_fixed}'),
  ('ctl_gdpr_32_4', 'gdpr', 'Art. 32(4)', 'Instructed staff', 'Staff act as they were instructed, and are trained to.', '{training_offered, training_done}'),
  ('ctl_gdpr_33', 'gdpr', 'Art. 33', 'Notification of breaches', 'The authority is told of a breach within 72 hours.', '{breaches_contained, incidents_exercised}'),
  ('ctl_gdpr_35', 'gdpr', 'Art. 35', 'Impact assessment', 'The risks to students are assessed before their data is processed, and again when it changes.', '{impact_assessed}'),

  -- SOC 2: trust services criteria
  ('ctl_soc2_cc1_4', 'soc2', 'CC1.4', 'Competent staff', 'Staff are trained for what they do.', '{training_offered, training_done}'),
  ('ctl_soc2_cc2_1', 'soc2', 'CC2.1', 'Information to act on', 'Records that decisions rest on are complete and unchanged.', '{audit_intact, audit_verified, assessments_intact}'),
  ('ctl_soc2_cc3_2', 'soc2', 'CC3.2', 'Risk assessment', 'Risks are found, weighed and renewed.', '{risk_analysed}'),
  ('ctl_soc2_cc4_1', 'soc2', 'CC4.1', 'Ongoing evaluation', 'Whether controls work is looked at all the time, and separately.', '{tests_recent, assessments_intact}'),
  ('ctl_soc2_cc5_2', 'soc2', 'CC5.2', 'Controls in technology', 'Changes of what controls access are logged.', '{changes_audited, audit_guarded}'),
  ('ctl_soc2_cc6_1', 'soc2', 'CC6.1', 'Logical access',
    'Software protects data from whoever may not reach it.',
    '{rls_enabled, policies_restrict, policies_ask_account, tables_not_emptied, definers_unexposed, views_as_caller, search_paths_fixed, staff_second_factor, keys_present, keys_renewed, encryption_at_rest}'),
  ('ctl_soc2_cc6_2', 'soc2', 'CC6.2', 'Accounts', 'Accounts are made for confirmed people, and end when they are not used.', '{staff_confirmed, staff_in_use, accounts_gated}'),
  ('ctl_soc2_cc6_3', 'soc2', 'CC6.3', 'Roles', 'Access follows roles, which are reviewed.', '{private_closed, roles_limited, security_admin_named, access_reviewed}'),
  ('ctl_soc2_cc6_5', 'soc2', 'CC6.5', 'Disposal', 'Data is destroyed when it is not needed any more.', '{retention_kept, files_removed, erasures_in_time}'),
  ('ctl_soc2_cc6_6', 'soc2', 'CC6.6', 'Outer boundary', 'Whoever comes from outside is limited and reaches nothing without signing in.', '{anon_reads_nothing, anon_calls_nothing, sign_in_limited, requests_checked, passwords_hashed}'),
  ('ctl_soc2_cc6_7', 'soc2', 'CC6.7', 'Transmission', 'Data is protected on its way, and leaves only to whom it belongs.', '{connections_encrypted, buckets_private}'),
  ('ctl_soc2_cc7_1', 'soc2', 'CC7.1', 'Vulnerabilities', 'Weaknesses are found and mended.', '{vulnerabilities_fixed, extensions_apart}'),
  ('ctl_soc2_cc7_2', 'soc2', 'CC7.2', 'Monitoring', 'What is unusual is noticed.', '{jobs_healthy, audit_verified, alerts_moving}'),
  ('ctl_soc2_cc7_4', 'soc2', 'CC7.4', 'Response', 'Incidents are handled as was planned.', '{incidents_handled, breaches_contained}'),
  ('ctl_soc2_cc7_5', 'soc2', 'CC7.5', 'Recovery', 'After an incident, the service is restored as was exercised.', '{restore_tested, incidents_exercised}'),
  ('ctl_soc2_cc9_2', 'soc2', 'CC9.2', 'Vendors', 'Risks of vendors are managed by contracts and reviews.', '{}'),
  ('ctl_soc2_a1_2', 'soc2', 'A1.2', 'Backups', 'Data is backed up, and what others rest on is supervised.', '{backup_recent, jobs_healthy}'),
  ('ctl_soc2_a1_3', 'soc2', 'A1.3', 'Recovery tests', 'Restoring is tried.', '{restore_tested}'),
  ('ctl_soc2_c1_1', 'soc2', 'C1.1', 'Confidential information', 'It is known which data is confidential, and kept as long as it has to be.', '{data_classified, records_kept}'),
  ('ctl_soc2_pi1_3', 'soc2', 'PI1.3', 'Processing', 'What is submitted is processed wholly and in time, and risk is looked at.', '{check_ins_in_time, messages_in_time, messages_delivered, high_risk_reviewed}'),
  ('ctl_soc2_pi1_5', 'soc2', 'PI1.5', 'Stored records', 'Records are stored whole, so that each can be named and restored.', '{tables_keyed, buckets_limited}'),
  ('ctl_soc2_p2_1', 'soc2', 'P2.1', 'Choice and consent', 'People choose, and nothing is done without it.', '{consent_before_use}'),
  ('ctl_soc2_p4_2', 'soc2', 'P4.2', 'Retention', 'Personal data is kept for stated terms.', '{terms_short, retention_kept}'),
  ('ctl_soc2_p4_3', 'soc2', 'P4.3', 'Deletion', 'People are erased when they ask.', '{erasures_in_time}'),
  ('ctl_soc2_p5_1', 'soc2', 'P5.1', 'Access', 'People get their data.', '{exports_in_time}'),
  ('ctl_soc2_p6_3', 'soc2', 'P6.3', 'Breaches', 'Disclosures that were not allowed are recorded and told.', '{breaches_contained}')
on conflict on constraint compliance_controls_pkey do update
set framework = excluded.framework,
  reference = excluded.reference,
  title = excluded.title,
  requirement = excluded.requirement,
  checks = excluded.checks
where (c.framework, c.reference, c.title, c.requirement, c.checks)
  is distinct from (excluded.framework, excluded.reference, excluded.title, excluded.requirement, excluded.checks);
