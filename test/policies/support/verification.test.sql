-- The verification of a contact: what is sent, how often, and what a link decides.
select plan(68);

select tests.give_consent(tests.id_of(name), '{support_circle}', '1') from unnest(array['ada', 'ben']) as name;
update public.profiles set first_name = 'Ada', last_name = E'Example\r\nhttps://evil.example/x' where user_id = tests.id_of('ada');
select vault.create_secret('https://pages.example.edu', 'pages_url') where not exists (select from vault.secrets where name = 'pages_url');

create function pg_temp.add(called text, phone text, email text, owner text default 'ada')
returns void
language sql
as $$ insert into public.buddy_contacts (user_id, name, phone, email) values (tests.id_of(owner), called, phone, email) $$;
create function pg_temp.contact(called text)
returns uuid
language sql
as $$ select id from public.buddy_contacts where name = called $$;
create function pg_temp.send(called text, hours numeric, owner text default 'ada')
returns text
language sql
as $$
  select concat_ws(' ', s.outcome, s.retry_after_s)
  from public.buddy_contacts c
  cross join private.send_verification(
    tests.id_of(owner), c.id, c.phone, '2001:db8::7', 'Invented/1.0', '2026-11-02 12:00Z'::timestamptz + hours * interval '1 hour'
  ) s
  where c.name = called
$$;
-- The token is nowhere but in the email.
create function pg_temp.token_of(called text)
returns text
language sql
as $$
  select substring(body from 'token=([0-9a-f]{64})') from private.outbox
  where contact_id = pg_temp.contact(called) and status = 'queued' and channel = 'email'
$$;
create function pg_temp.read(token text, hours numeric)
returns jsonb
language sql
as $$ select private.read_verification(private.link_token_hash(token), '2026-11-02 12:00Z'::timestamptz + hours * interval '1 hour') $$;
create function pg_temp.decide(token text, accepted boolean, hours numeric, method text default 'form', zone text default 'Europe/Berlin', stranger boolean default false)
returns text
language sql
as $$
  select private.decide_verification(
    private.link_token_hash(token), accepted, E' I moved away. ', stranger, zone, true, '{"version": "1", "text": "Invented wording"}',
    '203.0.113.9', 'Phone/1.0', method, '2026-11-02 12:00Z'::timestamptz + hours * interval '1 hour'
  )
$$;
create function pg_temp.events(called text)
returns text
language sql
as $$
  select string_agg(replace(event_type, 'verification_', ''), ',' order by created_at, event_type)
  from public.buddy_verification_audit where buddy_contact_id = pg_temp.contact(called)
$$;

select pg_temp.add('Bo', '+12025550101', 'bo@example.com');
select is(pg_temp.send('Bo', 0), 'sent', 'a contact is asked');
select results_eq(
  $$ select purpose, recipient, subject, contact_id, user_id from private.outbox $$,
  $$ select 'buddy_verification', 'bo@example.com', 'Ada Example would like you in their support circle', pg_temp.contact('Bo'), tests.id_of('ada') $$,
  'by an email from somebody with a clean name'
);
select matches(body, E'\nhttps://[^ \n]*/api/buddy/verify[?]token=[0-9a-f]{64}\n', 'with a link') from private.outbox;
select unalike(body, '%action=%', 'that decides nothing by itself') from private.outbox;
select unalike(body, '%evil%', 'and no other link') from private.outbox;
select matches(body, 'wellbeing service of Hillside University[.]', 'and the university''s name, without what is in brackets') from private.outbox;
select results_eq(
  $$ select verification_token, verification_token_expires_at from public.buddy_contacts $$,
  $$ select private.link_token_hash(pg_temp.token_of('Bo')), '2026-11-09 12:00Z'::timestamptz $$,
  'of whose token only the hash is stored, for 7 days'
);
select results_eq(
  $$ select event_type, ip_address, user_agent from public.buddy_verification_audit $$,
  $$ values ('verification_sent', '2001:db8::7'::inet, 'Invented/1.0') $$, 'and that it was sent'
);
select is(pg_temp.send('Bo', 0.5), 'too_soon 1800', 'not again within the hour');
create temporary table tokens (name text, token text);
insert into tokens select 'first', pg_temp.token_of('Bo');
select is(pg_temp.send('Bo', 1), 'resent', 'but after it');
select is((select count(*) from private.outbox where status = 'cancelled'), 1::bigint, 'which cancels an email that still waits');
select is(pg_temp.read((select token from tokens), 1) ->> 'state', 'unknown', 'and its link');
delete from public.buddy_contacts;
select pg_temp.add('Bo', '+12025550102', 'BO+again@Example.com');
select is(pg_temp.send('Bo', 1.5), 'too_soon 1800', 'whoever is deleted and added again is the same mailbox');
select is(pg_temp.send('Bo', 2), 'resent', 'asked a third time');
select is(pg_temp.send('Bo', 900), 'exhausted', 'and never a fourth');
select is(pg_temp.events('Bo'), 'resent', 'the audit has each');
select is((select count(*) from public.buddy_verification_audit where buddy_contact_id is null), 2::bigint, 'also of the deleted contact');

