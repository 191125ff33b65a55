-- What people look at in Studio: the views of the schema staff, which no client reaches.
select plan(38);

select is_empty(
  $$
    select r.name
    from unnest(array['anon', 'authenticated', 'service_role', 'authenticator']) as r (name)
    where has_schema_privilege(r.name, 'staff', 'usage')
  $$,
  'no role of the API may use the schema'
);
select is_empty(
  $$
    select r.name, c.relname
    from unnest(array['anon', 'authenticated', 'service_role']) as r (name)
    join pg_class c on c.relnamespace = 'staff'::regnamespace and has_any_column_privilege(r.name, c.oid, 'select, insert, update')
  $$,
  'nor reach anything in it'
);
select is_empty(
  $$
    select relname from pg_class
    where relnamespace = 'staff'::regnamespace and (relkind <> 'v' or not coalesce(reloptions @> '{security_invoker=true}', false))
  $$,
  'it has only views, each with the rights of whoever asks'
);
-- Of the catalog: the columns that the rules of the views read.
select is_empty(
  $$
    select distinct r.ev_class::regclass || ' reads ' || d.refobjid::regclass || '.' || a.attname
    from pg_depend d
    join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
    join pg_class v on v.oid = r.ev_class and v.relnamespace = 'staff'::regnamespace
    join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid and d.refclassid = 'pg_class'::regclass
    join pg_class t on t.oid = d.refobjid
    join private.personal_data p
      on p.schema_name = t.relnamespace::regnamespace::text and p.relation_name = t.relname and a.attname = any (p.columns)
    where p.content in ('words', 'voice_and_image', 'credentials')
      or a.attname in ('recipient', 'body', 'subject', 'source_id', 'last_score', 'final_score', 'email', 'phone')
      or (t.oid = 'public.clinical_reviews'::regclass and a.attname = 'user_id')
  $$,
  'none reads what students said, their scores, or where messages go'
);

