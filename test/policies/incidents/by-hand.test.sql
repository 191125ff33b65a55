-- What somebody types into a table of the security administrator in Studio: it acts as the function does, or is refused with a reason.
select plan(48);

insert into people
values
  ('sam', tests.new_student('sam@hillside.example.edu')),
  ('sue', tests.new_student('sue@hillside.example.edu'));
insert into public.user_roles (user_id, role) values (tests.id_of('sam'), 'security_admin'), (tests.id_of('sue'), 'security_admin');

-- Accounts.
insert into private.disabled_accounts (account, reason) values (tests.id_of('ada'), 'As somebody typed');
select ok((select banned_until > now() + interval '1 year' from auth.users where id = tests.id_of('ada')), 'a row bans the account');
select is_empty('select from auth.sessions where user_id = tests.id_of(''ada'')', 'and ends its sessions');
select is(
  private.disable_account(tests.id_of('ada'), 'Again'), '{"status": "done"}', 'the function does the same, and nothing more'
);
select is((select reason from private.disabled_accounts where account = tests.id_of('ada')), 'As somebody typed', 'to a row that is there');
select throws_ok(
  $$ update private.disabled_accounts set account = tests.id_of('ben') where account = tests.id_of('ada') $$, '23514',
  'Delete this row to enable the account, and add one for the other.', 'a row stays that of its account'
);
select throws_ok('truncate private.disabled_accounts', '42501', null, 'the rows go one by one');
delete from private.disabled_accounts where account = tests.id_of('ada');
select is((select banned_until from auth.users where id = tests.id_of('ada')), null, 'deleting it lifts the ban');

update auth.users set banned_until = now() + interval '1 day' where id = tests.id_of('ben');
insert into private.disabled_accounts (account, reason) values (tests.id_of('ben'), 'As somebody typed');
delete from private.disabled_accounts where account = tests.id_of('ben');
select is(
  (select banned_until from auth.users where id = tests.id_of('ben')), now() + interval '1 day', 'and restores the one of before'
);
insert into private.disabled_accounts (account, reason) values (tests.id_of('ben'), 'As somebody typed');
update auth.users set banned_until = null where id = tests.id_of('ben');
select is_empty('select from private.disabled_accounts', 'whoever is enabled in Auth is not listed any more');
select is((select banned_until from auth.users where id = tests.id_of('ben')), null, 'and stays enabled');
insert into private.disabled_accounts (account, reason) values (tests.id_of('ben'), 'As somebody typed');
update auth.users set banned_until = now() - interval '1 second' where id = tests.id_of('ben');
insert into private.disabled_accounts (account, reason) values (tests.id_of('ben'), 'Again');
select ok((select banned_until > now() from auth.users where id = tests.id_of('ben')), 'and can be disabled again');

select throws_ok(
  $$ insert into private.disabled_accounts (account, reason) values (gen_random_uuid(), 'x') $$, '23503', 'There is no such account.',
  'nobody is disabled who is not there'
);
insert into private.disabled_accounts (account, reason) values (tests.id_of('sue'), 'As somebody typed');
select throws_ok(
  $$ insert into private.disabled_accounts (account, reason) values (tests.id_of('sam'), 'As somebody typed') $$, 'PT409',
  'The last security administrator stays: make another one first.', 'nor the last security administrator'
);
select is(
  private.disable_account(tests.id_of('sam'), 'x') ->> 'status', 'failed', 'as the function says too'
);
delete from auth.users where id = tests.id_of('ben');
select is_empty('select from private.disabled_accounts where account = tests.id_of(''ben'')', 'the row goes with its account');

-- Addresses.
create function tests.block(network text) returns text language sql as $$
  select format('insert into private.blocked_addresses (network, reason, until) values (%L, ''x'', now() + interval ''1 hour'')', network)
