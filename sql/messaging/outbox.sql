create type private.message_channel as enum ('email', 'sms');
comment on type private.message_channel is 'How a message reaches a person.';

create type private.message_status as enum ('queued', 'sending', 'sent', 'unconfirmed', 'dead', 'cancelled');
comment on type private.message_status is 'queued → sending → sent | unconfirmed | dead; sending → queued when the provider certainly did not send it; queued | sending → cancelled when its recipient may no longer be reached.';

create type private.delivery_outcome as enum ('sent', 'not_sent', 'unconfirmed', 'rejected');
comment on type private.delivery_outcome is 'Outcome of an attempt; rejected means that another attempt cannot help.';

create type private.message_urgency as enum ('crisis', 'support', 'ordinary', 'low');
comment on type private.message_urgency is 'How urgent a message is, the most urgent first. Senders claim in this order.';

-- A new purpose needs its line here: the outbox takes no other.
create function private.urgency_of(purpose text) returns private.message_urgency
language sql immutable set search_path = '' as $$
  select case purpose
    -- To crisis contacts.
    when 'clinical_review' then 'crisis'
    when 'clinical_review_reminder' then 'crisis'
    when 'clinical_review_digest' then 'crisis'
    when 'support_alert_escalation' then 'crisis'
    -- To counselors.
    when 'clinical_review_claim' then 'crisis'
    when 'clinical_review_handed_over' then 'crisis'
    -- From a counselor to a student.
    when 'student_nudge' then 'ordinary'
    -- Of the support circle.
    when 'support_alert' then 'support'
    when 'support_alert_notice' then 'support'
    when 'support_all_right' then 'support'
    when 'support_standstill' then 'support'
    when 'buddy_check_in' then 'support'
    -- To crisis contacts who need do nothing more.
    when 'clinical_review_claimed' then 'ordinary'
    when 'crisis_contact_test' then 'ordinary'
    -- To administrators of a university.
    when 'uncovered_hours' then 'ordinary'
    -- Of the account.
    when 'buddy_verification' then 'ordinary'
    when 'buddy_first_text' then 'ordinary'
    when 'second_factor_guessing' then 'ordinary'
    when 'erasure_requested' then 'ordinary'
    when 'erasure_receipt' then 'ordinary'
    when 'export' then 'ordinary'
    when 'training_reminder' then 'ordinary'
    when 'staff_invitation' then 'ordinary'
    -- What a stranger can cause.
    when 'security_alert' then 'low'
    when 'security_alert_digest' then 'low'
  end::private.message_urgency
$$;
comment on function private.urgency_of is 'How urgent messages of a purpose are; null for a purpose that is not listed, which the outbox refuses. Called for each message as it is stored.';

