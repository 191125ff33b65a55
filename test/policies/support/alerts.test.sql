-- What opens an alert, whom it asks and when, who else learns of it, and how it ends.
select plan(45);

select vault.create_secret('https://pages.example.edu', 'pages_url') where not exists (
  select from vault.secrets where name = 'pages_url'
);
update public.universities set support_email = 'support@hillside.example.edu' where id = 'hillside';
update public.profiles set first_name = 'Ada' where user_id = tests.id_of('ada');

-- Noon, so that nobody's day is over when a text is queued.
create function tests.at(hours numeric)
returns timestamptz
language sql
stable
as $$ select date_trunc('day', now(), 'UTC') + interval '12 hours' + make_interval(mins => (hours * 60)::integer) $$;
create function tests.worry(person text, days integer)
returns void
language sql
as $$
  insert into private.worrying_days (user_id, day)
  select tests.id_of(person), (tests.at(0) at time zone 'UTC')::date - n from generate_series(0, days - 1) n
  on conflict do nothing
$$;
create function tests.befriend(person text, contacts integer)
returns void
language sql
as $$
  -- Contacts are named with the consent; a story that has none begins after it.
  select tests.give_consent(tests.id_of(person), '{support_circle}', '1') where not private.has_consent(tests.id_of(person), 'support_circle');
  select private.hear_answer();
  insert into public.buddy_contacts (
    user_id, name, phone, email, priority_rank, verified, verified_at, phone_confirmed_at, phone_confirmed_by, texts_at_night
  )
  select tests.id_of(person), 'Robin ' || chr(64 + n), '+1202555010' || n, 'robin' || n || '@example.com', n, true, now(), now(), 'reply', true
  from generate_series(1, contacts) n;
  select tests.past(format($s$ delete from public.consents where user_id = %L and version = '1' $s$, tests.id_of(person)));
$$;
create function tests.agree(person text)
returns void
language sql
as $$ select tests.give_consent(tests.id_of(person), '{support_circle}') $$;
create function tests.alert_of(person text, out status text, out step smallint)
language sql
as $$ select a.status, a.step from public.support_alerts a where a.user_id = tests.id_of(person) order by a.opened_at desc limit 1 $$;
create function tests.asked(person text)
returns text[]
language sql
as $$
  select array_agg(c.name order by c.name)
  from public.buddy_check_in_requests r
  join public.buddy_contacts c on c.id = r.buddy_contact_id
  where r.user_id = tests.id_of(person)
$$;
-- As if the provider had accepted the texts that wait.
create function tests.deliver(at timestamptz)
returns void
language sql
as $$
  update private.outbox
  set status = 'sent', ended_at = at, provider_called_at = at
  where channel = 'sms' and status = 'queued' and send_at <= at;
  update public.buddy_check_in_requests r
  set delivery_status = 'sent', sent_at = at
  from private.outbox o
  where o.request_id = r.id and o.status = 'sent' and r.sent_at is null
$$;
create function tests.answer(person text, contact text, response text, at timestamptz)
returns void
language plpgsql
as $$
declare
  request uuid;
begin
  update public.buddy_check_in_requests r
  set response_type = response, response_received_at = at
  from public.buddy_contacts c
  where c.id = r.buddy_contact_id and c.name = contact and r.user_id = tests.id_of(person)
  returning r.id into request;
  perform private.answer_alert(request, response, at);
end
$$;

-- Worrying days
insert into checkin.check_ins (id, user_id, type, status, submitted_at)
values
  ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'daily', 'processing', now()),
  ('00000000-0000-4000-8000-00000000000b', tests.id_of('ben'), 'daily', 'processing', now()),
  ('00000000-0000-4000-8000-00000000000c', tests.id_of('eve'), 'daily', 'processing', now());
update checkin.check_ins set risk_level = 'moderate' where user_id = tests.id_of('ada');
select is_empty('select day from private.worrying_days', 'a risk counts when the check-in has ended');
update checkin.check_ins set status = 'failed', completed_at = now() where user_id = tests.id_of('ada');
update checkin.check_ins set status = 'complete', completed_at = now(), risk_level = 'mild' where user_id <> tests.id_of('ada');
select results_eq(
  'select user_id, day from private.worrying_days',
  $$ values (tests.id_of('ada'), (now() at time zone 'UTC')::date) $$,
  'a moderate risk makes a worrying day, also where nothing could be scored; a mild one does not'
);
insert into checkin.fusion_results (
  check_in_id, user_id, score, uncertainty, direction_of_change, significance, risk_level, summary, themes,
  drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version
)
select c.id, c.user_id, 40, 0.2, 'worse',
  case c.user_id when tests.id_of('ben') then 'high' else 'medium' end::checkin.significance,
  'mild', 'Lower than usual.', '{}', '{}', '{}', '[]', '[]', '{}', 'test'
