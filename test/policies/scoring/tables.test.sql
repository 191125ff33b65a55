-- What a fusion reads of crisis language and of risk; intervals of scores: what a result stores, and what an operator calibrates.
select plan(18);

set constraints all immediate;
create function tests.latest()
returns private.audit_log
language sql
as $$ select * from private.audit_log order by id desc limit 1 $$;

select tests.give_consent(tests.id_of('ada'), '{text}');
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

-- Crisis language is what the check found in the words; a risk of the check-in may be of anything.
select private.store_transcript_result(
  tests.id_of('ada'),
  '{"transcript_sha256": "0000000000000000000000000000000000000000000000000000000000000000", "provider": "language-model",
    "check_in_id": "00000000-0000-4000-8000-00000000000a", "risk_level": "moderate", "crisis_level": "none", "result": {}}'
);
select is(
  tests.fusion_input() -> 'crisis' ->> 'level', 'none', 'a risk that was found without crisis language is not taken for it'
);
select is(tests.fusion_input() ->> 'known_risk', 'moderate', 'but stays a floor of the score''s risk');

insert into checkin.check_ins (id, user_id, type) values ('00000000-0000-4000-8000-00000000000b', tests.id_of('ada'), 'daily');
create function tests.kept()
returns table (status text, risk text, crisis text, reviews text)
language sql
as $$
  select c.status::text, c.risk_level::text, i.crisis_level::text,
    (select string_agg(r.risk_level::text, ',') from public.clinical_reviews r where r.user_id = c.user_id)
  from checkin.check_ins c
  left join private.check_in_inputs i on i.check_in_id = c.id
  where c.id = '00000000-0000-4000-8000-00000000000b'
$$;
create function tests.keep(person text, level checkin.risk_level)
returns void
language sql
as $$
  select private.keep_crisis_level('00000000-0000-4000-8000-00000000000b', tests.id_of(person), level)
$$;
select tests.keep('ben', 'high');
select results_eq(
  $$ select * from tests.kept() $$, $$ values ('created', null::text, null::text, null::text) $$,
  'nobody else keeps anything at a check-in'
);
select tests.keep('ada', 'moderate');
select results_eq(
  $$ select * from tests.kept() $$, $$ values ('created', 'moderate', 'moderate', 'moderate') $$,
  'crisis language of a rejected submission is kept with its review, and the check-in can still be submitted'
);
select tests.keep('ada', 'mild');
select results_eq(
  $$ select * from tests.kept() $$, $$ values ('created', 'moderate', 'moderate', 'moderate') $$, 'less lowers nothing'
);
select tests.keep('ada', 'high');
select results_eq(
  $$ select * from tests.kept() $$, $$ values ('created', 'high', 'high', 'high') $$, 'more raises the review too'
);
select is(
  private.submit_check_in(
    '00000000-0000-4000-8000-00000000000b', tests.id_of('ada'), '{"transcript": "I slept well.", "crisis_level": "none"}', '[]', '[]'
  ),
  'accepted', 'other words are submitted later'
);
select results_eq(
  $$ select * from tests.kept() $$, $$ values ('processing', 'high', 'high', 'high') $$, 'beside which the earlier ones still count'
);

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
