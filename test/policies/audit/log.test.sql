-- The audit log: what writes it, that nobody changes it, and that tampering is found.
select plan(98);

set constraints all immediate;
create function tests.latest()
returns private.audit_log
language sql
as $$ select * from private.audit_log where action <> 'edited_by_hand' order by id desc limit 1 $$;
create function tests.problem()
returns text
language sql
as $$ select problem from public.verify_audit_chain() $$;

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('sam', tests.new_student('sam@elsewhere.example.com'));
-- Entries of this story are those after here.
create temporary table start as select entries as id from private.audit_head;
grant select on start to public;
create function tests.written()
returns bigint
language sql
as $$ select count(*) from public.audit_logs where id > (select id from start) $$;

-- Roles.
select is(tests.written(), 0::bigint, 'the student role that comes with an account is not logged');
insert into public.user_roles (user_id, role, university_id)
values (tests.id_of('cora'), 'counselor', 'hillside');
select results_eq(
  $$ select action::text, university_id, target_type, target_id, before, after from tests.latest() $$,
  $$
    select 'role_granted', 'hillside', 'user_roles', tests.id_of('cora')::text, null::jsonb,
      '{"role": "counselor", "university_id": "hillside"}'::jsonb
  $$,
  'granting a role is logged, with whose and where'
);
update public.user_roles set university_id = 'lakeview' where user_id = tests.id_of('cora') and role = 'counselor';
select results_eq(
  $$ select action::text, university_id from private.audit_log where action <> 'edited_by_hand' order by id desc limit 2 $$,
  $$ values ('role_granted', 'lakeview'), ('role_revoked', 'hillside') $$,
  'one that is changed is revoked and granted'
);
update public.user_roles set role = 'student' where user_id = tests.id_of('cora') and role = 'counselor';
select is((tests.latest()).after ->> 'role', 'student', 'also when what remains is the student role');
update public.user_roles set role = 'counselor', university_id = 'hillside'
where user_id = tests.id_of('cora') and university_id = 'lakeview';
select is((tests.latest()).after ->> 'role', 'counselor', 'or when a student role becomes another');
delete from public.user_roles where user_id = tests.id_of('cora') and role = 'counselor';
select results_eq(
  $$ select action::text, before, after from tests.latest() $$,
  $$ values ('role_revoked', '{"role": "counselor", "university_id": "hillside"}'::jsonb, null::jsonb) $$,
  'and revoking one, with what it was'
);
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('sam'), 'security_admin', null);
select is(
  (select count(*) from private.audit_log where action = 'role_granted' and target_id = tests.id_of('sam')::text), 1::bigint,
  'each row of a statement has an entry'
);
select results_eq(
  $$ select actor_id, actor_role from tests.latest() $$, $$ select null::uuid, session_user::text collate "default" $$,
  'what an operator does has no account, and the role of the database'
);

