-- What a contact answers reaches the student at once, a link says what is true now, and a contact chooses when and how they are written to.
select plan(24);

select tests.give_consent(tests.id_of('ada'), '{support_circle}');
update public.profiles set first_name = 'Ada' where user_id = tests.id_of('ada');
select vault.create_secret('https://pages.example.edu', 'pages_url');
select private.hear_answer();
insert into public.buddy_contacts (user_id, name, phone, email, verified, verified_at, phone_confirmed_at, phone_confirmed_by, time_zone)
select tests.id_of('ada'), name, phone, lower(name) || '@example.com', true, now(), now(), 'code', 'Europe/Berlin'
from (values ('Bo', '+12025550101'), ('Cy', '+12025550102')) as c (name, phone);
insert into public.support_alerts (user_id, worrying_days, step) values (tests.id_of('ada'), 4, 1);
create temporary table links (name text, request uuid, token text);
insert into links (name, request)
select c.name, private.ask_contact(c.id, 'system_initiated', 4, now()) from public.buddy_contacts c order by c.name;
update links set token = substring(o.body from '/buddy/alert/([A-Za-z0-9_-]{22})') from private.outbox o where o.request_id = links.request;
update private.outbox set status = 'sent', ended_at = now(), provider = 'test', provider_message_id = name from links where request_id = request;
insert into private.support_alert_plan (alert_id, position, step, contact_id, request_id)
select a.id, row_number() over (order by l.name), 1, c.id, l.request
from links l join public.buddy_contacts c on c.name = l.name cross join public.support_alerts a;

create function pg_temp.hash(called text)
returns text
language sql
as $$ select private.link_token_hash(token) from links where name = called $$;
create function pg_temp.now_of(called text)
returns text
language sql
as $$ select v ->> 'state' || ' ' || (v ->> 'now') from private.read_request(pg_temp.hash(called), now()) v $$;
create function pg_temp.events(called text)
returns bigint
language sql
security definer
as $$ select count(*) from realtime.messages m where m.topic = 'support:' || tests.id_of('ada') and m.event = called $$;

select is((select char_length(token) from links limit 1), 22, 'a link in a text has 22 characters');
select isnt((select token from links where name = 'Bo'), (select token from links where name = 'Cy'), 'each its own');
select is(pg_temp.now_of('Bo'), 'open waiting', 'who is asked is waited for');
select is(private.answer_request(pg_temp.hash('Cy'), 'unavailable', now()), 'stored', 'one cannot at the moment');
select is(pg_temp.now_of('Bo'), 'open waiting', 'so that the other is still waited for');
select is(
  (
    select m.payload - 'id' - 'request_id' - 'contact_id' - 'response_received_at' - 'alert_id'
    from realtime.messages m
    where m.topic = 'support:' || tests.id_of('ada') and m.event = 'support_answer'
  ),
  '{"name": "Cy", "request_type": "system_initiated", "response_type": "unavailable"}', 'the student learns it on their channel'
);
select is(private.answer_request(pg_temp.hash('Cy'), 'called', now()), 'answered', 'a second answer is none');
select is(pg_temp.events('support_answer'), 1::bigint, 'and no event');
select is(private.answer_request(pg_temp.hash('Bo'), 'called', now()), 'stored', 'the other calls');
select is(pg_temp.events('support_answer'), 2::bigint, 'which the student learns too');
select is(pg_temp.now_of('Cy'), 'answered answered_by_other', 'and the first one sees that somebody else did');
update public.support_alerts set all_right_at = now();
select is(pg_temp.now_of('Cy'), 'answered all_right', 'or that all is well');
update public.support_alerts set all_right_at = null, status = 'escalated';
select is(pg_temp.now_of('Bo'), 'answered ended', 'or that the alert ended');

-- Time zone and language
select is(
  (private.read_preferences(pg_temp.hash('Bo'), now()) - 'resources' - 'number_time_zones')::text,
  '{"state": "open", "language": "en", "time_zone": "Europe/Berlin", "texts_at_night": false}', 'a link shows what its contact chose'
);
select is(private.language_of_link(pg_temp.hash('Bo')), 'en', 'and in which language');
insert into private.outbox (channel, purpose, user_id, contact_id, recipient, body, send_at)
select 'sms', 'buddy_check_in', user_id, id, phone, 'Invented', now() + interval '9 hours' from public.buddy_contacts where name = 'Bo';
select ok(private.change_preferences(pg_temp.hash('Bo'), 'Asia/Kolkata', true, 'de', now()), 'who has it can change that');
select results_eq(
  $$ select c.time_zone, c.language, c.texts_at_night, o.send_at
     from public.buddy_contacts c join private.outbox o on o.contact_id = c.id and o.body = 'Invented' where c.name = 'Bo' $$,
  $$ values ('Asia/Kolkata', 'de', true, now()) $$, 'also for what waits'
);
select throws_ok(
  $$ select private.change_preferences(pg_temp.hash('Bo'), 'Nowhere/City', true, 'de', now()) $$, 'PT400', null, 'to a zone that there is'
);
select throws_ok(
  $$ select private.change_preferences(pg_temp.hash('Bo'), 'Asia/Kolkata', true, 'xx', now()) $$, '23514', null, 'and a language that is served'
);
select ok(not private.change_preferences('nothing', 'Asia/Kolkata', true, 'de', now()), 'nobody else can');
select is((select language from public.buddy_contacts where name = 'Cy'), null, 'for anybody else');

-- Decisions
select private.withdraw_contact((select id from public.buddy_contacts where name = 'Cy'), 'page', now());
select is(pg_temp.events('support_contact'), 1::bigint, 'that a contact stops is an event too');
select is(pg_temp.now_of('Cy'), 'cancelled stopped', 'and what their link says');
select ok(not private.change_preferences(pg_temp.hash('Cy'), 'Asia/Kolkata', true, 'de', now()), 'which chooses nothing any more');
