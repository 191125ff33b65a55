-- A link counts while it could still do something: the student consents, the contact agreed and did not stop, the text was not cancelled.
create function private.state_of_link(link private.buddy_links, at timestamptz) returns text
language sql stable security definer set search_path = '' as $$
  select case
      when not private.has_consent(r.user_id, 'support_circle')
        or r.delivery_status = 'cancelled'
        or not exists (
          select from public.buddy_contacts c where c.id = r.buddy_contact_id and c.is_active and c.verified
        ) then 'cancelled'
      when link.expires_at <= at then 'expired'
      when r.response_type is not null then 'answered'
      else 'open'
    end
  from public.buddy_check_in_requests r
  where r.id = link.request_id
$$;
comment on function private.state_of_link is 'open, answered, expired, or cancelled because the student or the contact ended it. Called by the functions of the pages.';

create function private.state_of_request(request public.buddy_check_in_requests, alert public.support_alerts) returns text
language sql stable security definer set search_path = '' as $$
  select case
      when exists (select from public.buddy_contacts c where c.id = request.buddy_contact_id and c.declined_at is not null) then 'stopped'
      when not private.has_consent(request.user_id, 'support_circle') or request.delivery_status = 'cancelled' then 'withdrawn'
      when alert.all_right_at is not null then 'all_right'
      when alert.status = 'answered' and exists (
        select
        from private.support_alert_plan p
        join public.buddy_check_in_requests r on r.id = p.request_id
        where p.alert_id = alert.id and r.id <> request.id and r.response_type in ('called', 'messaged')
      ) then 'answered_by_other'
      when alert.status <> 'open' then 'ended'
      else 'waiting'
    end
$$;
comment on function private.state_of_request is 'What is true now of a request, whatever its link says: stopped (by the contact), withdrawn (by the student), all_right (as the student said), answered_by_other, ended (its alert), or waiting. Called by private.read_request.';

create function private.read_request(token_hash text, at timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (
      select jsonb_build_object(
        'state', state,
        'request_type', r.request_type,
        'now', private.state_of_request(r, a),
        'language', shown_in,
        'contact_name', private.name_in_message(c.name, private.words_of(shown_in, 'contact')),
        'student_name', private.name_in_message(p.first_name, private.words_of(shown_in, 'student')),
        'worrying_days', a.worrying_days,
        'response_type', r.response_type,
        'resources', private.crisis_resources(r.user_id)
      )
      from private.buddy_links l
      join public.buddy_check_in_requests r on r.id = l.request_id
      join public.profiles p on p.user_id = r.user_id
      left join public.buddy_contacts c on c.id = r.buddy_contact_id
      left join private.support_alert_plan step on step.request_id = r.id
      left join public.support_alerts a on a.id = step.alert_id
      cross join lateral (
        select private.state_of_link(l, at) as state,
          private.served_language(coalesce(c.language, private.language_of(r.user_id))) as shown_in
      ) as now_is
      where l.token_hash = read_request.token_hash
    ),
    jsonb_build_object('state', 'unknown', 'resources', private.crisis_resources(null))
  )
$$;
comment on function private.read_request is 'What the page of a link shows: {state: open | answered | expired | cancelled | unknown, now (as private.state_of_request), language, request_type, contact_name, student_name, worrying_days, response_type, resources}. Called by function buddy.';

create function private.count_click(token_hash text, at timestamptz) returns void
language sql security definer set search_path = '' as $$
  update public.buddy_check_in_requests r
  set link_clicked_at = at
  from private.buddy_links l
  where l.token_hash = count_click.token_hash and r.id = l.request_id
    and r.link_clicked_at is null
    and private.state_of_link(l, at) = 'open'
$$;
comment on function private.count_click is 'Stores when a person seems to have opened an open link first. Called by function buddy.';

create function private.broadcast_answer(request uuid) returns void
language sql security definer set search_path = '' as $$
  select realtime.send(
    jsonb_build_object(
      'request_id', r.id, 'contact_id', r.buddy_contact_id, 'name', c.name, 'request_type', r.request_type,
      'response_type', r.response_type, 'response_received_at', r.response_received_at, 'alert_id', p.alert_id
    ),
    'support_answer', 'support:' || r.user_id, true
  )
  from public.buddy_check_in_requests r
  left join public.buddy_contacts c on c.id = r.buddy_contact_id
  left join private.support_alert_plan p on p.request_id = r.id
  where r.id = request
$$;
comment on function private.broadcast_answer is 'Broadcasts to the student what a contact answered, when the transaction commits. Called by private.answer_request.';

create function private.answer_request(token_hash text, response text, at timestamptz) returns text
language plpgsql security definer set search_path = '' as $$
declare
  link private.buddy_links;
  state text;
  kind text;
