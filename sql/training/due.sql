-- A certificate moves the date on; so does an assignment that came after it. Whoever is banned, or is no longer staff, owes nothing.
create view private.training_due
with (security_invoker = true)
as
with assigned as (
  select a.module_id, a.user_id, a.created_at as since, a.due_days
  from public.training_assignments a
  where private.is_staff(a.user_id)
  union all
  select a.module_id, r.user_id, greatest(a.created_at, r.created_at), a.due_days
  from public.training_assignments a
  join public.user_roles r on r.role = a.role
),
earliest as (
  select distinct on (module_id, user_id)
    module_id, user_id, since, since + due_days * interval '24 hours' as due_at
  from assigned
  order by module_id, user_id, since + due_days * interval '24 hours'
)
select
  e.user_id,
  m.id as module_id,
  m.version,
  case when c.expires_at > e.due_at then c.issued_at else e.since end as since,
  greatest(e.due_at, c.expires_at) as due_at,
  c.id as certificate_id,
  c.expires_at as certificate_expires_at,
  p.started_at
from earliest e
join public.training_modules m on m.id = e.module_id and m.published
join auth.users u on u.id = e.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
left join public.training_progress p on p.user_id = e.user_id and p.module_id = m.id and p.version = m.version
left join lateral (
  select c.id, c.issued_at, c.expires_at
  from public.training_certificates c
  where c.user_id = e.user_id and c.module_id = e.module_id
  order by c.expires_at desc
  limit 1
) c on true;
comment on view private.training_due is 'Who has to take which module, until when (due_at) and from when on they could know (since); with the last certificate and, where the module was begun, when. What is overdue has a due_at that is over.';

create function private.my_training(at timestamptz)
returns table (
  module_id text, title text, category public.training_category, difficulty public.training_difficulty,
  estimated_duration integer, version integer, status text, due_at timestamptz, certificate_id text,
  certificate_expires_at timestamptz, sections integer, sections_read text[]
)
language sql stable security definer set search_path = '' as $$
  select
    m.id, m.title, m.category, m.difficulty, m.estimated_duration, m.version,
    case
      when d.due_at <= at then 'overdue'
      when c.expires_at > at then 'completed'
      when p.started_at is not null then 'in_progress'
      when d.due_at is not null then 'assigned'
      else 'optional'
    end,
    d.due_at, c.id, c.expires_at, jsonb_array_length(m.content -> 'sections'), coalesce(p.sections_read, '{}')
  from public.training_modules m
  cross join (select private.current_account() as id offset 0) as account
  left join private.training_due d on d.module_id = m.id and d.user_id = account.id
  left join public.training_progress p on p.module_id = m.id and p.version = m.version and p.user_id = account.id
  left join lateral (
    select c.id, c.expires_at
    from public.training_certificates c
    where c.user_id = account.id and c.module_id = m.id
    order by c.expires_at desc
    limit 1
  ) c on true
  where m.published and private.is_staff(account.id)
  order by d.due_at nulls last, m.title, m.id
$$;
comment on function private.my_training is 'Implementation of public.my_training, which calls it; at another time for the tests.';

create function public.my_training()
returns table (
  module_id text, title text, category public.training_category, difficulty public.training_difficulty,
  estimated_duration integer, version integer, status text, due_at timestamptz, certificate_id text,
  certificate_expires_at timestamptz, sections integer, sections_read text[]
)
language sql stable set search_path = ''
begin atomic
  select t.module_id, t.title, t.category, t.difficulty, t.estimated_duration, t.version, t.status, t.due_at, t.certificate_id,
    t.certificate_expires_at, t.sections, t.sections_read
  from private.my_training(now()) t;
end;
comment on function public.my_training is 'What the caller may learn, what is due first: status assigned, in_progress, completed (until the certificate expires), overdue or optional. Called by staff; no row for others.';

create function private.training_statistics(at timestamptz)
returns table (
  module_id text, title text, version integer, published boolean, assigned bigint, completed bigint, in_progress bigint,
  overdue bigint, attempts bigint, passed bigint, average_score numeric
)
language sql stable security definer set search_path = '' as $$
  select m.id, m.title, m.version, m.published, d.assigned, d.completed, d.in_progress, d.overdue, a.attempts, a.passed, a.average_score
  from public.training_modules m
  left join lateral (
    select
      count(*) as assigned,
      count(*) filter (where d.due_at > at and d.certificate_expires_at > at) as completed,
      count(*) filter (where d.due_at > at and (d.certificate_expires_at > at) is not true and d.started_at is not null) as in_progress,
      count(*) filter (where d.due_at <= at) as overdue
    from private.training_due d
    where d.module_id = m.id
  ) d on true
  left join lateral (
    select count(*) as attempts, count(*) filter (where a.passed) as passed, round(avg(a.score), 2) as average_score
    from public.training_attempts a
    where a.module_id = m.id and a.submitted_at is not null
  ) a on true
  where private.is_security_admin() or coalesce((select auth.role()), '') not in ('anon', 'authenticated')
  order by d.overdue desc, m.title, m.id
