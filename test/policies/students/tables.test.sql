-- Students as counselors see them: who has a row, who is listed, and that every read is logged first.
select plan(78);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('lou', tests.new_student('lou@lakeview.example.edu')),
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('sam', tests.new_student('sam@elsewhere.example.com')),
  ('zoe', tests.new_student('zoe@hillside.example.edu')),
  ('max', tests.new_student('max@hillside.example.edu')),
  ('kim', tests.new_student('kim@hillside.example.edu')),
  ('pat', tests.new_student('pat@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('lou'), 'counselor', 'lakeview'),
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('sam'), 'security_admin', null);
delete from public.user_roles
where role = 'student' and user_id in (tests.id_of('cora'), tests.id_of('lou'), tests.id_of('uma'), tests.id_of('sam'));
update public.profiles p
set first_name = n.first_name, last_name = n.last_name
from (
  values ('ada', 'Ada', 'Quill'), ('zoe', 'Zoë', 'Under_score'), ('max', 'Max', '100% Back\slash'), ('kim', 'Kim', 'Quill'), ('pat', 'Pat', 'Apart')
) as n (person, first_name, last_name)
where p.user_id = tests.id_of(n.person);

create function tests.agree(person text)
returns void
language sql
security definer
as $$ select tests.give_consent(tests.id_of(person), '{counselor_access}') $$;
create function tests.listed(
  university text default 'hillside',
  search text default null,
  sort text default 'name',
  descending boolean default false,
  page_limit integer default 50,
  page_offset integer default 0
)
returns text
language sql
as $$
  select public.log_access('students_listed', university, null, search, sort, descending, page_limit, page_offset);
  select coalesce(string_agg(s ->> 'first_name', ' ' order by place), '')
  from jsonb_array_elements(public.list_students(university, search, sort, descending, page_limit, page_offset) -> 'students')
    with ordinality as l (s, place)
$$;
create function tests.entries(wanted text)
returns bigint
language sql
security definer
as $$ select count(*) from public.audit_logs where action::text = wanted $$;
create function tests.last_entry()
returns private.audit_log
language sql
security definer
as $$ select * from private.audit_log order by id desc limit 1 $$;
-- Logs access to these students, as the caller.
create function tests.log_reads(variadic students uuid[])
returns bigint
language sql
as $$ select count(*) filter (where public.log_access('student_read', student_id => s)) from unnest(students) s $$;
-- Rows and names that somebody gets of anybody else, having logged all of it.
create function tests.seen_by(person text)
returns bigint
language plpgsql
as $$
begin
  perform tests.act_as(tests.id_of(person));
  perform public.log_access('students_listed', 'hillside');
  perform tests.log_reads(tests.id_of('ada'), tests.id_of('zoe'), tests.id_of('pat'));
  return jsonb_array_length(public.list_students('hillside') -> 'students')
    + (public.list_students('hillside') ->> 'total')::bigint
    + (select count(*) from unnest(array['ada', 'zoe', 'pat']) p where public.read_student(tests.id_of(p)) is not null)
    + (select count(*) from public.students where user_id <> tests.id_of(person))
    + (select count(*) from public.profiles where user_id <> tests.id_of(person));
end
$$;

-- Who has a row.
select results_eq(
  $$ select university_id, counselor_access, check_ins, risk_level::text from public.students where user_id = tests.id_of('ada') $$,
  $$ values ('hillside', false, 0, 'none') $$,
  'an account begins as a student whom no counselor sees'
);
select is_empty(
  $$ select 1 from public.students where user_id = tests.id_of('cora') $$, 'an account without the student role has no row'
);
insert into public.user_roles (user_id, role, university_id)
values (tests.id_of('cora'), 'student', 'hillside'), (tests.id_of('cora'), 'student', 'lakeview');
select is((select count(*) from public.students where user_id = tests.id_of('cora')), 1::bigint, 'with the role again it has one');
delete from public.user_roles where user_id = tests.id_of('cora') and role = 'student' and university_id = 'lakeview';
select isnt_empty($$ select 1 from public.students where user_id = tests.id_of('cora') $$, 'for as long as a student role remains');
delete from public.user_roles where user_id = tests.id_of('cora') and role = 'student';
select is_empty($$ select 1 from public.students where user_id = tests.id_of('cora') $$, 'and no longer');

-- The consent.
select tests.agree(p) from unnest(array['ada', 'zoe', 'max', 'kim']) p;
select ok((select counselor_access from public.students where user_id = tests.id_of('ada')), 'the consent counselor_access opens the row');
select is((select students from private.listed_students where university_id = 'hillside'), 4, 'and counts');
select tests.give_consent(tests.id_of('pat'), '{audio}');
select ok(not (select counselor_access from public.students where user_id = tests.id_of('pat')), 'another consent does not');
update public.consents set withdrawn_at = now() where user_id = tests.id_of('kim');
select ok(not (select counselor_access from public.students where user_id = tests.id_of('kim')), 'withdrawing closes it');
select is((select students from private.listed_students where university_id = 'hillside'), 3, 'and counts no more');
select tests.agree('kim');
select ok((select counselor_access from public.students where user_id = tests.id_of('kim')), 'agreeing again opens it again');
delete from public.user_roles where user_id = tests.id_of('kim');
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('kim'), 'student', 'hillside');
select ok(
  (select counselor_access from public.students where user_id = tests.id_of('kim')), 'a student who gets the role again is listed under the earlier consent'
);