-- Universities.
select tests.act_as(tests.id_of('uma'));
select set_config(
  'request.headers',
  '{"x-forwarded-for": "198.51.100.1, 192.0.2.7", "cf-connecting-ip": "192.0.2.7", "user-agent": "a browser", "x-request-id": "r-1"}',
  true
);
update public.universities set name = 'Hillside', support_email = 'help@hillside.example.edu' where id = 'hillside';
select tests.act_as_owner();
select results_eq(
  $$ select action::text, actor_id, actor_role, university_id, target_type, target_id from tests.latest() $$,
  $$ select 'university_changed', tests.id_of('uma'), 'postgres', 'hillside', 'universities', 'hillside' $$,
  'a change of a university is logged, with who did it'
);
select results_eq(
  $$ select before, after from tests.latest() $$,
  $$
    values (
      '{"name": "Hillside University (invented)", "support_email": null}'::jsonb,
      '{"name": "Hillside", "support_email": "help@hillside.example.edu"}'::jsonb
    )
  $$,
  'before and after hold the columns that changed, and no others'
);
select results_eq(
  $$ select host(ip), user_agent, request_id from tests.latest() $$, $$ values ('192.0.2.7', 'a browser', 'r-1') $$,
  'with where the gateway said that it came from, not what the client wrote'
);
select set_config('request.headers', '{"cf-connecting-ip": "<script>", "x-client-address": "192.0.2.7 00", "user-agent": "' || repeat('a', 9000) || '"}', true);
update public.universities set name = 'Hillside U' where id = 'hillside';
select results_eq(
  $$ select ip, char_length(user_agent), request_id from tests.latest() $$, $$ values (null::inet, 500, null::text) $$,
  'what it said is cut to size, and an address that is none, or that no function attests, is left out'
);
select vault.create_secret('secret-of-the-functions', 'pipeline_secret')
where not exists (select from vault.secrets where name = 'pipeline_secret');
select set_config(
  'request.headers',
  jsonb_build_object(
    'cf-connecting-ip', '198.51.100.1',
    'x-client-address', '192.0.2.9 ' || encode(extensions.hmac('x-client-address 192.0.2.9', decrypted_secret, 'sha256'), 'hex')
  )::text,
  true
)
from vault.decrypted_secrets
where name = 'pipeline_secret';
update public.universities set name = 'Hillside Uni' where id = 'hillside';
select is(
  (select host(ip) from tests.latest()), '192.0.2.9', 'a function says for whom it asks, with a proof that only it can give'
);
select set_config('request.headers', '', true);
insert into public.universities (id, name, short_name, domain)
values ('seaside', 'Seaside (invented)', 'Seaside', 'seaside.example.edu');
select results_eq(
  $$ select action::text, before is null, after ->> 'domain' from tests.latest() $$,
  $$ values ('university_added', true, 'seaside.example.edu') $$,
  'a university that is added is logged as it is'
);
delete from public.universities where id = 'seaside';
select results_eq(
  $$ select action::text, before ->> 'domain', after is null from tests.latest() $$,
  $$ values ('university_removed', 'seaside.example.edu', true) $$,
  'and one that is removed as it was'
);

-- Settings.
update private.rate_limit_rules set requests = requests + 1 where scope = 'bulk';
select results_eq(
  $$ select action::text, target_type, target_id, before, after from tests.latest() $$,
  $$ values ('settings_changed', 'rate_limit_rules', 'bulk', '{"requests": 5}'::jsonb, '{"requests": 6}'::jsonb) $$,
  'a rate limit that an operator changes is logged'
);
insert into private.crisis_contacts (university_id, email) values ('hillside', 'on-call@hillside.example.edu');
select results_eq(
  $$ select university_id, target_type, before, after ->> 'email' from tests.latest() $$,
  $$ values ('hillside', 'crisis_contacts', null::jsonb, '…') $$,
  'as is a crisis contact'
);
delete from private.crisis_contacts;
select results_eq(
  $$ select target_type, before ->> 'email', after from tests.latest() $$,
  $$ values ('crisis_contacts', '…', null::jsonb) $$,
  'and one that is taken away'
);
update private.messaging_settings set max_attempts = max_attempts + 1;
select is((tests.latest()).target_type, 'messaging_settings', 'and the settings of messages');
update private.pipeline_settings set max_attempts = max_attempts + 1;
select is((tests.latest()).target_type, 'pipeline_settings', 'and of the pipeline');

-- Sign-ins.
insert into auth.sessions (id, user_id, created_at, updated_at, ip, user_agent)
values (gen_random_uuid(), tests.id_of('ada'), now(), now(), '203.0.113.9', 'a phone');
select results_eq(
  $$ select action::text, actor_id, university_id, host(ip), user_agent from tests.latest() $$,
  $$ select 'signed_in', tests.id_of('ada'), 'hillside', '203.0.113.9', 'a phone' $$,
  'a sign-in is logged as the person''s, with the address that Auth stores'
);

-- Reviews.
select private.open_clinical_review(tests.id_of('ada'), 'session', '00000000-0000-4000-8000-00000000000a');
select is((tests.latest()).action::text, 'review_opened', 'a review that opens is logged');
select tests.act_as(tests.id_of('cora'));
select public.claim_review(id) from public.review_queue();
select tests.act_as_owner();
select results_eq(
  $$ select action::text, actor_id, target_type, before ->> 'status', after ->> 'status', subject_id from tests.latest() $$,
  $$
    select 'review_changed', tests.id_of('cora'), 'clinical_reviews', 'open', 'claimed',
      tests.id_of('ada')
  $$,
  'a review that is claimed is logged, with whose it is'
);

