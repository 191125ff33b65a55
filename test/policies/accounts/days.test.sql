-- A day is a day of the calendar where a person is.
select plan(30);

-- When a clock shows a time: what daylight saving skips is the first moment after the gap, what it repeats is the first of the two.
select is(private.moment_at(local, zone), moment, note)
from (
  values
    (timestamp '2026-07-01 08:00', 'America/Los_Angeles', timestamptz '2026-07-01 15:00+00', 'an ordinary time'),
    ('2026-07-01 00:00', 'Pacific/Kiritimati', '2026-06-30 10:00+00', 'fourteen hours ahead'),
    ('2026-07-01 00:00', 'Asia/Kathmandu', '2026-06-30 18:15+00', 'five and three quarters'),
    ('2026-03-08 02:30', 'America/Los_Angeles', '2026-03-08 10:00+00', 'half past two is skipped: at three'),
    ('2026-03-08 02:00', 'America/Los_Angeles', '2026-03-08 10:00+00', 'as is two'),
    ('2026-03-08 03:00', 'America/Los_Angeles', '2026-03-08 10:00+00', 'which is the same moment'),
    ('2026-11-01 01:30', 'America/Los_Angeles', '2026-11-01 08:30+00', 'half past one comes twice: at the first'),
    ('2026-11-01 02:00', 'America/Los_Angeles', '2026-11-01 10:00+00', 'two comes once'),
    ('2026-10-04 02:15', 'Australia/Lord_Howe', '2026-10-03 15:30+00', 'where half an hour is skipped'),
    ('2026-04-05 01:45', 'Australia/Lord_Howe', '2026-04-04 14:45+00', 'and repeated'),
    ('2026-03-08 00:00', 'America/Havana', '2026-03-08 05:00+00', 'where midnight is skipped, a day begins at one'),
    ('2026-11-01 00:00', 'America/Havana', '2026-11-01 04:00+00', 'where midnight is repeated, at the first')
) as clocks (local, zone, moment, note);

-- Days of a student of each zone, at both changes of daylight saving.
create function tests.hours_of_day(person text, at timestamptz)
returns table (began timestamptz, hours numeric)
language sql
as $$ select d.began, extract(epoch from d.ends - d.began) / 3600 from private.day_of(tests.id_of(person), at) d $$;

update public.universities set time_zone = 'America/Los_Angeles' where id = 'hillside';
insert into people
select zone, tests.new_student(translate(lower(zone), '/_', '..') || '@elsewhere.example.com') from unnest('{Pacific/Kiritimati, Asia/Kathmandu}'::text[]) zone;
update public.profiles p set time_zone = t.name from people t where t.id = p.user_id and t.name like '%/%';
-- As if they had always been there.
update public.profiles set zone_day_began_at = null;

select results_eq(
  format('select * from tests.hours_of_day(%L, %L)', person, at), format('values (timestamptz %L, %s::numeric)', began, hours), note
)
from (
  values
    ('ada', '2026-07-02 06:59+00', '2026-07-01 07:00+00', 24, 'in Los Angeles a day goes on to midnight there'),
    ('ada', '2026-07-02 07:00+00', '2026-07-02 07:00+00', 24, 'and then the next begins'),
    ('ada', '2026-03-08 20:00+00', '2026-03-08 08:00+00', 23, 'in March one has 23 hours'),
    ('ada', '2026-11-01 08:30+00', '2026-11-01 07:00+00', 25, 'in November one has 25'),
    ('ada', '2026-11-02 07:59+00', '2026-11-01 07:00+00', 25, 'to its end'),
    ('Pacific/Kiritimati', '2026-07-01 10:00+00', '2026-07-01 10:00+00', 24, 'in Kiritimati it is the second of July by then'),
    ('Asia/Kathmandu', '2026-07-01 18:14+00', '2026-06-30 18:15+00', 24, 'in Kathmandu a day ends at a quarter past six in the evening, UTC'),
    ('eve', '2026-07-01 23:59+00', '2026-07-01 00:00+00', 24, 'without a university at midnight UTC')
) as days (person, at, began, hours, note);
select results_eq(
  $$
    select private.local_date(tests.id_of(person), '2026-07-01 11:00+00')
    from unnest('{ada, eve, Pacific/Kiritimati, Asia/Kathmandu}'::text[]) with ordinality as p (person, place)
    order by place
  $$,
  $$ values (date '2026-07-01'), ('2026-07-01'), ('2026-07-02'), ('2026-07-01') $$, 'one moment has several dates'
);

