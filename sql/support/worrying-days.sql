create table private.worrying_days (
  user_id uuid not null constraint worrying_days_user_id_fkey references auth.users (id) on delete cascade,
  day date not null,
  stored_at timestamptz not null default now(),
  constraint worrying_days_pkey primary key (user_id, day)
);
select private.describe('private.worrying_days',
  'Days of the last weeks on which a check-in or an assessment session of the student showed moderate or high risk, or a check-in was clearly worse than usual; so that looking for patterns reads no check-ins.', $$
  user_id: The student.
  day: The day where the student is. Who changes their time zone has their days counted anew in the new one.
  stored_at: When the check-in that made it one was scored, or the session.
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
  select student, private.local_date(student, moment)
  from private.support_settings s
  where moment > now() - make_interval(days => s.pattern_window_days)
  on conflict do nothing
$$;
comment on function private.store_worrying_day is 'Stores that the student''s day of a moment was a worrying one, unless it is too long ago to count. Called by the triggers on check-ins and their results.';

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

-- In PL/pgSQL, which plans for the student: a plan for one or all reads all.
create function private.collect_worrying_days(student uuid default null) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.worrying_days (user_id, day)
  select c.user_id, private.local_date(c.user_id, coalesce(c.submitted_at, c.completed_at))
  from private.support_settings s
  join checkin.check_ins c on coalesce(c.submitted_at, c.completed_at) > now() - make_interval(days => s.pattern_window_days)
  left join checkin.fusion_results f on f.check_in_id = c.id
  where c.status in ('complete', 'failed')
    and (student is null or c.user_id = student)
    and (c.risk_level >= 'moderate' or (f.direction_of_change = 'worse' and f.significance = 'high'))
  union
  select r.user_id, private.local_date(r.user_id, r.at)
  from private.support_settings s
  join private.session_risks r on r.at > now() - make_interval(days => s.pattern_window_days)
  where (student is null or r.user_id = student) and r.risk_level >= 'moderate'
  on conflict do nothing;
end
$$;
comment on function private.collect_worrying_days is 'Stores the worrying days of check-ins and sessions, of one student or of all, from what is stored of them. Called where results are deleted, where a time zone changes, and by the seed.';

-- Days of two zones would count an hour twice, or not at all.
create function private.recount_worrying_days() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- Null where a university changed: then one pass over all is faster than one for each of its students.
  student constant uuid := to_jsonb(new) ->> 'user_id';
begin
  delete from private.worrying_days w
  using public.profiles p
  where p.user_id = w.user_id
    and case when student is null then p.university_id = (to_jsonb(new) ->> 'id') and p.time_zone is null else p.user_id = student end;
  if found then
    perform private.collect_worrying_days(student);
  end if;
  return null;
end
$$;
comment on function private.recount_worrying_days is 'Trigger: after a change of the time zone of a student, or of those of a university, their days are counted in the new one.';

-- The days of one person are written by their check-ins, sessions and withdrawals as well, which lock the account, then the consents.
create function private.lock_own_days() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.users where id = (select auth.uid()) for key share;
  perform pg_advisory_xact_lock(private.consent_lock((select auth.uid())));
  return null;
end
$$;
comment on function private.lock_own_days is 'Trigger: before the caller''s time zone changes, waits for what is being stored of them, in the order in which everything else locks it.';

create trigger lock_own_days before update of time_zone on public.profiles
for each statement execute function private.lock_own_days();

create trigger recount_worrying_days after update of time_zone, university_id on public.profiles
for each row when ((new.time_zone, new.university_id) is distinct from (old.time_zone, old.university_id))
execute function private.recount_worrying_days();

create trigger recount_worrying_days after update of time_zone on public.universities
for each row when (new.time_zone <> old.time_zone) execute function private.recount_worrying_days();

create function private.students_to_alert(at timestamptz)
returns table (user_id uuid, worrying_days integer)
language sql stable set search_path = '' as $$
  -- By the date in UTC, which is a day off at most, the index finds them.
  with likely as materialized (
    select w.user_id
    from private.support_settings s
    join private.worrying_days w on w.day >= (at at time zone 'UTC')::date - s.pattern_window_days
    group by w.user_id, s.pattern_days
    having count(*) >= s.pattern_days
  ),
  -- First, as a pattern mostly has its alert already; of whom are left, the days where they are, the consent and the account are looked up.
  without_alert as materialized (
    select l.user_id
    from likely l
    cross join private.support_settings s
    where not exists (
        select from public.support_preferences p where p.user_id = l.user_id and p.alerts_paused_until > at
      )
      and not exists (
        select from public.support_alerts a
        where a.user_id = l.user_id and (a.status = 'open' or a.opened_at > at - s.alert_pause)
      )
  ),
  worried as materialized (
    select l.user_id, counted.days
    from without_alert l
    join public.profiles p on p.user_id = l.user_id
    left join public.universities n on n.id = p.university_id
    cross join private.support_settings s
    cross join lateral (select (at at time zone coalesce(p.time_zone, n.time_zone, 'UTC'))::date as today) as clock
    cross join lateral (
      select count(*)::integer as days
      from private.worrying_days w
      where w.user_id = l.user_id and w.day > clock.today - s.pattern_window_days and w.day <= clock.today
    ) as counted
    where counted.days >= s.pattern_days
  )
  select w.user_id, w.days
  from worried w
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
