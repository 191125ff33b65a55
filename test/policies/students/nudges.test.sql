-- A kind message from a counselor, and when a student was last heard of.
select plan(37);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('cyd', tests.new_student('cyd@hillside.example.edu')),
  ('lou', tests.new_student('lou@lakeview.example.edu')),
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('bea', tests.new_student('bea@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('cyd'), 'counselor', 'hillside'),
  (tests.id_of('lou'), 'counselor', 'lakeview'),
  (tests.id_of('uma'), 'university_admin', 'hillside');
update public.profiles set first_name = 'Cora', last_name = 'Quill' where user_id = tests.id_of('cora');
update public.profiles set first_name = 'Ada', language = 'de-AT', time_zone = 'Pacific/Auckland' where user_id = tests.id_of('ada');
update public.universities set support_email = 'help@hillside.example.edu', country = 'DE' where id = 'hillside';
select tests.give_consent(tests.id_of('ada'), '{counselor_access, camera}');

create function tests.nudge(student text, kind text default 'come_by')
returns text
language sql
as $$ select format('select public.nudge_student(%L, %L)', tests.id_of(student), kind) $$;

-- Who may.
select tests.act_as(tests.id_of('lou'));
select throws_ok(tests.nudge('ada'), 'PT404', null, 'a counselor elsewhere has nobody written to');
select is(public.list_nudges(tests.id_of('ada')), null, 'and sees nothing');
select tests.act_as(tests.id_of('uma'));
select throws_ok(tests.nudge('ada'), 'PT404', null, 'nor has an administrator');
select tests.act_as(tests.id_of('ada'));
select throws_ok(tests.nudge('bea'), 'PT404', null, 'nor a student');
select is(public.list_nudges(tests.id_of('ada')), null, 'who sees no list of their own either');
select tests.act_as_nobody();
select throws_ok(tests.nudge('ada'), '42501', null, 'nor a visitor');
select tests.act_as(tests.id_of('cora'));
select throws_ok(tests.nudge('bea'), 'PT404', null, 'nor a counselor, to a student who agreed to nothing and is in no review');
select throws_ok(tests.nudge('cora'), 'PT404', null, 'nor to themselves');
select throws_ok(tests.nudge('ada', 'buy_now'), 'PT400', null, 'the words are among a few');
select throws_ok(tests.nudge('ada', null), 'PT400', null, 'and one of them');

-- What is sent.
select ok((select public.nudge_student(tests.id_of('ada'), 'come_by') ? 'send_at'), 'to one who agreed a counselor has a message sent');
select throws_ok(tests.nudge('ada', 'check_in'), 'PT429', null, 'one in a day');
select tests.act_as(tests.id_of('cyd'));
select throws_ok(tests.nudge('ada', 'check_in'), 'PT429', null, 'whichever counselor asks');
select is(
  public.list_nudges(tests.id_of('ada')) -> 0 #- '{id}' #- '{send_at}' #- '{created_at}',
  '{"kind": "come_by", "by_name": "Cora Quill", "state": "queued", "ended_at": null}', 'colleagues see it, and whether it was sent'
);
select tests.act_as_owner();
select results_eq(
  'select recipient, subject, body from private.outbox',
  $$
    values (
      'ada@hillside.example.edu', 'Ein Gruß von deiner Universität',
      E'Hallo Ada,\n\nwir würden uns freuen, dich zu sehen. Komm vorbei, wann es dir passt, mit oder ohne Anlass.\n\n'
      'Du kannst uns unter help@hillside.example.edu schreiben.\n\nCora Quill\nHillside University invented\n\n'
      'Wenn du in Gefahr bist oder daran denkst, dir etwas anzutun, ruf jetzt an: 112.'
    )
  $$,
  'in the language of the student'
);
select ok(
  (select (send_at at time zone 'Pacific/Auckland')::time between '08:00' and '21:00' and send_at < now() + interval '13 hours' from private.outbox),
  'by day where the student is'
);
select is(
  private.next_day_time('Europe/Berlin', '2026-03-29 00:30+01'), timestamptz '2026-03-29 08:00+02', 'after midnight it waits for the morning, in a short night'
);
select is(private.next_day_time('Europe/Berlin', '2026-10-24 23:30+02'), timestamptz '2026-10-25 08:00+01', 'and before midnight, in a long one');
select is(private.next_day_time('Europe/Berlin', '2026-10-24 12:30+02'), timestamptz '2026-10-24 12:30+02', 'by day it waits for nothing');
set constraints all immediate;
set constraints all deferred;
select results_eq(
  $$ select actor_id, subject_id, after ->> 'kind' from private.audit_log where action = 'student_nudged' $$,
  $$ values (tests.id_of('cora'), tests.id_of('ada'), 'come_by') $$, 'it is in the audit log'
);
select tests.act_as(tests.id_of('ada'));
select results_eq(
  $$ select action::text, name from public.list_own_accesses() where action = 'student_nudged' $$, $$ values ('student_nudged', 'Cora Quill') $$,
  'of which the student learns'
);
select tests.act_as_owner();
update private.nudges set created_at = now() - interval '24 hours';
select tests.act_as(tests.id_of('cyd'));
select lives_ok(tests.nudge('ada', 'thinking_of_you'), 'a day later there may be another');
select tests.act_as_owner();
select private.open_clinical_review(tests.id_of('bea'), 'session', gen_random_uuid());
select tests.act_as(tests.id_of('cora'));
select lives_ok(tests.nudge('bea'), 'as there may be to one who is in review');
select tests.act_as_owner();
select is(
  (select split_part(body, E'\n', 1) from private.outbox where recipient = 'bea@hillside.example.edu' and purpose = 'student_nudge'), 'Hello,', 'also without a name'
);


-- What waits for the morning is asked again then.
create function tests.as_counselor(statement text)
returns void
language plpgsql
as $$
begin
  perform tests.act_as(tests.id_of('cora'));
  execute statement;
  perform tests.act_as_owner();
end
$$;
create function tests.may_go()
returns boolean
language sql
as $$ select private.may_send(o) from private.outbox o where o.recipient = 'bea@hillside.example.edu' and o.purpose = 'student_nudge' $$;
select is(tests.may_go(), true, 'it goes as long as the student is in review');
delete from public.user_roles where user_id = tests.id_of('cora') and role = 'counselor';
select is(tests.may_go(), false, 'not from whoever is no counselor any more');
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('cora'), 'counselor', 'hillside');
select tests.as_counselor(format('select public.claim_review(%1$L), public.close_review(%1$L, ''referred'')', r.id))
from public.clinical_reviews r
where r.user_id = tests.id_of('bea');
select is(tests.may_go(), false, 'nor to whoever is in no review any more, and has agreed to nothing');
select tests.give_consent(tests.id_of('bea'), '{counselor_access, camera}');
select is(tests.may_go(), true, 'it goes to whoever has agreed');
select tests.act_as(tests.id_of('bea'));
select public.withdraw_consent('counselor_access');
select tests.act_as_owner();
select is(tests.may_go(), false, 'and not once that is withdrawn');

-- When somebody was last heard of.
select is(
  private.signs_of_life(tests.id_of('eve')) - 'last_contact_at', '{"last_check_in_at": null, "last_upload_at": null}', 'whoever never did anything has none'
);
insert into checkin.check_ins (user_id, type, status, created_at, submitted_at, completed_at)
select tests.id_of('ada'), 'daily', 'complete', now() - interval '3 days', now() - interval '2 days', now() - interval '1 day';
select is(
  (private.signs_of_life(tests.id_of('ada')) ->> 'last_check_in_at')::timestamptz, now() - interval '2 days', 'a check-in counts when it was submitted'
);
insert into checkin.check_ins (user_id, type) values (tests.id_of('ada'), 'daily');
insert into storage.buckets (id, name) values ('check-in-images', 'check-in-images') on conflict do nothing;
select set_config('request.method', 'POST', true);
select set_config('storage.operation', 'storage.object.sign_upload', true);
insert into storage.objects (bucket_id, name, owner_id)
select 'check-in-images', user_id || '/' || id || '/1.jpg', user_id::text from checkin.check_ins where status = 'created';
select set_config('request.method', '', true);
select is((private.signs_of_life(tests.id_of('ada')) ->> 'last_upload_at')::timestamptz, now(), 'an upload by itself');
delete from auth.sessions;
update auth.users set last_sign_in_at = now() - interval '9 days' where id = tests.id_of('bea');
select is(
  (private.signs_of_life(tests.id_of('bea')) ->> 'last_contact_at')::timestamptz, now() - interval '9 days', 'a sign-in is a contact'
);
insert into auth.sessions (id, user_id, created_at, refreshed_at)
values (gen_random_uuid(), tests.id_of('bea'), now() - interval '8 days', (now() - interval '20 minutes') at time zone 'UTC');
select is(
  (private.signs_of_life(tests.id_of('bea')) ->> 'last_contact_at')::timestamptz, now() - interval '20 minutes', 'and so is its renewal'
);
select private.keep_last_contacts(now());
delete from auth.sessions;
select is(
  (private.signs_of_life(tests.id_of('bea')) ->> 'last_contact_at')::timestamptz, now() - interval '20 minutes', 'which is still known after a sign-out'
);
select tests.act_as(tests.id_of('cora'));
select tests.act_as_owner();
insert into auth.sessions (id, user_id) values (tests.id_of('cora'), tests.id_of('cora'));
select tests.act_as(tests.id_of('cora'));
select public.log_access('students_listed', university_id => 'hillside'), public.log_access('student_read', student_id => tests.id_of('ada'));
select is(
  (public.list_students('hillside') -> 'students' -> 0 -> 'signs_of_life' ->> 'last_upload_at')::timestamptz, now(), 'counselors see it in their list'
);
select is(
  public.read_student(tests.id_of('ada')) -> 'signs_of_life', public.list_students('hillside') -> 'students' -> 0 -> 'signs_of_life', 'and of one student'
);

select * from finish();