select is(
  pg_temp.read(pg_temp.token_of('Bo'), 3) - 'resources',
  '{"state": "open", "contact_name": "Bo", "student_name": "Ada Example", "number_confirmed": false, "language": "en", "number_time_zones": [], "student_time_zone": "UTC"}', 'the page knows who asks whom'
);
select isnt(pg_temp.read('invented', 3) -> 'resources', null, 'and where help is, on every page');
select is(pg_temp.read('invented', 3) - 'resources', '{"state": "unknown"}', 'and nothing of a link that is none');
select is(pg_temp.decide('invented', true, 3), 'unknown', 'which decides nothing');
select throws_ok(
  $$ select pg_temp.decide(pg_temp.token_of('Bo'), true, 3, 'form', 'Europe/Nowhere') $$, '22023', null, 'a zone is one that there is'
);
select is(pg_temp.decide(pg_temp.token_of('Bo'), true, 4), 'accepted', 'they agree');
select results_eq(
  $$ select verified, verified_at, phone_confirmed_at, time_zone, texts_at_night from public.buddy_contacts where name = 'Bo' $$,
  $$ values (true, '2026-11-02 16:00Z'::timestamptz, null::timestamptz, 'Europe/Berlin', true) $$, 'with what they chose, but for their number'
);
select results_eq(
  $$
    select o.ip_address, o.user_agent, a.metadata
    from public.buddy_verification_audit a
    join private.buddy_verification_origins o on o.entry_id = a.id
    where a.event_type = 'verification_accepted'
  $$,
  $$
    values (
      '203.0.113.9'::inet, 'Phone/1.0',
      '{"method": "form", "wording": {"version": "1", "text": "Invented wording"}, "number_ends_in": "0102", "number_confirmed": false,
        "time_zone": "Europe/Berlin", "texts_at_night": true}'::jsonb
    )
  $$,
  'and the proof of it'
);
select is(pg_temp.decide(pg_temp.token_of('Bo'), false, 5), 'decided', 'a link decides once');
select is(pg_temp.read(pg_temp.token_of('Bo'), 5) ->> 'decision', 'accepted', 'and can be read again');
select is(pg_temp.read(pg_temp.token_of('Bo'), 171) ->> 'state', 'expired', 'until it expires');
select is(pg_temp.events('Bo'), 'resent,accepted', 'which is no event of somebody who decided');
select is(pg_temp.send('Bo', 900), 'verified', 'nobody is asked what they agreed to');

select private.withdraw_contact(pg_temp.contact('Bo'), 'page', '2026-11-03 12:00Z');
select private.withdraw_contact(pg_temp.contact('Bo'), 'page', '2026-11-04 12:00Z');
select results_eq(
  $$ select verified, is_active, declined_at from public.buddy_contacts where name = 'Bo' $$,
  $$ values (false, false, '2026-11-03 12:00Z'::timestamptz) $$, 'who agreed can stop'
);
select is(pg_temp.events('Bo'), 'resent,accepted,declined', 'once');
select pg_temp.add('Bo again', '+12025550102', 'elsewhere@example.com');
select is(pg_temp.send('Bo again', 900), 'unavailable', 'and is not asked under another address');
select pg_temp.add('Bo of Ben', '+12025550102', 'bo@example.com', 'ben');
select is(pg_temp.send('Bo of Ben', 900, 'ben'), 'sent', 'which says nothing of another student');
delete from public.buddy_contacts where name = 'Bo again';

select pg_temp.add('Cy', '+12025550103', 'cy@example.com');
select is(pg_temp.send('Cy', 0), 'sent', 'another contact');
insert into tokens select 'cy', pg_temp.token_of('Cy');
select is(pg_temp.decide(pg_temp.token_of('Cy'), false, 1), 'declined', 'declines');
select is(
  (select metadata from public.buddy_verification_audit where event_type = 'verification_declined' and buddy_contact_id = pg_temp.contact('Cy')),
  '{"method": "form", "reason": "I moved away."}', 'with a reason'
);
select is(pg_temp.token_of('Cy'), null, 'an email that waits for them is cancelled');
select is(pg_temp.read((select token from tokens where name = 'cy'), 2) ->> 'decision', 'declined', 'and the page says what they decided');
delete from public.buddy_contacts where name = 'Cy';
select pg_temp.add('Cy', '+12025550103', 'cy+new@example.com');
select is(pg_temp.send('Cy', 900), 'unavailable', 'who declined is not asked again, however they are added');

