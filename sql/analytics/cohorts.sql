-- Universities see figures of at least ten students, of days that are over. Check-ins are counted per student and day in
-- private.student_days until the daily rollup stores the day's figures by cohort and deletes those rows.

create table private.student_days (
  day date not null,
  user_id uuid not null,
  ended smallint not null default 0,
  completed smallint not null default 0,
  score_sum double precision not null default 0,
  constraint student_days_pkey primary key (day, user_id),
  constraint student_days_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
select private.describe('private.student_days', 'Totals of each student''s check-ins of a day, until the daily rollup has aggregated the day.', $$
  day: Day at the student's university on which the check-ins ended.
  user_id: The student.
  ended: Check-ins that became complete, failed or expired.
  completed: Completed check-ins.
  score_sum: Sum of their scores.
$$);
create index student_days_user_id_idx on private.student_days (user_id);

select private.declare_data('private.student_days', '{day, user_id, ended, completed, score_sum}',
  'Totals of a student''s day, until the daily rollup has counted it.', 'student', 'health', 't.user_id = $1');
select private.declare_audited('private.student_days', 'day', 'by_hand');

create table private.cohort_settings (
  only_row boolean not null default true,
  smallest_cohort integer not null default 10,
  constraint cohort_settings_pkey primary key (only_row),
  constraint cohort_settings_only_row check (only_row),
  constraint cohort_settings_smallest_cohort check (smallest_cohort >= 10)
);
select private.describe('private.cohort_settings', 'Settings of the daily rollup. Exactly one row.', $$
  only_row: Always true: there is one row.
  smallest_cohort: Fewest students that a figure may cover; never below ten.
$$);

insert into private.cohort_settings default values;

select private.declare_data('private.cohort_settings', '{only_row, smallest_cohort}', 'Settings of the daily rollup.');
select private.declare_audited('private.cohort_settings', 'only_row');

create table private.cohort_progress (
  university_id text not null,
  aggregated_through date not null,
  constraint cohort_progress_pkey primary key (university_id),
  constraint cohort_progress_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade
);
select private.describe('private.cohort_progress', 'How far the daily rollup is with each university, whose days end when they do there; without a row before its first.', $$
  university_id: The university.
  aggregated_through: Last day that the daily rollup has aggregated.
$$);

select private.declare_data('private.cohort_progress', '{university_id, aggregated_through}', 'Progress of the daily rollup.');
select private.declare_unaudited('private.cohort_progress', 'Written by the daily rollup, about every university each day.');

create function private.cohort_grain(faculty text, year_of_study text, residence text) returns smallint
language sql immutable set search_path = '' as $$
  select ((faculty is not null)::integer * 4 + (year_of_study is not null)::integer * 2 + (residence is not null)::integer)::smallint
$$;
comment on function private.cohort_grain is 'Grain of a cohort''s rows: the sum of the dimensions that it is limited to, faculty (4), year of study (2) and residence (1). Called by cohort_days and cohort_snapshots, and where their rows are looked up.';

create table public.cohort_days (
  university_id text not null,
  grain smallint not null generated always as (
    private.cohort_grain(nullif(faculty, ''), nullif(year_of_study, ''), nullif(residence, ''))
  ) stored,
  faculty text not null default '',
  year_of_study text not null default '',
  residence text not null default '',
  day date not null,
  students integer not null,
  ended integer not null,
  completed integer not null,
  score_sum double precision not null,
  constraint cohort_days_pkey primary key (university_id, grain, faculty, year_of_study, residence, day),
  constraint cohort_days_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade,
  constraint cohort_days_students check (students >= 10)
);
select private.describe('public.cohort_days', 'Check-ins of each aggregated day by cohort, never of fewer than ten students. Students of a cohort too small to show count in the next larger one.', $$
  university_id: The university.
  grain: Sum of the dimensions that the row is limited to: faculty (4), year of study (2), residence (1).
  faculty: Faculty; empty for all.
  year_of_study: Year of study; empty for all.
  residence: Residence; empty for all.
  day: The day at the university.
  students: Number of students who completed a check-in.
  ended: Check-ins that became complete, failed or expired.
  completed: Completed check-ins.
  score_sum: Sum of their scores; divided by completed it is the average score.
$$);

select private.declare_data('public.cohort_days',
  '{university_id, grain, faculty, year_of_study, residence, day, students, ended, completed, score_sum}',
  'Figures of ten students or more a row.');
select private.declare_audited('public.cohort_days', 'university_id', 'by_hand');
-- Without statistics, the planner's estimate for a filter on a figure tells nothing of other universities' figures.
alter table public.cohort_days
  alter column students set statistics 0, alter column ended set statistics 0,
  alter column completed set statistics 0, alter column score_sum set statistics 0;

create table public.cohort_snapshots (
  university_id text not null,
  grain smallint not null generated always as (
    private.cohort_grain(nullif(faculty, ''), nullif(year_of_study, ''), nullif(residence, ''))
  ) stored,
  faculty text not null default '',
  year_of_study text not null default '',
  residence text not null default '',
  seen_within_days smallint not null default 0,
  students integer not null,
  high_risk integer not null,
  moderate_risk integer not null,
  as_of date not null,
  constraint cohort_snapshots_pkey primary key (
    university_id, grain, faculty, year_of_study, residence, seen_within_days
  ),
  constraint cohort_snapshots_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade,
  constraint cohort_snapshots_students check (students >= 10),
  constraint cohort_snapshots_risk check (high_risk >= 0 and moderate_risk >= 0 and high_risk + moderate_risk <= students)
);
select private.describe('public.cohort_snapshots', 'Snapshot of students and their risk by cohort and by how recent their last check-in is, as of the last aggregated day; never fewer than ten students a row.', $$
  university_id: The university.
  grain: Sum of the dimensions that the row is limited to: faculty (4), year of study (2), residence (1).
  faculty: Faculty; empty for all.
  year_of_study: Year of study; empty for all.
  residence: Residence; empty for all.
  seen_within_days: Shortest window of 7, 30, 90 or 365 days that contains the last check-in; 0 for longer ago, never, or too few students to tell.
  students: Number of students.
  high_risk: Number of them whose last check-in showed high risk.
  moderate_risk: Number of them whose last check-in showed moderate risk.
  as_of: Day that the snapshot is of.
$$);

select private.declare_data('public.cohort_snapshots',
  '{university_id, grain, faculty, year_of_study, residence, seen_within_days, students, high_risk, moderate_risk, as_of}',
  'Figures of ten students or more a row.');
select private.declare_unaudited('public.cohort_snapshots', 'Made from cohort_days each night.');
alter table public.cohort_snapshots
  alter column students set statistics 0, alter column high_risk set statistics 0, alter column moderate_risk set statistics 0;

create table public.scoring_days (
  day date not null,
  algorithm_version text not null,
  constraint scoring_days_pkey primary key (day, algorithm_version)
);
select private.describe('public.scoring_days', 'Which versions scored the check-ins that were counted on each day, at whichever university. Average scores by different versions are not comparable.', $$
  day: The day at the university of the student.
  algorithm_version: A version that scored check-ins of that day; several while a deployment replaces one by another.
$$);

select private.declare_data('public.scoring_days', '{day, algorithm_version}', 'Versions of the scoring by day.');
select private.declare_audited('public.scoring_days', 'day', 'by_hand');

create function private.rollup_lock() returns bigint
language sql immutable set search_path = '' as $$
  select 7216430911::bigint
$$;
comment on function private.rollup_lock is 'Key of the advisory lock that counting a check-in takes shared and the daily rollup takes exclusively. Called by both.';

-- A check-in that ends on a day that is already aggregated counts on the next day. One that failed and is submitted again counts
-- once, when it ends for good, unless the day on which it failed is already aggregated.
create function private.count_check_in() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  home constant text := private.university_of(new.user_id);
  result checkin.fusion_results;
  counted_on date;
begin
  perform pg_advisory_xact_lock_shared(private.rollup_lock());
  if new.status = 'processing' then
    update private.student_days
    set ended = ended - 1
    where user_id = new.user_id
      and day = private.university_date(home, old.completed_at)
      and ended > completed;
    return null;
  end if;
  if new.status = 'complete' then
    select * into result from checkin.fusion_results where check_in_id = new.id;
  end if;
  counted_on := greatest(
    private.university_date(home, now()),
    (select p.aggregated_through + 1 from private.cohort_progress p where p.university_id = home)
  );
  if result.check_in_id is not null then
    insert into public.scoring_days (day, algorithm_version)
    values (counted_on, result.algorithm_version)
    on conflict do nothing;
  end if;
  insert into private.student_days as d (day, user_id, ended, completed, score_sum)
  values (
    counted_on, new.user_id, 1,
    case when result.check_in_id is null then 0 else 1 end,
    coalesce(result.score, 0)
  )
  on conflict (day, user_id) do update
  set ended = d.ended + 1,
    completed = d.completed + excluded.completed,
    score_sum = d.score_sum + excluded.score_sum;

  if new.status <> 'expired' then
    update public.students
    set check_ins = check_ins + case when result.check_in_id is null then 0 else 1 end,
      last_check_in_at = new.completed_at,
      last_score = coalesce(result.score, last_score),
      last_uncertainty = coalesce(result.uncertainty, last_uncertainty),
      last_direction_of_change = coalesce(result.direction_of_change, last_direction_of_change),
      risk_level = coalesce(new.risk_level, 'none')
    where user_id = new.user_id;
  end if;
  return null;
end
$$;
comment on function private.count_check_in is 'Trigger: counts a check-in that ended in private.student_days and public.students, once however often it is submitted.';

-- Every figure is a sum over disjoint groups of at least ten students, so that no difference of two figures of one run is about
-- fewer. A cohort (faculty, year, residence) that is too small is merged with the other small ones of its faculty and year, then
-- of its faculty, then of its university. Students who are too few even there count in the snapshot without how recent their last
-- check-in is. Groups that are too small even then are left out.
create function private.roll_up_days(through date default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  smallest constant integer := (select smallest_cohort from private.cohort_settings);
  universities text[];
  first_days date[];
  last_days date[];
begin
  if through >= (select max(private.university_date(u.id, now())) from public.universities u) then
    raise exception 'The day % is not over yet.', through using errcode = 'check_violation';
  end if;
  -- Waits for check-ins that are being counted, and blocks new ones.
  perform pg_advisory_xact_lock(private.rollup_lock());
  with due as (
    insert into private.cohort_progress as p (university_id, aggregated_through)
    select u.id, least(through, private.university_date(u.id, now()) - 1) from public.universities u
    on conflict (university_id) do update set aggregated_through = excluded.aggregated_through
    where p.aggregated_through < excluded.aggregated_through
    returning p.university_id, p.aggregated_through
  )
  -- The progress as it was before.
  select array_agg(due.university_id), array_agg(coalesce(p.aggregated_through + 1, '-infinity')), array_agg(due.aggregated_through)
  into universities, first_days, last_days
  from due
  left join private.cohort_progress p on p.university_id = due.university_id;
  if universities is null then
    return;
  end if;
  delete from public.cohort_snapshots where university_id = any (universities);

  with due as (
    select d.university_id, u.time_zone, d.since, d.through
    from unnest(universities, first_days, last_days) as d (university_id, since, through)
    join public.universities u on u.id = d.university_id
  ),
  cells as (
    -- Who came from a university that is behind has days that are aggregated already: they count on the next.
    select
      s.university_id, s.faculty, s.year_of_study, s.residence, greatest(d.day, due.since) as day,
      null::smallint as seen_within_days,
      count(distinct d.user_id) filter (where d.completed > 0) as students,
      sum(d.ended) as ended,
      sum(d.completed) as completed,
      sum(d.score_sum) as score_sum,
      0::bigint as high_risk,
      0::bigint as moderate_risk
    from due
    join public.students s on s.university_id = due.university_id
    join private.student_days d on d.user_id = s.user_id and d.day <= due.through
    group by s.university_id, s.faculty, s.year_of_study, s.residence, greatest(d.day, due.since)
    union all
    select
      s.university_id, s.faculty, s.year_of_study, s.residence, null, seen.within,
      count(*),
      0, 0, 0,
      count(*) filter (where s.risk_level = 'high'),
      count(*) filter (where s.risk_level = 'moderate')
    from due
    join public.students s on s.university_id = due.university_id
    cross join lateral (select due.through - (s.last_check_in_at at time zone due.time_zone)::date as days_ago) last
    cross join lateral (
      select (case
        when last.days_ago < 7 then 7
        when last.days_ago < 30 then 30
        when last.days_ago < 90 then 90
        when last.days_ago < 365 then 365
        else 0
      end)::smallint as within
    ) seen
    group by s.university_id, s.faculty, s.year_of_study, s.residence, seen.within
  ),
  sized as (
    select c.*, c.students >= smallest as shown
    from cells c
  ),
  by_year as (
    select
      c.*,
      sum(c.students) filter (where not c.shown) over (
        partition by c.university_id, c.day, c.seen_within_days, c.faculty, c.year_of_study
      ) >= smallest as shown_by_year
    from sized c
  ),
  by_faculty as (
    select
      c.*,
      sum(c.students) filter (where not c.shown and not c.shown_by_year) over (
        partition by c.university_id, c.day, c.seen_within_days, c.faculty
      ) >= smallest as shown_by_faculty
    from by_year c
  ),
  by_university as (
    select
      c.*,
      sum(c.students) filter (where not c.shown and not c.shown_by_year and not c.shown_by_faculty) over (
        partition by c.university_id, c.day, c.seen_within_days
      ) >= smallest as shown_at_all
    from by_faculty c
  ),
  without_recency as (
    select
      c.*,
      c.day is null
        and sum(c.students) filter (
          where not c.shown and not c.shown_by_year and not c.shown_by_faculty and not c.shown_at_all
        ) over (partition by c.university_id, c.day) >= smallest as shown_without_recency
    from by_university c
  ),
  groups as (
    select
      university_id,
      case when shown or shown_by_year or shown_by_faculty then faculty end as faculty,
      case when shown or shown_by_year then year_of_study end as year_of_study,
      case when shown then residence end as residence,
      day,
      case when shown or shown_by_year or shown_by_faculty or shown_at_all then seen_within_days
        when day is null then 0
      end as seen_within_days, students, ended, completed, score_sum, high_risk, moderate_risk
    from without_recency
    where shown or shown_by_year or shown_by_faculty or shown_at_all or shown_without_recency
  ),
  figures as (
    select
      university_id, faculty, year_of_study, residence, day, seen_within_days,
      sum(students) as students,
      sum(ended) as ended,
      sum(completed) as completed,
      sum(score_sum) as score_sum,
      sum(high_risk) as high_risk,
      sum(moderate_risk) as moderate_risk
    from groups
    group by university_id, day, seen_within_days, cube (faculty, year_of_study, residence)
    -- Students without a faculty, year or residence count in the larger cohorts only.
    having (grouping(faculty) = 1 or faculty is not null)
      and (grouping(year_of_study) = 1 or year_of_study is not null)
      and (grouping(residence) = 1 or residence is not null)
  ),
  days as (
    insert into public.cohort_days (
      university_id, faculty, year_of_study, residence, day, students, ended, completed, score_sum
    )
    select
      university_id, coalesce(faculty, ''), coalesce(year_of_study, ''), coalesce(residence, ''), day,
      students, ended, completed, score_sum
    from figures
    where day is not null
  )
  insert into public.cohort_snapshots (
    university_id, faculty, year_of_study, residence, seen_within_days, students, high_risk, moderate_risk, as_of
  )
  select
    f.university_id, coalesce(f.faculty, ''), coalesce(f.year_of_study, ''), coalesce(f.residence, ''), f.seen_within_days,
    f.students, f.high_risk, f.moderate_risk, due.through
  from figures f
  join due on due.university_id = f.university_id
  where f.day is null;

  delete from private.student_days d
  using private.student_days counted
  left join public.students s on s.user_id = counted.user_id
  left join unnest(universities, last_days) as due (university_id, through) on due.university_id = s.university_id
  where d.day = counted.day
    and d.user_id = counted.user_id
    and (counted.day <= due.through or (s.university_id is null and counted.day < (now() at time zone 'UTC')::date));
end
$$;
comment on function private.roll_up_days is 'The daily rollup: of each university it aggregates all days that are over there, or those up to one of them, and takes the snapshot of students at the end of the last. Running it again for a day does nothing. Called by cron.';
select cron.schedule('daily-rollup', '12 * * * *', $$ select private.roll_up_days() $$);

create trigger count_check_in after update of status on checkin.check_ins
for each row when (new.status <> old.status and (new.status in ('complete', 'failed', 'expired') or old.status = 'failed'))
execute function private.count_check_in();
