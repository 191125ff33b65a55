-- What a new account gets, and how consents are given and withdrawn.
select plan(44);

select is(
  (select university_id from public.profiles where user_id = tests.id_of('ada')), 'hillside',
  'an account gets the university of its email domain'
);
select is(
  (select university_id from public.profiles where user_id = tests.id_of('ben')), 'lakeview',
  'a subdomain belongs to the university too'
);
select is(
  (select university_id from public.profiles where user_id = tests.id_of('eve')), null,
  'another domain belongs to no university'
);
select results_eq(
  $$ select role::text, university_id from public.user_roles where user_id = tests.id_of('ada') $$,
  $$ values ('student', 'hillside') $$,
  'an account begins as a student of its university'
);

select tests.act_as(tests.id_of('ada'));
select lives_ok($$ insert into public.consents (kind, version) values ('audio', '2026-11') $$, 'Ada agrees to audio');
select throws_ok(
  $$ insert into public.consents (kind, version) values ('audio', '2026-11') $$, '23505', 'You have agreed to this version already.',
  'one consent of a kind is in force at a time'
);
select lives_ok($$ update public.consents set withdrawn_at = '2020-01-01' $$, 'Ada withdraws her consent');
select ok((select withdrawn_at >= granted_at from public.consents), 'at the server''s time');
with changed as (update public.consents set withdrawn_at = null returning id)
select is((select count(*) from changed), 0::bigint, 'and a withdrawal cannot be undone');
select lives_ok($$ insert into public.consents (kind, version) values ('audio', '2026-11') $$, 'Ada agrees again');
select lives_ok(
  $$ update public.consents set withdrawn_at = now() where kind = 'audio' $$, 'and withdraws again, with the same call'
);
select is_empty('select 1 from public.consents where withdrawn_at is null', 'so that no consent is in force');

-- One account of a mailbox, whichever way its address is confirmed.
select tests.act_as_owner();
select is(private.mailbox_of('"a+b@c"+1+2@X.example.edu'), '"a@x.example.edu', 'a mailbox ends at the first + of the local part');
select is(private.mailbox_of('+1@x.example.edu'), '+1@x.example.edu', 'but has a name');
select throws_ok(
  $$ select tests.new_student('Ada+1@' || split_part(email, '@', 2)) from auth.users where id = tests.id_of('ada') $$, '23505', null,
  'nobody gets a second account of a mailbox'
);
select lives_ok(
  $$ insert into auth.users (id, email)
  select '00000000-0000-4000-8000-000000000001', replace(email, '@', '+1@') from auth.users where id = tests.id_of('ada') $$,
  'though anybody can sign up with it'
);
select throws_ok(
  $$ update auth.users set email_confirmed_at = now() where id = '00000000-0000-4000-8000-000000000001' $$, '23505', null,
  'and cannot confirm it'
);
select throws_ok(
  $$ update auth.users set email = (select replace(email, '@', '+1@') from auth.users where id = tests.id_of('ada'))
  where id = tests.id_of('ben') $$, '23505', null,
  'nor change an address to it'
);
delete from auth.users where id = '00000000-0000-4000-8000-000000000001';


-- Whom a token stands for. API roles cannot name the function themselves.
select tests.act_as_owner();
create function tests.current_account()
returns uuid
language sql
security definer
as $$ select private.current_account() $$;
select tests.act_as(tests.id_of('ada'));
select is(tests.current_account(), tests.id_of('ada'), 'a token stands for its account');
select set_config('request.jwt.claims', (current_setting('request.jwt.claims')::jsonb - 'session_id')::text, true);
select is(tests.current_account(), null, 'not without a session, which every token of Auth has');
select is_empty('select 1 from public.profiles', 'so that it reaches nothing');
select set_config(
  'request.jwt.claims', (current_setting('request.jwt.claims')::jsonb || '{"session_id": "<none>"}')::text, true
);
select is(tests.current_account(), null, 'nor with something else in its place');
select set_config(
  'request.jwt.claims',
  (current_setting('request.jwt.claims')::jsonb || jsonb_build_object('session_id', tests.id_of('ben')))::text, true
);
select is(tests.current_account(), null, 'nor with the session of somebody else');
select tests.act_as_owner();
select ok(private.has_role(tests.id_of('ada'), 'student', 'hillside'), 'Ada is a student');
update auth.users set banned_until = now() + interval '1 hour' where id = tests.id_of('ada');
select ok(not private.has_role(tests.id_of('ada'), 'student', 'hillside'), 'not while she is banned');
select is_empty(
  $$ select 1 from auth.sessions where user_id = tests.id_of('ada') $$, 'and her sessions have ended, for good'
);
insert into auth.sessions (id, user_id) select id, id from people where name = 'ada';
select tests.act_as(tests.id_of('ada'));
select is(tests.current_account(), null, 'a token stands for nobody while the account is banned');
select throws_ok(
  $$ insert into public.consents (kind, version) values ('text', '2026-11') $$, '42501', null, 'so that nothing can be added'
);
select tests.act_as_owner();
update auth.users set banned_until = now() - interval '1 second' where id = tests.id_of('ada');
select tests.act_as(tests.id_of('ada'));
select is(tests.current_account(), tests.id_of('ada'), 'and for her again when the ban is over');
select tests.act_as_owner();
delete from auth.sessions where user_id = tests.id_of('ada');
select tests.act_as(tests.id_of('ada'));
select is_empty('select 1 from public.profiles', 'who signed out reaches nothing either');

