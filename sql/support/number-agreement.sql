-- A contact agrees by email, which shows that they read a mailbox, not that the
-- number is theirs: the number agrees itself.

create table private.first_texts (
  number_hash text not null constraint first_texts_pkey primary key,
  contact_id uuid constraint first_texts_contact_id_fkey references public.buddy_contacts (id) on delete set null,
  message_id uuid,
  code_hash text not null constraint first_texts_code_hash_form check (code_hash ~ '^[0-9a-f]{64}$'),
  texts smallint not null default 1 constraint first_texts_texts_not_negative check (texts >= 0),
  queued_at timestamptz not null,
  constraint first_texts_number_hash_form check (number_hash ~ '^[0-9a-f]{64}$')
);
select private.describe('private.first_texts',
  'The last text that asked a number whether it agrees, for whichever student: a number has one row, so that it is asked rarely.', $$
  number_hash: private.hash_of_number of the number.
  contact_id: The contact that it was about, whom a YES confirms; null once it is deleted.
  message_id: The text, in the outbox.
  code_hash: private.hash_of_number of the number and the code, which the text alone has.
  texts: First texts since the number last agreed.
  queued_at: When it was queued; so long ago that another may follow in an hour, where it was cancelled before it was sent.
$$);
create index first_texts_contact_id_idx on private.first_texts (contact_id) where contact_id is not null;
create index first_texts_message_id_idx on private.first_texts (message_id);
create index first_texts_queued_at_idx on private.first_texts (queued_at);

select private.declare_data('private.first_texts', '{number_hash, contact_id, message_id, code_hash, texts, queued_at}',
  'To ask a number rarely whether it agrees, for whichever student.', 'support_contact', 'activity', erasure => 'keep',
  reason => 'What is known of a number that was asked, as a hash; it leads to no account once the contact is gone, and ends with its term.',
  term => 'support_history');
select private.declare_purge('support_history', 'private.first_texts', 'd.queued_at < $1');
select private.declare_audited('private.first_texts', null, 'by_hand');

-- By student, not by contact or code: a contact can be named anew and a code made anew, and who guesses must not use up the tries of
-- somebody who has the text.
create table private.code_tries (
  number_hash text not null constraint code_tries_number_hash_form check (number_hash ~ '^[0-9a-f]{64}$'),
  user_id uuid not null constraint code_tries_user_id_fkey references auth.users (id) on delete cascade,
  tries smallint not null constraint code_tries_tries_range check (tries between 1 and 5),
  tried_at timestamptz not null,
  constraint code_tries_pkey primary key (number_hash, user_id)
);
select private.describe('private.code_tries',
  'Wrong codes that were given for a number on the pages of a student''s contacts.', $$
  number_hash: private.hash_of_number of the number.
  user_id: The student.
  tries: Wrong codes since the first within first_text_pause; five at most.
  tried_at: When the first of them was given.
$$);
alter table private.code_tries alter column user_id set statistics 0; -- see public.user_roles
create index code_tries_user_id_idx on private.code_tries (user_id);
create index code_tries_tried_at_idx on private.code_tries (tried_at);

select private.declare_data('private.code_tries', '{number_hash, user_id, tries, tried_at}',
  'To let nobody guess the code of a number.', 'student', 'credentials', 't.user_id = $1', term => 'support_history');
select private.declare_purge('support_history', 'private.code_tries', 'd.tried_at < $1');
select private.declare_audited('private.code_tries', null, 'by_hand');

create table private.refused_mailboxes (
  mailbox_hash text not null constraint refused_mailboxes_pkey primary key,
  refused_at timestamptz not null default now(),
  constraint refused_mailboxes_mailbox_hash_form check (mailbox_hash ~ '^[0-9a-f]{64}$')
);
select private.describe('private.refused_mailboxes',
  'Mailboxes of people who said that they do not know who asked: no student''s verification email goes to them. Of numbers, private.text_opt_outs says the same.', $$
  mailbox_hash: private.mailbox_hash of the address.
  refused_at: When they said so.
$$);

select private.declare_data('private.refused_mailboxes', '{mailbox_hash, refused_at}',
  'Never to write to somebody again who does not know who asked.', 'support_contact', 'choices', erasure => 'keep',
  reason => 'The choice of whoever reads the mailbox, for all students; a hash under the project''s own key, which leads to no account. Kept until they ask for the opposite.');
select private.declare_audited('private.refused_mailboxes', null, 'by_hand');

