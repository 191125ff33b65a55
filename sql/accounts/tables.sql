create type public.app_role as enum ('student', 'counselor', 'university_admin', 'security_admin');
comment on type public.app_role is 'What a person may do. security_admin is global; the others belong to one university.';

create type public.consent_kind as enum ('audio', 'camera', 'text', 'support_circle', 'counselor_access', 'research_export');
comment on type public.consent_kind is
  'What a student agrees to: analysis of audio, of camera images and of the transcript, a support circle, access by counselors, use of their data for research, which nothing does yet.';

create table public.profiles (
  user_id uuid not null,
  first_name text not null default '',
  last_name text not null default '',
  university_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint profiles_pkey primary key (user_id),
  constraint profiles_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint profiles_university_id_fkey foreign key (university_id) references public.universities (id) on delete restrict,
  constraint profiles_first_name_length check (char_length(first_name) <= 100),
  constraint profiles_last_name_length check (char_length(last_name) <= 100)
);
comment on table public.profiles is 'One row per account, created with the account.';
comment on column public.profiles.user_id is 'The account.';
comment on column public.profiles.first_name is 'First name, as the person writes it.';
comment on column public.profiles.last_name is 'Last name, as the person writes it.';
comment on column public.profiles.university_id is
  'University of the account: the one with its email domain, or else the one named at sign-up if that accepts other domains.';
comment on column public.profiles.created_at is 'When the row was created.';
comment on column public.profiles.updated_at is 'When the row was last changed.';
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

create table public.user_roles (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  role public.app_role not null,
  university_id text,
  created_at timestamptz not null default now(),
  constraint user_roles_pkey primary key (id),
  constraint user_roles_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint user_roles_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade,
  constraint user_roles_once unique nulls not distinct (user_id, role, university_id),
  constraint user_roles_scope check (role <> 'security_admin' or university_id is null),
  constraint user_roles_staff_scope check (role not in ('counselor', 'university_admin') or university_id is not null)
);
comment on table public.user_roles is 'Roles of each account. Looked up on every request, so that revoking one takes effect immediately.';
comment on column public.user_roles.id is 'The row.';
comment on column public.user_roles.user_id is 'The account.';
comment on column public.user_roles.role is 'The role.';
comment on column public.user_roles.university_id is 'University where the role applies; null for security_admin and for students without a university.';
comment on column public.user_roles.created_at is 'When the role was granted.';
-- Without statistics of the accounts, the planner's estimate tells neither how many rows an account has, nor which accounts have any.
alter table public.user_roles alter column user_id set statistics 0;
create index user_roles_university_id_idx on public.user_roles (university_id);

select private.declare_data('public.user_roles', '{id, user_id, role, university_id, created_at}',
  'To decide what the account may do.', 'account', 'identity', 't.user_id = $1');

