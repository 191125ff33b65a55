-- Who changes when a security test runs, and who withdraws an acceptance.
select plan(17);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('sam', tests.new_student('sam@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values (tests.id_of('cora'), 'counselor', 'hillside'), (tests.id_of('sam'), 'security_admin', null);
insert into public.security_tests (id, name, probes) values ('tst_one', 'One', '{worker_doors}');
insert into public.vulnerabilities (id, probe, fault, title, severity) values ('vul_one', 'worker_doors', 'a', 'Open: a', 'high');

select tests.act_as(tests.id_of('cora'));
select throws_ok($$ select public.change_security_test('tst_one', test_enabled => false) $$, '42501', null, 'a counselor changes no test');
select throws_ok($$ select public.list_security_tests() $$, '42501', null, 'nor sees them');
select throws_ok($$ select public.reopen_vulnerability('vul_one') $$, '42501', null, 'and opens no vulnerability');

select tests.act_as_owner();
insert into public.security_test_runs (test_id) values ('tst_one');
select tests.act_as(tests.id_of('sam'));
select is(
  (select t -> 'last_status' from jsonb_array_elements(public.list_security_tests()) as t where t ->> 'id' = 'tst_one'), '"running"',
  'each test is listed with its last run'
);
select is((public.change_security_test('tst_one', 'Doors')).probes, '{worker_doors}', 'what is left out stays');
select is((public.change_security_test('tst_one', test_schedule => 'daily')).next_run_at, now(), 'what runs by itself from now on begins now');
select is((public.change_security_test('tst_one', test_schedule => 'on_demand')).next_run_at, null, 'and ends when it is on demand again');
select is(
  (public.change_security_test('tst_one', test_probes => '{worker_doors, forged_tokens, worker_doors}')).probes,
  '{forged_tokens, worker_doors}', 'probes are in the order of the catalogue, each once'
);
select throws_ok($$ select public.change_security_test('tst_one', '') $$, '23514', null, 'it has a name');
select is((public.change_security_test('tst_all_probes', test_enabled => false)).enabled, false, 'the daily test is switched off');
select is((public.change_security_test('tst_all_probes', test_enabled => true)).next_run_at, now(), 'and runs at once when it is switched on');
select throws_ok($$ select public.change_security_test('tst_none') $$, 'PT404', null, 'what does not exist is not changed');

select public.accept_vulnerability('vul_one', 'Until the next release', now() + interval '1 day');
select is((public.reopen_vulnerability('vul_one')).status::text, 'open', 'an acceptance is withdrawn');
select is((public.reopen_vulnerability('vul_one')).status::text, 'open', 'once');
select throws_ok($$ select public.reopen_vulnerability('vul_none') $$, 'PT404', null, 'what was not found is not opened');
select tests.act_as_owner();
set constraints all immediate;
select is(
  (select count(*) from public.audit_logs where action = 'vulnerability_changed' and target_id = 'vul_one'), 2::bigint,
  'the audit log has the acceptance and its end'
);
select is(
  (select count(*) from public.audit_logs where action = 'security_test_changed' and target_id = 'tst_one'), 4::bigint,
  'and each change of a test'
);

select * from finish();
