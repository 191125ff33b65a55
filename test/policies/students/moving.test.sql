-- A student who moves to another university: nothing of theirs stays with the old one's staff.
select plan(15);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('lou', tests.new_student('lou@lakeview.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('lou'), 'counselor', 'lakeview'),
  (tests.id_of('ada'), 'university_admin', 'hillside');
insert into private.crisis_contacts (university_id, email)
values ('hillside', 'on-call@hillside.example.edu'), ('lakeview', 'on-call@lakeview.example.edu');
select tests.give_consent(tests.id_of('ada'), '{counselor_access,audio}', '1');
insert into storage.buckets (id, name) values ('university-files', 'university-files') on conflict (id) do nothing;
insert into storage.objects (bucket_id, name)
values
  ('university-files', 'hillside/shared/plan.pdf'),
  ('university-files', 'hillside/students/' || tests.id_of('ben') || '/mine.pdf'),
  ('university-files', 'lakeview/shared/plan.pdf');
select private.open_clinical_review(tests.id_of('ada'), 'session', '00000000-0000-4000-8000-00000000000a');
select tests.act_for(tests.id_of('cora'));
update public.clinical_reviews set status = 'claimed', claimed_by = tests.id_of('cora');
select tests.act_for(null);

update public.profiles set university_id = 'lakeview' where user_id = tests.id_of('ada');
select results_eq(
  $$ select role::text, university_id from public.user_roles where user_id = tests.id_of('ada') order by role $$,
  $$ values ('student', 'lakeview'), ('university_admin', 'hillside') $$,
  'the role of a student moves, a role of staff stays until an operator takes it away'
);
select results_eq(
  $$ select kind::text from public.consents where user_id = tests.id_of('ada') and withdrawn_at is null $$,
  $$ values ('audio') $$,
  'access by counselors has to be agreed to anew'
);
select results_eq(
  $$ select university_id, counselor_access from public.students where user_id = tests.id_of('ada') $$,
  $$ values ('lakeview', false) $$,
  'so that the new ones see nothing yet'
);
select is((select coalesce(sum(students), 0) from private.listed_students), 0::bigint, 'and nobody counts them');
select results_eq(
  'select university_id, status::text, claimed_by from public.clinical_reviews', $$ values ('lakeview', 'open', null::uuid) $$,
  'the review moves, and is open'
);
select results_eq(
  $$ select recipient from private.outbox where purpose = 'clinical_review' and body like '%has come to your university%' $$,
  $$ values ('on-call@lakeview.example.edu') $$,
  'and the new crisis contact is told'
);
select is_empty(
  $$ select id from private.outbox where recipient like '%lakeview%' and body ~ tests.id_of('ada')::text $$, 'but not who it is'
);

select tests.act_as(tests.id_of('cora'));
select public.log_access('reviews_listed');
select is(public.list_open_reviews(), '[]', 'the old counselor no longer has it');
select public.log_access('student_read', student_id => tests.id_of('ada'));
select is(public.read_student(tests.id_of('ada')), null, 'nor the student');
select tests.act_as(tests.id_of('lou'));
select public.log_access('reviews_listed');
select is(jsonb_array_length(public.list_open_reviews()), 1, 'the new counselor has');

select tests.act_as_owner();
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('cora'), 'university_admin', 'hillside');
delete from public.user_roles where user_id = tests.id_of('ada') and role = 'university_admin';
select tests.act_as(tests.id_of('ada'));
select results_eq(
  $$ select name from storage.objects where bucket_id = 'university-files' $$, $$ values ('lakeview/shared/plan.pdf') $$,
  'the student sees the files of the new university, and none of the old one'
);
select throws_ok(
  $$ insert into storage.objects (bucket_id, name) values ('university-files', 'hillside/students/' || auth.uid() || '/late.pdf') $$,
  '42501', null, 'nor adds any there'
);
select lives_ok(
  $$ insert into public.consents (kind, version) values ('counselor_access', '2026-11') $$, 'a new consent is given as the first was'
);

select tests.act_as_owner();
select is((select students from private.listed_students where university_id = 'lakeview'), 1, 'and counts there');
update public.profiles set university_id = null where user_id = tests.id_of('ada');
select results_eq(
  $$
    select r.university_id, s.university_id, c.university_id
    from public.user_roles r, public.students s, public.clinical_reviews c
    where r.user_id = tests.id_of('ada') and s.user_id = r.user_id and c.user_id = r.user_id
  $$,
  $$ values (null::text, null::text, 'lakeview') $$,
  'who leaves without another university keeps the role, and the review stays with those who can help'
);

select * from finish();
