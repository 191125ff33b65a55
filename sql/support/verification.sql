create table public.buddy_verification_audit (
  id uuid not null default gen_random_uuid() constraint buddy_verification_audit_pkey primary key,
  buddy_contact_id uuid,
  user_id uuid not null constraint buddy_verification_audit_user_id_fkey references auth.users (id) on delete cascade,
  event_type text not null,
  ip_address inet,
  user_agent text constraint buddy_verification_audit_user_agent_length check (char_length(user_agent) <= 500),
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  constraint buddy_verification_audit_event_type_known check (
    event_type in (
      'verification_sent', 'verification_resent', 'verification_accepted', 'verification_declined', 'verification_expired'
    )
  ),
  constraint buddy_verification_audit_metadata_size check (jsonb_typeof(metadata) = 'object' and pg_column_size(metadata) <= 8192)
);
select private.describe('public.buddy_verification_audit',
  'What became of each verification, as proof of what a contact agreed to.', $$
  id: The entry.
  buddy_contact_id: The contact; null once it is deleted.
  user_id: The student.
  event_type: verification_sent, verification_resent, verification_accepted, verification_declined or verification_expired.
  ip_address: Address that the student sent it from; null for what the contact did, which is in private.buddy_verification_origins.
  user_agent: Browser or app of the student who sent it; null as the address is.
  metadata: Of an acceptance: the wording agreed to, its version, the method and the last digits of the number; of a contact who declined: the reason, if one was given. Example: {"method": "page", "number_ends_in": "0100", "time_zone": "Europe/London", "texts_at_night": false}
  created_at: When it happened.
$$);
alter table public.buddy_verification_audit alter column user_id set statistics 0;
create index buddy_verification_audit_user_id_idx on public.buddy_verification_audit (user_id, created_at desc);
create index buddy_verification_audit_buddy_contact_id_idx on public.buddy_verification_audit (buddy_contact_id);

select private.declare_data('public.buddy_verification_audit',
  '{id, buddy_contact_id, user_id, event_type, metadata, created_at}',
  'Proof of what a contact agreed to, as mobile operators ask for it.', 'support_contact', 'activity', 't.user_id = $1',
  term => 'support_history');
select private.declare_data('public.buddy_verification_audit', '{ip_address, user_agent}', 'From where the student asked.', 'student',
  'activity', 't.user_id = $1', term => 'support_history');
-- The proof of what somebody agreed to lasts as long as they are a contact.
select private.declare_purge('support_history', 'public.buddy_verification_audit', 'd.buddy_contact_id is null and d.created_at < $1');
select private.declare_audited('public.buddy_verification_audit', 'id', 'by_hand');

-- Apart from what the student reads: it is proof for the operator, and would tell a student where somebody is.
create table private.buddy_verification_origins (
  entry_id uuid not null constraint buddy_verification_origins_pkey primary key,
  ip_address inet,
  user_agent text constraint buddy_verification_origins_user_agent_length check (char_length(user_agent) <= 500),
  constraint buddy_verification_origins_entry_id_fkey foreign key (entry_id)
    references public.buddy_verification_audit (id) on delete cascade
);
select private.describe('private.buddy_verification_origins',
  'From where a contact decided, as proof of what they agreed to; goes with its entry of public.buddy_verification_audit.', $$
  entry_id: The entry.
  ip_address: Address that the decision came from.
  user_agent: Browser that it came from.
$$);

select private.declare_data('private.buddy_verification_origins', '{entry_id, ip_address, user_agent}', 'Proof of who agreed.',
  'support_contact', 'activity', 't.entry_id in (select a.id from public.buddy_verification_audit a where a.user_id = $1)',
  term => 'support_history', withheld => 'It is the contact''s own.');
select private.declare_audited('private.buddy_verification_origins', 'entry_id', 'by_hand');

create function private.keep_proof() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_erasing(old.user_id) then
    return old;
  end if;
  raise exception 'This proves what a contact agreed to, and stays as long as the contact.' using errcode = 'insufficient_privilege';
end
$$;
comment on function private.keep_proof is 'Trigger: the proof of what somebody agreed to lasts as long as they are a contact.';

create trigger keep_proof before delete on public.buddy_verification_audit
for each row when (old.buddy_contact_id is not null) execute function private.keep_proof();

