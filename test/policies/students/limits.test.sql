-- How much one account may store.
select plan(19);

update private.student_limits set sessions = 3, session_bytes = 20000, consents = 2, files = 2, file_bytes = 1000;

select tests.act_as(tests.id_of('ada'));
select throws_ok(
  $$ insert into public.assessment_sessions (assessment_type) select 'daily' from generate_series(1, 4) $$, '23514',
  'This account has too many sessions, or too much session_data in them. Delete old sessions first.',
  'an account has a number of sessions, however many come at once'
);
select lives_ok($$ insert into public.assessment_sessions (assessment_type) select 'daily' from generate_series(1, 3) $$, 'up to the limit');
select throws_ok($$ insert into public.assessment_sessions (assessment_type) values ('daily') $$, '23514', null, 'and no more one by one');
select lives_ok($$ update public.assessment_sessions set status = 'completed' $$, 'those that there are change');
select throws_ok(
  $$
    update public.assessment_sessions
    set session_data = (select jsonb_object_agg(n, md5(n::text || id)) from generate_series(1, 500) n)
  $$,
  '23514', null, 'until they hold too much'
);
delete from public.assessment_sessions;
select lives_ok($$ insert into public.assessment_sessions (assessment_type) values ('daily') $$, 'deleting makes room');
select tests.act_as(tests.id_of('ben'));
select lives_ok($$ insert into public.assessment_sessions (assessment_type) values ('daily') $$, 'another account has its own');

insert into public.consents (kind, version) values ('audio', '1');
update public.consents set withdrawn_at = now();
insert into public.consents (kind, version) values ('audio', '1');
update public.consents set withdrawn_at = now() where withdrawn_at is null;
select is_empty('select 1 from public.consents where withdrawn_at is null', 'at the limit a consent is still withdrawn');
select throws_ok($$ insert into public.consents (kind, version) values ('audio', '1') $$, '23514', null, 'and none is granted');

select tests.act_as_owner();
insert into storage.buckets (id, name) values ('university-files', 'university-files') on conflict (id) do nothing;
insert into storage.objects (bucket_id, name, metadata)
values ('university-files', 'lakeview/students/' || tests.id_of('ben') || '/a.pdf', '{"size": 600}');
select tests.act_as(tests.id_of('ben'));
create function pg_temp.add_file(name text)
returns void
language sql
as $$ insert into storage.objects (bucket_id, name) values ('university-files', 'lakeview/students/' || auth.uid() || '/' || name) $$;
select lives_ok($$ select pg_temp.add_file('b.pdf') $$, 'a folder takes files');
select throws_ok($$ select pg_temp.add_file('c.pdf') $$, '42501', null, 'up to a number');
select tests.act_as_owner();
update private.student_limits set files = 10;
update storage.objects set metadata = '{"size": 600}' where name like '%/b.pdf';
select tests.act_as(tests.id_of('ben'));
select throws_ok($$ select pg_temp.add_file('c.pdf') $$, '42501', null, 'and up to a size');
select tests.act_as_owner();
select is(private.has_room_for_file('lakeview/students/' || tests.id_of('eve') || '/a.pdf'), true, 'another folder has room');

insert into storage.buckets (id, name, file_size_limit) values ('sized', 'sized', 1000), ('unsized', 'unsized', null);
create function pg_temp.store(bucket text, size bigint)
returns void
language sql
as $$ insert into storage.objects (bucket_id, name, metadata) values (bucket, gen_random_uuid(), jsonb_build_object('size', size)) $$;
set local role service_role;
select throws_ok(
  $$ select pg_temp.store('sized', 1001) $$, '42501', 'The object is larger than its bucket takes.', 'an object fits its bucket'
);
select lives_ok($$ select pg_temp.store('sized', 1000), pg_temp.store('unsized', 1001) $$, 'up to its limit, if it has one');
select throws_ok(
  $$ update storage.objects set metadata = '{"size": 1001}' where bucket_id = 'sized' $$, '42501', null, 'also when it is replaced'
);
select throws_ok(
  $$ update storage.objects set bucket_id = 'sized' where bucket_id = 'unsized' $$, '42501', null, 'or moved'
);
reset role;
update private.student_limits set check_in_bytes = 1000;
insert into storage.buckets (id, name) values ('check-in-media', 'check-in-media'), ('check-in-images', 'check-in-images')
on conflict (id) do nothing;
insert into storage.objects (bucket_id, name, metadata)
values
  ('check-in-media', tests.id_of('ben') || '/1/audio', '{"size": 600}'),
  ('check-in-images', tests.id_of('ben') || '/1/image-01', '{"size": 600}');
select is(private.has_room_for_check_in(tests.id_of('ben')), false, 'the media of check-ins have a size');
select is(private.has_room_for_check_in(tests.id_of('ada')), true, 'for each student');

select * from finish();
