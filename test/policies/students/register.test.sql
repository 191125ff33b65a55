-- The register of a university: how a file becomes it, what it says of students, and who may import it.
select plan(63);

insert into people
values
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('sam', tests.new_student('sam@elsewhere.example.com')),
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('kim', tests.new_student('kim@hillside.example.edu')),
  ('max', tests.new_student('max@hillside.example.edu'));
delete from public.user_roles where user_id in (select id from people where name in ('uma', 'sam', 'cora'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('sam'), 'security_admin', null),
  (tests.id_of('cora'), 'counselor', 'hillside');

-- A file with this header and these lines.
create function tests.csv(variadic lines text[])
returns text
language sql
as $$ select array_to_string('{"email,student_number,faculty,year,residence"}'::text[] || lines, E'\n') $$;
-- What is wrong with the rows of a file: 2 formula, 3 quotes.
create function tests.wrong(csv text)
returns text
language sql
security definer
as $$ select coalesce(string_agg(r.number || ' ' || r.code, ', ' order by r.number), '') from private.enrolment_rows(csv) r where r.code is not null $$;
create function tests.counted(import jsonb)
returns text
language sql
as $$
  select concat_ws(' ', import ->> 'new', import ->> 'changed', import ->> 'unchanged', import ->> 'missing', import ->> 'invalid', import ->> 'applied')
$$;
create function tests.register()
returns setof text
language sql
security definer
as $$
  select concat_ws('|', email, student_number, faculty, year_of_study, residence) from private.enrolments where university_id = 'hillside' order by email
$$;
create function tests.student(person text)
returns text
language sql
security definer
as $$
  select concat_ws('|', coalesce(faculty, '-'), coalesce(year_of_study, '-'), coalesce(residence, '-'), array_to_string(from_register, ' '))
  from public.students where user_id = tests.id_of(person)
$$;

-- Files.
select results_eq(
  format($$ select number, email, student_number, faculty, year_of_study, residence from private.enrolment_rows(%L) where code is null $$, csv),
  $$ values (2, 'ada@hillside.example.edu', 'N1', 'Law, and "more"', '2', null::text), (5, 'b@x.example.edu', 'N 2', 'Ökonomie', null, 'on campus') $$,
  'a file is read ' || how
)
from (
  values
    (
      'with commas, quotes and empty lines',
      E'email,student_number,faculty,year,residence\nAda+x@Hillside.example.edu,N1,"Law, and ""more""",2,\n\n,,,,\n b@x.example.edu ,N  2,\u00d6konomie,,"on\n  campus"\n'
    ),
    (
      'as a spreadsheet of a country with decimal commas saves it',
      E'\ufeffEmail;Student number;FACULTY;"Year";Residence;Name\r\n"ada@hillside.example.edu";N1;"Law, and ""more""";2;;A; \r\n;;;;;\r\n\r\nb@x.example.edu;"N\u00a02";O\u0308konomie;;on\tcampus'
    ),
    (
      'in any order',
      E'residence,year,other,faculty,student-number,email\r,2,,"Law, and ""more""",N1,ada@hillside.example.edu\r\r\ron campus,,,\u00d6konomie,N 2,b@x.example.edu\r'
    )
) as files (how, csv);
select is(tests.wrong(tests.csv(line)), wrong, 'what is wrong with a row is said: ' || wrong)
from (
  values
    ('a@x.example.edu,N1,=cmd|calc,1,', '2 formula'), ('a@x.example.edu,+49,Law,1,', '2 formula'), ('@x.example.edu,N1,Law,1,', '2 formula'),
    (E'a@x.example.edu,N1,"\t=HYPERLINK(1)",1,', '2 formula'), ('a@x.example.edu,N1,"Law,1,', '2 quotes'),
    ('a@x.example.edu,N1,La"w,1,', '2 quotes'), ('a@x.example.edu,N1,"La"w",1,', '2 quotes'), (repeat('a', 4001), '2 quotes'),
    ('a@x.example.edu,N1,Law,1,x,y', '2 too_many_cells'), (E'a@x.example.edu,N1,Law\u0007,1,', '2 control_character'),
    (',N1,Law,1,', '2 email_missing'), ('ä@x.example.edu,N1,Law,1,', '2 email_invalid'), ('a@x,N1,Law,1,', '2 email_invalid'),
    ('a@x.example.edu,,Law,1,', '2 student_number_missing'), ('a@x.example.edu', '2 student_number_missing'),
    ('a@x.example.edu,"1;2",Law,1,', '2 student_number_invalid'), ('a@x.example.edu,' || repeat('1', 41) || ',,,', '2 student_number_invalid'),
    ('a@x.example.edu,N1,' || repeat('x', 101) || ',,', '2 faculty_too_long'), ('a@x.example.edu,N1,,' || repeat('1', 21) || ',', '2 year_too_long'),
    ('a@x.example.edu,N1,,,' || repeat('x', 101), '2 residence_too_long'),
    (E'a@x.example.edu,N1,,,\nA+tag@X.example.edu,N2,,,\nb@x.example.edu,N1,,,', '3 email_duplicate, 4 student_number_duplicate')
) as rows (line, wrong);
select throws_ok(format('select private.enrolment_rows(%L)', csv), '22023', null, 'a file is refused: ' || why)
from (
  values
    ('', 'empty'), ('email,student_number,faculty,year', 'without a column'), ('email,email,student_number,faculty,year,residence', 'with one twice'),
    (E'email|student_number|faculty|year|residence\na|b|c|d|e', 'with other separators'), (E'a@x.example.edu,N1,Law,1,', 'without a header'),
    (tests.csv(E'a@x.example.edu,N1,\ufffdkonomie,,'), 'read in the wrong encoding')
) as files (csv, why);

-- Who may import.
select tests.act_as(tests.id_of('cora'));
select throws_ok($$ select public.import_enrolments('hillside', '') $$, '42501', null, 'a counselor imports nothing');
select tests.act_as(tests.id_of('uma'));
select throws_ok($$ select public.import_enrolments('lakeview', '') $$, '42501', null, 'an administrator nothing of another university');
select throws_ok($$ select public.import_enrolments(null, '') $$, '42501', null, 'and nothing of none');
select throws_ok(
  $$ select public.import_enrolments('hillside', repeat('x', 5242881)) $$, 'PT413', 'The file is larger than 5 MB.', 'a file has 5 MB at most'
);
select throws_ok(
  $$ select public.import_enrolments('hillside', tests.csv(variadic '{}') || repeat(E'\na@x.example.edu,N1,,,', 20001)) $$, 'PT413',
  'The file has more than 20,000 rows.', 'and 20,000 rows'
);

-- Preview, then apply.
select tests.act_as_owner();
update public.students set faculty = 'Typed', year_of_study = '9', residence = 'Typed' where user_id in (tests.id_of('ada'), tests.id_of('kim'));
select tests.act_as(tests.id_of('uma'));
select is(
  public.import_enrolments('hillside', tests.csv('Ada@hillside.example.edu,N1,Law,2,', 'b@x.example.edu,N2,Arts,1,', 'x,N3,,,')),
  $$
    {
      "new": 2, "changed": 0, "unchanged": 0, "missing": 0, "invalid": 1, "applied": false,
      "rows": {
        "new": [
          {"row": 2, "email": "ada@hillside.example.edu", "student_number": "N1", "faculty": "Law", "year": "2", "residence": null},
          {"row": 3, "email": "b@x.example.edu", "student_number": "N2", "faculty": "Arts", "year": "1", "residence": null}
        ],
        "changed": [], "unchanged": [], "missing": [],
        "invalid": [{"row": 4, "code": "email_invalid", "problem": "This is no email address."}]
      }
    }
  $$,
  'a preview says what would change'
);
select is_empty('select * from tests.register()', 'and changes nothing');
select throws_ok(
  $$ select public.import_enrolments('hillside', tests.csv('ada@hillside.example.edu,N1,Law,2,', 'x,N3,,,'), true) $$, '22023',
  'Nothing was imported: 1 of the rows are invalid.', 'a file with an invalid row is not applied'
);
select throws_ok(
  $$ select public.import_enrolments('hillside', tests.csv(variadic '{}'), true) $$, '22023', 'Nothing was imported: the file has no rows.', 'nor an empty one'
);
select is(
  tests.counted(public.import_enrolments('hillside', tests.csv('ada@hillside.example.edu,N1,Law,2,', 'b@hillside.example.edu,N2,Arts,1,'), true)),
  '2 0 0 0 0 true', 'another is'
);
select is(
  tests.counted(public.import_enrolments('hillside', tests.csv('b@hillside.example.edu,N2,Arts,1,', 'ADA@hillside.example.edu,N1,Law,2,'), true)),
  '0 0 2 0 0 true', 'the second time nothing changes'
);
select is(
  public.read_register('hillside'), jsonb_build_object('imported_at', now(), 'students', 2, 'kept_until', now() + interval '400 days'),
  'when that was, and how many students it has, can be read'
);
select tests.act_as(tests.id_of('cora'));
select throws_ok($$ select public.read_register('hillside') $$, '42501', null, 'not by a counselor');
select tests.act_as(tests.id_of('uma'));
select throws_ok($$ select public.read_register('lakeview') $$, '42501', null, 'nor of another university');

-- What it says counts.
select is(tests.student('ada'), 'Law|2|Typed|faculty year_of_study', 'what the register says counts, the rest is what the student typed');
select is(tests.student('kim'), 'Typed|9|Typed|', 'and all of it for who is not in the register');
select tests.act_as(tests.id_of('ada'));
select is((select faculty from public.students), 'Law', 'the student sees it');
select throws_ok(
  $$ update public.students set faculty = 'Arts' $$, '42501', 'The university''s register says this of the student: correct it there, and import it again.',
  'and does not change it'
);
select lives_ok($$ update public.students set residence = 'off_campus', faculty = 'Law' $$, 'but the rest');
select throws_ok($$ update public.students set from_register = '{}' $$, '42501', null, 'nor what is from the register');
select tests.act_as_owner();
select is(private.student_number(tests.id_of('ada')), 'N1', 'there is the student''s number');
select is(private.student_number(tests.id_of('kim')), null, 'of who is in the register');

-- A student who comes later.
insert into auth.users (id, email) values ('00000000-0000-4000-8000-00000000000b', 'b+me@hillside.example.edu');
insert into people values ('bo', '00000000-0000-4000-8000-00000000000b');
select is(tests.student('bo'), '-|-|-|', 'nobody claims a place in the register with an address that is not confirmed');
update auth.users set email_confirmed_at = now() where email = 'b+me@hillside.example.edu';
select is(tests.student('bo'), 'Arts|1|-|faculty year_of_study', 'with a confirmed one they have it');

-- Changes.
select tests.act_as(tests.id_of('sam'));
select is(
  public.import_enrolments('hillside', tests.csv('ada@hillside.example.edu,N2,Law,3,hall', 'kim@hillside.example.edu,N1,,,'), true) #- '{rows,unchanged}',
  $$
    {
      "new": 1, "changed": 1, "unchanged": 0, "missing": 1, "invalid": 0, "applied": true,
      "rows": {
        "new": [{"row": 3, "email": "kim@hillside.example.edu", "student_number": "N1", "faculty": null, "year": null, "residence": null}],
        "changed": [{
          "row": 2, "email": "ada@hillside.example.edu", "student_number": "N2", "faculty": "Law", "year": "3", "residence": "hall",
          "before": {"student_number": "N1", "faculty": "Law", "year": "2", "residence": null}
        }],
        "missing": [{"email": "b@hillside.example.edu", "student_number": "N2", "faculty": "Arts", "year": "1", "residence": null}],
        "invalid": []
      }
    }
  $$,
  'the register becomes that of the file, by a security administrator too'
);
select results_eq(
  'select * from tests.register()', $$ values ('ada@hillside.example.edu|N2|Law|3|hall'), ('kim@hillside.example.edu|N1') $$, 'with numbers that moved'
);
select is(
  tests.student('ada') || ', ' || tests.student('kim') || ', ' || tests.student('bo'),
  'Law|3|hall|faculty year_of_study residence, Typed|9|Typed|, -|-|-|', 'and with it its students'
);
select tests.act_as_owner();
set constraints all immediate;
select results_eq(
  $$ select university_id, details - 'sort' from public.audit_logs where action = 'enrolments_imported' order by id $$,
  $$
    values
      ('hillside', '{"new": 2, "changed": 0, "unchanged": 0, "missing": 0}'::jsonb),
      ('hillside', '{"new": 1, "changed": 1, "unchanged": 0, "missing": 1}')
  $$,
  'the log has each import that changed something'
);

-- Elsewhere.
update private.enrolments set email = 'max@hillside.example.edu' where email = 'ada@hillside.example.edu';
select is(tests.student('ada') || ', ' || tests.student('max'), '-|-|-|, Law|3|hall|faculty year_of_study residence', 'a change in the grid counts too');
update public.profiles set university_id = 'lakeview' where user_id = tests.id_of('max');
select is(tests.student('max'), '-|-|-|', 'what a register says stays behind when a student moves');
update public.profiles set university_id = 'hillside' where user_id = tests.id_of('max');
select is(tests.student('max'), 'Law|3|hall|faculty year_of_study residence', 'and is there when they come back');
delete from auth.users where id = tests.id_of('max');
select is_empty($$ select from private.enrolments where email = 'max@hillside.example.edu' $$, 'with an account its row of the register is erased');
update private.enrolment_registers set imported_at = now() - interval '401 days';
select private.purge_expired();
select is_empty('select from private.enrolments', 'and all of a register that nobody imported for long');

select * from finish();
