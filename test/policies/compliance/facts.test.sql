-- What the database cannot see: a security administrator tells it, under their name.
select plan(9);

insert into people values ('sam', tests.new_student('sam@hillside.example.edu'));
insert into public.user_roles (user_id, role) select tests.id_of('sam'), 'security_admin';

select tests.act_as(tests.id_of('ada'));
select throws_ok($$ select public.record_compliance_fact('backup', now(), 'x') $$, '42501', 'Only security administrators do this.', 'students tell nothing');
select throws_ok($$ select public.list_compliance_facts() $$, '42501', 'Only security administrators do this.', 'and are told nothing');

select tests.act_as(tests.id_of('sam'));
select is(public.list_compliance_facts(), '[]', 'at first nothing is told');
select lives_ok($$ select public.record_compliance_fact('access_review', now() - interval '1 day', 'Ticket 17') $$, 'a security administrator does');
select is(public.list_compliance_facts() #>> '{0,reference}', 'Ticket 17', 'and sees what was told');
select throws_ok(
  $$ select public.record_compliance_fact('access_review', now() - interval '2 days', 'Ticket 16') $$, 'PT400', 'A later time than this is known already.',
  'an earlier time than is known is refused'
);
select throws_ok($$ select public.record_compliance_fact('backup', now() + interval '1 day', 'x') $$, 'PT400', null, 'and one in the future');
select throws_ok($$ select public.record_compliance_fact('luck', now(), 'x') $$, 'PT400', null, 'and what nobody asks for');
set constraints all immediate;
select results_eq(
  $$ select distinct actor_id from public.read_audit_log() where target_type = 'compliance_facts' $$, $$ values (tests.id_of('sam')) $$,
  'the audit log has who told it'
);

select * from finish();