create trigger require_answer before update or delete on private.refused_mailboxes
for each row execute function private.require_answer(
  'Whoever reads this mailbox refused; only they lift that.', 'When they ask for it: select private.lift_refusal(''<their address>'').'
);

create trigger refuse_emptying before truncate on private.refused_mailboxes
for each statement execute function private.refuse_emptying();

create function private.is_refused(address text) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from private.refused_mailboxes r where r.mailbox_hash = private.mailbox_hash(address))
$$;
comment on function private.is_refused is 'Whether no student may have an email sent to an address. Called before a verification is queued or sent.';

create function private.lift_refusal(address text) returns boolean
language plpgsql set search_path = '' as $$
declare
  hash constant text := private.mailbox_hash(address);
begin
  perform private.hear_answer();
  delete from private.refused_mailboxes r where r.mailbox_hash = hash;
  if not found then
    return false;
  end if;
  perform private.audit_at_end('settings_changed', target_type => 'refused_mailboxes', target_id => hash);
  return true;
end
$$;
comment on function private.lift_refusal is 'Lets students ask at an address again whose owner said that they do not know who asked; false when they did not. The change is in the audit log. Called by an operator, when that person asks for it.';

-- In place of a lock on the number: of two students' contacts at once, one gets the row. Words of a student are in the name alone.
create function private.queue_first_text(contact uuid, at timestamptz) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  asked public.buddy_contacts;
  code constant text := lpad((('x' || left(gen_random_uuid()::text, 8))::bit(32)::bigint % 1000000)::text, 6, '0');
  message constant uuid := gen_random_uuid();
  settings private.support_settings;
begin
  select * into asked from public.buddy_contacts c where c.id = contact;
  if asked.phone_confirmed_at is not null or not private.may_ask(contact, asked.phone) then
    return null;
  end if;
  select * into strict settings from private.support_settings;
  insert into private.first_texts as f (number_hash, contact_id, message_id, code_hash, queued_at)
  values (private.hash_of_number(asked.phone), contact, message, private.hash_of_number(asked.phone || ' ' || code), at)
  on conflict on constraint first_texts_pkey do update
  set contact_id = excluded.contact_id, message_id = excluded.message_id, code_hash = excluded.code_hash, texts = f.texts + 1,
    queued_at = at
  where f.queued_at <= at - settings.first_text_pause and f.texts < settings.max_first_texts;
  if not found then
    return null;
  end if;
  insert into private.outbox (id, channel, purpose, user_id, contact_id, recipient, body, send_at)
  values (
    message, 'sms', 'buddy_first_text', asked.user_id, contact, asked.phone,
    private.compose_text(
      private.language_of_contact(asked), 'first',
      jsonb_build_object('student', private.student_in_message(asked.user_id, private.language_of_contact(asked)), 'contact', '', 'code', code)
    ),
    private.next_text_time(contact, at)
  );
  return message;
end
$$;
comment on function private.queue_first_text is 'Asks the number of a contact who agreed by email, in a text of fixed words, whether it agrees; null when it has, may not be asked, or was asked lately for whichever student. Called when a contact agrees, and when the student asks for a check-in.';

create function private.take_back_first_text() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.first_texts f
  set queued_at = now() - s.first_text_pause + interval '1 hour', contact_id = null, texts = greatest(f.texts - 1, 0)
  from private.support_settings s
  where f.message_id = new.id;
  return null;
end
$$;
comment on function private.take_back_first_text is 'Trigger: a first text that was cancelled before it was sent does not count, but for an hour.';

create trigger take_back_first_text
after update of status on private.outbox
for each row when (new.purpose = 'buddy_first_text' and new.status = 'cancelled' and old.status <> 'cancelled')
execute function private.take_back_first_text();

