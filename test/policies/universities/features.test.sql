-- What a university switches off.
select plan(15);

create function pg_temp.switch_on(variadic features text[]) returns void
language sql as $$ update public.universities set features_enabled = features where id = 'hillside' $$;
create function pg_temp.agree(agreed public.consent_kind) returns void
language sql as $$ insert into public.consents (kind, version) values (agreed, '2026-11') $$;

-- Ada agreed to both while the university had everything.
select tests.act_as(tests.id_of('ada'));
select pg_temp.agree('support_circle'), pg_temp.agree('counselor_access');
insert into public.assessment_sessions (assessment_type) values ('daily');
insert into public.buddy_contacts (name, phone, email) values ('Bo', '+12025550101', 'bo@example.com');
select tests.act_as_owner();
insert into checkin.check_ins (user_id, type) values (tests.id_of('ada'), 'daily');
update public.profiles set university_id = 'hillside' where user_id = tests.id_of('ben');
select pg_temp.switch_on(variadic '{}');

select throws_ok(
  $$ insert into checkin.check_ins (user_id, type) values (tests.id_of('ada'), 'daily') $$, 'PT403',
  'Your university does not offer this.', 'without check_ins none begins'
);
select is(private.has_consent(tests.id_of('ada'), 'support_circle'), false, 'the consent to a support circle has no effect');
select is((select counselor_access from public.students where user_id = tests.id_of('ada')), false, 'counselors see the student no more');
select lives_ok(
  $$ insert into checkin.check_ins (user_id, type) values (tests.id_of('eve'), 'daily') $$, 'at another university nothing changes'
);
select tests.act_as(tests.id_of('ada'));
select throws_ok(
  $$ insert into public.assessment_sessions (assessment_type) values ('daily') $$, 'PT403', null, 'without sessions none begins'
);
select lives_ok($$ update public.assessment_sessions set status = 'completed' $$, 'but what has begun ends');
select throws_ok(
  $$ insert into public.buddy_contacts (name, phone) values ('Cy', '+12025550102') $$, 'PT403', 'Your university does not offer this.',
  'nobody is named'
);
select tests.act_as(tests.id_of('ben'));
select throws_ok(format('select pg_temp.agree(%L)', kind), 'PT403', null, 'nobody agrees to ' || kind)
from unnest(array['support_circle', 'counselor_access']) as kind;
select lives_ok($$ select pg_temp.agree('text') $$, 'but to anything else');
select tests.act_as_owner();
select is(private.has_consent(tests.id_of('ben'), 'text'), true, 'which counts');

select pg_temp.switch_on('check_ins', 'sessions', 'support_circle', 'counselor_access');
select is(private.has_consent(tests.id_of('ada'), 'support_circle'), true, 'once it is switched on again, what was agreed to counts');
select is((select counselor_access from public.students where user_id = tests.id_of('ada')), true, 'for counselors too');
select lives_ok(
  $$ insert into checkin.check_ins (user_id, type) values (tests.id_of('ada'), 'weekly') $$, 'and check-ins begin'
);
update public.profiles set university_id = null where user_id = tests.id_of('ada');
select is(private.has_feature(tests.id_of('ada'), 'check_ins'), true, 'who is at no university has everything');

select * from finish();