-- The student.
select tests.act_as(tests.id_of('ada'));
select throws_ok($$ update public.students set faculty = '' $$, '23514', null, 'a faculty has a name');
select ok(not public.log_access('students_listed', 'hillside'), 'a student cannot log an access');
select is(public.list_students('hillside'), '{"students": [], "total": 0}', 'a student''s list is empty');
select is(public.read_student(tests.id_of('ada')), null, 'as is what counselors read, for the own row too');
select is((select count(*) from public.profiles), 1::bigint, 'and asking opened nothing');
select is(tests.entries('students_listed') + tests.entries('student_read'), 0::bigint, 'nor is it in the audit log');
select tests.act_as_owner();

-- Results of the last check-in.
update public.students set last_score = 40, last_check_in_at = '2026-10-02', risk_level = 'moderate', check_ins = 2 where user_id = tests.id_of('ada');
update public.students set last_score = 70, last_check_in_at = '2026-10-01', risk_level = 'none', check_ins = 9 where user_id = tests.id_of('zoe');
update public.students set last_score = 55, last_check_in_at = '2026-10-03', risk_level = 'high', check_ins = 1 where user_id = tests.id_of('max');

-- Nothing without an entry in the access log.
select tests.act_as(tests.id_of('cora'));
select is(tests.entries('students_listed'), 0::bigint, 'so far nothing is logged');
select throws_ok($$ select public.list_students('hillside') $$, '42501', 'Log this access first.', 'a list requires an entry in the access log');
select throws_ok($$ select public.list_students('hillside', 'quill') $$, '42501', 'Log this access first.', 'also with a search');
select ok(not public.log_access('students_listed', 'lakeview'), 'no list of another university is logged');
select ok(not public.log_access('students_listed', 'nowhere'), 'nor of a name that no university has');
select is(tests.entries('students_listed'), 0::bigint, 'so that nobody reads in the audit log what did not happen');
select public.log_access('reviews_listed');
select public.log_access('students_listed', 'hillside', page_limit => 3);
select throws_ok(
  $$ select public.list_students('hillside') $$, '42501', 'Log this access first.', 'and not that of another page, or of another read'
);
select throws_ok($$ select public.log_access('signed_in') $$, '22023', null, 'no other action can be logged this way');