-- An account without a role.
select tests.act_as_owner();
delete from public.user_roles where user_id = tests.id_of('ben');
select tests.act_as(tests.id_of('ben'));
select is(tests.current_account(), null, 'an account without a role acts nowhere');
select is_empty(
  $$ select from public.universities union all select from public.profiles union all select from public.consents $$,
  'so it sees no university, and not even its own rows'
);
select throws_ok(
  $$ insert into public.assessment_sessions (assessment_type) values ('daily') $$, '42501', null, 'and begins no session'
);

-- Addresses.
select tests.act_as_owner();
select is(
  private.university_for('"a@hillside.example.edu@"@evil.example.com', null), null,
  'the domain of an address is what follows its last @'
);

-- An address that is not confirmed yet.
create function tests.signed_up(email text)
returns uuid
language sql
as $$
  insert into auth.users (id, email, encrypted_password, raw_user_meta_data, confirmation_sent_at)
  values (
    gen_random_uuid(), email, extensions.crypt('first-password-1', extensions.gen_salt('bf', 4)),
    '{"first_name": "Mallory", "sub": "x"}', now() - interval '1 hour'
  )
  returning id
$$;
insert into auth.users (id, email, raw_user_meta_data)
select gen_random_uuid(), 'signed-up-' || place || '@hillside.example.edu', jsonb_build_object('language', given)
from unnest('{de,pt-BR,"<b>de",de_DE,NULL}'::text[]) with ordinality as g (given, place);
select results_eq(
  $$
    select p.language from public.profiles p join auth.users u on u.id = p.user_id
    where u.email like 'signed-up-%' order by u.email
  $$,
  $$ values ('de'), ('pt-BR'), (null), (null), (null) $$,
  'the language of a sign-up, where it is one, is that of the profile, and no other keeps an account from being made'
);

insert into people values ('vera', tests.signed_up('vera@hillside.example.edu'));
select private.discard_other_sign_up('Vera@hillside.example.edu', 'first-password-1');
select is(
  (select first_name from public.profiles where user_id = tests.id_of('vera')), 'Mallory',
  'a sign-up with the same password is the same person'
);
select private.discard_other_sign_up('Vera@hillside.example.edu', 'another-password-2');
select results_eq(
  $$ select encrypted_password::text, raw_user_meta_data from auth.users where id = tests.id_of('vera') $$,
  $$ values ('', '{"sub": "x"}'::jsonb) $$,
  'one with another password discards the first'
);
select is(
  (select first_name from public.profiles where user_id = tests.id_of('vera')), '', 'with its name'
);
insert into people values ('vic', tests.signed_up('vic@hillside.example.edu'));
update auth.users set confirmation_sent_at = now() where id = tests.id_of('vic');
select is(
  (select encrypted_password from auth.users where id = tests.id_of('vic')), '', 'as does a second confirmation, whoever asks'
);
insert into people values ('via', tests.signed_up('via@hillside.example.edu'));
update auth.users set confirmation_token = 'first' where id = tests.id_of('via');
update auth.users set confirmation_token = 'second' where id = tests.id_of('via');
select is(
  (select encrypted_password from auth.users where id = tests.id_of('via')), '', 'also one of the same moment'
);
insert into people values ('vin', tests.signed_up('vin@hillside.example.edu'));
update auth.users set recovery_sent_at = now() where id = tests.id_of('vin');
select is(
  (select encrypted_password from auth.users where id = tests.id_of('vin')), '', 'and a mail to choose a new password'
);
insert into people values ('val', tests.signed_up('val@hillside.example.edu'));
update auth.users set email_confirmed_at = now() where id = tests.id_of('val');
update auth.users set recovery_sent_at = now() where id = tests.id_of('val');
select private.discard_other_sign_up('val@hillside.example.edu', 'another-password-2');
select isnt(
  (select encrypted_password from auth.users where id = tests.id_of('val')), '', 'a confirmed account keeps its password'
);

-- The hook of access tokens.
select is(
  private.custom_access_token(jsonb_build_object('user_id', tests.id_of('val'), 'claims', '{"sub": "x"}'::jsonb)) -> 'claims',
  '{"sub": "x", "email_verified": true}', 'a token says that the address is confirmed'
);
select is(
  private.custom_access_token(jsonb_build_object('user_id', tests.id_of('vic'), 'claims', '{}'::jsonb)) -> 'claims',
  '{"email_verified": false}', 'or that it is not'
);

select * from finish();
