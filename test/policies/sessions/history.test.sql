-- Assessment sessions beside check-ins: one history of both, and what the risk of a session opens.
select plan(32);

create function tests.store_score(session uuid, person uuid, score numeric, risk text, against numeric)
returns boolean
language sql
as $$
  select private.store_session_score(session, person, jsonb_build_object(
    'final_score', score, 'confidence', 0.55, 'risk_level', risk, 'algorithm_version', 'test+session',
    'fusion_score', jsonb_build_object(
      'final_score', score, 'score_interval', jsonb_build_array(score - 9, score + 9), 'calibrated', false,
      'component_scores', jsonb_build_object('text_score', score),
      'trend_analysis', jsonb_build_object(
        'compared_to_baseline', score - against, 'trend_direction', 'declining', 'significance', 'medium'
      )
    )
  ))
$$;
create function tests.store_words(session uuid, person uuid, risk text)
returns boolean
language sql
as $$
  select private.store_session_analysis(session, person, jsonb_build_object(
    'modality', 'text', 'analysis', '{}'::jsonb, 'measures', '{}'::jsonb, 'quality', 0.8, 'risk_level', risk
  ))
$$;
create temporary table scenes (name text primary key, id uuid not null default gen_random_uuid());
insert into scenes (name) values ('check-in'), ('failed'), ('low'), ('despair'), ('quiet'), ('unscored'), ('of Ben');
grant select on scenes to authenticated;
create function tests.the(scene text) returns uuid language sql stable as $$ select id from scenes where name = scene $$;

update public.profiles set time_zone = 'America/Los_Angeles' where user_id = tests.id_of('ada');
select tests.give_consent(tests.id_of('ada'), '{text,support_circle,counselor_access}');
select tests.give_consent(tests.id_of('ben'), '{text}');

-- A check-in of ten days ago, one that failed with words of risk, and sessions.
select tests.past($$
  insert into checkin.check_ins (id, user_id, type, status, risk_level, created_at, submitted_at, completed_at)
  values
    (tests.the('check-in'), tests.id_of('ada'), 'daily', 'complete', 'none', now() - interval '10 days', now() - interval '10 days', now() - interval '10 days'),
    (tests.the('failed'), tests.id_of('ada'), 'daily', 'failed', 'moderate', now() - interval '8 days', now() - interval '8 days', now() - interval '8 days');
  insert into checkin.fusion_results (
    check_in_id, user_id, score, uncertainty, score_interval, direction_of_change, significance, risk_level, summary, themes,
    drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version, created_at
  )
  values (
    tests.the('check-in'), tests.id_of('ada'), 53, 0.4, '{47,59}', 'same', 'low', 'none', '', '{}', '{}', '{}', '[]', '[]',
    '{"score_mean": 52, "compared": 1}', 'test', now() - interval '10 days'
  );
  insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state)
  values (tests.id_of('ada'), 7, 3, 52, 4, '{}');
  update public.students
  set check_ins = 1, last_check_in_at = now() - interval '8 days', last_score = 53, risk_level = 'moderate', latest_risk_level = 'moderate',
    latest_risk_source = 'check_in'
  where user_id = tests.id_of('ada')
$$);
insert into public.assessment_sessions (id, user_id, assessment_type)
select tests.the(name), tests.id_of('ada'), 'daily' from unnest(array['low', 'despair', 'quiet', 'unscored']) name;
insert into public.assessment_sessions (id, user_id, assessment_type) values (tests.the('of Ben'), tests.id_of('ben'), 'daily');
-- At 06:30 in UTC it is the evening before in Los Angeles.
update public.assessment_sessions
set created_at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '5 days' + interval '6 hours 30 minutes'
where id = tests.the('low');
update public.assessment_sessions set created_at = now() - interval '3 hours' where id = tests.the('despair');
update public.assessment_sessions set created_at = now() - interval '2 hours' where id = tests.the('unscored');

select tests.store_words(tests.the('low'), tests.id_of('ada'), 'none');
select ok(tests.store_score(tests.the('low'), tests.id_of('ada'), 41, 'mild', 52), 'a session is scored');
select is_empty('select from private.worrying_days', 'mild risk makes no worrying day');
select results_eq(
  $$ select latest_risk_level::text, latest_risk_source::text, risk_level::text from public.students where user_id = tests.id_of('ada') $$,
  $$ values ('mild', 'session', 'moderate') $$, 'and is the latest risk, beside that of the last check-in'
);
select ok(tests.store_words(tests.the('despair'), tests.id_of('ada'), 'moderate'), 'words of lasting despair are found');
select results_eq(
  'select user_id, day from private.worrying_days',
  $$ select tests.id_of('ada'), private.local_date(tests.id_of('ada'), now()) $$, 'they make the student''s day a worrying one'
);
select results_eq(
  $$ select source::text, source_id, risk_level::text, status::text from public.clinical_reviews $$,
  $$ values ('session', tests.the('despair'), 'moderate', 'open') $$, 'and open a review, as those of a check-in do'
);
select is(
  (select latest_risk_level::text from public.students where user_id = tests.id_of('ada')), 'moderate', 'before any score is asked for'
);
select ok(tests.store_score(tests.the('despair'), tests.id_of('ada'), 29, 'moderate', 52), 'the session is scored');
select ok(tests.store_words(tests.the('unscored'), tests.id_of('ada'), 'mild'), 'another has words and no score');
select ok(tests.store_words(tests.the('quiet'), tests.id_of('ada'), 'none'), 'a third has neither risk nor score');
select results_eq(
  'select version, check_ins, score_mean::numeric from checkin.user_baselines', 'values (7, 3, 52::numeric)',
  'no session moves the usual score of the check-ins'
);
select tests.store_words(tests.the('of Ben'), tests.id_of('ben'), 'high');

