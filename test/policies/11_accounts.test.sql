-- What a new account gets, and how consents are given and withdrawn.
-- covers: private.university_of, private.universities_joined
select plan(12);

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
  $$ insert into public.consents (kind, version) values ('audio', '2026-11') $$, '23505', null,
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

select * from finish();
