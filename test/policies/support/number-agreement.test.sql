-- The number's own agreement, who may be texted without it, and what texts of a day may cost.
select plan(64);

select vault.create_secret('https://pages.example.edu', 'pages_url') where not exists (select from vault.secrets where name = 'pages_url');
select tests.give_consent(tests.id_of(name), '{support_circle}', '1') from unnest(array['ada', 'ben', 'eve']) as name;
update public.profiles set first_name = 'Ada', last_name = 'Example, call 0800 or evil.example' where user_id = tests.id_of('ada');

-- A moment of days after noon in New York, which is day for everybody here.
create function tests.at(days numeric)
returns timestamptz
language sql
as $$ select date_trunc('day', now(), 'UTC') + interval '17 hours' + days * interval '1 day' $$;
create function tests.invite(owner text, number text, mailbox text)
returns uuid
language sql
as $$
  insert into public.buddy_contacts (user_id, name, phone, email, verification_token, verification_token_expires_at)
  values (tests.id_of(owner), 'Call your bank 0800', number, mailbox, private.link_token_hash(owner || number), tests.at(70))
  returning id
$$;
create function tests.agree(owner text, number text, days numeric)
returns text
language sql
as $$
  select private.decide_verification(
    private.link_token_hash(owner || number), true, null, false, 'America/New_York', true, '{"version": "1", "text": "x"}', null, null, 'form',
    tests.at(days)
  )
$$;
create function tests.code(number text)
returns text
language sql
as $$
  select substring(body from 'type ([0-9]{6}) on') from private.outbox
  where recipient = number and purpose = 'buddy_first_text' order by created_at desc, send_at desc limit 1
$$;
create function tests.type(owner text, number text, code text, days numeric)
returns text
language sql
as $$ select private.confirm_by_code(private.link_token_hash(owner || number), code, tests.at(days)) $$;
create function tests.texts(number text)
returns text
language sql
as $$
  select string_agg(replace(purpose, 'buddy_', '') || ' ' || status, ', ' order by purpose, status)
  from private.outbox where recipient = number
$$;
create function tests.confirmed(owner text, number text)
returns text
language sql
as $$ select phone_confirmed_by from public.buddy_contacts where user_id = tests.id_of(owner) and phone = number $$;
create function tests.ask(owner text, number text, days numeric)
returns text
language sql
as $$
  select concat_ws(' ', r ->> 'outcome', r ->> 'waits_for')
  from public.buddy_contacts c, private.request_check_in(tests.id_of(owner), c.id, tests.at(days)) as r
  where c.user_id = tests.id_of(owner) and c.phone = number
$$;
create function tests.hear(number text, meaning text)
returns jsonb
language sql
as $$ select private.hear_text('SM' || gen_random_uuid(), number, meaning, now()) $$;
create function tests.send(number text)
returns void
language sql
as $$
  update private.outbox set status = 'sent', ended_at = now()
  where recipient = number and purpose = 'buddy_first_text' and status = 'queued'
$$;

