create table public.support_alerts (
  id uuid not null default gen_random_uuid() constraint support_alerts_pkey primary key,
  user_id uuid not null constraint support_alerts_user_id_fkey references auth.users (id) on delete cascade,
  status text not null default 'open',
  worrying_days smallint not null constraint support_alerts_worrying_days_range check (worrying_days between 1 and 30),
  step smallint not null default 0 constraint support_alerts_step_range check (step between 0 and 5),
  step_began_at timestamptz not null default now(),
  crisis_contact_told_at timestamptz,
  all_right_at timestamptz,
  opened_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint support_alerts_status_known check (status in ('open', 'answered', 'escalated', 'resolved', 'expired')),
  constraint support_alerts_ended_at_when_ended check ((status = 'open') = (ended_at is null))
);
select private.describe('public.support_alerts',
  'Each time that a lasting pattern told a student''s contacts. Who is asked, in which order, is fixed when it opens.', $$
  id: The alert.
  user_id: The student.
  status: open → answered (a contact called or messaged) | escalated (nobody was left: the crisis contact knows) | resolved (the student is all right, or withdrew) | expired.
  worrying_days: Worrying days of the pattern that opened it.
  step: Step of the plan that is being asked: 1 is the first contacts; 0 when there was nobody to ask.
  step_began_at: When that step began.
  crisis_contact_told_at: When the university's crisis contact was told; null while it was not.
  all_right_at: When the student said that they are all right; null otherwise.
  opened_at: When it was opened.
  ended_at: When it ended.
$$);
alter table public.support_alerts alter column user_id set statistics 0;
create unique index support_alerts_open_student_idx on public.support_alerts (user_id) where status = 'open';
create index support_alerts_user_id_idx on public.support_alerts (user_id, opened_at desc);
create index support_alerts_open_idx on public.support_alerts (opened_at) where status = 'open';
create index support_alerts_ended_at_idx on public.support_alerts (ended_at);

select private.declare_data('public.support_alerts',
  '{id, user_id, status, worrying_days, step, step_began_at, crisis_contact_told_at, all_right_at, opened_at, ended_at}',
  'Each time that a lasting pattern told the student''s contacts.', 'student', 'health', 't.user_id = $1',
  term => 'support_history');
select private.declare_purge('support_history', 'public.support_alerts', 'd.status <> ''open'' and d.opened_at < $1');
select private.declare_audited('public.support_alerts', 'id', 'by_hand');

create table private.support_alert_plan (
  alert_id uuid not null constraint support_alert_plan_alert_id_fkey references public.support_alerts (id) on delete cascade,
  position smallint not null constraint support_alert_plan_position_range check (position between 1 and 5),
  step smallint not null,
  contact_id uuid constraint support_alert_plan_contact_id_fkey references public.buddy_contacts (id) on delete set null,
  request_id uuid constraint support_alert_plan_request_id_fkey references public.buddy_check_in_requests (id) on delete set null,
  constraint support_alert_plan_pkey primary key (alert_id, position),
  constraint support_alert_plan_step_range check (step between 1 and position)
);
select private.describe('private.support_alert_plan', 'Whom an alert asks, frozen when it opens.', $$
  alert_id: The alert.
  position: Place in the order, 1 first.
  step: Step in which the contact is asked.
  contact_id: The contact; null once it is deleted.
  request_id: The request that was made to the contact; null until then.
$$);
create index support_alert_plan_contact_id_idx on private.support_alert_plan (contact_id);
create index support_alert_plan_request_id_idx on private.support_alert_plan (request_id);

select private.declare_data('private.support_alert_plan', '{alert_id, position, step, contact_id, request_id}',
  'Whom an alert asks.', 'student', 'choices', 't.alert_id in (select a.id from public.support_alerts a where a.user_id = $1)',
  term => 'support_history');
select private.declare_audited('private.support_alert_plan', 'alert_id', 'by_hand');

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
comment on function private.broadcast_alert is 'Broadcasts an alert to its student when the transaction commits. Called wherever an alert opens, asks somebody, tells the crisis contact or ends.';

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
comment on function private.mail_student is 'Queues an email that tells the student what an alert does. Called by private.ask_next_contacts and private.tell_crisis_contact.';

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
      E'A lasting pattern in a student''s check-ins worries us, and %s.\n\n%s\n\nSign in to see who it is and to claim the review. It stays open until a counselor claims it.',
      reason,
      (
        select private.review_reference(r.id, r.university_id)
        from public.clinical_reviews r
        where r.user_id = student and r.status <> 'closed'
      )
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
comment on function private.tell_crisis_contact is 'Opens a clinical review and tells the university''s crisis contact by email, once an alert; "reason" ends a sentence of that mail. Called by private.advance_alert and private.ask_next_contacts.';
