create table private.text_opt_outs (
  number_hash text not null constraint text_opt_outs_pkey primary key,
  opted_out_at timestamptz not null default now(),
  heard_by text not null constraint text_opt_outs_heard_by_known check (heard_by in ('reply', 'page', 'provider')),
  constraint text_opt_outs_number_hash_form check (number_hash ~ '^[0-9a-f]{64}$')
);
select private.describe('private.text_opt_outs',
  'Numbers that are never texted, for whichever student. A START removes the row.', $$
  number_hash: private.hash_of_number of the number.
  opted_out_at: When the stop was heard.
  heard_by: How: a reply, a page, or the provider's own list (Twilio's error 21610).
$$);

select private.declare_term('inbound_texts', '1 year', 'That a text came in, not what it said: from its arrival.',
  shortest => '7 days');
select private.declare_data('private.text_opt_outs', '{number_hash, opted_out_at, heard_by}',
  'Never to text a number that said STOP.', 'support_contact', 'choices', erasure => 'keep',
  reason => 'The choice of whoever has the number, for all students; a hash under the project''s own key, which leads to no account. Kept until the number says START.');
select private.declare_audited('private.text_opt_outs', null, 'by_hand');

create trigger require_answer before update or delete on private.text_opt_outs
for each row execute function private.require_answer(
  'This number said STOP; only a text from it lifts that.', 'Its owner sends START to the number of the service.'
);

create trigger refuse_emptying before truncate on private.text_opt_outs
for each statement execute function private.refuse_emptying();

create table private.inbound_texts (
  provider_message_id text not null constraint inbound_texts_pkey primary key,
  number_hash text not null,
  meaning text not null,
  received_at timestamptz not null default now(),
  constraint inbound_texts_meaning_known check (meaning in ('stop', 'start', 'yes', 'agree', 'help', 'other'))
);
select private.describe('private.inbound_texts',
  'Texts that came in, each once however often the provider reports it; not what they said.', $$
  provider_message_id: The provider's id of the text.
  number_hash: private.hash_of_number of the sender.
  meaning: How it was read: stop, start, yes, agree, help or other.
  received_at: When it came.
$$);
create index inbound_texts_received_at_idx on private.inbound_texts (received_at);
create index inbound_texts_number_hash_idx on private.inbound_texts (number_hash, received_at desc);

select private.declare_data('private.inbound_texts', '{provider_message_id, number_hash, meaning, received_at}',
  'To count a text once that the provider reports twice.', 'support_contact', 'activity', erasure => 'keep',
  reason => 'What is known of a number that texted, as a hash; it leads to no account, and ends with its term.',
  term => 'inbound_texts');
select private.declare_purge('inbound_texts', 'private.inbound_texts', 'd.received_at < $1', oldest => 'received_at');
select private.declare_audited('private.inbound_texts', null, 'by_hand');

create function private.has_opted_out(number text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.text_opt_outs o where o.number_hash = private.hash_of_number(number))
$$;
comment on function private.has_opted_out is 'Whether a phone number (E.164) is not to be texted. Called by private.may_send and the function buddy.';

-- In PL/pgSQL, as the next two, which keeps its plan: they are asked several times for each message.
create function private.may_contact(contact public.buddy_contacts) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return contact.is_active
    and exists (select from auth.users u where u.id = contact.user_id and (u.banned_until is null or u.banned_until <= now()))
    and private.has_consent(contact.user_id, 'support_circle');
end
$$;
comment on function private.may_contact is 'Whether anything may go to a contact: an active one of a student who agrees and is not banned. Called by private.may_ask and private.may_reach.';

-- Whether the contact also agreed by email with this very number, and nobody said stop.
create function private.may_ask(contact uuid, number text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select
    from public.buddy_contacts c
    where c.id = contact and c.verified and c.phone = number
      and private.may_contact(c) and private.texts_go_to(c.phone) and not private.has_opted_out(c.phone)
  );
end
$$;
comment on function private.may_ask is 'Whether the number of a support contact may be asked whether it agrees, and a request wait for it. Called wherever a text is queued or sent.';

