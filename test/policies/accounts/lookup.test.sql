-- Who has which account: for security administrators, who have said so in the audit log.
select plan(17);

insert into people
values ('cora', tests.new_student('cora@hillside.example.edu')), ('sam', tests.new_student('sam@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values (tests.id_of('cora'), 'counselor', 'hillside'), (tests.id_of('sam'), 'security_admin', null);
select private.disable_account(tests.id_of('ben'), 'Guessing');
select private.note_security_event('sign_in_failed', tests.id_of('ada'), '203.0.113.7', times => 3);
select private.open_incident('suspicious_activity', 'low', 'Guessing', 'Somebody guesses.', affected => array[tests.id_of('ada')]);

select tests.act_as(tests.id_of('cora'));
select throws_ok(
  $$ select public.read_account('ada@hillside.example.edu') $$, '42501', 'Only security administrators do this.', 'a counselor reads no account'
);
select is(public.log_access('account_read', search => 'ada@hillside.example.edu'), false, 'nor logs that they do');
select tests.act_as(tests.id_of('sam'));
select is(public.log_access('student_read', student_id => tests.id_of('ada')), false, 'a security administrator reads no student');
select throws_ok(
  $$ select public.read_account('ada@hillside.example.edu') $$, '42501', 'Log this access first.', 'and no account without an entry'
);
select ok(public.log_access('account_read', search => ' ADA@hillside.example.edu'), 'with one they do');
select throws_ok($$ select public.read_account('ben@students.lakeview.example.edu') $$, '42501', 'Log this access first.', 'but no other');
create temporary table read as select public.read_account(' ADA@hillside.example.edu') as account;
select results_eq(
  $$ select account ->> 'user_id', account ->> 'email', account ->> 'university_id', account -> 'roles' -> 0 ->> 'role', account ->> 'is_own',
      account ->> 'failed_sign_ins', account ->> 'disabled', jsonb_array_length(account -> 'sessions') from read $$,
  $$ values (tests.id_of('ada')::text, 'ada@hillside.example.edu', 'hillside', 'student', 'false', '3', null, 1) $$,
  'by its address, however it is written: whose it is, and how it stands'
);
select is((select account -> 'incidents' -> 0 ->> 'title' from read), 'Guessing', 'with the incidents that concern it');
select is_empty(
  $$ select from read where account::text ~* 'password|score|token|secret|phone' or account ?| '{first_name,last_name}' $$,
  'and nothing that nobody needs for that'
);
select ok(public.log_access('account_read', search => tests.id_of('ben')::text), 'also by its id');
select is(public.read_account(tests.id_of('ben')::text) -> 'disabled' ->> 'reason', 'Guessing', 'why it is disabled');
select ok(public.log_access('account_read', search => 'nobody@hillside.example.edu'), 'a search for nobody is logged');
select is(public.read_account('nobody@hillside.example.edu'), null, 'and finds nobody');
select ok(public.log_access('account_read', search => 'sam@hillside.example.edu'), 'one for oneself');
select ok((public.read_account('sam@hillside.example.edu') ->> 'is_own')::boolean, 'finds oneself');
select tests.act_as_owner();
set constraints all immediate;
select results_eq(
  $$ select actor_id, subject_id, university_id, details from private.audit_log where action = 'account_read' order by id $$,
  $$ values
    (tests.id_of('sam'), tests.id_of('ada'), 'hillside', '{}'::jsonb),
    (tests.id_of('sam'), tests.id_of('ben'), 'lakeview', '{}'),
    (tests.id_of('sam'), null, null, '{}'),
    (tests.id_of('sam'), tests.id_of('sam'), 'hillside', '{}') $$,
  'the audit log says who looked whom up, and not what they typed'
);
select tests.act_as(tests.id_of('ada'));
select results_eq(
  'select action::text, university_id from public.list_own_accesses()', $$ values ('account_read', 'hillside') $$,
  'and the person is told'
);

select * from finish();
