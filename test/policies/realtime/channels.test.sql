select plan(24);

insert into checkin.check_ins (id, user_id, type)
values ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'daily');

insert into public.assessment_sessions (id, user_id, assessment_type)
values ('00000000-0000-4000-8000-00000000000c', tests.id_of('ada'), 'baseline');
insert into public.user_roles (user_id, role, university_id)
values (tests.new_student('counselor@hillside.example.edu'), 'counselor', 'hillside');

-- Joining a private channel means that the person can read a message of its topic.
create function tests.reads(topic text, extension text default 'broadcast')
returns boolean
language plpgsql
as $$
declare
  role_before text := current_setting('role');
  seen boolean;
begin
  perform set_config('role', 'none', true);
  execute format('insert into realtime.messages (topic, extension) values (%L, %L)', topic, extension);
  perform set_config('role', role_before, true);
  perform set_config('realtime.topic', topic, true);
  execute format('select exists (select from realtime.messages where topic = %L and extension = %L)', topic, extension) into seen;
  return seen;
end
$$;

select tests.act_as(tests.id_of('ada'));
select ok(tests.reads('check-in:00000000-0000-4000-8000-00000000000a'), 'Ada receives broadcasts of her check-in');
select ok(not tests.reads('check-in:00000000-0000-4000-8000-00000000000b'), 'but no other');
select ok(not tests.reads('check-in:x'' or true'), 'whatever the topic says');
select ok(
  not tests.reads('check-in:00000000-0000-4000-8000-00000000000a', 'presence'), 'there is no presence on the channel'
);
select throws_ok(
  $$
    insert into realtime.messages (topic, extension)
    values ('check-in:00000000-0000-4000-8000-00000000000a', 'broadcast')
  $$,
  '42501', null, 'only the service sends on it'
);

select ok(tests.reads('support:' || tests.id_of('ada')), 'Ada receives broadcasts of the alerts about her');
select ok(not tests.reads('support:' || tests.id_of('ben')), 'and of nobody else''s');
select ok(not tests.reads('support:'), 'whatever that topic says');
select throws_ok(
  format($$ insert into realtime.messages (topic, extension) values ('support:%s', 'broadcast') $$, tests.id_of('ada')),
  '42501', null, 'only the service sends on that one too'
);

select ok(tests.reads('account:' || tests.id_of('ada')), 'Ada receives broadcasts of her own channel');
select ok(not tests.reads('account:' || tests.id_of('ben')), 'and of nobody else''s');
select ok(not tests.reads('account:'), 'whatever the topic says');
select throws_ok(
  format($$ insert into realtime.messages (topic, extension) values ('account:%s', 'broadcast') $$, tests.id_of('ada')),
  '42501', null, 'and only the service sends on it'
);

select ok(not tests.reads('assessment:00000000-0000-4000-8000-00000000000d'), 'Ada receives broadcasts of no session that is not hers');
select ok(tests.reads('assessment:00000000-0000-4000-8000-00000000000c'), 'but hers');
select lives_ok(
  $$
    insert into realtime.messages (topic, extension)
    values ('assessment:00000000-0000-4000-8000-00000000000c', 'broadcast')
  $$,
  'and sends on its channel'
);
select throws_ok(
  $$
    insert into realtime.messages (topic, extension)
    values ('assessment:00000000-0000-4000-8000-00000000000c', 'presence')
  $$,
  '42501', null, 'where there is no presence either'
);

select tests.act_as(tests.id_of('ben'));
select ok(not tests.reads('check-in:00000000-0000-4000-8000-00000000000a'), 'Ben does not receive those of Ada''s check-in');
select ok(not tests.reads('assessment:00000000-0000-4000-8000-00000000000c'), 'nor her session');
select throws_ok(
  $$
    insert into realtime.messages (topic, extension)
    values ('assessment:00000000-0000-4000-8000-00000000000c', 'broadcast')
  $$,
  '42501', null, 'nor send on its channel'
);

select tests.act_as((select user_id from public.user_roles where role = 'counselor'));
select ok(not tests.reads('assessment:00000000-0000-4000-8000-00000000000c'), 'nor can a counselor of her university');

select tests.act_as_nobody();
select ok(not tests.reads('check-in:00000000-0000-4000-8000-00000000000a'), 'nor can a visitor');

select tests.act_as_owner();
-- Whose channel is a topic, and whose session's.
create function tests.owns(topic text)
returns text
language sql
security definer
as $$
  select private.owns_channel(topic) || ', ' || private.owns_session_channel(topic)
$$;
create temporary table topics (topic text);
grant select on topics to authenticated;
insert into topics
values ('check-in:00000000-0000-4000-8000-00000000000a'), ('assessment:00000000-0000-4000-8000-00000000000c'), ('support:');

select tests.act_as(tests.id_of('ada'));
select results_eq(
  'select tests.owns(topic) from topics order by topic',
  array['true, true', 'true, false', 'false, false'],
  'a check-in''s channel is its student''s, and no session''s'
);
select tests.act_as(tests.id_of('ben'));
select results_eq(
  'select tests.owns(topic) from topics order by topic',
  array['false, false', 'false, false', 'false, false'],
  'and nobody else''s'
);

select * from finish();
