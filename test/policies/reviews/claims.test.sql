-- A review that was claimed and left: who is told when, with the clock moved, also through the nights in which clocks are changed.
select plan(40);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('cyd', tests.new_student('cyd@hillside.example.edu')),
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('lou', tests.new_student('lou@lakeview.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('cyd'), 'counselor', 'hillside'),
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('lou'), 'counselor', 'lakeview');
insert into private.crisis_contacts (university_id, email, rank)
values
  ('hillside', 'on-call@hillside.example.edu', 1),
  ('hillside', 'CYD@hillside.example.edu', 2),
  ('hillside', 'dean@hillside.example.edu', 3);

create temporary table told (id uuid primary key);
create function tests.high_risk(level checkin.risk_level default 'high')
returns uuid
language plpgsql
as $$
begin
  set local session_replication_role = replica;
  delete from public.clinical_reviews;
  set local session_replication_role = origin;
  perform private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid(), level);
  insert into told select id from private.outbox on conflict do nothing;
  return (select id from public.clinical_reviews);
end
$$;
create function tests.review()
returns uuid
language sql
security definer
as $$ select id from public.clinical_reviews $$;
-- Who was told what since this was asked last: 'purpose recipient', in order.
create function tests.told()
returns text[]
language plpgsql
security definer
as $$
declare
  messages text[];
begin
  select array_agg(replace(o.purpose, 'clinical_review_', '') || ' ' || split_part(lower(o.recipient), '@', 1) order by o.purpose, o.recipient)
  into messages
  from private.outbox o
  where o.id not in (select id from told);
  insert into told select id from private.outbox on conflict do nothing;
  return messages;
end
$$;
grant all on told to authenticated;
create function tests.told_at(passed interval)
returns text[]
language plpgsql
security definer
as $$
begin
  perform private.advance_claims(now() + passed);
  perform private.remind_of_reviews(now() + passed);
  return tests.told();
end
$$;
create function tests.as_person(person text, statement text)
returns void
language plpgsql
as $$
begin
  perform tests.act_as(tests.id_of(person));
  execute statement;
  set constraints all immediate;
  set constraints all deferred;
  perform tests.act_as_owner();
end
$$;

select tests.high_risk();
select tests.as_person('cora', 'select public.claim_review(tests.review())');
select is(tests.told(), '{claimed on-call}', 'the contact who was told of a review is told when somebody claims it');
select is(tests.told_at('3 hours 59 minutes 59 seconds'), null, 'whoever claims a review of high risk has four hours');
select is(tests.told_at('4 hours'), '{claim cora}', 'then they are reminded');
select is(
  (select body from private.outbox where purpose = 'clinical_review_claim') ~ ('opens again at ' || private.utc_minute(now() + interval '5 hours')),
  true, 'and told when it opens again'
);
select is(tests.told_at('4 hours 59 minutes 59 seconds'), null, 'once');
select is(tests.told_at('5 hours'), '{claim cora,reminder cyd}', 'an hour later it is open again, and the next contact is told');
select is((select claimed_by from public.clinical_reviews), null, 'nobody has it');
select is(tests.told_at('5 hours 29 minutes 59 seconds'), null, 'it waits as any other');
select is(tests.told_at('5 hours 30 minutes'), '{reminder cyd}', 'so that this contact is reminded');
select is(tests.told_at('6 hours'), '{reminder dean}', 'and then the one after');
select tests.as_person('cyd', 'select public.claim_review(tests.review())');
select is(tests.told(), '{claimed dean,claimed on-call}', 'all who were told of it are told that somebody took it, but for who did');
select is(tests.told_at('4 hours'), '{claim cyd}', 'the next who claims it has the same term');
select is(tests.told_at('5 hours 1 minute'), '{claim cyd,reminder on-call}', 'after the last contact the first is told again');
select is_empty(
  $$ select id from private.outbox where purpose like 'clinical_review%' and subject || body ~* '\mada\M' $$, 'none of these names the student'
);

select tests.high_risk();
select tests.as_person('cora', 'select public.claim_review(tests.review())');
select tests.told();
select is(tests.told_at('4 hours'), '{claim cora}', 'a claim that was reminded of');
select tests.as_person('cora', $$ select public.add_review_note(tests.review(), 'Called twice, will call at nine.') $$);
select is(tests.told_at('30 days'), null, 'does not lapse once there is a note');
update public.clinical_reviews set risk_level = 'high';
select is(tests.told_at('30 days'), null, 'nor when the same risk is found again');

select tests.high_risk();
select tests.as_person('cora', 'select public.claim_review(tests.review())');
select tests.told();
select tests.as_person('cyd', $$ select public.add_review_note(tests.review(), 'Their tutor has called.') $$);
select is(tests.told_at('4 hours'), '{claim cora}', 'a colleague''s note is not that of who claimed it');
select tests.as_person('cora', format('select public.hand_over_review(tests.review(), %L)', tests.id_of('cyd')));
select is(tests.told(), '{handed_over cyd}', 'whoever a review is handed to is told');
select is(tests.told_at('3 hours 59 minutes'), null, 'and has the whole term');
select is(tests.told_at('4 hours'), '{claim cyd}', 'of their own');

