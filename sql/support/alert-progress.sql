-- What is due of each open alert, most important first; read it with "due_at <= at". Only what the alert asked in its current step
-- counts for the time to respond. A contact who stopped, declined or was removed will not respond any more. "offset 0" has each
-- row looked up by its key: tables that were last analysed while they were empty are otherwise joined as if they still were.
create view private.alert_progress
with (security_invoker = true)
as
select a.id as alert_id, due.priority, due.action, due.due_at
from public.support_alerts a
cross join private.support_settings s
cross join lateral (
  select
    coalesce(bool_or(r.response_type in ('called', 'messaged')), false) as answered,
    count(*) filter (where p.step = a.step and t.is_awaited) as awaited,
    coalesce(
      min(r.sent_at) filter (where p.step = a.step and not t.has_failed),
      min(o.ended_at) filter (where p.step = a.step and o.status = 'unconfirmed')
    ) as first_sent_at
  from (select * from private.support_alert_plan p where p.alert_id = a.id offset 0) as p
  cross join lateral (select * from public.buddy_check_in_requests r where r.id = p.request_id offset 0) as r
  left join lateral (
    select o.status, o.ended_at from private.outbox o where o.request_id = r.id and o.purpose = 'support_alert' offset 0
  ) as o on true
  cross join lateral (
    select
      r.delivery_status in ('undelivered', 'failed', 'cancelled')
        or coalesce(o.status in ('dead', 'cancelled'), r.sent_at is null) as has_failed
  ) as f
  cross join lateral (
    select
      f.has_failed,
      not f.has_failed
        and r.response_type is null
        and exists (select from public.buddy_contacts c where c.id = p.contact_id and c.is_active and c.verified)
        and not exists (
          select
          from (select l.number_hash from private.buddy_links l where l.request_id = r.id offset 0) as l
          join private.text_opt_outs n on n.number_hash = l.number_hash
        ) as is_awaited
  ) as t
) as told
cross join lateral (
  values
    (1, 'resolve', case when not private.has_consent(a.user_id, 'support_circle') then '-infinity'::timestamptz end),
    (2, 'answer', case when told.answered then '-infinity'::timestamptz end),
    (3, 'expire', a.opened_at + s.alert_valid),
    (4, 'ask_next', case when told.awaited = 0 then '-infinity'::timestamptz else told.first_sent_at + s.response_time end),
    (
      5, 'tell_crisis_contact',
      case when told.first_sent_at is null and a.crisis_contact_told_at is null then a.step_began_at + s.response_time end
    )
) as due (priority, action, due_at)
where a.status = 'open' and due.due_at is not null;
comment on view private.alert_progress is 'What comes next in each open alert and when: resolve, answer, expire, ask_next (the next step of the plan, or the crisis contact) and tell_crisis_contact (every text still waits).';

