-- How long what shows a risk takes to reach a review.
select plan(10);

-- What was counted since the last look: where it was found, which level, within how many seconds.
create table tests.seen as select labels, 0::double precision as value from private.metrics where false;
create function tests.counted() returns setof text language plpgsql as $$
begin
  return query
    select concat_ws(' ', m.labels ->> 'kind', m.labels ->> 'risk_level', min((m.labels ->> 'le')::double precision), 's')
    from private.metrics m
    left join tests.seen s on s.labels = m.labels
    where m.name = 'wellbeing_review_delay_seconds_bucket' and m.value > coalesce(s.value, 0)
    group by m.labels ->> 'kind', m.labels ->> 'risk_level'
    order by 1;
  delete from tests.seen;
  insert into tests.seen
  select m.labels, m.value from private.metrics m where m.name = 'wellbeing_review_delay_seconds_bucket';
end
$$;
select tests.counted();

insert into people
select name, tests.new_student(name || '@hillside.example.edu') from unnest('{bea, cleo, dan, eli}'::text[]) as name;
insert into checkin.check_ins (id, user_id, type, status, submissions, submitted_at, completed_at)
select c.id, tests.id_of(c.name), 'daily', c.status, 1, now() - c.ago, case c.status when 'complete' then now() - c.ago end
from (
  values
    ('00000000-0000-4000-8000-00000000000a'::uuid, 'ada', 'processing'::checkin.check_in_status, interval '8 seconds'),
    ('00000000-0000-4000-8000-00000000000c', 'cleo', 'processing', '8 seconds'),
    ('00000000-0000-4000-8000-00000000000d', 'dan', 'complete', '1 day'),
    ('00000000-0000-4000-8000-00000000000e', 'eli', 'complete', '1 day')
) as c (id, name, status, ago);

select private.keep_crisis_level('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'moderate');
select results_eq('select tests.counted()', $$ values ('check_in moderate 10 s') $$, 'from the submission of a check-in');
update checkin.check_ins set submitted_at = now() - interval '25 seconds' where user_id = tests.id_of('ada');
select private.keep_crisis_level('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'high');
select results_eq('select tests.counted()', $$ values ('check_in high 30 s') $$, 'once more where a higher level shows later');
select private.keep_crisis_level('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'high');
update checkin.check_ins set status = 'complete', completed_at = now() where user_id = tests.id_of('ada');
select is_empty('select tests.counted()', 'and not where the same shows again');

update checkin.check_ins set status = 'complete', risk_level = 'high', completed_at = now() where user_id = tests.id_of('cleo');
select results_eq('select tests.counted()', $$ values ('check_in high 10 s') $$, 'the score that shows it ends the analysis');

select private.act_on_refused_words(tests.id_of('dan'), 'high', '00000000-0000-4000-8000-00000000000d', null);
select results_eq(
  'select tests.counted()', $$ values ('check_in high 1 s') $$, 'words of a later call about a check-in arrive with the call'
);

create function tests.store_transcript_of_eli() returns uuid language sql as $$
  select private.store_transcript_result(
    tests.id_of('eli'),
    '{"check_in_id": "00000000-0000-4000-8000-00000000000e", "provider": "built-in", "risk_level": "high", "result": {}, "analyzed_for_ms": 4200}'
      || jsonb_build_object('transcript_sha256', repeat('00', 32))
  )
$$;
select is(tests.store_transcript_of_eli(), null, 'without the consent a transcript leaves nothing');
select tests.give_consent(tests.id_of('eli'), '{text}');
select tests.store_transcript_of_eli();
select results_eq(
  'select tests.counted()', $$ values ('check_in high 5 s') $$, 'with it, it takes as long as its analysis took'
);
select is(
  (select risk_level from checkin.check_ins where user_id = tests.id_of('eli')), 'high', 'and its check-in has the risk'
);

insert into public.assessment_sessions (id, user_id, assessment_type)
values ('00000000-0000-4000-8000-0000000000e1', tests.id_of('bea'), 'baseline');
select tests.give_consent(tests.id_of('bea'), '{text}');
select private.store_session_analysis(
  '00000000-0000-4000-8000-0000000000e1', tests.id_of('bea'),
  '{"modality": "text", "analysis": {}, "measures": {}, "quality": 1, "quality_reason": null, "risk_level": "high", "analyzed_for_ms": 700}'
);
select results_eq('select tests.counted()', $$ values ('session high 1 s') $$, 'as do the words of a session');

select private.open_clinical_review(tests.id_of('bea'), 'support_alert', '00000000-0000-4000-8000-0000000000e2', 'moderate');
select is_empty('select tests.counted()', 'a support alert has no words');

select * from finish();
