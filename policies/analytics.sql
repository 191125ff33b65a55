alter table public.cohort_days enable row level security;
alter table public.cohort_snapshots enable row level security;
alter table public.scoring_days enable row level security;

grant select on public.cohort_days, public.cohort_snapshots, public.scoring_days to authenticated, service_role;

-- An array, which the planner knows to let nearly all rows of one university through; of a subquery it expects half.
create policy "administrators see their universities' days" on public.cohort_days
for select to authenticated
using (university_id = any (array(select private.universities_administered())));

create policy "administrators see their universities' risk" on public.cohort_snapshots
for select to authenticated
using (university_id = any (array(select private.universities_administered())));

create policy "administrators see by what was scored" on public.scoring_days
for select to authenticated
using (exists (select from private.universities_administered()));

grant select on public.wellbeing_by_day, public.risk_by_cohort to authenticated, service_role;

grant execute on function
  public.analytics_dashboard(text, text, text, text, text),
  public.analytics_wellbeing(text, text),
  public.analytics_trends(text, text, text, text, text, text),
  public.analytics_scoring_versions(text, integer, text),
  private.analytics_request(text, text, text, text, text)
to authenticated, service_role;

grant execute on function
  public.analytics_reviews(text, text),
  public.message_delivery(text, text),
  private.review_times(text, text),
  private.message_delivery(text, text)
to authenticated;
