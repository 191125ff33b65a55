create type public.app_role as enum ('student', 'counselor', 'university_admin', 'security_admin');
comment on type public.app_role is 'What a person may do. security_admin is global; the others belong to one university.';

create table public.profiles (
  user_id uuid not null,
  first_name text not null default '',
  last_name text not null default '',
  university_id text,
  time_zone text,
  language text,
  zone_day_began_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint profiles_pkey primary key (user_id),
  constraint profiles_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint profiles_university_id_fkey foreign key (university_id) references public.universities (id) on delete restrict,
  constraint profiles_first_name_length check (char_length(first_name) <= 100),
  constraint profiles_last_name_length check (char_length(last_name) <= 100)
);
select private.describe('public.profiles', 'One row per account, created with the account.', $$
  user_id: The account.
  first_name: First name, as the person writes it.
  last_name: Last name, as the person writes it.
  university_id: University of the account: the one with its email domain, or else the one named at sign-up if that accepts other domains.
  time_zone: Where the person's days begin and end, an IANA name, such as Europe/Dublin; null for the university's.
  zone_day_began_at: When the day began on which the person last changed time_zone; null before. The next day begins at a midnight at least 20 hours later, so that nobody has a day's allowance twice by changing it.
  language: Language that the person is addressed in, a BCP 47 tag, such as pt-BR; null for the university's first one.
  created_at: When the row was created.
  updated_at: When the row was last changed.
$$);
-- Without statistics, the planner's estimate for a filter on a name tells nothing of the names that there are.
alter table public.profiles
  alter column first_name set statistics 0,
  alter column last_name set statistics 0;
create index profiles_university_id_name_idx on public.profiles (university_id, last_name, first_name, user_id);

select private.declare_term('sign_in_log', '90 days',
  'What Auth logs of sign-ins, and addresses of failed ones: from the sign-in.', shortest => '1 day');
select private.declare_data('public.profiles', '{first_name, last_name}',
  'To address the person and to show staff whom they help.', 'account', 'identity', 't.user_id = $1');
select private.declare_data('public.profiles', '{user_id, university_id, created_at, updated_at}',
  'To know which university the account belongs to.', 'account', 'identity', 't.user_id = $1');
select private.declare_data('public.profiles', '{time_zone, zone_day_began_at, language}',
  'To count days where the person is, and to address them in their language.', 'account', 'identity', 't.user_id = $1');
select private.declare_audited('public.profiles', 'user_id', 'by_hand');

create trigger touch_updated_at before update on public.profiles for each row execute function private.touch_updated_at();

create function private.check_time_and_language() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_time_zones(array[new.time_zone]), private.require_languages(array[new.language]);
  return new;
end
$$;
comment on function private.check_time_and_language is 'Trigger: whoever asks for the day or the language of a person can rely on their time zone and language.';

create trigger check_time_and_language before insert or update of time_zone, language on public.profiles
for each row when (new.time_zone is not null or new.language is not null)
execute function private.check_time_and_language();

create function private.email_of(account uuid) returns text
language sql stable security definer set search_path = '' as $$ select nullif(u.email, '') from auth.users u where u.id = account $$;
comment on function private.email_of is 'The email address of an account. Called where people are written to.';

create function private.name_of(account uuid) returns text
language sql stable security definer set search_path = '' as $$
  select nullif(btrim(p.first_name || ' ' || p.last_name), '') from public.profiles p where p.user_id = account
$$;
comment on function private.name_of is 'The name of a person; null where they gave none, or the account is gone. Called where staff are named to staff.';

create function private.time_zone_of(user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (
      select coalesce(p.time_zone, u.time_zone)
      from public.profiles p
      left join public.universities u on u.id = p.university_id
      where p.user_id = time_zone_of.user_id
    ),
    'UTC'
  )
$$;
comment on function private.time_zone_of is 'The time zone of a person: their own, else their university''s, else UTC. Called where their days are counted and their times are told.';

create function private.local_date(user_id uuid, at timestamptz) returns date
language sql stable security definer set search_path = '' as $$
  select (at at time zone private.time_zone_of(local_date.user_id))::date
$$;
comment on function private.local_date is 'The day of a moment where a person is. Called where what happens once a day is counted.';

