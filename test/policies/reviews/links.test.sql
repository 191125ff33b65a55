-- A link in a mail names a review and nobody: whoever follows it logs that they read its student, without knowing who that is.
select plan(7);

insert into people
values ('cora', tests.new_student('cora@hillside.example.edu')), ('lou', tests.new_student('lou@lakeview.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values (tests.id_of('cora'), 'counselor', 'hillside'), (tests.id_of('lou'), 'counselor', 'lakeview');
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid());
create function tests.review()
returns uuid
language sql
security definer
as $$ select id from public.clinical_reviews where user_id = (select id from people where name = 'ada') $$;

select tests.act_as(tests.id_of('cora'));
select throws_ok('select public.read_review(tests.review())', '42501', 'Log this access first.', 'a link alone opens nothing');
select ok(public.log_access('student_read', review_id => tests.review()), 'a counselor there logs it by the review');
select is((public.read_review(tests.review()) ->> 'user_id')::uuid, tests.id_of('ada'), 'and reads it');

select tests.act_as(tests.id_of('lou'));
select ok(public.log_access('student_read', review_id => tests.review()), 'a counselor elsewhere logs the attempt');
select is(public.read_review(tests.review()), null, 'and reads nothing');

select tests.act_as(tests.id_of('ada'));
select ok(not public.log_access('student_read', review_id => tests.review()), 'the student is no counselor');

reset role;
select results_eq(
  $$ select actor_id, subject_id from private.audit_log where action = 'student_read' order by id $$,
  $$ values (tests.id_of('cora'), tests.id_of('ada')), (tests.id_of('lou'), tests.id_of('ada')) $$,
  'the audit log has who read about whom, and who tried to'
);
select * from finish();
