-- Intervals of scores: what a result stores, and what an operator calibrates.
select plan(10);

set constraints all immediate;
create function tests.latest()
returns private.audit_log
language sql
as $$ select * from private.audit_log order by id desc limit 1 $$;

insert into public.consents (user_id, kind, version) values (tests.id_of('ada'), 'text', 'test');
insert into checkin.check_ins (id, user_id, type, status)
values ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'daily', 'processing');
insert into private.check_in_inputs (check_in_id, transcript, transcript_source)
values ('00000000-0000-4000-8000-00000000000a', 'I slept well.', 'student');

create function tests.fusion_input()
returns jsonb
language sql
as $$
  select private.fusion_input('00000000-0000-4000-8000-00000000000a')
$$;
select is(tests.fusion_input() -> 'calibrations', '[]', 'a fusion reads no interval before an operator has calibrated one');

insert into private.score_calibrations (algorithm_version, components, instrument, labels, low, high, held_out_coverage)
values ('wb-test', '{audio,text}', 'who5', 120, -14, 18, 0.91);
select is(
  tests.fusion_input() -> 'calibrations',
  '[{"algorithm_version": "wb-test", "components": ["audio", "text"], "low": -14, "high": 18}]',
  'then it reads the interval of that version and those components'
);
select results_eq(
  $$ select action::text, target_type, target_id, after ->> 'labels' from tests.latest() $$,
  $$ values ('settings_changed', 'score_calibrations', '["audio", "text"]', '120') $$,
  'and the audit log says that it was calibrated, and with how many labels'
);
select throws_ok(
  $$ update private.score_calibrations set labels = 99 $$, '23514', null, 'an interval of fewer than 100 labels is refused'
);
select throws_ok(
  $$ update private.score_calibrations set instrument = 'horoscope' $$, '23514', null, 'as is one of unknown labels'
);

create function tests.result(score_interval numeric[])
returns void
language sql
as $$
  insert into checkin.fusion_results (
    check_in_id, user_id, score, uncertainty, score_interval, direction_of_change, significance, risk_level, summary, themes,
    drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version
  )
  values (
    '00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 50, 0.4, score_interval, 'same', 'low', 'none', '', '{}', '{}', '{}', '[]',
    '[]', '{}', 'wb-test'
  )
$$;
select throws_ok($$ select tests.result('{60,40}') $$, '23514', null, 'an interval goes from low to high');
select throws_ok($$ select tests.result('{-1,40}') $$, '23514', null, 'stays within the scale');
select throws_ok($$ select tests.result('{40}') $$, '23514', null, 'and has two ends');
select lives_ok($$ select tests.result(null) $$, 'results of earlier versions have none');
select is(
  (select calibrated from checkin.fusion_results where check_in_id = '00000000-0000-4000-8000-00000000000a'),
  false,
  'and are not calibrated'
);