create trigger require_answer before insert on public.buddy_verification_audit
for each row when (new.event_type = 'verification_accepted')
execute function private.require_answer('Only what a contact answered is proof of it.', 'The page of their link stores it.');

create trigger require_answer_changed before update on public.buddy_verification_audit
for each row when (
  (new.id, new.user_id, new.event_type, new.ip_address, new.user_agent, new.metadata, new.created_at)
    is distinct from (old.id, old.user_id, old.event_type, old.ip_address, old.user_agent, old.metadata, old.created_at)
)
execute function private.require_answer('Only what a contact answered is proof of it.', 'The page of their link stores it.');

create table private.buddy_verification_sends (
  id uuid not null default gen_random_uuid() constraint buddy_verification_sends_pkey primary key,
  user_id uuid not null constraint buddy_verification_sends_user_id_fkey references auth.users (id) on delete cascade,
  mailbox_hash text not null constraint buddy_verification_sends_mailbox_hash_form check (mailbox_hash ~ '^[0-9a-f]{64}$'),
  number_hash text constraint buddy_verification_sends_number_hash_form check (number_hash ~ '^[0-9a-f]{64}$'),
  sent_at timestamptz not null default now(),
  reset_at timestamptz
);
select private.describe('private.buddy_verification_sends',
  'Each verification email, by student and address, so that deleting a contact and adding it again lifts no limit.', $$
  id: The email.
  user_id: The student.
  mailbox_hash: SHA-256 of the mailbox that the address leads to, under the project's own key.
  number_hash: private.hash_of_number of the number that the contact had then.
  sent_at: When it was queued.
  reset_at: Since when it no longer counts to the emails in all, because an operator gave the student new ones; null while it counts.
$$);
create index buddy_verification_sends_user_id_idx on private.buddy_verification_sends (user_id, mailbox_hash, sent_at desc);
create index buddy_verification_sends_mailbox_hash_idx on private.buddy_verification_sends (mailbox_hash, sent_at desc);
create index buddy_verification_sends_number_hash_idx on private.buddy_verification_sends (number_hash, sent_at desc);

select private.declare_data('private.buddy_verification_sends', '{id, user_id, sent_at, reset_at}',
  'To limit how often an address is written to.', 'support_contact', 'activity', 't.user_id = $1', term => 'support_history');
select private.declare_data('private.buddy_verification_sends', '{mailbox_hash, number_hash}', 'To know the address again.',
  'support_contact', 'activity', 't.user_id = $1', term => 'support_history', withheld => 'It is the contact''s own.');
select private.declare_purge('support_history', 'private.buddy_verification_sends', 'd.sent_at < $1');
select private.declare_audited('private.buddy_verification_sends', 'id', 'by_hand');

create table private.buddy_refusals (
  user_id uuid not null constraint buddy_refusals_user_id_fkey references auth.users (id) on delete cascade,
  address_hash text not null constraint buddy_refusals_address_hash_form check (address_hash ~ '^[0-9a-f]{64}$'),
  refused_at timestamptz not null default now(),
  constraint buddy_refusals_pkey primary key (user_id, address_hash)
);
select private.describe('private.buddy_refusals',
  'Who declined or withdrew, by student, so that they are not asked again when the contact is deleted and added again.', $$
  user_id: The student.
  address_hash: private.hash_of_number of the mailbox and, of somebody who had agreed, of the number.
  refused_at: When they declined or withdrew.
$$);

select private.declare_data('private.buddy_refusals', '{user_id, refused_at}', 'Not to ask again who has declined.',
  'support_contact', 'choices', 't.user_id = $1', term => 'support_history');
select private.declare_data('private.buddy_refusals', '{address_hash}', 'To know their address again.', 'support_contact', 'choices',
  't.user_id = $1', term => 'support_history', withheld => 'It is the contact''s own.');
select private.declare_purge('support_history', 'private.buddy_refusals', 'd.refused_at < $1');
select private.declare_audited('private.buddy_refusals', 'user_id', 'by_hand');

create function private.mailbox_hash(address text) returns text
language sql stable set search_path = '' as $$
  select private.hash_of_number(
    case
      -- Google reads no dots: https://support.google.com/mail/answer/7436150
      when mailbox ~ '@(gmail|googlemail)[.]com$' then replace(split_part(mailbox, '@', 1), '.', '') || '@gmail.com'
      else mailbox
    end
  )
  from (select private.mailbox_of(address) as mailbox) as m