create table private.messaging_settings (
  only_row boolean not null default true,
  lease interval not null default '60 seconds',
  retry_backoff interval not null default '15 seconds',
  longest_backoff interval not null default '30 minutes',
  max_attempts smallint not null default 8,
  review_digest_after interval not null default '24 hours',
  review_fallback_email text,
  emails_per_minute integer default 300,
  emails_per_day integer,
  texts_per_minute integer default 60,
  texts_per_day integer,
  urgent_share real not null default 0.5,
  staff_app_url text,
  constraint messaging_settings_pkey primary key (only_row),
  constraint messaging_settings_only_row check (only_row),
  constraint messaging_settings_positive check (
    lease > interval '0' and retry_backoff > interval '0' and longest_backoff >= retry_backoff
    and max_attempts > 0 and review_digest_after > interval '0'
  ),
  constraint messaging_settings_review_fallback_email_form check (review_fallback_email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  constraint messaging_settings_rates_positive check (
    emails_per_minute > 0 and emails_per_day > 0 and texts_per_minute > 0 and texts_per_day > 0
  ),
  constraint messaging_settings_urgent_share_range check (urgent_share between 0 and 0.9),
  constraint messaging_settings_staff_app_url_form check (
    staff_app_url ~ '^https?://[^[:space:]"<>?#]+$' and char_length(staff_app_url) <= 200
  )
);
select private.describe('private.messaging_settings', 'Settings of the outbox that an operator can change without a deployment. Exactly one row. Intervals and numbers are above 0.', $$
  only_row: Always true: there is one row.
  lease: How long a sender may keep a message before its attempt counts as lost; longer than the slowest provider.
  retry_backoff: Delay after a failed attempt; doubles with every attempt.
  longest_backoff: Longest delay between attempts, no shorter than retry_backoff.
  max_attempts: Attempts before a message is dead.
  review_digest_after: How long after the last message about a student's review the crisis contact is told that risk showed again.
  review_fallback_email: The operator's own address, told of reviews of students without a university, or whose university names nobody; null for none.
  emails_per_minute: Emails that the provider takes in a minute; null when it has no such limit.
  emails_per_day: Emails that the provider takes in 24 hours; null when it has no such limit.
  texts_per_minute: Texts that the provider takes in a minute; null when it has no such limit.
  texts_per_day: Texts that the provider takes in 24 hours; null when it has no such limit.
  urgent_share: Share of each of these rates, from 0 to 0.9, that is kept for crisis and support messages; once the others have used the rest, they wait.
  staff_app_url: Where the staff's app is, http:// or https:// and 200 characters at most, such as https://staff.example.edu: links in messages to staff begin with it; null for messages without links.
$$);

insert into private.messaging_settings default values;

select private.declare_term('sent_messages', '30 days', 'Emails and texts that were sent or cancelled: from then.',
  shortest => '7 days');
select private.declare_term('undelivered_messages', '90 days', 'Emails and texts that could not be sent: from the last attempt.',
  shortest => '7 days');
select private.declare_data('private.messaging_settings',
   '{only_row, lease, retry_backoff, longest_backoff, max_attempts, review_digest_after, emails_per_minute, emails_per_day,
    texts_per_minute, texts_per_day, urgent_share, staff_app_url}', 'Settings of the outbox.');
select private.declare_data('private.messaging_settings', '{review_fallback_email}', 'To notify the operator of risk that no university is told of.',
  'staff', 'contact_details', erasure => 'keep', reason => 'The address of an office, changed by the operator.');
select private.declare_audited('private.messaging_settings', 'only_row');

-- In PL/pgSQL, as names in messages are declared further down.
create function private.university_in_message(university text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select private.name_in_message(u.name, u.id, 60) from public.universities u where u.id = university);
end
$$;
comment on function private.university_in_message is 'The name of a university as messages to staff show it; null without one. Called wherever staff are sent a message.';

create function private.staff_link(path text) returns text
language sql stable security definer set search_path = '' as $$
  select rtrim(s.staff_app_url, '/') || '/#' || path from private.messaging_settings s
$$;
comment on function private.staff_link is 'The address of a screen of the staff''s app, such as that of the path /reviews/…; null until the settings say where the app is. Called wherever staff are sent a message.';

create table private.outbox (
  id uuid not null default gen_random_uuid(),
  channel private.message_channel not null,
  purpose text not null,
  urgency private.message_urgency generated always as (private.urgency_of(purpose)) stored,
  user_id uuid,
  contact_id uuid,
  request_id uuid,
  recipient text,
  subject text not null default '',
  body text not null,
  status private.message_status not null default 'queued',
  attempts smallint not null default 0,
  send_at timestamptz not null default now(),
  lease_until timestamptz,
  attempted_at timestamptz,
  provider_called_at timestamptz,
  provider text,
  provider_message_id text,
  provider_status text,
  error_code text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  reported_at timestamptz,
  constraint outbox_pkey primary key (id),
  constraint outbox_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint outbox_purpose_form check (purpose ~ '^[a-z_]{1,50}$'),
  constraint outbox_purpose_known check (urgency is not null),
  constraint outbox_subject_length check (char_length(subject) <= 200),
  constraint outbox_body_length check (char_length(body) between 1 and 20000),
  constraint outbox_provider_status_known check (provider_status in ('sent', 'delivered', 'undelivered', 'failed')),
  constraint outbox_provider_status_when_sent check (provider_status is null or status = 'sent'),
  constraint outbox_recipient_unless_dead check (recipient is not null or status = 'dead'),
  constraint outbox_lease_while_sending check ((status = 'sending') = (lease_until is not null)),
  constraint outbox_ended_at_when_ended check (
    (status in ('sent', 'unconfirmed', 'dead', 'cancelled')) = (ended_at is not null)
  )
);
select private.describe('private.outbox', 'Every email and text message. Stored in the transaction that causes it, then delivered.', $$
  id: The message; also its idempotency key at the provider.
  channel: Email or text message.
  purpose: What it is for, such as clinical_review.
  urgency: How urgent it is, by its purpose.
  user_id: The person it is about; the message is deleted with the account.
  contact_id: The support contact it goes to: it is sent only while private.may_reach allows it, and deleted with the contact.
  request_id: The request of which it is the text.
  recipient: Email address or phone number (E.164); null when there is none.
  subject: Subject of an email.
  body: Body, plain text.
  status: State of the message.
  attempts: Attempts so far. A sender passes the number that it was given, so that a late one changes nothing.
  send_at: Earliest time to send it.
  lease_until: When the lease of the sender that has it expires.
  attempted_at: When a sender claimed it last; what counts against the rate of its provider.
  provider_called_at: When the current attempt called the provider; from then on the message may have been sent.
  provider: Provider of the last attempt.
  provider_message_id: The provider's id of the message.
  provider_status: What the provider said became of a text after it took it: sent, delivered, undelivered or failed; null until it says.
  error_code: Why the last attempt, the delivery after it, or the message as a whole failed.
  created_at: When it was stored.
  ended_at: When it became sent, unconfirmed, dead or cancelled.
  reported_at: When the log reported that it is dead or unconfirmed.
$$);
create index outbox_due_idx on private.outbox (urgency, send_at) where status = 'queued';
create index outbox_attempted_at_idx on private.outbox (channel, attempted_at) where attempted_at is not null;
create index outbox_lease_until_idx on private.outbox (lease_until) where status = 'sending';
create index outbox_user_id_idx on private.outbox (user_id);
create index outbox_contact_id_idx on private.outbox (contact_id) where contact_id is not null;
create index outbox_request_id_idx on private.outbox (request_id) where request_id is not null;
create index outbox_pending_recipient_idx on private.outbox (recipient) where status in ('queued', 'sending');
create index outbox_ended_at_idx on private.outbox (ended_at);
create index outbox_undelivered_idx on private.outbox (ended_at) where status in ('dead', 'unconfirmed');
create index outbox_unreported_idx on private.outbox (ended_at)
where status in ('dead', 'unconfirmed') and reported_at is null;

select private.declare_data('private.outbox',
   '{id, channel, purpose, urgency, user_id, contact_id, request_id, subject, status, attempts, send_at,
    lease_until, attempted_at, provider_called_at, provider, provider_message_id, provider_status, error_code, created_at,
    ended_at, reported_at}', 'Emails and text messages that are to be sent, and proof that they were.', 'account',
  'contact_details', 't.user_id = $1', term => 'sent_messages', store => 'queue');
