create view public.wellbeing_by_day with (security_invoker = true) as
select
  university_id,
  nullif(faculty, '') as faculty,
  nullif(year_of_study, '') as year_of_study,
  nullif(residence, '') as residence,
  day, students, completed as assessments_completed,
  round((score_sum / completed)::numeric, 2) as average_score,
  round(completed::numeric / ended, 4) as completion_rate
from public.cohort_days;
comment on view public.wellbeing_by_day is 'Average score and completion rate of each aggregated day by cohort; a null faculty, year_of_study or residence means all.';

create view public.risk_by_cohort with (security_invoker = true) as
select
  university_id,
  nullif(faculty, '') as faculty,
  nullif(year_of_study, '') as year_of_study,
  nullif(residence, '') as residence,
  as_of,
  sum(students) as students,
  coalesce(sum(students) filter (where seen_within_days between 1 and 7), 0) as active_7d,
  coalesce(sum(students) filter (where seen_within_days between 1 and 30), 0) as active_30d,
  coalesce(sum(students) filter (where seen_within_days between 1 and 90), 0) as active_90d,
  coalesce(sum(students) filter (where seen_within_days between 1 and 365), 0) as active_1y,
  coalesce(sum(high_risk) filter (where seen_within_days between 1 and 30), 0) as high_risk_30d,
  coalesce(sum(moderate_risk) filter (where seen_within_days between 1 and 30), 0) as moderate_risk_30d
from public.cohort_snapshots
group by university_id, faculty, year_of_study, residence, as_of;
comment on view public.risk_by_cohort is 'Students, how many are active, and risk among those active in the last 30 days, by cohort; a null faculty, year_of_study or residence means all.';

create function private.analytics_request(
  university text, date_range text, faculty text default null, year_of_study text default null, residence text default null
) returns table (days integer, through date, grain smallint)
language sql stable security definer set search_path = '' as $$
  select
    case date_range when '7d' then 7 when '30d' then 30 when '90d' then 90 when '1y' then 365 end,
    (select max(p.aggregated_through) from private.cohort_progress p where p.university_id = university or university is null),
    private.cohort_grain(faculty, year_of_study, residence)
$$;
comment on function private.analytics_request is 'What a request for figures is about: the days of the range 7d, 30d, 90d or 1y, null for any other; the last day that the daily rollup has aggregated, with which every range ends, of the university or, for null, of any; the grain of the cohort''s rows. Called by the functions public.analytics_*.';

-- Runs as the caller: the policies decide which figures it sees.
create function public.analytics_dashboard(
  university_id text, date_range text default '30d', faculty text default null, year_of_study text default null,
  residence text default null
) returns jsonb
language sql stable set search_path = ''
begin atomic
  with request as (
    select * from private.analytics_request(analytics_dashboard.university_id, date_range, faculty, year_of_study, residence)
  ),
  days as (
    select d.day, d.students, d.ended, d.completed, d.score_sum
    from public.cohort_days d
    where d.university_id = analytics_dashboard.university_id
      and d.grain = (select grain from request)
      and d.faculty = coalesce(analytics_dashboard.faculty, '')
      and d.year_of_study = coalesce(analytics_dashboard.year_of_study, '')
      and d.residence = coalesce(analytics_dashboard.residence, '')
      and d.day > (select through - days from request)
  ),
  snapshot as (
    select
      sum(s.students) as students,
      sum(s.students) filter (where s.seen_within_days between 1 and (select days from request)) as active,
      sum(s.high_risk) filter (where s.seen_within_days between 1 and (select days from request)) as high_risk,
      sum(s.moderate_risk) filter (where s.seen_within_days between 1 and (select days from request)) as moderate_risk
    from public.cohort_snapshots s
    where s.university_id = analytics_dashboard.university_id
      and s.grain = (select grain from request)
      and s.faculty = coalesce(analytics_dashboard.faculty, '')
      and s.year_of_study = coalesce(analytics_dashboard.year_of_study, '')
      and s.residence = coalesce(analytics_dashboard.residence, '')
  ),
  averages as (
    select
      a.dimension,
      case a.dimension when 'faculty' then d.faculty when 'year' then d.year_of_study else d.residence end as name,
      round((sum(d.score_sum) / sum(d.completed))::numeric, 2) as average
    from public.cohort_days d
    join (values ('faculty', 4), ('year', 2), ('residence', 1)) as a (dimension, grain)
      on d.grain = (select grain from request) | a.grain
    where d.university_id = analytics_dashboard.university_id
      -- As an array as well, by which the index finds the rows.
      and d.grain = any (array(select grain | unnest('{4, 2, 1}'::integer[]) from request))
      -- What the grain does not limit is empty in all of its rows.
      and d.faculty = coalesce(analytics_dashboard.faculty, d.faculty)
      and d.year_of_study = coalesce(analytics_dashboard.year_of_study, d.year_of_study)
      and d.residence = coalesce(analytics_dashboard.residence, d.residence)
      and d.day > (select through - days from request)
    group by a.dimension, name
  )
  select jsonb_build_object(
    'summary', jsonb_build_object(
      'total_students', s.students,
      'active_students', coalesce(s.active, 0),
      'assessments_completed', (select coalesce(sum(completed), 0) from days),
      'average_wellbeing_score', (select round((sum(score_sum) / sum(completed))::numeric, 2) from days)
    ),
    'trends', jsonb_build_object(
      'wellbeing_trend', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'date', day, 'average_score', round((score_sum / completed)::numeric, 2), 'student_count', students
            )
            order by day
          ),
          '[]'
        )
        from days
      ),
      'engagement_trend', (
        select coalesce(
          jsonb_agg(jsonb_build_object('date', day, 'completion_rate', round(completed::numeric / ended, 4)) order by day),
          '[]'
        )
        from days
      )
    ),
    'risk_analysis', jsonb_build_object(
      'high_risk_count', coalesce(s.high_risk, 0),
      'medium_risk_count', coalesce(s.moderate_risk, 0)
    ),
    'cohort_breakdown', jsonb_build_object(
      'by_faculty', (select coalesce(jsonb_object_agg(name, average), '{}') from averages where dimension = 'faculty'),
      'by_year', (select coalesce(jsonb_object_agg(name, average), '{}') from averages where dimension = 'year'),
      'by_residence', (select coalesce(jsonb_object_agg(name, average), '{}') from averages where dimension = 'residence')
    )
  )
  from snapshot s
  where s.students is not null and (select days from request) is not null;
