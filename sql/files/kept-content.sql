-- An address that was signed for an upload can be used for two hours, and Storage asks nobody again whether it may be.

create function private.is_stored_by_operator(owner_id text) returns boolean
language sql stable set search_path = '' as $$
  select coalesce(current_setting('request.method', true), '') = ''
    -- For the bearer of a signed address Storage acts as the service, and its operation alone says so: whatever it may be called, it is
    -- none of these. What people upload themselves has an owner.
    or (
      owner_id is null
      and coalesce(current_setting('storage.operation', true), '') in ('storage.object.upload', 'storage.object.upload_update')
    )
$$;
comment on function private.is_stored_by_operator is 'Whether an object is being stored in SQL, or with the secret key as a backup is, and not by a signed address or by somebody signed in. Called by triggers on storage.objects.';

create function private.keep_university_file() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_stored_by_operator(new.owner_id) then
    return new;
  end if;
  raise exception 'A file is never overwritten. Upload it under another name.' using errcode = 'insufficient_privilege';
end
$$;
comment on function private.keep_university_file is 'Trigger: nothing replaces a file of a university. Storage lets an address replace one that was signed before there was any.';

create trigger keep_university_file before update of version on storage.objects
for each row
when (new.bucket_id = 'university-files' and old.name = new.name and old.version is distinct from new.version)
execute function private.keep_university_file();

create function private.keep_submitted_media() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  student uuid := private.account_of_object(new.bucket_id, new.name);
  folder text := split_part(new.name, '/', 2);
  existing checkin.check_ins;
begin
  if private.is_stored_by_operator(new.owner_id) then
    return new;
  end if;
  if not pg_input_is_valid(folder, 'uuid') then
    folder := null;
  end if;
  -- The account goes first, as everywhere: an erasure has it, and waits for the check-in.
  perform from auth.users where id = student for key share;
  -- Whoever submits the check-in, or withdraws a consent, waits for uploads that are being stored, and they for both.
  select * into existing
  from checkin.check_ins c
  where c.id = folder::uuid and c.user_id = student
  for share;
  if existing.status is distinct from 'created' and (existing.status is distinct from 'failed' or existing.submissions >= 3) then
    raise exception '%', case
        when existing.status in ('processing', 'complete') then 'This check-in was submitted: what was uploaded to it stays.'
        else 'No check-in takes this upload any more. Start a new one.'
      end
      using errcode = 'insufficient_privilege';
  end if;
  if not private.has_consent(
    student, case new.bucket_id when 'check-in-media' then 'audio' else 'camera' end::public.consent_kind
  ) then
    raise exception 'The consent that this upload needs is not in force.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
comment on function private.keep_submitted_media is 'Trigger: the media of a check-in can be uploaded, and replaced, until it is submitted, and again once it has failed and may be submitted once more.';

create trigger keep_submitted_media before insert or update of bucket_id, name, version on storage.objects
for each row when (new.bucket_id in ('check-in-media', 'check-in-images')) execute function private.keep_submitted_media();