$$;
comment on function private.mailbox_hash is 'Hash of the mailbox that an address leads to, whatever its tag and, at Google, its dots, under the project''s own key. Called where an address must be known again after its contact is gone.';

-- Locks the account first, as its deletion does, then the student's contacts, then the contact.
create function private.lock_contact(contact uuid) returns public.buddy_contacts
language plpgsql set search_path = '' as $$
declare
  locked public.buddy_contacts;
  student uuid := (select c.user_id from public.buddy_contacts c where c.id = contact);
begin
  perform from auth.users u where u.id = student for key share;
  perform private.lock_contacts_of(student);
  select * into locked from public.buddy_contacts c where c.id = contact for update;
  return locked;
end
$$;
comment on function private.lock_contact is 'Locks a contact and returns it as it is then; null when there is none. Called by the functions that decide about contacts.';

create function private.student_in_message(student uuid, language text) returns text
language sql stable set search_path = '' as $$
  select private.name_in_message(
    (select p.first_name || ' ' || p.last_name from public.profiles p where p.user_id = student),
    private.words_of(language, 'student.whole')
  )
$$;
comment on function private.student_in_message is 'The whole name of a student, for somebody who has yet to agree and must know who asks. Called by private.verification_email, private.queue_first_text and private.read_verification.';

create function private.verification_email(asked public.buddy_contacts, token text)
returns table (subject text, body text)
language sql stable set search_path = '' as $$
  select private.filled(private.words_of(l.language, 'mail.subject'), n.given), private.filled(private.words_of(l.language, 'mail.body'), n.given)
  from (select private.language_of_contact(asked) as language) l
  cross join lateral (
    select private.name_in_message(regexp_replace(u.name, '[(][^)]*[)]', ' ', 'g'), private.words_of(l.language, 'university'), 60) as university
    from (select asked.user_id as student) s
    left join public.profiles p on p.user_id = s.student
    left join public.universities u on u.id = p.university_id
  ) u
  cross join lateral (
    select jsonb_build_object(
        'contact', private.name_in_message(asked.name, private.words_of(l.language, 'contact')),
        'student', private.student_in_message(asked.user_id, l.language),
        'of_university', coalesce(
          private.filled(private.words_of(l.language, 'mail.of_university'), jsonb_build_object('university', u.university)), ''
        ),
        'days', (select round(extract(epoch from s.link_valid) / 86400) from private.support_settings s),
        'link', private.pages_url() || '/api/buddy/verify?token=' || token
      ) as given
  ) n
$$;
comment on function private.verification_email is 'The email that asks a contact whether they agree; its link alone decides nothing. Called by private.send_verification.';

create function private.send_verification(
  student uuid, contact uuid, checked_phone text, ip inet, agent text, at timestamptz, zones text[] default null
)
returns table (outcome text, retry_after_s integer)
language plpgsql set search_path = '' as $$
declare
  asked public.buddy_contacts := private.lock_contact(contact);
  settings private.support_settings;
  mailbox text := private.mailbox_hash(asked.email);
  number text := private.hash_of_number(asked.phone);
  token text := private.new_link_token();
  sent record;
  by_all record;
