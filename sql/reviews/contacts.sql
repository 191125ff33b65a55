-- Whom a university names for high risk, as its administrators keep it.

create function private.delivery_of(message uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', o.id, 'state', o.status, 'ended_at', o.ended_at, 'error_code', o.error_code, 'provider_status', o.provider_status
  )
  from private.outbox o
  where o.id = message
$$;
comment on function private.delivery_of is 'What became of an email or text, without its recipient and words; null once it is deleted. Called where staff see whether what they sent arrived.';

create function private.crisis_contact_view(contact private.crisis_contacts) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'rank', contact.rank,
    'email', contact.email,
    'phone', contact.phone,
    'name', contact.name,
    'tested_at', contact.tested_at,
    'email_test', private.delivery_of(contact.test_email_id),
    'sms_test', private.delivery_of(contact.test_text_id)
  )
$$;
comment on function private.crisis_contact_view is 'A crisis contact as administrators of its university see it, with how the last test ended. Called by the functions that list and change one.';

create function private.list_crisis_contacts(university text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_administrator(university);
  return (
    select coalesce(jsonb_agg(private.crisis_contact_view(c) order by c.rank), '[]')
    from private.crisis_contacts c
    where c.university_id = university
  );
end
$$;
comment on function private.list_crisis_contacts is 'Implementation of public.list_crisis_contacts, which calls it.';

create function public.list_crisis_contacts(university_id text) returns jsonb
language sql stable set search_path = ''
begin atomic select private.list_crisis_contacts(university_id); end;
comment on function public.list_crisis_contacts is 'Whom a university names for high risk, in order, and how the last test message to each ended: an array of {rank, email, phone, name, tested_at, email_test, sms_test}. Called by administrators of the university and security administrators; an error for others.';

create function private.set_crisis_contact(university text, place integer, address text, phone text, named text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  plain constant text := private.plain_mail_address(address);
  number text;
  kind text;
  stored private.crisis_contacts;
begin
  perform private.require_administrator(university);
  if not exists (select from public.universities u where u.id = university) then
    perform private.refuse(404, 'university_not_found', 'There is no such university.');
  elsif not coalesce(place between 1 and 9, false) then
    perform private.refuse(400, 'invalid_value', 'The rank is a number from 1 to 9.');
  elsif plain is null then
    perform private.refuse(400, 'invalid_value', 'This is no email address.');
  elsif char_length(btrim(named)) > 100 then
    perform private.refuse(400, 'invalid_value', 'A name has at most 100 characters.');
  end if;
  if btrim(phone) <> '' then
    select r.number, r.kind into number, kind
    from private.read_number(set_crisis_contact.phone, (select u.country from public.universities u where u.id = university)) r;
    if kind is distinct from 'mobile' then
      perform private.refuse(400, 'buddy_phone_invalid', 'This is no number of a mobile phone.');
    elsif not private.texts_go_to(number) then
      perform private.refuse(400, 'buddy_country_unsupported', 'Texts do not go to the country of this number.');
    end if;
  end if;
  insert into private.crisis_contacts as c (university_id, rank, email, phone, name)
  values (university, place, plain, number, nullif(btrim(regexp_replace(named, '[[:cntrl:]]+', ' ', 'g')), ''))
  on conflict on constraint crisis_contacts_pkey do update
  set email = excluded.email, phone = excluded.phone, name = excluded.name,
    tested_at = case when (c.email, c.phone) is not distinct from (excluded.email, excluded.phone) then c.tested_at end,
    test_email_id = case when (c.email, c.phone) is not distinct from (excluded.email, excluded.phone) then c.test_email_id end,
    test_text_id = case when (c.email, c.phone) is not distinct from (excluded.email, excluded.phone) then c.test_text_id end
  returning * into stored;
  return private.crisis_contact_view(stored);
end
$$;
comment on function private.set_crisis_contact is 'Implementation of public.set_crisis_contact, which calls it.';

create function public.set_crisis_contact(
  university_id text, rank integer, email text, phone text default null, name text default null
) returns jsonb
language sql set search_path = ''
begin atomic select private.set_crisis_contact(university_id, rank, email, phone, name); end;
comment on function public.set_crisis_contact is 'Names who is told of high risk at a university, in place of whoever had that rank, 1 to 9: {rank, email, phone, name, tested_at, email_test, sms_test}. The phone is a mobile number as people write it in the university''s country. Called by administrators of the university and security administrators; an error for others.';

create function private.remove_crisis_contact(university text, place integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  removed private.crisis_contacts;
begin
  perform private.require_administrator(university);
  delete from private.crisis_contacts c where c.university_id = university and c.rank = place returning * into removed;
  if not found then
    perform private.refuse(404, 'crisis_contact_not_found', 'The university has no crisis contact of this rank.');
  end if;
  return private.crisis_contact_view(removed);
end
$$;
comment on function private.remove_crisis_contact is 'Implementation of public.remove_crisis_contact, which calls it.';

create function public.remove_crisis_contact(university_id text, rank integer) returns jsonb
language sql set search_path = ''
begin atomic select private.remove_crisis_contact(university_id, rank); end;
comment on function public.remove_crisis_contact is 'Removes a crisis contact, and returns it, so that set_crisis_contact can name it again; without any, the university''s support address is told. Called by administrators of the university and security administrators; an error for others.';

create function private.test_crisis_contact(university text, place integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := (select private.current_account());
  contact private.crisis_contacts;
  named text;
  allowance record;
  email_id uuid;
  text_id uuid;
begin
  perform private.require_administrator(university);
  select * into contact from private.crisis_contacts c where c.university_id = university and c.rank = place for update;
  if not found then
    perform private.refuse(404, 'crisis_contact_not_found', 'The university has no crisis contact of this rank.');
  end if;
  -- Whoever asks, and however many of them: what is tested is the phone of a person, who may have been named by mistake.
  for allowance in
    select l.*
    from (
      values
        (caller, 'crisis-contact-test'),
        (md5('crisis contact ' || lower(contact.email))::uuid, 'crisis-contact-tested'),
        (md5('crisis contact ' || contact.phone)::uuid, 'crisis-contact-tested')
    ) as a (subject, scope)
    cross join lateral private.consume_rate_limit(a.subject, a.scope) l
    where a.subject is not null
  loop
    if not allowance.allowed then
      perform private.refuse_for(allowance.reset_s, format('Too many test messages. Try again in %s s.', allowance.reset_s));
    end if;
  end loop;
  named := private.university_in_message(university);
  insert into private.outbox (channel, purpose, recipient, subject, body)
  values (
    'email', 'crisis_contact_test', contact.email, 'Test: this address is told when a student is in danger',
    format(
      E'This is a test, and nobody is in danger.\n\nUniversity: %s\n\n%s tests whether mails about students at high risk arrive here. You need do nothing. If you do not expect such mails, tell the university''s administrators.',
      named, private.name_in_message(private.name_of(caller), 'An administrator', 60)
    )
  )
  returning id into email_id;
  insert into private.outbox (channel, purpose, recipient, body)
  select
    'sms', 'crisis_contact_test', contact.phone,
    format('Student wellbeing: a test for %s, nobody is in danger. Texts about students at high risk come to this number. Reply STOP to refuse', left(named, 30))
  where contact.phone is not null
  returning id into text_id;
  update private.crisis_contacts c
  set tested_at = now(), test_email_id = email_id, test_text_id = text_id
  where c.university_id = university and c.rank = place;
  return jsonb_build_object('email', email_id, 'sms', text_id);
end
$$;
comment on function private.test_crisis_contact is 'Implementation of public.test_crisis_contact, which calls it.';

create function public.test_crisis_contact(university_id text, rank integer) returns jsonb
language sql set search_path = ''
begin atomic select private.test_crisis_contact(university_id, rank); end;
comment on function public.test_crisis_contact is 'Sends a test to a crisis contact, by email and, where there is a number, by text: {email, sms}, the ids of the messages, whose delivery list_crisis_contacts shows. At most 10 an hour, and 3 to the same address or number whoever asks. Called by administrators of the university and security administrators; an error for others.';
