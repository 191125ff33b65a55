create table public.buddy_check_in_requests (
  id uuid not null default gen_random_uuid() constraint buddy_check_in_requests_pkey primary key,
  buddy_contact_id uuid,
  user_id uuid not null constraint buddy_check_in_requests_user_id_fkey references auth.users (id) on delete cascade,
  request_type text not null,
  trigger_reason text,
  sent_at timestamptz,
  link_clicked_at timestamptz,
  response_received_at timestamptz,
  delivery_status text not null default 'queued',
  response_type text,
  created_at timestamptz not null default now(),
  constraint buddy_check_in_requests_request_type_known check (request_type in ('user_initiated', 'system_initiated')),
  constraint buddy_check_in_requests_delivery_status_known check (
    delivery_status in ('queued', 'sent', 'delivered', 'undelivered', 'failed', 'unconfirmed', 'cancelled')
  ),
  constraint buddy_check_in_requests_response_type_known check (response_type in ('called', 'messaged', 'unavailable')),
  constraint buddy_check_in_requests_response_at check ((response_type is null) = (response_received_at is null))
);
select private.describe('public.buddy_check_in_requests',
  'Each time that a contact was asked by text to check on the student.', $$
  id: The request.
  buddy_contact_id: The contact; null once it is deleted.
  user_id: The student.
  request_type: user_initiated by the student's button, or system_initiated by an alert.
  trigger_reason: Of an alert: the pattern, without score or risk.
  sent_at: When the provider accepted the text; null until then.
  link_clicked_at: When a person seems to have opened the link first; an estimate.
  response_received_at: When the contact answered.
  delivery_status: queued, sent (accepted by the provider), delivered, undelivered, failed, unconfirmed (it may have been sent) or cancelled (never sent).
  response_type: called, messaged or unavailable; null until the contact answers.
  created_at: When it was made.
$$);
alter table public.buddy_check_in_requests alter column user_id set statistics 0;
create index buddy_check_in_requests_user_id_idx on public.buddy_check_in_requests (user_id, created_at desc);
create index buddy_check_in_requests_buddy_contact_id_idx on public.buddy_check_in_requests (buddy_contact_id);

select private.declare_data('public.buddy_check_in_requests',
   '{id, buddy_contact_id, user_id, request_type, trigger_reason, sent_at, link_clicked_at, response_received_at, delivery_status,
    response_type, created_at}', 'Whom the student, or an alert, asked to check on them, and what they answered.', 'student',
  'activity', 't.user_id = $1', term => 'support_history');
select private.declare_purge('support_history', 'public.buddy_check_in_requests', 'd.created_at < $1');
select private.declare_audited('public.buddy_check_in_requests', 'id', 'by_hand');

create table private.buddy_links (
  request_id uuid not null constraint buddy_links_pkey primary key,
  token_hash text not null constraint buddy_links_token_hash_key unique,
  number_hash text not null,
  expires_at timestamptz not null,
  constraint buddy_links_request_id_fkey foreign key (request_id) references public.buddy_check_in_requests (id) on delete cascade,
  constraint buddy_links_token_hash_form check (token_hash ~ '^[0-9a-f]{64}$')
);
select private.describe('private.buddy_links', 'The link of each request. It allows one answer.', $$
  request_id: The request.
  token_hash: private.link_token_hash of the token in the link.
  number_hash: private.hash_of_number of the number that was asked, so that a contact who is deleted and added again is the same.
  expires_at: When the link expires.
$$);
create index buddy_links_number_hash_idx on private.buddy_links (number_hash);

select private.declare_data('private.buddy_links', '{request_id, token_hash, number_hash, expires_at}',
  'The link of a request, which allows one answer.', 'support_contact', 'credentials',
  't.request_id in (select r.id from public.buddy_check_in_requests r where r.user_id = $1)', term => 'support_history');
select private.declare_audited('private.buddy_links', 'request_id', 'by_hand');

alter table private.outbox
  add constraint outbox_request_id_fkey foreign key (request_id)
    references public.buddy_check_in_requests (id) on delete set null;

create function private.delivery_status_of(status private.message_status, provider_status text) returns text
language sql immutable set search_path = '' as $$
  select case
      when provider_status is not null then provider_status
      when status = 'sending' then 'queued'
      when status = 'dead' then 'failed'
      else status::text
    end
$$;
comment on function private.delivery_status_of is 'The delivery_status of a request, from the state of its text. Called by the trigger that follows texts.';

create function private.follow_delivery() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.buddy_check_in_requests r
  set delivery_status = private.delivery_status_of(new.status, new.provider_status),
    sent_at = coalesce(r.sent_at, case when new.status = 'sent' then new.ended_at end)
  where r.id = new.request_id;
  return null;
end
$$;
comment on function private.follow_delivery is 'Trigger: keeps delivery_status and sent_at of a request in step with its text.';

create trigger follow_delivery
after update of status, provider_status on private.outbox
for each row
when (
  new.request_id is not null
  and private.delivery_status_of(new.status, new.provider_status)
    is distinct from private.delivery_status_of(old.status, old.provider_status)
)
execute function private.follow_delivery();

-- {link} is where the contact answers.
create function private.ask_contact(contact uuid, request_type text, worrying_days integer, at timestamptz) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  asked public.buddy_contacts;
  token text := private.new_short_token();
  request uuid;
  queued uuid;
  language text;