-- By email alone
select tests.invite('ada', '+12025550101', 'ada-herself@example.com');
select is(private.queue_first_text(id, tests.at(0)), null, 'before anybody agreed by email, no number is asked')
from public.buddy_contacts;
select is(tests.agree('ada', '+12025550101', 0), 'accepted', 'a mailbox agrees');
select ok((select verified from public.buddy_contacts), 'which verifies the contact');
select is(tests.confirmed('ada', '+12025550101'), null, 'but not the number');
select results_eq(
  $$ select purpose, recipient, regexp_replace(body, '[0-9]{6}', 'CODE') from private.outbox $$,
  $$
    values (
      'buddy_first_text', '+12025550101',
      'Student wellbeing: student "Ada Example call or" named your number as contact. Reply YES to agree, or type CODE on our email''s page. STOP to refuse'
    )
  $$,
  'which is asked in fixed words'
);
select ok(not private.may_reach(id, 'sms', phone), 'and may be sent nothing else') from public.buddy_contacts;
select is(private.queue_text(id, 'support_alert', 'Invented', null, tests.at(0)), null, 'no alert is queued to it') from public.buddy_contacts;
select is(private.queue_text(id, 'support_all_right', 'Invented', null, tests.at(0)), null, 'and no "all right"') from public.buddy_contacts;
select is(private.ask_contact(id, 'system_initiated', 3, tests.at(0)), null, 'an alert asks it nothing') from public.buddy_contacts;
select is(tests.ask('ada', '+12025550101', 0.1), 'requested agreement', 'a request waits');
select is(tests.texts('+12025550101'), 'check_in queued, first_text queued', 'with its text');
select is((select delivery_status from public.buddy_check_in_requests), 'queued', 'and says so');
select is(tests.ask('ada', '+12025550101', 0.2), 'rate_limited', 'once a day');
insert into private.outbox (channel, purpose, user_id, contact_id, recipient, body)
select 'sms', 'export', user_id, id, phone, 'Whatever somebody queues' from public.buddy_contacts;
update private.outbox set send_at = now() where purpose = 'buddy_first_text';
select private.claim_messages(10);
select is(
  tests.texts('+12025550101'), 'check_in queued, first_text sending, export cancelled', 'what is queued past all that is cancelled by the sender'
);
update private.outbox set status = 'queued', attempts = 0, lease_until = null where status = 'sending';
update private.outbox set send_at = now() where purpose = 'buddy_check_in';
select private.claim_messages(10);
select is(
  (select delivery_status from public.buddy_check_in_requests), 'cancelled', 'as is a request that nobody agreed to by the next day'
);

-- A month, across students
select tests.send('+12025550101');
select tests.invite('ben', '+12025550101', 'ben-himself@example.com');
select tests.agree('ben', '+12025550101', 1);
select is(tests.ask('ben', '+12025550101', 1), 'requested agreement', 'another student''s request waits as well');
select is((select count(*) from private.outbox where purpose = 'buddy_first_text'), 1::bigint, 'and the number is not asked again');
select is(tests.ask('ben', '+12025550101', 29), 'requested agreement', 'in four weeks neither');
select is((select count(*) from private.outbox where purpose = 'buddy_first_text'), 1::bigint, 'not once');
select is(tests.ask('ben', '+12025550101', 31), 'requested agreement', 'after a month');
select is((select count(*) from private.outbox where purpose = 'buddy_first_text'), 2::bigint, 'it is');
select tests.send('+12025550101');
select is((tests.hear('+12025550101', 'yes')) -> 'agreed', 'true', 'a YES agrees');
select is(tests.confirmed('ben', '+12025550101'), 'reply', 'for whom the last text was about');
select is(tests.confirmed('ada', '+12025550101'), null, 'and for nobody else');
select is((tests.hear('+12025550101', 'yes')) -> 'agreed', 'false', 'once');
select is(
  (select metadata ->> 'number_confirmed_by' from public.buddy_verification_audit where user_id = tests.id_of('ben') and event_type = 'verification_accepted'),
  'reply', 'the proof of the agreement has it'
);
select is(
  (select count(*) from private.outbox o where o.user_id = tests.id_of('ben') and o.purpose = 'buddy_check_in' and o.send_at <= tests.at(31)), 3::bigint,
  'and what waited is sent'
);

