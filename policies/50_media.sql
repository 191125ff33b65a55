-- Media is written through signed addresses that the function checkins gives out; a student reads only what is theirs.
create policy "students read their own check-in media" on storage.objects
for select to authenticated
using (
  bucket_id = 'check-in-media'
  and (storage.foldername(name))[1] = (select auth.uid())::text
);
