create table private.worrying_days (
  user_id uuid not null constraint worrying_days_user_id_fkey references auth.users (id) on delete cascade,
  day date not null,
  stored_at timestamptz not null default now(),
  constraint worrying_days_pkey primary key (user_id, day)
);
select private.describe('private.worrying_days',
  'Days (UTC) of the last weeks on which a check-in of the student showed moderate or high risk, or was clearly worse than usual; so that looking for patterns reads no check-ins.', $$
  user_id: The student.
  day: The day.
  stored_at: When the check-in that made it one was scored.
$$);
create index worrying_days_day_idx on private.worrying_days (day);

select private.declare_term('worrying_days', '30 days', 'Days with risk: from the day; no pattern looks back further.',
  shortest => '30 days');
select private.declare_data('private.worrying_days', '{user_id, day, stored_at}',
  'Days of the last weeks with risk, to notice a lasting pattern.', 'student', 'health', 't.user_id = $1',
  term => 'worrying_days');
select private.declare_purge('worrying_days', 'private.worrying_days', 'd.day < ($1 at time zone ''UTC'')::date');
select private.declare_audited('private.worrying_days', 'user_id', 'by_hand');

create function private.store_worrying_day(student uuid, moment timestamptz) returns void
language sql security definer set search_path = '' as $$
  insert into private.worrying_days (user_id, day)
  select student, (moment at time zone 'UTC')::date
  from private.support_settings s
  where moment > now() - make_interval(days => s.pattern_window_days)
  on conflict do nothing
$$;
comment on function private.store_worrying_day is 'Stores that the day (UTC) of a moment was a worrying one, unless it is too long ago to count. Called by the triggers on check-ins and their results.';

create function private.store_day_of_risk() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.store_worrying_day(new.user_id, coalesce(new.submitted_at, new.completed_at));
  return null;
end
$$;
comment on function private.store_day_of_risk is 'Trigger: a check-in that ends with moderate risk or more makes its day a worrying one.';

create function private.store_day_of_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.store_worrying_day(new.user_id, coalesce(c.submitted_at, new.created_at))
  from checkin.check_ins c
  where c.id = new.check_in_id;
  return null;
end
$$;
comment on function private.store_day_of_change is 'Trigger: a score that is clearly worse than the student''s usual makes its day a worrying one.';

create function private.collect_worrying_days(student uuid default null) returns void
language sql set search_path = '' as $$
  insert into private.worrying_days (user_id, day)
  select c.user_id, (coalesce(c.submitted_at, c.completed_at) at time zone 'UTC')::date
  from private.support_settings s
  join checkin.check_ins c on coalesce(c.submitted_at, c.completed_at) > now() - make_interval(days => s.pattern_window_days)
  left join checkin.fusion_results f on f.check_in_id = c.id
  where c.status in ('complete', 'failed')
    and (student is null or c.user_id = student)
    and (c.risk_level >= 'moderate' or (f.direction_of_change = 'worse' and f.significance = 'high'))
  on conflict do nothing
$$;
comment on function private.collect_worrying_days is 'Stores the worrying days of check-ins, of one student or of all, from what is stored of them. Called where results are deleted, by the migration that added the table and by the seed.';

create function private.students_to_alert(at timestamptz)
returns table (user_id uuid, worrying_days integer)
language sql stable set search_path = '' as $$
  with worried as materialized (
    select w.user_id, count(*)::integer as days
    from private.support_settings s
    cross join lateral (select (at at time zone 'UTC')::date as today) as clock
    join private.worrying_days w on w.day > clock.today - s.pattern_window_days and w.day <= clock.today
    group by w.user_id, s.pattern_days
    having count(*) >= s.pattern_days
  ),
  -- First, as a pattern mostly has its alert already; of whom are left, the consent and the account are looked up.
  without_alert as materialized (
    select w.user_id, w.days
    from worried w
    cross join private.support_settings s
    where not exists (
        select from public.support_preferences p where p.user_id = w.user_id and p.alerts_paused_until > at
      )
      and not exists (
        select from public.support_alerts a
        where a.user_id = w.user_id and (a.status = 'open' or a.opened_at > at - s.alert_pause)
      )
  )
  select w.user_id, w.days
  from without_alert w
  join auth.users u on u.id = w.user_id and (u.banned_until is null or u.banned_until <= now())
  where private.has_consent(w.user_id, 'support_circle')
$$;
comment on function private.students_to_alert is 'Students with a lasting pattern about whom an alert is to be opened, and how many worrying days they had. Called by private.open_support_alerts.';

create trigger store_day_of_risk_at_insert
after insert on checkin.check_ins
for each row
when (new.status in ('complete', 'failed') and new.risk_level >= 'moderate')
execute function private.store_day_of_risk();

create trigger store_day_of_risk
after update of status, risk_level on checkin.check_ins
for each row
when (
  new.status in ('complete', 'failed') and new.risk_level >= 'moderate'
  and (new.status, new.risk_level) is distinct from (old.status, old.risk_level)
)
execute function private.store_day_of_risk();

create trigger store_day_of_change
after insert on checkin.fusion_results
for each row
when (new.direction_of_change = 'worse' and new.significance = 'high')
execute function private.store_day_of_change();
