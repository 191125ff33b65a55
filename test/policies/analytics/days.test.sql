-- A day of figures is a day of the calendar where the university is.
select plan(21);

insert into public.universities (id, name, short_name, domain, time_zone)
values
  ('kiri', 'Kiritimati (invented)', 'Kiri', 'kiri.example.edu', 'Pacific/Kiritimati'),
  ('niue', 'Niue (invented)', 'Niue', 'niue.example.edu', 'Pacific/Niue'),
  ('nepal', 'Kathmandu (invented)', 'Nepal', 'nepal.example.edu', 'Asia/Kathmandu');
create temporary table crowd as
select university, n, tests.new_student(format('s%s@%s.example.edu', n, university)) as id
from unnest('{kiri, niue, nepal, hillside}'::text[]) as university, generate_series(1, 10) as n;
grant select on crowd to authenticated;
create function tests.today(university text)
returns date
language sql
stable
as $$ select private.university_date(university, now()) $$;
create function tests.check_in(student uuid)
returns void
language sql
as $$
  insert into checkin.check_ins (user_id, type, status) values (student, 'daily', 'processing');
  update checkin.check_ins set status = 'failed', completed_at = now() where user_id = student
$$;

select is(tests.today('kiri') - tests.today('niue'), 1, 'between Niue and Kiritimati it is always another day');
select tests.check_in(id) from crowd;
select results_eq(
  $$ select c.university, array_agg(distinct d.day) from private.student_days d join crowd c on c.id = d.user_id group by 1 order by 1 $$,
  $$ select u, array[tests.today(u)] from unnest('{hillside, kiri, nepal, niue}'::text[]) as u $$,
  'a check-in counts on the day that it is at the university'
);
update public.profiles set time_zone = 'Pacific/Kiritimati' where user_id in (select id from crowd where university = 'niue');
delete from private.student_days;
update checkin.check_ins set status = 'processing', completed_at = null;
update checkin.check_ins set status = 'failed', completed_at = now();
select results_eq(
  $$ select distinct d.day from private.student_days d join crowd c on c.id = d.user_id where c.university = 'niue' $$,
  $$ values (tests.today('niue')) $$, 'also where its students are elsewhere'
);
update checkin.check_ins set status = 'processing', completed_at = null;
select is((select sum(ended) from private.student_days), 0::bigint, 'one that is submitted again leaves the day on which it failed');

-- The day is over at each university when it is over there.
delete from private.student_days;
insert into private.student_days (day, user_id, ended, completed, score_sum)
select tests.today(c.university) - ago, c.id, 1, 1, 50 from crowd c, unnest('{0, 1, 2}'::integer[]) as ago;
update public.students set last_check_in_at = now() - interval '1 day' where user_id in (select id from crowd);
select private.roll_up_days();
select results_eq(
  $$ select university_id, aggregated_through from private.cohort_progress where university_id <> 'lakeview' order by 1 $$,
  $$ select u, tests.today(u) - 1 from unnest('{hillside, kiri, nepal, niue}'::text[]) as u $$, 'the last day is that before today there'
);
select set_eq(
  $$ select university_id, day, students from public.cohort_days $$,
  $$ select u, tests.today(u) - ago as day, 10 as students from unnest('{hillside, kiri, nepal, niue}'::text[]) as u, unnest('{1, 2}'::integer[]) as ago $$,
  'each has the figures of its own days'
);
select set_eq(
  $$ select university_id, as_of, students from public.cohort_snapshots $$,
  $$ select u, tests.today(u) - 1 as day, 10 as students from unnest('{hillside, kiri, nepal, niue}'::text[]) as u $$, 'and its students as of the last of them'
);
select set_eq(
  $$ select c.university, d.day from private.student_days d join crowd c on c.id = d.user_id $$,
  $$ select u, tests.today(u) from unnest('{hillside, kiri, nepal, niue}'::text[]) as u $$, 'today stays for tomorrow'
);

