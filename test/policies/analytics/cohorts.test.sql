-- How check-ins are counted, and what the daily rollup shows of them.
select plan(44);

-- Days before the last that is over.
create function tests.day(days_before integer default 0)
returns date
language sql
stable
as $$
  select (now() at time zone 'UTC')::date - 1 - days_before
$$;

create function tests.new_check_in(student uuid)
returns uuid
language sql
as $$
  insert into checkin.check_ins (user_id, type, status) values (student, 'daily', 'processing') returning id
$$;

create function tests.complete(
  check_in uuid, score double precision, risk checkin.risk_level default 'none', scored_by text default 'test'
)
returns void
language sql
as $$
  insert into checkin.fusion_results (
    check_in_id, user_id, score, uncertainty, direction_of_change, significance, risk_level, summary, themes,
    drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version
  )
  select id, user_id, score, 0.4, 'same', 'low', risk, '', '{}', '{}', '{}', '[]', '[]', '{}', scored_by
  from checkin.check_ins
  where id = check_in;
  update checkin.check_ins set status = 'complete', completed_at = now(), risk_level = risk where id = check_in;
$$;

create function tests.counted(student uuid)
returns table (day date, ended smallint, completed smallint, score_sum double precision)
language sql
stable
as $$
  select d.day, d.ended, d.completed, d.score_sum from private.student_days d where d.user_id = student
$$;

-- Check-ins are counted per student until the rollup.
create temporary table given as select tests.new_check_in(tests.id_of('ada')) as check_in;
select is_empty($$ select * from tests.counted(tests.id_of('ada')) $$, 'a check-in that goes on counts nowhere');
update checkin.check_ins set status = 'failed', completed_at = now();
select results_eq(
  $$ select * from tests.counted(tests.id_of('ada')) $$, $$ values (tests.day(-1), 1::smallint, 0::smallint, 0::float8) $$,
  'one that failed has ended'
);
update checkin.check_ins set status = 'processing', completed_at = null;
select results_eq(
  $$ select * from tests.counted(tests.id_of('ada')) $$, $$ values (tests.day(-1), 0::smallint, 0::smallint, 0::float8) $$,
  'and no longer counts when it is submitted again'
);
select tests.complete(check_in, 61.5, 'moderate') from given;
select results_eq(
  $$ select * from tests.counted(tests.id_of('ada')) $$, $$ values (tests.day(-1), 1::smallint, 1::smallint, 61.5::float8) $$,
  'so that it ends once, with its score'
);
select results_eq(
  $$ select check_ins, last_score, risk_level from public.students where user_id = tests.id_of('ada') $$,
  $$ values (1, 61.5, 'moderate'::checkin.risk_level) $$,
  'and it is the student''s latest result'
);
select tests.complete(tests.new_check_in(tests.id_of('ada')), 40);
select results_eq(
  $$ select * from tests.counted(tests.id_of('ada')) $$, $$ values (tests.day(-1), 2::smallint, 2::smallint, 101.5::float8) $$,
  'a second check-in of the day is added'
);
insert into checkin.check_ins (user_id, type) values (tests.id_of('eve'), 'daily');
update checkin.check_ins set status = 'expired' where user_id = tests.id_of('eve');
select results_eq(
  $$ select * from tests.counted(tests.id_of('eve')) $$, $$ values (tests.day(-1), 1::smallint, 0::smallint, 0::float8) $$,
  'one that was never submitted ends without a result'
);
select is(
  (select last_check_in_at from public.students where user_id = tests.id_of('eve')), null,
  'and is no check-in of the student'
);

-- Ten of Law and five of History.
create temporary table freshmen as
select n, tests.new_student('n' || n || '@hillside.example.edu') as id from generate_series(1, 15) as n;
update public.students s
set faculty = case when n <= 10 then 'Law' else 'History' end, last_check_in_at = now() - interval '2 days', risk_level = 'high'
from freshmen
where s.user_id = freshmen.id;
insert into private.student_days (day, user_id, ended, completed, score_sum)
select tests.day(days_before), id, 1, 1, 50
from freshmen, (values (2), (4)) as past (days_before);

