-- Where people are signed in: each sees and ends their own sessions, and nobody else's.
select plan(7);

-- Ada is on a phone too, and was on a machine whose session is over.
insert into auth.sessions (id, user_id, created_at, refreshed_at, not_after, user_agent, ip, aal)
values
  ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), now() - interval '2 days', now() at time zone 'UTC' + interval '1 second', null, 'A phone', '192.0.2.7', 'aal2'),
  ('00000000-0000-4000-8000-00000000000b', tests.id_of('ada'), now() - interval '9 days', null, now() - interval '1 hour', 'A machine', '192.0.2.8', 'aal1'),
  ('00000000-0000-4000-8000-00000000000c', tests.id_of('eve'), now(), null, null, 'Elsewhere', '192.0.2.9', 'aal1');

select tests.act_as(tests.id_of('ada'));
select results_eq(
  'select user_agent, address, second_factor, is_this from public.list_own_sessions()',
  $$values ('A phone'::text, '192.0.2.7'::text, true, false), (null, null, false, true)$$,
  'the last used first, this one marked, those that are over left out'
);
select is(public.end_own_session('00000000-0000-4000-8000-00000000000c'), false, 'another person''s session goes on');
select is(public.end_own_session('00000000-0000-4000-8000-00000000000a'), true, 'one''s own is ended');
select is(public.end_own_session('00000000-0000-4000-8000-00000000000a'), false, 'once');
select is((select count(*)::integer from public.list_own_sessions()), 1, 'and is in the list no more');

select tests.act_as(tests.id_of('eve'));
select is((select count(*)::integer from public.list_own_sessions()), 2, 'the other person has both of theirs');

select tests.act_as_nobody();
select throws_ok('select * from public.list_own_sessions()', '42501', null, 'who is not signed in asks in vain');

select * from finish();
