-- Texts to a support contact, from the moment they wait to what became of them.
select plan(29);

create table tests.people as
select
  tests.new_student('amber@hillside.example.edu') as amber,
  tests.new_student('birch@hillside.example.edu') as birch;
insert into public.consents (user_id, kind, version)
select unnest(array[amber, birch]), 'support_circle', '2026-11' from tests.people;
insert into public.buddy_contacts (user_id, name, phone, email, priority_rank, verified, verified_at, texts_at_night)
select unnest(array[amber, birch]), 'Marigold', '+12025550142', 'marigold@example.com', 1, true, now(), true from tests.people;

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

delete from public.consents;
insert into public.consents (user_id, kind, version)
select unnest(array[amber, birch]), 'support_circle', '2026-12' from tests.people;

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
