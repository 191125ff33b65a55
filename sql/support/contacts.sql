create table private.support_settings (
  only_row boolean not null default true constraint support_settings_pkey primary key,
  link_valid interval not null default '7 days',
  verification_pause interval not null default '1 hour',
  max_verifications smallint not null default 3,
  daily_verifications smallint not null default 10,
  max_contacts smallint not null default 50,
  request_pause interval not null default '24 hours',
  naming_period interval not null default '30 days',
  students_to_address smallint not null default 15,
  daily_verifications_to_mailbox smallint not null default 10,
  daily_requests_to_number smallint not null default 6,
  daily_answers_to_number smallint not null default 10,
  agreement_wait interval not null default '24 hours',
  first_text_pause interval not null default '30 days',
  max_first_texts smallint not null default 3,
  daily_text_cost numeric(10, 2) not null default 100,
  daily_alert_text_cost numeric(10, 2) not null default 50,
  daily_first_text_cost numeric(10, 2) not null default 25,
  alert_pause interval not null default '72 hours',
  pattern_days smallint not null default 3,
  pattern_window_days smallint not null default 7,
  response_time interval not null default '6 hours',
  contacts_at_once smallint not null default 2,
  alert_valid interval not null default '48 hours',
  standstill_after interval not null default '5 minutes',
  longest_student_pause interval not null default '14 days',
  day_begins time not null default '08:00',
  day_ends time not null default '21:00',
  operator_email text constraint support_settings_operator_email_form check (operator_email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  constraint support_settings_only_row check (only_row),
  constraint support_settings_positive check (
    link_valid > interval '0' and verification_pause > interval '0' and max_verifications > 0
    and daily_verifications > 0 and max_contacts >= 5
    and request_pause > interval '0' and alert_pause > interval '0' and response_time > interval '0'
    and contacts_at_once > 0 and alert_valid > response_time and longest_student_pause > interval '0'
    and standstill_after > interval '0'
    and naming_period > interval '0' and students_to_address > 0 and daily_verifications_to_mailbox > 0
    and daily_requests_to_number > 0 and daily_answers_to_number > 0 and agreement_wait > interval '0'
    and first_text_pause > interval '0' and max_first_texts > 0 and daily_text_cost > 0 and daily_alert_text_cost > 0
    and daily_first_text_cost > 0
  ),
  constraint support_settings_pattern check (
    pattern_days >= 1 and pattern_days <= pattern_window_days and pattern_window_days <= 30
  ),
  constraint support_settings_day check (day_begins < day_ends)
);
select private.describe('private.support_settings',
  'Settings of the support circle that an operator can change without a deployment. Exactly one row. Intervals and numbers are above 0.', $$
  only_row: Always true: there is one row.
  link_valid: How long a link to a contact is valid: the verification's and those of requests and alerts.
  verification_pause: Shortest time between two verification emails of a student to one address.
  max_verifications: Verification emails of a student to one address in all, also after the contact was deleted.
  daily_verifications: Verification emails of a student within 24 hours, to whomever.
  max_contacts: Contacts that a student may keep, inactive ones included, at least 5.
  request_pause: Shortest time between two requests of a student to one number.
  naming_period: Within how long students are counted who name one mailbox or number.
  students_to_address: Students who may ask one mailbox, or about one number, within naming_period.
  daily_verifications_to_mailbox: Verification emails to one mailbox within 24 hours, of all students.
  daily_requests_to_number: Requests of all students to one number within 24 hours.
  daily_answers_to_number: Texts of a number within 24 hours that are answered; a stop takes effect without an answer too.
  agreement_wait: How long the text of a request waits for the number to agree.
  first_text_pause: Shortest time between two first texts to one number, for whichever student; so long its code is valid.
  max_first_texts: First texts to a number that does not agree, in all.
  daily_text_cost: What the texts of a day (UTC) may cost, US dollars, first texts and those of alerts apart; further ones wait for the next day.
  daily_alert_text_cost: What the alert texts of a day are expected to cost; an incident opens at half, and they are sent whatever they cost.
  daily_first_text_cost: Daily limit for first texts, kept apart because any student can cause them: they never use up what requests need.
  alert_pause: Shortest time between the openings of two alerts about a student.
  pattern_days: Worrying days within the window that open an alert, from 1 to pattern_window_days.
  pattern_window_days: Length of the window, days, today included, 30 at most.
  response_time: How long the contacts of a step have to respond after the first of their texts was sent.
  contacts_at_once: Contacts who are told in one step of an alert.
  alert_valid: When an alert ends at the latest, after response_time.
  standstill_after: How late something may be before private.find_standstills raises it.
  longest_student_pause: How far ahead a student may pause alerts.
  day_begins: From when texts may arrive, in the contact's time zone, before day_ends.
  day_ends: Until when texts may arrive, in the contact's time zone.
  operator_email: Who is told of alerts that stand still; null: only the log says so.
$$);

insert into private.support_settings default values;

select private.declare_term('support_history', '3 years', 'Alerts, requests, links, verifications: from when each began.',
  shortest => '30 days');
select private.declare_term('declined_contacts', '30 days', 'Contacts who declined, with phone and email: from their answer.',
  shortest => '1 day');
select private.declare_data('private.support_settings', '{operator_email}', 'To notify the operator of alerts that stand still.',
  'staff', 'contact_details', erasure => 'keep', reason => 'The operator''s own address, changed by the operator.');
select private.declare_data('private.support_settings',
   '{only_row, link_valid, verification_pause, max_verifications, daily_verifications, max_contacts, request_pause, naming_period,
    students_to_address, daily_verifications_to_mailbox, daily_requests_to_number, daily_answers_to_number, agreement_wait,
    first_text_pause, max_first_texts, daily_text_cost, daily_alert_text_cost, daily_first_text_cost, alert_pause, pattern_days,
    pattern_window_days, response_time, contacts_at_once, alert_valid, standstill_after, longest_student_pause, day_begins,
    day_ends}', 'Settings of the support circle.');
select private.declare_audited('private.support_settings', 'only_row');

create function private.served_language(tag text) returns text
language sql immutable set search_path = '' as $$
  select case when split_part(tag, '-', 1) in ('en', 'de', 'es', 'fr', 'ar') then split_part(tag, '-', 1) else 'en' end
$$;
comment on function private.served_language is 'The language that contacts are written to in, of those that there are words of: that of a BCP 47 tag, else English. Called wherever a contact''s language counts.';

create table public.buddy_contacts (
  id uuid not null default gen_random_uuid() constraint buddy_contacts_pkey primary key,
  user_id uuid not null default auth.uid() constraint buddy_contacts_user_id_fkey references auth.users (id) on delete cascade,
  name text not null constraint buddy_contacts_name_length check (char_length(name) between 1 and 255),
  phone text not null constraint buddy_contacts_phone_form check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  email text,
  relationship text constraint buddy_contacts_relationship_length check (char_length(relationship) <= 100),
  notify_channel text not null default 'sms' constraint buddy_contacts_notify_channel_known check (notify_channel = 'sms'),
  is_active boolean not null default true,
  priority_rank smallint constraint buddy_contacts_rank_range check (priority_rank between 1 and 5),
  verified boolean not null default false,
  verification_token text constraint buddy_contacts_token_form check (verification_token ~ '^[0-9a-f]{64}$'),
  verification_token_expires_at timestamptz,
  verified_at timestamptz,
  declined_at timestamptz,
  phone_confirmed_at timestamptz,
  phone_confirmed_by text constraint buddy_contacts_phone_confirmed_by_known check (phone_confirmed_by in ('code', 'reply')),
  time_zone text,
  language text constraint buddy_contacts_language_served check (language in ('en', 'de', 'es', 'fr', 'ar')),
  number_time_zones text[],
  texts_at_night boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint buddy_contacts_email_form check (private.is_mail_address(email)),
  constraint buddy_contacts_rank_while_active check (is_active = (priority_rank is not null)),
  -- Five ranks, each held once, are also what keeps the active contacts to five. Checked at the end of the transaction, so that
  -- whoever holds a rank that another one gets can give way first.
  constraint buddy_contacts_rank_once unique (user_id, priority_rank) deferrable initially deferred,
  constraint buddy_contacts_token_expires check ((verification_token is null) = (verification_token_expires_at is null)),
  constraint buddy_contacts_verified check (
    not verified or (verified_at is not null and email is not null and declined_at is null)
  ),
  constraint buddy_contacts_declined_inactive check (declined_at is null or not is_active),
  constraint buddy_contacts_phone_confirmed_by_somebody check ((phone_confirmed_at is null) = (phone_confirmed_by is null))
);
select private.describe('public.buddy_contacts',
  'The people whom a student names, at most five of them active. Who agreed by email gets one text, which asks the number; nothing else is texted before the number agrees.', $$
  id: The contact.
  user_id: The student.
  name: Name, as the student writes it.
  phone: Phone number, E.164.
  email: Email address that the verification goes to.
  relationship: What they are to the student, such as friend.
  notify_channel: How the contact is reached: sms.
  is_active: Whether the contact may be reached; only active contacts count to the five.
  priority_rank: Order in which contacts are told, 1 first; null while inactive. Whoever held a rank that another one gets moves to the lowest free one. public.reorder_buddies changes all at once.
  verified: Whether the contact agreed by email, with the number and address that the row has now.
  verification_token: SHA-256 of the token of the newest verification email, hexadecimal; null when there is none that can be used.
  verification_token_expires_at: When that token expires.
  verified_at: When the contact agreed.
  declined_at: When the contact declined, or withdrew later.
  phone_confirmed_at: When the number itself agreed; until then it gets no text but the first one.
  phone_confirmed_by: How it agreed: reply (YES to the first text), or code (of the first text, on a page of this mailbox: the contact's own, or before as another student's contact, which is not told apart).
  time_zone: Time zone that the contact chose, an IANA name.
  language: Language that the contact chose: en, de, es, fr or ar; null for the student's, or the university's.
  number_time_zones: Time zones of the number's country, IANA names, known since the contact was asked. Of a contact who named none, texts wait until it is day in all of them.
  texts_at_night: Whether the contact allows texts at night.
  created_at: When the row was created.
  updated_at: When the row was last changed.
$$);
alter table public.buddy_contacts
  alter column user_id set statistics 0,
  alter column phone set statistics 0,
  alter column email set statistics 0;
create unique index buddy_contacts_verification_token_idx on public.buddy_contacts (verification_token);
create unique index buddy_contacts_active_phone_idx on public.buddy_contacts (user_id, phone) where is_active;
create index buddy_contacts_user_id_idx on public.buddy_contacts (user_id);
create index buddy_contacts_phone_idx on public.buddy_contacts (phone);
create index buddy_contacts_declined_at_idx on public.buddy_contacts (declined_at) where declined_at is not null;

select private.declare_data('public.buddy_contacts',
  '{name, phone, email, relationship, time_zone, language, number_time_zones, texts_at_night}',
  'To ask the people whom the student named to check on them.', 'support_contact', 'contact_details', 't.user_id = $1',
  term => 'declined_contacts');
select private.declare_data('public.buddy_contacts',
   '{id, user_id, notify_channel, is_active, priority_rank, verified, verification_token_expires_at,
    verified_at, declined_at, phone_confirmed_at, phone_confirmed_by, created_at, updated_at}',
  'Whom the student named, in which order, and what they agreed to.', 'student', 'choices', 't.user_id = $1',
  term => 'declined_contacts');
