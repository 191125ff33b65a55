-- Storage compares the type of an upload letter by letter with the types of a bucket, which may not have parameters:
-- `audio/webm;codecs=opus`, as every browser records, is none of `audio/webm`. So the buckets list none, and these are.

create function private.object_types(bucket text) returns text[]
language sql immutable set search_path = '' as $$
  select case bucket
    when 'check-in-media' then array[
      'audio/mp4', 'audio/m4a', 'audio/x-m4a', 'audio/aac', 'audio/webm', 'video/webm', 'audio/ogg', 'audio/mpeg', 'audio/mp3',
      'audio/wav', 'audio/x-wav', 'audio/wave', 'audio/flac', 'audio/x-flac'
    ]
    when 'check-in-images' then array['image/jpeg', 'image/png', 'image/webp']
    -- No HTML, SVG or script, which a browser would run on the project's own origin.
    when 'university-files' then array[
      'image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      'audio/mpeg', 'audio/mp4', 'audio/wav', 'video/mp4', 'text/csv', 'text/plain'
    ]
  end
$$;
comment on function private.object_types is 'Types of the objects that a bucket takes; null where it takes any. Called by the trigger on storage.objects, by security tests and by npm run import.';

create function private.takes_type(bucket text, type text) returns boolean
language sql immutable set search_path = '' as $$
  -- The only slash is that of the type: of a list, as "text/plain, text/html", browsers take the last.
  select coalesce(
    lower(substring(type from '^ *([A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+) *(?:;[ -.0-~]*)?$'))
      = any (private.object_types(bucket)),
    private.object_types(bucket) is null
  )
$$;
comment on function private.takes_type is 'Whether a bucket takes objects of this type, in letters of either case and with any parameters. Called by the trigger on storage.objects and by npm run import.';

create function private.limit_object_type() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Storage tells the type of an upload before it takes the bytes; of the request for a signed address it is that of the request.
  if new.metadata ->> 'mimetype' is null
    or private.takes_type(new.bucket_id, new.metadata ->> 'mimetype')
    or current_setting('storage.operation', true) = 'storage.object.sign_upload_url'
  then
    return new;
  end if;
  raise exception 'mime type % is not supported: % takes %.', left(new.metadata ->> 'mimetype', 100), new.bucket_id,
    array_to_string(private.object_types(new.bucket_id), ', ')
    using errcode = 'insufficient_privilege';
end
$$;
comment on function private.limit_object_type is 'Trigger: an object has a type that its bucket takes, however it was uploaded.';

create trigger limit_object_type before insert or update of bucket_id, metadata on storage.objects
for each row execute function private.limit_object_type();
