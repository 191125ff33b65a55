-- What somebody's life may hang on is sent before what anybody can cause, and has a share of each provider's rate for itself.
select plan(17);

create function tests.store(purpose text, channel private.message_channel default 'email', number integer default 1)
returns void
language sql
as $$
  insert into private.outbox (channel, purpose, recipient, body)
  select channel, purpose, case channel when 'email' then 'someone@example.edu' else '+12025550100' end, 'Hello'
  from generate_series(1, number)
$$;
-- Claims so many one by one, as senders do, and returns their purposes in order.
create function tests.claimed(
  number integer, least_urgent private.message_urgency default 'low', busy private.message_channel[] default '{}'
)
returns text[]
language plpgsql
as $$
declare
  purposes text[] := '{}';
begin
  for n in 1..number loop
    purposes := purposes || (select purpose from private.claim_messages(1, least_urgent, busy));
  end loop;
  return purposes;
end
$$;

select throws_ok(
  $$ select tests.store('invented') $$, '23514', null, 'a purpose of which nobody has said how urgent it is is not stored'
);

select tests.store('security_alert', number => 20);
select tests.store('export', number => 2);
select tests.store('support_alert', 'sms');
select tests.store('clinical_review');
select is(
  tests.claimed(5), '{clinical_review,support_alert,export,export,security_alert}',
  'the most urgent is claimed first, alerts that anybody can cause last'
);
select is(tests.claimed(1, 'support'), array[null]::text[], 'a slot for urgent messages leaves the others alone');
select tests.store('support_alert', 'sms');
select is(tests.claimed(1, 'crisis'), array[null]::text[], 'one for crisis contacts those of the support circle, too');
select is(tests.claimed(1, 'support'), '{support_alert}', 'which the other takes');
select tests.store('clinical_review_reminder');
select is(tests.claimed(1, 'crisis'), '{clinical_review_reminder}', 'what comes during a backlog is claimed next');

-- Rates
delete from private.outbox;
update private.messaging_settings set emails_per_minute = 8, urgent_share = 0.5;
select tests.store('security_alert', number => 20);
select tests.store('support_alert', 'sms', 2);
select is(
  tests.claimed(7), '{support_alert,support_alert,security_alert,security_alert,security_alert,security_alert,NULL}',
  'messages that are not urgent use their share of a minute'
);
select tests.store('clinical_review', number => 10);
select is(
  tests.claimed(11), array_fill('clinical_review'::text, array[10]) || null::text,
  'urgent ones the rest, and more than the rate if they must'
);
update private.outbox set attempted_at = now() - interval '61 seconds';
select is(tests.claimed(1), '{security_alert}', 'a minute later the others go on');
select is(
  tests.claimed(1, busy => '{email}'), array[null]::text[], 'a channel whose provider is busy is left alone'
);
update private.messaging_settings set emails_per_minute = null, emails_per_day = 10, texts_per_minute = 1;
select is(tests.claimed(1), array[null]::text[], 'the same holds for a day');
select tests.store('export', 'sms', 2);
select is(tests.claimed(2), '{export,NULL}', 'and for texts, which have a rate of their own');
select tests.store('support_alert', 'sms');
select is(tests.claimed(1, busy => '{email}'), '{support_alert}', 'of which urgent ones have theirs');

-- A provider that is busy
create function tests.turned_away(wanted_purpose text, retry_after interval)
returns interval
language plpgsql
as $$
declare
  message private.outbox;
begin
  update private.outbox set send_at = now() where purpose = wanted_purpose and status = 'queued';
  select * into strict message from private.claim_messages(1);
  perform private.record_delivery(message.id, message.attempts, 'not_sent', 'a provider', null, 'http_429', retry_after);
  return (select o.send_at - now() from private.outbox o where o.id = message.id);
end
$$;
update private.messaging_settings set emails_per_minute = null, emails_per_day = null;
delete from private.outbox;
select tests.store('clinical_review');
select is(tests.turned_away('clinical_review', '1 second'), interval '1 second', 'an urgent message waits as long as the provider asks for');
select is(tests.turned_away('clinical_review', '1 second'), interval '30 seconds', 'from the second time on with the backoff');
delete from private.outbox;
select tests.store('export');
select is(tests.turned_away('export', '1 second'), interval '15 seconds', 'others have it from the first time on');

select is_empty(
  $$ select unnest(enum_range(null::private.message_urgency)) except select private.urgency_of(p) from unnest('{clinical_review, support_alert, export, security_alert}'::text[]) p $$,
  'every urgency has a purpose'
);

select * from finish();
