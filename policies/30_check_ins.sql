alter table checkin.check_ins enable row level security;
alter table checkin.audio_analysis enable row level security;
alter table checkin.visual_analysis enable row level security;
alter table checkin.text_analysis enable row level security;
alter table checkin.fusion_results enable row level security;
alter table checkin.user_baselines enable row level security;

grant usage on schema checkin to authenticated, service_role;
grant select on checkin.check_ins,
  checkin.audio_analysis,
  checkin.visual_analysis,
  checkin.text_analysis,
  checkin.fusion_results,
  checkin.user_baselines
to authenticated, service_role;

create policy "students see their own check-ins" on checkin.check_ins
for select to authenticated
using (user_id = (select auth.uid()));

create policy "students see their own voice analyses" on checkin.audio_analysis
for select to authenticated
using (user_id = (select auth.uid()));

create policy "students see their own face analyses" on checkin.visual_analysis
for select to authenticated
using (user_id = (select auth.uid()));

create policy "students see their own text analyses" on checkin.text_analysis
for select to authenticated
using (user_id = (select auth.uid()));

create policy "students see their own scores" on checkin.fusion_results
for select to authenticated
using (user_id = (select auth.uid()));

create policy "students see their own baseline" on checkin.user_baselines
for select to authenticated
using (user_id = (select auth.uid()));
