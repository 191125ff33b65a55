-- Names of objects are put into addresses, some of which are fetched with the secret key. Storage takes a level `..`, which an
-- address resolves: whoever chose such a name would choose what is fetched.

create function private.is_object_name(name text) returns boolean
language sql immutable set search_path = '' as $$
  -- The platform's own characters: neither a percent sign, which a later decoding would read, nor a backslash, nor what looks like a
  -- dot or a slash.
  select char_length(name) <= 1024
    and name ~ '^[A-Za-z0-9_!.*''() &$@=;:+,?/-]+$'
    -- No level that is empty or has dots and spaces alone.
    and name !~ '(^|/)[. ]*(/|$)'
$$;
comment on function private.is_object_name is 'Whether a name of an object, or of a bucket, leads to itself in every address that is made of it. Called by the trigger and the policy on storage.objects, and by npm run doctor.';

create function private.check_object_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_object_name(new.bucket_id) and private.is_object_name(new.name) then
    return new;
  end if;
  raise exception 'The name of the object has an empty level, one of dots alone, or a character that no name may have.'
    using errcode = 'insufficient_privilege';
end
$$;
comment on function private.check_object_name is 'Trigger on storage.objects: no object gets a name that could lead elsewhere, not even with the secret key.';

create trigger check_object_name before insert or update of bucket_id, name on storage.objects
for each row execute function private.check_object_name();
