-- Staff: who invites whom, who gives and takes which role, and which administrators stay.
select plan(80);

insert into people
values
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('lou', tests.new_student('lou@lakeview.example.edu')),
  ('sam', tests.new_student('sam@elsewhere.example.com')),
  ('sky', tests.new_student('sky@elsewhere.example.com')),
  ('cora', tests.new_student('cora@hillside.example.edu'));
delete from public.user_roles where user_id in (select id from people where name in ('uma', 'lou', 'sam', 'sky', 'cora'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('lou'), 'university_admin', 'lakeview'),
  (tests.id_of('sam'), 'security_admin', null),
  (tests.id_of('sky'), 'security_admin', null),
  (tests.id_of('cora'), 'counselor', 'hillside');
update public.profiles set first_name = 'Uma', last_name = 'Invented' where user_id = tests.id_of('uma');

-- Signs up, unconfirmed.
create function tests.sign_up(person text, email text)
returns uuid
language sql
as $$
  with account as (
    insert into auth.users (id, email, aud, role, raw_user_meta_data) values (gen_random_uuid(), email, 'authenticated', 'authenticated', '{}')
    returning id
  )
  insert into people select person, id from account returning id
$$;
create function tests.confirm(person text)
returns void
language sql
as $$ update auth.users set email_confirmed_at = now() where id = tests.id_of(person) $$;
create function tests.sign_in(person text)
returns void
language sql
as $$ insert into auth.sessions (id, user_id) select gen_random_uuid(), tests.id_of(person) $$;
create function tests.roles_of(person text)
returns text
language sql
security definer
as $$
  select coalesce(string_agg(role || coalesce(' ' || university_id, ''), ', ' order by role, university_id), '')
  from public.user_roles where user_id = tests.id_of(person)
$$;
-- What an invitation leads to, as that person.
create function tests.invited_by(person text, email text, role text, university text)
returns text
language plpgsql
as $$
begin
  perform tests.act_as(tests.id_of(person));
  perform public.invite_staff(email, role::public.app_role, university);
  perform tests.act_as_owner();
  return 'invited';
exception
  when others then
    perform tests.act_as_owner();
    return sqlstate;
end
$$;

-- Who may invite whom.
select results_eq(
  $$
    select tests.invited_by(person, 'x@elsewhere.example.edu', role, university)
    from (
      values
        (1, 'uma', 'counselor', 'hillside'), (2, 'uma', 'university_admin', 'hillside'), (3, 'uma', 'counselor', 'lakeview'),
        (4, 'uma', 'security_admin', null), (5, 'uma', 'counselor', null), (6, 'uma', 'student', 'hillside'),
        (7, 'sam', 'security_admin', null), (8, 'sam', 'counselor', 'lakeview'), (9, 'sam', 'counselor', null),
        (10, 'sam', 'security_admin', 'lakeview'), (11, 'sam', 'counselor', 'nowhere'), (12, 'cora', 'counselor', 'hillside'),
        (13, 'ada', 'counselor', 'hillside'), (14, 'lou', 'counselor', 'hillside')
    ) as c (place, person, role, university)
    order by place
  $$,
  $$
    values ('invited'), ('invited'), ('42501'), ('42501'), ('42501'), ('22023'), ('invited'), ('invited'), ('22023'), ('22023'),
      ('PT404'), ('42501'), ('42501'), ('42501')
  $$,
  'administrators invite counselors and administrators of their university, security administrators everybody, others nobody'
);
select results_eq(
  $$
    select tests.invited_by('uma', address, 'counselor', 'hillside')
    from unnest(array['', 'nobody', 'a b@example.edu', 'ü@example.edu', '=cmd|x', 'x@example.edu, y@example.edu', repeat('x', 250) || '@example.edu'])
      as address
  $$,
  $$ select '22023' from generate_series(1, 7) $$,
  'by an address that takes mail'
);
select is(tests.invited_by('uma', 'Uma+x@hillside.example.edu', 'counselor', 'hillside'), '42501', 'nobody invites themselves');
select is(tests.invited_by('uma', 'cora@hillside.example.edu', 'counselor', 'hillside'), 'PT409', 'nor who has the role already');
delete from private.staff_invitations;
delete from private.outbox;

-- The mail.
select tests.act_as(tests.id_of('uma'));
select ok(
  public.invite_staff(' New@Elsewhere.example.edu ', 'counselor', 'hillside') between now() + interval '13 days' and now() + interval '15 days',
  'an invitation is open for two weeks'
);
select tests.act_as_owner();
select results_eq(
  $$ select recipient, subject, user_id from private.outbox where purpose = 'staff_invitation' $$,
  $$
    values ('new@elsewhere.example.edu', 'Student wellbeing: you are invited as a counselor of Hillside University invented', null::uuid)
  $$,
  'it is mailed'
);
select ok(
  (select body from private.outbox where purpose = 'staff_invitation')
    like E'Hello,\n\nUma Invented invites you to be a counselor of Hillside University%sign up with this address, new@elsewhere.example.edu,%',
  'with who invites, to what, and how to accept'
);
select is(tests.invited_by('uma', 'new+tag@elsewhere.example.edu', 'counselor', 'hillside'), 'invited', 'inviting the mailbox again');
select results_eq(
  $$ select count(*), min(email) from private.staff_invitations $$, $$ values (1::bigint, 'new+tag@elsewhere.example.edu') $$, 'renews it'
);
select is((select count(*) from private.outbox where purpose = 'staff_invitation'), 1::bigint, 'and takes the mail back that waits');

-- Signing up.
select tests.sign_up('new', 'new@elsewhere.example.edu');
select is(tests.roles_of('new'), '', 'who signs up with an address that is invited has no role before it is confirmed');
select is_empty($$ select from public.students where user_id = tests.id_of('new') $$, 'and is no student');
select tests.confirm('new');
select is(tests.roles_of('new'), 'counselor hillside', 'then has the role');
select is_empty($$ select from public.students where user_id = tests.id_of('new') $$, 'and is no student');
select is(private.university_of(tests.id_of('new')), 'hillside', 'and belongs to the university');
select is((select user_id from private.outbox where purpose = 'staff_invitation'), tests.id_of('new'), 'the mail is theirs from then on');
set constraints all immediate;
select results_eq(
  $$
    select action::text, actor_id, subject_id, university_id, after ->> 'role'
    from private.audit_log
    where action = 'staff_invitation_accepted'
  $$,
  $$ values ('staff_invitation_accepted', tests.id_of('new'), tests.id_of('new'), 'hillside', 'counselor') $$,
  'the log says who accepted'
);
select is_empty(
  $$ select from public.audit_logs where concat(before, after, details) like '%elsewhere.example%' $$, 'and no address'
);
set constraints all deferred;

-- Signed up before they were invited.
select tests.sign_up('early', 'early@hillside.example.edu');
select is(tests.roles_of('early'), 'student hillside', 'a sign-up without an invitation is that of a student');
select tests.invited_by('uma', 'early@hillside.example.edu', 'counselor', 'hillside');
select tests.confirm('early');
select is(tests.roles_of('early'), 'counselor hillside', 'unless one comes before the address is confirmed');

-- Confirmed at once, as by the admin API.
select tests.invited_by('sam', 'made@elsewhere.example.edu', 'security_admin', null);
insert into people values ('made', tests.new_student('made@elsewhere.example.edu'));
select is(tests.roles_of('made'), 'security_admin', 'an account that is made with a confirmed address accepts at once');

-- An invitation that is over.
select tests.invited_by('uma', 'late@elsewhere.example.edu', 'counselor', 'hillside');
select tests.sign_up('late', 'late@elsewhere.example.edu');
update private.staff_invitations set invited_at = now() - interval '14 days' where email = 'late@elsewhere.example.edu';
select tests.confirm('late');
select is(tests.roles_of('late'), 'student', 'an invitation of two weeks ago holds no more: they are a student like everybody');
select tests.act_as(tests.id_of('uma'));
select public.invite_staff('gone@elsewhere.example.edu', 'counselor', 'hillside');
select ok(not public.withdraw_invitation('gone@elsewhere.example.edu', 'university_admin', 'hillside'), 'only what is open is withdrawn');
select ok(public.withdraw_invitation('Gone+x@elsewhere.example.edu', 'counselor', 'hillside'), 'an invitation is withdrawn');
select ok(not public.withdraw_invitation('gone@elsewhere.example.edu', 'counselor', 'hillside'), 'once');
select throws_ok(
  $$ select public.withdraw_invitation('gone@elsewhere.example.edu', 'counselor', 'lakeview') $$, '42501', null, 'not at another university'
);
select tests.act_as_owner();
select is_empty($$ select from private.outbox where recipient = 'gone@elsewhere.example.edu' $$, 'with its mail');
insert into people values ('gone', tests.new_student('gone@elsewhere.example.edu'));
select is(tests.roles_of('gone'), 'student', 'and holds no more');
select tests.invited_by('uma', 'orphan@elsewhere.example.edu', 'counselor', 'hillside');
update auth.users set banned_until = now() + interval '1 day' where id = tests.id_of('uma');
insert into people values ('orphan', tests.new_student('orphan@elsewhere.example.edu'));
select is(tests.roles_of('orphan'), 'student', 'nor while who invited may not give the role');
update auth.users set banned_until = null where id = tests.id_of('uma');
insert into auth.sessions (id, user_id) values (tests.id_of('uma'), tests.id_of('uma'));

-- Who has an account.
select tests.invited_by('uma', 'ada@hillside.example.edu', 'counselor', 'hillside');
select is(tests.roles_of('ada'), 'student hillside', 'an invitation gives nothing by itself');
select tests.sign_in('ada');
select is(tests.roles_of('ada'), 'student hillside, counselor hillside', 'who has an account accepts by signing in, and stays a student');
select tests.sign_in('orphan');
select is(tests.roles_of('orphan'), 'student, counselor hillside', 'also who made one while it did not hold');
insert into auth.users (id, email) values ('00000000-0000-4000-8000-00000000000c', 'liar@elsewhere.example.edu');
select tests.invited_by('uma', 'liar@elsewhere.example.edu', 'counselor', 'hillside');
insert into auth.sessions (id, user_id) values (gen_random_uuid(), '00000000-0000-4000-8000-00000000000c');
select is_empty(
  $$ select from public.user_roles where user_id = '00000000-0000-4000-8000-00000000000c' and role = 'counselor' $$,
  'nobody accepts with an address that is not confirmed'
);

-- A university that is archived.
insert into people values ('zoe', tests.new_student('zoe@elsewhere.example.com'));
select tests.invited_by('uma', 'zoe@elsewhere.example.com', 'counselor', 'hillside');
select tests.invited_by('uma', 'zed@elsewhere.example.com', 'counselor', 'hillside');
select tests.sign_up('zed', 'zed@elsewhere.example.com');
select tests.past($$ update public.universities set archived_at = now() where id = 'hillside' $$);
select lives_ok($$ select tests.sign_in('zoe') $$, 'whoever is invited to a university that is archived signs in');
select is(tests.roles_of('zoe'), 'student', 'without the role');
select lives_ok($$ select tests.confirm('zed') $$, 'and confirms an address');
select is(tests.roles_of('zed'), 'student', 'as a student');
update public.universities set archived_at = null where id = 'hillside';
update public.universities set archived_at = now() where id = 'hillside';
select is_empty(
  $$ select from private.staff_invitations where university_id = 'hillside' and accepted_by is null $$, 'archiving takes invitations back'
);
select is_empty($$ select from private.outbox where recipient = 'zoe@elsewhere.example.com' and status = 'queued' $$, 'with their mails');
select is(tests.invited_by('uma', 'zoe@elsewhere.example.com', 'counselor', 'hillside'), 'PT409', 'nobody is invited to it');
select tests.act_as(tests.id_of('uma'));
select throws_ok(
  $$ select public.grant_role('cora@hillside.example.edu', 'university_admin', 'hillside') $$, 'PT409',
  'hillside is archived and takes no new staff.', 'nor given a role'
);
select ok(public.revoke_role('new@elsewhere.example.edu', 'counselor', 'hillside'), 'roles are taken away as before');
select tests.act_as_owner();
update public.universities set archived_at = null where id = 'hillside';
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('new'), 'counselor', 'hillside');

