-- Notes on a review, handing it over, its outcome, and opening it again.
select plan(45);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('cyd', tests.new_student('cyd@hillside.example.edu')),
  ('lou', tests.new_student('lou@lakeview.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('cyd'), 'counselor', 'hillside'),
  (tests.id_of('lou'), 'counselor', 'lakeview');
update public.profiles set first_name = 'Cora', last_name = 'Invented' where user_id = tests.id_of('cora');
update public.profiles set first_name = 'Ada', last_name = 'Invented' where user_id = tests.id_of('ada');
update public.students set faculty = 'Law', year_of_study = '2' where user_id = tests.id_of('ada');
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid());
create function tests.review()
returns uuid
language sql
security definer
as $$ select id from public.clinical_reviews where user_id = (select id from people where name = 'ada') order by opened_at, id limit 1 $$;
create function tests.notes()
returns text
language sql
as $$ select string_agg(n ->> 'note', ' ' order by n ->> 'id') from jsonb_array_elements(public.read_review(tests.review()) -> 'notes') as n $$;

select tests.act_as(tests.id_of('lou'));
select is(public.add_review_note(tests.review(), 'x'), null, 'a counselor elsewhere writes no note');
select is(public.hand_over_review(tests.review(), tests.id_of('lou')), null, 'takes nothing over');
select public.log_access('student_read', student_id => tests.id_of('ada'));
select is(public.read_review(tests.review()), null, 'and reads nothing');
select results_eq('select user_id from public.list_counselors()', $$ values (tests.id_of('lou')) $$, 'nor sees who the counselors are');
select tests.act_as(tests.id_of('ada'));
select is(public.add_review_note(tests.review(), 'x'), null, 'nor does the student write one');
select is(public.read_review(tests.review()), null, 'or read them');
select is_empty('select user_id from public.list_counselors()', 'or learn who could');

select tests.act_as(tests.id_of('cora'));
select throws_ok('select public.read_review(tests.review())', '42501', 'Log this access first.', 'reading them requires an entry in the access log');
select isnt(public.add_review_note(tests.review(), ' Seen at 02:10. '), null, 'a note may come before the claim');
select throws_ok($$ select public.add_review_note(tests.review(), ' ') $$, '23514', null, 'but says something');
select throws_ok($$ select public.add_review_note(tests.review(), repeat('x', 4001)) $$, '23514', null, 'and no novel');
select throws_ok(
  $$ select public.hand_over_review(tests.review(), tests.id_of('cyd')) $$, '23514', 'A review that is open is not handed over.',
  'what nobody has claimed is not handed over'
);
select public.claim_review(tests.review());
select throws_ok(
  $$ select public.hand_over_review(tests.review(), tests.id_of('lou')) $$, '23514', 'Only a counselor of the student''s university takes a review over.',
  'nor is anything to a counselor elsewhere'
);
select throws_ok($$ select public.hand_over_review(tests.review(), tests.id_of('ada')) $$, '23514', null, 'or to the student');
select throws_ok($$ select public.hand_over_review(tests.review(), tests.id_of('cora')) $$, '23514', null, 'or to oneself');
select throws_ok('select public.hand_over_review(tests.review(), null)', '23514', null, 'or to nobody');
select results_eq(
  'select user_id from public.list_counselors()', $$ select id from people where name in ('cora', 'cyd') order by name desc $$,
  'the colleagues can be listed'
);
select is(
  public.hand_over_review(tests.review(), tests.id_of('cyd')),
  jsonb_build_object('id', tests.review(), 'status', 'claimed', 'claimed_by', tests.id_of('cyd')), 'it is handed to a colleague'
);
select throws_ok($$ select public.close_review(tests.review()) $$, '23514', 'Another counselor has claimed this review.', 'whose it is then');
select throws_ok(
  $$ select public.hand_over_review(tests.review(), tests.id_of('cora')) $$, '23514', 'Another counselor has claimed this review.',
  'and who alone hands it on'
);
select isnt(public.add_review_note(tests.review(), 'Knows her tutor.'), null, 'though others may still write notes');

select tests.act_as_owner();
select results_eq(
  $$ select recipient, urgency::text from private.outbox where purpose = 'clinical_review_handed_over' $$,
  $$ values ('cyd@hillside.example.edu', 'crisis') $$, 'the colleague is told'
);
select throws_ok('update private.clinical_review_notes set note = ''y''', '23001', null, 'nobody changes a note');
select throws_ok('delete from private.clinical_review_notes', '23001', 'Notes on a review are kept as long as the review.', 'or deletes one');

select tests.act_as(tests.id_of('cyd'));
select is(
  public.close_review(tests.review(), 'safety_plan', 'Plan made, sees Dr. Invented on Monday.'),
  jsonb_build_object('id', tests.review(), 'status', 'closed', 'claimed_by', tests.id_of('cyd')), 'it is closed with an outcome and a last note'
);
select throws_ok($$ select public.add_review_note(tests.review(), 'x') $$, '23514', 'A review that is closed takes no note.', 'and takes no other');
select public.log_access('student_read', student_id => tests.id_of('ada')), public.log_access('reviews_listed');
select is(
  tests.notes(), 'Seen at 02:10. Knows her tutor. Plan made, sees Dr. Invented on Monday.', 'its notes can still be read'
);
select is(public.read_review(tests.review()) -> 'notes' -> 0 ->> 'author_name', 'Cora Invented', 'with who wrote them');
select results_eq(
  $$
    select r ->> 'first_name', r ->> 'email', r ->> 'faculty', r ->> 'year_of_study', r ->> 'outcome', r ->> 'closed_by'
    from jsonb_array_elements(public.list_closed_reviews()) as r
  $$,
  $$ values ('Ada', 'ada@hillside.example.edu', 'Law', '2', 'safety_plan', tests.id_of('cyd')::text) $$,
  'it is listed among the closed ones, with what tells the student from others of the name'
);
select is(public.reopen_review(tests.review()) ->> 'status', 'open', 'any counselor there reopens it');
select results_eq(
  $$ select r ->> 'email', r ->> 'student_number', r ->> 'faculty' from jsonb_array_elements(public.list_open_reviews()) as r $$,
  $$ values ('ada@hillside.example.edu', null, 'Law') $$, 'as it was, with the same in the list'
);
select is(public.list_closed_reviews(), '[]', 'and no more among the closed ones');
select is(public.claim_review(tests.review()) ->> 'claimed_by', tests.id_of('cyd')::text, 'it can be claimed');
select public.close_review(tests.review(), 'referred');

select tests.act_as_owner();
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid());
update public.clinical_reviews set opened_at = now() + interval '1 second' where status = 'open';
select tests.act_as(tests.id_of('cora'));
select throws_ok(
  'select public.reopen_review(tests.review())', '23514', 'The student has a newer review that is not closed.', 'a newer one comes before it'
);
select tests.act_as_owner();
set local session_replication_role = replica;
delete from public.clinical_reviews where status = 'open';
set local session_replication_role = origin;
update public.clinical_reviews set closed_at = now() - interval '24 hours';
select tests.act_as(tests.id_of('cora'));
select throws_ok(
  'select public.reopen_review(tests.review())', '23514', 'A review is reopened within 24 hours of its closing.', 'a day later it stays closed'
);
select public.log_access('reviews_listed'), public.log_access('student_read', student_id => tests.id_of('ada'));
select is(jsonb_array_length(public.list_closed_reviews()), 1, 'and listed');
select tests.act_as_owner();
update public.clinical_reviews set closed_at = now() - interval '90 days';
select tests.act_as(tests.id_of('cora'));
select is(public.list_closed_reviews(), '[]', 'for 90 days');
select is(public.read_review(tests.review()), null, 'in which it can be read');

