-- How a security administrator changes a module without its answers, assigns it, and sees how far each person is.
select plan(19);

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

create temporary table asked (place integer primary key, id text);
grant all on asked to authenticated;
create function tests.doors() returns text language sql stable as $$ select id from public.training_modules where title like 'Doors%' $$;
create function tests.doors_with(questions jsonb) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'title', 'Doors', 'category', 'data_protection', 'difficulty', 'beginner', 'estimated_duration', 3, 'published', true,
    'content', '{"sections": [{"title": "One", "text": "Close it."}]}'::jsonb,
    'assessments', jsonb_build_object('pass_score', 80, 'questions_per_attempt', 1, 'questions', questions)
  )
$$;
create function tests.question(prompt text) returns jsonb language sql immutable as $$
  select jsonb_build_object('prompt', prompt, 'options', '[{"text": "right", "correct": true}, {"text": "wrong", "correct": false}]'::jsonb)
$$;

select tests.act_as(tests.id_of('sam'));
select public.create_training_module(tests.doors_with(jsonb_build_array(tests.question('First?'), tests.question('Second?'))));
insert into asked select place, q ->> 'id' from jsonb_array_elements(public.list_training_questions(tests.doors())) with ordinality as t (q, place);
select results_eq(
  $$ select q from jsonb_array_elements(public.list_training_questions(tests.doors())) as q $$,
  $$ select jsonb_build_object('id', id, 'prompt', (array['First?', 'Second?'])[place]) from asked order by place $$,
  'an administrator sees what is asked, and neither what can be chosen nor what is right'
);

-- The next version keeps one question and has another.
select is(
  (public.create_training_module(
    tests.doors_with(jsonb_build_array(jsonb_build_object('id', (select id from asked where place = 1)), tests.question('Third?')))
      || jsonb_build_object('id', tests.doors())
  ) ->> 'version')::integer,
  2, 'the next version may keep questions by their ids'
);
select results_eq(
  $$ select q ->> 'prompt' from jsonb_array_elements(public.list_training_questions(tests.doors())) as q $$,
  $$ values ('First?'), ('Third?') $$, 'beside new ones, without those that are left out'
);
select throws_ok(
  $$ select public.create_training_module(
    tests.doors_with(jsonb_build_array(jsonb_build_object('id', (select id from asked where place = 1)))) || jsonb_build_object('id', tests.doors())
  ) $$,
  'PT400', 'A question is not in the bank any more: the module was changed meanwhile. Open it again.',
  'whoever opened the module before somebody else changed it is told so'
);
select tests.act_as_owner();
select is(
  (select array_agg(distinct cardinality(correct) || ' of ' || jsonb_array_length(options)) from private.training_questions q
    where q.module_id = tests.doors() and q.version = 2),
  '{1 of 2}', 'a question that is kept has its answers still'
);

-- Assigning.
select tests.act_as(tests.id_of('sam'));
select is(
  (public.assign_training(tests.doors(), 'cora@hillside.example.edu', due_days => 10)).user_id, tests.id_of('cora'),
  'it is assigned to somebody by their email address'
);
select is((public.assign_training(tests.doors(), tests.id_of('cora')::text, due_days => 5)).due_days, 5, 'a second time changes the days');
select public.assign_training(tests.doors(), role => 'counselor');
select results_eq(
  $$ select a ->> 'role', a ->> 'email', (a ->> 'due_days')::integer from jsonb_array_elements(public.list_training_assignments(tests.doors())) as a $$,
  $$ values ('counselor', null, 30), (null, 'cora@hillside.example.edu', 5) $$, 'who has to take it is listed, roles first'
);
select throws_ok(
  $$ select public.assign_training(tests.doors(), 'ada@hillside.example.edu') $$, 'PT404', 'There is no member of staff with this account.',
  'a student is assigned nothing'
);
select throws_ok($$ select public.assign_training('trn_nowhere', role => 'counselor') $$, 'PT404', null, 'nor what does not exist');
select throws_ok($$ select public.assign_training(tests.doors()) $$, 'PT400', null, 'nor is a module assigned to nobody');
select throws_ok($$ select public.assign_training(tests.doors(), role => 'counselor', due_days => 400) $$, 'PT400', null, 'or for later than a year');

-- Progress.
select tests.act_as(tests.id_of('cora'));
select public.read_training_sections(tests.doors(), '{s1}');
select tests.act_as(tests.id_of('sam'));
select results_eq(
  $$ select l ->> 'email', l ->> 'status', (l ->> 'sections_read')::integer, l -> 'universities'
    from jsonb_array_elements(public.list_training_learners(tests.doors()) -> 'learners') as l $$,
  $$ values
    ('cora@hillside.example.edu', 'in_progress', 1, '["Hillside"]'::jsonb), ('cyd@hillside.example.edu', 'assigned', 0, '["Hillside"]') $$,
  'each person has how far they are, what is due first'
);
select is(
  public.list_training_learners(tests.doors(), page_limit => 1, page_offset => 1) #>> '{learners,0,email}', 'cyd@hillside.example.edu',
  'by pages'
);
select is(public.list_training_learners(tests.doors(), 'assigned') -> 'total', '1', 'or by how they stand');

select tests.act_as(tests.id_of('cora'));
select throws_ok(call, '42501', 'Only security administrators do this.', 'a counselor does not: ' || call)
from unnest(array[
  'select public.list_training_questions(tests.doors())', 'select public.assign_training(tests.doors(), role => ''counselor'')',
  'select public.list_training_assignments(tests.doors())', 'select public.list_training_learners(tests.doors())'
]) as call;

select * from finish();