-- The code
select tests.invite('ada', '+12025550102', 'cy@example.com');
select tests.agree('ada', '+12025550102', 0);
select is((select count(*) from private.first_texts where code_hash = private.hash_of_number('+12025550102 ' || tests.code('+12025550102'))), 1::bigint, 'only its hash is stored');
select is(tests.type('ada', '+12025550102', tests.code('+12025550102'), 0.1), 'wrong_code', 'and nobody has it before the text is sent');
select tests.send('+12025550102');
select is(tests.type('ada', '+12025550102', 'wrong', 0.1), 'wrong_code', 'a wrong code is none');
select is(tests.type('ada', '+12025550102', tests.code('+12025550102'), 31), 'wrong_code', 'nor one of last month');
select is(tests.type('ada', '+12025550102', tests.code('+12025550102'), 0.1), 'confirmed', 'the right one confirms the number');
select is(tests.type('ada', '+12025550102', tests.code('+12025550102'), 0.1), 'decided', 'once');
select tests.invite('ben', '+12025550102', 'CY+ben@example.com');
select tests.agree('ben', '+12025550102', 1);
select is(tests.confirmed('ben', '+12025550102'), 'code', 'the same mailbox needs no other text for it');
select tests.invite('eve', '+12025550102', 'eve-herself@example.com');
select tests.agree('eve', '+12025550102', 1);
select is(tests.confirmed('eve', '+12025550102'), null, 'another one does');
select is(tests.type('eve', '+12025550102', tests.code('+12025550102'), 1), 'confirmed', 'or the code that the number got, whoever typed it first');

select tests.invite('eve', '+12025550105', 'fi@example.com');
select tests.agree('eve', '+12025550105', 0);
select private.confirm_number(id, 'code', now()) from public.buddy_contacts where phone = '+12025550105';
select tests.hear('+12025550105', 'stop');
select is(tests.texts('+12025550105'), 'first_text cancelled', 'a stop is heard although the number agreed before its text was sent');

-- Other words that agree
select tests.invite('eve', '+12025550106', 'gil@example.com');
select tests.agree('eve', '+12025550106', 0);
select tests.send('+12025550106');
select tests.hear('+12025550106', 'stop');
select is(tests.hear('+12025550106', 'agree') - '{repeated,may_answer,replied,support_email}'::text[], '{"agreed": false, "changed": false, "opted_out": true}', 'lift no stop');
select is(tests.hear('+12025550106', 'yes') - '{repeated,may_answer,replied,support_email}'::text[], '{"agreed": true, "changed": true, "opted_out": false}', 'as a YES does');
select tests.invite('eve', '+12025550107', 'hal@example.com');
select tests.agree('eve', '+12025550107', 0);
select tests.send('+12025550107');
select is(tests.hear('+12025550107', 'agree') -> 'agreed', 'true', 'and agree where there is none');

-- Tries
select tests.invite('ben', '+12025550108', 'ida@example.com');
select tests.agree('ben', '+12025550108', 0);
select tests.send('+12025550108');
select is(
  (select string_agg(tests.type('ben', '+12025550108', 'wrong', 0.1), ' ') from generate_series(1, 6)),
  'wrong_code wrong_code wrong_code wrong_code too_many_tries too_many_tries', 'a student''s contacts have five tries for a number'
);
select is(tests.type('ben', '+12025550108', tests.code('+12025550108'), 0.2), 'too_many_tries', 'then not even the right one is taken');
select tests.invite('eve', '+12025550108', 'jo@example.com');
select tests.agree('eve', '+12025550108', 0.1);
select is(tests.type('eve', '+12025550108', tests.code('+12025550108'), 0.2), 'confirmed', 'whoever guesses leaves those of others');
select is((select count(*) from private.code_tries where number_hash = private.hash_of_number('+12025550108')), 1::bigint, 'the right code ends the count of its student');

select tests.invite('ada', '+12025550103', 'di@example.com');
select tests.agree('ada', '+12025550103', 0);
select is(
  (select string_agg(tests.type('ada', '+12025550103', 'wrong', 0.1), ' ') from generate_series(1, 5)),
  'wrong_code wrong_code wrong_code wrong_code too_many_tries', 'a code has five tries'
);
select is(tests.type('ada', '+12025550103', tests.code('+12025550103'), 0.1), 'too_many_tries', 'and no more');
select is((tests.hear('+12025550103', 'yes')) -> 'agreed', 'false', 'a YES to a text that was not sent yet is none');
select tests.hear('+12025550103', 'stop');
select is(tests.texts('+12025550103'), 'first_text cancelled', 'a stop takes back what waits');
select tests.hear('+12025550103', 'start');
select is(tests.confirmed('ada', '+12025550103'), null, 'a start agrees to nothing');
select is(tests.ask('ada', '+12025550103', 0.4), 'requested agreement', 'but the number may be asked');
select is((select count(*) from private.outbox where recipient = '+12025550103' and status = 'queued' and purpose = 'buddy_first_text'), 1::bigint, 'since it was not');
update public.buddy_contacts set phone = '+12025550104' where phone = '+12025550103';
select is((select verified from public.buddy_contacts where phone = '+12025550104'), false, 'another number agrees anew');