-- One whose day is over is rolled up, and the others stay as they are.
update private.cohort_progress set aggregated_through = aggregated_through - 2 where university_id = 'niue';
update public.students set risk_level = 'high' where user_id in (select id from crowd);
select private.roll_up_days();
select set_eq(
  $$ select university_id, high_risk from public.cohort_snapshots $$, $$ values ('niue', 10), ('kiri', 0), ('nepal', 0), ('hillside', 0) $$,
  'so that nothing is shown twice on a day'
);
select throws_ok(
  $$ select private.roll_up_days(tests.today('kiri')) $$, '23514', null, 'a day that is over nowhere is not rolled up'
);
select lives_ok($$ select private.roll_up_days(tests.today('kiri') - 1) $$, 'one that is over somewhere is, there alone');
select is(
  (select aggregated_through from private.cohort_progress where university_id = 'niue'), tests.today('niue') - 1, 'and nowhere else'
);

-- Students who come from a university that is a day behind bring days that are published already.
delete from private.student_days;
insert into private.student_days (day, user_id, ended, completed, score_sum)
select tests.today('kiri') - ago, c.id, 1, 1, 50 from crowd c, unnest('{1, 2}'::integer[]) as ago where c.university = 'niue';
update public.profiles set university_id = 'kiri' where user_id in (select id from crowd where university = 'niue');
update private.cohort_progress set aggregated_through = aggregated_through - 1 where university_id = 'kiri';
delete from public.cohort_days where university_id = 'kiri' and day = tests.today('kiri') - 1;
select lives_ok($$ select private.roll_up_days() $$, 'the rollup goes on with students who came from another university');
select results_eq(
  $$ select students, ended from public.cohort_days where university_id = 'kiri' and day = tests.today('kiri') - 1 $$,
  $$ values (10, 20) $$, 'whose days count on the next, each student once'
);
update public.profiles set university_id = 'niue' where user_id in (select id from crowd where university = 'niue');

-- A university that changes its zone counts no day twice, and loses none.
update public.universities set time_zone = 'Pacific/Niue' where id = 'kiri';
select tests.check_in(tests.new_student('late@kiri.example.edu'));
select results_eq(
  $$
    select d.day from private.student_days d
    where d.user_id = (select p.user_id from public.profiles p join auth.users u on u.id = p.user_id where u.email like 'late@%')
  $$,
  $$ select p.aggregated_through + 1 from private.cohort_progress p where p.university_id = 'kiri' $$,
  'what ends on a day that is already published counts on the next'
);

-- Reviews of a range, at both changes of daylight saving.
insert into people values ('uma', tests.new_student('uma@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('uma'), 'university_admin', 'hillside');
update public.universities set time_zone = 'America/Los_Angeles' where id = 'hillside';
create function tests.reviewed(through date, opened timestamptz)
returns text
language plpgsql
as $$
declare
  figures jsonb;
begin
  update private.cohort_progress set aggregated_through = through where university_id = 'hillside';
  perform tests.past('delete from public.clinical_reviews');
  insert into public.clinical_reviews (user_id, university_id, source, source_id, opened_at)
  select id, 'hillside', 'session', gen_random_uuid(), opened from crowd where university = 'hillside';
  perform tests.act_as(tests.id_of('uma'));
  figures := public.analytics_reviews('hillside', '7d');
  perform tests.act_as_owner();
  return figures ->> 'to';
end
$$;
select is(tests.reviewed(through, opened), shown, note)
from (
  values
    (date '2026-03-08', timestamptz '2026-03-09 06:59+00', '2026-03-08', 'the last minute of a day with 23 hours belongs to it'),
    ('2026-03-08', '2026-03-09 07:00+00', null, 'what follows to the next'),
    ('2026-11-01', '2026-11-02 07:59+00', '2026-11-01', 'the last minute of a day with 25 hours belongs to it'),
    ('2026-11-01', '2026-11-02 08:00+00', null, 'what follows to the next'),
    ('2026-11-07', '2026-11-01 07:00+00', '2026-11-07', 'a range of days begins with the first minute of the first'),
    ('2026-11-07', '2026-11-01 06:59+00', null, 'and not before')
) as reviews (through, opened, shown, note);

select * from finish();
