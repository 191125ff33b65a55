-- What counselors see of a review on their screens: who has it and until when, what was done, the history that the student agreed to
-- show; and which queues hear that it changed.
select plan(27);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('cyd', tests.new_student('cyd@hillside.example.edu')),
  ('lou', tests.new_student('lou@lakeview.example.edu')),
  ('uma', tests.new_student('uma@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('cyd'), 'counselor', 'hillside'),
  (tests.id_of('lou'), 'counselor', 'lakeview'),
  (tests.id_of('uma'), 'university_admin', 'hillside');
update public.profiles set first_name = 'Cora', last_name = 'Quill' where user_id = tests.id_of('cora');
update public.profiles set first_name = 'Cyd', last_name = 'Marlow' where user_id = tests.id_of('cyd');

create temporary table heard_before (id uuid);
grant all on heard_before to authenticated;
-- Which queues heard of a change since this was asked last: 'person status', in order.
create function tests.heard()
returns text[]
language plpgsql
security definer
as $$
declare
  queues text[];
begin
  select array_agg(p.name || ' ' || coalesce(m.payload ->> 'status', 'gone') order by p.name, m.payload ->> 'status')
  into queues
  from realtime.messages m
  join people p on m.topic = 'reviews:' || p.id
  where m.event = 'changed' and m.private and m.id not in (select h.id from heard_before h);
  insert into heard_before select m.id from realtime.messages m;
  return queues;
end
$$;
create function tests.as_person(person text, statement text)
returns jsonb
language plpgsql
as $$
declare
  result jsonb;
begin
  perform tests.act_as(tests.id_of(person));
  execute statement into result;
  set constraints all immediate;
  set constraints all deferred;
  perform tests.act_as_owner();
  return result;
end
$$;
create function tests.review()
returns uuid
language sql
security definer
as $$ select id from public.clinical_reviews where user_id = tests.id_of('ada') $$;
create function tests.read(person text)
returns jsonb
language sql
as $$
  select tests.as_person(person, format($s$ select to_jsonb(public.log_access('student_read', student_id => %L)) $s$, tests.id_of('ada')));
  select tests.as_person(person, 'select public.read_review(tests.review())')
$$;

select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid());
select is(tests.heard(), '{"cora open","cyd open"}', 'the queues of the university''s counselors hear of a new review, and no other');
select is_empty(
  $$ select id from realtime.messages where payload::text like '%' || tests.id_of('ada') || '%' or event = 'changed' and payload - '{id, review_id, status, university_id, source, risk_level, opened_at, claimed_at, last_risk_at}'::text[] <> '{}' $$,
  'nothing of the student is in it'
);
select tests.as_person('cora', 'select public.claim_review(tests.review())');
select is(tests.heard(), '{"cora claimed","cyd claimed"}', 'of who takes it');
select tests.as_person('cora', $$ select public.add_review_note(tests.review(), 'Called.') $$);
select is(tests.heard(), '{"cora claimed","cyd claimed"}', 'of a note');
select tests.as_person('cora', format('select public.hand_over_review(tests.review(), %L)', tests.id_of('cyd')));
select is(tests.heard(), '{"cora claimed","cyd claimed"}', 'of a hand-over');
select tests.as_person('cyd', $$ select public.close_review(tests.review(), 'safety_plan', 'Plan made.') $$);
select tests.heard();
select tests.as_person('cora', 'select public.reopen_review(tests.review())');
select is(tests.heard(), '{"cora open","cyd open"}', 'and when it is open again');
delete from public.user_roles where user_id = tests.id_of('cyd') and role = 'counselor';
select tests.as_person('cora', 'select public.claim_review(tests.review())');
select is(tests.heard(), '{"cora claimed"}', 'whoever lost the role hears nothing more, whatever channel they have open');
select private.open_clinical_review(tests.id_of('cora'), 'session', gen_random_uuid());
select is(tests.heard(), null, 'a counselor hears nothing of their own review');
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('cyd'), 'counselor', 'hillside');

