-- Everything about a student's alerts that the app shows comes by this channel and from the table.
create function private.broadcast_alert(alert uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object(
      'alert_id', a.id,
      'status', a.status,
      'worrying_days', a.worrying_days,
      'step', a.step,
      'asked', (
        select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by p.position), '[]')
        from private.support_alert_plan p
        join public.buddy_contacts c on c.id = p.contact_id
        where p.alert_id = a.id and p.request_id is not null
      ),
      'crisis_contact_told_at', a.crisis_contact_told_at,
      'opened_at', a.opened_at,
      'ended_at', a.ended_at
    ),
    'support_alert',
    'support:' || a.user_id,
    true
  )
  from public.support_alerts a
  where a.id = alert;
end
$$;
comment on function private.broadcast_alert is
  'Broadcasts an alert to its student when the transaction commits. Called wherever an alert opens, asks somebody, tells the crisis contact or ends.';

create function private.mail_student(alert uuid, told text, at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.outbox (channel, purpose, user_id, recipient, subject, body, send_at)
  select
    'email',
    'support_alert_notice',
    a.user_id,
    u.email,
    'About your support circle',
    format(
      E'Hi %s,\n\nYour check-ins of %s of the last %s days made us think that you might not be well, and you agreed that your support circle is told then.\n\n%s\n\nIf you are all right, say so in the app under "Support circle": nobody else is asked then.\n\nSomebody to talk to now:\n%s',
      private.name_in_message(p.first_name, 'there'),
      a.worrying_days,
      s.pattern_window_days,
      told,
      (
        select string_agg(format('- %s: %s', r ->> 'name', coalesce(r ->> 'phone', r ->> 'website')), E'\n')
        from jsonb_array_elements(private.crisis_resources(a.user_id)) as r
      )
    ),
    at
  from public.support_alerts a
  cross join private.support_settings s
  join auth.users u on u.id = a.user_id and u.email <> ''
  left join public.profiles p on p.user_id = a.user_id
  where a.id = alert;
end
$$;
comment on function private.mail_student is
  'Queues an email that tells the student what an alert does. Called by private.ask_next_contacts and private.tell_crisis_contact.';

-- The mail names no student; the one that a new review sends would say that there are signs of a crisis.
create function private.tell_crisis_contact(alert uuid, reason text, at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  student uuid;
begin
  update public.support_alerts
  set crisis_contact_told_at = at
  where id = alert and crisis_contact_told_at is null
  returning user_id into student;
  if not found then
    return;
  end if;
  perform private.open_clinical_review(student, 'support_alert', alert, 'moderate');
  perform private.queue_review_message(
    p.university_id,
    student,
    'support_alert_escalation',
    'Support circle: a student needs a clinical review',
    format(
      E'A lasting pattern in a student''s check-ins worries us, and %s.\n\nReview: %s\n\nSign in to see who it is and to claim the review. It stays open until a counselor claims it.',
      reason,
      (select r.id from public.clinical_reviews r where r.user_id = student and r.status <> 'closed')
    )
  )
  -- Also for an account without a profile: it becomes a dead letter, which operators are told of.
  from (select) as once
  left join public.profiles p on p.user_id = student;
  perform private.mail_student(
    alert, 'We have told the crisis contact of your university; a counselor may get in touch with you.', at
  );
  perform private.broadcast_alert(alert);
end
$$;
comment on function private.tell_crisis_contact is
  'Opens a clinical review and tells the university''s crisis contact by email, once an alert; "reason" ends a sentence of that mail. Called by private.advance_alert and private.ask_next_contacts.';
