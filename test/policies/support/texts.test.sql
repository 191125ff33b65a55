-- Texts to a support contact, from the moment they wait to what became of them.
select plan(43);

create table tests.people as
select
  tests.new_student('amber@hillside.example.edu') as amber,
  tests.new_student('birch@hillside.example.edu') as birch;
select tests.give_consent(unnest(array[amber, birch]), '{support_circle}') from tests.people;
-- Its people have agreed, and lift what they said.
select private.hear_answer();
insert into public.buddy_contacts (
  user_id, name, phone, email, priority_rank, verified, verified_at, phone_confirmed_at, phone_confirmed_by, texts_at_night
)
select unnest(array[amber, birch]), 'Marigold', '+12025550142', 'marigold@example.com', 1, true, now(), now(), 'reply', true from tests.people;

create function tests.contact(student uuid)
returns uuid
language sql
as $$ select id from public.buddy_contacts where user_id = student $$;
create function tests.ask(student uuid)
returns uuid
language sql
as $$ select private.ask_contact(tests.contact(student), 'user_initiated', null, now()) $$;
create function tests.text_of(request uuid)
returns private.outbox
language sql
as $$ select * from private.outbox where request_id = request $$;
create function tests.delivery_of(request uuid)
returns text
language sql
as $$ select delivery_status || case when sent_at is null then '' else ' and sent' end from public.buddy_check_in_requests where id = request $$;
create table tests.asked (name text, id uuid);
create function tests.the(wanted text)
returns uuid
language sql
as $$ select id from tests.asked where name = wanted $$;

insert into tests.asked select 'first', tests.ask(amber) from tests.people;
select is(tests.delivery_of(tests.the('first')), 'queued', 'a request waits with its text');
select is((select count(*) from private.claim_messages(10)), 1::bigint, 'which a sender claims');
select is(tests.delivery_of(tests.the('first')), 'queued', 'and is not sent yet');
select ok(private.mark_provider_call((tests.text_of(tests.the('first'))).id, 1::smallint), 'the contact may be reached');
select is(private.texts_in_flight('+12025550142'), 1, 'while the provider is called, the text is in flight');
select private.record_delivery((tests.text_of(tests.the('first'))).id, 1::smallint, 'sent', 'twilio', 'SM1', null, null);
select is(tests.delivery_of(tests.the('first')), 'sent and sent', 'the provider took it');
select is(private.texts_in_flight('+12025550142'), 0, 'and none is in flight');

select is(private.record_text_status((tests.text_of(tests.the('first'))).id, 'SM1', 'undelivered', '30005'), 'undelivered', 'it could not be delivered');
select is(private.record_text_status((tests.text_of(tests.the('first'))).id, 'SM1', 'sent', null), 'undelivered', 'which an older status does not undo');
select is(tests.delivery_of(tests.the('first')), 'undelivered and sent', 'and the request says so');
select is((tests.text_of(tests.the('first'))).error_code, '30005', 'with the provider''s code');
select is(private.record_text_status(gen_random_uuid(), 'SM1', 'sent', null), null, 'a text that does not exist has no status');

-- A sender is lost after it called the provider.
insert into tests.asked select 'lost', tests.ask(amber) from tests.people;
select private.claim_messages(10);
select private.mark_provider_call((tests.text_of(tests.the('lost'))).id, 1::smallint);
update private.outbox set lease_until = now() where status = 'sending';
select private.dispatch_due_messages();
select is(tests.delivery_of(tests.the('lost')), 'unconfirmed', 'a text whose sender was lost may have been sent');
select private.record_text_status((tests.text_of(tests.the('lost'))).id, 'SM2', 'delivered', null);
select is(tests.delivery_of(tests.the('lost')), 'delivered and sent', 'until the provider says that it was');
select is((tests.text_of(tests.the('lost'))).provider_message_id, 'SM2', 'and under which name');

-- The contact becomes unreachable between the steps of a sender.
insert into tests.asked select 'late', tests.ask(amber) from tests.people;
select private.claim_messages(10);
update public.consents set withdrawn_at = now() where user_id = (select amber from tests.people);
select ok(not private.mark_provider_call((tests.text_of(tests.the('late'))).id, 1::smallint), 'a withdrawn consent is seen right before the call');
select is(tests.delivery_of(tests.the('late')), 'cancelled', 'which cancels the text');

insert into tests.asked select 'due', tests.ask(birch) from tests.people;
update auth.users set banned_until = now() + interval '1 day' where id = (select birch from tests.people);
select results_eq($$ select status::text from private.claim_messages(10) $$, $$ values ('cancelled') $$, 'and so is an account that was banned, when a text is claimed');
update auth.users set banned_until = null where id = (select birch from tests.people);

select tests.give_consent(amber, '{support_circle}') from tests.people;

-- A stop, across students.
insert into tests.asked select 'of amber', tests.ask(amber) from tests.people;
insert into tests.asked select 'of birch', tests.ask(birch) from tests.people;
select is(private.hear_text('SM3', '+12025550142', 'stop', now()) -> 'changed', 'true', 'a stop is heard');
select is(
  (select array_agg(tests.delivery_of(id) order by name) from tests.asked where name like 'of %'),
  '{cancelled,cancelled}', 'and cancels what waits, of every student'
);
select is((select tests.ask(birch) from tests.people), null, 'nobody can ask the contact any more');
select is(private.hear_text('SM3', '+12025550142', 'stop', now()), '{"repeated": true}', 'what was heard is not heard again');
select is(private.hear_text('SM4', '+12025550142', 'stop', now()) -> 'changed', 'false', 'a second stop changes nothing');
select is(private.hear_text('SM5', '+12025550142', 'start', now()) -> 'changed', 'true', 'a start lifts it');
select isnt((select tests.ask(birch) from tests.people), null, 'and the contact can be asked');

