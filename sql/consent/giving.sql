-- Who gives a consent, and that what was given stays as it was: for everybody who writes the table, Studio and the secret key included.

-- Accounts of security tests are nobody's (private.guard_probe_account).
create function private.is_own_choice(student uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return student is not distinct from (select auth.uid()) or private.is_probe(student);
end
$$;
comment on function private.is_own_choice is 'Whether the request comes from the student themselves, signed in. Called by the triggers that let nobody else choose for them.';

create function private.require_student() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_own_choice(new.user_id) then
    raise exception 'Only the student agrees, signed in: nobody does for them.'
      using errcode = 'insufficient_privilege', hint = 'To withdraw a consent on their behalf, set withdrawn_at of its row.';
  end if;
  return new;
end
$$;
comment on function private.require_student is 'Trigger: a consent is given by the student alone.';

create function private.keep_consent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if private.is_erasing(old.user_id) then
      return old;
    end if;
    raise exception 'A consent is withdrawn, not deleted: set withdrawn_at of its row.' using errcode = 'insufficient_privilege';
  end if;
  if (new.id, new.user_id, new.kind, new.version, new.granted_at) is distinct from (old.id, old.user_id, old.kind, old.version, old.granted_at)
    -- A trigger renews, when the student agrees to another version.
    or new.renewed and not old.renewed and pg_trigger_depth() = 1
  then
    raise exception 'What a student agreed to is not changed: set withdrawn_at to withdraw it; they agree anew themselves.'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
comment on function private.keep_consent is 'Trigger: of a consent only its withdrawal changes, and it goes with its account alone.';

create function private.require_consent_for_access() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.has_consent(new.user_id, 'counselor_access') then
    raise exception 'Counselors see a student who agreed to it: counselor_access follows from the consent, which the student gives.'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
comment on function private.require_consent_for_access is 'Trigger: students.counselor_access is set only where the consent is in force.';

create function private.require_own_choice() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_own_choice(new.user_id) or tg_op = 'UPDATE' and new.user_id <> old.user_id then
    raise exception 'Only the student chooses this, signed in.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
comment on function private.require_own_choice is 'Trigger: what a student chose for alerts about them is chosen by nobody else.';

create trigger require_student before insert on public.consents
for each row execute function private.require_student();

-- Its name comes before that of guard_consent, which deletes what the consent covered.
create trigger a_keep_consent before update or delete on public.consents
for each row execute function private.keep_consent();

create trigger refuse_emptying before truncate on public.consents
for each statement execute function private.refuse_emptying();

create trigger require_consent_for_access before insert or update on public.students
for each row when (new.counselor_access) execute function private.require_consent_for_access();

create trigger require_own_choice before insert or update on public.support_preferences
for each row execute function private.require_own_choice();