begin
  select * into link from private.buddy_links l where l.token_hash = answer_request.token_hash;
  if not found then
    return 'unknown';
  end if;
  -- Alert, text, request: the order in which escalation and delivery lock them.
  perform
  from private.support_alert_plan step
  join public.support_alerts a on a.id = step.alert_id
  where step.request_id = link.request_id
  for update of a;
  perform from private.outbox o where o.request_id = link.request_id for update;
  select r.request_type into kind from public.buddy_check_in_requests r where r.id = link.request_id for update;
  if not found then
    return 'unknown';
  end if;
  state := private.state_of_link(link, at);
  if state <> 'open' then
    return state;
  end if;
  update public.buddy_check_in_requests
  set response_type = response, response_received_at = at, link_clicked_at = coalesce(link_clicked_at, at)
  where id = link.request_id;
  perform private.broadcast_answer(link.request_id);
  if kind = 'system_initiated' then
    perform private.answer_alert(link.request_id, response, at);
  end if;
  return 'stored';
end
$$;
comment on function private.answer_request is 'Stores a contact''s answer, the first one only, and lets it end or escalate an alert: stored, or the state of a link that takes none. Called by function buddy.';

create function private.stop_by_link(token_hash text, at timestamptz) returns text
language plpgsql security definer set search_path = '' as $$
declare
  asked record;
begin
  select private.state_of_link(l, at) as state, r.buddy_contact_id as contact
  into asked
  from private.buddy_links l
  join public.buddy_check_in_requests r on r.id = l.request_id
  where l.token_hash = stop_by_link.token_hash;
  if not found then
    return 'unknown';
  end if;
  if asked.state not in ('open', 'answered') then
    return asked.state;
  end if;
  perform private.withdraw_contact(asked.contact, 'page', at);
  return 'stopped';
end
$$;
comment on function private.stop_by_link is 'Ends being a contact, by the form of a page: stopped, or the state of a link that is over. Called by function buddy.';

-- By the link of a text, or that of the email once they agreed by it.
create function private.contact_of_link(token_hash text, at timestamptz) returns uuid
language sql stable security definer set search_path = '' as $$
  select c.id
  from public.buddy_contacts c
  where c.id = private.contact_of_token(contact_of_link.token_hash) and c.verified and c.verification_token_expires_at > at
  union all
  select r.buddy_contact_id
  from private.buddy_links l
  join public.buddy_check_in_requests r on r.id = l.request_id
  where l.token_hash = contact_of_link.token_hash and private.state_of_link(l, at) in ('open', 'answered')
  limit 1
$$;
comment on function private.contact_of_link is 'The contact who reads a link that works, of an email or a text; null when there is none. Called by private.read_preferences and private.change_preferences.';

create function private.read_preferences(token_hash text, at timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (
      select jsonb_build_object(
          'state', 'open', 'language', private.language_of_contact(c), 'time_zone', c.time_zone, 'texts_at_night', c.texts_at_night,
          'number_time_zones', coalesce(c.number_time_zones, '{}'), 'resources', private.crisis_resources(c.user_id)
        )
      from public.buddy_contacts c
      where c.id = private.contact_of_link(read_preferences.token_hash, at)
    ),
    jsonb_build_object('state', 'unknown', 'resources', private.crisis_resources(null))
  )
$$;
comment on function private.read_preferences is 'What a contact chose: {state: open | unknown, language, time_zone, texts_at_night, number_time_zones, resources}. Called by function buddy.';

create function private.change_preferences(token_hash text, time_zone text, texts_at_night boolean, language text, at timestamptz)
returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  asked public.buddy_contacts := private.lock_contact(private.contact_of_link(token_hash, at));
begin
  if asked.id is null then
    return false;
  end if;
  update public.buddy_contacts c
  set time_zone = change_preferences.time_zone, texts_at_night = change_preferences.texts_at_night, language = change_preferences.language
  where c.id = asked.id;
  -- What waits for the day of another zone.
  update private.outbox o
  set send_at = private.next_text_time(asked.id, at)
  where o.contact_id = asked.id and o.channel = 'sms' and o.status = 'queued' and o.attempts = 0 and asked.phone_confirmed_at is not null;
  return true;
end
$$;
comment on function private.change_preferences is 'Stores the time zone and language that a contact chooses, and when texts may come; false when the link is over. Called by function buddy.';

create function private.language_of_link(token_hash text) returns text
language sql stable security definer set search_path = '' as $$
  select private.language_of_contact(c)
  from public.buddy_contacts c
  where c.id = coalesce(
    private.contact_of_token(language_of_link.token_hash),
    (
      select r.buddy_contact_id
      from private.buddy_links l
      join public.buddy_check_in_requests r on r.id = l.request_id
      where l.token_hash = language_of_link.token_hash
    )
  )
$$;
comment on function private.language_of_link is 'The language of whoever a link was sent to; null where it leads nowhere. Called for pages that say what went wrong.';
