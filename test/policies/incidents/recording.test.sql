-- What a person records and does about an incident, under their own name: by the functions, and what the grid of Studio may do.
select plan(48);

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

create function tests.last_entry(of_incident text) returns jsonb
language sql as $$ select timeline -> -1 from public.security_incidents where id = of_incident $$;

select tests.act_as(tests.id_of('cora'));
select throws_ok(
  $$ select public.record_incident('data_breach', 'high', '', '') $$,
  '42501', 'Only security administrators do this.', 'a counselor records no incident, whatever it says'
);
select throws_ok($$ select public.add_incident_note('inc_none', '') $$, '42501', 'Only security administrators do this.', 'adds no note');
select throws_ok($$ select public.assign_incident('inc_none') $$, '42501', 'Only security administrators do this.', 'takes none');
select throws_ok($$ select public.reopen_incident('inc_none', '') $$, '42501', 'Only security administrators do this.', 'and reopens none');

select tests.act_as(tests.id_of('sam'));
create temporary table recorded as
select *
from public.record_incident(
  'data_breach', 'high', ' A lost notebook ', 'It was left in a train.', 'hillside', now() - interval '5 hours',
  array[tests.id_of('ada'), null], '{notebook}'
);
select results_eq(
  $$ select title, university_id, status::text, affected_users, affected_systems, detected_at = now() - interval '5 hours' from recorded $$,
  $$ values ('A lost notebook', 'hillside', 'open', array[tests.id_of('ada')::text], '{notebook}'::text[], true) $$,
  'a security administrator records what was noticed'
);
select results_eq(
  'select aware_at from recorded', $$ values (now() - interval '5 hours') $$, 'of a breach the terms run from when it was noticed'
);
select is(
  tests.last_entry((select id from recorded)) - 'at',
  jsonb_build_object('event', 'recorded', 'by', tests.id_of('sam'), 'severity', 'high'), 'the timeline begins with who recorded it'
);
select is(
  (public.record_incident('suspicious_activity', 'low', 'A caller', 'Somebody asked for a password.')).aware_at, null::timestamptz,
  'what is no breach has no such terms'
);
select throws_ok($$ select public.record_incident('data_breach', 'high', ' ', 'It happened.') $$, 'PT400', null, 'it has a title');
select throws_ok(
  $$ select public.record_incident('data_breach', 'high', 'A breach', 'It happened.', noticed_at => now() + interval '1 minute') $$,
  'PT400', 'An incident is noticed in the past.', 'nobody notices what is to come'
);
select throws_ok(
  $$ select public.record_incident('data_breach', 'high', 'A breach', 'It happened.', noticed_at => '-infinity') $$,
  'PT400', 'An incident is noticed in the past.', 'nor what is no time'
);
select throws_ok(
  $$ select public.record_incident('data_breach', 'high', 'A breach', 'It happened.', 'nowhere') $$,
  'PT404', 'There is no such university.', 'and a university is one that there is'
);

