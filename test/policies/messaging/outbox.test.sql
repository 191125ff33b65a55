-- The rules of the outbox, followed through a few messages.
select plan(22);

select vault.create_secret('http://127.0.0.1:9/functions/v1', 'functions_url');
select vault.create_secret('a-secret-of-the-test', 'pipeline_secret');

create function tests.message(wanted private.message_channel)
returns private.outbox
language sql
as $$ select * from private.outbox where channel = wanted $$;
create function tests.try(wanted private.message_channel, outcome private.delivery_outcome, retry_after interval default null)
returns private.message_status
language plpgsql
as $$
begin
  update private.outbox set send_at = now() where channel = wanted;
  perform private.claim_messages(10);
  return private.record_delivery(
    (tests.message(wanted)).id, (tests.message(wanted)).attempts, outcome, 'a provider', null, 'a code', retry_after
  );
end
$$;

insert into private.outbox (channel, purpose, recipient, body)
values ('email', 'export', 'someone@example.edu', 'Hello'), ('sms', 'export', '+12025550100', 'Hello');
select is(
  (select count(*) from net.http_request_queue where url = 'http://127.0.0.1:9/functions/v1/deliver-messages'), 1::bigint,
  'messages that are stored together are dispatched once'
);
select is((select count(*) from private.claim_messages(10)), 2::bigint, 'a sender claims what is due');
select is_empty('select * from private.claim_messages(10)', 'which nobody else can claim meanwhile');
select ok(private.mark_provider_call((tests.message('sms')).id, 1::smallint), 'it stores that it is about to call the provider');
select ok(
  not private.mark_provider_call((tests.message('sms')).id, 2::smallint), 'which only the attempt that claimed it can'
);
select is(
  private.record_delivery((tests.message('sms')).id, 2::smallint, 'sent', 'p', 'x', null, null), null,
  'as only it can store how it ended'
);

-- Both senders are lost, one before it reached its provider, one after.
update private.outbox set lease_until = now();
select private.dispatch_due_messages();
select is((tests.message('email')).status::text, 'queued', 'a message that never reached the provider is sent again');
select is((tests.message('sms')).status::text, 'unconfirmed', 'a text that may have been sent is not');
select is(
  (select error_code from private.undelivered_messages), 'sender_lost', 'and can be seen'
);

delete from private.outbox where channel = 'sms';
insert into private.outbox (channel, purpose, recipient, body) values ('sms', 'export', '+12025550100', 'Hello');
select is(tests.try('sms', 'not_sent', '90 seconds')::text, 'queued', 'a text that was certainly not sent is tried again');
select is((tests.message('sms')).send_at, now() + interval '90 seconds', 'when the provider says');
select is(tests.try('sms', 'not_sent')::text, 'queued', 'or, where it says nothing');
select is((tests.message('sms')).send_at, now() + interval '30 seconds', 'after a delay that doubles');
select is(tests.try('sms', 'unconfirmed')::text, 'unconfirmed', 'a text that may have been sent is not repeated');

select is(tests.try('email', 'unconfirmed')::text, 'queued', 'an email is, under its idempotency key');
select is(tests.try('email', 'sent')::text, 'sent', 'until it is sent');
select ok((tests.message('email')).ended_at is not null, 'which ends it');
select is(
  private.record_delivery((tests.message('email')).id, (tests.message('email')).attempts, 'rejected', 'p', null, 'x', null), null,
  'for good'
);

insert into private.outbox (id, channel, purpose, recipient, body, attempts)
values ('00000000-0000-4000-8000-00000000000a', 'sms', 'export', '+12025550100', 'Hello', 7);
delete from private.outbox where status = 'unconfirmed';
select is(tests.try('sms', 'not_sent')::text, 'dead', 'after the last try a message is dead');
select is(
  (select count(*) from private.undelivered_messages where status = 'dead'), 1::bigint, 'and can be seen'
);

update private.outbox set ended_at = now() - interval '31 days';
select private.purge_kind('sent_messages', now(), 1000);
select results_eq(
  'select status::text from private.outbox', $$ values ('dead') $$, 'what was sent is purged, what was not is kept'
);
delete from private.outbox;
insert into private.outbox (channel, purpose, recipient, body) values ('sms', 'export', '+12025550100', 'Hello');
select is(tests.try('sms', 'rejected')::text, 'dead', 'what the provider rejects is dead immediately');

select * from finish();
