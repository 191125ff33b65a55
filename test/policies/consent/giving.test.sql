-- Nobody but the person agrees: a student to what is done with their data, a contact and a number to being texted; whoever types it.
select plan(38);

-- An operator in Studio, whose session has no claims.
create function tests.act_as_operator()
returns void
language sql
as $$
  select tests.act_as_owner();
  select set_config('request.jwt.claim.sub', '', true), set_config('private.answer_heard', '', true)
$$;
create function tests.refused(statement text, message text, why text)
returns text
language sql
as $$ select throws_ok(statement, '42501', message, why) $$;

-- Consents.
select tests.act_as_operator();
select tests.refused(
  $$ insert into public.consents (user_id, kind, version) values (tests.id_of('ada'), 'counselor_access', '2026-11') $$,
  'Only the student agrees, signed in: nobody does for them.', 'an operator does not agree for a student'
);
select tests.refused(
  $$ set local role service_role; insert into public.consents (user_id, kind, version) values (tests.id_of('ada'), 'counselor_access', '2026-11') $$, null,
  'nor does the secret key'
);
select tests.act_as(tests.id_of('ben'));
select tests.refused(
  $$ insert into public.consents (user_id, kind, version) values (tests.id_of('ada'), 'counselor_access', '2026-11') $$, null,
  'nor another student'
);
select tests.act_as_nobody();
select set_config('request.jwt.claim.sub', '', true);
select tests.refused(
  $$ insert into public.consents (user_id, kind, version) values (tests.id_of('ada'), 'counselor_access', '2026-11') $$, null,
  'nor anybody'
);
select tests.act_as_operator();
select tests.refused(
  $$ update public.students set counselor_access = true where user_id = tests.id_of('ada') $$,
  'Counselors see a student who agreed to it: counselor_access follows from the consent, which the student gives.',
  'nor is the access set without the consent'
);
select tests.act_as(tests.id_of('ada'));
select lives_ok($$ insert into public.consents (kind, version) values ('audio', '2026-11'), ('counselor_access', '2026-11') $$, 'the student does');
select tests.act_as_operator();
select ok((select counselor_access from public.students where user_id = tests.id_of('ada')), 'and counselors see them');
select tests.refused(
  format('update public.consents set %s where user_id = tests.id_of(''ada'') and kind = ''audio''', change),
  'What a student agreed to is not changed: set withdrawn_at to withdraw it; they agree anew themselves.', change || ' is not changed by hand'
)
from unnest(array[
  'user_id = tests.id_of(''ben'')', 'kind = ''camera''', 'version = ''2027-1''', 'granted_at = now() - interval ''1 year''',
  'withdrawn_at = now(), renewed = true'
]) as change;
select tests.refused(
  'delete from public.consents where user_id = tests.id_of(''ada'')', 'A consent is withdrawn, not deleted: set withdrawn_at of its row.',
  'nor is a consent deleted'
);
select throws_ok('truncate public.consents cascade', '42501', null, 'nor are all');
select lives_ok(
  $$ update public.consents set withdrawn_at = '2020-01-01' where user_id = tests.id_of('ada') $$, 'an operator withdraws on their behalf'
);
select ok(not (select counselor_access from public.students where user_id = tests.id_of('ada')), 'which ends the access');
select throws_ok(
  $$ update public.consents set withdrawn_at = null where user_id = tests.id_of('ada') $$, '23514',
  'This consent was withdrawn; grant a new one instead.', 'and is not turned back'
);
select is(
  (select count(*) from public.consents where user_id = tests.id_of('ada') and withdrawn_at >= granted_at), 2::bigint, 'at the server''s time'
);

-- What a student chose for alerts.
select tests.refused(
  $$ insert into public.support_preferences (user_id, alerts_paused_until) values (tests.id_of('ada'), now() + interval '1 day') $$,
  'Only the student chooses this, signed in.', 'nobody else pauses alerts about a student'
);
select tests.act_as(tests.id_of('ada'));
select lives_ok('insert into public.support_preferences (pass_on_all_right) values (false)', 'the student chooses');
select tests.act_as_operator();
select tests.refused(
  $$ update public.support_preferences set pass_on_all_right = true where user_id = tests.id_of('ada') $$, null, 'and nobody changes it for them'
);
select tests.refused(
  $$ update public.support_preferences set user_id = tests.id_of('ben') where user_id = tests.id_of('ada') $$, null, 'or gives it to somebody else'
);

