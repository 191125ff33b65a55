-- Who stores and assigns modules, how people learn, that nothing gives answers out, and when they are reminded.
select plan(53);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('cyd', tests.new_student('cyd@hillside.example.edu')),
  ('sam', tests.new_student('sam@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('cyd'), 'counselor', 'hillside'),
  (tests.id_of('sam'), 'security_admin', null);

-- A module of two sections, whose right answers begin with "right".
create function tests.module(changes jsonb default '{}')
returns jsonb
language sql
as $$
  select jsonb_build_object(
    'title', 'Doors', 'category', 'data_protection', 'difficulty', 'beginner', 'estimated_duration', 3, 'published', true,
    'content', '{"sections": [{"title": "One", "text": "Close it."}, {"title": "Two", "text": "Lock it."}]}'::jsonb,
    'assessments', jsonb_build_object(
      'pass_score', 80,
      'questions_per_attempt', 5,
      'questions', (
        select jsonb_agg(jsonb_build_object(
          'prompt', 'Question ' || n,
          'options', case when n % 2 = 0 then
            '[{"text": "wrong 1", "correct": false}, {"text": "right 1", "correct": true}]'
            else '[{"text": "right 1", "correct": true}, {"text": "wrong 1", "correct": false}, {"text": "right 2", "correct": true}]'
          end::jsonb
        ))
        from generate_series(1, 30) n
      )
    )
  ) || changes
$$;
create temporary table made (name text primary key, value jsonb);
grant all on made to authenticated;
create function tests.made(wanted text) returns jsonb language sql stable as $$ select value from made where name = wanted $$;
create function tests.doors() returns text language sql stable as $$ select tests.made('doors') ->> 'id' $$;

-- Answers to an attempt of which so many are right.
create function tests.answers(attempt jsonb, right_ones integer)
returns jsonb
language sql
as $$
  select jsonb_object_agg(q.question ->> 'id', (
    select jsonb_agg(o.option -> 'id')
    from jsonb_array_elements(q.question -> 'options') as o (option)
    where (o.option ->> 'text' like 'right%') = (place <= right_ones)
  ))
  from jsonb_array_elements(attempt -> 'questions') with ordinality as q (question, place)
$$;

-- Storing
select tests.act_as(tests.id_of('cora'));
select throws_ok($$ select public.create_training_module(tests.module()) $$, '42501', null, 'a counselor stores no module');
select tests.act_as(tests.id_of('sam'));
insert into made select 'doors', public.create_training_module(tests.module());
select is(
  tests.made('doors') - 'id',
  '{"title": "Doors", "category": "data_protection", "difficulty": "beginner", "estimated_duration": 3, "mandatory": false,
    "assessments": {"questions": 30, "pass_score": 80, "questions_per_attempt": 5}, "published": true, "version": 1}'::jsonb,
  'a security administrator does, and is told of the bank how many questions it has'
);
select throws_ok(
  $$ select public.create_training_module(tests.module('{"id": "trn_nowhere"}')) $$, 'PT404', null, 'the next version needs a first one'
);
select throws_ok(
  $$ select public.create_training_module(jsonb_set(tests.module(), '{assessments,questions_per_attempt}', '31')) $$, 'PT400', null,
  'an attempt asks no more than the bank has'
);
select throws_ok(
  $$ select public.create_training_module(jsonb_set(tests.module(), '{assessments,questions,0,options,0,correct}', 'false') #- '{assessments,questions,0,options,2}') $$,
  '23514', null, 'a question has a right answer'
);
select throws_ok(
  $$ insert into public.training_modules (title, category, difficulty, estimated_duration, content, assessments)
    values ('x', 'data_protection', 'beginner', 1, '{}', '{}') $$, '42501', null, 'nor is a module stored but by the function'
);
select throws_ok('select * from private.training_questions', '42501', null, 'not even a security administrator reads the questions');
select is_empty($$ select from public.training_modules m where m::text ~ 'right 1|Question 1' $$, 'of which a module holds nothing');
set constraints all immediate;
select tests.act_as_owner();
select is_empty(
  $$ select from private.training_questions q where module_id = tests.doors() and q.correct <> (select array_agg(c order by c) from unnest(q.correct) c) $$,
  'the right options are kept in an order that says nothing'
);
select is_empty(
  $$ select from public.audit_logs a where a::text ~ 'right 1|Question 1' $$, 'and the audit log does not show them'
);
select tests.act_as(tests.id_of('sam'));
select results_eq(
  $$ select action::text, actor_id, target_type from public.read_audit_log(target_id => tests.doors()) $$,
  $$ values ('training_changed', tests.id_of('sam'), 'training_modules') $$, 'but says who stored the module'
);

-- Seeing
select tests.act_as(tests.id_of('ada'));
select is_empty('select id from public.training_modules', 'a student sees no module');
select is_empty('select * from public.my_training()', 'has nothing to learn');
select throws_ok($$ select public.start_training_attempt(tests.doors()) $$, '42501', null, 'and starts no attempt');
select tests.act_as(tests.id_of('cora'));
select is((select status from public.my_training() where module_id = tests.doors()), 'optional', 'staff may take what is published');

-- Assigning
select throws_ok(
  $$ insert into public.training_assignments (module_id, role) values (tests.doors(), 'counselor') $$, '42501', null,
  'a counselor assigns nothing'
);
select tests.act_as(tests.id_of('sam'));
select throws_ok(
  $$ insert into public.training_assignments (module_id, user_id) values (tests.doors(), tests.id_of('ada')) $$, 'PT404', null,
  'students are assigned nothing'
);
insert into public.training_assignments (module_id, role, due_days) values (tests.doors(), 'counselor', 30);
insert into public.training_assignments (module_id, user_id, due_days) values (tests.doors(), tests.id_of('cora'), 20);
select is((select count(*) from public.training_assignments where assigned_by = tests.id_of('sam')), 2::bigint, 'it says who assigned');
select is(
  (select assigned from public.training_statistics() where module_id = tests.doors()), 2::bigint,
  'who is assigned twice counts once'
);
select tests.act_as(tests.id_of('cora'));
select is_empty('select * from public.training_statistics()', 'a counselor sees no statistics');
select is((select count(*) from public.training_assignments), 1::bigint, 'and of assignments the own one');
select is(
  (select due_at from public.my_training() where module_id = tests.doors()), now() + interval '480 hours', 'the earlier date counts'
);
select tests.act_as_owner();
select is(
  (select due_at from private.training_due where module_id = tests.doors() and user_id = tests.id_of('cyd')), now() + interval '720 hours',
  'a role is assigned for all who have it'
);

-- Reading
select tests.act_as(tests.id_of('cora'));
select throws_ok($$ select public.start_training_attempt(tests.doors()) $$, 'PT409', null, 'one reads before one answers');
select throws_ok($$ select public.read_training_sections(tests.doors(), '{s3}') $$, 'PT400', null, 'only sections that there are');
select public.read_training_sections(tests.doors(), '{s2}');
select is(
  public.read_training_sections(tests.doors(), '{s1,s1}') - 'module_id',
  '{"version": 1, "sections_read": ["s1", "s2"], "sections": ["s1", "s2"]}', 'sections are marked once, in their order'
);
select is((select status from public.my_training() where module_id = tests.doors()), 'in_progress', 'the module is begun');

-- Answering
insert into made select 'one', public.start_training_attempt(tests.doors());
select is(jsonb_array_length(tests.made('one') -> 'questions'), 5, 'an attempt asks so many questions');
select is(public.start_training_attempt(tests.doors()), tests.made('one'), 'the same, as long as it is open');
select is_empty($$ select where tests.made('one')::text ~ 'correct' $$, 'without saying which options are right');
select throws_ok('select * from private.training_papers', '42501', null, 'what was asked and answered is not to be read');
select throws_ok(
  $$ update public.training_attempts set submitted_at = now(), correct = 5, score = 100, passed = true $$, '42501', null,
  'nobody grades an attempt'
);
select throws_ok(
  $$ insert into public.training_certificates (user_id, module_id, version, attempt_id, score, expires_at)
    values (tests.id_of('cora'), tests.doors(), 1, tests.made('one') ->> 'attempt_id', 100, now() + interval '9 years') $$,
  '42501', null, 'or issues a certificate'
);
select tests.act_as(tests.id_of('cyd'));
select throws_ok(
  $$ select public.submit_training_attempt(tests.made('one') ->> 'attempt_id', '{}') $$, 'PT404', null, 'a colleague cannot submit it'
);
select is_empty('select id from public.training_attempts', 'or see it');
select tests.act_as(tests.id_of('cora'));
select throws_ok(
  $$ select public.submit_training_attempt(tests.made('one') ->> 'attempt_id', '{"x": []}') $$, 'PT400', null,
  'a question that was not asked is an error, which costs no attempt'
);
select tests.act_as(tests.id_of('sam'));
select public.create_training_module(tests.module() || jsonb_build_object('id', tests.doors(), 'title', 'Doors again'));
select tests.act_as(tests.id_of('cora'));
select is(
  public.submit_training_attempt(tests.made('one') ->> 'attempt_id', tests.answers(tests.made('one'), 3)) - 'attempt_id' - 'module_id',
  '{"version": 1, "questions": 5, "correct": 3, "score": 60.00, "pass_score": 80, "passed": false, "certificate": null}',
  'three of five do not pass, by the version that was asked'
);
select throws_ok(
  $$ select public.submit_training_attempt(tests.made('one') ->> 'attempt_id', tests.answers(tests.made('one'), 5)) $$, 'PT409', null,
  'an attempt is submitted once'
);
select throws_ok($$ select public.start_training_attempt(tests.doors()) $$, 'PT409', null, 'the next version is read anew');
select public.read_training_sections(tests.doors(), '{s1,s2}');
insert into made select 'two', public.start_training_attempt(tests.doors());
select isnt(tests.made('two') -> 'questions', tests.made('one') -> 'questions', 'another attempt asks other questions');
insert into made
select 'grade', public.submit_training_attempt(tests.made('two') ->> 'attempt_id', tests.answers(tests.made('two'), 4));
select is(
  tests.made('grade') #>> '{certificate,expires_at}', to_jsonb(now() + interval '8760 hours') #>> '{}',
  'four of five pass, and a certificate counts for 365 days'
);
select is(
  (select status || ' ' || (due_at = now() + interval '8760 hours') from public.my_training() where module_id = tests.doors()),
  'completed true', 'the module is due again when it ends'
);
select tests.act_as_owner();
update public.training_attempts set started_at = now() - interval '3 hours', expires_at = now() - interval '1 hour', submitted_at = null,
  correct = null, score = null, passed = null where id = tests.made('one') ->> 'attempt_id';
select tests.act_as(tests.id_of('cora'));
select throws_ok(
  $$ select public.submit_training_attempt(tests.made('one') ->> 'attempt_id', tests.answers(tests.made('one'), 5)) $$, 'PT409', null,
  'after two hours an attempt is over'
);
select public.read_training_sections(tests.doors(), '{s1,s2}');
insert into made select 'three', public.start_training_attempt(tests.doors());
select public.submit_training_attempt(tests.made('three') ->> 'attempt_id', '{}');
select throws_ok($$ select public.start_training_attempt(tests.doors()) $$, 'PT429', null, 'there are three attempts a day');

-- Statistics
select tests.act_as_owner();
set constraints all immediate;
select tests.act_as(tests.id_of('sam'));
select results_eq(
  $$ select after ->> 'passed' from public.read_audit_log(action => 'training_graded', actor_id => tests.id_of('cora')) order by id $$,
  $$ values ('false'), ('true'), ('false') $$, 'each grade is in the audit log'
);
select tests.act_as_owner();
select results_eq(
  $$
    select day, assigned, completed, in_progress, overdue
    from unnest(array[0, 31, 366]) as day, private.training_statistics(now() + day * interval '24 hours')
    where module_id = tests.doors()
    order by day
  $$,
  $$ values (0, 2::bigint, 1::bigint, 0::bigint, 0::bigint), (31, 2, 1, 0, 1), (366, 2, 0, 0, 2) $$,
  'who has not passed in time is overdue, and again when the certificate has expired'
);

-- Reminders. Cyd's module is due in 30 days.
create function tests.reminded(person text)
returns text[]
language sql
as $$
  select coalesce(array_agg(o.subject order by o.created_at, o.subject), '{}')
  from private.outbox o
  where o.purpose = 'training_reminder' and o.user_id = tests.id_of(person) and o.subject like '%Doors again'
$$;
create function tests.tick(days numeric) returns void language sql as $$ select private.remind_of_training(now() + days * interval '24 hours') $$;
-- Every hour of the days around, and twice at once.
select tests.tick(n / 24.0) from generate_series(20 * 24, 32 * 24) n;
select tests.tick(n / 24.0) from generate_series(20 * 24, 32 * 24, 6) n;
select is(
  tests.reminded('cyd'),
  array['Training due in 3 days: Doors again', 'Training due in 7 days: Doors again', 'Training due in one day: Doors again'],
  'reminders are sent 7, 3 and 1 days before, each once'
);
select results_eq(
  $$ select days_before::integer, reached_at from private.training_reminders where user_id = tests.id_of('cyd') and module_id = tests.doors() order by 1 desc $$,
  $$ values (7, now() + interval '552 hours'), (3, now() + interval '648 hours'), (1, now() + interval '696 hours') $$,
  'at the very hour'
);
select is(
  (select body from private.outbox where user_id = tests.id_of('cyd') and subject = 'Training due in 7 days: Doors again') ~ 'about 3 minutes',
  true, 'with what it takes'
);
delete from private.outbox;
delete from private.training_reminders;
select tests.tick(28.5);
select tests.tick(28.6);
select is(tests.reminded('cyd'), '{"Training due in 2 days: Doors again"}', 'runs that were missed are caught up by one email');
select tests.tick(29.9);
select tests.tick(30);
select tests.tick(31);
select is(
  tests.reminded('cyd'), array['Training due in 2 days: Doors again', 'Training due in one day: Doors again'],
  'and what is over is reminded of no more'
);
delete from private.outbox;
delete from private.training_reminders;
update public.training_assignments set due_days = 5 where module_id = tests.doors() and role = 'counselor';
select tests.tick(n / 24.0) from generate_series(0, 6 * 24) n;
select is(
  tests.reminded('cyd'), array['Training due in 3 days: Doors again', 'Training due in one day: Doors again'],
  'a date that was never 7 days away is not reminded of as if it had been'
);
delete from private.outbox;
update auth.users set banned_until = now() + interval '9 years' where id = tests.id_of('cyd');
delete from private.training_reminders;
select tests.tick(4);
select is(tests.reminded('cyd'), '{}', 'nor is anybody who is banned');

select * from finish();
