-- One student's risk, however often it shows: one review, one message at once, then at most one a day.
select plan(18);

insert into people
values
  ('bea', tests.new_student('bea@hillside.example.edu')),
  ('cora', tests.new_student('cora@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('cora'), 'counselor', 'hillside');
insert into private.crisis_contacts (university_id, email)
values ('hillside', 'on-call@hillside.example.edu'), ('lakeview', 'on-call@lakeview.example.edu');
update public.profiles set first_name = 'Ottoline' where user_id = tests.id_of('ada');

create function tests.source(number integer)
returns uuid
language sql
as $$ select ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid $$;
create function tests.told(purpose text, contact text default 'on-call@hillside.example.edu')
returns bigint
language sql
as $$ select count(*) from private.outbox o where o.purpose = told.purpose and o.recipient = contact $$;
-- As if everybody had last been told this long ago.
create function tests.later(passed interval)
returns void
language sql
as $$
  update public.clinical_reviews
  set last_notified_at = last_notified_at - passed, last_risk_at = last_risk_at - passed;
  update private.clinical_review_sources set seen_at = seen_at - passed;
$$;

select private.open_clinical_review(tests.id_of('ada'), 'session', tests.source(n)) from generate_series(1, 50) n;
select results_eq(
  'select source::text, source_id, university_id from public.clinical_reviews',
  $$ values ('session', tests.source(1), 'hillside') $$,
  'a student in whom risk shows fifty times has one review, which names the first source'
);
select is((select count(*) from private.clinical_review_sources), 50::bigint, 'and holds all of them');
select is(tests.told('clinical_review'), 1::bigint, 'with one message');

select private.open_clinical_review(tests.id_of('ada'), 'transcript', tests.source(n)) from generate_series(51, 150) n;
select is((select count(*) from private.clinical_review_sources), 100::bigint, 'of very many the latest hundred are kept');

select private.open_clinical_review(tests.id_of('bea'), 'session', tests.source(1000));
select is(tests.told('clinical_review'), 2::bigint, 'another student''s first message is not delayed by that');

select private.send_review_digests();
select is(tests.told('clinical_review_digest'), 0::bigint, 'whoever was told today is not told again');
select tests.later('23 hours');
select private.open_clinical_review(tests.id_of('ada'), 'session', tests.source(2000));
select private.send_review_digests();
select is(tests.told('clinical_review_digest'), 0::bigint, 'also when risk shows again');
select tests.later('2 hours');
select private.send_review_digests();
select is(tests.told('clinical_review_digest'), 1::bigint, 'until a day has passed');
select is(
  (
    select body like '%in one student%' and body like '%' || r.id || '%'
    from private.outbox o, public.clinical_reviews r
    where o.purpose = 'clinical_review_digest' and r.user_id = tests.id_of('ada')
  ),
  true,
  'which names the review'
);
select is_empty(
  $$ select id from private.outbox where purpose = 'clinical_review_digest' and body || subject ilike '%ottoline%' $$,
  'and not the student'
);
select private.send_review_digests();
select is(tests.told('clinical_review_digest'), 1::bigint, 'and is told once');

select tests.later('2 days');
select private.open_clinical_review(tests.id_of('ben'), 'session', tests.source(3000));
select private.open_clinical_review(person.id, 'session', tests.source(4000)) from people person where name in ('ada', 'bea');
select private.send_review_digests();
select is(tests.told('clinical_review_digest'), 2::bigint, 'several students of a university are in one message');
select is(tests.told('clinical_review_digest', 'on-call@lakeview.example.edu'), 0::bigint, 'which another university does not get');

select tests.later('2 days');
update private.clinical_review_sources set seen_at = now();
select private.open_clinical_review(tests.id_of('ada'), 'session', tests.source(4000));
select private.send_review_digests();
select is(tests.told('clinical_review_digest'), 2::bigint, 'the score of a session whose words were told is not risk that shows again');

update public.clinical_reviews set opened_at = now() - interval '1 hour' where user_id = tests.id_of('bea');
select tests.act_as(tests.id_of('cora'));
select public.log_access('reviews_listed');
select is(
  (select array_agg(r ->> 'user_id') from jsonb_array_elements(public.list_open_reviews()) r),
  (select array_agg(id::text order by name desc) from people where name in ('ada', 'bea')),
  'the list begins with who has waited longest'
);
select is(
  (select array_agg(r ->> 'user_id') from jsonb_array_elements(public.list_open_reviews(1, 1)) r),
  (select array[id::text] from people where name = 'ada'),
  'and comes in pages'
);

select tests.act_as_owner();
select tests.act_for(tests.id_of('cora'));
update public.clinical_reviews set status = 'claimed', claimed_by = tests.id_of('cora') where user_id = tests.id_of('ada');
update public.clinical_reviews set status = 'closed' where user_id = tests.id_of('ada');
select tests.act_for(null);
select private.open_clinical_review(tests.id_of('ada'), 'session', tests.source(4000));
select is(
  (select array_agg(status::text order by status) from public.clinical_reviews where user_id = tests.id_of('ada')),
  '{open,closed}', 'risk after a review was closed opens another'
);
select is(tests.told('clinical_review'), 3::bigint, 'and is told at once');

select * from finish();