$$;
comment on function private.training_statistics is 'Implementation of public.training_statistics, which calls it; at another time for the tests.';

create function public.training_statistics()
returns table (
  module_id text, title text, version integer, published boolean, assigned bigint, completed bigint, in_progress bigint,
  overdue bigint, attempts bigint, passed bigint, average_score numeric
)
language sql stable set search_path = ''
begin atomic
  select s.module_id, s.title, s.version, s.published, s.assigned, s.completed, s.in_progress, s.overdue, s.attempts, s.passed,
    s.average_score
  from private.training_statistics(now()) s;
end;
comment on function public.training_statistics is 'How many people each module is assigned to, how many of them have a certificate that counts, have begun, or are overdue, and how attempts went. Called by security administrators and the secret key; no row for others.';

create table private.training_reminders (
  user_id uuid not null constraint training_reminders_user_id_fkey references auth.users (id) on delete cascade,
  module_id text not null constraint training_reminders_module_id_fkey references public.training_modules (id) on delete cascade,
  due_at timestamptz not null,
  days_before smallint not null,
  reached_at timestamptz not null,
  message_id uuid,
  constraint training_reminders_pkey primary key (user_id, module_id, due_at, days_before)
);
select private.describe('private.training_reminders', 'Which reminders of a due date were reached, so that each is sent once.', $$
  user_id: The learner.
  module_id: The module.
  due_at: The date that is reminded of.
  days_before: How many days before: 7, 3 or 1.
  reached_at: When it was found to be reached.
  message_id: The email; null when a later reminder was reached by then, which was sent alone.
$$);
create index training_reminders_module_id_idx on private.training_reminders (module_id);

select private.declare_data('private.training_reminders', '{user_id, module_id, due_at, days_before, reached_at, message_id}',
  'To remind of each date once.', 'staff', 'activity', 't.user_id = $1');
select private.declare_audited('private.training_reminders', 'user_id', 'by_hand');

-- A run that was missed is caught up by the next one, with one email that says how long there is; what is over is reminded of no more.
create function private.remind_of_training(at timestamptz) returns void
language sql security definer set search_path = '' as $$
  with reached as (
    select d.user_id, d.module_id, d.due_at, b.days_before,
      b.days_before = min(b.days_before) over (partition by d.user_id, d.module_id) as is_last
    from private.training_due d
    cross join (values (7), (3), (1)) as b (days_before)
    where d.due_at > at
      and d.due_at - b.days_before * interval '24 hours' between d.since and at
  ),
  stored as (
    insert into private.training_reminders (user_id, module_id, due_at, days_before, reached_at, message_id)
    select user_id, module_id, due_at, days_before, at, case when is_last then gen_random_uuid() end
    from reached
    on conflict on constraint training_reminders_pkey do nothing
    returning user_id, module_id, due_at, message_id
  )
  insert into private.outbox (id, channel, purpose, user_id, recipient, subject, body)
  select
    s.message_id,
    'email',
    'training_reminder',
    s.user_id,
    u.email,
    left(format('Training due in %s: %s', n.time_left, m.title), 200),
    format(
      E'Your training "%s" is due on %s UTC, in %s. It takes about %s minutes, and questions follow.%s',
      m.title,
      to_char(s.due_at at time zone 'UTC', 'FMDD FMMonth YYYY, HH24:MI'),
      n.time_left,
      m.estimated_duration,
      coalesce(E'\n\nRead and answer it here: ' || private.staff_link('/training/' || m.id), '')
    )
  from stored s
  join auth.users u on u.id = s.user_id
  join public.training_modules m on m.id = s.module_id
  cross join lateral (select ceil(extract(epoch from s.due_at - at) / 86400)::integer as days) as whole
  cross join lateral (
    select case whole.days when 1 then 'one day' else whole.days || ' days' end as time_left
  ) as n
  where s.message_id is not null and u.email is not null
$$;
comment on function private.remind_of_training is 'Queues emails to those whose training is due in 7, 3 or 1 days, each once for a due date. Called by cron.';
select cron.schedule('remind-of-training', '*/10 * * * *', 'select private.remind_of_training(now())');
