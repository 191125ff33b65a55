-- The values of a session, and how its analyses and its score are stored.
select plan(16);

select throws_ok(
  $$ insert into public.assessment_sessions (user_id, assessment_type) values (tests.id_of('ada'), 'hourly') $$, '22P02', null,
  'a session has a known type'
);
select throws_ok(
  $$
    insert into public.assessment_sessions (user_id, assessment_type, session_data) values (tests.id_of('ada'), 'daily', '[]')
  $$,
  '23514', null, 'session data is an object'
);

insert into public.assessment_sessions (id, user_id, assessment_type)
values ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'baseline');
create function tests.a() returns uuid language sql as $$ select '00000000-0000-4000-8000-00000000000a'::uuid $$;
create function tests.analysis(quality double precision, risk text default 'none')
returns jsonb
language sql
as $$
  select jsonb_build_object(
    'modality', 'text', 'analysis', '{}'::jsonb, 'measures', '{}'::jsonb, 'quality', quality, 'risk_level', risk
  )
$$;
create function tests.score(final_score numeric, risk text default 'none')
returns jsonb
language sql
as $$
  select jsonb_build_object(
    'final_score', final_score, 'confidence', 0.5, 'risk_level', risk, 'fusion_score', '{}'::jsonb, 'algorithm_version', '1'
  )
$$;

select tests.give_consent(tests.id_of('ada'), '{text}');

select ok(
  not private.store_session_analysis(tests.a(), tests.id_of('ben'), tests.analysis(1)),
  'an analysis is stored for the owner of a session alone'
);
select ok(private.store_session_analysis(tests.a(), tests.id_of('ada'), tests.analysis(0.4)), 'Ada''s is stored');
select ok(private.store_session_analysis(tests.a(), tests.id_of('ada'), tests.analysis(0.6)), 'and again');
select results_eq(
  'select quality from public.session_analyses', 'values (0.6::double precision)', 'the later takes the place of the earlier'
);
select is_empty('select id from public.clinical_reviews', 'without risk there is no review');
select ok(
  not private.store_session_score(tests.a(), tests.id_of('ben'), tests.score(50)), 'a score is stored for the owner alone'
);
select ok(private.store_session_score(tests.a(), tests.id_of('ada'), tests.score(20, 'high')), 'Ada''s is stored');
select is((select count(*) from public.clinical_reviews), 1::bigint, 'a high risk opens a review');
select private.store_session_analysis(tests.a(), tests.id_of('ada'), tests.analysis(0.6, 'high'));
select is((select count(*) from public.clinical_reviews), 1::bigint, 'one a session, whatever shows it');
select results_eq(
  $$
    select event, payload ->> 'analysis_type', (payload ->> 'score')::numeric
    from realtime.messages
    where topic = 'assessment:00000000-0000-4000-8000-00000000000a' and payload ->> 'session_id' = tests.a()::text
    order by ctid
  $$,
  $$
    values
      ('analysis_complete', 'text', null::numeric),
      ('analysis_complete', 'text', null),
      ('score_calculated', null, 20),
      ('analysis_complete', 'text', null)
  $$,
  'each is broadcast on the session''s channel'
);

create function tests.status()
returns text
language sql
as $$
  select status::text from public.assessment_sessions where id = tests.a()
$$;
select private.fail_session(tests.a(), tests.id_of('ben'));
select is(tests.status(), 'processing', 'nobody else''s work makes a session fail');
select private.fail_session(tests.a(), tests.id_of('ada'));
select is(tests.status(), 'failed', 'it has failed when nothing can be scored');
select private.store_session_analysis(tests.a(), tests.id_of('ada'), tests.analysis(0.6));
select is(tests.status(), 'processing', 'until another analysis comes');

insert into public.assessment_sessions (id, user_id, assessment_type, status, created_at)
values
  ('00000000-0000-4000-8000-0000000000e1', tests.id_of('ada'), 'daily', 'processing', now() - interval '24 hours'),
  ('00000000-0000-4000-8000-0000000000e2', tests.id_of('ada'), 'daily', 'processing', now() - interval '23 hours 59 minutes'),
  ('00000000-0000-4000-8000-0000000000e3', tests.id_of('ada'), 'daily', 'completed', now() - interval '3 days');
update public.assessment_sessions set created_at = now() - interval '2 days' where id = tests.a();
select private.end_left_sessions();
select results_eq(
  'select right(id::text, 2), status::text from public.assessment_sessions where user_id = tests.id_of(''ada'') order by id',
  $$ values ('0a', 'completed'), ('e1', 'failed'), ('e2', 'processing'), ('e3', 'completed') $$,
  'what is left for a day is completed with a score and failed without'
);

select * from finish();
