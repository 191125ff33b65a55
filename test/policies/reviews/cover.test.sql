-- Who is on call when, who is told of high risk, and which hours nobody covers.
select plan(45);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('cyd', tests.new_student('cyd@hillside.example.edu')),
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('lou', tests.new_student('lou@lakeview.example.edu')),
  ('sid', tests.new_student('sid@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('cyd'), 'counselor', 'hillside'),
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('lou'), 'counselor', 'lakeview'),
  (tests.id_of('sid'), 'security_admin', null);
update public.profiles set first_name = 'Cora', last_name = 'Quill' where user_id = tests.id_of('cora');
insert into private.crisis_contacts (university_id, email, rank, phone)
values ('hillside', 'on-call@hillside.example.edu', 1, '+12025550143'), ('hillside', 'CYD@hillside.example.edu', 2, null);
update private.messaging_settings set staff_app_url = 'https://staff.example.edu/';

create function tests.told()
returns text[]
language sql
security definer
as $$
  select array_agg(replace(o.purpose, 'clinical_review', '') || ' ' || split_part(lower(o.recipient), '@', 1) order by o.purpose, lower(o.recipient))
  from private.outbox o
$$;
create function tests.as_person(person text, statement text)
returns jsonb
language plpgsql
as $$
declare
  result jsonb;
begin
  perform tests.act_as(tests.id_of(person));
  execute statement into result;
  set constraints all immediate;
  set constraints all deferred;
  perform tests.act_as_owner();
  return result;
end
$$;
create function tests.cover(from_at text, until_at text, part text)
returns jsonb
language sql
as $$ select tests.as_person('cora', format('select public.read_cover(%L, %L) -> %L', from_at, until_at, part)) $$;

-- The plan.
select is(
  tests.as_person('cora', $$ select public.take_over(2) -> 'shifts' -> 0 -> 'mine' $$), 'true'::jsonb, 'a counselor takes over'
);
select is(
  tests.as_person('cora', $$ select (public.read_cover(now(), now() + interval '1 day') -> 'on_call')
    #- '{0,until}' $$),
  jsonb_build_array(jsonb_build_object('user_id', tests.id_of('cora'), 'name', 'Cora Quill')), 'and is on call'
);
select is(
  tests.as_person('uma', format($$ select public.add_shift(now() + interval '2 hours', now() + interval '4 hours', %L) -> 'name' $$, tests.id_of('cora'))),
  '"Cora Quill"', 'an administrator enters a shift for a counselor'
);
select is(
  (select array_agg((starts_at, ends_at) = (now(), now() + interval '4 hours')) from private.counselor_shifts), '{t}',
  'which is one with that which it touches'
);
select is(
  tests.as_person('cyd', $$ select public.read_cover(now(), now() + interval '6 hours') -> 'uncovered' $$),
  jsonb_build_array(jsonb_build_object('starts_at', now() + interval '4 hours', 'ends_at', now() + interval '6 hours')),
  'hours that nobody covers are named'
);
select is(
  tests.as_person('lou', $$ select public.read_cover(now(), now() + interval '6 hours') $$) - 'uncovered',
  '{"university_id": "lakeview", "on_call": [], "shifts": []}', 'a counselor elsewhere sees their own university'
);
select is(
  tests.as_person('sid', $$ select public.read_cover(now(), now() + interval '6 hours', 'hillside') -> 'university_id' $$), '"hillside"',
  'a security administrator the one they name'
);
select throws_ok(
  $$ select tests.as_person('lou', $s$ select public.read_cover(now(), now() + interval '6 hours', 'hillside') $s$) $$, '42501', null,
  'and nobody else another one'
);
select tests.act_as_owner();
select throws_ok($$ select tests.as_person('ada', $s$ select public.read_cover(now(), now() + interval '6 hours') $s$) $$, '42501', null, 'nor a student any');
select tests.act_as_owner();
select throws_ok(
  $$ select tests.as_person('cora', $s$ select public.read_cover(now(), now() + interval '36 days') $s$) $$, 'PT400', null, 'a time has a bound'
);
select tests.act_as_owner();
select throws_ok(
  format($$ select tests.as_person('cyd', $s$ select public.add_shift(now(), now() + interval '1 hour', %L) $s$) $$, tests.id_of('cora')),
  '42501', null, 'a counselor enters no shift for a colleague'
);
select tests.act_as_owner();
select throws_ok(
  format($$ select tests.as_person('uma', $s$ select public.add_shift(now(), now() + interval '1 hour', %L) $s$) $$, tests.id_of('lou')),
  'PT404', null, 'an administrator none for a counselor elsewhere'
);
select tests.act_as_owner();
select throws_ok(
  format($$ select tests.as_person('uma', $s$ select public.add_shift(now(), now() + interval '1 hour', %L, 'lakeview') $s$) $$, tests.id_of('lou')),
  '42501', null, 'nor at another university'
);
select tests.act_as_owner();
select throws_ok($$ select tests.as_person('cora', 'select public.take_over(25)') $$, 'PT400', null, 'nobody takes over for longer than a day');
select tests.act_as_owner();
select throws_ok($$ select tests.as_person('uma', 'select public.take_over(1)') $$, '42501', null, 'nor an administrator');
select tests.act_as_owner();
select throws_ok(
  $$ select tests.as_person('cora', $s$ select public.add_shift(now() + interval '4 hours', now() + interval '197 hours') $s$) $$, 'PT400', null,
  'a shift has eight days at most'
);
select tests.act_as_owner();
select tests.as_person('cyd', $$ select public.add_shift(now() + interval '1 hour', now() + interval '169 hours') $$);
select is(
  tests.as_person('cyd', $$ select public.add_shift(now() + interval '169 hours', now() + interval '337 hours') -> 'starts_at' $$),
  to_jsonb(now() + interval '169 hours'), 'whoever is alone has week after week, each a shift'
);
select lives_ok(
  $$ select tests.as_person('cyd', $s$ select public.add_shift(now() + interval '330 hours', now() + interval '500 hours') $s$) $$,
  'of what would be too long with another, the rest is entered'
);
select results_eq(
  $$ select starts_at - now(), ends_at - now() from private.counselor_shifts where user_id = tests.id_of('cyd') order by 1 $$,
  $$ values (interval '1 hour', interval '169 hours'), ('169 hours', '337 hours'), ('337 hours', '500 hours') $$, 'and no hour is in two'
);
select lives_ok(
  $$ select tests.as_person('cyd', $s$ select public.add_shift(now() + interval '100 hours', now() + interval '200 hours') $s$) $$,
  'what is covered already changes nothing'
);
select is((select count(*) from private.counselor_shifts where user_id = tests.id_of('cyd')), 3::bigint, 'nor leaves a shift');
delete from private.counselor_shifts where user_id = tests.id_of('cyd');
select throws_ok(
  $$ select tests.as_person('cyd', format('select public.remove_shift(%L)', (select id from private.counselor_shifts))) $$, 'PT404', null,
  'nobody removes a colleague''s shift'
);
select tests.act_as_owner();

-- Who is told.
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid());
select is(
  tests.told(), '{" +12025550143"," cora"," on-call"}',
  'of high risk the first contact is told by email and text, and whoever is on call by email'
);
select is_empty(
  $$ select id from private.outbox where channel = 'email' and strpos(body, 'University: Hillside University') = 0 $$, 'mails name the university'
);
select is(
  (select count(*) from private.outbox o, public.clinical_reviews r where strpos(o.body, 'https://staff.example.edu/#/reviews/' || r.id) > 0), 3::bigint,
  'and lead to the review'
);
select is((select private.fits_text(body) from private.outbox where channel = 'sms'), true, 'a text is one segment');
select is_empty($$ select id from private.outbox where subject || body ~* '\mada\M' $$, 'none of them names the student');
select tests.as_person('cyd', format('select public.claim_review(%L)', (select id from public.clinical_reviews)));
select is(
  tests.told(), '{" +12025550143"," cora"," on-call","_claimed cora","_claimed on-call"}', 'when somebody takes it, all who were told learn of it'
);
delete from private.outbox;
select tests.as_person('cyd', format('select public.reopen_review(%L)', (select id from public.clinical_reviews)));
select private.remind_of_reviews(now() + interval '30 minutes');
select is(tests.told(), '{"_reminder +12025550143","_reminder cora","_reminder on-call"}', 'a review of high risk that waits is told of in the same way');
delete from private.outbox;
select private.open_clinical_review(tests.id_of('cora'), 'session', gen_random_uuid());
select is(tests.told(), '{" +12025550143"," on-call"}', 'a counselor is not told of their own');
delete from private.outbox;
update public.profiles set university_id = 'hillside' where user_id = tests.id_of('ben');
select private.open_clinical_review(tests.id_of('ben'), 'session', gen_random_uuid(), 'moderate');
select private.send_review_digests();
select is(tests.told(), '{"_digest on-call"}', 'a moderate risk is told with the digest, to the contact alone');
select is(
  (select body ~ 'https://staff.example.edu/#/reviews/[0-9a-f-]{36}' from private.outbox), true, 'which leads there too'
);
update private.messaging_settings set staff_app_url = null;
delete from private.outbox;
select private.open_clinical_review(tests.id_of('ben'), 'session', gen_random_uuid());
select is_empty($$ select id from private.outbox where strpos(body, '#/') > 0 or strpos(body, 'Open it') > 0 $$, 'without the app''s address there is no link');
select throws_ok(
  $$ update private.messaging_settings set staff_app_url = 'javascript:alert(1)' $$, '23514', null, 'which is one of the web'
);

-- Mails of an incident and of training lead into the app as well.
update private.messaging_settings set staff_app_url = 'https://staff.example.edu';
select private.send_security_alert('An invented incident', 'It is invented.', 'inc_invented');
select is(
  (select body from private.outbox where purpose = 'security_alert' and recipient = 'sid@hillside.example.edu'),
  E'It is invented.\n\nOpen it: https://staff.example.edu/#/incidents/inc_invented', 'a mail about an incident leads to it'
);
delete from private.outbox;
select tests.as_person('uma', $$ select to_jsonb(public.invite_staff('new@hillside.example.edu', 'counselor', 'hillside')) $$);
select is(
  (select strpos(body, 'The app: https://staff.example.edu/#/') > 0 from private.outbox where purpose = 'staff_invitation'), true,
  'and an invitation to the app'
);

-- Whoever is no counselor any more.
update private.counselor_shifts set starts_at = now() - interval '1 hour';
delete from public.user_roles where user_id = tests.id_of('cora') and role = 'counselor';
select is((select array_agg(ends_at = now()) from private.counselor_shifts), '{t}', 'whoever loses the role is on call no more');
select throws_ok($$ select tests.as_person('cora', 'select public.take_over(1)') $$, '42501', null, 'and takes over no more');
select tests.act_as_owner();
select is(
  (select array_agg(distinct action::text || ' ' || coalesce(university_id, '')) from private.audit_log where target_type = 'counselor_shifts' and actor_id = tests.id_of('uma')),
  '{"settings_changed hillside"}', 'changes of the plan are in the audit log'
);

-- The mail of the morning.
delete from private.outbox;
update public.universities set time_zone = 'Europe/Berlin' where id = 'hillside';
insert into private.counselor_shifts (university_id, user_id, starts_at, ends_at)
values ('hillside', tests.id_of('cyd'), '2026-11-30 08:00+01', '2026-12-06 20:00+01');
select is(private.tell_of_uncovered_hours('2026-11-30 09:07+01'), 0, 'at nine nobody is told');
select is(private.tell_of_uncovered_hours('2026-11-30 08:07+01'), 1, 'at eight the administrators are told once');
select results_eq(
  $$ select recipient, substring(body from '\n\n(Sun.*)\n\nThe') from private.outbox $$,
  $$ values ('uma@hillside.example.edu', 'Sun 2026-12-06 20:00 to Mon 2026-12-07 08:07') $$,
  'which hours nobody covers, by the clock of the university'
);
select is(private.tell_of_uncovered_hours('2026-11-30 07:07+00'), 1, 'which is not UTC''s');
delete from private.counselor_shifts;
select is(private.tell_of_uncovered_hours('2026-11-30 08:07+01'), 0, 'where no plan is kept nobody is told');
select ok(
  exists (select from cron.job where jobname = 'tell-of-uncovered-hours' and schedule = '7 * * * *'), 'it is looked at once an hour'
);

select * from finish();
