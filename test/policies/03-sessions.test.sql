-- covers: public.assessment_sessions
select plan(12);

select tests.act_as(tests.id_of('ada'));
select lives_ok(
  $$
    insert into public.assessment_sessions (user_id, assessment_type, status, session_data)
    values (tests.id_of('ada'), 'baseline', 'processing', '{"platform": "ios", "widget_type": "voice"}')
  $$,
  'Ada begins a session'
);
select results_eq(
  'select status::text, session_data ->> ''platform'' from public.assessment_sessions', $$ values ('processing', 'ios') $$,
  'and sees it'
);
select throws_ok(
  $$ insert into public.assessment_sessions (user_id, assessment_type) values (tests.id_of('ben'), 'baseline') $$, '42501', null,
  'Ada cannot begin one for Ben'
);
select throws_ok(
  $$ insert into public.assessment_sessions (assessment_type) values ('hourly') $$, '22P02', null,
  'a session has a known type'
);
select throws_ok(
  $$ insert into public.assessment_sessions (assessment_type, session_data) values ('daily', '[]') $$, '23514', null,
  'session data is an object'
);
select lives_ok(
  $$ update public.assessment_sessions set status = 'completed', updated_at = now() $$, 'Ada completes her session'
);
select throws_ok(
  $$ update public.assessment_sessions set user_id = tests.id_of('ben') $$, '42501', null, 'a session cannot change hands'
);

select tests.act_as(tests.id_of('ben'));
select is_empty('select id from public.assessment_sessions', 'Ben does not see it');
with changed as (update public.assessment_sessions set status = 'failed' returning id)
select is((select count(*) from changed), 0::bigint, 'Ben cannot change it');
with gone as (delete from public.assessment_sessions returning id)
select is((select count(*) from gone), 0::bigint, 'Ben cannot delete it');

select tests.act_as_nobody();
select throws_ok('select 1 from public.assessment_sessions', '42501', null, 'a visitor sees no sessions');

select tests.act_as(tests.id_of('ada'));
with gone as (delete from public.assessment_sessions where status = 'completed' returning id)
select is((select count(*) from gone), 1::bigint, 'Ada deletes her own');

select * from finish();