-- Contacts.
select tests.give_consent(tests.id_of(person), '{support_circle}') from unnest(array['ada', 'ben']) as person;
insert into public.buddy_contacts (id, user_id, name, phone, email, priority_rank)
values ('00000000-0000-4000-8000-0000000000c1', tests.id_of('ada'), 'Bo', '+12025550101', 'bo@example.com', 1);
select set_config('private.answer_heard', '', true);
select tests.refused(
  format('update public.buddy_contacts set %s', change), 'Only the contact agrees, by the link in their email and a text from their number.',
  change || ' is not typed'
)
from unnest(array['verified = true, verified_at = now()', 'phone_confirmed_at = now(), phone_confirmed_by = ''reply''']) as change;
select tests.refused(
  $$ insert into public.buddy_contacts (user_id, name, phone, email, priority_rank, verified, verified_at)
    values (tests.id_of('ada'), 'Cy', '+12025550102', 'cy@example.com', 2, true, now()) $$, null, 'nor with a new contact'
);
select tests.refused(
  $$ insert into public.buddy_verification_audit (user_id, event_type) values (tests.id_of('ada'), 'verification_accepted') $$,
  'Only what a contact answered is proof of it.', 'nor is the proof of it'
);
select tests.refused(
  $$ set local role service_role; update public.buddy_contacts set verified = true, verified_at = now() $$, null, 'the secret key agrees for no contact either'
);
select tests.act_as_operator();

-- As they answer.
update public.buddy_contacts set verification_token = repeat('a', 64), verification_token_expires_at = now() + interval '1 day';
select is(
  private.decide_verification(repeat('a', 64), true, null, false, null, true, '{}', null, null, 'page', now()), 'accepted', 'a contact agrees'
);
select private.confirm_number('00000000-0000-4000-8000-0000000000c1', 'reply', now());
select set_config('private.answer_heard', '', true);
select ok((select verified and phone_confirmed_at is not null from public.buddy_contacts), 'and their number does');
select tests.refused(
  $$ update public.buddy_contacts set user_id = tests.id_of('ben') $$, 'A contact agreed for one student, and is not passed to another.',
  'for this student alone'
);
select tests.refused(
  $$ update public.buddy_verification_audit set metadata = '{}' where event_type = 'verification_accepted' $$,
  'Only what a contact answered is proof of it.', 'the proof is not changed'
);
select tests.refused(
  $$ delete from public.buddy_verification_audit $$, 'This proves what a contact agreed to, and stays as long as the contact.', 'nor deleted'
);
select private.withdraw_contact('00000000-0000-4000-8000-0000000000c1', 'page', now());
select set_config('private.answer_heard', '', true);
select tests.refused('update public.buddy_contacts set declined_at = null', null, 'who declined is not asked again because somebody typed so');

-- Numbers and mailboxes that said stop.
select private.opt_out_number('+12025550101', 'reply', now());
insert into private.refused_mailboxes (mailbox_hash) values (private.mailbox_hash('bo@example.com'));
select set_config('private.answer_heard', '', true);
select tests.refused('delete from private.text_opt_outs', 'This number said STOP; only a text from it lifts that.', 'a stop is not deleted');
select tests.refused('truncate private.text_opt_outs', null, 'nor are all');
select tests.refused(
  'delete from private.refused_mailboxes', 'Whoever reads this mailbox refused; only they lift that.', 'nor what whoever reads a mailbox said'
);
select ok(private.lift_refusal('bo@example.com'), 'but lifted by the function, when its owner asks for it');

-- Erasure takes it all along.
delete from auth.users where id = tests.id_of('ada');
select is_empty('select from public.consents c where not exists (select from auth.users u where u.id = c.user_id)', 'consents go with the account');

select * from finish();
