-- No policies: API roles cannot reach the schema private.

create table private.text_opt_outs (
  number_hash text not null,
  opted_out_at timestamptz not null default now(),
  heard_by text not null,
  constraint text_opt_outs_pkey primary key (number_hash),
  constraint text_opt_outs_number_hash_form check (number_hash ~ '^[0-9a-f]{64}$'),
  constraint text_opt_outs_heard_by_known check (heard_by in ('reply', 'page', 'provider'))
);
comment on table private.text_opt_outs is 'Numbers that are never texted, for whichever student. A START removes the row.';
comment on column private.text_opt_outs.number_hash is 'private.hash_of_number of the number.';
comment on column private.text_opt_outs.opted_out_at is 'When the stop was heard.';
comment on column private.text_opt_outs.heard_by is 'How: a reply, a page, or the provider''s own list (Twilio''s error 21610).';

create table private.inbound_texts (
  provider_message_id text not null,
  number_hash text not null,
  meaning text not null,
  received_at timestamptz not null default now(),
  constraint inbound_texts_pkey primary key (provider_message_id),
  constraint inbound_texts_meaning_known check (meaning in ('stop', 'start', 'help', 'other'))
);
comment on table private.inbound_texts is 'Texts that came in, each once however often the provider reports it; not what they said.';
comment on column private.inbound_texts.provider_message_id is 'The provider''s id of the text.';
comment on column private.inbound_texts.number_hash is 'private.hash_of_number of the sender.';
comment on column private.inbound_texts.meaning is 'How it was read: stop, start, help or other.';
comment on column private.inbound_texts.received_at is 'When it came.';
create index inbound_texts_received_at_idx on private.inbound_texts (received_at);

-- Whether the student still agrees, the contact agreed with this very address or number, and nobody said stop. One rule for every
-- message to a contact: asked when a message is queued, when it is claimed, and again right before the provider is called.
-- In PL/pgSQL, which keeps its plan: it is asked several times for each message.
create function private.may_reach(contact uuid, channel private.message_channel, recipient text)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return exists (
    select
    from public.buddy_contacts c
    join auth.users u on u.id = c.user_id
    where c.id = contact
      and c.is_active
      and (u.banned_until is null or u.banned_until <= now())
      and private.has_consent(c.user_id, 'support_circle')
      and case may_reach.channel
        when 'email' then c.email = may_reach.recipient
        when 'sms' then
          c.verified and c.phone = may_reach.recipient
          and not exists (select from private.text_opt_outs o where o.number_hash = private.hash_of_number(c.phone))
      end
  );
end
$$;
comment on function private.may_reach is
  'Whether a support contact may be sent a message now. Called wherever one is queued, claimed or handed to a provider.';

create function private.next_text_time(contact uuid, at timestamptz)
returns timestamptz
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (select case
      when c.texts_at_night or here.clock::time between s.day_begins and s.day_ends then at
      else (
        (here.clock::date + (here.clock::time > s.day_ends)::integer) + s.day_begins
      ) at time zone zone
    end
  from public.buddy_contacts c
  cross join private.support_settings s
  cross join lateral (select coalesce(c.time_zone, 'UTC') as zone) as place
  cross join lateral (select at at time zone zone as clock) as here
  where c.id = contact);
end
$$;
comment on function private.next_text_time is
  'The first moment from "at" on when a contact may be texted: in the day of their time zone, or at once where they allow nights.';

create function private.queue_text(contact uuid, purpose text, body text, request uuid, at timestamptz)
returns uuid
language plpgsql
security definer
set search_path = ''
as $$
declare
  queued uuid;
begin
  insert into private.outbox (channel, purpose, user_id, contact_id, request_id, recipient, body, send_at)
  select 'sms', queue_text.purpose, c.user_id, c.id, request, c.phone, queue_text.body, private.next_text_time(c.id, at)
  from public.buddy_contacts c
  where c.id = contact and private.may_reach(c.id, 'sms', c.phone)
  returning id into queued;
  return queued;
end
$$;
comment on function private.queue_text is
  'Queues a text to a contact for the next moment when it may arrive; null when the contact may not be texted.';