-- Which channel whoever may join.
create function tests.joins(topic text)
returns boolean
language sql
security definer
as $$ select private.owns_channel(topic) $$;
select tests.act_as(tests.id_of('cora'));
select is(tests.joins('reviews:' || tests.id_of('cora')), true, 'a counselor joins their own channel');
select is(tests.joins('reviews:' || tests.id_of('cyd')), false, 'and no colleague''s');
select is(tests.joins('reviews:hillside'), false, 'there is none of the university');
select tests.act_as_owner();

-- One review.
select is(
  jsonb_path_query_array(tests.read('cora') -> 'events', '$[*].event'),
  '["opened", "taken", "note_added", "handed_over", "note_added", "closed", "reopened", "taken"]', 'what was done is listed in order'
);
select is(
  jsonb_path_query_array(tests.read('cora') -> 'events', '$[*].by_name'),
  '[null, "Cora Quill", "Cora Quill", "Cora Quill", "Cyd Marlow", "Cyd Marlow", "Cora Quill", "Cora Quill"]', 'with who did it'
);
select is(
  tests.read('cyd') - '{id, user_id, source, status, sources, notes, events, opened_at, claimed_at, claimed_by, closed_at, closed_by, last_risk_at, risk_level, outcome, first_claimed_at, first_response_at, note_due_since, signs_of_life, lapses_at, reopens_until, student_number, faculty, year_of_study, first_name, last_name, email}'::text[],
  jsonb_build_object(
    'university_id', 'hillside', 'university_name', 'Hillside University (invented)', 'claimed_by_name', 'Cora Quill', 'closed_by_name', null,
    'history', null, 'contact', jsonb_build_object('email', 'ada@hillside.example.edu')
  ),
  'with how to reach the student, and no history without their consent'
);
select is((tests.read('cyd') ->> 'lapses_at')::timestamptz, now() + interval '5 hours', 'with when the claim lapses');
select is(
  (tests.read('cyd') -> 'signs_of_life') - 'last_contact_at', '{"last_check_in_at": null, "last_upload_at": null}', 'and when the student was last heard of'
);
update public.clinical_reviews set claim_reminded_at = now() + interval '10 minutes' where id = tests.review();
select is((tests.read('cyd') ->> 'lapses_at')::timestamptz, now() + interval '70 minutes', 'which a reminder moves');
select tests.give_consent(tests.id_of('ada'), '{counselor_access}');
select is(tests.read('cyd') -> 'history', '[]', 'with the consent the history is there');
select is(tests.read('lou'), null, 'a counselor elsewhere sees nothing of it');
select is(tests.read('uma'), null, 'nor does an administrator');
select is(tests.read('ada'), null, 'nor the student');
delete from public.user_roles where user_id = tests.id_of('cyd') and role = 'counselor';
select is(tests.read('cyd'), null, 'nor whoever lost the role');
select is(tests.as_person('cyd', 'select public.claim_review(tests.review())'), null, 'who does nothing either');

-- Lists.
select tests.as_person('cora', $$ select to_jsonb(public.log_access('reviews_listed')) $$);
select is(
  (select tests.as_person('cora', 'select public.list_open_reviews()') -> 0 ?& '{lapses_at, claimed_by_name, university_name, signs_of_life}'), true,
  'the list says who has a review and when it lapses'
);
select tests.as_person('cora', $$ select public.close_review(tests.review(), 'referred') $$);
select is(
  (select tests.as_person('cora', 'select public.list_closed_reviews()') -> 0 ->> 'closed_by_name'), 'Cora Quill', 'and that of closed ones who closed it'
);
select is(
  (select tests.as_person('cora', 'select public.list_closed_reviews()') -> 0 ->> 'reopens_until')::timestamptz, now() + interval '24 hours',
  'and until when it can be reopened'
);
update public.profiles set university_id = 'lakeview' where user_id = tests.id_of('ada');
select is(
  (select tests.as_person('cora', 'select public.list_closed_reviews()') -> 0 -> 'reopens_until'), 'null',
  'which one whose student has moved cannot'
);

select * from finish();
