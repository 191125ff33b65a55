-- What opens a clinical review, who is told, and how counselors handle it.
select plan(40);

-- The review of the university that a person handles, whoever asks.
create function tests.review_of(wanted text, university text default 'hillside')
returns uuid
language sql
security definer
as $$ select id from public.clinical_reviews where source::text = wanted and university_id = university order by opened_at limit 1 $$;
create function tests.state_of(wanted text)
returns table (status text, claimed_by uuid, claimed boolean, closed_by uuid, closed boolean)
language sql
security definer
as $$
  select status::text, claimed_by, claimed_at is not null, closed_by, closed_at is not null
  from public.clinical_reviews where id = tests.review_of(wanted)
$$;

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('cyd', tests.new_student('cyd@hillside.example.edu')),
  ('lou', tests.new_student('lou@lakeview.example.edu')),
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('bea', tests.new_student('bea@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('cyd'), 'counselor', 'hillside'),
  (tests.id_of('lou'), 'counselor', 'lakeview'),
  (tests.id_of('uma'), 'university_admin', 'hillside');
update public.profiles set first_name = 'Ada' where user_id = tests.id_of('ada');
update public.profiles set first_name = 'Bea' where user_id = tests.id_of('bea');
update public.universities set support_email = 'support@hillside.example.edu' where id = 'hillside';
insert into checkin.check_ins (id, user_id, type)
values ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'daily');

update checkin.check_ins set risk_level = 'moderate';
select is_empty('select id from public.clinical_reviews', 'a moderate score opens no review');
update checkin.check_ins set risk_level = 'high';
update checkin.check_ins set risk_level = 'high', progress = 1;
select results_eq(
  'select source::text, source_id, university_id, status::text from public.clinical_reviews',
  $$ values ('check_in', '00000000-0000-4000-8000-00000000000a'::uuid, 'hillside', 'open') $$,
  'a high risk opens one, once'
);
select results_eq(
  'select channel::text, purpose, recipient, status::text from private.outbox',
  $$ values ('email', 'clinical_review', 'support@hillside.example.edu', 'queued') $$,
  'with a message to the university'
);
select is_empty(
  $$ select id from private.outbox where concat_ws(' ', subject, body) ~* '\mada\M' $$, 'that names nobody'
);

insert into private.crisis_contacts (university_id, email) values ('hillside', 'on-call@hillside.example.edu');
select private.open_clinical_review(tests.id_of('bea'), 'session', '00000000-0000-4000-8000-00000000000b');
select is(
  (select count(*) from private.outbox where recipient = 'on-call@hillside.example.edu'), 1::bigint,
  'or to the crisis contact that it names'
);
select private.open_clinical_review(tests.id_of('eve'), 'session', '00000000-0000-4000-8000-00000000000c');
select results_eq(
  'select status::text, error_code from private.undelivered_messages', $$ values ('dead', 'no_recipient') $$,
  'a review that nobody can be told of leaves a dead letter'
);

select private.open_clinical_review(tests.id_of('lou'), 'session', '00000000-0000-4000-8000-00000000000d');
select is(
  (select count(*) from private.undelivered_messages where error_code = 'no_recipient'), 2::bigint,
  'as is one at a university that names no address'
);

select tests.act_as(tests.id_of('lou'));
select is_empty('select id from public.review_queue()', 'a counselor does not see a review of their own');
select is(public.claim_review(tests.review_of('session', 'lakeview')), null, 'nor claims it');
select throws_ok('select id from public.clinical_reviews', '42501', null, 'and selects from no table, which the planner could estimate');

select tests.act_as(tests.id_of('ada'));
select is(public.list_open_reviews(), '[]', 'a student''s list is empty');
select tests.act_as(tests.id_of('lou'));
select throws_ok('select public.list_open_reviews()', '42501', 'Log this access first.', 'the list of a counselor of another university requires an entry in the access log');
select public.log_access('reviews_listed');
select is(public.list_open_reviews(), '[]', 'and is empty');

select tests.act_as(tests.id_of('cora'));
select results_eq(
  'select source::text from public.review_queue() order by source',
  $$ values ('check_in'), ('session') $$,
  'a counselor of the student''s university sees them, without the student'
);
select public.log_access('reviews_listed');
select results_eq(
  $$
    select review ->> 'first_name', review ->> 'source'
    from jsonb_array_elements(public.list_open_reviews()) as review
    order by 2
  $$,
  $$ values ('Ada', 'check_in'), ('Bea', 'session') $$,
  'and with the name in the list'
);
select public.log_access('reviews_listed') from generate_series(1, 5);
select tests.act_as_owner();
create function tests.lists_of_cora()
returns bigint
language sql
as $$ select count(*) from private.audit_log where action = 'reviews_listed' and actor_id = tests.id_of('cora') $$;
select is(tests.lists_of_cora(), 1::bigint, 'and is in the audit log, once in half a minute');
update private.logged_accesses set logged_at = now() - interval '1 second' where reader = tests.id_of('cora');
select tests.act_as(tests.id_of('cora'));
select public.log_access('reviews_listed');
select tests.act_as_owner();
select is(tests.lists_of_cora(), 2::bigint, 'again when another review has opened');
update private.logged_accesses set logged_at = clock_timestamp() - interval '31 seconds' where reader = tests.id_of('cora');
select tests.act_as(tests.id_of('cora'));
select public.log_access('reviews_listed');
select tests.act_as_owner();
select is(tests.lists_of_cora(), 3::bigint, 'and later');
select is_empty(
  $$ select id from private.audit_log where action = 'reviews_listed' and actor_id = tests.id_of('ada') $$,
  'unlike the access of a student, who sees none'
);
select tests.act_as(tests.id_of('cora'));
select throws_ok(
  $$ select public.close_review(tests.review_of('check_in')) $$, '23514', null, 'a review is claimed before it is closed'
);
select is(
  public.claim_review(tests.review_of('check_in')),
  jsonb_build_object('id', tests.review_of('check_in'), 'status', 'claimed', 'claimed_by', tests.id_of('cora')),
  'Cora claims one'
);
select results_eq(
  $$ select claimed_by, claimed from tests.state_of('check_in') $$,
  $$ select id, true from people where name = 'cora' $$,
  'in her name'
);

select tests.act_as(tests.id_of('cyd'));
select is(public.claim_review(tests.review_of('check_in')), null, 'a colleague cannot claim it');
select throws_ok(
  $$ select public.close_review(tests.review_of('check_in')) $$, '23514', null, 'nor close it'
);
select throws_ok(
  $$ select public.reopen_review(tests.review_of('check_in')) $$, '23514', null, 'nor release it'
);

select tests.act_as(tests.id_of('cora'));
select lives_ok($$ select public.reopen_review(tests.review_of('check_in')) $$, 'Cora releases it');
select results_eq(
  $$ select status, claimed_by, claimed from tests.state_of('check_in') $$,
  $$ values ('open', null::uuid, false) $$,
  'so that it is as it was'
);
select public.claim_review(tests.review_of('check_in')), public.close_review(tests.review_of('check_in'));
select results_eq(
  $$ select closed_by, closed from tests.state_of('check_in') $$,
  $$ select id, true from people where name = 'cora' $$,
  'she claims and closes it in her name'
);
select results_eq(
  'select source::text from public.review_queue()', $$ values ('session') $$, 'a closed review is not among the open ones'
);

select throws_ok(
  $$ select public.claim_review(tests.review_of('check_in')) $$, '23514', 'A review that is closed cannot become claimed.',
  'what is closed cannot be claimed'
);
select public.claim_review(tests.review_of('session'));

select tests.act_as_owner();
delete from public.user_roles where user_id = tests.id_of('cora') and role = 'counselor';
select tests.act_as(tests.id_of('cyd'));
select isnt(
  public.claim_review(tests.review_of('session')), null,
  'a review claimed by somebody who is no longer a counselor can be claimed by another'
);
select results_eq(
  $$ select claimed_by from tests.state_of('session') $$,
  $$ select id from people where name = 'cyd' $$,
  'in that one''s name'
);
select tests.act_as_owner();
delete from auth.users where id = tests.id_of('cyd');
select results_eq(
  $$
    select status::text, claimed_at, claimed_by from public.clinical_reviews
    where source = 'session' and university_id = 'hillside'
  $$,
  $$ values ('open', null::timestamptz, null::uuid) $$,
  'and a claim does not outlive the account'
);

select is(
  private.store_transcript_result(
    gen_random_uuid(),
    jsonb_build_object(
      'transcript_sha256', repeat('00', 32), 'provider', 'built-in', 'risk_level', 'high', 'result', '{}'::jsonb
    )
  ),
  null,
  'a transcript of an account that was deleted leaves nothing'
);
select private.open_clinical_review(tests.id_of('ada'), 'check_in', '00000000-0000-4000-8000-00000000000a');
select is(
  (select count(*) from public.clinical_reviews where source = 'check_in'), 2::bigint, 'risk that shows again opens a new one'
);
delete from auth.users where id = tests.id_of('cora');
select is(
  (select count(*) from public.clinical_reviews where status = 'closed' and closed_by is null), 1::bigint,
  'the review outlives the counselor''s account'
);

-- Crisis language that is less clear.
insert into people values ('mia', tests.new_student('mia@hillside.example.edu'));
select private.open_clinical_review(tests.id_of('mia'), 'session', '00000000-0000-4000-8000-00000000000e', 'mild');
select is_empty(
  $$ select id from public.clinical_reviews where user_id = tests.id_of('mia') $$, 'nothing below moderate opens a review'
);
select private.open_clinical_review(tests.id_of('mia'), 'session', '00000000-0000-4000-8000-00000000000e', 'moderate');
select results_eq(
  $$ select risk_level::text, last_risk_at > last_notified_at from public.clinical_reviews where user_id = tests.id_of('mia') $$,
  $$ values ('moderate', true) $$,
  'crisis language of moderate level opens one of lower priority, told with the next digest'
);
select is_empty(
  $$ select id from private.outbox where user_id = tests.id_of('mia') $$, 'and nobody is told at once'
);
select private.open_clinical_review(tests.id_of('mia'), 'session', '00000000-0000-4000-8000-00000000000f', 'high');
select results_eq(
  $$
    select r.risk_level::text, count(o.id) from public.clinical_reviews r join private.outbox o on o.user_id = r.user_id
    where r.user_id = tests.id_of('mia') and o.purpose = 'clinical_review' group by r.risk_level
  $$,
  $$ values ('high', 1::bigint) $$,
  'until high risk joins it'
);

select * from finish();
