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

create function private.read_request(token_hash text, at timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (
      select jsonb_build_object(
        'state', state,
        'request_type', r.request_type,
        'contact_name', private.name_in_message(c.name, 'there'),
        'student_name', private.name_in_message(p.first_name, 'your friend'),
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
      cross join lateral (select private.state_of_link(l, at) as state) as now_is
      where l.token_hash = read_request.token_hash
    ),
    jsonb_build_object('state', 'unknown', 'resources', private.crisis_resources(null))
  )
$$;
comment on function private.read_request is 'What the page of a link shows: {state: open | answered | expired | cancelled | unknown, request_type, contact_name, student_name, worrying_days, response_type, resources}. Called by function buddy.';

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
