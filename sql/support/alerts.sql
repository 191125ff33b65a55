create table public.support_alerts (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  status text not null default 'open',
  worrying_days smallint not null,
  step smallint not null default 0,
  step_began_at timestamptz not null default now(),
  crisis_contact_told_at timestamptz,
  all_right_at timestamptz,
  opened_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint support_alerts_pkey primary key (id),
  constraint support_alerts_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint support_alerts_status_known check (status in ('open', 'answered', 'escalated', 'resolved', 'expired')),
  constraint support_alerts_worrying_days_range check (worrying_days between 1 and 30),
  constraint support_alerts_step_range check (step between 0 and 5),
  constraint support_alerts_ended_at_when_ended check ((status = 'open') = (ended_at is null))
);
comment on table public.support_alerts is 'Each time that a lasting pattern told a student''s contacts. Who is asked, in which order, is fixed when it opens.';
comment on column public.support_alerts.id is 'The alert.';
comment on column public.support_alerts.user_id is 'The student.';
comment on column public.support_alerts.status is
  'open → answered (a contact called or messaged) | escalated (nobody was left: the crisis contact knows) | resolved (the student is all right, or withdrew) | expired.';
comment on column public.support_alerts.worrying_days is 'Worrying days of the pattern that opened it.';
comment on column public.support_alerts.step is 'Step of the plan that is being asked: 1 is the first contacts; 0 when there was nobody to ask.';
comment on column public.support_alerts.step_began_at is 'When that step began.';
comment on column public.support_alerts.crisis_contact_told_at is 'When the university''s crisis contact was told; null while it was not.';
comment on column public.support_alerts.all_right_at is 'When the student said that they are all right; null otherwise.';
comment on column public.support_alerts.opened_at is 'When it was opened.';
comment on column public.support_alerts.ended_at is 'When it ended.';
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

create table private.support_alert_plan (
  alert_id uuid not null,
  position smallint not null,
  step smallint not null,
  contact_id uuid,
  request_id uuid,
  constraint support_alert_plan_pkey primary key (alert_id, position),
  constraint support_alert_plan_alert_id_fkey foreign key (alert_id) references public.support_alerts (id) on delete cascade,
  constraint support_alert_plan_contact_id_fkey foreign key (contact_id) references public.buddy_contacts (id) on delete set null,
  constraint support_alert_plan_request_id_fkey foreign key (request_id)
    references public.buddy_check_in_requests (id) on delete set null,
  constraint support_alert_plan_position_range check (position between 1 and 5),
  constraint support_alert_plan_step_range check (step between 1 and position)
);
comment on table private.support_alert_plan is 'Whom an alert asks, frozen when it opens.';
comment on column private.support_alert_plan.alert_id is 'The alert.';
comment on column private.support_alert_plan.position is 'Place in the order, 1 first.';
comment on column private.support_alert_plan.step is 'Step in which the contact is asked.';
comment on column private.support_alert_plan.contact_id is 'The contact; null once it is deleted.';
comment on column private.support_alert_plan.request_id is 'The request that was made to the contact; null until then.';
create index support_alert_plan_contact_id_idx on private.support_alert_plan (contact_id);
create index support_alert_plan_request_id_idx on private.support_alert_plan (request_id);

select private.declare_data('private.support_alert_plan', '{alert_id, position, step, contact_id, request_id}',
  'Whom an alert asks.', 'student', 'choices', 't.alert_id in (select a.id from public.support_alerts a where a.user_id = $1)',
  term => 'support_history');
