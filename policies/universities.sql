alter table public.universities enable row level security;

grant select on public.universities to authenticated;
grant update (
  name, short_name, country, time_zone, languages, logo_url, primary_color, secondary_color, features_enabled, assessment_frequency,
  privacy_settings, support_email, crisis_phone, resources
) on public.universities to authenticated;
select private.limit_bulk('public.universities', 'update');
grant select, insert, update, delete on public.universities to service_role;

create policy "people see their universities, security administrators all" on public.universities
for select to authenticated
using (id in (select private.universities_joined()) or (select private.is_security_admin()));

create policy "administrators change their universities" on public.universities
for update to authenticated
using (id in (select private.universities_administered()))
with check (id in (select private.universities_administered()));

-- The bucket university-files: <university>/shared/… is written by the university's staff and read by all its members;
-- <university>/students/<user>/… belongs to that student alone.
create policy "members read their university's files" on storage.objects
for select to authenticated
using (
  bucket_id = 'university-files'
  and (storage.foldername(name))[1] in (select private.universities_joined())
  and (
    (storage.foldername(name))[2] = 'shared'
    or ((storage.foldername(name))[2] = 'students' and (storage.foldername(name))[3] = (select private.current_account())::text)
  )
);

create policy "members add files to their university" on storage.objects
for insert to authenticated
with check (
  bucket_id = 'university-files'
  and (
    (
      (storage.foldername(name))[2] = 'shared'
      and (
        (storage.foldername(name))[1] in (select private.universities_administered())
        or (storage.foldername(name))[1] in (select private.universities_counseled())
      )
    )
    or (
      (storage.foldername(name))[2] = 'students'
      and (storage.foldername(name))[3] = (select private.current_account())::text
      and (storage.foldername(name))[1] in (select private.universities_joined())
      and private.has_room_for_file(name)
    )
  )
);

create policy "administrators remove shared files, students their own" on storage.objects
for delete to authenticated
using (
  bucket_id = 'university-files'
  and (
    (
      (storage.foldername(name))[2] = 'shared'
      and (storage.foldername(name))[1] in (select private.universities_administered())
    )
    or (
      (storage.foldername(name))[2] = 'students'
      and (storage.foldername(name))[3] = (select private.current_account())::text
      and (storage.foldername(name))[1] in (select private.universities_joined())
    )
  )
);

grant execute on function private.is_object_name(text) to authenticated;

grant execute on function
  public.archive_university(text),
  public.restore_university(text),
  private.archive_university(text, boolean)
to authenticated;