select results_eq(
  $$ select owner, status::text from public.assign_incident((select id from recorded)) $$,
  $$ values (tests.id_of('sam'), 'open') $$, 'without an owner it is the caller''s'
);
select is(
  (public.assign_incident((select id from recorded), tests.id_of('sid'), 'You were there.')).owner, tests.id_of('sid'),
  'with one it is that administrator''s'
);
select is(
  tests.last_entry((select id from recorded)) - 'at',
  jsonb_build_object('event', 'assigned', 'by', tests.id_of('sam'), 'owner', tests.id_of('sid'), 'note', 'You were there.'),
  'and the timeline says who gave it to whom'
);
select throws_ok(
  $$ select public.assign_incident((select id from recorded), tests.id_of('cora')) $$, 'PT404', null, 'it is given to no counselor'
);
select is(
  (public.add_incident_note((select id from recorded), ' It is encrypted. ')).timeline -> -1 ->> 'note', 'It is encrypted.',
  'a note is kept'
);
select throws_ok($$ select public.add_incident_note((select id from recorded), ' ') $$, 'PT400', null, 'and says something');
select throws_ok(
  $$ select public.reopen_incident((select id from recorded), 'Again.') $$, 'PT409', null, 'what goes on need not be reopened'
);
select lives_ok(
  $$ select public.change_incident((select id from recorded), 'resolved'), public.change_incident((select id from recorded), 'closed') $$,
  'what was dealt with is closed'
);
select throws_ok(
  $$ select public.change_incident((select id from recorded), 'investigating') $$, 'PT400', 'What is closed is reopened with a reason.',
  'what is closed is not opened without a reason'
);
select throws_ok(
  $$ select public.change_incident((select id from recorded), 'contained') $$, 'PT409', null, 'nor becomes anything else'
);
select results_eq(
  $$ select status::text, ended_at, timeline -> -1 ->> 'event', timeline -> -1 ->> 'note'
    from public.reopen_incident((select id from recorded), 'The key was with it.') $$,
  $$ values ('investigating', null::timestamptz, 'reopened', 'The key was with it.') $$, 'with one it goes on'
);
select tests.act_as_owner();

select private.open_incident('suspicious_activity', 'low', 'Twice', 'It happens twice.', key => 'twice');
create temporary table twice as select id from public.security_incidents where key = 'twice';
grant select on twice to authenticated;
select tests.act_as(tests.id_of('sam'));
select lives_ok($$ select public.change_incident((select id from twice), 'resolved') $$, 'what detection saw is resolved');
select tests.act_as_owner();
select private.open_incident('suspicious_activity', 'low', 'Twice', 'It happens twice.', key => 'twice');
select tests.act_as(tests.id_of('sam'));
select throws_ok(
  $$ select public.reopen_incident((select id from twice), 'Again.') $$, 'PT409',
  'It goes on as another incident, which is active: deal with that one.', 'what goes on as another incident is one of them'
);
select tests.act_as_owner();

set constraints all immediate;
select results_eq(
  $$ select coalesce(details ->> 'event', ''), actor_id, university_id, before ->> 'status', after ->> 'status'
    from private.audit_log where target_id = (select id from recorded) order by id $$,
  $$ values
    ('', tests.id_of('sam'), 'hillside', null, 'open'),
    ('', tests.id_of('sam'), 'hillside', null, null),
    ('', tests.id_of('sam'), 'hillside', null, null),
    ('note_added', tests.id_of('sam'), 'hillside', null, null),
    ('', tests.id_of('sam'), 'hillside', 'open', 'resolved'),
    ('', tests.id_of('sam'), 'hillside', 'resolved', 'closed'),
    ('', tests.id_of('sam'), 'hillside', 'closed', 'investigating') $$,
  'the audit log names the person at every step'
);
create temporary table owners as
select row_number() over (order by id) as place, before ->> 'owner' as before, after ->> 'owner' as after
from private.audit_log where target_id = (select id from recorded) and before ? 'owner';
select results_eq(
  'select o.before is null, p.before = o.after, p.after <> p.before from owners o join owners p on o.place = 1 and p.place = 2',
  'values (true, true, true)', 'and tells the owners before and after apart'
);