end;
comment on function public.analytics_dashboard is 'Figures of a university or of a cohort over 7d, 30d, 90d or 1y, up to the last aggregated day; cohort_breakdown holds average scores. Null when fewer than ten students would be shown or the caller does not administer the university. Called by university administrators.';

create function public.analytics_wellbeing(university_id text, date_range text default '30d') returns jsonb
language sql stable set search_path = ''
begin atomic
  with request as (select * from private.analytics_request(analytics_wellbeing.university_id, date_range)),
  scoring as (
    select count(distinct d.algorithm_version) as versions
    from public.scoring_days d, request r
    where d.day > r.through - 2 * r.days and d.day <= r.through
  ),
  cohorts as (
    select
      d.grain,
      d.faculty || d.year_of_study || d.residence as name,
      sum(d.completed) filter (where d.day > r.through - r.days) as completed,
      sum(d.ended) filter (where d.day > r.through - r.days) as ended,
      sum(d.score_sum) filter (where d.day > r.through - r.days) as score_sum,
      sum(d.completed) filter (where d.day <= r.through - r.days) as completed_before,
      sum(d.score_sum) filter (where d.day <= r.through - r.days) as score_sum_before
    from public.cohort_days d, request r
    where d.university_id = analytics_wellbeing.university_id
      and d.grain in (0, 1, 2, 4)
      and d.day > r.through - 2 * r.days
    group by d.grain, name
  ),
  snapshots as (
    select
      s.grain,
      s.faculty || s.year_of_study || s.residence as name,
      sum(s.students) as students,
      sum(s.students) filter (where s.seen_within_days between 1 and r.days) as active,
      sum(s.high_risk) filter (where s.seen_within_days between 1 and r.days) as high_risk,
      sum(s.moderate_risk) filter (where s.seen_within_days between 1 and r.days) as moderate_risk
    from public.cohort_snapshots s, request r
    where s.university_id = analytics_wellbeing.university_id and s.grain in (0, 1, 2, 4) and r.days is not null
    group by s.grain, name
  ),
  figures as (
    select
      s.grain, s.name,
      jsonb_build_object(
        'dimension', case s.grain when 4 then 'faculty' when 2 then 'year' when 1 then 'residence' else 'university' end,
        'name', case when s.grain = 0 then analytics_wellbeing.university_id else s.name end,
        'total_students', s.students,
        'active_students', coalesce(s.active, 0),
        'assessments_completed', coalesce(c.completed, 0),
        'completion_rate', round(c.completed::numeric / c.ended, 4),
        'average_score', round((c.score_sum / c.completed)::numeric, 2),
        'change', case
          when (select versions from scoring) < 2
            then round((c.score_sum / c.completed - c.score_sum_before / c.completed_before)::numeric, 2)
        end,
        'high_risk_count', coalesce(s.high_risk, 0),
        'medium_risk_count', coalesce(s.moderate_risk, 0)
      ) as figure
    from snapshots s
    left join cohorts c on c.grain = s.grain and c.name = s.name
  )
  select jsonb_build_object(
    'university_id', analytics_wellbeing.university_id,
    'date_range', analytics_wellbeing.date_range,
    'from', (select through - days + 1 from request),
    'to', (select through from request),
    'university', f.figure,
    'cohorts', (
      select coalesce(jsonb_agg(o.figure order by o.grain desc, o.name), '[]') from figures o where o.grain <> 0
    )
  )
  from figures f
  where f.grain = 0;
end;
comment on function public.analytics_wellbeing is 'Every cohort of one faculty, year or residence: students, completion, average score and its change against the preceding period of the same length (null where more than one version scored in the two), and risk. Null as for analytics_dashboard. Called by university administrators.';

