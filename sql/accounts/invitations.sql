-- Auth's own invitations need the secret key, make the account at once, and know no role. These are rows, which the sign-up, the
-- confirmation of the address and every sign-in look for.

create function private.may_give(giver uuid, role public.app_role, university text) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.has_role(giver, 'security_admin', null)
    or (role in ('counselor', 'university_admin') and private.has_role(giver, 'university_admin', university))
$$;
comment on function private.may_give is 'Whether an account may give and take a role of staff at a university. Called while an invitation is open.';

create function private.require_giver(role public.app_role, university text) returns void
language plpgsql stable set search_path = '' as $$
begin
  if role = 'security_admin' or university is null then
    perform private.require_security_admin();
  else
    perform private.require_administrator(university);
  end if;
  if role is null or role = 'student' then
    raise exception 'Name a role of staff: counselor, university_admin or security_admin.'
      using errcode = 'invalid_parameter_value', hint = 'Who signs up without an invitation is a student.';
  elsif (role = 'security_admin') <> (university is null) then
    raise exception 'A role of staff has a university, unless it is security_admin.' using errcode = 'invalid_parameter_value';
  elsif university is not null and not exists (select from public.universities where id = university) then
    raise exception 'There is no university %.', university using errcode = 'PT404';
  end if;
end
$$;
comment on function private.require_giver is 'An error unless the caller may give and take this role at this university: administrators of the university counselor and university_admin, security administrators every role. Called by the functions that invite staff, and give and take roles.';

-- Locks the university, so that it is not archived meanwhile.
create function private.require_taking_part(university text) returns void
language plpgsql set search_path = '' as $$
begin
  perform from public.universities where id = university and archived_at is not null for share;
  if found then
    raise exception '% is archived and takes no new staff.', university
      using errcode = 'PT409', hint = 'A security administrator calls restore_university first.';
  end if;
end
$$;
comment on function private.require_taking_part is 'An error where a university is archived. Called by the functions that invite staff and give roles.';

create table private.staff_invitations (
  id uuid not null default gen_random_uuid(),
  email text not null,
  role public.app_role not null,
  university_id text,
  invited_by uuid not null,
  invited_at timestamptz not null default now(),
  message_id uuid,
  accepted_by uuid,
  constraint staff_invitations_pkey primary key (id),
  constraint staff_invitations_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade,
  constraint staff_invitations_invited_by_fkey foreign key (invited_by) references auth.users (id) on delete cascade,
  constraint staff_invitations_accepted_by_fkey foreign key (accepted_by) references auth.users (id) on delete cascade,
  constraint staff_invitations_email_form check (email = lower(email) and private.is_mail_address(email)),
  constraint staff_invitations_scope check (
    case role when 'student' then false when 'security_admin' then university_id is null else university_id is not null end
  )
);
select private.describe('private.staff_invitations', 'Who is invited to be staff. public.invite_staff makes a row and mails it; whoever confirms the address, or signs in with it, gets the role.', $$
  id: The invitation.
  email: Address that is invited, in lower case; any other address of its mailbox may accept.
  role: The role.
  university_id: University where the role applies; null for security_admin.
  invited_by: Who invited. The invitation holds for as long as they may give the role themselves.
  invited_at: When; inviting again renews it.
  message_id: The mail, private.outbox.id.
  accepted_by: The account that accepted; null while it is open.
$$);
create unique index staff_invitations_open_idx on private.staff_invitations (private.mailbox_of(email), role, university_id)
nulls not distinct where accepted_by is null;
create index staff_invitations_university_id_idx on private.staff_invitations (university_id);
create index staff_invitations_invited_by_idx on private.staff_invitations (invited_by);
create index staff_invitations_accepted_by_idx on private.staff_invitations (accepted_by);

select private.declare_term('staff_invitations', '14 days', 'Invitations of staff, which can be accepted until then: from the last mail.',
  shortest => '1 day');
select private.declare_data('private.staff_invitations', '{id, email, role, university_id, invited_at, message_id, accepted_by}',
  'To give a role to the person who is invited.', 'staff', 'contact_details',
  't.accepted_by = $1 or private.mailbox_of(t.email) = (select m.mailbox from private.mailboxes m where m.user_id = $1)',
  term => 'staff_invitations');
select private.declare_data('private.staff_invitations', '{invited_by}', 'To know who invited.', 'staff', 'activity',
  't.invited_by = $1', term => 'staff_invitations');
select private.declare_purge('staff_invitations', 'private.staff_invitations', 'd.invited_at < $1', oldest => 'invited_at');
select private.declare_audited('private.staff_invitations', 'id', shown => '{role, university_id}', watched => '{invited_at}');

