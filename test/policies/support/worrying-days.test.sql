-- Worrying days are days of the calendar where the student is.
select plan(17);

update public.universities set time_zone = 'America/Los_Angeles' where id = 'hillside';
insert into people
values
  ('una', tests.new_student('una@hillside.example.edu')),
  ('kim', tests.new_student('kim@elsewhere.example.com')),
  ('nur', tests.new_student('nur@elsewhere.example.com'));
update public.profiles set time_zone = 'Pacific/Kiritimati' where user_id = tests.id_of('kim');
update public.profiles set time_zone = 'Asia/Kathmandu' where user_id = tests.id_of('nur');
select tests.give_consent(id, '{support_circle}') from people;

-- At a time of the day, so many days ago, where they are.
create function tests.worry(person text, days_ago integer, at interval)
returns void
language sql
as $$
  insert into checkin.check_ins (user_id, type, status, risk_level, submitted_at, completed_at)
  select tests.id_of(person), 'daily', 'complete', 'moderate', m.at, m.at
  from private.time_zone_of(tests.id_of(person)) zone
  cross join lateral (select private.moment_at((now() at time zone zone)::date - days_ago + at, zone) as at) as m
$$;
create function tests.alerted(person text)
returns integer
language sql
as $$ select s.worrying_days from private.students_to_alert(now()) s where s.user_id = tests.id_of(person) $$;
create function tests.days_ago(person text)
returns integer[]
language sql
as $$
  select array_agg(private.local_date(w.user_id, now()) - w.day order by w.day desc)
  from private.worrying_days w
  where w.user_id = tests.id_of(person)
$$;

-- Three days in Los Angeles within two of UTC.
select tests.worry('ada', 3, '20:00'), tests.worry('ada', 2, '08:00'), tests.worry('ada', 1, '08:00');
select is(tests.days_ago('ada'), '{1,2,3}', 'three days in Los Angeles are three, although UTC has two of them');
select is(tests.alerted('ada'), 3, 'and open an alert');

-- Two days in Los Angeles within three of UTC.
select tests.worry('una', 2, '08:00'), tests.worry('una', 2, '20:00'), tests.worry('una', 1, '20:00');
select is(tests.days_ago('una'), '{1,2}', 'two days are two, although UTC has three of them');
select is(tests.alerted('una'), null, 'and open none');

-- Ahead of UTC by more than half a day, and by a quarter of an hour more than five and a half.
select tests.worry('kim', 3, '13:30'), tests.worry('kim', 2, '14:30'), tests.worry('kim', 1, '00:01'), tests.worry('kim', 1, '23:59');
select is(tests.days_ago('kim'), '{1,2,3}', 'in Kiritimati');
select is(tests.alerted('kim'), 3, 'with an alert');
select tests.worry('nur', 2, '00:01'), tests.worry('nur', 2, '05:44'), tests.worry('nur', 2, '23:59'), tests.worry('nur', 1, '05:46');
select is(tests.days_ago('nur'), '{1,2}', 'in Kathmandu');
select is(tests.alerted('nur'), null, 'without one');

-- The window is of seven days there, today included.
select tests.past($$ delete from private.worrying_days $$);
select tests.past(format(
  'insert into private.worrying_days (user_id, day) select %L, private.local_date(%L, now()) - n from unnest(%L::integer[]) n', id, id, '{0, 3, 6, 7}'
))
from people
where name in ('ada', 'kim');
select is(tests.alerted(name), 3, format('the day a week ago no longer counts in %s', zone))
from (values ('ada', 'Los Angeles'), ('kim', 'Kiritimati')) as p (name, zone);
select tests.past($$ update private.worrying_days set stored_at = now() - interval '2 hours'; update public.consents set granted_at = now() - interval '2 hours' $$);
select set_has(
  $$ select user_id from private.standstills_at(now()) where kind = 'pattern_without_alert' $$,
  $$ select id from people where name = 'kim' and (now() - interval '1 hour') at time zone 'Pacific/Kiritimati' >= (now() at time zone 'Pacific/Kiritimati')::date $$,
  'what watches over alerts counts the same days'
);

-- One who travels: their days are those of where they are now.
select tests.past($$ delete from private.worrying_days $$);
select tests.past($$ delete from checkin.check_ins $$);
select tests.worry('ben', 3, '23:30'), tests.worry('ben', 2, '00:30'), tests.worry('ben', 1, '23:30');
select is(tests.alerted('ben'), 3, 'a student without a zone has three days in UTC');
select tests.act_as(tests.id_of('ben'));
update public.profiles set time_zone = 'Etc/GMT+1' where user_id = tests.id_of('ben');
select tests.act_as_owner();
select is(
  (select count(*) from private.worrying_days where user_id = tests.id_of('ben')), 2::bigint,
  'one hour to the west the night before and the hour after midnight are one day'
);
select is(tests.alerted('ben'), null, 'and are counted once');
update public.profiles set time_zone = 'Etc/GMT-1' where user_id = tests.id_of('ben');
select is(
  (select count(*) from private.worrying_days where user_id = tests.id_of('ben')), 2::bigint,
  'an hour to the east they are one too, however often the zone changes'
);
update public.profiles set time_zone = null where user_id = tests.id_of('ben');
select is(tests.alerted('ben'), 3, 'back home they are what they were');
update public.universities set time_zone = 'Etc/GMT+1' where id = 'lakeview';
select is(
  (select count(*) from private.worrying_days where user_id = tests.id_of('ben')), 2::bigint, 'a university''s zone counts for who has none'
);

select * from finish();
