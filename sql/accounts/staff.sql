create function private.administered_alone(account uuid) returns setof text
language sql stable security definer set search_path = '' as $$
  select r.university_id
  from public.user_roles r
  where r.user_id = account
    and r.role = 'university_admin'
    and not exists (
      select
      from private.active_staff s
      where s.role = 'university_admin' and s.user_id <> account and s.university_id = r.university_id
        and not exists (select from private.erasures e where e.user_id = s.user_id)
    )
    and exists (select from public.profiles p where p.university_id = r.university_id and p.user_id <> account)
$$;
comment on function private.administered_alone is 'Universities with other people that nobody administers but this account and those who are to be erased. Called by private.keep_a_university_administrator and by the function api.';

-- Against anybody, also Studio and the deletion of an account. With a university that is deleted its roles go: it has no people then.
create function private.keep_a_university_administrator() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- One at a time: of two administrators who take each other's role, one succeeds.
  perform pg_advisory_xact_lock(93, hashtext(old.university_id));
  if exists (select from public.universities where id = old.university_id)
    and old.university_id in (select private.administered_alone(old.user_id))
    -- Whoever is due to be erased goes. What an operator deletes becomes final only now, so it is refused.
    and not (
      private.is_erasing(old.user_id)
      and exists (
        select from private.erasures e where e.user_id = old.user_id and (e.final_at < now() or e.source = 'restore')
      )
    )
  then
    raise exception 'The last administrator of % stays: make another one first.', old.university_id
      using errcode = 'PT409',
        detail = 'Its people would have nobody who invites staff and imports enrolments.',
        hint = format('A security administrator calls grant_role(''<email>'', ''university_admin'', %L) for somebody else, or invite_staff, and then takes this role away.', old.university_id);
  end if;
  return coalesce(new, old);
end
$$;
comment on function private.keep_a_university_administrator is 'Trigger: a university with people keeps an administrator who can sign in, unless the last one''s erasure is due.';

create trigger keep_a_university_administrator
before delete on public.user_roles
for each row when (old.role = 'university_admin')
execute function private.keep_a_university_administrator();

create trigger keep_a_university_administrator_changed
before update on public.user_roles
for each row when (
  old.role = 'university_admin' and (new.role, new.user_id, new.university_id) is distinct from (old.role, old.user_id, old.university_id)
)
execute function private.keep_a_university_administrator();

create function private.account_named(person text) returns uuid
language sql stable security definer set search_path = '' as $$
  select case
    when pg_input_is_valid(person, 'uuid') then (select u.id from auth.users u where u.id = person::uuid and u.deleted_at is null)
    else (select m.user_id from private.mailboxes m where m.mailbox = private.mailbox_of(btrim(person)))
  end
$$;
comment on function private.account_named is 'The account with this id or confirmed email address; null when there is none. Called by private.grant_role and private.revoke_role.';

create function private.account_searched(person text) returns uuid
language sql stable security definer set search_path = '' as $$
  select coalesce(private.account_named(person), private.account_of_address(btrim(person)))
$$;
comment on function private.account_searched is 'The account with this id or email address, confirmed or not; null when there is none. Called by private.read_account, and where that is logged.';

-- Of anybody else the administrator of a university does not learn whether they have an account.
create function private.grant_role(person text, role public.app_role, university text) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  account constant uuid := private.account_named(person);
begin
  perform private.require_giver(grant_role.role, university);
  perform private.require_taking_part(university);
  if account = (select private.current_account()) then
    raise exception 'Nobody gives a role to themselves: another administrator does.' using errcode = 'insufficient_privilege';
  elsif account is null or not (
    private.is_security_admin()
    or exists (select from public.user_roles r where r.user_id = account and r.role <> 'student' and r.university_id = university)
  ) then
    raise exception 'Nobody of your staff has this address.' using errcode = 'PT404', hint = 'Invite them, with invite_staff.';
  end if;
  insert into public.user_roles (user_id, role, university_id) values (account, grant_role.role, university)
  on conflict on constraint user_roles_once do nothing;
  return found;
end
$$;
comment on function private.grant_role is 'Implementation of public.grant_role, which calls it.';

create function public.grant_role(person text, role public.app_role, university_id text default null) returns boolean
language sql set search_path = ''
begin atomic select private.grant_role(person, role, university_id); end;
comment on function public.grant_role is 'Gives a role of staff to a person, by account or email address; false when they have it. Called by administrators of the university, for counselor and university_admin to its staff, and by security administrators, for every role to everybody with an account.';

create function private.revoke_role(person text, role public.app_role, university text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_giver(revoke_role.role, university);
  delete from public.user_roles r
  where r.user_id = private.account_named(person) and r.role = revoke_role.role and r.university_id is not distinct from university;
  return found;
end
$$;
comment on function private.revoke_role is 'Implementation of public.revoke_role, which calls it.';

create function public.revoke_role(person text, role public.app_role, university_id text default null) returns boolean
language sql set search_path = ''
begin atomic select private.revoke_role(person, role, university_id); end;
comment on function public.revoke_role is 'Takes a role of staff away, and at once all that it allowed; false when they do not have it. An error for the last security administrator, and the last administrator of a university with people. Called by whoever may give the role.';

create function private.list_staff(university text)
returns table (
  user_id uuid, first_name text, last_name text, email text, role public.app_role, university_id text, since timestamptz,
  last_sign_in_at timestamptz, second_factor boolean, disabled boolean, invited_until timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  everywhere constant boolean := private.is_security_admin();
  own constant text[] := array(select private.universities_administered());
begin
  perform private.require_administrator(coalesce(university, own[1], ''));
  return query
  with staff as (
    select
      r.user_id, p.first_name, p.last_name, u.email::text as email, r.role, r.university_id, r.created_at as since,
      u.last_sign_in_at,
      exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as second_factor,
      coalesce(u.banned_until > now(), false) as disabled,
      null::timestamptz as invited_until
    from public.user_roles r
    join auth.users u on u.id = r.user_id and u.deleted_at is null
    left join public.profiles p on p.user_id = r.user_id
    where r.role <> 'student'
    union all
    select null, null, null, i.email, i.role, i.university_id, null, null, null, null, i.expires_at
    from private.open_invitations i
  )
  select s.*
  from staff s
  where (everywhere or s.university_id = any (own)) and (university is null or s.university_id = university)
  order by s.university_id, s.last_name, s.first_name, s.email, s.role;
end
$$;
comment on function private.list_staff is 'Implementation of public.list_staff, which calls it.';

create function public.list_staff(university_id text default null)
returns table (
  user_id uuid, first_name text, last_name text, email text, role public.app_role, university_id text, since timestamptz,
  last_sign_in_at timestamptz, second_factor boolean, disabled boolean, invited_until timestamptz
)
language sql stable set search_path = ''
begin atomic
  select s.user_id, s.first_name, s.last_name, s.email, s.role, s.university_id, s.since, s.last_sign_in_at, s.second_factor,
    s.disabled, s.invited_until
  from private.list_staff(university_id) s;
end;
comment on function public.list_staff is 'Staff of a university, or of all that the caller administers: a row for each role, and for each open invitation, which has invited_until and no user_id. Called by administrators of the university, and by security administrators, who see everybody.';