-- The list.
select ok(public.log_access('students_listed', 'hillside'), 'a counselor logs the access');
select results_eq(
  $$ select actor_id, university_id, details from tests.last_entry() $$,
  $$
    select tests.id_of('cora'), 'hillside',
      '{"sort": "name", "descending": false, "limit": 50, "offset": 0, "search": false}'::jsonb
  $$,
  'which is in the audit log, with what was asked for'
);
select is(tests.listed(), 'Max Ada Kim Zoë', 'then the list has those who consented, by last name, then first name');
select is(public.list_students('hillside') -> 'total', '4', 'it says how many there are');
select public.log_access('students_listed', 'hillside', page_limit => 1);
select results_eq(
  $$ select key from jsonb_each(public.list_students('hillside', page_limit => 1) -> 'students' -> 0) order by key collate "C" $$,
  $$
    values
      ('check_ins'), ('faculty'), ('first_name'), ('from_register'), ('last_check_in_at'), ('last_direction_of_change'), ('last_name'), ('last_score'),
      ('last_uncertainty'), ('latest_risk_level'), ('latest_risk_source'), ('residence'), ('risk_level'), ('signs_of_life'), ('university_id'), ('user_id'),
      ('year_of_study')
  $$,
  'scores and risk, no transcripts and no media'
);
select is(tests.listed(descending => true), 'Zoë Kim Ada Max', 'by name backwards');
select is(tests.listed(sort => 'score'), 'Kim Ada Max Zoë', 'by score, those without one first');
select is(tests.listed(sort => 'score', descending => true), 'Zoë Max Ada Kim', 'or last');
select is(tests.listed(sort => 'last_check_in'), 'Kim Zoë Ada Max', 'by the last check-in');
select is(tests.listed(sort => 'last_check_in', descending => true), 'Max Ada Zoë Kim', 'backwards');
select is(left(tests.listed(sort => 'risk', descending => true), 7), 'Max Ada', 'by risk');
select throws_ok($$ select public.list_students('hillside', sort => 'salary') $$, '22P02', null, 'by nothing else');
select throws_ok($$ select public.list_students('hillside', 'Quill') $$, '42501', 'Log this access first.', 'a logged list allows no search');
select throws_ok(
  $$ select public.list_students('hillside', sort => 'name desc; select 1') $$, '22P02', null, 'and by no statement'
);
select is(tests.listed(page_limit => 2), 'Max Ada', 'a first page');
select is(tests.listed(page_limit => 2, page_offset => 2), 'Kim Zoë', 'the next');
select is(tests.listed(page_offset => 4), '', 'and one after the last');
select is(public.list_students('hillside', page_offset => 4) -> 'total', '4', 'that still says how many there are');
select is(tests.listed(page_limit => -1), '', 'a limit below nothing is nothing');
select is(tests.listed(page_offset => -5), 'Max Ada Kim Zoë', 'and an offset too');
select is(tests.listed(search => 'quill'), 'Ada Kim', 'a search finds names, in any case');
select is(public.list_students('hillside', 'quill') -> 'total', '2', 'and says how many');
select is(tests.listed(search => 'zoë u'), 'Zoë', 'across first and last name');
select is(tests.listed(search => '  quill '), 'Ada Kim', 'whatever stands around it');
select is(tests.listed(search => '  '), 'Max Ada Kim Zoë', 'a blank one is none');
select is(tests.listed(search => '%'), 'Max', 'a percent sign is one');
select is(public.list_students('hillside', '%') -> 'total', '1', 'also when counting');
select is(tests.listed(search => '_'), 'Zoë', 'an underscore is one');
select is(tests.listed(search => '\'), 'Max', 'and so is a backslash');
select is(tests.listed(search => $$' or true --$$), '', 'a quote ends nothing');
select is(tests.listed('lakeview'), '', 'another university''s list is empty');
select is(public.list_students('lakeview') -> 'total', '0', 'and says no number');

-- One student.
select throws_ok(
  $$ select public.read_student(tests.id_of('ada')) $$, '42501', 'Log this access first.', 'reading a student requires an entry for that student'
);
select is(
  tests.log_reads(tests.id_of('ada'), tests.id_of('pat'), tests.id_of('ben'), tests.id_of('uma'), '00000000-0000-4000-8000-00000000000b'),
  5::bigint,
  'also of one that there is not'
);
select results_eq(
  $$ select s ->> 'first_name', s ->> 'risk_level', s -> 'scores' from public.read_student(tests.id_of('ada')) s $$,
  $$ values ('Ada', 'moderate', '[]'::jsonb) $$,
  'a student who consented is read with scores and risk'
);
select is(public.read_student(tests.id_of('pat')), null, 'one who did not is not');
select is(public.read_student(tests.id_of('ben')), null, 'nor one of another university');
select is(public.read_student(tests.id_of('uma')), null, 'nor one who is not a student');
select is(public.read_student('00000000-0000-4000-8000-00000000000b'), null, 'nor an account that does not exist');
select is(tests.entries('student_read'), 5::bigint, 'each access is in the audit log');

-- A review shows who it is, not how they are.
select tests.act_as_owner();
select private.open_clinical_review(tests.id_of('pat'), 'session', '00000000-0000-4000-8000-00000000000a');
select tests.act_as(tests.id_of('cora'));
select is(
  public.read_student(tests.id_of('pat')) - 'user_id',
  '{"first_name": "Pat", "last_name": "Apart", "university_id": "hillside", "counselor_access": false}',
  'a student in review who did not consent is shown by name, without scores'
);
select is(tests.listed(search => 'Apart'), '', 'and is not in the list');

-- Everybody else.
select is(
  (
    select array_agg((tests.seen_by(p)) order by p) from unnest(array['ben', 'lou', 'sam', 'uma']) p
  ),
  '{0,0,0,0}',
  'other students, other universities'' counselors and administrators of either kind get nothing from any of them'
);
-- An entry is valid for a minute.
select tests.act_as_owner();
update private.logged_accesses set logged_at = logged_at - interval '61 seconds' where action = 'students_listed';
select tests.act_as(tests.id_of('cora'));
select throws_ok($$ select public.list_students('hillside') $$, '42501', 'Log this access first.', 'an entry is valid for a minute');
select public.log_access('students_listed', 'hillside');

-- Moving away: moving.test.sql.
select tests.act_as_owner();
update public.profiles set university_id = 'lakeview' where user_id = tests.id_of('ada');
select results_eq(
  $$ select university_id, students from private.listed_students where students > 0 $$,
  $$ values ('hillside', 3) $$,
  'a student who moves is not counted where they were, nor where they are until they agree'
);
select tests.give_consent(tests.id_of('ada'), '{counselor_access}', '1');
select tests.act_as(tests.id_of('lou'));
select public.log_access('students_listed', 'lakeview');
select is(tests.listed('lakeview'), 'Ada', 'and then seen there');
select tests.act_as(tests.id_of('cora'));
select is(tests.listed(), 'Max Kim Zoë', 'and no longer where they were');
select tests.act_as_owner();
delete from auth.users where id = tests.id_of('max');
select is((select students from private.listed_students where university_id = 'hillside'), 2, 'a deleted account is counted no more');
select throws_like(
  $$ delete from public.universities where id = 'lakeview' $$, 'lakeview still has % people, % roles and 0 reviews%', 'a university does not go before its students'
);
update public.profiles set university_id = null where university_id = 'lakeview';
select is(
  (select university_id from public.students where user_id = tests.id_of('ada')), null, 'who may be left without one'
);
select throws_like(
  $$ delete from public.universities where id = 'lakeview' $$, 'lakeview still has 0 people, 1 roles and 0 reviews%', 'nor before its staff'
);
delete from public.user_roles where university_id = 'lakeview';
select lives_ok($$ delete from public.universities where id = 'lakeview' $$, 'and then it goes');

select * from finish();