create view private.open_invitations
with (security_invoker = true)
as
select i.*, i.invited_at + r.keep as expires_at
from private.staff_invitations i
join private.retention_rules r on r.kind = 'staff_invitations'
where i.accepted_by is null and i.invited_at + r.keep > now() and private.may_give(i.invited_by, i.role, i.university_id)
  and not exists (select from public.universities u where u.id = i.university_id and u.archived_at is not null);
comment on view private.open_invitations is 'Invitations of staff that can be accepted now.';

create function private.is_invited(address text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.open_invitations i where private.mailbox_of(i.email) = private.mailbox_of(address))
$$;
comment on function private.is_invited is 'Whether whoever has this address is invited to be staff. Called by private.create_profile and private.settle_roles.';

create function private.accept_invitations(account uuid, address text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  with accepted as (
    update private.staff_invitations i
    set accepted_by = account
    from private.open_invitations o
    where o.id = i.id and private.mailbox_of(i.email) = private.mailbox_of(address)
    returning i.role, i.university_id, i.message_id
  ),
  mailed as (
    -- The mail is deleted with the account from now on.
    update private.outbox o set user_id = account from accepted a where o.id = a.message_id
  ),
  settled as (
    -- Where a student belongs to is not what an invitation says.
    update public.profiles p
    set university_id = (select min(a.university_id) from accepted a)
    where p.user_id = account
      and p.university_id is null
      and exists (select from accepted)
      and not exists (select from public.user_roles r where r.user_id = account and r.role = 'student')
  )
  insert into public.user_roles (user_id, role, university_id)
  select account, a.role, a.university_id from accepted a
  on conflict on constraint user_roles_once do nothing;
exception
  when others then
    raise warning 'The invitations of the account % were not accepted: %', account, sqlerrm;
end
$$;
comment on function private.accept_invitations is 'Gives an account the roles that its confirmed address is invited to. What fails keeps nobody from signing in, and is tried again at the next sign-in. Called by the triggers on auth.users and auth.sessions.';

-- Before the confirmation nobody can sign in: whoever signed up before the invitation was no student yet either.
create function private.settle_roles() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_invited(new.email) then
    delete from public.user_roles where user_id = new.id and role = 'student' and new.last_sign_in_at is null;
    perform private.accept_invitations(new.id, new.email);
  end if;
  if not private.is_invited(new.email) and not exists (select from public.user_roles where user_id = new.id) then
    -- Signed up while an invitation was open, which is not any more.
    insert into public.user_roles (user_id, role, university_id)
    select user_id, 'student', university_id from public.profiles where user_id = new.id;
  end if;
  return null;
end
$$;
comment on function private.settle_roles is 'Trigger on auth.users: when an address is confirmed, its account gets the roles that it is invited to and is no student; without an invitation it is one.';

create trigger settle_roles after update on auth.users
for each row when (old.email_confirmed_at is null and new.email_confirmed_at is not null)
execute function private.settle_roles();

create function private.accept_at_sign_in() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.accept_invitations(u.id, u.email) from auth.users u where u.id = new.user_id and u.email_confirmed_at is not null;
  return null;
end
$$;
comment on function private.accept_at_sign_in is 'Trigger on auth.sessions: who has an account already accepts an invitation by signing in, and stays a student where they are one.';

create trigger accept_at_sign_in after insert on auth.sessions for each row execute function private.accept_at_sign_in();

create function private.audit_accepted_invitation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit_at_end(
    'staff_invitation_accepted', new.university_id, 'staff_invitations', new.id::text,
    after => jsonb_build_object('role', new.role), actor => new.accepted_by, subject => new.accepted_by
  );
  return null;
end
$$;
comment on function private.audit_accepted_invitation is 'Trigger: logs who accepted an invitation, as Auth''s transactions name nobody.';

create trigger audit_accepted_invitation after update on private.staff_invitations
for each row when (old.accepted_by is null and new.accepted_by is not null)
execute function private.audit_accepted_invitation();
select private.declare_audit_triggers('private.staff_invitations', '{audit_accepted_invitation}');

create function private.role_in_words(role public.app_role, university text) returns text
language sql stable set search_path = '' as $$
  select case role
      when 'counselor' then 'a counselor'
      when 'university_admin' then 'an administrator'
      when 'security_admin' then 'a security administrator'
    end
    || coalesce((select ' of ' || private.name_in_message(u.name, 'your university', 60) from public.universities u where u.id = university), '')
$$;
comment on function private.role_in_words is 'A role of staff as mails name it, such as "a counselor of Northfield University". Called by private.invite_staff.';

create function private.invite_staff(email text, role public.app_role, university text) returns timestamptz
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  inviter constant uuid := private.current_account();
  address constant text := lower(private.plain_mail_address(invite_staff.email));
  named constant text := private.role_in_words(invite_staff.role, university);
  message constant uuid := gen_random_uuid();
  allowance record;
  invited uuid;
  mailed uuid;
  expires timestamptz;
begin
  perform private.require_giver(invite_staff.role, university);
  perform private.require_taking_part(university);
  if not coalesce(private.is_mail_address(address), false) then
    raise exception 'This is no email address.'
      using errcode = 'invalid_parameter_value', hint = 'Before the @ stand letters from a to z, digits and signs.';
  elsif exists (
    select from auth.users u where u.id = inviter and private.mailbox_of(u.email) = private.mailbox_of(address)
  ) then
    raise exception 'Nobody gives a role to themselves: another administrator does.' using errcode = 'insufficient_privilege';
  elsif exists (
    select
    from private.mailboxes m
    join public.user_roles r on r.user_id = m.user_id
    where m.mailbox = private.mailbox_of(address) and r.role = invite_staff.role and r.university_id is not distinct from university
  ) then
    raise exception 'This person has the role already.' using errcode = 'PT409';
  end if;
  select * into strict allowance from private.consume_rate_limit(inviter, 'staff-invitation');
  if not allowance.allowed then
    raise exception 'Too many invitations.'
      using errcode = 'PT429', detail = allowance.reset_s::text, hint = 'Try again after as many seconds as the details say.';
  end if;
  select i.id, i.message_id into invited, mailed
  from private.staff_invitations i
  where private.mailbox_of(i.email) = private.mailbox_of(address) and i.role = invite_staff.role
    and i.university_id is not distinct from university and i.accepted_by is null
  for update;
  delete from private.outbox where id = mailed and status = 'queued';
  insert into private.staff_invitations (id, email, role, university_id, invited_by, message_id)
  values (coalesce(invited, gen_random_uuid()), address, invite_staff.role, university, inviter, message)
  on conflict (private.mailbox_of(email), role, university_id) where accepted_by is null do update
  set email = excluded.email, invited_by = excluded.invited_by, invited_at = excluded.invited_at, message_id = excluded.message_id
  returning invited_at + (select r.keep from private.retention_rules r where r.kind = 'staff_invitations') into expires;
  insert into private.outbox (id, channel, purpose, user_id, recipient, subject, body)
  select
    message, 'email', 'staff_invitation', (select m.user_id from private.mailboxes m where m.mailbox = private.mailbox_of(address)),
    address, left('Student wellbeing: you are invited as ' || named, 200),
    format(
      E'Hello,\n\n%s invites you to be %s on the student wellbeing service.\n\nTo accept, sign up with this address, %s, and confirm it before %s UTC. If you have an account already, sign in. Staff sign in with a second step, so have an authenticator app at hand.%s\n\nIf you do not expect this, ignore this mail: nothing happens then.',
      private.name_in_message((select p.first_name || ' ' || p.last_name from public.profiles p where p.user_id = inviter), 'An administrator', 60),
      named, address, private.utc_minute(expires), coalesce(E'\n\nThe app: ' || private.staff_link('/'), '')
    );
  return expires;
end
$$;
comment on function private.invite_staff is 'Implementation of public.invite_staff, which calls it.';

create function public.invite_staff(email text, role public.app_role, university_id text default null) returns timestamptz
language sql set search_path = ''
begin atomic select private.invite_staff(email, role, university_id); end;
comment on function public.invite_staff is 'Invites somebody to be staff, by a mail; again renews it. Whoever confirms that address, or signs in with it, gets the role. Returns until when that is. Called by administrators of the university, for counselor and university_admin there, and by security administrators.';

create function private.withdraw_invitation(email text, role public.app_role, university text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  mailed uuid;
begin
  perform private.require_giver(withdraw_invitation.role, university);
  delete from private.staff_invitations i
  where private.mailbox_of(i.email) = private.mailbox_of(private.plain_mail_address(withdraw_invitation.email))
    and i.role = withdraw_invitation.role and i.university_id is not distinct from university and i.accepted_by is null
  returning i.message_id into mailed;
  if not found then
    return false;
  end if;
  delete from private.outbox where id = mailed and status = 'queued';
  return true;
end
$$;
comment on function private.withdraw_invitation is 'Implementation of public.withdraw_invitation, which calls it.';

create function public.withdraw_invitation(email text, role public.app_role, university_id text default null) returns boolean
language sql set search_path = ''
begin atomic select private.withdraw_invitation(email, role, university_id); end;
comment on function public.withdraw_invitation is 'Takes an invitation of staff back; false when none is open. Called by whoever may give the role.';

create function private.withdraw_at_archiving() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  with withdrawn as (
    delete from private.staff_invitations i where i.university_id = new.id and i.accepted_by is null returning i.message_id
  )
  delete from private.outbox o using withdrawn w where o.id = w.message_id and o.status = 'queued';
  return null;
end
$$;
comment on function private.withdraw_at_archiving is 'Trigger: a university that is archived takes its open invitations back, with the mails that wait.';

create trigger withdraw_at_archiving after update of archived_at on public.universities
for each row when (new.archived_at is not null and old.archived_at is null) execute function private.withdraw_at_archiving();
