-- What policies keep people from, in row-level security too, and what they do.
select plan(17);

insert into people
values ('cora', tests.new_student('cora@hillside.example.edu')), ('sam', tests.new_student('sam@hillside.example.edu'));
delete from public.user_roles where user_id in (tests.id_of('cora'), tests.id_of('sam'));
insert into public.user_roles (user_id, role, university_id) select tests.id_of('cora'), 'counselor', 'hillside';
insert into public.user_roles (user_id, role) select tests.id_of('sam'), 'security_admin';
update auth.sessions set aal = 'aal1' where user_id in (select id from people);

create function tests.give_second_factor(person uuid, level auth.aal_level)
returns void
language sql
security definer
set search_path = ''
as $$
  update auth.sessions set aal = level where user_id = person
$$;

select tests.act_as(tests.id_of('cora'));
select is((select count(*) from public.user_roles), 1::bigint, 'without the policy a counselor sees the own role');
select ok(public.log_access('students_listed', 'hillside'), 'and may list students');

select tests.act_as_owner();
select set_config('request.jwt.claim.sub', '', true);
update public.security_policies set enabled = true where id = 'pol_staff_second_factor';

select tests.act_as(tests.id_of('cora'));
select is((select count(*) from public.user_roles), 0::bigint, 'with it, row-level security shows a counselor without a second factor nothing');
select ok(not public.log_access('students_listed', 'hillside'), 'and lets them read no students');
select throws_ok('select public.check_request()', 'PT403', null, 'and REST says why');
select tests.act_as(tests.id_of('sam'));
select is_empty('select id from public.security_policies', 'a security administrator sees nothing either');
select is((select count(*) from public.read_audit_log()), 0::bigint, 'no audit log');
select tests.act_as(tests.id_of('ada'));
select is((select count(*) from public.user_roles), 1::bigint, 'students go on');
select lives_ok('select public.check_request()', 'over REST too');

select tests.act_as_owner();
select set_config('request.jwt.claim.sub', '', true);
select tests.give_second_factor(tests.id_of('cora'), 'aal2');
select tests.act_as(tests.id_of('cora'));
select set_config('request.path', '/user_roles', true);
select is((select count(*) from public.user_roles), 1::bigint, 'with a second factor a counselor sees the own role again');
select lives_ok('select public.check_request()', 'and REST serves them');

select tests.act_as_owner();
select set_config('request.jwt.claim.sub', '', true);
select is(
  private.custom_access_token(jsonb_build_object('user_id', tests.id_of('sam'), 'claims', jsonb_build_object('aal', 'aal1', 'session_id', tests.id_of('sam'))))
    -> 'claims' -> 'mfa_required',
  'true'::jsonb,
  'a token of staff says that a second factor is needed'
);
select ok(
  not private.custom_access_token(jsonb_build_object('user_id', tests.id_of('sam'), 'claims', jsonb_build_object('aal', 'aal2', 'session_id', tests.id_of('sam'))))
    -> 'claims' ? 'mfa_required',
  'until it is given'
);

-- Actions that fail.
insert into public.security_policies (id, name, category, type, conditions, actions, priority)
values (
  'pol_disables', 'Disables', 'access_control', 'corrective', '{"field": "path", "op": "eq", "value": "/api/x"}',
  '[{"action": "disable_users"}, {"action": "create_audit_trails"}]', 1
);
select is(
  private.enforce_on_function(tests.id_of('sam'), null, '203.0.113.5', 'GET', '/api/x', null) ->> 'code', 'mfa_required',
  'the last security administrator is asked for a second factor'
);
select lives_ok('set constraints all immediate', 'and that they cannot be disabled fails nothing');
select is((select banned_until from auth.users where id = tests.id_of('sam')), null, 'they are not disabled');
select is(
  (select count(*) from private.audit_log where action = 'policy_triggered' and target_id = 'pol_disables'), 1::bigint,
  'the other action was taken'
);

select * from finish();