from checkin.check_ins c
where c.user_id <> tests.id_of('ada');
select set_eq(
  'select user_id from private.worrying_days', $$ values (tests.id_of('ada')), (tests.id_of('ben')) $$,
  'a score that is clearly worse than usual makes one too, one that is a little worse does not'
);
truncate private.worrying_days;
select private.collect_worrying_days();
select set_eq(
  'select user_id from private.worrying_days', $$ values (tests.id_of('ada')), (tests.id_of('ben')) $$,
  'they can be collected from the check-ins'
);
insert into private.worrying_days select tests.id_of('eve'), (now() at time zone 'UTC')::date - n from generate_series(30, 31) n;
select private.purge_kind('worrying_days', now(), 1000);
select is(
  (select count(*) from private.worrying_days where user_id = tests.id_of('eve')), 1::bigint,
  'days that no pattern counts any more are deleted'
);
truncate private.worrying_days;

-- Opening
select tests.befriend('ada', 5);
select tests.worry('ada', 3);
select private.tick_support_alerts(tests.at(0));
select is_empty('select id from public.support_alerts', 'without consent no alert opens');
select tests.agree('ada');
select tests.past($$ insert into public.support_preferences (user_id, alerts_paused_until) values (tests.id_of('ada'), tests.at(1)) $$);
select private.tick_support_alerts(tests.at(0));
select is_empty('select id from public.support_alerts', 'nor while the student has paused them');
select private.tick_support_alerts(tests.at(1));
select results_eq(
  'select user_id, status, worrying_days::integer, step::integer, opened_at from public.support_alerts',
  $$ values (tests.id_of('ada'), 'open', 3, 1, tests.at(1)) $$,
  'three worrying days open one'
);
select is(tests.asked('ada'), '{Robin A,Robin B}', 'which asks the first two contacts');
select is(
  (select count(*) from private.outbox where purpose = 'support_alert' and body ~ '^Student wellbeing [(]automated[)]: Robin [AB], please check on Ada, 3 worrying days: https://pages.example.edu/buddy/alert/[A-Za-z0-9_-]{22} Reply STOP to opt out$'),
  2::bigint, 'with what the specification names: both names, the days, the link, that it is automated, and STOP'
);
select is(
  (select array_agg(recipient) from private.outbox where purpose = 'support_alert_notice' and body like '%- Robin A' || E'\n' || '- Robin B' || E'\n%'),
  '{ada@hillside.example.edu}', 'and writes to the student whom it asks'
);
select is(
  (
    select array_agg(payload ->> 'asked' order by inserted_at)
    from realtime.messages
    where topic = 'support:' || tests.id_of('ada') and event = 'support_alert'
  ) is not null,
  true, 'who also hears of it on the channel'
);
select private.tick_support_alerts(tests.at(1.1));
select is((select count(*) from public.buddy_check_in_requests), 2::bigint, 'another run asks nobody again');

-- Escalation
select tests.deliver(tests.at(2));
select private.tick_support_alerts(tests.at(7.9));
select is((tests.alert_of('ada')).step, 1::smallint, 'the contacts have six hours from when the first text was sent');
delete from public.buddy_contacts where user_id = tests.id_of('ada') and name = 'Robin D';
insert into public.buddy_contacts (user_id, name, phone, email, priority_rank, verified, verified_at)
values (tests.id_of('ada'), 'Robin 9', '+12025550109', 'robin9@example.com', 4, true, now());
select private.tick_support_alerts(tests.at(8));
select is(tests.asked('ada'), '{Robin A,Robin B,Robin C}', 'then the next two of the plan are asked, without who was removed or came later');
select tests.deliver(tests.at(8));
select tests.answer('ada', 'Robin C', 'unavailable', tests.at(9));
select is(tests.asked('ada'), '{Robin A,Robin B,Robin C,Robin E}', 'when all are unavailable, the next are asked at once');
select is_empty($$ select id from private.outbox where purpose = 'support_alert_escalation' $$, 'the crisis contact was not told so far');
select tests.answer('ada', 'Robin E', 'unavailable', tests.at(10));
select is((tests.alert_of('ada')).status, 'escalated', 'when nobody is left, the alert ends');
select results_eq(
  $$ select source::text, risk_level::text, status::text from public.clinical_reviews $$,
  $$ values ('support_alert', 'moderate', 'open') $$, 'in a clinical review'
);
select results_eq(
  $$ select recipient, body ~* '\mada\M' from private.outbox where purpose like 'support_alert_esc%' or purpose = 'clinical_review' $$,
  $$ values ('support@hillside.example.edu', false) $$, 'and one mail to the crisis contact, which names no student'
);
select tests.worry('ada', 4);
select private.tick_support_alerts(tests.at(72));
select is((select count(*) from public.support_alerts), 1::bigint, 'for 72 hours no other alert opens');
update checkin.check_ins set risk_level = 'high' where user_id = tests.id_of('ada');
select is(
  (select count(*) from private.outbox where purpose = 'clinical_review'), 1::bigint,
  'a crisis that joins the review is told of at once'
);