begin
  select * into strict settings from private.support_settings;
  -- Students who ask the same mailbox, or about the same number, at once are counted one after the other.
  perform pg_advisory_xact_lock(551, hashtext(mailbox)), pg_advisory_xact_lock(552, hashtext(number));
  select
    count(*) filter (where s.mailbox_hash = mailbox) as to_mailbox,
    count(*) filter (where s.mailbox_hash = mailbox and s.reset_at is null) as counted,
    max(s.sent_at) filter (where s.mailbox_hash = mailbox) as last_to_mailbox,
    count(*) filter (where s.sent_at > at - interval '1 day') as today,
    min(s.sent_at) filter (where s.sent_at > at - interval '1 day') as first_today
  into sent
  from private.buddy_verification_sends s
  where s.user_id = student;
  select
    count(*) filter (where s.mailbox_hash = mailbox and s.sent_at > at - interval '1 day') as today,
    min(s.sent_at) filter (where s.mailbox_hash = mailbox and s.sent_at > at - interval '1 day') as first_today,
    count(distinct s.user_id) filter (where s.mailbox_hash = mailbox and s.user_id <> student) as others_of_mailbox,
    count(distinct s.user_id) filter (where s.number_hash = number and s.user_id <> student) as others_of_number
  into by_all
  from private.buddy_verification_sends s
  where (s.mailbox_hash = mailbox or s.number_hash = number) and s.sent_at > at - greatest(settings.naming_period, interval '1 day');

  outcome := case
    when asked.user_id is distinct from student then 'not_found'
    when asked.phone <> checked_phone then 'changed'
    when not private.has_consent(student, 'support_circle') then 'no_consent'
    when asked.verified then 'verified'
    when not asked.is_active then 'unavailable'
    when not private.texts_go_to(asked.phone) then 'country'
    when asked.email is null then 'no_email'
    -- One outcome for all of these: what others did with a mailbox or number is not told.
    when private.is_refused(asked.email)
      or greatest(by_all.others_of_mailbox, by_all.others_of_number) >= settings.students_to_address then 'unavailable'
    when exists (
      select from private.buddy_refusals r
      where r.user_id = student and r.address_hash in (mailbox, private.hash_of_number(asked.phone))
    ) then 'unavailable'
    when sent.counted >= settings.max_verifications then 'exhausted'
    when sent.last_to_mailbox > at - settings.verification_pause or sent.today >= settings.daily_verifications
      or by_all.today >= settings.daily_verifications_to_mailbox then 'too_soon'
    when sent.to_mailbox = 0 then 'sent'
    else 'resent'
  end;
  if outcome = 'too_soon' then
    retry_after_s := ceil(extract(epoch from greatest(
      sent.last_to_mailbox + settings.verification_pause,
      case when sent.today >= settings.daily_verifications then sent.first_today + interval '1 day' end,
      case when by_all.today >= settings.daily_verifications_to_mailbox then by_all.first_today + interval '1 day' end
    -- What was sent meanwhile by a request that began later.
    ) - greatest(at, sent.last_to_mailbox)));
  end if;
  if outcome in ('sent', 'resent') then
    -- An unknown zone is an error here rather than in every text that asks for the contact's time.
    perform at at time zone zone from unnest(zones) as zone;
    perform private.cancel_messages_to(contact);
    update public.buddy_contacts
    set verification_token = private.link_token_hash(token), verification_token_expires_at = at + settings.link_valid,
      number_time_zones = zones
    where id = contact;
    insert into private.buddy_verification_sends (user_id, mailbox_hash, number_hash, sent_at) values (student, mailbox, number, at);
    insert into private.outbox (channel, purpose, user_id, contact_id, recipient, subject, body)
    select 'email', 'buddy_verification', student, contact, asked.email, e.subject, e.body
    from private.verification_email(asked, token) e;
    perform private.audit_verification(asked, 'verification_' || outcome, ip, agent, '{}', at);
  end if;
  return next;
end
$$;
comment on function private.send_verification is 'Emails a contact the link to decide: sent, resent, or why not (not_found, changed, no_consent, verified, unavailable, country, no_email, exhausted, too_soon). "checked_phone" is the number that was found valid, "zones" the time zones of its country. Called by the edge functions.';

create function private.audit_verification(
  asked public.buddy_contacts, event text, ip inet, agent text, details jsonb, at timestamptz
) returns void
language sql set search_path = '' as $$
  with entry as (
    insert into public.buddy_verification_audit (buddy_contact_id, user_id, event_type, ip_address, user_agent, metadata, created_at)
    select asked.id, asked.user_id, event, case when by_student then ip end, case when by_student then left(agent, 500) end,
      jsonb_strip_nulls(details), at
    from (select event in ('verification_sent', 'verification_resent') as by_student) e
    returning id, event_type
  )
  insert into private.buddy_verification_origins (entry_id, ip_address, user_agent)
  select id, ip, left(agent, 500) from entry where event_type in ('verification_accepted', 'verification_declined')
$$;
comment on function private.audit_verification is 'Stores what became of a verification. Called by the functions that send and decide it.';

-- Without the consent a link leads nowhere, however the consent ended.
create function private.contact_of_token(token_hash text) returns uuid
language sql stable set search_path = '' as $$
  select c.id
  from public.buddy_contacts c
  where c.verification_token = token_hash and private.has_consent(c.user_id, 'support_circle')