select tests.high_risk('moderate');
select tests.as_person('cora', 'select public.claim_review(tests.review())');
select is(tests.told(), null, 'of a review of moderate risk that no digest has told of nobody is told that it was claimed');
select is(tests.told_at('47 hours 59 minutes'), null, 'it may be had for two days');
select is(tests.told_at('48 hours'), '{claim cora}', 'until a reminder');
select is(tests.told_at('59 hours 59 minutes'), null, 'and half a day more');
select is(tests.told_at('60 hours'), '{claim cora,reminder on-call}', 'before the first contact is told, as none was yet');

select tests.high_risk('moderate');
select tests.as_person('cora', $$ select public.claim_review(tests.review()), public.add_review_note(tests.review(), 'Will write.') $$);
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid(), 'high');
select tests.told();
select is(tests.told_at('4 hours'), '{claim cora}', 'a claimed review that rises to high risk asks for a note anew');

select throws_ok(
  $$ select tests.as_person('cora', $s$ select public.set_claim_terms('hillside', 'high', '1 hour') $s$) $$, '42501', null,
  'a counselor does not set the terms'
);
select tests.act_as_owner();
select throws_ok(
  $$ select tests.as_person('uma', $s$ select public.set_claim_terms('lakeview', 'high', '1 hour') $s$) $$, '42501', null,
  'nor does an administrator elsewhere'
);
select tests.act_as_owner();
select tests.as_person('uma', $$ select public.set_claim_terms('hillside', 'high', '1 hour', '10 minutes') $$);
select tests.act_as(tests.id_of('uma'));
select is(
  public.list_claim_terms('hillside'),
  '[{"risk_level": "high", "remind_after_minutes": 60, "lapse_after_minutes": 10, "own": true},
    {"risk_level": "moderate", "remind_after_minutes": 2880, "lapse_after_minutes": 720, "own": false}]',
  'an administrator sees the terms, and which of them are the university''s own'
);
select throws_ok($$ select public.list_claim_terms('lakeview') $$, '42501', null, 'not those of another university');
select tests.act_as_owner();
select tests.high_risk();
select tests.as_person('cora', 'select public.claim_review(tests.review())');
select tests.told();
select is(tests.told_at('1 hour'), '{claim cora}', 'a university''s own terms come before those for all');
select is(tests.told_at('1 hour 10 minutes'), '{claim cora,reminder cyd}', 'both of them');
select results_eq(
  $$
    select actor_id, university_id, after ->> 'remind_after' from private.audit_log
    where action = 'settings_changed' and target_type = 'review_claim_terms'
  $$,
  $$ values (tests.id_of('uma'), 'hillside', '01:00:00') $$,
  'and setting them is logged'
);
delete from private.review_claim_terms where university_id is not null;

-- Minute by minute, as cron does it: hours since the claim, and who was told.
create function tests.night(claimed timestamptz, minutes integer)
returns table (hours text, messages text[])
language plpgsql
as $$
declare
  passed interval;
begin
  perform tests.high_risk();
  perform tests.as_person('cora', 'select public.claim_review(tests.review())');
  perform tests.told();
  update public.clinical_reviews set claimed_at = claimed, note_due_since = claimed;
  for passed in select make_interval(mins => m) from generate_series(0, minutes) as m loop
    perform private.advance_claims(claimed + passed);
    perform private.remind_of_reviews(claimed + passed);
    messages := tests.told();
    hours := to_char(passed, 'HH24:MI');
    if messages is not null then
      return next;
    end if;
  end loop;
end
$$;
create temporary table quiet_night as
select *
from (
  values
    ('04:00', '{claim cora}'::text[]),
    ('05:00', '{claim cora,reminder cyd}'),
    ('05:30', '{reminder cyd}'),
    ('06:00', '{reminder dean}')
) as t (hours, messages);
set local time zone 'Europe/Berlin';
select results_eq(
  $$ select * from tests.night('2026-03-22 02:00+01', 420) $$, 'select * from quiet_night', 'a review claimed at 02:00 and left, in an ordinary night'
);
select results_eq(
  $$ select * from tests.night('2026-03-29 02:00', 420) $$, 'select * from quiet_night', 'in the night that has no 02:00'
);
select results_eq(
  $$ select * from tests.night('2026-10-25 02:00+02', 420) $$, 'select * from quiet_night', 'in the night that has two, at the first'
);
select results_eq(
  $$ select * from tests.night('2026-10-25 02:00+01', 420) $$, 'select * from quiet_night', 'and at the second'
);
update private.review_claim_terms set remind_after = '1 day', lapse_after = '1 day' where risk_level = 'high';
select results_eq(
  $$ select remind_after, lapse_after from private.claim_terms('hillside', 'high') $$,
  $$ values (interval '24 hours', interval '24 hours') $$,
  'a day is 24 hours'
);
select is(
  (timestamptz '2026-03-28 12:00+01' + (select remind_after from private.claim_terms('hillside', 'high'))), timestamptz '2026-03-29 13:00+02',
  'also where a day of the clock has 23'
);

select * from finish();
