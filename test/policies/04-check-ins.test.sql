-- covers: checkin.check_ins, checkin.audio_analysis, checkin.visual_analysis, checkin.text_analysis
-- covers: checkin.fusion_results, checkin.user_baselines
select plan(26);

insert into checkin.check_ins (id, user_id, type, status, completed_at)
values ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'daily', 'complete', now());
insert into checkin.audio_analysis (check_in_id, user_id, quality)
values ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 1);
insert into checkin.visual_analysis (check_in_id, user_id, quality)
values ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 1);
insert into checkin.text_analysis (check_in_id, user_id, quality)
values ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 1);
insert into checkin.fusion_results (
  check_in_id, user_id, score, uncertainty, direction_of_change, significance, risk_level, summary, themes,
  drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version
)
values (
  '00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 60, 0.4, 'same', 'low', 'none', 'You sound well.', '{}', '{}', '{}',
  '[]', '[]', '{}', 'test'
);
insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state)
values (tests.id_of('ada'), 1, 1, 60, 10, '{}');

create temporary table relations (name text primary key);
grant select on relations to anon, authenticated;
insert into relations
values
  ('check_ins'), ('audio_analysis'), ('visual_analysis'), ('text_analysis'), ('fusion_results'), ('user_baselines');

create function tests.rows_seen(relation text)
returns bigint
language plpgsql
as $$
declare
  seen bigint;
begin
  execute format('select count(*) from checkin.%I', relation) into seen;
  return seen;
end
$$;

select tests.act_as(tests.id_of('ada'));
select is(tests.rows_seen(name), 1::bigint, 'Ada sees her row of ' || name) from relations;

select tests.act_as(tests.id_of('ben'));
select is(tests.rows_seen(name), 0::bigint, 'Ben sees nothing of ' || name) from relations;

select tests.act_as_nobody();
select throws_ok(format('select tests.rows_seen(%L)', name), '42501', null, 'a visitor sees nothing of ' || name)
from relations;

select tests.act_as(tests.id_of('ada'));
select throws_ok(format('delete from checkin.%I', name), '42501', null, 'Ada cannot delete from ' || name)
from relations;
select throws_ok(
  $$ update checkin.fusion_results set score = 100 $$, '42501', null, 'Ada cannot change her score'
);
select throws_ok(
  $$ insert into checkin.check_ins (user_id, type) values (tests.id_of('ada'), 'daily') $$, '42501', null,
  'a check-in begins through the API only'
);

select * from finish();
