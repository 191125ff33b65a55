-- How a university ends: one that was made by mistake is deleted, one that took part is archived.

-- The row of the university is locked here, so that whoever comes to it meanwhile has either been seen or is refused; what a snapshot
-- of earlier does not show, the foreign keys refuse.
create function private.guard_university_deletion() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  people bigint := (select count(*) from public.profiles where university_id = old.id);
  roles bigint := (select count(*) from public.user_roles where university_id = old.id);
  reviews bigint := (select count(*) from public.clinical_reviews where university_id = old.id and status <> 'closed');
begin
  if people + roles + reviews > 0 then
    raise exception '% still has % people, % roles and % reviews that are not closed.', old.id, people, roles, reviews
      using errcode = 'restrict_violation',
        hint = 'Archive it with archive_university. To delete it, first set public.profiles.university_id of its people to another university, which moves their roles and reviews too, or delete their accounts; then take the roles of its staff, and have the other reviews closed.';
  end if;
  return old;
end
$$;
comment on function private.guard_university_deletion is 'Trigger: a university is deleted only when it has no people, no roles, and no review that somebody still has to handle.';

create trigger guard_university_deletion before delete on public.universities
for each row execute function private.guard_university_deletion();

create function private.guard_university_archiving() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  reviews bigint := (select count(*) from public.clinical_reviews where university_id = new.id and status <> 'closed');
begin
  if reviews > 0 then
    raise exception '% has % reviews that are not closed.', new.id, reviews
      using errcode = 'restrict_violation',
        hint = 'First its counselors close them, or its students move to another university, which moves their reviews.';
  end if;
  return new;
end
$$;
comment on function private.guard_university_archiving is 'Trigger: a university is archived only when no review of its students waits for anybody.';

create trigger guard_university_archiving before update of archived_at on public.universities
for each row when (new.archived_at is not null and old.archived_at is null) execute function private.guard_university_archiving();

create function private.guard_archived_university() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.universities where id = new.university_id and archived_at is not null) then
    raise exception '% is archived and takes nobody new.', new.university_id using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
comment on function private.guard_archived_university is 'Trigger: nobody comes to a university that is archived.';

create trigger guard_archived_university before insert on public.profiles
for each row when (new.university_id is not null) execute function private.guard_archived_university();

create trigger guard_archived_university_changed before update of university_id on public.profiles
for each row when (new.university_id is not null and new.university_id is distinct from old.university_id)
execute function private.guard_archived_university();

create function private.archive_university(university text, archive boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  changed jsonb;
begin
  perform private.require_security_admin();
  update public.universities u
  set archived_at = case when archive then coalesce(u.archived_at, now()) end
  where u.id = university
  returning jsonb_build_object('id', u.id, 'archived_at', u.archived_at) into changed;
  return changed;
end
$$;
comment on function private.archive_university is 'Archives a university, or takes that back. Called by public.archive_university and public.restore_university.';

create function public.archive_university(university_id text) returns jsonb
language sql set search_path = ''
begin atomic select private.archive_university(university_id, true); end;
comment on function public.archive_university is 'Archives a university without open reviews: nobody new comes to it: {id, archived_at}; null when there is none. Called by security administrators; an error for others.';

create function public.restore_university(university_id text) returns jsonb
language sql set search_path = ''
begin atomic select private.archive_university(university_id, false); end;
comment on function public.restore_university is 'Takes back that a university was archived: {id, archived_at}; null when there is none. Called by security administrators; an error for others.';