-- The history.
select tests.act_as(tests.id_of('ada'));
select results_eq(
  $$
    select source::text, id, score, score_low, score_high, uncertainty, direction_of_change::text, risk_level::text, baseline_score,
      compared_to_baseline
    from public.read_history()
  $$,
  $$
    values
      ('session', tests.the('unscored'), null::numeric, null::numeric, null::numeric, null::numeric, null, 'mild', null::numeric, null::numeric),
      ('session', tests.the('despair'), 29, 20, 38, 0.45, 'worse', 'moderate', 52, -23),
      ('session', tests.the('low'), 41, 32, 50, 0.45, 'worse', 'mild', 52, -11),
      ('check_in', tests.the('failed'), null, null, null, null, null, 'moderate', null, null),
      ('check_in', tests.the('check-in'), 53, 47, 59, 0.4, 'same', 'none', 52, 1)
  $$,
  'both kinds are in it, the newest first, with what was found of those without a score'
);
select is(
  (select local_date from public.read_history() where id = tests.the('low')), (now() at time zone 'UTC')::date - 6,
  'each on the day where the student was'
);
select results_eq('select id from public.read_history(2)', $$ values (tests.the('unscored')), (tests.the('despair')) $$, 'of the last days');
select is((select count(*) from public.read_history(0)), (select count(*) from public.read_history(1)), 'today at least');
select results_eq(
  $$ select id from public.read_history(366, page_limit => 2) $$, $$ values (tests.the('unscored')), (tests.the('despair')) $$, 'page by page'
);
select results_eq(
  $$
    select h.id
    from (select at, id from public.read_history(page_limit => 2) order by at limit 1) as last,
      public.read_history(31, last.at, last.id, 2) as h
  $$,
  $$ values (tests.the('low')), (tests.the('failed')) $$, 'the next one goes on there'
);
select is_empty('select * from public.read_history(page_limit => -1)', 'no page has fewer than none');
select tests.act_as(tests.id_of('eve'));
select is_empty('select * from public.read_history()', 'nobody else''s');
select throws_ok(
  $$ select * from private.history_of(tests.id_of('ada'), '-infinity', null, null, 9) $$, '42501', null, 'nor by the function behind it'
);
select tests.act_as_nobody();
select throws_ok('select * from public.read_history()', '42501', null, 'nor without signing in');

-- A counselor sees both kinds, with the consent.
select tests.act_as_owner();
insert into people values ('lou', tests.new_student('lou@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('lou'), 'counselor', 'hillside');
create function tests.seen() returns jsonb language sql as $$
  select public.log_access('student_read', student_id => tests.id_of('ada'));
  select public.read_student(tests.id_of('ada'), 3)
$$;
select tests.act_as(tests.id_of('lou'));
select is(
  (select jsonb_agg(h -> 'source') from jsonb_array_elements(tests.seen() -> 'history') h), '["session", "session", "session"]',
  'a counselor reads both kinds, as many as they ask for'
);
select is(jsonb_array_length(tests.seen() -> 'scores'), 1, 'beside the scores of the check-ins');
select is(tests.seen() ->> 'latest_risk_source', 'session', 'and where the latest risk was found');
select tests.act_as(tests.id_of('ada'));
select public.withdraw_consent('counselor_access');
select tests.act_as(tests.id_of('lou'));
select is(tests.seen() -> 'history', null, 'without the consent neither');

-- Sessions count for alerts.
select tests.act_as_owner();
select private.store_worrying_day(tests.id_of('ada'), now() - make_interval(days => ago)) from generate_series(1, 2) ago;
select results_eq(
  'select user_id, worrying_days from private.students_to_alert(now())',
  $$ select tests.id_of('ada'), 3 from private.support_settings where pattern_days <= 3 $$, 'a session''s day is one of a lasting pattern'
);
delete from private.worrying_days;
select private.collect_worrying_days(tests.id_of('ada'));
select set_eq(
  'select day from private.worrying_days',
  $$ select private.local_date(tests.id_of('ada'), now() - make_interval(days => ago)) from unnest('{0,8}'::integer[]) ago
     cross join private.support_settings s where ago < s.pattern_window_days $$,
  'days counted anew have those of sessions'
);

-- Whoever withdraws the consent takes what was found along.
select tests.act_as(tests.id_of('ada'));
delete from public.assessment_sessions where id = tests.the('unscored');
select is(
  (select latest_risk_level::text from public.students), 'moderate', 'a session that is deleted leaves the risk of the one before'
);
select public.withdraw_consent('text');
select is_empty($$ select from public.read_history() where risk_level > 'none' $$, 'nothing of it is left in the history, of a check-in that failed neither');
select tests.act_as_owner();
select is_empty(
  format('select from private.worrying_days where user_id = %L and day = private.local_date(user_id, now())', tests.id_of('ada')),
  'nor in the worrying days'
);
select results_eq(
  $$ select latest_risk_level::text, latest_risk_source::text from public.students where user_id = tests.id_of('ada') $$,
  $$ values ('none', 'check_in') $$, 'nor in the latest risk, which is that of a check-in again'
);
select is((select count(*) from public.clinical_reviews where user_id = tests.id_of('ada')), 1::bigint, 'the review stays, as somebody is to act on it');

select * from finish();
