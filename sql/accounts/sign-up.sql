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
      where (email.host = u.domain or email.host like '%.' || u.domain) and u.archived_at is null
      order by char_length(u.domain) desc
      limit 1
    ),
    (select id from public.universities where id = named and accepts_other_domains and archived_at is null)
  )
$$;
comment on function private.university_for is 'University for an account with this email address that named that university at sign-up. Called by private.create_profile and by the edge functions.';

create function private.is_mail_address(address text) returns boolean
language sql immutable set search_path = '' as $$
  select char_length(address) <= 254
    and address ~ '^[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+([.][A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?[.])+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$'
$$;
comment on function private.is_mail_address is 'Whether a text is an email address in its plain form. Other forms of the same address, such as one with a comment or a dot at its end, would count as another mailbox. Called by constraints, and where addresses are imported.';

-- RFC 3492.
create function private.punycode(label text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  digits constant text := 'abcdefghijklmnopqrstuvwxyz0123456789';
  points constant integer[] := array(select ascii(letter) from regexp_split_to_table(label, '') with ordinality as l (letter, place) order by place);
  basic constant text := regexp_replace(label, '[^\u0001-\u007f]', '', 'g');
  code text := basic || case when basic = '' then '' else '-' end;
  handled integer := char_length(basic);
  point integer := 128;
  bias integer := 72;
  delta bigint := 0;
  next_point integer;
  is_first boolean := true;
  other integer;
  rest bigint;
  base integer;
  threshold integer;
begin
  while handled < cardinality(points) loop
    select min(p) into next_point from unnest(points) as p where p >= point;
    delta := delta + (next_point - point)::bigint * (handled + 1);
    point := next_point;
    foreach other in array points loop
      if other < point then
        delta := delta + 1;
      elsif other = point then
        rest := delta;
        base := 36;
        loop
          threshold := greatest(1, least(26, base - bias));
          exit when rest < threshold;
          code := code || substr(digits, (threshold + (rest - threshold) % (36 - threshold))::integer + 1, 1);
          rest := (rest - threshold) / (36 - threshold);
          base := base + 36;
        end loop;
        code := code || substr(digits, rest::integer + 1, 1);
        -- The bias of what follows.
        delta := case when is_first then delta / 700 else delta / 2 end;
        delta := delta + delta / (handled + 1);
        bias := 0;
        while delta > 455 loop
          delta := delta / 35;
          bias := bias + 36;
        end loop;
        bias := bias + (36 * delta / (delta + 38))::integer;
        delta := 0;
        handled := handled + 1;
        is_first := false;
      end if;
    end loop;
    delta := delta + 1;
    point := point + 1;
  end loop;
  return code;
end
$$;
comment on function private.punycode is 'A label of an internationalized host as it is sent, without xn--. Called by private.plain_mail_address.';

-- What reads alike is not made alike: full-width letters, or marks that nobody sees, are no form in which an address is typed.
create function private.plain_mail_address(address text) returns text
language sql immutable set search_path = '' as $$
  select case when private.is_mail_address(plain) then plain end
  from (
    select split.mailbox || '@' || string_agg(
        case
          when label ~ '^[\u0001-\u007f]*$' then label
          -- No host has longer ones, and the time that punycode takes grows with the square of the length.
          when char_length(label) > 63 then '@'
          when label ~ '^[[:alnum:]\u0300-\u036f\u0900-\u109f-]+$' and normalize(label, NFKC) = label then 'xn--' || private.punycode(label)
          else '@'
        end, '.' order by place
      ) as plain
    from (
      select regexp_replace(btrim(address), '@[^@]*$', '') as mailbox, substring(btrim(address) from '@([^@]*)$') as host
      where char_length(address) <= 1000
    ) as split
    cross join lateral regexp_split_to_table(lower(normalize(split.host, NFC)), '[.。．｡]') with ordinality as l (label, place)
    group by split.mailbox
  ) as p
$$;
comment on function private.plain_mail_address is 'An address as people type it in the form that mail is sent to: an internationalized host as xn--…; null where it is none, which one with such letters before the @ is not to most mail servers. Called where somebody names an address.';

-- Every new account gets a profile and, unless its address is invited to be staff, the student role.
create function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  university text := private.university_for(new.email, new.raw_user_meta_data ->> 'university_id');
begin
  insert into public.profiles (user_id, first_name, last_name, university_id, language)
  values (
    new.id,
    left(coalesce(new.raw_user_meta_data ->> 'first_name', ''), 100),
    left(coalesce(new.raw_user_meta_data ->> 'last_name', ''), 100),
    university,
    substring(new.raw_user_meta_data ->> 'language' from '^[a-z]{2,3}(?:-[A-Z]{2})?$')
  );
  if not private.is_invited(new.email) then
    insert into public.user_roles (user_id, role, university_id) values (new.id, 'student', university);
  elsif new.email_confirmed_at is not null then
    perform private.accept_invitations(new.id, new.email);
  end if;
  return new;
end
$$;
comment on function private.create_profile is 'Trigger on auth.users: creates the profile and grants the student role, or those that the address is invited to; before the address is confirmed an invited account has no role.';

-- Auth keeps the password and the metadata of the first sign-up, whoever signs up with the same address later (internal/api/signup.go
-- of supabase/auth: "do not update the user because we can't be sure of their claimed identity"), and following the link changes
-- neither. So once a second mail is asked for, nothing of what was given before the confirmation is kept: whoever opens the mail
-- chooses the password and the name.
create function private.discard_unconfirmed() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- The language of mails chooses among texts and shows nothing, whoever gave it.
  own constant text[] := array['sub', 'email', 'email_verified', 'phone_verified', 'language'];
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
comment on function private.discard_unconfirmed is 'Trigger on auth.users: a second mail to an unconfirmed address discards the password, the names and the university that were given for it.';

-- Each by the index that Auth itself has on the column.
create function private.mail_link(token text, link_type text) returns table (name text, color text)
language sql stable security definer set search_path = '' as $$
  with account as (
    select u.id from auth.users u
    where link_type in ('signup', 'invite') and u.confirmation_token = token and u.confirmation_token !~ '^[0-9 ]*$'
    union
    select u.id from auth.users u
    where link_type in ('recovery', 'magiclink') and u.recovery_token = token and u.recovery_token !~ '^[0-9 ]*$'
    union
    select u.id from auth.users u
    where link_type = 'email_change' and u.email_change_token_new = token and u.email_change_token_new !~ '^[0-9 ]*$'
    union
    select u.id from auth.users u
    where link_type = 'email_change' and u.email_change_token_current = token and u.email_change_token_current !~ '^[0-9 ]*$'
  )
  select n.short_name, n.primary_color
  from account a
  left join public.profiles p on p.user_id = a.id
  left join public.universities n on n.id = p.university_id
$$;
comment on function private.mail_link is 'The university, with its colour, of the account that a link in a mail of Auth was sent to, both null without one; no row where no account has that link. Called by the edge functions.';

create function private.mailbox_of(address text) returns text
language sql immutable set search_path = '' as $$
  -- The greedy match from the first + leaves the last @, as a quoted local part may have others.
  select regexp_replace(lower(address), '^([^+]+)\+.*(@[^@]*)$', '\1\2')
$$;
comment on function private.mailbox_of is 'The mailbox that an address leads to: name+tag@host leads to that of name@host. Called by private.claim_mailbox, private.registered_address and the edge functions.';

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
comment on function private.claim_mailbox is 'Trigger on auth.users: an address can only be confirmed while no other account has one of the same mailbox.';

create function private.registered_address(address text) returns text
language sql stable security definer set search_path = '' as $$
  select u.email
  from private.mailboxes m
  join auth.users u on u.id = m.user_id
  where m.mailbox = private.mailbox_of(address)
$$;
comment on function private.registered_address is 'The confirmed address of the same mailbox, which an account has; null when there is none. Called by the edge functions.';

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
comment on function private.discard_other_sign_up is 'Discards the sign-up of an address that is not confirmed, unless it was made with this password. Called by the edge functions when Auth sends no second mail.';

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
    event, '{claims}',
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
comment on function private.custom_access_token is 'Custom access token hook: adds the claim email_verified, and mfa_required where a security policy wants a second factor, and lets tokens of some probes expire; refuses tokens to blocked addresses, but for sessions of before, and where a security policy does. Called by Auth, as config.toml says.';

create function private.end_sessions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions where user_id = new.id;
  return null;
end
$$;
comment on function private.end_sessions is 'Trigger on auth.users: a ban ends the sessions of the account, also for the time after it.';

create trigger create_profile after insert on auth.users for each row execute function private.create_profile();

create trigger discard_unconfirmed
before update on auth.users
for each row when (
  old.email_confirmed_at is null
  and new.email_confirmed_at is null
  and (
    (old.confirmation_sent_at <> new.confirmation_sent_at)
    -- Two mails of one moment.
    or (old.confirmation_token <> '' and new.confirmation_token <> '' and old.confirmation_token <> new.confirmation_token)
    or (new.recovery_sent_at is not null and new.recovery_sent_at is distinct from old.recovery_sent_at)
    or (old.encrypted_password <> '' and new.encrypted_password = '')
  )
)
execute function private.discard_unconfirmed();

create trigger claim_mailbox after insert on auth.users
for each row when (new.email_confirmed_at is not null) execute function private.claim_mailbox();

create trigger move_mailbox after update on auth.users
for each row when (new.email is distinct from old.email or (new.email_confirmed_at is null) <> (old.email_confirmed_at is null))
execute function private.claim_mailbox();

create trigger end_sessions after update on auth.users
for each row when (new.banned_until > now() and new.banned_until is distinct from old.banned_until)
execute function private.end_sessions();

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

create constraint trigger audit_sign_in after insert on auth.sessions deferrable initially deferred
for each row execute function private.audit_sign_in();
select private.declare_audit_triggers('auth.sessions', '{audit_sign_in}');
