-- A university that was made by mistake is deleted, one that took part is archived, and nobody is lost by either.
select plan(26);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('sam', tests.new_student('sam@elsewhere.example.com'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('sam'), 'security_admin', null);
insert into public.universities (id, name, short_name, domain) values ('seaside', 'Seaside (invented)', 'Seaside', 'seaside.example.edu');
insert into private.crisis_contacts (university_id, email) values ('seaside', 'on-call@seaside.example.edu');
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid());

-- Deleting, as Studio's grid and the secret key do.
select lives_ok($$ delete from public.universities where id = 'seaside' $$, 'a university without anybody can be deleted');
select throws_ok(
  $$ delete from public.universities where id = 'hillside' $$, '23001',
  'hillside still has 3 people, 5 roles and 1 reviews that are not closed.', 'one with people cannot'
);
set local role service_role;
select throws_ok($$ delete from public.universities where id = 'hillside' $$, '23001', null, 'with the secret key neither');
reset role;
select throws_ok(
  $$ update public.clinical_reviews set university_id = null $$, '23001', 'A review that is not closed stays with a university.',
  'nor is a review taken from it'
);
update public.profiles set university_id = null where user_id = tests.id_of('ada');
select is((select university_id from public.clinical_reviews), 'hillside', 'and that of a student who leaves for none stays');
update public.profiles set university_id = 'hillside' where user_id = tests.id_of('ada');
update public.user_roles set university_id = 'hillside' where user_id = tests.id_of('ada');

-- Archiving.
select tests.act_as(tests.id_of('uma'));
select throws_ok($$ select public.archive_university('hillside') $$, '42501', null, 'its administrators do not archive it');
select throws_ok($$ select public.restore_university('hillside') $$, '42501', null, 'nor restore it');
select throws_ok($$ update public.universities set archived_at = now() where id = 'hillside' $$, '42501', null, 'with no statement');
select tests.act_as(tests.id_of('sam'));
select is(public.archive_university('nowhere'), null, 'of one that does not exist nothing comes');
select throws_ok(
  $$ select public.archive_university('hillside') $$, '23001', 'hillside has 1 reviews that are not closed.', 'open reviews come first'
);
select tests.act_as_owner();
select throws_ok(
  $$ update public.universities set archived_at = now() where id = 'hillside' $$, '23001', 'hillside has 1 reviews that are not closed.',
  'in the grid too'
);
select tests.act_as(tests.id_of('cora'));
select public.claim_review(id), public.close_review(id, 'safety_plan') from public.review_queue();
select tests.act_as(tests.id_of('sam'));
select isnt(public.archive_university('hillside') ->> 'archived_at', null, 'then a security administrator archives it');
select tests.act_as_owner();
set constraints all immediate;
select results_eq(
  $$ select actor_id, university_id from private.audit_log where action = 'university_changed' and after ? 'archived_at' $$,
  $$ values (tests.id_of('sam'), 'hillside') $$, 'which is logged'
);
set constraints all deferred;

select is(private.university_for('new@hillside.example.edu', 'hillside'), null, 'nobody signs up to it');
insert into people values ('new', tests.new_student('new@hillside.example.edu'));
select is(private.university_of(tests.id_of('new')), null, 'an account with its domain belongs to no university');
select throws_ok(
  $$ update public.profiles set university_id = 'hillside' where user_id = tests.id_of('ben') $$, '23001',
  'hillside is archived and takes nobody new.', 'nor does anybody move to it'
);
select lives_ok($$ update public.profiles set first_name = 'Ada' where user_id = tests.id_of('ada') $$, 'who is there stays');
select is(private.crisis_resources(tests.id_of('ada')), private.university_crisis_resources('hillside'), 'with its crisis resources');
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid());
select tests.act_as(tests.id_of('cora'));
select is((select count(*) from public.review_queue()), 1::bigint, 'a review that opens later is seen by its counselors');
select tests.act_as(tests.id_of('sam'));
select is(public.archive_university('hillside') ->> 'id', 'hillside', 'archiving it again changes nothing');
select is(public.restore_university('hillside') -> 'archived_at', 'null', 'it can be restored');
select tests.act_as_owner();
select is(private.university_for('newer@hillside.example.edu', null), 'hillside', 'and takes people again');

-- The operator's own address, where a university names nobody.
delete from private.outbox;
select private.open_clinical_review(tests.id_of('sam'), 'session', gen_random_uuid());
select is((select error_code from private.outbox), 'no_recipient', 'a student without a university is nobody''s');
update private.messaging_settings set review_fallback_email = 'operator@service.example.org';
select results_eq(
  $$ select place, email from private.review_contacts(null) $$, $$ values (1, 'operator@service.example.org') $$, 'or the operator''s'
);
select private.remind_of_reviews(now() + interval '30 minutes');
select is(
  (select count(*) from private.outbox where recipient = 'operator@service.example.org' and purpose = 'clinical_review_reminder'), 2::bigint,
  'who is told of reviews of students without a university and of universities that name nobody'
);
update public.universities set support_email = 'office@hillside.example.edu' where id = 'hillside';
select results_eq(
  $$ select email from private.review_contacts('hillside') $$, $$ values ('office@hillside.example.edu') $$, 'but not where one is named'
);

select * from finish();