-- Deferred.
set constraints all deferred;
create temporary table before_change as select entries from private.audit_head;
update public.universities set name = 'One' where id = 'hillside';
update public.universities set name = 'Two' where id = 'hillside';
select is((select entries from private.audit_head), (select entries from before_change), 'entries are written when the transaction ends');
set constraints all immediate;
select results_eq(
  $$ select before ->> 'name', after ->> 'name' from private.audit_log order by id desc limit 2 $$,
  $$ values ('One', 'Two'), ('Hillside Uni', 'One') $$,
  'one for each change, in their order'
);

-- Undone.
savepoint undone;
update public.universities set name = 'Never' where id = 'hillside';
select is((tests.latest()).after ->> 'name', 'Never', 'a change that is then undone');
rollback to savepoint undone;
select is((tests.latest()).after ->> 'name', 'Two', 'leaves no entry');
select private.audit('sign_in_failed');
select is((tests.latest()).id, (select count(*) from public.audit_logs), 'and no gap');
select is(tests.problem(), null, 'so that the chain is intact');

-- Place, time and hashes are the database's.
insert into public.audit_logs (id, occurred_at, action, actor_role, previous_hash, hash)
values (1, '2001-01-01', 'data_exported', 'anon', '\xaa', '\xbb');
select results_eq(
  $$ select id, occurred_at > now(), octet_length(hash) from tests.latest() $$,
  $$ select entries, true, 32 from private.audit_head $$,
  'an entry''s place, time and hash are set for it, whatever the statement says'
);

-- Nobody changes or removes an entry.
create function tests.attempt(as_role name, statement text)
returns text
language plpgsql
as $$
begin
  perform set_config('role', as_role, true);
  execute statement;
  perform set_config('role', 'none', true);
  return 'allowed';
exception
  when insufficient_privilege then
    perform set_config('role', 'none', true);
    return 'denied';
end
$$;
select is(tests.attempt(r, s), 'denied', format('%s: %s', r, s))
from unnest(array['anon', 'authenticated', 'service_role', 'postgres', 'supabase_admin']) r
cross join unnest(array[
  'update public.audit_logs set actor_role = null',
  'delete from public.audit_logs',
  'truncate public.audit_logs',
  'update private.audit_identities set account_id = null',
  'delete from private.audit_identities',
  'truncate private.audit_identities'
]) s;
select is(
  tests.attempt(
    r,
    $$ insert into public.audit_logs (id, occurred_at, action, actor_role, previous_hash, hash)
       values (0, now(), 'data_exported', 'x', '', '') $$
  ),
  'denied',
  format('%s does not write an entry of their own', r)
)
from unnest(array['anon', 'authenticated', 'service_role']) r;
select is(
  tests.attempt(r, $$ select private.audit('data_exported') $$), 'denied', format('%s does not call what writes them', r)
)
from unnest(array['anon', 'authenticated', 'service_role']) r;
select is(
  tests.attempt('service_role', 'select * from private.audit_head'), 'denied', 'nor does the secret key reach the end of the chain'
);

-- Who reads it.
select tests.act_as(tests.id_of('uma'));
select is_empty('select id from public.read_audit_log()', 'who is no security administrator reads nothing');
select is_empty('select 1 from public.verify_audit_chain()', 'and verifies nothing');
select is_empty('select id from public.audit_logs', 'and selects nothing from the table');
select tests.act_as(tests.id_of('sam'));
select results_eq(
  $$ select action::text, target_id from public.read_audit_log(action => 'university_added', page_limit => 1) $$,
  $$ values ('university_added', 'seaside') $$,
  'a security administrator reads it'
);
select is_empty('select id from public.read_audit_log(before_entry => 1)', 'page by page');
select results_eq('select intact from public.verify_audit_chain()', 'values (true)', 'and verifies it');
select tests.act_as_owner();

-- Somebody who can disable triggers can change the log, but not unnoticed.
create function tests.problem_after(statement text, from_entry bigint default 1)
returns text
language plpgsql
as $$
declare
  found text;
begin
  begin
    set local session_replication_role = replica;
    execute statement;
    select case when v.broken_at is null then v.problem else v.broken_at || ': ' || v.problem end
    into found
    from public.verify_audit_chain(from_entry) v;
    raise exception using errcode = 'P0099';
  exception
    when sqlstate 'P0099' then null;
  end;
  return replace(found, (select id + 2 from start)::text || ': ', 'here: ');