create table private.mailboxes (
  mailbox text not null,
  user_id uuid not null,
  constraint mailboxes_pkey primary key (user_id),
  constraint mailboxes_mailbox_key unique (mailbox),
  constraint mailboxes_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
comment on table private.mailboxes is 'The mailbox of each account whose address is confirmed: one person has one account, however many addresses lead to them.';
comment on column private.mailboxes.mailbox is 'The address in lower case and without what follows a + in its local part.';
comment on column private.mailboxes.user_id is 'The account.';

select private.declare_data('private.mailboxes', '{mailbox, user_id}', 'To keep one person to one account.', 'account',
  'contact_details', 't.user_id = $1');

create table public.consents (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  kind public.consent_kind not null,
  version text not null,
  granted_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  renewed boolean not null default false,
  keep_results boolean not null default false,
  deleted jsonb,
  constraint consents_pkey primary key (id),
  constraint consents_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint consents_version_form check (version ~ '^[A-Za-z0-9._-]{1,40}$'),
  constraint consents_times check (withdrawn_at >= granted_at),
  constraint consents_renewed_when_ended check (withdrawn_at is not null or not renewed)
);
comment on table public.consents is 'Each consent, with the version of the text agreed to; a withdrawn consent keeps its row.';
comment on column public.consents.id is 'The consent.';
comment on column public.consents.user_id is 'The student who agreed.';
comment on column public.consents.kind is 'What was agreed to.';
comment on column public.consents.version is 'Version of the consent text that was shown.';
comment on column public.consents.granted_at is 'When the student agreed.';
comment on column public.consents.withdrawn_at is 'When the student withdrew it, or agreed to a later version; null before that.';
comment on column public.consents.renewed is 'Whether it ended because the student agreed to a later version, so that nothing was withdrawn.';
comment on column public.consents.keep_results is
  'What the student chose with the withdrawal: to keep past results; media, features and transcripts are deleted all the same.';
comment on column public.consents.deleted is 'What the withdrawal deleted: an object of counts; null while nothing was withdrawn.';
alter table public.consents alter column user_id set statistics 0; -- see public.user_roles
create unique index consents_in_force_idx on public.consents (user_id, kind) where withdrawn_at is null;
create index consents_user_id_idx on public.consents (user_id);

select private.declare_data('public.consents',
  '{id, user_id, kind, version, granted_at, withdrawn_at, renewed, keep_results, deleted}',
  'To know what the student agreed to, in which version, and when.', 'student', 'choices', 't.user_id = $1');

create table private.required_consent_versions (
  kind public.consent_kind not null,
  version text not null,
  constraint required_consent_versions_pkey primary key (kind),
  constraint required_consent_versions_version_form check (version ~ '^[A-Za-z0-9._-]{1,40}$' and version ~ '[0-9]')
);
comment on table private.required_consent_versions is
  'The version of its text that a consent must have at least; of a kind without a row any version counts. An operator raises it when a text changes, and the students are asked again.';
comment on column private.required_consent_versions.kind is 'What is agreed to.';
comment on column private.required_consent_versions.version is 'The earliest version that counts, compared number by number: 2026-9 is before 2026-10, and 1.9 before 1.10.';

select private.declare_data('private.required_consent_versions', '{kind, version}',
  'Settings: which version of a consent counts.');
select private.declare_audited('private.required_consent_versions', 'kind');

-- In PL/pgSQL, like the other functions that run on every request: it caches its plans. `auth.uid()` only reads the token, which
-- goes on until it expires; this looks whether Auth would still let the account in. Only tokens of Auth have a `session_id`.
create function private.signed_in_account() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  account uuid := claims ->> 'sub';
begin
  if pg_input_is_valid(claims ->> 'session_id', 'uuid')
    and exists (
      select from auth.sessions
      where id = (claims ->> 'session_id')::uuid and user_id = account and (not_after is null or not_after > now())
    )
    and exists (
      select from auth.users
      where id = account and deleted_at is null and (banned_until is null or banned_until <= now())
    )
    and not private.is_blocked(private.request_ip(), (claims ->> 'session_id')::uuid)
  then
    return account;
  end if;
  return null;
end
$$;
comment on function private.signed_in_account is
  'The caller''s account, whether or not it has a role; null when nobody is signed in, the account is banned, the session has ended or the address is blocked for it. Called by private.current_account, and where people reach what is stored of them.';

-- The one rule for who may act, and the only way in which policies ask who the caller is: each then looks once.
create function private.current_account() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := private.signed_in_account();
begin
  if exists (select from public.user_roles where user_id = account) and private.policies_allow() then
    return account;
  end if;
  return null;
end
$$;
comment on function private.current_account is
  'The caller''s account; null when nobody is signed in, the account is banned or has no role, the session has ended, or a security policy refuses the request. Called by policies and by the functions that they call.';

-- In PL/pgSQL, like the other functions that run on every request: it caches its plans for the connection's next request.
create function private.has_role(account uuid, required public.app_role, university text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.user_id = account
      and r.role = required
      and (r.role = 'security_admin' or r.university_id = university)
      and (u.banned_until is null or u.banned_until <= now())
  );
end
$$;
comment on function private.has_role is
  'Whether an account that is not banned has a role at a university; security_admin applies everywhere. Called by the edge functions.';

create function private.is_security_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.user_roles where user_id = (select private.current_account()) and role = 'security_admin')
$$;
comment on function private.is_security_admin is 'Whether the caller is a security administrator. Called by policies.';

create function private.require_security_admin() returns void
language plpgsql stable set search_path = '' as $$
begin
  if not private.is_security_admin() then
    raise exception 'Only security administrators do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;
comment on function private.require_security_admin is 'An error unless the caller is a security administrator. Called by the functions that only those may call.';

create function private.universities_administered() returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select university_id from public.user_roles where user_id = (select private.current_account()) and role = 'university_admin';
end
$$;
comment on function private.universities_administered is 'Universities that the caller administers. Called by policies.';

create function private.universities_counseled() returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select university_id from public.user_roles where user_id = (select private.current_account()) and role = 'counselor';
end
$$;
comment on function private.universities_counseled is 'Universities where the caller is a counselor. Called by policies.';

