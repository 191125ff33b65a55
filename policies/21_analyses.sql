alter table checkin.audio_analysis enable row level security;
alter table checkin.visual_analysis enable row level security;
alter table checkin.text_analysis enable row level security;

grant select on checkin.audio_analysis, checkin.visual_analysis, checkin.text_analysis to authenticated, service_role;

create policy "students see their own audio analyses" on checkin.audio_analysis
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students see their own visual analyses" on checkin.visual_analysis
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students see their own text analyses" on checkin.text_analysis
for select to authenticated
using (user_id = (select private.current_account()));
