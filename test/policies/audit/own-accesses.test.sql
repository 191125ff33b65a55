-- What a student is told of who read their data.
select plan(12);

insert into people
values ('cleo', tests.new_student('cleo@hillside.example.edu')), ('carl', tests.new_student('carl@students.lakeview.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values (tests.id_of('cleo'), 'counselor', 'hillside'), (tests.id_of('carl'), 'counselor', 'lakeview');
update public.profiles set first_name = 'Cleo', last_name = 'Invented' where user_id = tests.id_of('cleo');

select tests.act_as(tests.id_of('cleo'));
select public.log_access('students_listed', 'hillside');
select tests.act_as_owner();
select is_empty($$ select 1 from private.accesses_to_own_data(null, 50) $$, 'nobody is told anything without signing in');
select tests.act_as(tests.id_of('ada'));
select is_empty('select 1 from public.list_own_accesses()', 'lists do not concern a student whom counselors cannot see');
insert into public.consents (kind, version) values ('counselor_access', '2026-11');
select tests.act_as_owner();
select tests.past($$ update public.consents set granted_at = now() - interval '1 day' where user_id = tests.id_of('ada') $$);
select tests.act_as(tests.id_of('cleo'));
select public.log_access('student_read', student_id => tests.id_of('ada'));
select public.log_access('reviews_listed');
select tests.act_as(tests.id_of('carl'));
select public.log_access('students_listed', 'lakeview');
select public.log_access('reviews_listed');
select tests.act_as(tests.id_of('ada'));
select results_eq(
  'select action::text, university_id, role::text, name from public.list_own_accesses()',
  $$ values ('student_read', 'hillside', 'counselor', 'Cleo Invented'), ('students_listed', 'hillside', 'counselor', 'Cleo Invented') $$,
  'with the consent Ada sees who read what, the latest first: not where and how, nor what did not concern her'
);
select is(
  (select array_agg(action::text) from public.list_own_accesses(page_limit => 1)), array['student_read'], 'in pages'
);
select is(
  (
    select array_agg(n.action::text)
    from public.list_own_accesses(page_limit => 1) first, public.list_own_accesses(first.entry, 1) n
  ),
  array['students_listed'], 'one after the other'
);
select tests.act_as(tests.id_of('ben'));
select is_empty('select 1 from public.list_own_accesses()', 'nobody sees what concerns others');

-- A review
select tests.act_as_owner();
insert into public.clinical_reviews (user_id, university_id, source, source_id, opened_at)
values (tests.id_of('ada'), 'hillside', 'session', gen_random_uuid(), now() - interval '1 hour');
select tests.act_as(tests.id_of('cleo'));
select public.claim_review(id) from public.review_queue();
set constraints all immediate;
select tests.act_as(tests.id_of('ada'));
select is(
  (select array_agg(action::text order by entry desc) from public.list_own_accesses()),
  array['review_changed', 'reviews_listed', 'student_read', 'students_listed'],
  'of a review too: lists of reviews by counselors of her university, and who handles it'
);
select tests.act_as_owner();
select tests.past($$ update public.consents set withdrawn_at = clock_timestamp() where user_id = tests.id_of('ada') $$);
update public.students set counselor_access = false where user_id = tests.id_of('ada');
select tests.act_as(tests.id_of('ada'));
select is((select count(*) from public.list_own_accesses()), 4::bigint, 'what was read before the withdrawal stays visible');
select tests.act_as_owner();
delete from public.user_roles where user_id = tests.id_of('cleo') and role = 'counselor';
select tests.act_as(tests.id_of('ada'));
select results_eq(
  $$ select name, role::text from public.list_own_accesses() where action = 'student_read' $$, $$ values (null::text, null::text) $$,
  'of somebody who does not work there any more, not the name'
);
select is((select count(*) from public.list_own_accesses(page_limit => 100000)), 4::bigint, 'however many are asked for');
select tests.act_as(tests.id_of('cleo'));
select is_empty('select 1 from public.list_own_accesses()', 'what one reads oneself is no access by others');
select tests.act_as_nobody();
select throws_ok('select public.list_own_accesses()', '42501', null, 'without signing in nobody may ask');

select * from finish();