create function private.universities_joined() returns setof text
language sql stable security definer set search_path = '' as $$
  select distinct university_id from public.user_roles where user_id = (select private.current_account()) and university_id is not null
$$;
comment on function private.universities_joined is
  'Universities where the caller has a role, as a student or as staff. Called by policies.';

create function private.university_of(account uuid) returns text
language sql stable security definer set search_path = '' as $$
  select university_id from public.profiles where user_id = account
$$;
comment on function private.university_of is 'University of an account. Called by what writes to the audit log.';

-- The email domain has the last word, because the university determines who sees the student's data. The university that the
-- person names counts only if no university has this domain and the named one accepts other domains.
create function private.university_for(address text, named text) returns text
language sql stable security definer set search_path = '' as $$
  -- What follows the last @: the part before it may be quoted and have others.
  with email as (select lower(split_part(address, '@', -1)) as host)
  select coalesce(
    (
      select u.id
      from public.universities u, email
      where email.host = u.domain or email.host like '%.' || u.domain
      order by char_length(u.domain) desc
      limit 1
    ),
    (select id from public.universities where id = named and accepts_other_domains)
  )
$$;
comment on function private.university_for is
  'University for an account with this email address that named that university at sign-up. Called by private.create_profile and by the edge functions.';

create function private.version_numbers(version text) returns numeric[]
language sql immutable set search_path = '' as $$
  select array(select number[1]::numeric from regexp_matches(version, '[0-9]+', 'g') as number)
$$;
comment on function private.version_numbers is 'The numbers of a version, by which versions are ordered. Called by private.is_current_version.';

create function private.is_current_version(kind public.consent_kind, version text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return not exists (
    select
    from private.required_consent_versions r
    where r.kind = is_current_version.kind
      and private.version_numbers(is_current_version.version) < private.version_numbers(r.version)
  );
end
$$;
comment on function private.is_current_version is
  'Whether a consent to this version of the text counts. Called by private.has_consent and where consents are shown and renewed.';

-- In PL/pgSQL, which keeps its plan: it is asked for every message and every open alert.
create function private.has_consent(student uuid, required public.consent_kind) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.consents
    where user_id = student and kind = required and withdrawn_at is null and private.is_current_version(kind, version)
  );
end
$$;
comment on function private.has_consent is
  'Whether the student''s consent of this kind is in force, in a version that still counts. Called by the pipeline, the sessions and the edge functions.';

create function private.consents_in_force(student uuid) returns public.consent_kind[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select kind from public.consents where user_id = student and withdrawn_at is null and private.is_current_version(kind, version)
  );
end
$$;
comment on function private.consents_in_force is
  'The student''s consents that are in force. Called where analyses are stored, with the lock of private.consent_lock, so that none is withdrawn meanwhile.';

-- Every new account gets a profile and the student role.
create function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  university text := private.university_for(new.email, new.raw_user_meta_data ->> 'university_id');
begin
  insert into public.profiles (user_id, first_name, last_name, university_id)
  values (
    new.id,
    left(coalesce(new.raw_user_meta_data ->> 'first_name', ''), 100),
    left(coalesce(new.raw_user_meta_data ->> 'last_name', ''), 100),
    university
  );
  insert into public.user_roles (user_id, role, university_id) values (new.id, 'student', university);
  return new;
end
$$;
comment on function private.create_profile is 'Trigger on auth.users: creates the profile and grants the student role.';

-- Auth keeps the password and the metadata of the first sign-up, whoever signs up with the same address later (internal/api/signup.go
-- of supabase/auth: "do not update the user because we can't be sure of their claimed identity"), and following the link changes
-- neither. So once a second mail is asked for, nothing of what was given before the confirmation is kept: whoever opens the mail
-- chooses the password and the name.
create function private.discard_unconfirmed() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  own constant text[] := array['sub', 'email', 'email_verified', 'phone_verified'];
  university text := private.university_for(new.email, null);
begin
  new.encrypted_password := '';
  new.raw_user_meta_data := (
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(new.raw_user_meta_data) where key = any (own)
  );
  update auth.identities
  set identity_data = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(identity_data) where key = any (own))
  where user_id = new.id;
  update public.profiles set first_name = '', last_name = '', university_id = university where user_id = new.id;
  update public.user_roles set university_id = university
  where user_id = new.id and role = 'student' and university_id is distinct from university;
  return new;
end
$$;
comment on function private.discard_unconfirmed is
  'Trigger on auth.users: a second mail to an unconfirmed address discards the password, the names and the university that were given for it.';