select private.declare_data('private.outbox', '{recipient}', 'Where they go.', 'account', 'contact_details', 't.user_id = $1',
  term => 'sent_messages', store => 'queue',
  -- The address of an office is not the person's.
  exported_if => $$
    t.user_id = $1 and (t.contact_id is not null or t.recipient = (select u.email from auth.users u where u.id = $1))
  $$);
select private.declare_data('private.outbox', '{body}', 'What they say.', 'account', 'contact_details', 't.user_id = $1',
  term => 'sent_messages', store => 'queue',
  -- Who has its code agrees in the place of whoever has the number.
  exported_if => 't.user_id = $1 and t.purpose <> ''buddy_first_text''');
select private.declare_purge('sent_messages', 'private.outbox', 'd.status in (''sent'', ''cancelled'') and d.ended_at < $1',
  oldest => 'ended_at');
select private.declare_purge('undelivered_messages', 'private.outbox', 'd.status in (''dead'', ''unconfirmed'') and d.ended_at < $1',
  oldest => 'ended_at');
select private.declare_audited('private.outbox', 'id', 'by_hand');

create view private.undelivered_messages with (security_invoker = true) as
select id, channel, purpose, status, attempts, provider, error_code, created_at, ended_at
from private.outbox
where status in ('dead', 'unconfirmed');
comment on view private.undelivered_messages is 'Dead letters, and text messages that may not have been sent; without recipient, subject and body.';

create function private.dispatch_messages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.call_function('deliver-messages', '{"type": "INSERT", "schema": "private", "table": "outbox"}')
  where exists (select from new_messages where status = 'dead' or (status = 'queued' and send_at <= now()));
  return null;
end
$$;
comment on function private.dispatch_messages is 'Trigger: dispatches new messages that are due, and those without a recipient, which are only reported.';