select private.declare_data('public.buddy_contacts', '{verification_token}', 'The link by which a contact agrees.', 'student',
  'choices', 't.user_id = $1', term => 'declined_contacts', withheld => 'It would let somebody answer for the contact.');
select private.declare_purge('declined_contacts', 'public.buddy_contacts', 'd.declined_at < $1');
select private.declare_audited('public.buddy_contacts', 'id', 'by_hand');

create table public.support_preferences (
  user_id uuid not null default auth.uid() constraint support_preferences_pkey primary key,
  alerts_paused_until timestamptz,
  pass_on_all_right boolean not null default true,
  constraint support_preferences_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
select private.describe('public.support_preferences',
  'What a student chose for the alerts about them; the defaults hold without a row.', $$
  user_id: The student.
  alerts_paused_until: Until when no alert is opened; at most 14 days ahead when it is set.
  pass_on_all_right: Whether "I am all right" is passed on, in one text, to the contacts who were told of the alert.
$$);
alter table public.support_preferences alter column user_id set statistics 0;

select private.declare_data('public.support_preferences', '{user_id, alerts_paused_until, pass_on_all_right}',
  'What the student chose for alerts about them.', 'student', 'choices', 't.user_id = $1');
select private.declare_audited('public.support_preferences', 'user_id', 'by_hand');

-- A name is what a stranger wrote, and goes out under our name to people who did not ask: letters of any script with their marks,
-- spaces, hyphens, apostrophes, and full stops that no host's name can have. Words that hold a link or a host go as a whole, so that
-- nothing of them is left to call or to type. An ideographic full stop (。) is a dot in a host's name; that between initials is none.
create function private.name_in_message(name text, otherwise text, longest integer default 30) returns text
language sql immutable set search_path = '' as $$
  select case when short ~ '[[:alpha:]]' then short else otherwise end
  from (
    select regexp_replace(
        normalize(name, NFKC),
        '[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u2060-\u206f\u2800\ufe00-\ufe0f\ufeff\ufff0-\uffff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+',
        ' ', 'g'
      ) as visible
  ) as v
  cross join lateral (
    select regexp_replace(visible, '([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{2})[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+', '\1', 'g') as flat
  ) as f
  cross join lateral (
    select regexp_replace(flat, '\m([[:alpha:]])[.](?=[[:alpha:]]([.]|[^[:alnum:]]|$))', '\1. ', 'g') as spaced
  ) as i
  cross join lateral (
    select regexp_replace(spaced, '(https?:|www\.|//)[^[:space:]]*|[^[:space:]]*[[:alnum:]][.。][[:alnum:]][^[:space:]]*', ' ', 'gi') as linkless
  ) as l
  cross join (
    values ('[:alpha:]\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u06ed\u0711-\u109f\u135d-\u135f\u1712-\u17dd\u1885-\u1a7f\u1ab0-\u1abd\u1abf-\u1dff\u20d0-\u20dc\u302a-\u302f\u3099\u309a\ua66f\ua674-\ua67d\ua6f0-\uabed\ufe20-\ufe2f')
  ) as m (letters)
  cross join lateral (
    select regexp_replace(linkless, format('[[:digit:]]|[^%s .''’-]', m.letters), ' ', 'g') as lettered
  ) as t
  cross join lateral (
    select regexp_replace(
        lettered, format('(?<![%1$s])[.]|[.](?! |$)|(?<![%1$s])[''’-](?![[:alpha:]])', m.letters), ' ', 'g'
      ) as pointed
  ) as p
  cross join lateral (
    select btrim(left(btrim(regexp_replace(pointed, ' +', ' ', 'g')), longest), ' -''’') as short
  ) as s
$$;
comment on function private.name_in_message is 'A name as messages and pages show it: letters and the few signs that names have, without digits and links, as many characters as "longest" at most; "otherwise" when no letter is left. Called wherever a message or a page shows a name.';

create function private.pages_url() returns text
language sql stable security definer set search_path = '' as $$
  select rtrim(coalesce(max(decrypted_secret) filter (where name = 'pages_url'), max(decrypted_secret) filter (where name = 'functions_url')), '/')
  from vault.decrypted_secrets
  where name in ('pages_url', 'functions_url')
$$;
comment on function private.pages_url is 'Where people see the pages: the address that links in messages begin with; null until Vault has it. Called wherever a contact is sent a link.';

-- A link's token: 64 hexadecimal characters, 244 random bits. Only its hash is stored, but in the message that carries it.
create function private.new_link_token() returns text
language sql volatile set search_path = '' as $$
  select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$$;
comment on function private.new_link_token is 'A new token of a link in an email: 64 characters. Called by private.send_verification.';

-- What a text has room for: 128 random bits in 22 characters of base64url, the last of which is a letter, so that no phone leaves it out
-- of the link.
create function private.new_short_token() returns text
language sql volatile set search_path = '' as $$
  select left(
    translate(encode(substr(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 1, 16), 'base64'), '+/', '-_'), 22
  )
$$;
comment on function private.new_short_token is 'A new token of a link in a text: 22 characters. Called by private.ask_contact.';

create function private.link_token_hash(token text) returns text
language sql immutable set search_path = '' as $$
  select encode(sha256(convert_to(token, 'UTF8')), 'hex')
$$;
comment on function private.link_token_hash is 'What is stored of a link''s token: its SHA-256, hexadecimal. Called where a link is made, and by the edge functions where one is opened.';

create function private.hash_of_number(number text) returns text
language sql stable security definer set search_path = '' as $$
  select encode(sha256(convert_to(decrypted_secret || ':' || number, 'UTF8')), 'hex')
  from vault.decrypted_secrets
  where name = 'number_hash_key'
$$;
comment on function private.hash_of_number is 'SHA-256 of a phone number (E.164) under the project''s own key in Vault, so that stored hashes cannot be tried out. Called where a number must be known again after its contact is gone.';

alter table private.outbox
  add constraint outbox_contact_id_fkey foreign key (contact_id) references public.buddy_contacts (id) on delete cascade;

-- An error of a rule: PostgREST takes the status from the SQLSTATE (PTnnn), and /api/database the documented code from the hint.
create function private.lock_contacts_of(student uuid) returns void
language sql set search_path = '' as $$
  select pg_advisory_xact_lock(54, hashtext(student::text))
$$;
comment on function private.lock_contacts_of is 'Lets one transaction at a time give ranks to a student''s contacts or send their verifications. Called before a contact is locked.';

create function private.lock_own_contacts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null then
    perform private.lock_contacts_of(auth.uid());
  end if;
  return null;
end
$$;
comment on function private.lock_own_contacts is 'Trigger: of a student''s parallel calls each sees the ranks that the others took. The constraint on the ranks alone holds for the service''s own changes.';

-- What a student types is read here, whichever way it comes: a form, a function or a table. Of what operators and the service write,
-- what can be read is, and the table's own constraints refuse the rest.
create function private.read_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new constant boolean := tg_op = 'INSERT';
  by_student constant boolean := auth.uid() is not null;
  home text;
  read record;
begin
  -- Row-level security refuses this next; until then, nothing may be learned of another student.
  if new.user_id <> auth.uid() then
    return new;
  end if;
  if is_new or new.name is distinct from old.name then
    new.name := btrim(regexp_replace(normalize(new.name, NFC), '\s+', ' ', 'g'));
    if by_student and char_length(new.name) between 1 and 255 is not true then
      perform private.refuse(400, 'buddy_name_invalid', 'A name has 1 to 255 characters.');
    end if;
  end if;
  if is_new or new.phone is distinct from old.phone then
    select u.country into home
    from public.profiles p
    join public.universities u on u.id = p.university_id
    where p.user_id = new.user_id;
    select r.number, r.kind into read from private.read_number(new.phone, home) r;
    if by_student and read.kind = 'landline' then
      perform private.refuse(400, 'buddy_phone_landline', 'This is the number of a landline, which no text reaches. Add one of a mobile phone.');
    elsif read.kind = 'mobile' then
      new.phone := read.number;
    elsif by_student and private.digits_of_number(new.phone) ~ '^[+][1-9][0-9]{6,14}$' and not private.texts_go_to(private.digits_of_number(new.phone)) then
      perform private.refuse(400, 'buddy_country_unsupported', 'Texts do not go to the country of this number.');
    elsif by_student then
      perform private.refuse(
        400, 'buddy_phone_invalid',
        'This is not the number of a mobile phone. Write one of another country with + and its calling code, as in +49 151 23456789.'
      );
    end if;
    if by_student and exists (select from auth.users u where u.id = new.user_id and '+' || ltrim(u.phone, '+') = new.phone) then
      perform private.refuse(400, 'buddy_self', 'This is your own number. Name somebody else.');
    end if;
  end if;
  if (is_new or new.email is distinct from old.email) and new.email is not null then
    new.email := nullif(btrim(new.email), '');
    if by_student and new.email is not null and private.plain_mail_address(new.email) is null then
      perform private.refuse(
        400, 'buddy_email_invalid',
        case
          when new.email ~ '[^\u0001-\u007f].*@' then 'No mail can be sent to an address with letters such as ü before the @. Add another one.'
          else 'This is not an email address.'
        end
      );
    end if;
    new.email := coalesce(private.plain_mail_address(new.email), new.email);
    if by_student and exists (
      select from auth.users u where u.id = new.user_id and u.email <> '' and private.mailbox_hash(u.email) = private.mailbox_hash(new.email)
    ) then
      perform private.refuse(400, 'buddy_self', 'This is your own address. Name somebody else.');
    end if;
  end if;
  if not by_student then
    return new;
  end if;
  if char_length(new.relationship) > 100 then
    perform private.refuse(400, 'invalid_value', 'What somebody is to you has up to 100 characters.');
  elsif new.notify_channel is distinct from 'sms' then
    perform private.refuse(400, 'invalid_value', 'Contacts are reached by sms.');
  elsif new.priority_rank not between 1 and 5 then
    perform private.refuse(400, 'invalid_value', 'A rank is a number from 1 to 5.');
  end if;
  return new;
end
$$;
comment on function private.read_contact is 'Trigger: a contact is stored as people mean it: the number as E.164, by the country of the student''s university, the address in its plain form; what cannot be read, or is the student''s own, is refused with its code.';

create function private.guard_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  activated boolean := new.is_active and (tg_op = 'INSERT' or not old.is_active);
begin
  -- Row-level security refuses this next; until then, nothing may be learned of another student.
  if new.user_id <> auth.uid() then
    return new;
  end if;
  if (tg_op = 'INSERT' or new.phone <> old.phone) and not private.texts_go_to(new.phone) then
    perform private.refuse(400, 'buddy_country_unsupported', 'Texts do not go to the country of this number.');
  end if;
  if activated then
    if not private.has_feature(new.user_id, 'support_circle') then
      perform private.refuse(403, 'feature_disabled', 'Your university does not offer this.');
    end if;
    if not private.has_consent(new.user_id, 'support_circle') then
      perform private.refuse(403, 'consent_required', 'Agree to the support circle first: consent support_circle.');
    end if;
    if new.declined_at is not null then
      perform private.refuse(409, 'buddy_unavailable', 'This person declined, and cannot be asked again.');
    end if;
    if new.priority_rank is null then
      select min(rank) into new.priority_rank
      from generate_series(1, 5) as rank
      where not exists (select from public.buddy_contacts c where c.user_id = new.user_id and c.priority_rank = rank);
    end if;
    if new.priority_rank is null then
      perform private.refuse(409, 'buddy_limit', 'A support circle has at most five active people. Deactivate one first.');
    end if;
  end if;
  if not new.is_active then
    new.priority_rank := null;
  elsif auth.uid() is not null and new.priority_rank is null then
    perform private.refuse(400, 'invalid_value', 'Each active contact has a rank, from 1 to 5.');
  end if;
  -- The index refuses it to everybody, in the words of Postgres.
  if auth.uid() is not null and new.is_active and exists (
    select from public.buddy_contacts c
    where c.user_id = new.user_id and c.is_active and c.phone = new.phone and c.id <> new.id
  ) then
    perform private.refuse(409, 'buddy_duplicate', 'Somebody in your circle has this number already.');
  end if;
  if tg_op = 'INSERT' then
    perform private.refuse(409, 'buddy_limit', format('At most %s people are kept. Delete some first.', s.max_contacts))
    from private.support_settings s
    where (select count(*) from public.buddy_contacts c where c.user_id = new.user_id) >= s.max_contacts;
    return new;
  end if;

  if (new.phone, new.email) is distinct from (old.phone, old.email) then
    new.verified := false;
    new.verified_at := null;
    new.phone_confirmed_at := null;
    new.phone_confirmed_by := null;
    new.time_zone := null;
    new.language := null;
    new.number_time_zones := null;
    new.texts_at_night := false;
    new.verification_token := null;
    new.verification_token_expires_at := null;
  end if;
  -- Somebody who declined can still read what they decided.
  if old.is_active and not new.is_active and new.declined_at is null then
    new.verification_token := null;
    new.verification_token_expires_at := null;
  end if;
  return new;
end
$$;
comment on function private.guard_contact is 'Trigger: an active contact needs the student''s consent and gets the lowest free rank; who declined stays inactive; a change of phone or email needs a new verification, and a number is of a country that texts go to.';

create function private.give_way() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  holder record;
  free smallint;
begin
  if exists (
    select from changed n where n.priority_rank is not null group by n.user_id, n.priority_rank having count(*) > 1
  ) then
    perform private.refuse(400, 'invalid_value', 'Each rank is given once.');
  end if;
  for holder in
    select c.id, c.user_id
    from public.buddy_contacts c
    where (c.user_id, c.priority_rank) in (select n.user_id, n.priority_rank from changed n)
      and c.id not in (select n.id from changed n)
    order by c.user_id, c.priority_rank
  loop
    select min(rank) into free
    from generate_series(1, 5) as rank
    where not exists (select from public.buddy_contacts c where c.user_id = holder.user_id and c.priority_rank = rank);
    if free is null then
      perform private.refuse(409, 'buddy_limit', 'A support circle has at most five active people. Deactivate one first.');
    end if;
    update public.buddy_contacts c set priority_rank = free where c.id = holder.id;
  end loop;
  return null;
end
$$;
comment on function private.give_way is 'Trigger: who holds the rank that another contact was given moves to the lowest free one.';

-- The functions that hear a contact or a number run as the role with which an operator types into a table, and say so before they store it.
create function private.hear_answer() returns void
language sql set search_path = '' as $$
  select set_config('private.answer_heard', 'on', true)
$$;
comment on function private.hear_answer is 'Lets what a contact, or the owner of a number or mailbox, has answered be stored in this transaction. Called by the functions that heard it.';

create function private.require_answer() returns trigger
language plpgsql set search_path = '' as $$
begin
  if coalesce(current_setting('private.answer_heard', true), '') <> 'on' then
    raise exception '%', tg_argv[0] using errcode = 'insufficient_privilege', hint = tg_argv[1];
  end if;
  return coalesce(new, old);
end
$$;
comment on function private.require_answer is 'Trigger: what somebody without an account agreed to, or refused, is stored by the functions that heard them, and never typed. Its arguments are the message and a hint.';

create function private.keep_student_of_contact() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'A contact agreed for one student, and is not passed to another.' using errcode = 'insufficient_privilege';
end
$$;
comment on function private.keep_student_of_contact is 'Trigger: a contact stays that of its student.';

create function private.check_time_zones() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_time_zones(new.number_time_zones || new.time_zone);
  return new;
end
$$;
comment on function private.check_time_zones is 'Trigger: whoever asks when it is day at a contact''s can rely on the names of their time zones.';

create function private.cancel_all_to(contact uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.cancel_messages_to(contact);
  update private.buddy_links l
  set expires_at = now()
  from public.buddy_check_in_requests r
  where r.id = l.request_id and r.buddy_contact_id = contact and l.expires_at > now();
end
$$;
comment on function private.cancel_all_to is 'Cancels what is queued to a contact and ends their links, answered ones too: the row may become another person''s. Called when a contact may no longer be reached as before.';

create function private.cancel_all_to_changed_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.cancel_all_to(old.id);
  return coalesce(new, old);
end
$$;
comment on function private.cancel_all_to_changed_contact is 'Trigger: nothing more goes to a contact who was deactivated, declined, got another number or address, or is deleted.';

create function private.reorder_contacts(contact_ids uuid[]) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare
  student uuid := (select private.current_account());
begin
  if exists (
    select from unnest(contact_ids) as named
    where not exists (select from public.buddy_contacts c where c.id = named and c.user_id = student)
  ) then
    perform private.refuse(404, 'buddy_not_found', 'There is no such person in your support circle.');
  end if;
  -- In this order, as the deletion of the account takes them.
  perform from auth.users u where u.id = student for key share;
  perform private.lock_contacts_of(student);
  if (select array_agg(id order by id) from unnest(contact_ids) as id)
    is distinct from (select array_agg(c.id order by c.id) from public.buddy_contacts c where c.user_id = student and c.is_active)
  then
    perform private.refuse(400, 'invalid_value', 'Name each of your active contacts once, in the new order.');
  end if;
  update public.buddy_contacts c
  set priority_rank = o.place
  from unnest(contact_ids) with ordinality as o (id, place)
  where c.id = o.id and c.user_id = student and c.is_active;
  return contact_ids;
end
$$;
comment on function private.reorder_contacts is 'Implementation of public.reorder_buddies, which calls it.';

create function public.reorder_buddies(contact_ids uuid[]) returns uuid[]
language sql set search_path = ''
begin atomic select private.reorder_contacts(contact_ids); end;
comment on function public.reorder_buddies is 'Ranks the caller''s active contacts in the order given, which names each of them once. Called by students after drag-and-drop.';

create function private.add_contact(
  name text, phone text, email text, relationship text, priority_rank integer
) returns public.buddy_contacts
language sql security definer set search_path = '' as $$
  insert into public.buddy_contacts (user_id, name, phone, email, relationship, priority_rank)
  values (
    (select private.current_account()), add_contact.name, add_contact.phone, add_contact.email, add_contact.relationship,
    -- What is no rank is refused as one.
    case when add_contact.priority_rank between -32768 and 32767 then add_contact.priority_rank::smallint
      when add_contact.priority_rank is not null then 0::smallint end
  )
  returning *
$$;
comment on function private.add_contact is 'Implementation of public.add_buddy, which calls it.';

create function public.add_buddy(
  name text, phone text, email text default null, relationship text default null, priority_rank integer default null
) returns public.buddy_contacts
language sql set search_path = ''
begin atomic select * from private.add_contact(name, phone, email, relationship, priority_rank); end;
comment on function public.add_buddy is 'Names a contact: the number and the address as people write them. Returns the row. Called by students.';

create function private.change_contact(
  contact uuid, name text, phone text, email text, relationship text, is_active boolean, priority_rank integer
) returns public.buddy_contacts
language plpgsql security definer set search_path = '' as $$
declare
  changed public.buddy_contacts;
begin
  update public.buddy_contacts c
  set
    name = coalesce(change_contact.name, c.name),
    phone = coalesce(change_contact.phone, c.phone),
    email = case when change_contact.email is null then c.email else nullif(btrim(change_contact.email), '') end,
    relationship = case when change_contact.relationship is null then c.relationship else nullif(btrim(change_contact.relationship), '') end,
    is_active = coalesce(change_contact.is_active, c.is_active),
    priority_rank = case
        when change_contact.priority_rank is null then c.priority_rank
        when change_contact.priority_rank between -32768 and 32767 then change_contact.priority_rank::smallint
        else 0::smallint
      end
  where c.id = contact and c.user_id = (select private.current_account())
  returning c.* into changed;
  if changed.id is null then
    perform private.refuse(404, 'buddy_not_found', 'There is no such person in your support circle.');
  end if;
  return changed;
end
$$;
comment on function private.change_contact is 'Implementation of public.update_buddy, which calls it.';

create function public.update_buddy(
  contact_id uuid, name text default null, phone text default null, email text default null, relationship text default null,
  is_active boolean default null, priority_rank integer default null
) returns public.buddy_contacts
language sql set search_path = ''
begin atomic
  select * from private.change_contact(contact_id, name, phone, email, relationship, is_active, priority_rank);
end;
comment on function public.update_buddy is 'Changes what is given of a contact; an empty text removes the address or the relationship. Returns the row. Called by students.';

create function private.guard_pause() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.refuse(
    400, 'invalid_value', format('Alerts can be paused for %s days at most.', round(extract(epoch from s.longest_student_pause) / 86400))
  )
  from private.support_settings s
  where new.alerts_paused_until > now() + s.longest_student_pause;
  return new;
end
$$;
comment on function private.guard_pause is 'Trigger: alerts are paused for as long as private.support_settings allows.';

create function private.end_support_circle() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Alert, contacts, texts: the order in which answers, alerts and senders lock them.
  perform from public.support_alerts a where a.user_id = new.user_id and a.status = 'open' for update;
  perform private.lock_contacts_of(new.user_id);
  update public.buddy_contacts
  set verification_token = null, verification_token_expires_at = null
  where user_id = new.user_id and verification_token is not null;
  perform private.cancel_all_to(c.id) from public.buddy_contacts c where c.user_id = new.user_id;
  perform private.end_alert(a.id, 'resolved', now())
  from public.support_alerts a
  where a.user_id = new.user_id and a.status = 'open';
  return null;
end
$$;
comment on function private.end_support_circle is 'Trigger: with the consent ends what is under way: queued messages, links, verifications and an alert. Contacts stay as they are, for a new consent.';

create trigger lock_own_contacts
before insert or update of is_active, priority_rank, phone on public.buddy_contacts
for each statement execute function private.lock_own_contacts();

create trigger give_way_to_added after insert on public.buddy_contacts
referencing new table as changed
for each statement execute function private.give_way();

create trigger give_way_to_changed after update on public.buddy_contacts
referencing new table as changed
for each statement execute function private.give_way();

create trigger check_time_zones
before insert or update of time_zone, number_time_zones on public.buddy_contacts
for each row execute function private.check_time_zones();

-- By their names, which is the order in which Postgres fires them: read, then guarded.
create trigger a_read_contact
before insert or update on public.buddy_contacts
for each row execute function private.read_contact();

create trigger guard_contact
before insert or update on public.buddy_contacts
for each row execute function private.guard_contact();

create trigger keep_student_of_contact
before update on public.buddy_contacts
for each row when (new.user_id <> old.user_id) execute function private.keep_student_of_contact();

create trigger require_answer
before insert on public.buddy_contacts
for each row when (new.verified or new.phone_confirmed_at is not null)
execute function private.require_answer('Only the contact agrees, by the link in their email and a text from their number.', 'The student sends that email.');

create trigger require_answer_changed
before update on public.buddy_contacts
for each row when (
  new.verified and not old.verified
  or new.phone_confirmed_at is not null and new.phone_confirmed_at is distinct from old.phone_confirmed_at
  or old.declined_at is not null and new.declined_at is null
)
execute function private.require_answer('Only the contact agrees, by the link in their email and a text from their number.', 'The student sends that email.');

create trigger touch_updated_at
before update on public.buddy_contacts
for each row execute function private.touch_updated_at();

create trigger cancel_all_to_changed_contact
after update on public.buddy_contacts
for each row when (old.is_active and not new.is_active or (old.phone, old.email) is distinct from (new.phone, new.email))
execute function private.cancel_all_to_changed_contact();

create function private.broadcast_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object(
      'contact_id', new.id, 'name', new.name, 'verified', new.verified, 'phone_confirmed', new.phone_confirmed_at is not null,
      'declined_at', new.declined_at
    ),
    'support_contact', 'support:' || new.user_id, true
  );
  return null;
end
$$;
comment on function private.broadcast_contact is 'Trigger: the student learns at once what a contact, or their number, decided.';

create trigger broadcast_contact
after update on public.buddy_contacts
for each row when (
  (old.verified, old.declined_at, old.phone_confirmed_at) is distinct from (new.verified, new.declined_at, new.phone_confirmed_at)
)
execute function private.broadcast_contact();

create trigger cancel_all_to_deleted_contact
before delete on public.buddy_contacts
for each row execute function private.cancel_all_to_changed_contact();

create trigger guard_pause
before insert or update of alerts_paused_until on public.support_preferences
for each row execute function private.guard_pause();

create trigger end_support_circle
after update on public.consents
for each row when (new.kind = 'support_circle' and old.withdrawn_at is null and new.withdrawn_at is not null and not new.renewed)
execute function private.end_support_circle();

-- In place of foreign keys, along which a request to the Data API could embed contacts and their requests in one another without end.
create function private.detach_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.buddy_verification_audit set buddy_contact_id = null where buddy_contact_id = old.id;
  update public.buddy_check_in_requests set buddy_contact_id = null where buddy_contact_id = old.id;
  return null;
end
$$;
comment on function private.detach_contact is 'Trigger: what is kept of a contact who is deleted names no contact any more.';

create trigger detach_contact
after delete on public.buddy_contacts
for each row execute function private.detach_contact();

select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'number_hash_key')
where not exists (select from vault.secrets where name = 'number_hash_key');