delete from public.buddy_contacts where name = 'Cy';
select pg_temp.add('Di', '+12025550104', 'di@example.com');
select is(pg_temp.send('Di', 0), 'sent', 'a third contact');
select is(pg_temp.decide(pg_temp.token_of('Di'), true, 168), 'expired', 'a link is valid for 7 days');
select is((pg_temp.read(pg_temp.token_of('Di'), 169) ->> 'state') || ' ' || pg_temp.events('Di'), 'expired sent,expired', 'its expiry is an event once');
select is(pg_temp.decide(pg_temp.token_of('Di'), false, 170), 'expired', 'whoever looks');
select is(pg_temp.send('Di', 171), 'resent', 'a new link');
insert into tokens select 'di', pg_temp.token_of('Di');
select is(pg_temp.decide((select token from tokens where name = 'di'), true, 172, 'link'), 'accepted', 'works by the address alone too');

-- Nobody knows the student.
select pg_temp.add('Hal', '+12025550108', 'hal@example.com');
select is(pg_temp.send('Hal', 0), 'sent', 'somebody is asked');
select is(pg_temp.decide(pg_temp.token_of('Hal'), false, 1, stranger => true), 'declined', 'who does not know the student');
select pg_temp.add('Hal of Ben', '+12025550118', 'h.a.l+x@example.com', 'ben'), pg_temp.add('Hal too', '+12025550108', 'other@example.com', 'ben');
update public.buddy_contacts set email = 'hal+x@example.com' where name = 'Hal of Ben';
select is(pg_temp.send('Hal of Ben', 2, 'ben'), 'unavailable', 'no student has their mailbox written to again');
select is(pg_temp.send('Hal too', 2, 'ben'), 'sent', 'while a number beside it may be somebody else''s');
select ok(private.lift_refusal('Hal@example.com'), 'until an operator lifts that');
select ok(not private.lift_refusal('Hal@example.com'), 'once');
set constraints all immediate;
select isnt_empty(
  $$ select id from public.audit_logs where action = 'settings_changed' and target_type = 'refused_mailboxes' $$, 'which the audit log has'
);
select is(pg_temp.send('Hal of Ben', 2, 'ben'), 'sent', 'then they are');

-- Several students, one mailbox.
update private.support_settings set daily_verifications_to_mailbox = 1;
select pg_temp.add('Ivy', '+12025550109', 'ivy@example.com'), pg_temp.add('Ivy of Ben', '+12025550119', 'ivy@example.com', 'ben');
select is(pg_temp.send('Ivy', 0), 'sent', 'a mailbox is written to');
select is(pg_temp.send('Ivy of Ben', 1, 'ben'), 'too_soon 82800', 'so often a day, whoever asks');
update private.support_settings set daily_verifications_to_mailbox = 10, students_to_address = 1;
select is(pg_temp.send('Ivy of Ben', 1, 'ben'), 'unavailable', 'for so many students');
select is(pg_temp.send('Ivy of Ben', 721, 'ben'), 'sent', 'in thirty days');
update private.support_settings set students_to_address = 15;

update private.support_settings set daily_verifications = 2;
select pg_temp.add('Ed', '+12025550105', 'ed@example.com'), pg_temp.add('Flo', '+12025550106', null), pg_temp.add('Guy', '+12025550107', 'guy@example.com');
select is(pg_temp.send('Ed', 172), 'sent', 'a student asks');
select is(pg_temp.send('Guy', 173), 'too_soon 79200', 'a number of people a day');
select is(pg_temp.send('Flo', 999), 'no_email', 'who have an address');
select results_eq(
  $$ select s.outcome from private.send_verification(tests.id_of('ben'), pg_temp.contact('Guy'), '+12025550107', null, null, now()) s $$,
  array['not_found'], 'and are their own'
);
select results_eq(
  $$ select s.outcome from private.send_verification(tests.id_of('ada'), pg_temp.contact('Guy'), '+12025550100', null, null, now()) s $$,
  array['changed'], 'with the number that was looked at'
);
insert into tokens select 'ed', pg_temp.token_of('Ed');
update public.consents set withdrawn_at = now() where user_id = tests.id_of('ada');
select is(pg_temp.send('Guy', 999), 'no_consent', 'while the consent is in force');
select is(pg_temp.read((select token from tokens where name = 'ed'), 173) ->> 'state', 'unknown', 'without it, links lead nowhere');

select tests.act_as(tests.id_of('ada'));
select isnt_empty(
  $$ select * from public.buddy_verification_audit where event_type = 'verification_accepted' $$, 'the student sees what became of it'
);
select is_empty(
  $$
    select * from public.buddy_verification_audit
    where event_type in ('verification_accepted', 'verification_declined') and num_nonnulls(ip_address, user_agent) > 0
  $$,
  'but not from where a contact decided'
);
select isnt_empty(
  $$ select * from public.buddy_verification_audit where event_type = 'verification_sent' and ip_address is not null $$,
  'only from where they asked themselves'
);

select * from finish();