create function private.mailbox_of(address text) returns text
language sql immutable set search_path = '' as $$
  -- The greedy match from the first + leaves the last @, as a quoted local part may have others.
  select regexp_replace(lower(address), '^([^+]+)\+.*(@[^@]*)$', '\1\2')
$$;
comment on function private.mailbox_of is
  'The mailbox that an address leads to: name+tag@host leads to that of name@host. Called by private.claim_mailbox, private.registered_address and the edge functions.';

-- When the address is confirmed, not when somebody signs up with it: an address that is not confirmed may be somebody else's, and
-- must not keep its owner out. Only the owner of the mailbox then learns that it is taken.
create function private.claim_mailbox() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.email is null or new.email_confirmed_at is null then
    delete from private.mailboxes where user_id = new.id;
  else
    insert into private.mailboxes as m (mailbox, user_id) values (private.mailbox_of(new.email), new.id)
    on conflict on constraint mailboxes_pkey do update set mailbox = excluded.mailbox
    where m.mailbox <> excluded.mailbox;
  end if;
  return null;
end
$$;
comment on function private.claim_mailbox is
  'Trigger on auth.users: an address can only be confirmed while no other account has one of the same mailbox.';

create function private.registered_address(address text) returns text
language sql stable security definer set search_path = '' as $$
  select u.email
  from private.mailboxes m
  join auth.users u on u.id = m.user_id
  where m.mailbox = private.mailbox_of(address)
$$;
comment on function private.registered_address is
  'The confirmed address of the same mailbox, which an account has; null when there is none. Called by the edge functions.';

create function private.discard_other_sign_up(address text, password text) returns void
language sql security definer set search_path = '' as $$
  update auth.users
  set encrypted_password = ''
  where email = lower(address)
    and email_confirmed_at is null
    and encrypted_password <> ''
    and case
      when encrypted_password like '$2%' then encrypted_password <> extensions.crypt(password, encrypted_password)
      else true
    end
$$;
comment on function private.discard_other_sign_up is
  'Discards the sign-up of an address that is not confirmed, unless it was made with this password. Called by the edge functions when Auth sends no second mail.';