-- Endings
select tests.agree('ben');
select tests.befriend('ben', 2);
select tests.worry('ben', 3);
select private.tick_support_alerts(tests.at(0));
select tests.deliver(tests.at(0));
select tests.answer('ben', 'Robin B', 'messaged', tests.at(1));
select is((tests.alert_of('ben')).status, 'answered', 'one contact who called or messaged ends an alert');
delete from public.support_alerts where user_id = tests.id_of('ben');
delete from private.outbox;

select private.tick_support_alerts(tests.at(0));
select is((select count(*) from private.outbox where channel = 'sms' and status = 'queued'), 2::bigint, 'texts wait');
update public.consents set withdrawn_at = now() where user_id = tests.id_of('ben');
select private.tick_support_alerts(tests.at(0.1));
select is((tests.alert_of('ben')).status, 'resolved', 'a student who withdraws consent ends it');
select is(
  (select count(*) from private.outbox where channel = 'sms' and status = 'cancelled'), 2::bigint,
  'and what waits is not sent'
);
delete from public.support_alerts where user_id = tests.id_of('ben');
delete from private.outbox;

select tests.agree('ben');
select private.tick_support_alerts(tests.at(0));
update public.buddy_contacts set is_active = false, priority_rank = null where user_id = tests.id_of('ben') and name = 'Robin B';
update private.outbox set send_at = tests.at(0) + interval '10 hours';
select private.tick_support_alerts(tests.at(6));
select results_eq(
  $$ select status, crisis_contact_told_at from public.support_alerts where user_id = tests.id_of('ben') $$,
  $$ values ('open', tests.at(6)) $$, 'texts that wait for six hours tell the crisis contact meanwhile'
);
select tests.deliver(tests.at(10));
select private.tick_support_alerts(tests.at(16));
select is((tests.alert_of('ben')).status, 'escalated', 'and the contact is still asked and has the time to respond');
select is(
  (select count(*) from private.outbox where purpose = 'support_alert_escalation'), 1::bigint, 'the crisis contact is told once'
);
delete from public.support_alerts where user_id = tests.id_of('ben');
delete from private.outbox;
update public.buddy_contacts set is_active = true, priority_rank = 2 where user_id = tests.id_of('ben') and name = 'Robin B';

select private.tick_support_alerts(tests.at(0));
select tests.deliver(tests.at(1));
select private.tick_support_alerts(tests.at(49));
select results_eq(
  $$ select status, crisis_contact_told_at from public.support_alerts where user_id = tests.id_of('ben') $$,
  $$ values ('expired', tests.at(49)) $$, 'an alert ends after 48 hours, and the crisis contact knows'
);
delete from public.support_alerts where user_id = tests.id_of('ben');
delete from private.outbox;

update public.buddy_contacts set verified = false, verified_at = null where user_id = tests.id_of('ben');
select private.tick_support_alerts(tests.at(0));
select results_eq(
  $$ select status, step::integer, crisis_contact_told_at from public.support_alerts where user_id = tests.id_of('ben') $$,
  $$ values ('escalated', 0, tests.at(0)) $$, 'with nobody verified, the crisis contact is told at once'
);
delete from public.support_alerts where user_id = tests.id_of('ben');
delete from private.outbox;
update public.buddy_contacts set verified = true, verified_at = now() where user_id = tests.id_of('ben');

-- A text that the provider has while the alert ends.
delete from public.buddy_check_in_requests where user_id = tests.id_of('ben');
select private.tick_support_alerts(tests.at(0));
create function tests.text_to(number text)
returns private.outbox
language sql
as $$ select * from private.outbox where channel = 'sms' and recipient = number order by created_at desc limit 1 $$;
update private.outbox set send_at = now() where channel = 'sms';
delete from private.outbox where channel = 'email';
select private.claim_messages(2);
select private.mark_provider_call((tests.text_to('+12025550102')).id, 1::smallint);
select tests.answer('ben', 'Robin A', 'called', tests.at(0));
select is(
  private.record_delivery((tests.text_to('+12025550102')).id, 1::smallint, 'not_sent', 'twilio', null, '20429', null)::text,
  'cancelled', 'a text that the provider did not take is not tried again once the alert has ended'
);
update private.outbox set status = 'queued', ended_at = null, send_at = now() where recipient = '+12025550102';
select results_eq(
  $$ select status::text from private.claim_messages(2) $$, $$ values ('cancelled') $$, 'nor sent where it was queued anew'
);
delete from public.support_alerts where user_id = tests.id_of('ben');
delete from private.outbox;

