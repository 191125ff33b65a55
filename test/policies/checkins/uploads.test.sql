-- Signed addresses live on for two hours: what was submitted stays all the same, and a failed check-in takes other media.
select plan(19);

insert into storage.buckets (id, name) values ('check-in-media', 'check-in-media'), ('check-in-images', 'check-in-images')
on conflict (id) do nothing;
select tests.act_as(tests.id_of('ada'));
insert into public.consents (kind, version) values ('audio', '2026-11'), ('camera', '2026-11');
select tests.act_as_owner();
create temporary table check_in (id uuid);
with started as (select id from private.start_check_in(tests.id_of('ada'), 'daily', null))
insert into check_in select id from started;

-- As Storage does, which acts as the service for the bearer of a signed address.
create function tests.through_storage(operation text)
returns void
language sql
as $$
  select set_config('role', 'service_role', true), set_config('request.method', case when operation = '' then '' else 'PUT' end, true),
    set_config('storage.operation', operation, true)
$$;
create function tests.put(file text, of text default 'ada', bucket text default 'check-in-media')
returns text
language plpgsql
as $$
begin
  insert into storage.objects (bucket_id, name, version)
  values (bucket, tests.id_of(of) || '/' || (select id from check_in) || '/' || file, gen_random_uuid())
  on conflict (bucket_id, name) do update set version = excluded.version;
  return 'stored';
exception
  when insufficient_privilege then
    return sqlerrm;
end
$$;
create function tests.is_now(state checkin.check_in_status, times integer default 1)
returns void
language sql
security definer
as $$
  update checkin.check_ins
  set status = state, submissions = times, completed_at = case when state in ('complete', 'failed') then now() end
  where id = (select id from check_in)
$$;
grant all on check_in to public;
grant select on people to service_role;
grant usage on schema tests to service_role;

select tests.through_storage('storage.object.sign_upload_url');
select is(tests.put('audio'), 'stored', 'an address is signed for a check-in that was started');
select tests.through_storage('storage.object.upload_signed');
select is(tests.put('audio'), 'stored', 'a recording is uploaded');
select is(tests.put('audio'), 'stored', 'and replaced by a better one');
select tests.through_storage('storage.tus.upload.part_signed');
select is(tests.put('audio'), 'stored', 'by a resumable upload too');
select is(tests.put('image-01', bucket => 'check-in-images'), 'stored', 'and so is an image');
select is(tests.put('audio', of => 'ben'), 'No check-in takes this upload any more. Start a new one.', 'in nobody else''s folder');
select throws_ok(
  format($$ insert into storage.objects (bucket_id, name) values ('check-in-media', '%s/elsewhere/audio') $$, tests.id_of('ada')),
  '42501', 'No check-in takes this upload any more. Start a new one.', 'nor in one that no check-in has'
);

select tests.is_now('processing');
select is(tests.put('audio'), 'This check-in was submitted: what was uploaded to it stays.', 'what is analysed is not replaced');
select is(
  tests.put('image-02', bucket => 'check-in-images'), 'This check-in was submitted: what was uploaded to it stays.', 'nor is anything added'
);
select tests.is_now('complete');
select is(tests.put('audio'), 'This check-in was submitted: what was uploaded to it stays.', 'what was scored is not replaced');
select tests.through_storage('storage.object.some_later_way');
select is(tests.put('audio'), 'This check-in was submitted: what was uploaded to it stays.', 'by whatever way Storage learns');
select tests.through_storage('storage.object.sign_upload_url');
select is(tests.put('audio'), 'This check-in was submitted: what was uploaded to it stays.', 'and no further address is signed');
select tests.through_storage('storage.object.upload');
select is(tests.put('audio'), 'stored', 'a backup puts back what it has');

select tests.through_storage('storage.object.upload_signed');
select tests.is_now('failed');
select is(tests.put('audio'), 'stored', 'a failed one takes another recording');
select tests.is_now('failed', 3);
select is(tests.put('audio'), 'No check-in takes this upload any more. Start a new one.', 'until it was submitted three times');
select tests.is_now('expired', 0);
select is(tests.put('audio'), 'No check-in takes this upload any more. Start a new one.', 'an expired one takes nothing');

select tests.is_now('created', 0);
select tests.through_storage('');
select tests.act_as_owner();
select tests.act_as(tests.id_of('ada'));
select public.withdraw_consent('audio');
select tests.through_storage('storage.object.upload_signed');
select is(tests.put('audio'), 'The consent that this upload needs is not in force.', 'a consent that was withdrawn takes effect at once');
select is(tests.put('image-01', bucket => 'check-in-images'), 'stored', 'the other one is not touched');

select tests.through_storage('');
select tests.act_as_owner();
delete from checkin.check_ins where id = (select id from check_in);
select tests.through_storage('storage.object.upload_signed');
select is(tests.put('image-02', bucket => 'check-in-images'), 'No check-in takes this upload any more. Start a new one.', 'nor is one that is gone');

select * from finish();