-- The grid of Studio.
create function tests.refuses(statement text, about text, problem text) returns text
language sql as $$ select throws_like(statement, problem, about) $$;
select tests.refuses(
  $$ insert into public.security_incidents (type, severity, title, description) values ('data_breach', 'high', 'A breach', 'Seen.') $$,
  'who records in the grid is told what to call', 'Record an incident with record_incident%'
);
select tests.refuses(
  $$ update public.security_incidents set status = 'resolved' where id = (select id from recorded) $$,
  'as is who changes the status', 'Change an incident with change_incident%'
);
select tests.refuses(
  $$ update public.security_incidents set owner = tests.id_of('sam') where id = (select id from recorded) $$,
  'the owner', 'Change an incident with change_incident, add_incident_note or assign_incident%'
);
select tests.refuses(
  $$ update public.security_incidents set severity = 'low', title = 'Nothing' where id = (select id from recorded) $$,
  'or makes it small', 'Change an incident with change_incident%'
);
select tests.refuses(
  $$ update public.security_incidents set aware_at = now() where id = (select id from recorded) $$,
  'or gains time', 'Change an incident with change_incident%'
);
select tests.refuses(
  $$ update public.security_incidents set timeline = '{}' where id = (select id from recorded) $$,
  'a timeline is an array', 'The timeline of an incident is append-only.'
);
select tests.refuses(
  $$ update public.security_incidents set timeline = timeline || '[{"event": "note_added", "at": "now", "by": "Sam"}]'::jsonb where id = (select id from recorded) $$,
  'whose entries others can read', 'An entry of timeline is like %'
);
create function tests.responded(response jsonb) returns text
language sql as $$
  select format(
    'update public.security_incidents set response = %L, timeline = timeline || private.incident_entry(''response'') where id = %L',
    jsonb_build_array('{"status": "done", "undone": false, "at": "2026-11-28T09:30:00Z"}'::jsonb || response), (select id from recorded)
  )
$$;
select tests.refuses(
  tests.responded('{"action": "disable_user", "target": "ada@hillside.example.edu"}'), 'a target that is no account', 'An entry of response has %'
);
select tests.refuses(tests.responded('{"action": "block_ip", "target": "the office"}'), 'or no address', 'An entry of response has %');
select tests.refuses(tests.responded('{"action": "block_ip", "target": null}'), 'or missing', 'An entry of response has %');
select tests.refuses(tests.responded('{"action": "shout", "target": null}'), 'an action that there is not', 'An entry of response has %');
select tests.refuses(tests.responded('{"action": "backup", "target": null, "at": "today"}'), 'a time that is none', 'An entry of response has %');
select lives_ok(tests.responded('{"action": "block_ip", "target": "203.0.113.7"}'), 'what fits is kept');
select tests.refuses(
  $$ update public.security_incidents set indicators = '{"addresses": ["the office"]}' where id = (select id from recorded) $$,
  'an address that is none', 'indicators.addresses is an array of IP addresses%'
);
select tests.refuses(
  $$ update public.security_incidents set indicators = '{"addresses": "203.0.113.7"}' where id = (select id from recorded) $$,
  'one that is in no array', 'indicators.addresses is an array of IP addresses%'
);
select tests.refuses(
  $$ update public.security_incidents set indicators = '{"period": "soon"}' where id = (select id from recorded) $$,
  'a period that is none', 'indicators.period is a time %'
);
select tests.refuses(
  $$ update public.security_incidents set indicators = '[]' where id = (select id from recorded) $$,
  'indicators that are no object', 'timeline and response are JSON arrays; %'
);
select lives_ok(
  $$ insert into public.security_incidents (type, severity, title, description, key, timeline)
    values ('data_breach', 'low', 'Typed', 'By hand.', 'second_factor:somebody', '[{"event": "detected", "at": "2026-11-28T09:30:00Z"}]') $$,
  'a key that names nobody warns nobody'
);
select lives_ok('delete from auth.users where id = tests.id_of(''sid'')', 'whoever leaves leaves their incidents to nobody');

insert into storage.buckets (id, name) values ('university-files', 'university-files') on conflict do nothing;
insert into public.audit_logs (id, occurred_at, previous_hash, hash, action, actor_role, target_type, target_id, before, after)
values (0, now(), '', '', 'settings_changed', 'postgres', 'detection_rules', 'flood', '{"threshold": 200}', '{"threshold": "many"}');
select lives_ok('select private.detect_incidents()', 'an entry of the audit log that was typed stops no detection');
select lives_ok(
  $$ insert into storage.objects (bucket_id, name, owner_id) values ('university-files', 'hillside/resources/a.pdf', 'nobody') $$,
  'nor does an owner that is no account stop a file'
);

select * from finish();
