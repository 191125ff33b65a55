-- covers: public.universities, public.profiles, public.user_roles, public.consents, private.university_of
-- covers: private.universities_joined
select plan(29);

select is(
  (select university_id from public.profiles where user_id = tests.id_of('ada')), 'hillside',
  'an account gets the university of its mail domain'
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
select results_eq('select id from public.universities', $$ values ('hillside') $$, 'Ada sees her university alone');
select results_eq('select user_id from public.profiles', $$ select tests.id_of('ada') $$, 'Ada sees her profile alone');
select results_eq('select user_id from public.user_roles', $$ select tests.id_of('ada') $$, 'Ada sees her roles alone');
select lives_ok(
  $$ update public.profiles set first_name = 'Ada' where user_id = tests.id_of('ada') $$, 'Ada changes her name'
);
select is((select first_name from public.profiles), 'Ada', 'and it is stored');
select throws_ok(
  $$ update public.profiles set university_id = 'lakeview' $$, '42501', null, 'Ada cannot move to another university'
);
select throws_ok(
  $$ insert into public.user_roles (user_id, role) values (tests.id_of('ada'), 'security_admin') $$, '42501', null,
  'Ada cannot give herself a role'
);
select throws_ok(
  $$ update public.user_roles set role = 'security_admin' $$, '42501', null, 'nor change the one she has'
);
with changed as (update public.universities set name = 'Mine' returning id)
select is((select count(*) from changed), 0::bigint, 'Ada cannot change a university');
select throws_ok($$ update public.universities set domain = 'mine.example.edu' $$, '42501', null, 'nobody changes its domain');
select throws_ok($$ delete from public.profiles $$, '42501', null, 'Ada cannot delete her profile row');

select lives_ok($$ insert into public.consents (kind, version) values ('audio', '2026-11') $$, 'Ada agrees to audio');
select throws_ok(
  $$ insert into public.consents (kind, version) values ('audio', '2026-11') $$, '23505', null,
  'one consent of a kind is in force at a time'
);
select throws_ok(
  $$ insert into public.consents (user_id, kind, version) values (tests.id_of('ben'), 'audio', '2026-11') $$, '42501', null,
  'Ada cannot agree for Ben'
);
select throws_ok(
  $$ update public.consents set granted_at = '2020-01-01' $$, '42501', null, 'the time of a consent is the server''s'
);

select tests.act_as(tests.id_of('ben'));
select is_empty('select id from public.consents', 'Ben does not see Ada''s consents');
with changed as (update public.consents set withdrawn_at = now() returning id)
select is((select count(*) from changed), 0::bigint, 'nor can he withdraw them');
with changed as (update public.profiles set last_name = 'Taken' where user_id = tests.id_of('ada') returning user_id)
select is((select count(*) from changed), 0::bigint, 'nor change her profile');

select tests.act_as(tests.id_of('ada'));
select lives_ok($$ update public.consents set withdrawn_at = '2020-01-01' $$, 'Ada withdraws her consent');
select ok((select withdrawn_at >= granted_at from public.consents), 'at the server''s time');
with changed as (update public.consents set withdrawn_at = null returning id)
select is((select count(*) from changed), 0::bigint, 'and a withdrawal cannot be undone');
select lives_ok($$ insert into public.consents (kind, version) values ('audio', '2026-11') $$, 'Ada agrees again');
select lives_ok(
  $$ update public.consents set withdrawn_at = now() where kind = 'audio' $$, 'and withdraws again, with the same call'
);
select is_empty('select 1 from public.consents where withdrawn_at is null', 'so that no consent is in force');

select tests.act_as_nobody();
select throws_ok('select 1 from public.profiles', '42501', null, 'a visitor sees no profiles');

select * from finish();