$$;
comment on function private.contact_of_token is 'The contact whom the link of a verification leads to; null when it leads nowhere. Called by private.read_verification and private.decide_verification.';

create function private.verification_state(asked public.buddy_contacts, at timestamptz) returns text
language sql immutable set search_path = '' as $$
  select case
      when asked.id is null then 'unknown'
      when at >= asked.verification_token_expires_at then 'expired'
      when asked.verified or asked.declined_at is not null then 'decided'
      else 'open'
    end
$$;
comment on function private.verification_state is 'State of a link that leads to this contact: open, decided, expired or unknown. Called by private.read_verification and private.decide_verification.';

create function private.audit_expiry(asked public.buddy_contacts, at timestamptz) returns void
language sql set search_path = '' as $$
  select private.audit_verification(asked, 'verification_expired', null, null, '{}', at)
  where not asked.verified
    and asked.declined_at is null
    and not exists (
      select from public.buddy_verification_audit a
      where a.buddy_contact_id = asked.id
        and a.event_type = 'verification_expired'
        and a.created_at >= asked.verification_token_expires_at
    )
$$;
comment on function private.audit_expiry is 'Stores, once a link, that it expired before a decision. Called by private.read_verification and private.decide_verification, which lock the contact.';

-- Not the student's own, which would tell a contact who has yet to agree where they are.
create function private.time_zone_of_university(student uuid) returns text
language sql stable set search_path = '' as $$
  select u.time_zone from public.profiles p join public.universities u on u.id = p.university_id where p.user_id = student
$$;
comment on function private.time_zone_of_university is 'The time zone of a student''s university; null without one. Called by private.read_verification.';

create function private.read_verification(token_hash text, at timestamptz) returns jsonb
language plpgsql set search_path = '' as $$
declare
  contact uuid := private.contact_of_token(token_hash);
  asked public.buddy_contacts;
  state text;
begin
  select * into asked from public.buddy_contacts c where c.id = contact;
  state := private.verification_state(asked, at);
  if state = 'expired' then
    asked := private.lock_contact(contact);
    perform private.audit_expiry(asked, at) where asked.verification_token = token_hash;
  end if;
  return jsonb_build_object('state', state, 'resources', private.crisis_resources(asked.user_id))
    || case
      when asked.id is null then '{}'
      else jsonb_build_object(
        'contact_name', private.name_in_message(asked.name, private.words_of(private.language_of_contact(asked), 'contact')),
        'student_name', private.student_in_message(asked.user_id, private.language_of_contact(asked)),
        'number_confirmed', asked.phone_confirmed_at is not null,
        'language', private.language_of_contact(asked),
        'number_time_zones', coalesce(asked.number_time_zones, '{}'),
        'student_time_zone', private.time_zone_of_university(asked.user_id)
      )
    end
    || case
      when asked.verified is not true and asked.declined_at is null then '{}'
      else jsonb_build_object('decision', case when asked.verified then 'accepted' else 'declined' end)
    end;
end
$$;
comment on function private.read_verification is 'What the page of a link shows: {state: open, expired, decided or unknown, contact_name, student_name, number_confirmed, language, number_time_zones, student_time_zone (the university''s), decision: accepted or declined, resources}. Changes nothing, except that the first look at an expired link is in the audit. Called by the edge functions.';

