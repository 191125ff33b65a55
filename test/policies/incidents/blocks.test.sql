-- What is in force, whoever ordered it, and how it is taken back.
select plan(25);

insert into people
values ('cora', tests.new_student('cora@hillside.example.edu')), ('sam', tests.new_student('sam@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values (tests.id_of('cora'), 'counselor', 'hillside'), (tests.id_of('sam'), 'security_admin', null);

create function tests.refuses_block(call text, about text) returns text
language sql as $$ select throws_ok('select ' || call, '42501', 'Only security administrators do this.', about) $$;
select tests.act_as(tests.id_of('cora'));
select tests.refuses_block('public.list_blocks()', 'a counselor sees no blocks');
select tests.refuses_block($$ public.lift_block('quarantine', '*', 'Enough.') $$, 'lifts none');
select tests.refuses_block($$ public.look_up_address('203.0.113.7') $$, 'looks up no address');
select tests.refuses_block('public.incident_transitions()', 'and needs not know how incidents go');
select tests.act_as_owner();

create temporary table opened as
select private.open_incident('suspicious_activity', 'low', 'Guessing', 'Somebody guesses.', key => 'guessing') as id;
grant select on opened to authenticated;
select private.disable_account(tests.id_of('ben'), 'Security policy: Night');
select private.block_address('198.51.100.9', null, 'By hand');

select tests.act_as(tests.id_of('sam'));
select public.respond_to_incident(o.id, 'block_ip', '203.0.113.7'), public.respond_to_incident(o.id, 'disable_user', tests.id_of('ada')::text),
  public.respond_to_incident(o.id, 'quarantine', 'export-data')
from opened o;
select results_eq(
  $$ select b.action, b.target, b.reason, b.incident_id, b.is_active from public.list_blocks() b order by 1, 2 $$,
  $$ select *
    from (
      values
        ('block_ip', '198.51.100.9/32', 'By hand', null, true),
        ('block_ip', '203.0.113.7/32', 'Guessing', (select id from opened), true),
        ('disable_user', tests.id_of('ada')::text, 'Guessing', (select id from opened), true),
        ('disable_user', tests.id_of('ben')::text, 'Security policy: Night', null, true),
        ('quarantine', 'export-data', 'Guessing', (select id from opened), true)
    ) v
    order by 1, 2 $$,
  'a security administrator sees what is in force: of incidents, of policies and by hand'
);
select throws_ok($$ select public.lift_block('block_ip', '203.0.113.7', ' ') $$, 'PT400', null, 'it is lifted with a reason');
select throws_ok($$ select public.lift_block('block_ip', 'the office', 'Enough.') $$, 'PT400', null, 'of something');
select throws_ok($$ select public.lift_block('disable_user', 'ada', 'Enough.') $$, 'PT400', null, 'that fits');
select throws_ok($$ select public.lift_block('backup', 'export-data', 'Enough.') $$, 'PT400', null, 'and can be lifted');
select throws_ok($$ select public.lift_block(null, null, 'Enough.') $$, 'PT400', null, 'nothing is nothing');

select is(
  public.lift_block('block_ip', '203.0.113.7', ' The lecture hall. ') - 'not_reached',
  '{"action": "block_ip", "target": "203.0.113.7", "undone": true, "status": "done"}', 'what an incident ordered is lifted'
);
select results_eq(
  $$ select timeline -> -2 ->> 'event', timeline -> -2 ->> 'note', timeline -> -2 ->> 'by', timeline -> -1 ->> 'event',
      timeline -> -1 ->> 'target', timeline -> -1 ->> 'undone'
    from public.security_incidents where id = (select id from opened) $$,
  $$ values ('note_added', 'The lecture hall.', tests.id_of('sam')::text, 'response', '203.0.113.7', 'true') $$,
  'and its timeline says who did, and why'
);
select is(
  (select is_active from public.list_blocks() where target = '203.0.113.7/32'), false, 'the address is listed as one that was blocked'
);
select public.lift_block('disable_user', upper(tests.id_of('ben')::text), 'It was the night shift.');
select public.lift_block('block_ip', '198.51.100.9', 'Mistyped.');
select is_empty(
  $$ select from public.list_blocks() where target in ('198.51.100.9/32', tests.id_of('ben')::text) and is_active $$,
  'what a policy or somebody by hand ordered is lifted too'
);
select is(public.lift_block('disable_user', tests.id_of('ben')::text, 'Again.') ->> 'status', 'done', 'doing it again changes nothing');
select tests.act_as_owner();
set constraints all immediate;
select results_eq(
  $$ select details ->> 'action', details ->> 'reason', actor_id, subject_id from private.audit_log
    where action = 'response_action' and details ? 'reason' order by id $$,
  $$ values
    ('disable_user', 'It was the night shift.', tests.id_of('sam'), tests.id_of('ben')),
    ('block_ip', 'Mistyped.', tests.id_of('sam'), null) $$,
  'and the audit log names who did, once'
);
set constraints all deferred;
select is((select banned_until from auth.users where id = tests.id_of('ben')), null, 'the account can be signed in to');

-- A timeline that is full keeps nobody blocked.
select tests.past(format(
  $$ update public.security_incidents set timeline = (select jsonb_agg(e) from (select timeline -> 0 as e from generate_series(1, 985)) s) where id = %L $$,
  (select id from opened)
));
select tests.act_as(tests.id_of('sam'));
select is(
  public.lift_block('quarantine', 'export-data', 'It is mended.') ->> 'status', 'done', 'what an incident without room ordered is lifted'
);
select is_empty($$ select from public.list_blocks() where action = 'quarantine' $$, 'all the same');

-- Before a block.
select set_config('request.headers', '{"cf-connecting-ip": "203.0.113.9"}', true);
select tests.act_as_owner();
select private.note_security_event('sign_in_succeeded', tests.id_of('ada'), '2001:db8::1', times => 2),
  private.note_security_event('sign_in_failed', tests.id_of('ben'), '2001:db8::2'),
  private.note_security_event('sign_in_succeeded', tests.id_of('ben'), '2001:db8:0:1::1');
select tests.act_as(tests.id_of('sam'));
select is(
  public.look_up_address('2001:db8::7'),
  '{"network": "2001:db8::/64", "kind": null, "problem": null, "is_own": false, "blocked": null,
    "last_day": {"accounts": 1, "sign_ins": 2, "failed_sign_ins": 1}}',
  'an administrator sees what a block would reach'
);
select ok((public.look_up_address('203.0.113.9') ->> 'is_own')::boolean, 'whether it would reach themselves');
select is(public.look_up_address('203.0.113.7') -> 'blocked' ->> 'times', '1', 'whether there was one');
select is(public.look_up_address('10.0.0.1') ->> 'kind', 'platform', 'whose network it is');
select alike(public.look_up_address('10.0.0.1') ->> 'problem', 'This network is known%', 'and why there can be none');
select is(
  public.incident_transitions(),
  '{"open": ["investigating", "contained", "resolved"], "investigating": ["contained", "resolved"], "contained": ["investigating", "resolved"],
    "resolved": ["investigating", "closed"], "closed": ["investigating"]}',
  'an app is told how incidents go'
);

select * from finish();