-- All right
select private.tick_support_alerts(tests.at(0));
update private.outbox set send_at = tests.at(-24) where channel = 'sms' and recipient = '+12025550101';
select tests.deliver(tests.at(-24));
select tests.act_as(tests.id_of('ada'));
select is(public.report_all_right(), null, 'who has no open alert has nothing to end');
select is((select count(*) from public.support_alerts where status = 'open'), 0::bigint, 'and sees nobody else''s');
select throws_ok('update public.support_alerts set status = ''resolved''', '42501', null, 'nor changes any');
select tests.act_as(tests.id_of('ben'));
select is(
  public.report_all_right() - 'alert_id', '{"status": "resolved", "contacts_told": 1}',
  'a student who is all right ends the alert, which is passed on to the contact who was texted'
);
select is(public.report_all_right(), null, 'once');
select tests.act_as_owner();
select results_eq(
  $$ select recipient, purpose, status::text from private.outbox where channel = 'sms' order by recipient, purpose $$,
  $$
    values
      ('+12025550101', 'support_alert', 'sent'),
      ('+12025550101', 'support_all_right', 'queued'),
      ('+12025550102', 'support_alert', 'cancelled')
  $$,
  'and not to the one whose text still waited'
);
delete from public.support_alerts where user_id = tests.id_of('ben');
delete from private.outbox;

create function tests.all_right_after(first_status text, second_status text)
returns text
language plpgsql
as $$
declare
  told text;
begin
  perform private.tick_support_alerts(tests.at(0));
  perform tests.deliver(tests.at(24));
  update private.outbox
  set provider_status = case recipient when '+12025550101' then first_status else second_status end
  where purpose = 'support_alert';
  perform tests.act_as(tests.id_of('ben'));
  perform public.report_all_right();
  perform tests.act_as_owner();
  select string_agg(right(recipient, 1), ',' order by recipient) into told from private.outbox where purpose = 'support_all_right';
  delete from public.support_alerts where user_id = tests.id_of('ben');
  delete from private.outbox;
  return told;
end
$$;
select is(tests.all_right_after('sent', 'delivered'), '1,2', 'all right is passed on to who may have got the text, whether or not its delivery is confirmed');
select is(tests.all_right_after('undelivered', 'failed'), null, 'and not to who certainly did not');
select tests.past($$ insert into public.support_preferences (user_id, pass_on_all_right) values (tests.id_of('ben'), false) $$);
select private.tick_support_alerts(tests.at(0));
select tests.deliver(tests.at(24));
select tests.act_as(tests.id_of('ben'));
select is(public.report_all_right() ->> 'contacts_told', '0', 'unless the student has switched that off');
select tests.act_as_nobody();
select throws_ok('select public.report_all_right()', '42501', null, 'nobody signed in can say so');
select tests.act_as_owner();

-- Nothing ran for days
delete from public.support_alerts;
select private.tick_support_alerts(tests.at(0));
insert into private.worrying_days (user_id, day)
select tests.id_of('ben'), (tests.at(0) at time zone 'UTC')::date + n from generate_series(1, 3) n;
select private.tick_support_alerts(tests.at(74));
select bag_eq(
  $$ select status, opened_at from public.support_alerts where user_id = tests.id_of('ben') $$,
  $$ values ('expired', tests.at(0)), ('open', tests.at(74)) $$,
  'the first run after an outage of days ends an alert and opens the next'
);

-- What is wrong with one student
update public.buddy_contacts set name = repeat('x', 10);
delete from public.support_alerts;
delete from public.support_preferences;
update auth.users set email = repeat('y', 10) || '@hillside.example.edu' where id = tests.id_of('ada');
create function tests.refuse_ada() returns trigger language plpgsql as $$
begin
  if new.user_id = tests.id_of('ada') then
    raise exception 'broken';
  end if;
  return new;
end
$$;
create trigger refuse_ada before insert on public.buddy_check_in_requests for each row execute function tests.refuse_ada();
select private.tick_support_alerts(tests.at(0));
select results_eq(
  'select user_id from public.support_alerts', 'select tests.id_of(''ben'')', 'keeps nobody else''s alert from opening'
);

select * from finish();