end
$$;
create function tests.here() returns bigint language sql as $$ select id + 2 from start $$;
select is(
  tests.problem_after('update public.audit_logs set ' || change || ' where id = tests.here()'), 'here: was changed',
  'a changed entry is found: ' || change
)
from unnest(array[
  'actor_hash = sha256(''x'')', 'subject_hash = sha256('''')', 'occurred_at = occurred_at + interval ''1 microsecond''', 'action = ''data_exported''',
  'details = ''{"x": 1}'''
]) change;
create temporary table named as select min(entry) as id from private.audit_identities where entry > (select id from start);
select is(
  replace(tests.problem_after('update private.audit_identities set ' || change || ' where entry = (select id from named)'), (select id from named)::text, 'it'),
  'it: who it names was changed',
  'somebody else in an entry is found: ' || change
)
from unnest(array['account_id = gen_random_uuid()', 'ip = ''192.0.2.0/24''', 'user_agent = ''x''']) change;
select is(
  tests.problem_after('delete from private.audit_identities where entry = (select id from named)'), null,
  'one that names nobody any more is intact'
);
select is(
  tests.problem_after('delete from public.audit_logs where id = tests.here()'),
  (select id + 3 from start) || ': an entry is missing before this one',
  'one that is removed is found by the next'
);
select is(
  tests.problem_after($$
    delete from public.audit_logs where id = tests.here();
    -- In two steps, because an update meets rows in their physical order, which need not be that of their ids.
    update public.audit_logs set id = -id where id > tests.here();
    update public.audit_logs set id = -id - 1 where id < 0;
  $$),
  'here: does not follow the entry before it',
  'also when the others close up'
);
select is(
  tests.problem_after('delete from public.audit_logs where id >= tests.here()'), 'entries are missing at the end',
  'a removed end is found'
);
select is(
  tests.problem_after($$
    delete from public.audit_logs where id > tests.here();
    set local session_replication_role = origin;
    select private.audit('sign_in_failed');
  $$),
  (select entries + 1 from private.audit_head) || ': an entry is missing before this one',
  'also when entries are written after it'
);
select is(
  tests.problem_after('update private.audit_head set entries = entries + 1'), 'entries are missing at the end',
  'an end that counts otherwise is found'
);
select is(tests.problem_after('delete from private.audit_head'), 'the end of the chain is missing', 'and one that is gone');
select is(tests.problem_after('truncate public.audit_logs'), 'entries are missing at the end', 'as is a log that was emptied');
select is(
  tests.problem_after($$
    update public.audit_logs set id = -1 where id = tests.here();
    update public.audit_logs set id = tests.here() where id = tests.here() + 1;
    update public.audit_logs set id = tests.here() + 1 where id = -1;
  $$),
  'here: does not follow the entry before it',
  'and two that changed places'
);
select is(tests.problem(), null, 'and none of it is there when it was undone');

-- From the last proved entry on.
select is(
  (select verified_through from public.verify_audit_chain()), (select entries from private.audit_head),
  'what was found intact is proved, up to the end'
);
select private.audit('sign_in_failed');
select is(
  tests.problem_after('update public.audit_logs set actor_role = ''x'' where id = tests.here()', null), null,
  'what was proved is not read again'
);
select is(
  tests.problem_after('update public.audit_logs set actor_role = ''x'' where id = (select entries from private.audit_head)', null),
  (select entries from private.audit_head) || ': was changed',
  'what came after it is'
);
select is(
  tests.problem_after('update private.audit_proof set hash = sha256(hash)', null),
  (select entries from private.audit_proof) || ': was changed',
  'and the proved end must still have the hash that was proved'
);

-- From an entry on.
select is(
  tests.problem_after('update public.audit_logs set actor_role = ''x'' where id = tests.here()', (select id + 3 from start)), null,
  'what stands before the entry asked from is not read again'
);
select is(
  tests.problem_after('update public.audit_logs set actor_role = ''x'' where id = tests.here()', tests.here()), 'here: was changed',
  'the entry itself is'
);
select is(
  tests.problem_after('delete from public.audit_logs where id = tests.here()', tests.here()),
  (select id + 3 from start) || ': an entry is missing before this one',
  'and missed when it is gone'
);

select * from finish();