begin
  select * into asked from public.buddy_contacts where id = contact;
  if asked.id is null or not private.may_ask(contact, asked.phone) then
    return null;
  end if;
  language := private.language_of_contact(asked);

  insert into public.buddy_check_in_requests (buddy_contact_id, user_id, request_type, trigger_reason, created_at)
  values (
    contact, asked.user_id, ask_contact.request_type,
    case when request_type = 'system_initiated' then format('A pattern over %s days.', worrying_days) end, at
  )
  returning id into request;
  insert into private.buddy_links (request_id, token_hash, number_hash, expires_at)
  select request, private.link_token_hash(token), private.hash_of_number(asked.phone), at + s.link_valid
  from private.support_settings s;
  queued := private.queue_text(
    contact,
    case request_type when 'user_initiated' then 'buddy_check_in' else 'support_alert' end,
    private.compose_text(
      language,
      case request_type when 'user_initiated' then 'check_in' else 'alert' end,
      jsonb_build_object(
        'contact', private.name_in_message(asked.name, private.words_of(language, 'contact')),
        'student', private.name_in_message(
          (select p.first_name from public.profiles p where p.user_id = asked.user_id), private.words_of(language, 'student')
        ),
        'worrying', private.worrying_days_in_words(language, worrying_days),
        'link', private.pages_url() || case request_type when 'user_initiated' then '/buddy/checkin/' else '/buddy/alert/' end || token
      )
    ),
    request,
    at
  );
  -- Of an alert, a number that has not agreed; else a stop that was heard since the line above. Without a text there is no request.
  if queued is null then
    delete from public.buddy_check_in_requests where id = request;
    return null;
  end if;
  return request;
end
$$;
comment on function private.ask_contact is 'Asks a contact by text to check on the student: the request, its link and the queued text; null when the contact may not be texted, which of an alert is also one whose number has not agreed. Called by the student''s request and by alerts.';

-- The number, too, so that deleting a contact and adding it again lifts no limit; a request whose text was never sent does not count.
create function private.next_request_at(student uuid, contact uuid) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select max(r.created_at) + s.request_pause
  from public.buddy_contacts c
  join public.buddy_check_in_requests r on r.user_id = c.user_id
  join private.buddy_links l on l.request_id = r.id
  cross join private.support_settings s
  where c.id = contact and c.user_id = student
    and r.request_type = 'user_initiated'
    and r.delivery_status <> 'cancelled'
    and (r.buddy_contact_id = c.id or l.number_hash = private.hash_of_number(c.phone))
  group by s.request_pause
$$;
comment on function private.next_request_at is 'From when on a student may ask a contact again; null when they did not ask them yet. Called by private.request_check_in.';

create function private.number_free_at(number text, at timestamptz) returns timestamptz
language sql stable set search_path = '' as $$
  -- Those that wait for a number to agree are no texts yet, and could be anybody's.
  select case when count(*) >= s.daily_requests_to_number then min(r.created_at) + interval '1 day' end
  from private.support_settings s
  join private.buddy_links l on l.number_hash = private.hash_of_number(number)
  join public.buddy_check_in_requests r on r.id = l.request_id
  where r.request_type = 'user_initiated'
    and r.delivery_status <> 'cancelled'
    and r.created_at > at - interval '1 day'
    and (
      r.sent_at is not null
      or exists (select from public.buddy_contacts c where c.id = r.buddy_contact_id and c.phone_confirmed_at is not null)
    )
  group by s.daily_requests_to_number
$$;
comment on function private.number_free_at is 'From when on students may ask a number again that was asked as often as possible in a day, by whomever; null when they may. Called by private.request_check_in.';

create function private.request_check_in(student uuid, contact uuid, at timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  free_at timestamptz;
  request uuid;
  asked public.buddy_contacts;
begin
  -- One after another for a student, so that of many at once a number is asked once.
  perform from auth.users where id = student for no key update;
  -- Whether its number has agreed is settled until this commits, so that no text waits for what has happened.
  select * into asked from public.buddy_contacts c where c.id = contact and c.user_id = student for share;
  if not found then
    return jsonb_build_object('outcome', 'buddy_not_found');
  end if;
  perform pg_advisory_xact_lock(57, hashtext(asked.phone));
  if not private.has_consent(student, 'support_circle') then
    return jsonb_build_object('outcome', 'consent_required');
  end if;
  if not private.may_ask(contact, asked.phone) then
    return jsonb_build_object('outcome', 'buddy_unavailable');
  end if;
  free_at := greatest(
    private.next_request_at(student, contact),
    case when asked.phone_confirmed_at is not null then private.number_free_at(asked.phone, at) end
  );
  if free_at > at then
    return jsonb_build_object(
      'outcome', 'rate_limited',
      -- A request that was made at the same time may have begun a moment after this one.
      'retry_after_s', least(greatest(1, ceil(extract(epoch from free_at - at))), 86400)::integer
    );
  end if;
  request := private.ask_contact(contact, 'user_initiated', null, at);
  -- A stop that was heard since the line above.
  if request is null then
    return jsonb_build_object('outcome', 'buddy_unavailable');
  end if;
  if asked.phone_confirmed_at is null then
    perform private.queue_first_text(contact, at);
    return jsonb_build_object('outcome', 'requested', 'request_id', request, 'send_at', null, 'waits_for', 'agreement');
  end if;
  return (
    select jsonb_build_object(
      'outcome', 'requested', 'request_id', request, 'send_at', t.send_at, 'waits_for', case when t.send_at > at then 'day' end
    )
    from private.outbox o
    cross join lateral (select private.next_send_time(o, o.send_at) as send_at) t
    where o.request_id = request
  );
end
$$;
comment on function private.request_check_in is 'Asks a contact for a student: {outcome: requested, request_id, send_at, waits_for: day (at the contact''s), agreement (of the number, for a day at most; send_at is null) or null}, or why not: buddy_not_found, consent_required, buddy_unavailable, or rate_limited with retry_after_s. Called by the edge functions.';