create function private.end_alert(alert uuid, status text, at timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  update public.support_alerts a
  set status = end_alert.status, ended_at = at
  where a.id = alert and a.status = 'open';
  if not found then
    return false;
  end if;
  perform private.cancel_messages(
    array(
      select o.id
      from private.support_alert_plan p
      join private.outbox o on o.request_id = p.request_id and o.purpose = 'support_alert'
      where p.alert_id = alert
    ),
    'alert_ended', at
  );
  perform private.broadcast_alert(alert);
  return true;
end
$$;
comment on function private.end_alert is 'Ends an open alert as answered, escalated, resolved or expired, and cancels its texts that were not sent; false when it has ended before. Called by alerts, and when a student withdraws consent.';

create function private.ask_next_contacts(alert uuid, at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  student uuid;
  next_step smallint;
  asked text;
begin
  select a.user_id, (select min(p.step) from private.support_alert_plan p where p.alert_id = a.id and p.step > a.step)
  into student, next_step
  from public.support_alerts a
  where a.id = alert;
  if next_step is null then
    perform private.tell_crisis_contact(
      alert,
      case
        when exists (select from private.support_alert_plan p where p.alert_id = alert and p.request_id is not null)
          then 'nobody of their support circle has responded'
        else 'nobody of their support circle can be reached'
      end,
      at
    );
    perform private.end_alert(alert, 'escalated', at);
    return;
  end if;

  update public.support_alerts set step = next_step, step_began_at = at where id = alert;
  update private.support_alert_plan p
  set request_id = private.ask_contact(p.contact_id, 'system_initiated', a.worrying_days, at)
  from public.support_alerts a
  where a.id = alert and p.alert_id = alert and p.step = next_step and p.contact_id is not null;
  select string_agg('- ' || private.name_in_message(c.name, 'a contact'), E'\n' order by p.position)
  into asked
  from private.support_alert_plan p
  join public.buddy_contacts c on c.id = p.contact_id
  where p.alert_id = alert and p.step = next_step and p.request_id is not null;
  if asked is null then
    return;
  end if;
  perform private.mail_student(
    alert,
    format(
      E'We are asking these people by text message to check in on you:\n%s\n\nThe text tells them that we noticed concerning patterns over %s days, and nothing else about you. If none of them responds within %s hours, we ask the next ones, and after them the crisis contact of your university.',
      asked,
      (select worrying_days from public.support_alerts where id = alert),
      (select extract(epoch from response_time)::integer / 3600 from private.support_settings)
    ),
    at
  );
  perform private.broadcast_alert(alert);
end
$$;
comment on function private.ask_next_contacts is 'Asks the contacts of the next step of an alert''s plan; when there is none, tells the crisis contact and ends the alert. Called by private.advance_alert.';

-- Every pass ends the alert, takes a later step, or tells the crisis contact, which happens once.
create function private.advance_alert(alert uuid, at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  due text;
begin
  loop
    select p.action into due
    from private.alert_progress p
    where p.alert_id = alert and p.due_at <= at
    order by p.priority
    limit 1;
    exit when not found;
    case due
      when 'resolve' then
        perform private.end_alert(alert, 'resolved', at);
      when 'answer' then
        perform private.end_alert(alert, 'answered', at);
      when 'expire' then
        perform private.tell_crisis_contact(alert, 'nobody of their support circle has responded in time', at);
        perform private.end_alert(alert, 'expired', at);
      when 'ask_next' then
        perform private.ask_next_contacts(alert, at);
      when 'tell_crisis_contact' then
        perform private.tell_crisis_contact(alert, 'the texts to their support circle wait until they may be sent', at);
    end case;
  end loop;
end
$$;
comment on function private.advance_alert is 'Does everything that is due of an open alert, which the caller has locked. Called by alerts.';

create function private.open_support_alert(student uuid, worrying_days integer, at timestamptz) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  alert uuid;
begin
  insert into public.support_alerts (user_id, worrying_days, opened_at, step_began_at)
  values (student, open_support_alert.worrying_days, at, at)
  returning id into alert;
  insert into private.support_alert_plan (alert_id, position, step, contact_id)
  select alert, c.position, (c.position - 1) / s.contacts_at_once + 1, c.id
  from private.support_settings s
  cross join (
    select id, row_number() over (order by priority_rank) as position
    from public.buddy_contacts
    where user_id = student and is_active and verified and private.may_reach(id, 'sms', phone)
  ) as c;
  perform private.advance_alert(alert, at);
  return alert;
end
$$;
comment on function private.open_support_alert is 'Opens an alert about a student, freezes whom it asks, and asks the first of them. Called by private.open_support_alerts, which allows one in 72 hours.';

-- One at a time, so that no two runs open an alert about one student; a run sees all that earlier ones have opened. One by one and
-- each in its own subtransaction, so that what is wrong with one student keeps the others' from nothing.
create function private.open_support_alerts(at timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  student record;
  opened integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('private.open_support_alerts', 0)) then
    return 0;
  end if;
  for student in select * from private.students_to_alert(at) loop
    begin
      perform private.open_support_alert(student.user_id, student.worrying_days, at);
      opened := opened + 1;
    exception when others then
      raise warning 'The support alert of student % was not opened: %', student.user_id, sqlstate;
    end;
  end loop;
  return opened;
end
$$;
comment on function private.open_support_alerts is 'Opens an alert about each student with a lasting pattern; returns how many. Called by private.tick_support_alerts.';

create function private.tick_support_alerts(at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  alert uuid;
begin
  for alert in
    -- Materialized, so that no plan asks for all again with each alert.
    with due as materialized (select distinct p.alert_id from private.alert_progress p where p.due_at <= at)
    select a.id
    from due
    join public.support_alerts a on a.id = due.alert_id
    where a.status = 'open'
    order by a.opened_at
    for update of a skip locked
  loop
    begin
      perform private.advance_alert(alert, at);
    exception when others then
      raise warning 'The support alert % was not advanced: %', alert, sqlstate;
    end;
  end loop;
  -- Last, because an alert that was to end during an outage keeps the next from opening.
  perform private.open_support_alerts(at);
end
$$;
comment on function private.tick_support_alerts is 'Does what is due of the alerts that are open, then opens new ones; what another run works on waits for the next. Called by cron.';
select cron.schedule('tick-support-alerts', '* * * * *', 'select private.tick_support_alerts(now())');

create function private.answer_alert(request uuid, response text, at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  alert uuid;
begin
  select a.id into alert
  from private.support_alert_plan p
  join public.support_alerts a on a.id = p.alert_id
  where p.request_id = request and a.status = 'open'
  for update of a;
  if not found then
    return;
  end if;
  if response in ('called', 'messaged') then
    perform private.end_alert(alert, 'answered', at);
  else
    perform private.advance_alert(alert, at);
  end if;
end
$$;
comment on function private.answer_alert is 'Lets an answer take effect that is stored with its request: called and messaged end the alert, and when all are unavailable the next are asked. Called by private.answer_request.';

create function private.report_all_right(at timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  student uuid := private.current_account();
  alert uuid;
  contacts uuid[];
begin
  update public.support_alerts
  set all_right_at = at
  where user_id = student and status = 'open'
  returning id into alert;
  if not found then
    return null;
  end if;
  perform private.end_alert(alert, 'resolved', at);
  select array_agg(p.contact_id order by p.position) into contacts
  from private.support_alert_plan p
  join public.buddy_check_in_requests r on r.id = p.request_id
  left join private.outbox o on o.request_id = r.id and o.purpose = 'support_alert'
  left join public.support_preferences c on c.user_id = student
  where p.alert_id = alert
    -- Who may have got it, also while nobody says that it was delivered, and not who certainly did not.
    and (r.sent_at is not null or o.status in ('sending', 'sent', 'unconfirmed'))
    and r.delivery_status not in ('undelivered', 'failed')
    and coalesce(c.pass_on_all_right, true);
  return jsonb_build_object(
    'alert_id', alert,
    'status', 'resolved',
    'contacts_told', (
      select count(
        private.queue_text(
          c.id,
          'support_all_right',
          private.compose_text(
            private.language_of_contact(c), 'all_right',
            jsonb_build_object(
              'contact', private.name_in_message(c.name, private.words_of(private.language_of_contact(c), 'contact')),
              'student', private.name_in_message(p.first_name, private.words_of(private.language_of_contact(c), 'student'))
            )
          ),
          null,
          at
        )
      )
      from public.buddy_contacts c
      left join public.profiles p on p.user_id = c.user_id
      where c.id = any (contacts)
    )
  );
end
$$;
comment on function private.report_all_right is 'Implementation of public.report_all_right, which calls it.';

create function public.report_all_right() returns jsonb
language sql set search_path = ''
begin atomic select private.report_all_right(now()); end;
comment on function public.report_all_right is 'Ends the open alert about the caller, and passes that on to the contacts who were texted unless the caller switched it off: {alert_id, status, contacts_told}, or null when no alert is open. Called by students.';