-- One rule for every other message to a contact: asked when it is queued, when it is claimed, and again right before the provider is
-- called. A text needs the number's own agreement.
create function private.may_reach(contact uuid, channel private.message_channel, recipient text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if may_reach.channel = 'sms' then
    return private.may_ask(contact, recipient)
      and exists (select from public.buddy_contacts c where c.id = contact and c.phone_confirmed_at is not null);
  end if;
  return exists (
    select
    from public.buddy_contacts c
    where c.id = contact and c.email = may_reach.recipient and private.may_contact(c) and not private.is_refused(c.email)
  );
end
$$;
comment on function private.may_reach is 'Whether a support contact may be sent a message now, other than the text that asks whether the number agrees. Called wherever one is queued, claimed or handed to a provider.';

-- An alert's text also ends with the alert: one that the provider has, and did not take, would be tried again.
create function private.may_send(message private.outbox) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return case
      when message.purpose = 'student_nudge' then private.may_be_nudged(message)
      when message.contact_id is null then message.channel <> 'sms' or not private.has_opted_out(message.recipient)
      when message.purpose = 'buddy_first_text' then private.may_ask(message.contact_id, message.recipient)
        and exists (select from public.buddy_contacts c where c.id = message.contact_id and c.phone_confirmed_at is null)
      else private.may_reach(message.contact_id, message.channel, message.recipient)
        and not (
          message.purpose = 'support_alert'
          and exists (
            select
            from private.support_alert_plan p
            join public.support_alerts a on a.id = p.alert_id
            where p.request_id = message.request_id and a.status <> 'open'
          )
        )
    end;
end
$$;
comment on function private.may_send is 'Whether a message of the outbox may be sent now. Called when one is claimed, right before the provider is called, and before it is tried again.';

-- Somebody who agreed without the form named no time zone: then it has to be day wherever in the number's country they may be.
-- Every day of a zone begins with a candidate; three days have one that is day in all zones of a country.
create function private.next_text_time(contact uuid, at timestamptz) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select case
        when c.texts_at_night then at
        else (
          select min(candidate.moment)
          from (
            select at as moment
            union all
            select private.moment_at((at at time zone zone)::date + day + s.day_begins, zone)
            from unnest(home.zones) as zone
            cross join generate_series(0, 2) as day
          ) as candidate
          where candidate.moment >= at
            and not exists (
              select from unnest(home.zones) as zone
              where (candidate.moment at time zone zone)::time not between s.day_begins and s.day_ends
            )
        )
      end
    from public.buddy_contacts c
    cross join private.support_settings s
    cross join lateral (
      select case when c.time_zone is null then coalesce(c.number_time_zones, '{UTC}') else array[c.time_zone] end as zones
    ) as home
    where c.id = contact
  );
end
$$;
comment on function private.next_text_time is 'The first moment from "at" on when a contact may be texted: in the day of their time zone, or of all zones of their number''s country where they named none, or at once where they allow nights. Called by private.queue_text, and where a text that is late is sent.';

create function private.queue_text(contact uuid, purpose text, body text, request uuid, at timestamptz) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  queued uuid;
begin
  insert into private.outbox (channel, purpose, user_id, contact_id, request_id, recipient, body, send_at)
  select 'sms', queue_text.purpose, c.user_id, c.id, request, c.phone, queue_text.body,
    -- Until then it waits for the number to agree, and is cancelled unless it did.
    case when c.phone_confirmed_at is null then at + s.agreement_wait else private.next_text_time(c.id, at) end
  from public.buddy_contacts c
  cross join private.support_settings s
  where c.id = contact
    and private.may_ask(c.id, c.phone)
    and (c.phone_confirmed_at is not null or queue_text.purpose = 'buddy_check_in')
  returning id into queued;
  return queued;
end
$$;
comment on function private.queue_text is 'Queues a text to a contact for the next moment when it may arrive, or that of a request until the number agrees; null when the contact may not be texted. Called by private.ask_contact and by alerts.';

