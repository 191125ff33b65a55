-- Who sees and changes incidents, that one thing is one incident, and that a timeline only grows.
select plan(22);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('sam', tests.new_student('sam@hillside.example.edu')),
  ('sid', tests.new_student('sid@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('sam'), 'security_admin', null),
  (tests.id_of('sid'), 'security_admin', null);

create function tests.incident(key text, severity public.incident_severity default 'medium', affected uuid[] default '{}')
returns text
language sql
as $$
  select private.open_incident('data_breach', severity, 'A breach', 'Something got out.', '{}', affected, key)
$$;
create temporary table opened as select tests.incident('one') as id;
grant select on opened to authenticated;

select is(tests.incident('one', 'high', array[tests.id_of('cora')]), (select id from opened), 'what goes on is one incident');
select results_eq(
  $$ select severity::text, affected_users, jsonb_array_length(timeline) from public.security_incidents where key = 'one' $$,
  $$ values ('high', array[tests.id_of('cora')::text], 2) $$,
  'whose severity rises, and whose people are added'
);
select is(tests.incident('one', 'low', array[tests.id_of('cora')]), (select id from opened), 'seen again it is the same');
select results_eq(
  $$ select severity::text, jsonb_array_length(timeline) from public.security_incidents where key = 'one' $$,
  $$ values ('high', 2) $$,
  'and what says nothing new adds nothing'
);
select isnt(tests.incident('two'), (select id from opened), 'another thing is another incident');
select is(
  (select aware_at from public.security_incidents where key = 'one'),
  (select detected_at from public.security_incidents where key = 'one'),
  'a breach is known from its detection on'
);
select throws_ok(
  $$ update public.security_incidents set timeline = '[]' where key = 'one' $$,
  '42501', 'The timeline of an incident is append-only.', 'nobody shortens a timeline, not even the owner'
);
select throws_ok(
  $$ update public.security_incidents set timeline = jsonb_set(timeline, '{0,event}', '"nothing"') where key = 'one' $$,
  '42501', 'The timeline of an incident is append-only.', 'nor changes what it says'
);
select throws_ok(
  $$ update public.security_incidents set status = 'closed' where key = 'one' $$,
  'PT409', 'An incident that is open cannot become closed.', 'nobody closes what is not resolved'
);

select tests.act_as(tests.id_of('cora'));
select is_empty('select from public.security_incidents', 'a counselor sees no incident');
select throws_ok(
  $$ select public.change_incident((select id from opened), 'resolved') $$,
  '42501', 'Only security administrators do this.', 'and changes none'
);
select throws_ok(
  $$ select public.respond_to_incident((select id from opened), 'disable_user', tests.id_of('sam')::text) $$,
  '42501', 'Only security administrators do this.', 'and does nothing about one'
);
select throws_ok(
  'select public.detect_incidents()', '42501', 'Only security administrators do this.', 'and looks for none'
);

select tests.act_as(tests.id_of('sam'));
select is(
  (public.change_incident((select id from opened), 'investigating', tests.id_of('sam'), 'I look at it.')).owner,
  tests.id_of('sam'), 'a security administrator takes it on'
);
select throws_ok(
  $$ select public.change_incident((select id from opened), null, tests.id_of('cora')) $$,
  'PT404', null, 'and gives it to no counselor'
);
select throws_ok(
  $$ select public.change_incident((select id from opened), null, null, null, now() + interval '1 hour') $$,
  'PT400', null, 'a breach is not known from the future on'
);
select throws_ok(
  $$ select public.respond_to_incident((select id from opened), 'disable_user', 'everybody') $$,
  'PT400', null, 'a target has to fit its action'
);
select throws_ok($$ select public.respond_to_incident('inc_none', 'audit_trail') $$, 'PT404', null, 'and an incident to be there');
select is(
  public.respond_to_incident((select id from opened), 'disable_user', tests.id_of('sid')::text) ->> 'status',
  'done', 'one of two security administrators can be disabled'
);
select is(
  public.respond_to_incident((select id from opened), 'disable_user', tests.id_of('sam')::text) ->> 'status',
  'failed', 'and the last cannot'
);
select lives_ok($$ select public.change_incident((select id from opened), 'resolved') $$, 'what was dealt with is resolved');
select tests.act_as_owner();
select isnt(tests.incident('one'), (select id from opened), 'and what happens then is another incident');

select * from finish();