create function public.analytics_trends(
  university_id text, date_range text default '90d', step text default 'week', faculty text default null,
  year_of_study text default null, residence text default null
) returns jsonb
language sql stable set search_path = ''
begin atomic
  with request as (
    select * from private.analytics_request(analytics_trends.university_id, date_range, faculty, year_of_study, residence)
  ),
  points as (
    select
      date_trunc(analytics_trends.step, d.day::timestamp)::date as from_day,
      count(*) as days,
      sum(d.students) as students,
      sum(d.ended) as ended,
      sum(d.completed) as completed,
      sum(d.score_sum) as score_sum
    from public.cohort_days d
    where d.university_id = analytics_trends.university_id
      and d.grain = (select grain from request)
      and d.faculty = coalesce(analytics_trends.faculty, '')
      and d.year_of_study = coalesce(analytics_trends.year_of_study, '')
      and d.residence = coalesce(analytics_trends.residence, '')
      and d.day > (select through - days from request)
    group by from_day
  )
  select jsonb_build_object(
    'university_id', analytics_trends.university_id,
    'date_range', analytics_trends.date_range,
    'step', analytics_trends.step,
    'from', (select through - days + 1 from request),
    'to', (select through from request),
    'points', (
      select coalesce(
        jsonb_agg(
          jsonb_build_object(
            'date', p.from_day,
            'average_score', round((p.score_sum / p.completed)::numeric, 2),
            'assessments_completed', p.completed,
            'completion_rate', round(p.completed::numeric / p.ended, 4),
            'students_per_day', round(p.students::numeric / p.days, 1)
          )
          order by p.from_day
        ),
        '[]'
      )
      from points p
    )
  )
  from request
  where exists (
    select
    from public.cohort_snapshots s
    where s.university_id = analytics_trends.university_id
      and s.grain = request.grain
      and s.faculty = coalesce(analytics_trends.faculty, '')
      and s.year_of_study = coalesce(analytics_trends.year_of_study, '')
      and s.residence = coalesce(analytics_trends.residence, '')
  )
    and request.days is not null;
end;
comment on function public.analytics_trends is 'Average score, completion and students per day, by day, week or month of a range that ends with the last aggregated day. Null as for analytics_dashboard. Called by university administrators.';

create function public.analytics_scoring_versions(
  date_range text default '30d', ranges integer default 1, university_id text default null
) returns jsonb
language sql stable set search_path = ''
begin atomic
  select coalesce(
    jsonb_agg(
      jsonb_build_object('algorithm_version', v.algorithm_version, 'from', v.first_day, 'to', v.last_day)
      order by v.first_day, v.last_day, v.algorithm_version
    ),
    '[]'
  )
  from (
    select d.algorithm_version, min(d.day) as first_day, max(d.day) as last_day
    from public.scoring_days d, private.analytics_request(analytics_scoring_versions.university_id, date_range) r
    where d.day > r.through - analytics_scoring_versions.ranges * r.days and d.day <= r.through
    group by d.algorithm_version
  ) v;
end;
comment on function public.analytics_scoring_versions is 'Versions that scored check-ins within so many ranges up to the last aggregated day, each with its first and last day there, of any university where none is named; of more than one, average scores are not comparable. Called by university administrators.';

-- Medians alone: of two numbers of reviews the difference could be one student's.
create function private.review_times(university text, date_range text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from private.universities_administered() as administered where administered = university) then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'university_id', university,
      'date_range', date_range,
      'from', q.through - q.days + 1,
      'to', q.through,
      'minutes_to_claim', round(
        (nullif(percentile_disc(0.5) within group (order by coalesce(t.to_claim, 'infinity')), 'infinity') / 60)::numeric
      ),
      'minutes_to_response', round(
        (nullif(percentile_disc(0.5) within group (order by coalesce(t.to_response, 'infinity')), 'infinity') / 60)::numeric
      )
    )
    from private.analytics_request(university, date_range) q
    join public.universities u on u.id = university
    join lateral (
      select
        r.user_id,
        extract(epoch from r.first_claimed_at - r.opened_at)::double precision as to_claim,
        extract(epoch from r.first_response_at - r.opened_at)::double precision as to_response
      from public.clinical_reviews r
      where r.university_id = university
        and r.opened_at >= private.moment_at(q.through - q.days + 1, u.time_zone)
        and r.opened_at < private.moment_at(q.through + 1, u.time_zone)
    ) t on true
    where q.days is not null
    group by q.through, q.days
    having count(distinct t.user_id) >= (select smallest_cohort from private.cohort_settings)
  );
end
$$;
comment on function private.review_times is 'Implementation of public.analytics_reviews, which calls it.';

create function public.analytics_reviews(university_id text, date_range text default '30d') returns jsonb
language sql stable set search_path = ''
begin atomic select private.review_times(university_id, date_range); end;
comment on function public.analytics_reviews is 'Median minutes from the opening of the clinical reviews of a range to their first claim, and to their first note or closing; null where half of them have none yet. Null when they are of fewer than ten students or the caller does not administer the university. Called by university administrators.';
