-- Names of objects: what could lead elsewhere is refused, whoever stores it, and what is there already is nobody's to see.
select plan(50);

insert into people values ('abe', tests.new_student('abe@hillside.example.edu'));
insert into storage.buckets (id, name) values ('university-files', 'university-files') on conflict (id) do nothing;

create function tests.own(file text)
returns text
language sql
as $$ select 'hillside/students/' || tests.id_of('abe') || '/' || file $$;
-- SQLSTATE of storing an object, 00000 when it was stored.
create function tests.put(file text)
returns text
language plpgsql
as $$
begin
  insert into storage.objects (bucket_id, name) values ('university-files', file);
  return '00000';
exception
  when others then
    return sqlstate;
end
$$;

-- From before the rule.
set local session_replication_role = replica;
insert into storage.objects (bucket_id, name, owner_id)
values ('university-files', tests.own('../old.pdf'), tests.id_of('abe'));
set local session_replication_role = origin;
select set_config('storage.allow_delete_query', 'true', true);

create table names (name text, plain boolean);
insert into names
values
  ('a.pdf', true), ('a/b/c.pdf', true), ('..a/b..', true), ('...a', true), ('.hidden', true), ('a b/ c.txt', true),
  ('a!-_.*''() &$@=;:+,?', true), ('', false), ('/', false), ('/a', false), ('a/', false), ('a//b', false), ('.', false), ('..', false),
  ('../a', false), ('a/..', false), ('a/./b', false), ('a/../b', false), ('a/.. /b', false), ('a/ ./b', false), ('a/.../b', false),
  ('a/ /b', false), ('a\b', false), ('a/..\b', false), ('%2e%2e/a', false), ('a%2Fb', false), ('%252e', false), ('a%5Cb', false),
  ('100%', false), (E'a\nb', false), (E'a\tb', false), (E'a\n', false), (U&'a/\2024\2024/b', false), (U&'a/\FF0E\FF0E/b', false),
  (U&'a\2215b', false), (U&'a\FF0Fb', false), ('a#b', false), (repeat('x', 1024), true), (repeat('x', 1025), false);
grant select on names to authenticated;

select is(private.is_object_name(n.name), n.plain, format('%s: %s', case when n.plain then 'taken' else 'refused' end, to_json(left(n.name, 40))))
from names n;

select is(tests.put('hillside/shared/../x'), '42501', 'the database''s owner stores none either');
select is(tests.put('hillside/shared/..x'), '00000', 'but what has dots within a level');
select throws_ok(
  $$ update storage.objects set name = 'hillside/shared/../y' where name = 'hillside/shared/..x' $$, '42501', null, 'or is renamed'
);
select throws_ok($$ update storage.objects set name = null where name = 'hillside/shared/..x' $$, '42501', null, 'or has no name');
insert into storage.buckets (id, name) values ('..', '..');
select throws_ok(
  $$ insert into storage.objects (bucket_id, name) values ('..', 'x') $$, '42501', null, 'a bucket''s name counts as well'
);

select tests.act_as(tests.id_of('abe'));
select is(tests.put(tests.own('mine.pdf')), '00000', 'a student stores a file in the own folder');
select is(tests.put(tests.own('../' || tests.id_of('ada') || '/x.pdf')), '42501', 'and none that leads out of it');
select results_eq(
  'select name from storage.objects',
  $$ values ('hillside/shared/..x'), (tests.own('mine.pdf')) $$,
  'one from before the rule is not seen'
);
with deleted as (delete from storage.objects where name like '%old.pdf' returning id)
select is((select count(*) from deleted), 0::bigint, 'nor removed but by the service');

-- Without the trigger, as where a platform would not have it.
select tests.act_as_owner();
drop trigger check_object_name on storage.objects;
select tests.act_as(tests.id_of('abe'));
select is(tests.put(tests.own('../' || tests.id_of('ada') || '/x.pdf')), '42501', 'the policy alone refuses it of a student too');
select is(tests.put(tests.own('b.pdf')), '00000', 'and nothing else');

select * from finish();
