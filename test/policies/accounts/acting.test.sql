-- Acting under one's own name at the database, and what is done there by hand.
select plan(31);

set constraints all immediate;
create function tests.latest()
returns private.audit_log
language sql
as $$ select * from private.audit_log order by id desc limit 1 $$;
create function tests.caller()
returns uuid
language sql
security definer
as $$ select private.current_account() $$;

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('sam', tests.new_student('sam@elsewhere.example.com')),
  ('sid', tests.new_student('sid@elsewhere.example.com'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('sam'), 'security_admin', null),
  (tests.id_of('sid'), 'security_admin', null);

-- Somebody must be stated.
select throws_matching($$ select private.require_security_admin() $$, 'Only security administrators do this', 'nobody acts without a name');
select is(private.current_account(), null, 'as nobody is the caller');
set local app.acting_for = 'ada@hillside.example.edu';
select throws_matching(
  $$ select private.current_account() $$, 'app.acting_for names nobody who works here', 'nobody acts as a student'
);
set local app.acting_for = 'nobody@hillside.example.edu';
select throws_matching($$ select private.current_account() $$, 'names nobody who works here', 'or as an address without an account');
set local app.acting_for = 'uma@hillside.example.edu';
select is(private.current_account(), tests.id_of('uma'), 'a person of the staff is stated by their address');
select ok(not private.is_security_admin(), 'and has no role but their own');
select lives_ok($$ select private.require_administrator('hillside') $$, 'an administrator of a university acts there');
select throws_matching(
  $$ select private.require_administrator('lakeview') $$, 'own administrators do this', 'and nowhere else'
);
select ok(not public.set_retention('clinical_reviews', '4 years'), 'nor as more than that');
set local app.acting_for = ' Sam@Elsewhere.example.com ';
select ok(public.set_retention('clinical_reviews', '4 years'), 'a security administrator changes a term');
select results_eq(
  $$ select action::text, target_id, actor_id, actor_role = session_user, after ->> 'keep' from tests.latest() $$,
  $$ select 'settings_changed', 'clinical_reviews', tests.id_of('sam'), true, '4 years' $$,
  'which the audit log has under their name, beside the role of the database'
);
update auth.users set banned_until = now() + interval '1 day' where id = tests.id_of('uma');
set local app.acting_for = 'uma@hillside.example.edu';
select throws_matching($$ select private.current_account() $$, 'names nobody who works here', 'nobody acts as somebody who is banned');
set local app.acting_for = '';
select is(private.actor(), null, 'the name ends with the transaction, or when it is taken back');

-- What a request states about itself is its token.
select tests.act_as(tests.id_of('ada'));
set local app.acting_for = 'sam@elsewhere.example.com';
select is(tests.caller(), tests.id_of('ada'), 'whoever is signed in is nobody else');
select tests.act_as_owner();
set local app.acting_for = '';

-- By hand, as Studio''s grid writes.
insert into checkin.check_ins (id, user_id, type, status, completed_at, submitted_at, risk_level)
select '00000000-0000-4000-8000-00000000c001', tests.id_of('ada'), (enum_range(null::public.assessment_type))[1], 'complete', now(), now(), 'moderate';
select is((tests.latest()).action::text, 'edited_by_hand', 'a check-in that is typed in is logged');
select is((tests.latest()).subject_id, tests.id_of('ada'), 'with whose it is');
set local app.reason = 'A ticket of the support desk.';
update checkin.check_ins set risk_level = 'high' where user_id = tests.id_of('ada');
select results_eq(
  $$ select target_id, before, after, details ->> 'reason' from tests.latest() $$,
  $$
    values (
      '00000000-0000-4000-8000-00000000c001', '{"risk_level": "…"}'::jsonb, '{"risk_level": "…"}'::jsonb, 'A ticket of the support desk.'
    )
  $$,
  'as is a change, by which columns, never what they say of the student, and why'
);
select ok((tests.latest()).details ? 'application', 'and with which program');
update checkin.check_ins set risk_level = 'high' where user_id = tests.id_of('ada');
select results_eq($$ select count(*) from private.audit_log where details ->> 'reason' is not null $$, $$ values (1::bigint) $$,
  'what changes nothing is not logged');
insert into private.worrying_days (user_id, day)
select tests.id_of('ada'), date '2026-01-01' + n from generate_series(0, 30) as n;
select results_eq(
  $$ select target_type, target_id, before, after, details ->> 'rows', details ->> 'operation' from tests.latest() $$,
  $$ values ('worrying_days', null, null::jsonb, null::jsonb, '31', 'insert') $$,
  'a statement about many rows leaves one entry'
);
delete from checkin.check_ins where user_id = tests.id_of('ada');
select is((tests.latest()).target_type, 'check_ins', 'what is removed is logged');
set local application_name = 'pg_cron';
update private.worrying_days set day = day - 1 where user_id = tests.id_of('ada');
select is((tests.latest()).target_type, 'check_ins', 'what cron does is not done by hand');
set local application_name = 'Studio';

-- History stays.
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid());
select throws_matching($$ delete from public.clinical_reviews $$, 'close it instead', 'a review is not deleted');
select throws_ok($$ truncate public.clinical_reviews cascade $$, '23001', null, 'nor all of them');
select private.open_incident('brute_force_attacks', 'high', 'An invented attack', 'It is invented.', key => 'invented');
select throws_matching($$ delete from public.security_incidents $$, 'close it instead', 'nor an incident');
select throws_matching($$ delete from public.security_policies $$, 'disable it instead', 'nor a policy');
insert into public.compliance_assessments (id, framework, started_at, ended_at, controls, evidence, hash)
values ('cas_invented', 'soc2', now(), now(), '[]', '[]', decode(repeat('00', 32), 'hex'));
select throws_matching($$ delete from public.compliance_assessments $$, 'make another one', 'nor an assessment');
select tests.act_for(tests.id_of('cora'));
update public.clinical_reviews
set status = 'claimed', claimed_by = tests.id_of('cora') where user_id = tests.id_of('ada');
update public.clinical_reviews set status = 'closed', closed_by = tests.id_of('cora') where user_id = tests.id_of('ada');
select tests.act_for(null);
select ok(private.purge_kind('clinical_reviews', now() + interval '10 years', 100) > 0, 'until its term ends');
delete from auth.users where id = tests.id_of('ben');
select is((select count(*) from public.profiles where user_id = tests.id_of('ben')), 0::bigint, 'a person''s rows go with the account');

-- A number tells two people apart, and names nobody.
set local app.acting_for = 'sam@elsewhere.example.com';
select public.assign_incident(id) from public.security_incidents where key = 'invented';
select public.assign_incident(id, tests.id_of('sid')) from public.security_incidents where key = 'invented';
set local app.acting_for = '';
select results_eq(
  $$ select before ->> 'owner', after ->> 'owner' from tests.latest() $$,
  $$ select private.mark_of(tests.id_of('sam')::text), private.mark_of(tests.id_of('sid')::text) $$,
  'an entry tells from whom to whom something went'
);
select isnt((tests.latest()).before, (tests.latest()).after, 'by marks that differ');
