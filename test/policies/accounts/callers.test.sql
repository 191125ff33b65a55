-- What the policies ask about whoever calls: every role, and none.
select plan(6);

insert into people
values
  ('uma', tests.new_student('uma@elsewhere.example.com')),
  ('cora', tests.new_student('cora@elsewhere.example.com')),
  ('sam', tests.new_student('sam@elsewhere.example.com'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('uma'), 'counselor', 'lakeview'),
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('sam'), 'security_admin', null);

create function tests.answers()
returns text
language sql
security definer
as $$
  select format(
    'administers %s, counsels %s, joined %s; security administrator: %s; training: %s',
    array(select private.universities_administered()),
    array(select private.universities_counseled()),
    array(select private.universities_joined() order by 1),
    private.is_security_admin(),
    private.sees_training()
  )
$$;

select tests.act_as(tests.id_of('uma'));
select is(tests.answers(), 'administers {hillside}, counsels {lakeview}, joined {hillside,lakeview}; security administrator: f; training: t', 'two roles at two universities');
select tests.act_as(tests.id_of('cora'));
select is(tests.answers(), 'administers {}, counsels {hillside}, joined {hillside}; security administrator: f; training: t', 'a counselor');
select tests.act_as(tests.id_of('sam'));
select is(tests.answers(), 'administers {}, counsels {}, joined {}; security administrator: t; training: t', 'a security administrator');
select tests.act_as(tests.id_of('ada'));
select is(tests.answers(), 'administers {}, counsels {}, joined {hillside}; security administrator: f; training: f', 'a student');
select tests.act_as(tests.id_of('eve'));
select is(tests.answers(), 'administers {}, counsels {}, joined {}; security administrator: f; training: f', 'someone of no university');
select tests.act_as_nobody();
select is(tests.answers(), 'administers {}, counsels {}, joined {}; security administrator: f; training: f', 'a visitor');

select * from finish();