-- A YES after another text
update public.buddy_contacts set phone_confirmed_at = null, phone_confirmed_by = null where user_id = tests.id_of('ben') and phone = '+12025550101';
create temporary table answered as select id from public.buddy_check_in_requests where user_id = tests.id_of('ben') limit 1;
update public.buddy_check_in_requests set sent_at = now() + interval '1 minute' where id = (select id from answered);
select is((tests.hear('+12025550101', 'yes')) -> 'agreed', 'false', 'may answer that one, and agrees to nothing');
update public.buddy_check_in_requests set sent_at = null where id = (select id from answered);
select is((tests.hear('+12025550101', 'yes')) -> 'agreed', 'true', 'without one it does');

-- Never more than some in all
update private.first_texts set texts = 3, queued_at = tests.at(-100) where number_hash = private.hash_of_number('+12025550101');
select is(tests.ask('ada', '+12025550101', 70), 'requested agreement', 'a number that never agrees');
select is((select count(*) from private.outbox where recipient = '+12025550101' and purpose = 'buddy_first_text'), 2::bigint, 'is asked three times in all');

-- Costs
create function tests.spend(purpose text, number text, times integer)
returns void
language sql
as $$
  insert into private.outbox (channel, purpose, recipient, body, status, lease_until)
  select 'sms', spend.purpose, number, 'Invented', 'sending', now() + interval '1 hour' from generate_series(1, times);
  update private.outbox set provider_called_at = clock_timestamp() where recipient = number;
$$;
update private.support_settings set daily_text_cost = 1, daily_alert_text_cost = 1, daily_first_text_cost = 1;
delete from private.text_costs;
select tests.spend('export', '+447700900001', 5);
select results_eq(
  $$ select kind, texts, cost from private.text_budgets order by kind $$, $$ values ('alert', 0, 0::numeric), ('first', 0, 0), ('ordinary', 5, 0.5) $$, 'each text costs what its country does'
);
select is((select count(*) from private.system_findings(now()) f where f.rule = 'text_costs'), 1::bigint, 'at half of what a day may cost there is a finding');
select tests.spend('export', '+447700900002', 5);
insert into private.outbox (channel, purpose, recipient, body) values ('sms', 'export', '+447700900003', 'x'), ('sms', 'support_alert', '+447700900003', 'x');
select results_eq(
  $$ select purpose from private.claim_messages(10) where recipient = '+447700900003' $$, $$ values ('support_alert') $$, 'then ordinary texts wait, and those of alerts do not'
);
select private.dispatch_due_messages();
select is(
  (select send_at from private.outbox where recipient = '+447700900003' and purpose = 'export'), date_trunc('day', now(), 'UTC') + interval '1 day', 'until the next day'
);
select tests.spend('support_alert', '+447700900004', 10);
select is((select count(*) from private.text_budgets where cost >= most), 2::bigint, 'alerts have an amount of their own');
insert into private.outbox (channel, purpose, recipient, body) values ('sms', 'support_alert', '+447700900005', 'x');
select is((select count(*) from private.claim_messages(10) where recipient = '+447700900005'), 1::bigint, 'which holds none of them back');

-- Answers
select ok(
  bool_and((tests.hear('+12025550109', 'help') ->> 'may_answer')::boolean = (n <= 10)), 'a number is answered ten times a day'
) from generate_series(1, 11) n;
select is(tests.hear('+18765550109', 'help') -> 'may_answer', 'false', 'and one where texts do not go not at all');

select * from finish();