-- Reviews
insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')), ('sec', tests.new_student('sec@hillside.example.edu')),
  ('bea', tests.new_student('bea@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values (tests.id_of('cora'), 'counselor', 'hillside'), (tests.id_of('sec'), 'security_admin', null);
update public.profiles set first_name = 'Cora', last_name = 'Invented' where user_id = tests.id_of('cora');
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid());
select private.open_clinical_review(tests.id_of('bea'), 'session', gen_random_uuid(), 'moderate');
select tests.act_for(tests.id_of('cora'));
update public.clinical_reviews set status = 'claimed', claimed_by = tests.id_of('cora') where user_id = tests.id_of('ada');
select tests.act_for(null);
select results_eq(
  $$ select university_id, risk_level::text, status::text, claimed_by, age >= interval '0' from staff.open_reviews $$,
  $$ values ('hillside', 'high', 'claimed', 'Cora Invented', true), ('hillside', 'moderate', 'open', null, true) $$,
  'reviews show risk, state and who has them'
);
select tests.act_for(tests.id_of('cora'));
update public.clinical_reviews set status = 'closed', closed_by = tests.id_of('cora') where user_id = tests.id_of('ada');
select tests.act_for(null);
select is((select count(*) from staff.open_reviews), 1::bigint, 'until they are closed');
select is(private.staff_name(tests.id_of('sec')), 'sec@hillside.example.edu', 'whoever has no name is called by their address');
select is(private.staff_name(null), null, 'and nobody by none');

-- Universities
select is(
  (select missing from staff.universities where id = 'lakeview'),
  array['crisis contact (private.crisis_contacts)', 'counselor', 'administrator', 'support_email', 'crisis_phone', 'country', 'time_zone'],
  'a university shows what it lacks'
);
insert into private.crisis_contacts (university_id, email) values ('hillside', 'on-call@hillside.example.edu');
update public.universities
set support_email = 'office@hillside.example.edu', crisis_phone = '+1 555 0100', country = 'US', time_zone = 'America/New_York'
where id = 'hillside';
select results_eq(
  $$
    select people, students, counselors, administrators, open_reviews, crisis_contacts, missing
    from staff.universities where id = 'hillside'
  $$,
  $$ values (4::bigint, 4::bigint, 1::bigint, 0::bigint, 1::bigint, 1::bigint, array['administrator']) $$,
  'and who is there, and what waits'
);

-- Incidents
select private.open_incident('data_breach', 'critical', 'A breach', 'Invented.', '{}', array[tests.id_of('ada')], 'invented:breach');
select private.open_incident('suspicious_activity', 'low', 'A scan', 'Invented.', '{}', '{}', 'invented:scan');
update public.security_incidents set owner = tests.id_of('sec'), timeline = timeline || private.incident_entry('assigned')
where key = 'invented:breach';
select results_eq(
  $$
    select severity::text, owner, affected_accounts, last_event, notify_authority_by = aware_at + interval '3 days',
      notify_people_by = aware_at + interval '60 days'
    from staff.incidents where title in ('A breach', 'A scan')
  $$,
  $$
    values ('critical', 'sec@hillside.example.edu', 1, 'assigned', true, true), ('low', null, 0, 'detected', null::boolean, null::boolean)
  $$,
  'incidents show who deals with them, and until when others are to be told of a breach'
);
update public.security_incidents set status = 'resolved', timeline = timeline || private.incident_entry('changed') where key = 'invented:scan';
select is_empty($$ select from staff.incidents where title = 'A scan' $$, 'until they are resolved');

-- Policies
insert into public.security_policies (id, name, category, type, conditions, actions, priority, dry_run)
values (
  'pol_invented', 'Invented', 'monitoring', 'detective', '{"field": "path", "op": "eq", "value": "/nowhere"}',
  '[{"action": "block_access"}, {"action": "log_events"}]', 7, false
);
insert into private.policy_days (policy_id, day, triggered)
values
  ('pol_invented', (now() at time zone 'UTC')::date, 3), ('pol_invented', (now() at time zone 'UTC')::date - 6, 2),
  ('pol_invented', (now() at time zone 'UTC')::date - 7, 9);
update public.security_policies set trigger_count = 14 where id = 'pol_invented';
select results_eq(
  $$ select actions, fired, fired_7_days, refuses from staff.policies where id = 'pol_invented' $$,
  $$ values ('["block_access", "log_events"]'::jsonb, 14, 5::bigint, true) $$,
  'policies show what they do and how often'
);
update public.security_policies set dry_run = true where id = 'pol_invented';
select is((select refuses from staff.policies where id = 'pol_invented'), false, 'a dry run refuses nothing');

-- Faults and compliance
insert into public.vulnerabilities (probe, fault, title, severity) values ('hidden_schemas', 'invented', 'Invented', 'high');
select results_eq($$ select status::text, title from staff.vulnerabilities $$, $$ values ('open', 'Invented') $$, 'faults that are there show');
select private.assess_compliance('gdpr');
select is(
  (select compliant + partial + non_compliant + not_assessed from staff.compliance where framework = 'gdpr'),
  (select controls from staff.compliance where framework = 'gdpr'),
  'controls are counted by how they stand'
);
select is((select result from staff.compliance_checks where check_id = 'private_closed'), 'passed', 'what each check found shows');
select is(
  (select faults > 0 and first_fault is not null from staff.compliance_checks where result = 'failed' limit 1),
  true,
  'with its first fault'
);

-- Training
select is_empty($$ select from staff.training_due where name <> 'Cora Invented' and name not like 'sec@%' $$, 'staff are trained, students are not');
insert into public.training_assignments (module_id, user_id, due_days)
select id, tests.id_of('cora'), 1 from public.training_modules order by id limit 1
on conflict do nothing;
select is(
  (select bool_or(name = 'Cora Invented' and not overdue) from staff.training_due), true, 'who has to take a module is named'
);
update public.training_assignments set created_at = now() - interval '400 days', due_days = 1 where user_id = tests.id_of('cora');
select is((select overdue from staff.training_due where name = 'Cora Invented' order by due_at limit 1), true, 'what is overdue comes first');
select is(
  (select overdue from staff.training where id = (select module_id from staff.training_due where name = 'Cora Invented' order by due_at limit 1)),
  1::bigint,
  'and counts for the module'
);

-- Messages
delete from private.outbox;
insert into private.outbox (channel, purpose, recipient, body, status, send_at, lease_until, ended_at, error_code)
values
  ('email', 'export', 'a@example.edu', 'x', 'queued', now() - interval '2 hours', null, null, null),
  ('email', 'export', 'a@example.edu', 'x', 'queued', now() + interval '1 hour', null, null, null),
  ('email', 'export', 'a@example.edu', 'x', 'sending', now(), now() + interval '1 minute', null, null),
  ('email', 'export', 'a@example.edu', 'x', 'sent', now(), null, now(), null),
  ('email', 'export', 'a@example.edu', 'x', 'dead', now(), null, now() - interval '1 day', 'timeout'),
  ('email', 'export', 'a@example.edu', 'x', 'dead', now(), null, now(), 'no_provider'),
  ('email', 'clinical_review', 'a@example.edu', 'x', 'queued', now(), null, null, null);
select results_eq(
  $$ select purpose, waiting, waiting_since, scheduled, sending, failed, unconfirmed, last_error from staff.mail_delivery $$,
  $$
    values
      ('clinical_review', 1::bigint, now(), 0::bigint, 0::bigint, 0::bigint, 0::bigint, null),
      ('export', 1::bigint, now() - interval '2 hours', 1::bigint, 1::bigint, 2::bigint, 0::bigint, 'no_provider')
  $$,
  'messages that are not sent are counted by kind, the most urgent first'
);

-- Cron jobs
delete from cron.job_run_details;
delete from private.cron_heartbeats;
insert into cron.job_run_details (jobid, runid, status, return_message, start_time, end_time)
select j.jobid, 1, 'failed', 'invented', now(), now() from cron.job j where j.jobname = 'dispatch-due-jobs';
select private.observe_cron_jobs(now() - interval '1 hour');
insert into private.cron_heartbeats (job, every, first_seen_at, observed_at)
values ('invented-gone', '1 minute', now() - interval '1 day', now() - interval '1 day');
select results_eq(
  $$ select active, late, last_status, last_message, failures from staff.cron_jobs where job = 'dispatch-due-jobs' $$,
  $$ values (true, true, 'failed', 'invented', 1::bigint) $$,
  'a job that failed shows why'
);
select results_eq(
  $$ select schedule, active, late from staff.cron_jobs where job = 'invented-gone' $$,
  $$ values (null::text, false, true) $$,
  'one that is gone is missed'
);
select is((select late from staff.cron_jobs where job = 'assess-compliance'), false, 'one that is not due is not late');
select is((select count(*) from staff.cron_jobs), (select count(*) + 1 from cron.job), 'every job shows once');

-- Webhooks
select is_empty(
  $$ select function from staff.webhooks where trigger_enabled is false or not cron_job_active $$,
  'every webhook has its trigger, where it has one, and its job'
);
-- Of the functions that send one, all but what they share.
select is_empty(
  $$
    select m[1]
    from pg_proc p
    cross join regexp_matches(coalesce(pg_get_functiondef(p.oid), ''), 'private\.call_function\(\s*''([a-z-]+)''', 'g') as m
    where p.pronamespace = 'private'::regnamespace and p.prokind = 'f'
    except
    select function from staff.webhooks
  $$,
  'every function that the database calls is among them'
);
select is_empty(
  $$ select worker from private.job_kinds except select function from staff.webhooks $$, 'the workers of the pipeline too'
);
select results_eq(
  $$ select waiting, waiting_since, running, failing from staff.webhooks where function = 'deliver-messages' $$,
  $$ values (2::numeric, now() - interval '2 hours', 1::numeric, 2::numeric) $$,
  'with what waits for it'
);
delete from net.http_request_queue;
select net.http_post('https://functions.example.edu/functions/v1/remove-objects');
select is((select unsent from staff.webhooks where function = 'remove-objects'), 1::bigint, 'and what is not sent yet');
alter table private.outbox disable trigger dispatch_messages;
select is((select trigger_enabled from staff.webhooks where function = 'deliver-messages'), false, 'a trigger that is switched off shows');

delete from net._http_response;
insert into net._http_response (id, status_code, timed_out, error_msg, created)
values
  (1, 202, false, null, now() - interval '1 hour'), (2, 202, false, null, now()), (3, 401, false, null, now() - interval '1 minute'),
  (4, null, true, 'Timeout was reached', now() - interval '2 minutes');
select results_eq(
  $$ select status_code, responses, last_at from staff.webhook_responses $$,
  $$
    values (202, 2::bigint, now()), (401, 1::bigint, now() - interval '1 minute'), (null, 1::bigint, now() - interval '2 minutes')
  $$,
  'answers are counted'
);
select is(
  (select meaning from staff.webhook_responses where status_code = 401),
  'pipeline_secret in Vault and PIPELINE_SECRET of the functions differ.',
  'with what they mean'
);

-- Clients
select tests.act_as(tests.id_of('sec'));
select throws_ok('select * from staff.incidents', '42501', null, 'a security administrator does not reach them through the API');
select tests.act_as(tests.id_of('cora'));
select throws_ok('select * from staff.open_reviews', '42501', null, 'nor does a counselor');
select tests.act_as_nobody();
select throws_ok('select * from staff.universities', '42501', null, 'nor anybody else');

select tests.act_as_owner();
select * from finish();