create function private.refuse_contact(asked public.buddy_contacts, at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.buddy_refusals (user_id, address_hash, refused_at)
  select asked.user_id, address_hash, at
  from (
    values (private.mailbox_hash(asked.email)), (case when asked.verified then private.hash_of_number(asked.phone) end)
  ) as refused (address_hash)
  where address_hash is not null
  on conflict do nothing;
  update public.buddy_contacts
  set declined_at = at, is_active = false, verified = false
  where id = asked.id;
end
$$;
comment on function private.refuse_contact is 'Ends a contact who declined or withdrew; the number counts only of somebody who had agreed with it. Called by private.decide_verification and private.withdraw_contact, which lock the contact.';

create function private.decide_verification(
  token_hash text, accepted boolean, reason text, unknown_person boolean, time_zone text, texts_at_night boolean, wording jsonb,
  ip inet, agent text, method text, at timestamptz, chosen_language text default null
) returns text
language plpgsql set search_path = '' as $$
declare
  asked public.buddy_contacts := private.lock_contact(private.contact_of_token(token_hash));
  state text;
begin
  -- Another link may have been sent before the contact was locked.
  if asked.verification_token is distinct from token_hash then
    return 'unknown';
  end if;
  state := private.verification_state(asked, at);
  if state = 'expired' then
    perform private.audit_expiry(asked, at);
  end if;
  if state <> 'open' then
    return state;
  end if;

  if not accepted then
    perform private.refuse_contact(asked, at);
    -- The mailbox alone, which is what the link shows to be theirs: somebody else's number may stand beside it.
    if unknown_person then
      insert into private.refused_mailboxes (mailbox_hash, refused_at)
      values (private.mailbox_hash(asked.email), at)
      on conflict do nothing;
    end if;
    perform private.audit_verification(
      asked, 'verification_declined', ip, agent,
      jsonb_build_object('method', method, 'reason', nullif(btrim(left(reason, 500)), '')), at
    );
    return 'declined';
  end if;

  -- An unknown zone is an error here rather than in every text that asks for the contact's time.
  perform at at time zone decide_verification.time_zone;
  perform private.hear_answer();
  update public.buddy_contacts
  set verified = true, verified_at = at, time_zone = decide_verification.time_zone,
    texts_at_night = coalesce(decide_verification.texts_at_night, false), language = coalesce(chosen_language, asked.language)
  where id = asked.id
  returning * into asked;
  perform private.audit_verification(
    asked, 'verification_accepted', ip, agent,
    jsonb_build_object(
      'method', method,
      'wording', wording,
      'number_ends_in', right(asked.phone, 4),
      'number_confirmed', false,
      'time_zone', decide_verification.time_zone,
      'texts_at_night', coalesce(decide_verification.texts_at_night, false)
    ),
    at
  );
  perform private.ask_number(asked, at);
  return 'accepted';
end
$$;
comment on function private.decide_verification is 'Decides a verification, once a link: accepted, declined, expired, decided or unknown. Who accepts agrees by email; their number is then asked itself. "unknown_person": who declines does not know who asks, which counts for all students. "wording" is what was agreed to: {version, text}. Called by the edge functions.';

create function private.withdraw_contact(contact uuid, heard_by text, at timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  asked public.buddy_contacts := private.lock_contact(contact);
begin
  if asked.id is null or asked.declined_at is not null then
    return;
  end if;
  perform private.refuse_contact(asked, at);
  perform private.audit_verification(
    asked, 'verification_declined', null, null, jsonb_build_object('method', heard_by, 'withdrawn', asked.verified), at
  );
end
$$;
comment on function private.withdraw_contact is 'Ends a contact who stops on a page, as if they had declined; nothing more goes to them. Called by the edge functions.';

-- The pause between two emails and the limits of all students together stay, and so does the answer of whoever declined.
create function private.reset_verifications(contact uuid, reason text) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  asked public.buddy_contacts;
  emails integer;
begin
  perform private.require_security_admin();
  if char_length(btrim(reason)) between 3 and 500 is not true then
    perform private.refuse(400, 'invalid_value', 'Say in 3 to 500 characters why this contact may be asked again.');
  end if;
  select * into asked from public.buddy_contacts c where c.id = contact;
  if asked.id is null then
    perform private.refuse(404, 'buddy_not_found', 'There is no such contact.');
  end if;
  update private.buddy_verification_sends s
  set reset_at = now()
  where s.user_id = asked.user_id and s.mailbox_hash = private.mailbox_hash(asked.email) and s.reset_at is null;
  get diagnostics emails = row_count;
  perform private.audit_at_end(
    'settings_changed', target_type => 'buddy_verification_sends', target_id => asked.id::text,
    details => jsonb_build_object('reason', btrim(reason), 'emails', emails), subject => asked.user_id
  );
  return emails;
end
$$;
comment on function private.reset_verifications is 'Implementation of public.reset_buddy_verifications, which calls it.';

create function public.reset_buddy_verifications(contact_id uuid, reason text) returns integer
language sql set search_path = ''
begin atomic select private.reset_verifications(contact_id, reason); end;
comment on function public.reset_buddy_verifications is 'Lets a student ask a contact by email again whose emails are used up; the audit log has the reason. Returns how many emails no longer count. Called by security administrators; an error for others.';