-- Older versions of Auth pass no address: then that of the session counts.
create function private.custom_access_token(event jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  told text := event #>> '{metadata,ip_address}';
  address inet := case
    when pg_input_is_valid(told, 'inet') then told::inet
    else (select s.ip from auth.sessions s where s.id = (event #>> '{claims,session_id}')::uuid)
  end;
  rejection jsonb;
  refused_until timestamptz;
  confirmed boolean;
begin
  if private.is_blocked(address, (event #>> '{claims,session_id}')::uuid) then
    return jsonb_build_object('error', jsonb_build_object('http_code', 403, 'message', private.block_notice(address)));
  end if;
  -- Every plan has this hook, so the limit of wrong codes holds here where Auth does not tell of those.
  if event ->> 'authentication_method' = 'totp' or event ->> 'authentication_method' like 'mfa/%' then
    refused_until := private.second_factor_refused_until((event ->> 'user_id')::uuid);
    if refused_until is not null then
      return private.second_factor_error(refused_until);
    end if;
    if private.is_raised_by_added_app((event #>> '{claims,session_id}')::uuid) then
      return '{"error": {"http_code": 403, "message": "Give a code of an app that you have set up already, then add this one."}}';
    end if;
  end if;
  rejection := private.enforce_at_sign_in(event, address);
  if rejection ->> 'code' <> 'mfa_required' then
    return jsonb_build_object(
      'error', jsonb_build_object(
        'http_code', case rejection ->> 'code' when 'rate_limited' then 429 else 403 end,
        'message', 'A security policy refuses this sign-in.'
      )
    );
  end if;
  select exists (select from auth.users where id = (event ->> 'user_id')::uuid and email_confirmed_at is not null) into confirmed;
  return jsonb_set(
    event,
    '{claims}',
    (event -> 'claims')
      || jsonb_build_object('email_verified', confirmed)
      || jsonb_strip_nulls(
        jsonb_build_object(
          'exp', private.custom_token_expiry((event ->> 'user_id')::uuid, (event #>> '{claims,exp}')::bigint)
        )
      )
      || case when rejection is null then '{}'::jsonb else '{"mfa_required": true}' end
  );
end
$$;
comment on function private.custom_access_token is
  'Custom access token hook: adds the claim email_verified, and mfa_required where a policy wants a second factor, and lets tokens of some probes expire; refuses tokens to blocked addresses, but for sessions of before, and where a policy does. Called by Auth, as config.toml says.';

create function private.end_sessions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions where user_id = new.id;
  return null;
end
$$;
comment on function private.end_sessions is 'Trigger on auth.users: a ban ends the sessions of the account, also for the time after it.';

create function private.university_crisis_resources(university text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (
      select case when u.crisis_phone is null then '[]'::jsonb
          else jsonb_build_array(jsonb_build_object('name', u.short_name || ' crisis line', 'phone', u.crisis_phone, 'website', null))
        end || u.resources
      from public.universities u
      where u.id = university and (u.crisis_phone is not null or u.resources <> '[]')
    ),
    '[]'
  ) || jsonb_build_array(
    jsonb_build_object(
      'name', 'Emergency services',
      'phone', private.emergency_phone((select u.country from public.universities u where u.id = university)),
      'website', null
    ),
    jsonb_build_object('name', 'Find a helpline in your country', 'phone', null, 'website', 'https://findahelpline.com')
  )
$$;
comment on function private.university_crisis_resources is
  'Help at a university and beyond: array of {name, phone, website}; without a university, or with an unknown one, what is beyond. Called by private.crisis_resources and by the edge functions.';

create function private.crisis_resources(student uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.university_crisis_resources((select university_id from public.profiles where user_id = student))
$$;
comment on function private.crisis_resources is 'Help that is shown with every result: array of {name, phone, website}. Called by private.check_in_view and by the edge functions.';

create trigger create_profile
after insert on auth.users
for each row execute function private.create_profile();

create trigger discard_unconfirmed
before update on auth.users
for each row when (
  old.email_confirmed_at is null
  and new.email_confirmed_at is null
  and (
    (old.confirmation_sent_at <> new.confirmation_sent_at)
    or (new.recovery_sent_at is not null and new.recovery_sent_at is distinct from old.recovery_sent_at)
    or (old.encrypted_password <> '' and new.encrypted_password = '')
  )
)
execute function private.discard_unconfirmed();

create trigger claim_mailbox
after insert on auth.users
for each row when (new.email_confirmed_at is not null)
execute function private.claim_mailbox();

create trigger move_mailbox
after update on auth.users
for each row when (
  new.email is distinct from old.email
  or (new.email_confirmed_at is null) <> (old.email_confirmed_at is null)
)
execute function private.claim_mailbox();

create trigger end_sessions
after update on auth.users
for each row when (new.banned_until > now() and new.banned_until is distinct from old.banned_until)
execute function private.end_sessions();

create trigger touch_updated_at
before update on public.profiles
for each row execute function private.touch_updated_at();

create function private.audit_role() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    perform private.audit(
      'role_revoked', old.university_id, 'user_roles', subject => old.user_id,
      before => jsonb_build_object('role', old.role, 'university_id', old.university_id)
    );
  end if;
  if tg_op <> 'DELETE' then
    perform private.audit(
      'role_granted', new.university_id, 'user_roles', subject => new.user_id,
      after => jsonb_build_object('role', new.role, 'university_id', new.university_id)
    );
  end if;
  return null;
end
$$;
comment on function private.audit_role is 'Trigger: logs roles of staff that are granted, changed or revoked.';

-- Every account gets the student role, so granting it is not logged.
create constraint trigger audit_role_granted
after insert on public.user_roles
deferrable initially deferred
for each row when (new.role <> 'student')
execute function private.audit_role();

create constraint trigger audit_role_changed
after update on public.user_roles
deferrable initially deferred
for each row when (new.role <> 'student' or old.role <> 'student')
execute function private.audit_role();

create constraint trigger audit_role_revoked
after delete on public.user_roles
deferrable initially deferred
for each row when (old.role <> 'student')
execute function private.audit_role();
select private.declare_audit_triggers('public.user_roles', '{audit_role_granted, audit_role_changed, audit_role_revoked}');

create function private.audit_sign_in() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(
    'signed_in',
    private.university_of(new.user_id),
    actor => new.user_id,
    ip => new.ip,
    user_agent => new.user_agent,
    request_id => null
  );
  return null;
end
$$;
comment on function private.audit_sign_in is 'Trigger on auth.sessions: logs sign-ins, with the address that Auth stores.';

create constraint trigger audit_sign_in
after insert on auth.sessions
deferrable initially deferred
for each row execute function private.audit_sign_in();
select private.declare_audit_triggers('auth.sessions', '{audit_sign_in}');