select throws_ok($$ select private.roll_up_days(tests.day(-1)) $$, '23514', null, 'a day that is not over is not aggregated');
select lives_ok($$ select private.roll_up_days(tests.day(2)) $$, 'days that were missed are aggregated together');
select set_eq('select aggregated_through from private.cohort_progress', array[tests.day(2)], 'up to the one that was said');
select set_eq(
  $$ select day, faculty, students, completed, score_sum from public.cohort_days where university_id = 'hillside' $$,
  $$
    select tests.day(days_before) as day, faculty, 10 as students, 10 as completed, 500::float8 as score_sum
    from (values (2), (4)) as past (days_before), (values (''), ('Law')) as cohort (faculty)
  $$,
  'five of History are shown neither by name nor as the rest of the university'
);
select set_eq(
  $$ select faculty, seen_within_days, students, high_risk, as_of from public.cohort_snapshots where university_id = 'hillside' $$,
  $$ values ('', 7::smallint, 10, 10, tests.day(2)), ('Law', 7::smallint, 10, 10, tests.day(2)) $$,
  'nor in the counts of risk'
);
select is_empty(
  $$ select 1 from private.student_days where day <= tests.day(2) $$, 'no student''s day is kept once it is aggregated'
);
select is(
  (select count(*) from tests.counted(tests.id_of('ada'))), 1::bigint, 'later days stay as they are'
);
create temporary table published as select d.* from public.cohort_days d;
create temporary table snapshot as select s.* from public.cohort_snapshots s;

-- On the same day, nothing that a student does changes what is shown.
insert into private.student_days (day, user_id, ended, completed, score_sum)
select tests.day(-1), id, 1, 1, 10 from freshmen where n = 1;
update public.students set risk_level = 'none', last_check_in_at = now(), faculty = 'Music'
where user_id = (select id from freshmen where n = 1);
select lives_ok($$ select private.roll_up_days(tests.day(2)) $$, 'the rollup can run again for a day');
select lives_ok($$ select private.roll_up_days(tests.day(3)) $$, 'so can one before it');
select set_eq('select * from public.cohort_days', 'select * from published', 'which changes no day');
select set_eq('select * from public.cohort_snapshots', 'select * from snapshot', 'and no count of risk');
delete from auth.users where id = (select id from freshmen where n = 2);
select is_empty(
  $$ select 1 from private.student_days where user_id = (select id from freshmen where n = 2) $$,
  'the days of an account that is deleted are deleted'
);
select set_eq('select * from public.cohort_days', 'select * from published', 'and changes nothing that is shown');
select set_eq('select * from public.cohort_snapshots', 'select * from snapshot', 'until the next rollup');

-- What ends on a day that is already aggregated counts on the next.
update private.cohort_progress set aggregated_through = tests.day(-1);
select tests.complete(tests.new_check_in(tests.id_of('ben')), 30);
select results_eq(
  $$ select day, completed from tests.counted(tests.id_of('ben')) $$, $$ values (tests.day(-2), 1::smallint) $$,
  'a check-in that ends too late for its day counts on the next'
);
update private.cohort_progress set aggregated_through = tests.day(2);

-- Six more of Music join the five of History: together they are enough to be part of the whole.
create temporary table musicians as
select n, tests.new_student('m' || n || '@hillside.example.edu') as id from generate_series(1, 6) as n;
update public.students set faculty = 'Music', last_check_in_at = now() - interval '40 days'
where user_id in (select id from musicians);
insert into private.student_days (day, user_id, ended, completed, score_sum)
select tests.day(), id, 2, 1, 80 from musicians
union all
select tests.day(), id, 1, 1, 50 from freshmen where n > 10
union all
select tests.day(), id, 1, 1, 60 from freshmen where n between 3 and 10;
select lives_ok($$ select private.roll_up_days(tests.day()) $$, 'the next day is aggregated');
select set_eq(
  $$ select faculty, students, ended, completed, score_sum from public.cohort_days where day = tests.day() $$,
  $$ values ('', 19, 25, 19, 1210::float8) $$,
  'cohorts that are too small by themselves count in the whole, and none by name'
);
select set_eq(
  $$ select faculty, seen_within_days, students from public.cohort_snapshots where university_id = 'hillside' $$,
  $$ values ('', 7::smallint, 15) $$,
  'groups of students too small to show are left out'
);