-- An invitation that cannot be accepted.
create function tests.fail() returns trigger language plpgsql as $$ begin raise exception 'invented'; end $$;
create trigger fail before update on private.staff_invitations for each row execute function tests.fail();
select tests.invited_by('uma', 'zoe@elsewhere.example.com', 'counselor', 'hillside');
select tests.invited_by('uma', 'zac@elsewhere.example.com', 'counselor', 'hillside');
select tests.sign_up('zac', 'zac@elsewhere.example.com');
select lives_ok($$ select tests.sign_in('zoe') $$, 'a failure keeps nobody from signing in');
select lives_ok($$ select tests.confirm('zac') $$, 'nor from confirming an address');
drop trigger fail on private.staff_invitations;
select tests.sign_in('zoe'), tests.sign_in('zac');
select is(array[tests.roles_of('zoe'), tests.roles_of('zac')], '{"student, counselor hillside",counselor hillside}', 'the next sign-in accepts');

-- Giving and taking.
select tests.act_as(tests.id_of('uma'));
select ok(public.grant_role('Cora@hillside.example.edu', 'university_admin', 'hillside'), 'an administrator gives a role to a member of staff');
select ok(not public.grant_role(tests.id_of('cora')::text, 'university_admin', 'hillside'), 'once');
select throws_ok(
  format($$ select public.grant_role(%L, 'counselor', 'hillside') $$, person), 'PT404', 'Nobody of your staff has this address.',
  'to nobody else: ' || person
)
from unnest(array['ben@students.lakeview.example.edu', 'gone@elsewhere.example.edu', 'nobody@hillside.example.edu', 'lou@lakeview.example.edu', '']) as person;
select throws_ok(
  $$ select public.grant_role('uma@hillside.example.edu', 'counselor', 'hillside') $$, '42501',
  'Nobody gives a role to themselves: another administrator does.', 'nor to themselves'
);
select throws_ok($$ select public.grant_role('cora@hillside.example.edu', 'security_admin') $$, '42501', null, 'nor one above their own');
select throws_ok($$ select public.grant_role('cora@hillside.example.edu', 'student', 'hillside') $$, '22023', null, 'a student is no staff');
select ok(public.revoke_role('cora@hillside.example.edu', 'counselor', 'hillside'), 'and takes one away');
select ok(not public.revoke_role('cora@hillside.example.edu', 'counselor', 'hillside'), 'once');
select throws_ok($$ select public.revoke_role('sam@elsewhere.example.com', 'security_admin') $$, '42501', null, 'none above their own');
select tests.act_as(tests.id_of('cora'));
select ok(not public.log_access('students_listed', 'hillside'), 'what it gave ends at once');
select ok(public.revoke_role('uma@hillside.example.edu', 'university_admin', 'hillside'), 'of two administrators each may take the other''s');
select throws_ok(
  $$ select public.revoke_role('cora@hillside.example.edu', 'university_admin', 'hillside') $$, 'PT409',
  'The last administrator of hillside stays: make another one first.', 'the last one stays'
);
select tests.act_as_owner();
select throws_ok(
  $$ delete from public.user_roles where user_id = tests.id_of('cora') $$, 'PT409', null, 'also in the grid'
);
select throws_ok(
  $$ update public.user_roles set role = 'counselor' where user_id = tests.id_of('cora') $$, 'PT409', null, 'whose change is no better'
);
select throws_ok($$ delete from auth.users where id = tests.id_of('cora') $$, 'PT409', null, 'nor the deletion of the account');
select is_empty(
  $$ select private.administered_alone(tests.id_of('lou')) except select 'lakeview' $$, 'nobody else is kept'
);
update public.profiles set university_id = null where user_id = tests.id_of('ben');
select lives_ok(
  $$ delete from public.user_roles where user_id = tests.id_of('lou') $$, 'of a university without other people the last one goes'
);
select tests.act_as(tests.id_of('sam'));
select ok(public.grant_role('ben@students.lakeview.example.edu', 'university_admin', 'hillside'), 'a security administrator gives roles to everybody');
select ok(public.revoke_role('cora@hillside.example.edu', 'university_admin', 'hillside'), 'so that the last one may go');

