-- Sessions beside check-ins: one history of both, and what follows from the risk of either.

create function private.refresh_latest_risk(student uuid) returns void
language sql set search_path = '' as $$
  update public.students s
  set latest_risk_level = coalesce(latest.risk_level, 'none'), latest_risk_source = latest.source
  from (select student as user_id) as this
  left join lateral (
    select found.risk_level, found.source
    from (
      (
        select coalesce(c.risk_level, 'none') as risk_level, 'check_in'::public.history_source as source, c.completed_at as at
        from checkin.check_ins c
        where c.user_id = this.user_id and c.status in ('complete', 'failed')
        order by c.completed_at desc
        limit 1
      )
      union all
      (
        select r.risk_level, 'session', r.at
        from private.session_risks r
        where r.user_id = this.user_id
          and (r.risk_level > 'none' or exists (select from public.session_scores f where f.session_id = r.session_id))
        order by r.at desc, r.risk_level desc
        limit 1
      )
    ) as found
    order by found.at desc, found.risk_level desc
    limit 1
  ) as latest on true
  where s.user_id = this.user_id
$$;
comment on function private.refresh_latest_risk is 'Takes the student''s latest risk anew from what is stored. Called where results or sessions are deleted, and by the seed.';

-- Words show risk before any score is asked for.
create function private.count_session_risk() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.risk_level >= 'moderate' then
    perform private.store_worrying_day(new.user_id, new.created_at);
  end if;
  update public.students s
  set latest_risk_level = r.risk_level, latest_risk_source = 'session'
  from private.session_risks r
  where s.user_id = new.user_id and r.user_id = new.user_id and r.session_id = new.session_id;
  return null;
end
$$;
comment on function private.count_session_risk is 'Trigger: the risk of a session is the student''s latest, and makes its day a worrying one as that of a check-in does.';

create trigger count_session_risk after insert on public.session_scores
for each row execute function private.count_session_risk();

create trigger count_session_risk after insert on public.session_analyses
for each row when (new.risk_level > 'none') execute function private.count_session_risk();

create trigger count_raised_risk after update of risk_level on public.session_analyses
for each row when (new.risk_level > old.risk_level) execute function private.count_session_risk();

create type public.history_entry as (
  source public.history_source,
  id uuid,
  at timestamptz,
  local_date date,
  score numeric,
  score_low numeric,
  score_high numeric,
  calibrated boolean,
  uncertainty numeric,
  direction_of_change checkin.direction_of_change,
  significance checkin.significance,
  risk_level checkin.risk_level,
  baseline_score numeric,
  compared_to_baseline numeric,
  algorithm_version text
);
comment on type public.history_entry is 'A check-in or session in the history of a student. Scores of the two are on scales of their own; both are compared with the usual score of the check-ins.';

create function private.history_of(student uuid, since timestamptz, before timestamptz, before_id uuid, most integer)
returns setof public.history_entry
language sql stable set search_path = '' as $$
  select e.*
  from (select private.time_zone_of(student) as zone) as home
  cross join lateral (
    select
      'check_in'::public.history_source as source, c.id, coalesce(c.submitted_at, c.completed_at) as at,
      (coalesce(c.submitted_at, c.completed_at) at time zone home.zone)::date as local_date,
      f.score, f.score_interval[1] as score_low, f.score_interval[2] as score_high, f.calibrated, f.uncertainty,
      f.direction_of_change, f.significance, coalesce(c.risk_level, f.risk_level, 'none') as risk_level,
      (f.baseline ->> 'score_mean')::numeric as baseline_score, (f.baseline ->> 'compared')::numeric as compared_to_baseline,
      f.algorithm_version
    from checkin.check_ins c
    left join checkin.fusion_results f on f.check_in_id = c.id
    where c.user_id = student and (f.check_in_id is not null or c.status = 'failed' and c.risk_level > 'none')
    union all
    select
      'session', s.id, s.created_at, (s.created_at at time zone home.zone)::date,
      f.final_score, (f.fusion_score -> 'score_interval' ->> 0)::numeric, (f.fusion_score -> 'score_interval' ->> 1)::numeric,
      (f.fusion_score ->> 'calibrated')::boolean, 1 - f.confidence,
      case trend.analysis ->> 'trend_direction' when 'improving' then 'better' when 'stable' then 'same' when 'declining' then 'worse' end
        ::checkin.direction_of_change,
      (trend.analysis ->> 'significance')::checkin.significance, r.risk_level,
      f.final_score - (trend.analysis ->> 'compared_to_baseline')::numeric, (trend.analysis ->> 'compared_to_baseline')::numeric,
      f.algorithm_version
    from private.session_risks r
    join public.assessment_sessions s on s.id = r.session_id
    left join public.session_scores f on f.session_id = s.id
    cross join lateral (select f.fusion_score -> 'trend_analysis' as analysis) as trend
    where r.user_id = student and (f.session_id is not null or r.risk_level > 'none')
  ) as e
  where e.at >= since
    and (before is null or (e.at, e.id) < (before, coalesce(before_id, '00000000-0000-0000-0000-000000000000')))
  order by e.at desc, e.id desc
  limit most
$$;
comment on function private.history_of is 'Check-ins and sessions of a student with a score, or with risk without one, the newest first, from a moment on and before an entry. Called for the student, for counselors and for exports.';

create function private.own_history(days integer, before timestamptz, before_id uuid, page_limit integer)
returns setof public.history_entry
language plpgsql stable security definer set search_path = '' as $$
declare
  student constant uuid := private.current_account();
begin
  if student is null then
    return;
  end if;
  return query
  select *
  from private.history_of(
    student,
    private.moment_at(
      (private.local_date(student, now()) - least(greatest(days, 1), 366) + 1)::timestamp, private.time_zone_of(student)
    ),
    before, before_id, least(greatest(page_limit, 0), 200)
  );
end
$$;
comment on function private.own_history is 'Implementation of public.read_history, which calls it.';

create function public.read_history(
  days integer default 31, before timestamptz default null, before_id uuid default null, page_limit integer default 100
) returns setof public.history_entry
language sql stable set search_path = ''
begin atomic select * from private.own_history(days, before, before_id, page_limit); end;
comment on function public.read_history is 'The caller''s check-ins and sessions of the last days, 1 to 366 of their own calendar and today among them, the newest first, at most 200 a page: the next page is that before the at and id of the last entry. Called by students.';