create function private.channels_with_rate_left() returns private.message_channel[]
language sql stable set search_path = '' as $$
  select coalesce(array_agg(c.channel), '{}')
  from private.messaging_settings s
  cross join lateral (
    values
      ('email'::private.message_channel, s.emails_per_minute, s.emails_per_day),
      ('sms', s.texts_per_minute, s.texts_per_day)
  ) as c (channel, per_minute, per_day)
  where not exists (
    select
    from (values (c.per_minute, interval '1 minute'), (c.per_day, interval '1 day')) as r (most, period)
    where r.most is not null
      and r.most * (1 - s.urgent_share) <= (
        select count(*) from private.outbox o where o.channel = c.channel and o.attempted_at > now() - r.period
      )
  )
$$;
comment on function private.channels_with_rate_left is 'Channels whose provider takes more messages now than are kept for urgent ones, by what was attempted on them. Called by private.claim_messages.';

create function private.claim_messages(
  most integer, least_urgent private.message_urgency default 'low', busy private.message_channel[] default '{}'
) returns setof private.outbox
language plpgsql set search_path = '' as $$
declare
  -- For which there is no rate left only urgent messages are claimed.
  shared private.message_channel[] := '{}';
begin
  if least_urgent > 'support' then
    -- One claim at a time counts, so that each sees the others'. Urgent ones count nothing and never wait for this.
    perform pg_advisory_xact_lock(51, 0);
    shared := private.channels_with_rate_left();
  end if;
  return query
  -- Materialized, so that the plan cannot take the limit more than once.
  with due as materialized (
    select o.id, private.may_send(o) as allowed
    from private.outbox o
    where o.status = 'queued' and o.send_at <= now()
      and o.urgency <= case when shared = '{}' then least(least_urgent, 'support') else least_urgent end
      and (o.urgency <= 'support' or o.channel = any (shared))
      and o.channel <> all (busy)
      -- A text that is late, or too much for today, waits for the day: private.dispatch_due_messages.
      and (o.channel <> 'sms' or private.next_send_time(o, now()) <= now())
    order by o.urgency, o.send_at
    limit most
    for update skip locked
  )
  update private.outbox o
  set status = case when due.allowed then 'sending' else 'cancelled' end::private.message_status,
    attempts = o.attempts + due.allowed::integer,
    lease_until = case when due.allowed then now() + s.lease end,
    attempted_at = case when due.allowed then clock_timestamp() else o.attempted_at end,
    provider_called_at = null,
    error_code = case when due.allowed then o.error_code else 'not_reachable' end,
    ended_at = case when not due.allowed then now() end
  from due, private.messaging_settings s
  where o.id = due.id
  returning o.*;
end
$$;
comment on function private.claim_messages is 'Claims messages that are due, the most urgent first, for one attempt each; no two senders get the same one. None that are less urgent than least_urgent, none of the channels that are busy, and of those that are not urgent only while their provider''s rate lasts, which is exact for one message a call. Those that may no longer be sent come back cancelled. Called by deliver-messages.';

-- Shared by those who are about to send to a recipient, exclusive to what forbids it: what forbids it waits for calls that are being
-- recorded, and a call that is recorded later sees it.
create function private.recipient_lock(recipient text) returns bigint
language sql immutable set search_path = '' as $$
  select hashtextextended('recipient ' || recipient, 0)
$$;
comment on function private.recipient_lock is 'Number of the advisory lock of an address or phone number. Called by what sends to it or forbids that.';

create function private.mark_provider_call(message uuid, attempt smallint) returns boolean
language plpgsql set search_path = '' as $$
declare
  allowed boolean;
begin
  -- One statement after the other: each sees what was committed before it began.
  perform pg_advisory_xact_lock_shared(private.recipient_lock(o.recipient)) from private.outbox o where o.id = message;
  perform from public.buddy_contacts c where c.id = (select o.contact_id from private.outbox o where o.id = message) for share;
  select private.may_send(o) into allowed
  from private.outbox o
  where o.id = message and o.attempts = attempt and o.status = 'sending' and o.lease_until > now()
  for update;
  update private.outbox o
  set provider_called_at = case when allowed then now() end,
    status = case when allowed then 'sending' else 'cancelled' end::private.message_status,
    lease_until = case when allowed then o.lease_until end,
    error_code = case when allowed then o.error_code else 'not_reachable' end,
    ended_at = case when not allowed then now() end
  where o.id = message and allowed is not null;
  return coalesce(allowed, false);
end
$$;
comment on function private.mark_provider_call is 'Stores that the sender is about to call the provider; false when the attempt is no longer the current one, and when the recipient may no longer be reached, which cancels the message. Called by deliver-messages.';

