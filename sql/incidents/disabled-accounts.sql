create table private.disabled_accounts (
  account uuid not null constraint disabled_accounts_pkey primary key,
  reason text not null constraint disabled_accounts_reason_length check (char_length(reason) between 1 and 500),
  incident_id text constraint disabled_accounts_incident_id_fkey references public.security_incidents (id) on delete set null,
  disabled_at timestamptz not null default now(),
  banned_until_before timestamptz,
  constraint disabled_accounts_account_fkey foreign key (account) references auth.users (id) on delete cascade
);
select private.describe('private.disabled_accounts', 'Accounts that are disabled, by a ban in Auth: adding a row bans the account, deleting it lifts the ban.', $$
  account: The account.
  reason: Why.
  incident_id: The incident that it responds to.
  disabled_at: When.
  banned_until_before: The ban that there was before, which enabling it restores.
$$);
create index disabled_accounts_incident_id_idx on private.disabled_accounts (incident_id);

select private.declare_data('private.disabled_accounts', '{account, reason, incident_id, disabled_at, banned_until_before}',
  'To enable an account again as it was.', 'account', 'activity', 't.account = $1');
select private.declare_audited('private.disabled_accounts', null);

create view private.active_staff
with (security_invoker = true)
as
select r.user_id, r.role, r.university_id, r.created_at as since, u.email, u.last_sign_in_at
from public.user_roles r
join auth.users u on u.id = r.user_id
where r.role in ('counselor', 'university_admin', 'security_admin')
  and u.deleted_at is null
  and (u.banned_until is null or u.banned_until <= now());
comment on view private.active_staff is 'Each role of each member of staff who can sign in, and since when they have it.';

create function private.is_last_security_administrator(account uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.user_roles where user_id = account and role = 'security_admin') then
    return false;
  end if;
  -- One at a time: of two administrators who ban each other, or take each other's role, one succeeds.
  perform pg_advisory_xact_lock(85, 0);
  return not exists (
    select
    from private.active_staff s
    where s.role = 'security_admin' and s.user_id <> account
      and not exists (select from private.erasures e where e.user_id = s.user_id)
  );
end
$$;
comment on function private.is_last_security_administrator is 'Whether nobody would administer security without this account, but those who are to be erased. Called by private.keep_a_security_administrator and by the function api.';

-- Against anybody, also Auth's admin API and Studio.
create function private.keep_a_security_administrator() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  losing uuid;
begin
  if tg_table_name = 'users' then
    losing := new.id;
  else
    losing := old.user_id;
  end if;
  if private.is_last_security_administrator(losing) then
    raise exception 'The last security administrator stays: make another one first.' using errcode = 'PT409';
  end if;
  return coalesce(new, old);
end
$$;
comment on function private.keep_a_security_administrator is 'Trigger on auth.users and public.user_roles: one security administrator is left, neither banned nor deleted, and with the role.';

create trigger keep_a_security_administrator
before update on auth.users
for each row when (
  (new.banned_until > now() and (old.banned_until is null or old.banned_until <= now()))
  or (new.deleted_at is not null and old.deleted_at is null)
)
execute function private.keep_a_security_administrator();

-- Also where an account is deleted, which takes its roles along.
create trigger keep_a_security_administrator
before delete on public.user_roles
for each row when (old.role = 'security_admin')
execute function private.keep_a_security_administrator();

create trigger keep_a_security_administrator_changed
before update on public.user_roles
for each row when (old.role = 'security_admin' and (new.role, new.user_id) is distinct from (old.role, old.user_id))
execute function private.keep_a_security_administrator();

-- The row is the ban, whoever writes it: a function, or somebody in the grid of Studio.
create function private.ban_disabled_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select u.banned_until into new.banned_until_before from auth.users u where u.id = new.account for update;
  if not found then
    raise exception 'There is no such account.' using errcode = 'foreign_key_violation';
  end if;
  -- Auth cannot read an infinite time.
  update auth.users set banned_until = now() + interval '100 years' where id = new.account;
  return new;
end
$$;
comment on function private.ban_disabled_account is 'Trigger: bans the account, which ends its sessions; never the last security administrator''s.';

-- Whoever lifts the ban in Auth has the account, and then needs the row; here the row is locked before any trigger runs. To wait for
-- the account now could be a deadlock.
create function private.lock_account_to_enable() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.users u where u.id = old.account for no key update nowait;
  return old;
exception
  when lock_not_available then
    raise exception 'This account is being changed by somebody else. Try again.' using errcode = 'lock_not_available';
end
$$;
comment on function private.lock_account_to_enable is 'Trigger: locks the account whose row is deleted, and waits for nobody.';

create function private.lift_ban_of_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_erasing(old.account) then
    return null;
  end if;
  update auth.users u
  set banned_until = case when old.banned_until_before > now() then old.banned_until_before end
  where u.id = old.account and u.banned_until > now();
  return null;
end
$$;
comment on function private.lift_ban_of_account is 'Trigger: lifts the ban, or restores the one that there was before.';

create function private.delete_lifted_ban() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.disabled_accounts d where d.account = new.id;
  return null;
end
$$;
comment on function private.delete_lifted_ban is 'Trigger on auth.users: an account whose ban is lifted in Auth is not listed as disabled.';

create function private.keep_disabled_account() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'Delete this row to enable the account, and add one for the other.' using errcode = 'check_violation';
end
$$;
comment on function private.keep_disabled_account is 'Trigger: a row stays that of its account.';

create trigger ban_disabled_account before insert on private.disabled_accounts
for each row execute function private.ban_disabled_account();

create trigger keep_disabled_account before update on private.disabled_accounts
for each row when (new.account <> old.account) execute function private.keep_disabled_account();

create trigger lock_account_to_enable before delete on private.disabled_accounts
for each row execute function private.lock_account_to_enable();

create trigger lift_ban_of_account after delete on private.disabled_accounts
for each row execute function private.lift_ban_of_account();

create trigger refuse_emptying before truncate on private.disabled_accounts
for each statement execute function private.refuse_emptying();

create trigger delete_lifted_ban after update on auth.users
for each row when (old.banned_until > now() and (new.banned_until is null or new.banned_until <= now()))
execute function private.delete_lifted_ban();

create function private.disable_account(account uuid, reason text, incident text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  perform from auth.users u where u.id = disable_account.account for update;
  if not found then
    return jsonb_build_object('status', 'failed', 'detail', 'There is no such account.');
  end if;
  -- Auth may have shortened the ban meanwhile.
  delete from private.disabled_accounts d
  using auth.users u
  where d.account = disable_account.account and u.id = d.account and (u.banned_until is null or u.banned_until <= now());
  insert into private.disabled_accounts (account, reason, incident_id)
  select disable_account.account, left(reason, 500), incident
  where not exists (select from private.disabled_accounts d where d.account = disable_account.account);
  return '{"status": "done"}';
exception
  when sqlstate 'PT409' then
    return jsonb_build_object('status', 'failed', 'detail', sqlerrm);
end
$$;
comment on function private.disable_account is 'Bans an account, which ends its sessions; never the last security administrator''s. Nothing changes for one that is disabled. Returns {status, detail?}. Called by security policies and by public.respond_to_incident.';

create function private.enable_account(account uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  perform from auth.users u where u.id = enable_account.account for update;
  delete from private.disabled_accounts d where d.account = enable_account.account;
  return '{"status": "done"}';
end
$$;
comment on function private.enable_account is 'Lifts what private.disable_account did, and leaves another ban as it was. Called by public.respond_to_incident.';