select is((select through from private.analytics_request('hillside', '1y')), tests.day(), 'the last aggregated day is known');
select is((select days from private.analytics_request('hillside', '1y')), 365, 'a year has 365 days');
select is((select grain from private.analytics_request('hillside', '1y', 'Law', null, 'hall')), 5::smallint, 'a cohort has its grain');

-- Who sees it.
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('ben'), 'university_admin', 'hillside'),
  (tests.id_of('eve'), 'university_admin', 'lakeview'),
  (tests.id_of('ada'), 'counselor', 'hillside');

select tests.act_as(tests.id_of('ben'));
select is(
  public.analytics_dashboard('hillside', '7d') #> '{summary}',
  '{"total_students": 15, "active_students": 15, "assessments_completed": 39, "average_wellbeing_score": 56.67}'::jsonb,
  'an administrator sees the figures'
);
select is(
  public.analytics_dashboard('hillside', '7d', 'History'), null, 'but none of a cohort that is too small'
);
select is(public.analytics_dashboard('hillside', '8d'), null, 'and none of a range that there is not');
select is(
  public.analytics_trends('hillside', '7d', 'day') -> 'points' -> -1 ->> 'completion_rate', '0.7600',
  'the trends hold the same days'
);
select is(
  public.analytics_wellbeing('hillside') #>> '{university,total_students}', '15', 'and the cohorts the same students'
);
select is((select count(*) from public.wellbeing_by_day), 5::bigint, 'the days can be read');
select is(
  (select students from public.risk_by_cohort where university_id = 'hillside'), 15::bigint, 'so can the counts of risk'
);

select is(
  public.analytics_scoring_versions('7d'), '[]', 'as long as what is shown was scored by one version or none, nothing is said'
);

-- Another version scores.
select tests.act_as_owner();
select set_eq(
  'select * from public.scoring_days', $$ values (tests.day(-1), 'test'), (tests.day(-2), 'test') $$,
  'versions are recorded with the day on which a check-in counts'
);
select tests.complete(tests.new_check_in(tests.id_of('ben')), 40, 'none', 'newer');
select tests.complete(tests.new_check_in(tests.id_of('ben')), 40, 'none', 'test');
select tests.complete(tests.new_check_in(tests.id_of('eve')), 40, 'none', 'newer');
select set_has(
  'select algorithm_version from public.scoring_days where day = tests.day(-1)',
  $$ values ('newer'), ('test') $$, 'while one replaces another, both'
);
delete from public.scoring_days;
insert into public.cohort_days (university_id, day, students, ended, completed, score_sum)
values ('hillside', tests.day(10), 10, 10, 10, 300);
insert into public.scoring_days (day, algorithm_version)
values (tests.day(20), 'oldest'), (tests.day(10), 'newer'), (tests.day(), 'newer');
select tests.act_as(tests.id_of('ben'));
select isnt(
  public.analytics_wellbeing('hillside', '7d') #>> '{university,change}', null,
  'averages are compared with a range before that the same version scored'
);
select tests.act_as_owner();
insert into public.scoring_days (day, algorithm_version) values (tests.day(13), 'older'), (tests.day(9), 'older');
select tests.act_as(tests.id_of('ben'));
select is(
  public.analytics_wellbeing('hillside', '7d') #>> '{university,change}', null, 'but not where another one scored in either'
);
select is(
  array[
    public.analytics_scoring_versions('7d'), public.analytics_scoring_versions('7d', 2), public.analytics_scoring_versions('8d')
  ],
  array[
    jsonb_build_array(jsonb_build_object('algorithm_version', 'newer', 'from', tests.day(), 'to', tests.day())),
    jsonb_build_array(
      jsonb_build_object('algorithm_version', 'older', 'from', tests.day(13), 'to', tests.day(9)),
      jsonb_build_object('algorithm_version', 'newer', 'from', tests.day(10), 'to', tests.day())
    ),
    '[]'
  ],
  'which ones scored when can be asked for'
);
select tests.act_as(tests.id_of('eve'));
select isnt_empty('select * from public.scoring_days', 'every administrator sees it');
select tests.act_as(tests.id_of('ada'));
select is_empty('select * from public.scoring_days', 'and nobody else');

select * from finish();
