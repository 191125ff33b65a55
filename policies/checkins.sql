alter table checkin.check_ins enable row level security;
alter table checkin.fusion_results enable row level security;
alter table checkin.user_baselines enable row level security;

grant select on checkin.check_ins, checkin.fusion_results, checkin.user_baselines to authenticated, service_role;

create policy "students see their own check-ins" on checkin.check_ins
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students see their own scores" on checkin.fusion_results
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students see their own baseline" on checkin.user_baselines
for select to authenticated
using (user_id = (select private.current_account()));

alter table public.failure_reasons enable row level security;

grant select on public.failure_reasons to authenticated, service_role;

create policy "everybody reads the words of reasons" on public.failure_reasons
for select to authenticated
using ((select private.current_account()) is not null);

-- The buckets check-in-media (recordings) and check-in-images: media is uploaded through signed URLs from the function
-- checkins; a student reads only their own.
create policy "students read their own check-in media" on storage.objects
for select to authenticated
using (
  bucket_id in ('check-in-media', 'check-in-images')
  and (storage.foldername(name))[1] = (select private.current_account())::text
);

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
