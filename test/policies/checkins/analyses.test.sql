-- No measure that is not a finite number is stored, whoever writes it.
select plan(8);

insert into checkin.check_ins (id, user_id, type)
values ('00000000-0000-4000-8000-0000000000f1', tests.id_of('ada'), 'daily');

create function tests.measures_stored(wanted text, value text)
returns setof text
language plpgsql
as $$
declare
  measure text;
begin
  for measure in
    select column_name from information_schema.columns
    where table_schema = 'checkin' and table_name = wanted and data_type = 'double precision'
  loop
    begin
      execute format(
        'insert into checkin.%1$I select (jsonb_populate_record(null::checkin.%1$I, $1)).*', wanted
      ) using jsonb_build_object(
        'check_in_id', '00000000-0000-4000-8000-0000000000f1', 'user_id', tests.id_of('ada'), 'quality', 1,
        'themes', '{}'::text[], 'keywords', '{}'::text[], 'crisis_level', 'none', 'transcript_source', 'student',
        'created_at', now()
      ) || jsonb_build_object(measure, value);
      return next measure;
    exception when check_violation then
      null;
    end;
  end loop;
end
$$;

select is_empty(
  format('select tests.measures_stored(%L, %L)', analysis, value), format('%s stores no %s', analysis, value)
)
from unnest('{audio_analysis,visual_analysis,text_analysis}'::text[]) analysis,
  unnest('{NaN,Infinity}'::text[]) value;
select throws_ok(
  $$ insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state)
     values (tests.id_of('ada'), 1, 1, 'NaN', 10, '{}') $$,
  '23514', null, 'a baseline has a usual score'
);
select throws_ok(
  $$ insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state)
     values (tests.id_of('ada'), 1, 1, 50, 'Infinity', '{}') $$,
  '23514', null, 'and a usual spread'
);
select * from finish();