-- Those whose provider is being called are left: they may arrive, and private.record_delivery stores how they ended.
create function private.cancel_messages(messages uuid[], reason text, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o
  set status = 'cancelled', lease_until = null, ended_at = at, error_code = reason
  where o.id = any (messages) and (o.status = 'queued' or (o.status = 'sending' and o.provider_called_at is null))
$$;
comment on function private.cancel_messages is 'Cancels those of some emails and texts that wait to be sent. Called when a number opts out, when a contact or a student withdraws, and when an alert ends.';

create function private.cancel_messages_to(contact uuid) returns void
language sql security definer set search_path = '' as $$
  select private.cancel_messages(array(select o.id from private.outbox o where o.contact_id = contact and o.status in ('queued', 'sending')), 'not_reachable')
$$;
comment on function private.cancel_messages_to is 'Cancels the emails and texts that wait to be sent to a support contact. Called when the contact or the student withdraws.';

create function private.opt_out_number(number text, heard_by text, at timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  is_new boolean;
begin
  -- A text that is being handed over is recorded before this goes on, and none is handed over after it.
  perform pg_advisory_xact_lock(private.recipient_lock(number));
  insert into private.text_opt_outs (number_hash, opted_out_at, heard_by)
  values (private.hash_of_number(number), at, opt_out_number.heard_by)
  on conflict do nothing;
  is_new := found;
  perform private.cancel_messages(
    array(
      select o.id from private.outbox o where o.channel = 'sms' and o.recipient = number and o.status in ('queued', 'sending')
    ),
    'not_reachable'
  );
  return is_new;
end
$$;
comment on function private.opt_out_number is 'Stops all texts to a number (E.164), for whichever student; true when it was not stopped before. Called wherever its owner says so.';

create function private.hear_provider_opt_out(number text, code text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- Twilio: the recipient replied STOP to this sender or service.
  if code = '21610' and number is not null then
    perform private.opt_out_number(number, 'provider', now());
  end if;
end
$$;
comment on function private.hear_provider_opt_out is 'Takes over that a number is on the provider''s own list of opt-outs, where the code of an error says so. Called by what records a delivery or a status.';

-- Exclusive before anything is read, so that two texts from a number that come at once are heard one after the other.
create function private.hear_text(provider_message_id text, number text, meaning text, at timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  sender text := private.hash_of_number(number);
  changed boolean := false;
  agreed boolean := false;
  replied boolean;
  answered bigint;
begin
  perform pg_advisory_xact_lock(private.recipient_lock(number));
  replied := exists (
    select from private.inbound_texts t
    where t.number_hash = sender and t.meaning = hear_text.meaning and t.received_at > at - interval '1 day'
  );
  select count(*) into answered from private.inbound_texts t where t.number_hash = sender and t.received_at > at - interval '1 day';
  insert into private.inbound_texts (provider_message_id, number_hash, meaning, received_at)
  values (hear_text.provider_message_id, sender, hear_text.meaning, at)
  on conflict do nothing;
  if not found then
    return jsonb_build_object('repeated', true);
  end if;

  if meaning = 'stop' then
    changed := private.opt_out_number(number, 'reply', at);
  elsif meaning in ('start', 'yes') then
    perform private.hear_answer();
    delete from private.text_opt_outs o where o.number_hash = sender;
    changed := found;
  end if;
  -- Other words than these lift no stop, as they take nobody off the provider's own list.
  agreed := meaning in ('yes', 'agree') and not private.has_opted_out(number) and private.confirm_by_reply(number, at);
  return jsonb_build_object(
    'repeated', false,
    'changed', changed,
    'agreed', agreed,
    'may_answer', private.texts_go_to(number) and answered < (select s.daily_answers_to_number from private.support_settings s),
    'opted_out', private.has_opted_out(number),
    'replied', replied,
    'support_email', (
      select u.support_email
      from public.buddy_contacts c
      join public.profiles p on p.user_id = c.user_id
      join public.universities u on u.id = p.university_id
      where c.phone = number and c.verified and c.is_active and u.support_email is not null
      order by c.verified_at desc
      limit 1
    )
  );
end
$$;
comment on function private.hear_text is 'Stores that a text came in, once, and does what it asks for: a stop forbids texts to the number and cancels those that wait, a start lifts that and restores no consent, a yes agrees to the last first text as well, and other words that agree do that alone. Returns {repeated} or {repeated, changed (whether it opted out or in), agreed, may_answer (whether the number is of a country that texts go to, and was not answered too often today), opted_out, replied (whether another of its meaning came within a day), support_email}. Called by the function buddy.';

create function private.texts_in_flight(number text) returns integer
language sql stable security definer set search_path = '' as $$
  select count(*)::integer
  from private.outbox o
  where o.channel = 'sms' and o.recipient = number and o.status = 'sending'
    and o.provider_called_at is not null and o.lease_until > now()
$$;
comment on function private.texts_in_flight is 'Texts to a number whose provider is being called. Called by the function buddy, which waits for them before it confirms a stop.';

-- Order does not matter: what says more about the delivery wins, and the rest changes nothing.
create function private.record_text_status(message uuid, provider_message_id text, status text, error_code text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  ranking constant text[] := array['sent', 'failed', 'undelivered', 'delivered'];
  stored text;
begin
  perform private.hear_provider_opt_out(o.recipient, record_text_status.error_code)
  from private.outbox o
  where o.id = message and o.channel = 'sms';

  update private.outbox o
  set status = 'sent',
    -- The sender may not have recorded yet that it handed the text over, and then will not.
    provider = coalesce(o.provider, 'twilio'),
    provider_message_id = coalesce(o.provider_message_id, record_text_status.provider_message_id),
    provider_status = record_text_status.status,
    error_code = record_text_status.error_code,
    lease_until = null,
    ended_at = case when o.status in ('sent', 'unconfirmed', 'dead') then o.ended_at else now() end
  where o.id = message and o.channel = 'sms'
    and array_position(ranking, record_text_status.status) > coalesce(array_position(ranking, o.provider_status), 0);

  select o.provider_status into stored from private.outbox o where o.id = message and o.channel = 'sms';
  return stored;
end
$$;
comment on function private.record_text_status is 'Stores what the provider says became of a text: sent, delivered, undelivered or failed. That it speaks of the text proves that it has it, which settles one whose sender was lost. Returns what is known now; null when there is no such text. Called by the function buddy.';
