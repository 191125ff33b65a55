-- A university's files: what is shared among its members, and what is one student's.
select plan(30);

insert into people
values
  ('cora', tests.new_student('cora@hillside.example.edu')),
  ('uma', tests.new_student('uma@hillside.example.edu')),
  ('abe', tests.new_student('abe@hillside.example.edu')),
  ('sam', tests.new_student('sam@elsewhere.example.com'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('sam'), 'security_admin', null);

insert into storage.buckets (id, name) values ('university-files', 'university-files') on conflict (id) do nothing;

create function tests.own(person text, file text)
returns text
language sql
as $$ select 'hillside/students/' || tests.id_of(person) || '/' || file $$;
-- 1 when it was stored.
create function tests.put(file text)
returns bigint
language plpgsql
as $$
begin
  insert into storage.objects (bucket_id, name) values ('university-files', file);
  return 1;
exception
  when insufficient_privilege then
    return 0;
end
$$;
create function tests.seen()
returns bigint
language sql
as $$ select count(*) from storage.objects where bucket_id = 'university-files' $$;
create function tests.removed(file text)
returns bigint
language plpgsql
as $$
declare
  removed bigint;
begin
  delete from storage.objects where bucket_id = 'university-files' and name = file;
  get diagnostics removed = row_count;
  return removed;
end
$$;
select set_config('storage.allow_delete_query', 'true', true);

select tests.act_as(tests.id_of('cora'));
select is(tests.put('hillside/shared/plan.pdf'), 1::bigint, 'a counselor shares a file');
select is(tests.put('lakeview/shared/plan.pdf'), 0::bigint, 'not at another university');
select is(tests.put(tests.own('ada', 'note.txt')), 0::bigint, 'nor in a student''s folder');
select tests.act_as(tests.id_of('uma'));
select is(tests.put('hillside/shared/rules/house.pdf'), 1::bigint, 'as does an administrator');
select is(tests.put('hillside/loose.pdf'), 0::bigint, 'in the shared folder alone');
select is(tests.put('shared/loose.pdf'), 0::bigint, 'of a university');

select tests.act_as(tests.id_of('ada'));
select is(tests.put(tests.own('ada', 'diary.pdf')), 1::bigint, 'a student keeps a file in the own folder');
select is(tests.put(tests.own('ada', 'a/b/c.pdf')), 1::bigint, 'also in folders of it');
select is(tests.put(tests.own('abe', 'x.pdf')), 0::bigint, 'not in another''s');
select is(tests.put('hillside/shared/x.pdf'), 0::bigint, 'nor among what is shared');
select is(tests.put('lakeview/students/' || tests.id_of('ada') || '/x.pdf'), 0::bigint, 'nor at another university');
select is(tests.put('hillside/students/x.pdf'), 0::bigint, 'nor beside the folders');
select is(tests.seen(), 4::bigint, 'and sees what is shared and the own');

select tests.act_as(tests.id_of('abe'));
select is(tests.seen(), 2::bigint, 'another student sees what is shared');
select is(tests.removed(tests.own('ada', 'diary.pdf')), 0::bigint, 'and removes nothing of anybody');
select is(tests.removed('hillside/shared/plan.pdf'), 0::bigint, 'nor of all');
select tests.act_as(tests.id_of('ben'));
select is(tests.seen(), 0::bigint, 'a student elsewhere sees nothing');
select tests.act_as(tests.id_of('sam'));
select is(tests.seen(), 0::bigint, 'nor does a security administrator');
select is(tests.put('hillside/shared/x.pdf'), 0::bigint, 'who stores nothing either');
select tests.act_as_nobody();
select is(tests.seen(), 0::bigint, 'nor does a visitor');

select tests.act_as(tests.id_of('cora'));
select is(tests.seen(), 2::bigint, 'a counselor sees nothing of a student''s folder');
select is(tests.removed('hillside/shared/plan.pdf'), 0::bigint, 'and removes nothing that is shared');
select tests.act_as(tests.id_of('uma'));
select is(tests.seen(), 2::bigint, 'nor does an administrator see it');
select is(tests.removed(tests.own('ada', 'diary.pdf')), 0::bigint, 'or remove it');
select is(tests.removed('hillside/shared/plan.pdf'), 1::bigint, 'who removes what is shared');
select tests.act_as(tests.id_of('ada'));
select is(tests.removed(tests.own('ada', 'diary.pdf')), 1::bigint, 'as a student does the own files');

-- Storage acts as the service for the bearer of a signed address, and stores what it was signed for whatever is there by then.
select tests.act_as_owner();
create function tests.replaces(operation text, whose text default null)
returns text
language plpgsql
as $$
begin
  perform set_config('request.method', 'PUT', true), set_config('storage.operation', operation, true);
  update storage.objects set version = gen_random_uuid(), owner_id = whose where name = 'hillside/shared/rules/house.pdf';
  return 'replaced';
exception
  when insufficient_privilege then
    return sqlerrm;
end
$$;
select is(tests.replaces('storage.tus.upload.part_signed'), 'A file is never overwritten. Upload it under another name.', 'nothing is overwritten by an address that was signed before');
select is(tests.replaces('storage.object.upload_signed', tests.id_of('cora')::text), 'A file is never overwritten. Upload it under another name.', 'whoever it was signed for');
select is(tests.replaces('storage.object.upload', tests.id_of('cora')::text), 'A file is never overwritten. Upload it under another name.', 'nor by an upload that began before the other one ended');
select is(tests.replaces('storage.object.upload'), 'replaced', 'a backup puts back what it has');

select * from finish();