$$;
select throws_ok(tests.block(network), '23514', null, network || ' is not blocked in the grid')
from unnest(array['0.0.0.0/0', '10.0.0.0/8', '::/0', '203.0.113.0/24', '2001:db8::/32', '127.0.0.1', '10.1.2.3', '100.64.0.1',
  '169.254.0.1', '192.168.1.1', '::1', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1', '::ffff:0:0/96']) as network;
select is(
  (select count(*) from unnest(array['0.0.0.0/0', '10.0.0.0/8', '::/0', '203.0.113.0/24', '100.64.0.1', 'fe80::1', '::ffff:10.0.0.1']) as a
   where private.block_address(a::inet, null, 'x') ->> 'status' = 'failed'),
  7::bigint, 'nor by the function'
);
select lives_ok(tests.block('203.0.113.7'), 'a caller''s address is');
select ok(private.is_blocked('203.0.113.7'), 'and then blocked');
select lives_ok(tests.block('2001:db8:1:2::7'), 'of IPv6 too');
select ok(private.is_blocked('2001:db8:1:2:3::4'), 'with the network that one caller has');
select throws_ok(
  $$ update private.blocked_addresses set network = '10.0.0.0/8' where network = '203.0.113.7' $$, '23514', null,
  'and does not become a network'
);
select throws_ok(
  $$ insert into private.known_networks (network, kind) values ('0.0.0.0/0', 'campus') $$, '23514', null,
  'nor is everybody''s address known, which would block nobody'
);
insert into private.known_networks (network, kind) values ('198.51.100.0/24', 'campus');
select throws_ok(
  tests.block('198.51.100.7'), '23514', 'This network is known, and is never blocked.', 'an address of a campus is not blocked'
);
select throws_ok(
  $$ insert into private.quarantines (function_name, reason) values ('check-ins', 'x') $$, '23514', null,
  'a function that does not exist is not quarantined'
);

-- Security tests.
insert into public.security_tests (id, name, probes) values ('tst_typed', 'Typed', '{worker_doors,rate_limits}');
select throws_ok(
  $$ insert into public.security_test_runs (test_id, status, ended_at) values ('tst_typed', 'completed', now()) $$, '23514',
  'A run begins as running, and ends with its probes: call public.execute_security_test(''tst_typed'').', 'a run is not typed as completed'
);
insert into public.security_test_runs (id, test_id) values ('run_typed', 'tst_typed');
select is(
  (select count(*) from public.security_test_results where run_id = 'run_typed' and status = 'queued'), 2::bigint,
  'one that is typed has its probes queued'
);
select throws_ok(
  $$ update public.security_test_runs set status = 'completed', ended_at = now() where id = 'run_typed' $$, '23514', null,
  'and ends with them alone'
);
select throws_ok(
  $$ insert into public.security_test_results (run_id, probe, status, checks) values ('run_typed', 'injection', 'passed', 9) $$, '42501',
  'Rows of security_test_results follow from public.security_test_runs: change them there.', 'results are not typed'
);
select throws_ok(
  $$ insert into private.probe_accounts (user_id, run_id, part) values (tests.id_of('ada'), 'run_typed', 'victim') $$, '23514', null,
  'nobody''s account becomes one of a test, which is deleted with it'
);
insert into public.vulnerabilities (id, probe, fault, title, severity) values ('vul_typed', 'worker_doors', 'typed', 'Typed', 'high');
select throws_ok(
  $$ update public.vulnerabilities set status = 'fixed', fixed_at = now() where id = 'vul_typed' $$, '23514', null,
  'a vulnerability is not fixed by saying so'
);

-- Evidence and limits.
select throws_ok(
  $$ insert into private.evidence (incident_id, content, sha256)
    values (private.open_incident('suspicious_activity', 'low', 'Typed', 'Typed.', key => 'typed'), '{"a": 1}', sha256('x')) $$, '23514', null,
  'evidence has the hash of its content'
);
select private.open_incident('suspicious_activity', 'low', 'Sealed', 'Sealed.', key => 'sealed');
select private.seal_evidence((select id from public.security_incidents where key = 'sealed'));
select throws_ok('delete from private.evidence', '23001', 'Evidence is kept as long as its incident.', 'and is not deleted before its incident');
select throws_ok(
  $$ update private.rate_limit_rules set period = '10 years' where scope = 'data-api' $$, '23514', null,
  'a limit does not last longer than a day, which would lock everybody out'
);

select * from finish();
