-- Whom a university names for high risk: kept by its administrators, tested, and told of in the audit log.
select plan(29);

insert into people
values
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('una', tests.new_student('una@lakeview.example.edu')),
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('sid', tests.new_student('sid@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('una'), 'university_admin', 'lakeview'),
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('sid'), 'security_admin', null);
update public.universities set country = 'US' where id = 'hillside';
update public.profiles set first_name = 'Uma', last_name = 'Ferris' where user_id = tests.id_of('uma');

select tests.act_as(tests.id_of('uma'));
select is(
  public.set_crisis_contact('hillside', 1, ' Night@Hillside.example.edu ', '(202) 555-0143', ' Night desk '),
  '{"rank": 1, "email": "Night@hillside.example.edu", "phone": "+12025550143", "name": "Night desk", "tested_at": null, "email_test": null, "sms_test": null}',
  'an administrator names whom to tell, with a number as people write it there'
);
select is(
  public.set_crisis_contact('hillside', 2, 'dean@hillside.example.edu') -> 'phone', 'null', 'which nobody has to have'
);
select is(jsonb_path_query_array(public.list_crisis_contacts('hillside'), '$[*].rank'), '[1, 2]', 'they are listed in order');
select throws_ok($$ select public.set_crisis_contact('hillside', 10, 'dean@hillside.example.edu') $$, 'PT400', null, 'there are nine');
select throws_ok($$ select public.set_crisis_contact('hillside', 3, 'no address') $$, 'PT400', null, 'an address is one');
select throws_ok($$ select public.set_crisis_contact('hillside', 3, 'a@example.edu', '12') $$, 'PT400', null, 'a number is one');
select throws_ok($$ select public.set_crisis_contact('hillside', 3, 'a@example.edu', '+49 30 901820') $$, 'PT400', null, 'of a mobile phone');
select throws_ok($$ select public.set_crisis_contact('hillside', 3, 'a@example.edu', null, repeat('a', 101)) $$, 'PT400', null, 'a name has a length');
select throws_ok($$ select public.set_crisis_contact('lakeview', 1, 'a@example.edu') $$, '42501', null, 'another university''s contacts they do not name');
select throws_ok($$ select public.list_crisis_contacts('lakeview') $$, '42501', null, 'nor see');
select throws_ok($$ select public.test_crisis_contact('lakeview', 1) $$, '42501', null, 'nor write to');
select throws_ok($$ select public.remove_crisis_contact('lakeview', 1) $$, '42501', null, 'nor remove');
select tests.act_as(tests.id_of('cora'));
select throws_ok($$ select public.list_crisis_contacts('hillside') $$, '42501', null, 'a counselor does not see them');
select throws_ok($$ select public.set_crisis_contact('hillside', 1, 'a@example.edu') $$, '42501', null, 'nor names them');
select tests.act_as(tests.id_of('sid'));
select throws_ok($$ select public.set_crisis_contact('nowhere', 1, 'a@example.edu') $$, 'PT404', null, 'a university is one, for a security administrator too');

-- A test.
select tests.act_as(tests.id_of('uma'));
select ok((select public.test_crisis_contact('hillside', 1) ->> 'sms' is not null), 'a test goes by email and text');
select is(
  public.list_crisis_contacts('hillside') -> 0 -> 'sms_test' ->> 'state', 'queued', 'whose delivery is shown'
);
select is(public.test_crisis_contact('hillside', 2) -> 'sms', 'null', 'and by email alone without a number');
select tests.act_as_owner();
select results_eq(
  $$ select channel::text, recipient from private.outbox where purpose = 'crisis_contact_test' order by 1, lower(recipient) $$,
  $$ values ('email', 'dean@hillside.example.edu'), ('email', 'Night@hillside.example.edu'), ('sms', '+12025550143') $$, 'to them'
);
select is(
  (select bool_and(strpos(body, 'nobody is in danger') > 0 and strpos(body, 'Hillside University') > 0) from private.outbox), true,
  'it names the university, and says that it is a test'
);
select is((select private.fits_text(body) from private.outbox where channel = 'sms'), true, 'a text is one segment');
select tests.act_as(tests.id_of('uma'));
select is(
  public.set_crisis_contact('hillside', 1, 'day@hillside.example.edu', '+1 202 555 0143', 'Night desk') -> 'email_test', 'null',
  'what was tested is forgotten with the address'
);
select throws_ok($$ select public.test_crisis_contact('hillside', 3) $$, 'PT404', null, 'nobody is tested who is not there');
select lives_ok($$ select public.test_crisis_contact('hillside', 2) from generate_series(1, 2) $$, 'three tests of one address within an hour');
select tests.act_as(tests.id_of('sid'));
select throws_ok($$ select public.test_crisis_contact('hillside', 2) $$, 'PT429', null, 'are enough, whoever asks');
select tests.act_as(tests.id_of('uma'));
select public.set_crisis_contact('hillside', r, 'night' || r || '@hillside.example.edu') from generate_series(4, 7) as r;
select lives_ok($$ select public.test_crisis_contact('hillside', r) from generate_series(4, 7) as r, generate_series(1, 2) limit 6 $$, 'ten within an hour');
select throws_ok($$ select public.test_crisis_contact('hillside', 7) $$, 'PT429', null, 'are enough of one administrator');
select is(public.remove_crisis_contact('hillside', 2) ->> 'email', 'dean@hillside.example.edu', 'one is removed, and returned');
select tests.act_as_owner();
set constraints all immediate;
set constraints all deferred;
select results_eq(
  $$ select distinct action::text, university_id from private.audit_log where target_type = 'crisis_contacts' and actor_id = tests.id_of('uma') $$,
  $$ values ('settings_changed', 'hillside') $$, 'all of it is in the audit log'
);

select * from finish();
