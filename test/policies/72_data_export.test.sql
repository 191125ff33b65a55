-- What a student exports: everything of theirs, nothing of anybody else's.
-- covers: public.export_my_data, private.export_data
select plan(24);

create function tests.exports()
returns bigint
language sql
security definer
as $$ select count(*) from public.audit_logs where action = 'data_exported' $$;

update public.profiles set first_name = 'Ada' where user_id = tests.id_of('ada');
insert into public.consents (user_id, kind, version) values (tests.id_of('ada'), 'text', '2026-11'), (tests.id_of('ben'), 'text', '2026-11');
insert into public.consents (user_id, kind, version) values (tests.id_of('ada'), 'support_circle', '2026-11'), (tests.id_of('ben'), 'support_circle', '2026-11');
insert into public.buddy_contacts (user_id, name, phone)
values (tests.id_of('ada'), 'Bo', '+12025550101'), (tests.id_of('ben'), 'Cy', '+12025550102');
insert into public.support_preferences (user_id, pass_on_all_right) values (tests.id_of('ada'), false), (tests.id_of('ben'), true);
insert into public.buddy_verification_audit (buddy_contact_id, user_id, event_type, ip_address, user_agent)
select id, user_id, 'verification_sent', '203.0.113.9', 'Invented/1.0' from public.buddy_contacts;
insert into public.assessment_sessions (id, user_id, assessment_type)
values
  ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'baseline'),
  ('00000000-0000-4000-8000-00000000000b', tests.id_of('ben'), 'baseline');
insert into checkin.check_ins (id, user_id, type)
values
  ('00000000-0000-4000-8000-00000000000c', tests.id_of('ada'), 'daily'),
  ('00000000-0000-4000-8000-00000000000d', tests.id_of('ben'), 'daily');
insert into checkin.text_analysis (check_in_id, user_id, quality)
select id, user_id, 0.5 from checkin.check_ins;
select private.store_session_analysis(
  s.id, s.user_id,
  '{"modality": "text", "analysis": {"mine": true}, "measures": {}, "quality": 1, "risk_level": "none"}'
)
from public.assessment_sessions s;

select tests.act_as(tests.id_of('ada'));
select throws_ok('select public.export_my_data()', '42501', 'Log this access first.', 'an export is logged first');
select ok(public.log_access('data_exported'), 'which everybody may do for themselves');
create temporary table export as select public.export_my_data() as data;
grant select on export to authenticated;
select is((select data -> 'profile' ->> 'first_name' from export), 'Ada', 'an export has the profile');
select is((select data -> 'enrolment' ->> 'university_id' from export), 'hillside', 'the enrolment');
select is((select data #>> '{roles,0,role}' from export), 'student', 'the roles');
select ok((select data -> 'consents' @> '[{"kind": "text"}]' from export), 'the consents');
select is(
  (select jsonb_path_query_array(data, '$.contacts[*].name') || (data #> '{support_preferences,pass_on_all_right}') from export),
  '["Bo", false]', 'the support circle'
);
select is(
  (select jsonb_path_query_array(data, '$.contact_verifications[*].event_type') from export), '["verification_sent"]',
  'with what became of its verifications'
);
select ok((select data::text !~ '203\.0\.113\.9|Invented/1' from export), 'but not from where they were decided');
select is(
  (select data #>> '{check_ins,0,id}' from export), '00000000-0000-4000-8000-00000000000c', 'the check-ins'
);
select is((select data #>> '{check_ins,0,text_analysis,quality}' from export)::numeric, 0.5, 'with their analyses');
select is(
  (select data #>> '{sessions,0,id}' from export), '00000000-0000-4000-8000-00000000000a', 'the sessions'
);
select is((select data #>> '{sessions,0,analyses,0,analysis,mine}' from export), 'true', 'with theirs');
select results_eq(
  $$ select jsonb_array_length(data -> 'check_ins'), jsonb_array_length(data -> 'sessions') from export $$,
  'values (1, 1)',
  'and no others'
);
select ok(
  (select data::text !~ tests.id_of('ben')::text from export), 'nothing in it names anybody else'
);
select is(tests.exports(), 1::bigint, 'an export is in the audit log');
select ok(public.log_access('data_exported'), 'another right away');
select is(tests.exports(), 1::bigint, 'is not logged again');
select tests.act_as_owner();
update private.logged_accesses set logged_at = logged_at - interval '31 seconds' where action = 'data_exported';
select tests.act_as(tests.id_of('ada'));
select public.log_access('data_exported');
select is(tests.exports(), 2::bigint, 'unless so little of its minute is left that the next page could come too late');
select is(public.export_my_data() ->> 'next_page', null, 'a short export is one page');
insert into public.assessment_sessions (user_id, assessment_type) select tests.id_of('ada'), 'daily' from generate_series(1, 50);
select results_eq(
  $$
    select export -> 'page', export -> 'next_page', jsonb_array_length(export -> 'sessions'), jsonb_array_length(export -> 'check_ins')
    from (select public.export_my_data(page) as export from generate_series(0, 1) as page) as pages
  $$,
  $$ values ('0'::jsonb, '1'::jsonb, 50, 1), ('1'::jsonb, 'null'::jsonb, 1, 0) $$,
  'a long one comes in pages'
);

select tests.act_as(tests.id_of('ben'));
select public.log_access('data_exported');
select is(
  public.export_my_data() #>> '{check_ins,0,id}', '00000000-0000-4000-8000-00000000000d', 'another student gets theirs'
);
select is(tests.exports(), 3::bigint, 'with an entry of their own');
select set_config('request.jwt.claims', '{"role": "authenticated"}', true), set_config('request.jwt.claim.sub', '', true);
select is(public.export_my_data(), null, 'a token without a person gets nothing');

select * from finish();