-- The list.
select public.invite_staff('next@elsewhere.example.edu', 'counselor', 'hillside');
select results_eq(
  $$
    select role::text, university_id, user_id is null, invited_until is not null, second_factor, disabled
    from public.list_staff()
    where email in ('sky@elsewhere.example.com', 'next@elsewhere.example.edu', 'ben@students.lakeview.example.edu')
    order by email
  $$,
  $$
    values
      ('university_admin', 'hillside', false, false, false, false), ('counselor', 'hillside', true, true, null, null),
      ('security_admin', null, false, false, false, false)
  $$,
  'security administrators see all staff, and who is invited'
);
select tests.act_as(tests.id_of('ben'));
select set_eq(
  $$ select distinct university_id from public.list_staff() $$, $$ values ('hillside') $$, 'an administrator those of the own university'
);
select throws_ok($$ select public.list_staff('lakeview') $$, '42501', null, 'and no others');
select tests.act_as(tests.id_of('new'));
select throws_ok($$ select public.list_staff() $$, '42501', null, 'a counselor nobody');

-- Administrators who are to be erased.
select tests.act_as(tests.id_of('sam'));
select public.grant_role('cora@hillside.example.edu', 'university_admin', 'hillside');
select tests.act_as_owner();
select private.request_erasure(tests.id_of('ben'));
select tests.act_as(tests.id_of('sam'));
select throws_ok(
  $$ select public.revoke_role('cora@hillside.example.edu', 'university_admin', 'hillside') $$, 'PT409', null,
  'an administrator who is to be erased does not let another one go'
);
select tests.act_as_owner();
select private.request_erasure(tests.id_of('sky')), private.request_erasure(tests.id_of('made'));
select throws_ok(
  $$ delete from public.user_roles where user_id = tests.id_of('sam') $$, 'PT409',
  'The last security administrator stays: make another one first.', 'nor does one of security'
);
update auth.users set banned_until = now() + interval '1 day' where id = tests.id_of('cora');
select throws_ok(
  $$ delete from public.user_roles where user_id = tests.id_of('ben') $$, 'PT409', null, 'who is left keeps the role until then'
);
select throws_ok($$ delete from auth.users where id = tests.id_of('ben') $$, 'PT409', null, 'and is not deleted sooner');
update private.erasures
set requested_at = now() - interval '73 hours', final_at = now() - interval '1 hour', next_attempt_at = now() - interval '1 hour'
where user_id = tests.id_of('ben');
select throws_ok(
  $$ delete from public.user_roles where user_id = tests.id_of('ben') $$, 'PT409', null, 'nor loses the role without the account'
);
select private.advance_erasures(50);
select is((select error_code from private.erasures where user_id = tests.id_of('ben')), null, 'but is erased');
select is_empty($$ select from auth.users where id = tests.id_of('ben') $$, 'when it is due');
update auth.users set deleted_at = now() where id = tests.id_of('cora');
update private.erasures set requested_at = now() - interval '1 hour', final_at = now() - interval '1 hour' where user_id = tests.id_of('cora');
select private.advance_erasures(50);
select is_empty($$ select from auth.users where id = tests.id_of('cora') $$, 'as is an account that the admin API deleted softly');

select * from finish();
