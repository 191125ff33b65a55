-- What an operator types of modules and questions in Studio: it works as what is stored by the function, or is refused with a reason.
select plan(36);

insert into people values ('cora', tests.new_student('cora@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('cora'), 'counselor', 'hillside');
set constraints all immediate;

create function tests.typed(content text, assessments text, published boolean default true)
returns text
language sql
as $$
  select format(
    'insert into public.training_modules (title, category, difficulty, estimated_duration, content, assessments, published)
     values (''Typed'', ''data_protection'', ''beginner'', 1, %L, %L, %L)', content, assessments, published
  )
$$;

-- Modules.
select throws_ok(tests.typed('{"sections": [{"title": "One", "text": "Close it."}]}', assessments), 'PT400',
  'assessments is {"pass_score": 80, "questions_per_attempt": 5}, both from 1 to 100.', 'assessments: ' || assessments)
from unnest(array['{}', '[]', '"x"', 'null', '{"pass_score": 80}', '{"pass_score": "80", "questions_per_attempt": 5}',
  '{"pass_score": 0, "questions_per_attempt": 5}', '{"pass_score": 80, "questions_per_attempt": 1.5}']) as assessments;
select throws_ok(tests.typed('{"sections": [{"title": "One", "text": "Close it."}]}', '{}', false), 'PT400', null, 'not even in a draft');
select throws_ok(tests.typed(content, '{"pass_score": 80, "questions_per_attempt": 1}'), 'PT400', null, 'content: ' || content)
from unnest(array['{}', '[]', '{"sections": {}}', '{"sections": ["x"]}', '{"sections": [{"title": "One"}]}',
  '{"sections": [{"id": "s1", "title": "One", "text": "x"}, {"id": "s1", "title": "Two", "text": "y"}]}', '{"sections": []}']) as content;
select throws_ok(
  tests.typed('{"sections": [{"title": "One", "text": "Close it."}]}', '{"pass_score": 80, "questions_per_attempt": 2}'), 'PT400',
  'It is not published: the bank has 0 questions, and an attempt asks 2.', 'nor is a module published without questions'
);
select throws_ok(
  tests.typed('{"sections": []}', '{"pass_score": 80, "questions_per_attempt": 2, "questions": 7}', false), 'PT400',
  'The questions of assessments are counted by the database: leave that member out.', 'which are counted'
);
insert into public.training_modules (id, title, category, difficulty, estimated_duration)
values ('trn_typed', 'Typed', 'data_protection', 'beginner', 1);
update public.training_modules
set content = '{"sections": [{"title": "One", "text": "Close it."}, {"title": "Two", "text": "Lock it."}]}',
  assessments = '{"pass_score": 50, "questions_per_attempt": 2}'
where id = 'trn_typed';
select is(
  (select array_agg(s ->> 'id') from public.training_modules m, jsonb_array_elements(m.content -> 'sections') s where m.id = 'trn_typed'),
  '{s1,s2}', 'sections get ids'
);

-- Questions.
select throws_ok(
  format('insert into private.training_questions (module_id, prompt, options) values (''trn_typed'', ''Which?'', %L)', options), 'PT400', null,
  'options: ' || options
)
from unnest(array['{}', '["a", "b"]', '[{"text": "right", "correct": true}]', '[{"text": "a", "correct": true}, {"text": "b", "correct": true}]',
  '[{"text": "a", "correct": "yes"}, {"text": "b", "correct": false}]', '[{"text": "a"}, {"text": "b"}]']) as options;
select lives_ok(
  $$ insert into private.training_questions (module_id, prompt, options)
    select 'trn_typed', 'Question ' || n, '[{"text": "right", "correct": true}, {"text": "wrong", "correct": false}]' from generate_series(1, 3) n $$,
  'questions are added without a version, and say which options are right'
);
select is(
  (select array_agg(distinct cardinality(q.correct) || ' of ' || jsonb_array_length(q.options)) from private.training_questions q where q.module_id = 'trn_typed'),
  '{1 of 2}', 'which is kept apart'
);
select lives_ok($$ update public.training_modules set published = true where id = 'trn_typed' $$, 'then it is published');
select lives_ok(
  $$ update private.training_questions set prompt = 'Which one?' where module_id = 'trn_typed' and prompt = 'Question 1' $$, 'a question is changed'
);
delete from private.training_questions where module_id = 'trn_typed' and prompt = 'Question 3';
select is(
  (select assessments -> 'questions' from public.training_modules where id = 'trn_typed'), '2', 'or deleted'
);
select throws_ok(
  $$ delete from private.training_questions where module_id = 'trn_typed' and prompt = 'Question 2' $$, 'PT400',
  'It is not published: the bank has 1 questions, and an attempt asks 2.', 'while the bank has as many as an attempt asks'
);

-- Staff take it.
select tests.act_as(tests.id_of('cora'));
select is((select sections from public.my_training() where module_id = 'trn_typed'), 2, 'staff see it');
select public.read_training_sections('trn_typed', '{s1,s2}');
select is(jsonb_array_length(public.start_training_attempt('trn_typed') -> 'questions'), 2, 'and are asked its questions');
select tests.act_as_owner();

-- Another content.
update public.training_modules set title = 'Typed anew' where id = 'trn_typed';
select results_eq(
  $$ select v.version, v.title, (select count(*) from private.training_questions q where q.module_id = v.module_id and q.version = v.version)
    from private.training_versions v where v.module_id = 'trn_typed' order by v.version desc limit 1 $$,
  $$ select version, 'Typed anew', 2::bigint from public.training_modules where id = 'trn_typed' $$,
  'is another version, with the questions of the one before'
);
select throws_ok($$ update public.training_modules set version = 1 where id = 'trn_typed' $$, 'PT400', null, 'versions are not typed');
select throws_ok($$ update private.training_versions set title = 'x' $$, '42501', null, 'nor changed');

select * from finish();
