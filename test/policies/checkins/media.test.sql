select plan(7);

insert into storage.buckets (id, name) values ('check-in-media', 'check-in-media'), ('check-in-images', 'check-in-images'), ('analysis-assets', 'analysis-assets')
on conflict (id) do nothing;
insert into storage.objects (bucket_id, name)
values
  ('check-in-media', tests.id_of('ada') || '/00000000-0000-4000-8000-00000000000a/audio'),
  ('check-in-images', tests.id_of('ada') || '/00000000-0000-4000-8000-00000000000a/image-01'),
  ('analysis-assets', 'weights.bin'),
  ('analysis-assets', tests.id_of('ada') || '/weights.bin');

select tests.act_as(tests.id_of('ada'));
select results_eq(
  'select name from storage.objects order by name',
  $$
    select tests.id_of('ada') || '/00000000-0000-4000-8000-00000000000a/' || name
    from (values ('audio'), ('image-01')) media (name)
  $$,
  'Ada sees her own media and nothing else'
);
select throws_ok(
  $$ insert into storage.objects (bucket_id, name) values ('check-in-media', tests.id_of('ada') || '/x/audio') $$, '42501', null,
  'Ada uploads through signed URLs only'
);
with changed as (update storage.objects set name = 'moved' returning id)
select is((select count(*) from changed), 0::bigint, 'Ada cannot move her media');

select tests.act_as(tests.id_of('ben'));
select is_empty('select name from storage.objects', 'Ben sees no media of Ada''s');
select throws_ok(
  $$ insert into storage.objects (bucket_id, name) values ('check-in-media', tests.id_of('ada') || '/x/audio') $$, '42501', null,
  'Ben cannot put anything into Ada''s folder'
);
with changed as (update storage.objects set name = 'taken' returning id)
select is((select count(*) from changed), 0::bigint, 'Ben cannot change them');

select tests.act_as_nobody();
select is_empty('select name from storage.objects', 'a visitor sees no media');

select * from finish();
