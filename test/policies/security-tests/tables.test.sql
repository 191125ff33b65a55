-- Who creates and runs security tests, the life of a vulnerability, runs that lose their worker, and that nothing of a run stays.
select plan(36);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('sam', tests.new_student('sam@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values (tests.id_of('cora'), 'counselor', 'hillside'), (tests.id_of('sam'), 'security_admin', null);

-- The id of the only run that goes on.
create function tests.run() returns text language sql as $$ select id from public.security_test_runs where status = 'running' $$;
create function tests.account(wanted text)
returns uuid
language sql
as $$ select user_id from private.probe_accounts where run_id = tests.run() and part = wanted $$;
create function tests.finding(fault text)
returns jsonb
language sql
as $$
  select jsonb_build_object('fault', fault, 'severity', 'high', 'title', 'Open: ' || fault, 'evidence', '{"status": 200}'::jsonb)
$$;
-- Carries out the probe that is next as a worker would, with these faults.
create function tests.probed(variadic faults text[])
returns boolean
language sql
as $$
  select private.finish_security_probe(
    c.run_id, c.probe, c.attempts, 5, coalesce((select jsonb_agg(tests.finding(f)) from unnest(faults) f), '[]')
  )
  from private.claim_security_probe() c
$$;
-- A run of one probe from its beginning to its end.
create function tests.whole_run(variadic faults text[])
returns void
language sql
as $$
  select private.begin_security_test_run('tst_one', null);
  select tests.probed(variadic faults);
$$;

select tests.act_as(tests.id_of('cora'));
select throws_ok(
  $$ select public.create_security_test('Mine', '{worker_doors}') $$, '42501', null, 'a counselor creates no security test'
);
select throws_ok($$ select public.execute_security_test('tst_all_probes') $$, '42501', null, 'nor runs one');
select throws_ok(
  $$ select public.accept_vulnerability('vul_x', 'because I say so', now() + interval '1 day') $$, '42501', null,
  'nor accepts a vulnerability'
);
select is(public.security_test_statistics(), null, 'nor is told how they went');

select tests.act_as(tests.id_of('sam'));
select is(
  (public.create_security_test('Doors', '{worker_doors, forged_tokens, worker_doors}')).probes,
  '{forged_tokens, worker_doors}'::public.security_probe[],
  'a security administrator creates one: its probes in the order of the catalogue, each once'
);
select throws_ok($$ select public.create_security_test('None', '{}') $$, '23514', null, 'of at least one probe');
select throws_ok($$ select public.execute_security_test('tst_nothing') $$, 'PT404', null, 'what does not exist is not run');
select lives_ok(
  $$ select public.execute_security_test(id) from public.security_tests where name = 'Doors' $$, 'it is run on demand'
);
select is(
  (select (public.execute_security_test(t.id)).id from public.security_tests t where t.name = 'Doors'),
  (select id from public.security_test_runs where status = 'running'),
  'whoever asks again joins the run that goes on'
);

select tests.act_as_owner();
set constraints all immediate;
select is(
  (select count(*) from public.audit_logs where action in ('security_test_changed', 'security_test_run')), 3::bigint,
  'both are in the audit log'
);
select isnt(tests.account('attacker'), tests.account('victim'), 'the ids of its accounts are chosen before there are such accounts');
select ok(private.is_probe(tests.account('attacker')), 'which detection knows');
select ok(not private.is_probe(tests.id_of('cora')), 'and knows nobody else by');
select is(private.probe_run(tests.run()), null, 'the id of a run proves nothing');
select is(private.probe_run(tests.run() || ' ' || repeat('0', 64)), null, 'nor does a proof that is made up');

-- As Auth makes them.
insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at)
select user_id, part || '@probe.invalid', 'authenticated', 'authenticated', '{}', now()
from private.probe_accounts where run_id = tests.run();
select lives_ok(
  $$ select private.furnish_probe_victim(tests.account('victim'), repeat('a', 64), repeat('b', 64)) $$,
  'the account that is attacked gets rows'
);
select is(
  (select count(*) from checkin.fusion_results where user_id = tests.account('victim')), 1::bigint, 'in the tables of students'
);
select lives_ok(
  $$ select private.furnish_probe_victim(tests.id_of('cora'), repeat('c', 64), repeat('d', 64)) $$, 'an account of somebody is left alone'
);
select is((select count(*) from checkin.check_ins where user_id = tests.id_of('cora')), 0::bigint, 'and gets none');
select is((select count(*) from private.outbox), 0::bigint, 'nobody is sent anything');

select is(
  private.custom_token_expiry(tests.account('attacker'), 1000000), 1000000::bigint, 'tokens of probes end as those of everybody'
);
update private.probe_accounts set tokens_expired = true where user_id = tests.account('attacker');
select is(
  private.custom_token_expiry(tests.account('attacker'), 1000000), 913600::bigint, 'unless the probe needs one that has expired'
);

-- The worker is lost, three times.
create temporary table lost as select tests.run() as run, tests.account('victim') as victim;
select is((select probe::text from private.claim_security_probe()), 'forged_tokens', 'probes are claimed in their order');
select is_empty('select * from private.claim_security_probe()', 'one at a time');
update public.security_test_results set due_at = now() where status = 'running';
select is((select attempts from private.claim_security_probe()), 2::smallint, 'a probe whose worker was lost is taken up again');
select ok(
  not private.finish_security_probe(tests.run(), 'forged_tokens', 1::smallint, 1, '[]'), 'a late worker changes nothing'
);
update public.security_test_results set due_at = now(), attempts = 3 where run_id = tests.run();
select private.advance_security_tests(now());
select is(
  (select status::text from public.security_test_runs where id = (select run from lost)), 'failed',
  'after three attempts the run ends, and says that it could not look'
);
select is(
  (select count(*) from auth.users where email like '%@probe.invalid'), 0::bigint, 'its accounts are deleted'
);
select is_empty(
  'select t.* from lost cross join lateral private.traces_of(lost.victim, null, null) t', 'with everything that was theirs'
);
select is(
  (select count(*) from private.erasures where user_id in (select user_id from private.probe_accounts)), 0::bigint,
  'and without a receipt to anybody'
);

-- The life of a vulnerability.
insert into public.security_tests (id, name, probes) values ('tst_one', 'One', '{worker_doors}');
select tests.whole_run('a', 'b');
select tests.whole_run('a');
select results_eq(
  $$ select fault, status::text, times_found from public.vulnerabilities where probe = 'worker_doors' order by fault $$,
  $$ values ('a', 'open', 2), ('b', 'fixed', 1) $$,
  'a fault opens a vulnerability, is counted while it stays, and closes it when it is not found any more'
);
select tests.whole_run('a', 'b');
select results_eq(
  $$
    select v.status::text, v.regression_of is not null, o.status::text
    from public.vulnerabilities v
    left join public.vulnerabilities o on o.id = v.regression_of
    where v.fault = 'b'
    order by v.found_at, v.regression_of nulls first
  $$,
  $$ values ('fixed', false, null), ('open', true, 'fixed') $$,
  'one that comes back is another, which names the old one'
);
select tests.act_as(tests.id_of('sam'));
select lives_ok(
  $$ select public.accept_vulnerability(id, 'Until the next release', now() + interval '1 day') from public.vulnerabilities where fault = 'a' $$,
  'a security administrator accepts one for a time'
);
select throws_ok(
  $$ select public.accept_vulnerability(id, 'For ever and ever', now() + interval '10 years') from public.vulnerabilities where fault = 'a' $$,
  'PT400', null, 'for a year at most'
);
select tests.act_as_owner();
select tests.whole_run('a', 'b');
select private.advance_security_tests(now() + interval '2 days');
select is(
  (select status::text from public.vulnerabilities where fault = 'a'), 'open', 'after which it is open again, having been found all the time'
);
select is(
  (select (s ->> 'regressions')::integer from jsonb_array_elements(private.security_test_statistics() -> 'vulnerabilities') s
    where s ->> 'severity' = 'high'),
  1, 'statistics count regressions'
);

select * from finish();