-- A stop that is heard while the contact is asked: after it was seen that they may be texted, and before their text waits.
delete from private.text_opt_outs;
create table tests.before as select id from public.buddy_check_in_requests;
create function tests.hear_stop() returns trigger language plpgsql as $$
begin
  insert into private.text_opt_outs (number_hash, heard_by) values (private.hash_of_number('+12025550142'), 'reply')
  on conflict do nothing;
  return new;
end
$$;
create trigger hear_stop after insert on public.buddy_check_in_requests for each row execute function tests.hear_stop();
select is((select tests.ask(birch) from tests.people), null, 'a contact who stops while they are asked is not asked');
select is_empty(
  'select id from public.buddy_check_in_requests except select id from tests.before', 'and no request without a text is left'
);
drop trigger hear_stop on public.buddy_check_in_requests;
delete from private.text_opt_outs;

-- The provider has a stop that we do not know.
select private.claim_messages(10);
update private.outbox set provider_called_at = now() where status = 'sending';
insert into tests.asked select 'waiting', tests.ask(amber) from tests.people;
select is(
  private.record_delivery(o.id, o.attempts, 'rejected', 'twilio', null, '21610', null)::text, 'cancelled',
  'a text to a number on the provider''s list is cancelled'
)
from private.outbox o where o.status = 'sending';
select ok(private.has_opted_out('+12025550142'), 'and the number is stopped here too');
select is(tests.delivery_of(tests.the('waiting')), 'cancelled', 'with all that waits for it');

update private.inbound_texts set received_at = now() - interval '366 days' where provider_message_id <> 'SM5';
select private.purge_kind('inbound_texts', now(), 1000);
select results_eq('select provider_message_id from private.inbound_texts', $$ values ('SM5') $$, 'after a year it is not known that a text came in');
-- When a text may arrive.
create function tests.next_time(zone text, zones text[], at timestamptz)
returns text
language plpgsql
as $$
begin
  update public.buddy_contacts
  set time_zone = zone, number_time_zones = zones, texts_at_night = false
  where user_id = (select birch from tests.people);
  return (
    select to_char(private.next_text_time(tests.contact(birch), at) at time zone 'UTC', 'DD HH24:MI') from tests.people
  );
end
$$;
create function tests.us() returns text[] language sql as $$ select '{America/New_York,America/Chicago,Pacific/Honolulu}'::text[] $$;
select is(tests.next_time('America/New_York', tests.us(), '2026-07-01 12:00Z'), '01 12:00', 'a text comes by day where the contact says that they are');
select is(tests.next_time('America/New_York', tests.us(), '2026-07-01 01:30Z'), '01 12:00', 'and waits there for the morning');
select is(tests.next_time(null, tests.us(), '2026-07-01 12:00Z'), '01 18:00', 'of a contact who did not say, until it is day wherever they may be');
select is(tests.next_time(null, tests.us(), '2026-07-02 00:30Z'), '02 00:30', 'which it is for some hours');
select is(tests.next_time(null, tests.us(), '2026-07-02 01:30Z'), '02 18:00', 'and then not until the next day');
select is(tests.next_time(null, null, '2026-07-01 23:30Z'), '02 08:00', 'and where nothing is known, by the day of UTC');

-- A text that comes due by day, and is sent so late that it is night at the contact's.
create function tests.zone_at(hour integer)
returns text
language sql
stable
as $$
  select format('Etc/GMT%s%s', case when ahead > 0 then '-' else '+' end, abs(ahead))
  from (select (hour - extract(hour from now() at time zone 'UTC')::integer + 36) % 24 - 12 as ahead) as zone
$$;
delete from private.outbox;
delete from private.text_opt_outs;
update public.buddy_contacts set texts_at_night = true;
insert into tests.asked select 'by night', tests.ask(birch) from tests.people;
update public.buddy_contacts set texts_at_night = false, time_zone = tests.zone_at(23);
select is_empty('select id from private.claim_messages(10)', 'a text that is late is not sent at night');
select private.dispatch_due_messages();
select is(
  tests.delivery_of(tests.the('by night')) || to_char((tests.text_of(tests.the('by night'))).send_at at time zone tests.zone_at(23), ' HH24:MI'),
  'queued 08:00', 'but in the morning'
);
update private.outbox set send_at = now(), attempts = 0, status = 'queued', lease_until = null;
update public.buddy_contacts set time_zone = tests.zone_at(12);
select is((select count(*) from private.claim_messages(10)), 1::bigint, 'by day it is');
select ok(private.mark_provider_call((tests.text_of(tests.the('by night'))).id, 1::smallint), 'and a sender tries');
-- The provider asks to come back later, and the contact withdraws meanwhile.
update public.buddy_contacts
set declined_at = now(), is_active = false, verified = false
where user_id = (select birch from tests.people);
select is(
  private.record_delivery((tests.text_of(tests.the('by night'))).id, 1::smallint, 'not_sent', 'twilio', null, '20429', '1 hour')::text,
  'cancelled', 'a text that was not taken is not tried again once its contact may not be reached'
);
select is(tests.delivery_of(tests.the('by night')), 'cancelled', 'and the request says so');