create function private.record_delivery(
  message uuid, attempt smallint, outcome private.delivery_outcome, sent_by text, sent_as text, code text, retry_after interval
) returns private.message_status
language plpgsql set search_path = '' as $$
declare
  stored private.outbox;
begin
  perform private.hear_provider_opt_out(o.recipient, code) from private.outbox o where o.id = message and o.channel = 'sms';

  -- An email has an idempotency key, so that sending it again cannot duplicate it; a text message has none.
  with attempted as (
    select o.id, case
        when outcome = 'sent' then 'sent'
        when outcome = 'unconfirmed' and o.channel = 'sms' then 'unconfirmed'
        when outcome in ('rejected', 'not_sent') and not private.may_send(o) then 'cancelled'
        when outcome = 'rejected' or o.attempts >= s.max_attempts then 'dead'
        else 'queued'
      end::private.message_status as next_status,
      now() + case
        -- Behind a full rate an urgent message waits no longer than the provider asks for, but only once.
        when o.urgency <= 'support' and o.attempts = 1 and retry_after is not null then retry_after
        else greatest(retry_after, private.retry_delay(s.retry_backoff, o.attempts, s.longest_backoff))
      end as next_attempt_at
    from private.outbox o, private.messaging_settings s
    where o.id = message and o.attempts = attempt and o.status = 'sending'
    for update of o
  )
  update private.outbox o
  set status = a.next_status,
    send_at = case when a.next_status = 'queued' then a.next_attempt_at else o.send_at end,
    lease_until = null,
    provider = sent_by,
    provider_message_id = sent_as,
    error_code = code,
    ended_at = case when a.next_status <> 'queued' then now() end
  from attempted a
  where o.id = a.id
  returning o.* into stored;
  return stored.status;
end
$$;
comment on function private.record_delivery is 'Stores the outcome of an attempt and the state that follows from it; null when the attempt is no longer the current one. Called by deliver-messages.';

create function private.dispatch_due_messages() returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- A sender that was lost before it called the provider sent nothing.
  perform private.record_delivery(
    o.id, o.attempts,
    case when o.provider_called_at is null then 'not_sent' else 'unconfirmed' end::private.delivery_outcome,
    o.provider, null, 'sender_lost', null
  )
  from (select * from private.outbox where status = 'sending' and lease_until <= now() for update skip locked) o;

  -- Of a text that came due by day, the sender or the provider may be back at night.
  with late as (
    select o.id, private.next_send_time(o, now()) as morning
    from private.outbox o
    where o.status = 'queued' and o.send_at <= now() and o.channel = 'sms'
    for update skip locked
  )
  update private.outbox o
  set send_at = late.morning
  from late
  where o.id = late.id and late.morning > now();

  perform private.call_function('deliver-messages', '{"type": "UPDATE", "schema": "private", "table": "outbox"}')
  where exists (select from private.outbox where status = 'queued' and send_at <= now())
    or exists (select from private.outbox where status in ('dead', 'unconfirmed') and reported_at is null);
end
$$;
comment on function private.dispatch_due_messages is 'Ends attempts whose sender was lost, lets texts wait for the morning that would come at night, and dispatches messages that are due or must be reported. Called by cron.';
select cron.schedule('dispatch-due-messages', '10 seconds', 'select private.dispatch_due_messages()');

create function private.report_undelivered_messages() returns table (
  id uuid, channel private.message_channel, purpose text, status private.message_status, attempts smallint, error_code text
)
language sql set search_path = '' as $$
  update private.outbox o
  set reported_at = now()
  where o.status in ('dead', 'unconfirmed') and o.reported_at is null
  returning o.id, o.channel, o.purpose, o.status, o.attempts, o.error_code
$$;
comment on function private.report_undelivered_messages is 'Messages that are dead or unconfirmed, each returned once. Called by deliver-messages, which logs them.';

create function private.requeue_message(message uuid) returns boolean
language sql set search_path = '' as $$
  with requeued as (
    update private.outbox
    set status = 'queued', attempts = 0, send_at = now(), ended_at = null, reported_at = null
    where id = message and status in ('dead', 'unconfirmed') and recipient is not null
    returning id
  )
  select exists (select from requeued)
$$;
comment on function private.requeue_message is 'Queues a dead or unconfirmed message as if it were new; false when there is no such message with a recipient. Called by an operator.';

create trigger dispatch_messages after insert on private.outbox referencing new table as new_messages
for each statement execute function private.dispatch_messages();