-- Who travels has no day twice, whichever zones they choose: a day that a change falls in is longer, never shorter.
create function tests.travel(zone text, day_began timestamptz)
returns void
language sql
as $$
  update public.profiles set time_zone = zone where user_id = tests.id_of('ben');
  -- As if it had been changed on that day.
  update public.profiles set zone_day_began_at = day_began where user_id = tests.id_of('ben');
$$;
update public.profiles set time_zone = 'America/Los_Angeles' where user_id = tests.id_of('ben');
select is(
  (select zone_day_began_at from public.profiles where user_id = tests.id_of('ben')), date_trunc('day', now(), 'UTC'),
  'a change keeps when the day began, until then in UTC'
);
select tests.travel('Asia/Tokyo', '2026-07-01 07:00+00');
select results_eq(
  format($$ select * from private.day_of(tests.id_of('ben'), %L) $$, at), format('values (timestamptz %L, timestamptz %L)', began, ends), note
)
from (
  values
    ('2026-07-01 14:00+00', '2026-07-01 07:00+00', '2026-07-02 15:00+00', 'from Los Angeles to Tokyo: the day in which they change goes on'),
    ('2026-07-01 15:01+00', '2026-07-01 07:00+00', '2026-07-02 15:00+00', 'past a midnight in Tokyo that is eight hours after it began'),
    ('2026-07-02 15:00+00', '2026-07-02 15:00+00', '2026-07-03 15:00+00', 'to the next'),
    ('2026-08-01 12:00+00', '2026-07-31 15:00+00', '2026-08-01 15:00+00', 'from when on days are those of Tokyo')
) as days (at, began, ends, note);
select tests.travel('UTC', '2026-07-01 07:00+00');
select results_eq(
  $$ select * from private.day_of(tests.id_of('ben'), '2026-07-01 20:11+00') $$,
  $$ values (timestamptz '2026-07-01 07:00+00', timestamptz '2026-07-03 00:00+00') $$,
  'from the zone of a university to that of a device, which is told at the first sign-in: to the midnight after the next'
);
select tests.travel('America/Los_Angeles', '2026-07-02 15:00+00');
select results_eq(
  $$ select * from private.day_of(tests.id_of('ben'), '2026-07-03 08:00+00') $$,
  $$ values (timestamptz '2026-07-02 15:00+00', timestamptz '2026-07-04 07:00+00') $$, 'and back'
);
-- A limit a day, as they travel.
insert into private.rate_limit_rules (scope, requests, daily_requests) values ('a-travel-test', 10, 2);
-- From where it is between noon and one.
update public.profiles
set time_zone = (
  select format('Etc/GMT%s%s', case when hour < 12 then '-' else '+' end, abs(hour - 12))
  from extract(hour from now() at time zone 'UTC') as hour
)
where user_id = tests.id_of('eve');
update public.profiles set zone_day_began_at = null where user_id = tests.id_of('eve');
select private.consume_user_rate_limit(tests.id_of('eve'), 'a-travel-test') from generate_series(1, 2);
create function tests.allowed_in(zone text)
returns boolean
language plpgsql
as $$
begin
  update public.profiles set time_zone = zone where user_id = tests.id_of('eve');
  return (select allowed from private.consume_user_rate_limit(tests.id_of('eve'), 'a-travel-test'));
end
$$;
select is_empty(
  $$
    select name
    from unnest('{Pacific/Kiritimati, Pacific/Niue, Asia/Kathmandu, Asia/Tokyo, Europe/Berlin, America/Los_Angeles}'::text[]) as name
    where tests.allowed_in(name)
  $$, 'what is used up stays so, in whichever zone'
);
select tests.act_as(tests.id_of('eve'));
select throws_ok(
  $$ update public.profiles set zone_day_began_at = null $$, '42501', null, 'and nobody says themselves when their day began'
);
select tests.act_as_owner();

select * from finish();