select tests.act_as_owner();
set constraints all immediate;
select results_eq(
  $$
    select before ->> 'status', after ->> 'status', after ->> 'outcome', (details - 'application')::text
    from private.audit_log where action = 'review_changed' and target_id = tests.review()::text order by id
  $$,
  $$
    values
      (null, null, null, '{"note_added": true}'),
      ('open', 'claimed', null, '{}'),
      (null, null, null, '{}'),
      (null, null, null, '{"note_added": true}'),
      (null, null, null, '{"note_added": true}'),
      ('claimed', 'closed', 'safety_plan', '{}'),
      ('closed', 'open', null, '{}'),
      ('open', 'claimed', null, '{}'),
      ('claimed', 'closed', 'referred', '{}'),
      (null, null, null, '{}'),
      (null, null, null, '{}')
  $$,
  'the audit log has each step, and at the end the times that this story has set by hand'
);
select is_empty(
  $$ select id from public.audit_logs where concat(before, after, details) ~ 'tutor|02:10|Monday' $$, 'and nothing of a note'
);
select results_eq(
  $$
    select content::jsonb ->> 'note', content::jsonb ? 'author'
    from private.exported_rows(tests.id_of('ada'), 'private', 'clinical_review_notes', null, 'infinity') as content
    order by content::jsonb ->> 'id'
  $$,
  $$ values ('Seen at 02:10.', false), ('Knows her tutor.', false), ('Plan made, sees Dr. Invented on Monday.', false) $$,
  'they are in the export of the student, without who wrote them'
);
select lives_ok($$ delete from auth.users where id = tests.id_of('cora') $$, 'a counselor''s account goes');
select is((select count(*) from private.clinical_review_notes where author is null), 2::bigint, 'and their notes stay, without the name');
select lives_ok($$ delete from auth.users where id = tests.id_of('ada') $$, 'the student''s account goes');
select is_empty('select id from private.clinical_review_notes', 'and the notes with it');
select * from finish();
