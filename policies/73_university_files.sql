-- <university>/shared/… is written by the university's staff and read by everybody there; <university>/students/<user>/… is
-- the student's own.
create policy "members read their university's files" on storage.objects
for select to authenticated
using (
  bucket_id = 'university-files'
  and (storage.foldername(name))[1] in (select private.universities_joined())
  and (
    (storage.foldername(name))[2] = 'shared'
    or ((storage.foldername(name))[2] = 'students' and (storage.foldername(name))[3] = (select auth.uid())::text)
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
      and (storage.foldername(name))[3] = (select auth.uid())::text
      and (storage.foldername(name))[1] in (select private.universities_joined())
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
      and (storage.foldername(name))[3] = (select auth.uid())::text
      and (storage.foldername(name))[1] in (select private.universities_joined())
    )
  )
);
