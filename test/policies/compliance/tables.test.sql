-- Who assesses, and who decides about a control.
select plan(9);

insert into people values ('sam', tests.new_student('sam@hillside.example.edu'));
insert into public.user_roles (user_id, role) select tests.id_of('sam'), 'security_admin';
create function tests.control()
returns text
language sql
security definer
as $$ select min(id) from public.compliance_controls where framework = 'gdpr' $$;
create function tests.decides(status text, reason text, evidence text default '[{"description": "The policy was read."}]')
returns text
language sql
as $$
  select format('select public.decide_control(tests.control(), %L, %L, %L::jsonb)', status, reason, evidence)
$$;

select tests.act_as(tests.id_of('ada'));
select is_empty('select id from public.compliance_controls', 'students see no controls');
select throws_ok($$ select public.assess_compliance('gdpr') $$, '42501', 'Only security administrators do this.', 'and assess nothing');
select throws_ok(tests.decides('compliant', 'I say so.'), '42501', 'Only security administrators do this.', 'nor decide');

select tests.act_as(tests.id_of('sam'));
select matches(public.assess_compliance('gdpr'), '^asm_', 'a security administrator assesses a framework');
select throws_ok(tests.decides('compliant', ''), 'PT400', null, 'and decides with a reason');
select throws_ok(tests.decides('compliant', 'Read.', '[]'), 'PT400', null, 'and evidence');
select lives_ok(tests.decides('partial', 'Half of it is in place.'), 'of a control');
select results_eq(
  $$ select decision::text, decided_by = tests.id_of('sam') from public.compliance_controls where id = tests.control() $$,
  $$ values ('partial', true) $$, 'which keeps what was decided, and by whom'
);
select lives_ok(tests.decides('not_assessed', 'It is looked at anew.'), 'until it is withdrawn');

select * from finish();