create function private.confirm_number(contact uuid, confirmed_by text, at timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  number text;
begin
  perform private.hear_answer();
  update public.buddy_contacts c
  set phone_confirmed_at = at, phone_confirmed_by = confirmed_by
  where c.id = contact
  returning c.phone into number;
  update private.first_texts f
  set texts = 0
  where f.number_hash = private.hash_of_number(number);
  update public.buddy_verification_audit a
  set metadata = a.metadata || jsonb_build_object('number_confirmed', true, 'number_confirmed_at', at, 'number_confirmed_by', confirmed_by)
  where a.id = (
    select d.id from public.buddy_verification_audit d
    where d.buddy_contact_id = contact and d.event_type = 'verification_accepted'
    order by d.created_at desc
    limit 1
  );
  -- What the student asked for meanwhile.
  update private.outbox o
  set send_at = private.next_text_time(contact, at)
  where o.contact_id = contact and o.status = 'queued' and o.purpose = 'buddy_check_in';
end
$$;
comment on function private.confirm_number is 'Stores that the number of a contact agreed, and how, beside the proof that the contact did; texts that waited for it are sent. Called where it agrees; the caller has locked the contact.';

-- Only a code, typed on the page of a mailbox, shows that mailbox and number are one person's; a YES shows nothing of the mailbox.
create function private.ask_number(asked public.buddy_contacts, at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  if exists (
    select
    from public.buddy_contacts c
    where c.phone = asked.phone and c.id <> asked.id and c.verified and c.is_active and c.phone_confirmed_by = 'code'
      and private.mailbox_hash(c.email) = private.mailbox_hash(asked.email)
  ) then
    perform private.confirm_number(asked.id, 'code', at);
  else
    perform private.queue_first_text(asked.id, at);
  end if;
end
$$;
comment on function private.ask_number is 'Lets the number of a contact who has just agreed by email agree too: at once where the same mailbox has confirmed it before, else by a first text. Called by private.decide_verification.';

create function private.confirm_by_code(token_hash text, code text, at timestamptz) returns text
language plpgsql set search_path = '' as $$
declare
  asked public.buddy_contacts := private.lock_contact(private.contact_of_token(token_hash));
  number text := private.hash_of_number(asked.phone);
  pause interval;
  wrong smallint;
begin
  if asked.verification_token is distinct from token_hash then
    return 'unknown';
  end if;
  if at >= asked.verification_token_expires_at then
    return 'expired';
  end if;
  if not asked.verified or asked.phone_confirmed_at is not null then
    return 'decided';
  end if;
  select s.first_text_pause into strict pause from private.support_settings s;
  -- Counted as wrong until it is found right, so that of codes that are given at once each counts; the same where no text went out.
  insert into private.code_tries as t (number_hash, user_id, tries, tried_at)
  values (number, asked.user_id, 1, at)
  on conflict on constraint code_tries_pkey do update
  set tries = case when t.tried_at <= at - pause then 1 else t.tries + 1 end,
    tried_at = case when t.tried_at <= at - pause then at else t.tried_at end
  where t.tries < 5 or t.tried_at <= at - pause
  returning t.tries into wrong;
  if not found then
    return 'too_many_tries';
  end if;
  if not exists (
    select
    from private.first_texts f
    join private.outbox o on o.id = f.message_id
    where f.number_hash = number
      and f.queued_at > at - pause
      and f.code_hash = private.hash_of_number(asked.phone || ' ' || code)
      -- Nobody has the code of a text that was not sent.
      and o.status in ('sending', 'sent', 'unconfirmed')
  ) then
    return case when wrong >= 5 then 'too_many_tries' else 'wrong_code' end;
  end if;
  delete from private.code_tries t where t.number_hash = number and t.user_id = asked.user_id;
  perform private.confirm_number(asked.id, 'code', at);
  return 'confirmed';
end
$$;
comment on function private.confirm_by_code is 'Takes the code of the last first text to a contact''s number, for whichever student it was: confirmed, wrong_code, too_many_tries (five of a student for a number), or decided, expired or unknown of the link. Called by the edge functions.';

create function private.confirm_by_reply(number text, at timestamptz) returns boolean
language plpgsql set search_path = '' as $$
declare
  asked public.buddy_contacts := private.lock_contact(
    (select f.contact_id from private.first_texts f where f.number_hash = private.hash_of_number(number))
  );
begin
  if asked.phone is distinct from number
    or asked.phone_confirmed_at is not null
    or not asked.verified
    or not asked.is_active
    -- Whoever has not been sent it, or another text after it, answers something else.
    or not exists (
      select
      from private.first_texts f
      join private.outbox o on o.id = f.message_id
      where f.contact_id = asked.id
        and o.status in ('sending', 'sent', 'unconfirmed')
        and not exists (
          select
          from private.buddy_links l
          join public.buddy_check_in_requests r on r.id = l.request_id
          where l.number_hash = f.number_hash and r.sent_at > coalesce(o.ended_at, o.provider_called_at)
        )
    )
  then
    return false;
  end if;
  perform private.confirm_number(asked.id, 'reply', at);
  return true;
end
$$;
comment on function private.confirm_by_reply is 'Confirms the contact that the last first text to a number was about, and no other, while that text is the last one that the number got; false when there is nothing to confirm. Called by private.hear_text.';