create function private.day_of(account uuid, at timestamptz, out began timestamptz, out ends timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone constant text := private.time_zone_of(account);
  today constant date := (at at time zone zone)::date;
  changed_on constant timestamptz := (select p.zone_day_began_at from public.profiles p where p.user_id = account);
begin
  began := private.moment_at(today, zone);
  ends := private.moment_at(today + 1, zone);
  if began < changed_on + interval '20 hours' then
    began := changed_on;
    if ends < changed_on + interval '20 hours' then
      ends := private.moment_at(today + 2, zone);
    end if;
  end if;
end
$$;
comment on function private.day_of is 'When the day of a moment began where a person is, and when it ends: at midnight, and after a change of their time zone at the first midnight that gives them no day twice. Called where something is allowed so many times a day.';

create function private.keep_day_of_zone_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select began into new.zone_day_began_at from private.day_of(old.user_id, now());
  return new;
end
$$;
comment on function private.keep_day_of_zone_change is 'Trigger: keeps when the day began on which a person changes their time zone.';

create trigger keep_day_of_zone_change before update of time_zone on public.profiles
for each row when (new.time_zone is distinct from old.time_zone) execute function private.keep_day_of_zone_change();

create function private.language_of(user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (
      select coalesce(p.language, u.languages[1])
      from public.profiles p
      left join public.universities u on u.id = p.university_id
      where p.user_id = language_of.user_id
    ),
    'en'
  )
$$;
comment on function private.language_of is 'The language of a person, a BCP 47 tag: their own, else their university''s first one, else en. Called where they are addressed.';

create table public.user_roles (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  role public.app_role not null,
  university_id text,
  created_at timestamptz not null default now(),
  constraint user_roles_pkey primary key (id),
  constraint user_roles_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint user_roles_university_id_fkey foreign key (university_id) references public.universities (id) on delete restrict,
  constraint user_roles_once unique nulls not distinct (user_id, role, university_id),
  constraint user_roles_scope check (role <> 'security_admin' or university_id is null),
  constraint user_roles_staff_scope check (role not in ('counselor', 'university_admin') or university_id is not null)
);
select private.describe('public.user_roles', 'Roles of each account. Looked up on every request, so that revoking one takes effect immediately.', $$
  id: The row.
  user_id: The account.
  role: The role.
  university_id: University where the role applies; null for security_admin and for students without a university.
  created_at: When the role was granted.
$$);
-- Without statistics of the accounts, the planner's estimate tells neither how many rows an account has, nor which accounts have any.
alter table public.user_roles alter column user_id set statistics 0;
create index user_roles_university_id_idx on public.user_roles (university_id);

select private.declare_data('public.user_roles', '{id, user_id, role, university_id, created_at}',
  'To decide what the account may do.', 'account', 'identity', 't.user_id = $1');

create function private.audit_role() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    perform private.audit_at_end(
      'role_revoked', old.university_id, 'user_roles', subject => old.user_id,
      before => jsonb_build_object('role', old.role, 'university_id', old.university_id)
    );
  end if;
  if tg_op <> 'DELETE' then
    perform private.audit_at_end(
      'role_granted', new.university_id, 'user_roles', subject => new.user_id,
      after => jsonb_build_object('role', new.role, 'university_id', new.university_id)
    );
  end if;
  return null;
end
$$;
comment on function private.audit_role is 'Trigger: logs roles of staff that are granted, changed or revoked.';

-- Whoever signs up gets the student role, so granting it is not logged.
create trigger audit_role_granted after insert on public.user_roles
for each row when (new.role <> 'student') execute function private.audit_role();

create trigger audit_role_changed after update on public.user_roles
for each row when (new.role <> 'student' or old.role <> 'student') execute function private.audit_role();

create trigger audit_role_revoked after delete on public.user_roles
for each row when (old.role <> 'student') execute function private.audit_role();
select private.declare_audit_triggers('public.user_roles', '{audit_role_granted, audit_role_changed, audit_role_revoked}');
select private.declare_audited('public.user_roles', 'id', 'by_hand', shown => '{role, university_id}');

create table private.mailboxes (
  mailbox text not null,
  user_id uuid not null,
  constraint mailboxes_pkey primary key (user_id),
  constraint mailboxes_mailbox_key unique (mailbox),
  constraint mailboxes_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
select private.describe('private.mailboxes', 'The mailbox of each account whose address is confirmed: one person has one account, however many addresses lead to them.', $$
  mailbox: The address in lower case and without what follows a + in its local part.
  user_id: The account.
$$);

select private.declare_data('private.mailboxes', '{mailbox, user_id}', 'To keep one person to one account.', 'account',
  'contact_details', 't.user_id = $1');
select private.declare_audited('private.mailboxes', 'user_id', 'by_hand');
