-- How an export is divided into volumes, and what of a row is whose.
select plan(18);

insert into storage.buckets (id, name) values ('check-in-media', 'check-in-media') on conflict (id) do nothing;

-- A counselor who claimed Ada's review, and a message to Ada with a link.
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid());
set local session_replication_role = replica;
update public.clinical_reviews
set status = 'claimed', claimed_by = tests.id_of('ben'), claimed_at = now()
where user_id = tests.id_of('ada');
set local session_replication_role = origin;
insert into private.outbox (channel, purpose, user_id, recipient, body)
values ('email', 'export', tests.id_of('ada'), 'ada@hillside.example.edu', 'Open https://example.edu/?token=' || repeat('0a', 32));

create function tests.exported(person text, relation text, since timestamptz default null, until timestamptz default 'infinity')
returns jsonb
language sql
as $$
  select coalesce(jsonb_agg(content::jsonb), '[]')
  from private.exported_rows(tests.id_of(person), split_part(relation, '.', 1), split_part(relation, '.', 2), since, until) as content
$$;

select is(tests.exported('ada', 'public.clinical_reviews') -> 0 ->> 'user_id', tests.id_of('ada')::text, 'a review is in the student''s export');
select ok(not tests.exported('ada', 'public.clinical_reviews') -> 0 ? 'claimed_by', 'without the counselor');
select is(
  tests.exported('ben', 'public.clinical_reviews'), jsonb_build_array(jsonb_build_object('claimed_by', tests.id_of('ben'))),
  'of which the counselor''s has nothing but that it was them'
);
select is(jsonb_array_length(tests.exported('ben', 'public.profiles')), 1, 'everybody has the own profile');
select ok(tests.exported('ben', 'public.profiles')::text !~ tests.id_of('ada')::text, 'and nobody else''s');
select ok(tests.exported('ada', 'private.outbox')::text !~ '[0-9a-f]{64}', 'no link in a message can be opened by who has the export');
select ok(tests.exported('ada', 'private.outbox')::text ~ 'token=…', 'but the message is there');
insert into private.outbox (channel, purpose, user_id, recipient, body)
values ('email', 'clinical_review_reminder', tests.id_of('ada'), 'on-call@hillside.example.edu', 'Ada needs somebody.');
select results_eq(
  $$ select row ->> 'purpose', row ->> 'recipient' from jsonb_array_elements(tests.exported('ada', 'private.outbox')) row
     where row ->> 'purpose' in ('clinical_review_reminder', 'export') order by 1 $$,
  $$ values ('clinical_review_reminder', null), ('export', 'ada@hillside.example.edu') $$,
  'a message about her without the address of the office that it went to'
);
select is_empty(
  $$
    select p.schema_name, p.relation_name, p.columns
    from private.personal_data p
    join private.exported_columns c using (schema_name, relation_name)
    where p.withheld is not null and c.column_name = any (p.columns)
  $$,
  'what is withheld is in no export'
);
select is_empty(
  $$
    select c.*
    from private.exported_columns c
    where c.schema_name in ('net', 'vault', 'cron', 'realtime', 'storage')
      or c.column_name in ('encrypted_password', 'token_hash', 'verification_token', 'confirmation_token', 'salt')
  $$,
  'no export has a credential or a table of the platform that holds some'
);
select is_empty(
  $$
    select p.schema_name, p.relation_name
    from private.personal_data p
    where p.store = 'relation' and p.schema_name in ('public', 'checkin', 'private') and p.belongs_to is not null
      and p.content <> 'credentials' and p.withheld is null
      and not exists (
        select from private.exported_columns c where (c.schema_name, c.relation_name) = (p.schema_name, p.relation_name)
      )
  $$,
  'every other table of the inventory with rows of people is exported'
);

-- Volumes.
update private.export_settings set rows_per_volume = 2, volume_bytes = 100;
insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state)
values (tests.id_of('ada'), 1, 1, 50, 10, '{}');
insert into checkin.check_ins (user_id, type, status, created_at)
select tests.id_of('ada'), 'daily', 'expired', timestamptz '2026-11-01 10:00+00' + day * interval '1 day' from generate_series(1, 5) as day;
insert into storage.objects (bucket_id, name, metadata)
select 'check-in-media', tests.id_of('ada') || '/' || place || '/audio', jsonb_build_object('size', size, 'mimetype', 'audio/mp4')
from unnest(array[60, 40, 30, 101, 90]) with ordinality as o (size, place);
insert into storage.objects (bucket_id, name, metadata)
values ('check-in-media', tests.id_of('ben') || '/1/audio', '{"size": 1, "mimetype": "audio/mp4"}');
select is(
  private.request_export(tests.id_of('ada'), false, '2026-11-20', null, null, null) ->> 'outcome', 'requested', 'Ada asks for an export'
);
select results_eq(
  $$
    select v.content::text, (select sum((o ->> 'bytes')::integer) from jsonb_array_elements(v.objects) o)
    from private.export_volumes v
    order by v.ordinal
  $$,
  $$
    values ('documents', null::bigint), ('documents', null), ('documents', null), ('media', 100), ('file', 101), ('media', 30), ('media', 90)
  $$,
  'documents of two check-ins each, then media of 100 bytes at most; what is larger is alone'
);
select is_empty(
  $$ select from private.export_volumes v where v.objects::text ~ tests.id_of('ben')::text $$, 'nothing of it is somebody else''s'
);
select results_eq(
  $$
    select jsonb_array_length(tests.exported('ada', 'checkin.check_ins', v.since, v.until))
    from private.export_volumes v
    where v.content = 'documents'
    order by v.ordinal
  $$,
  $$ values (2), (2), (1) $$,
  'each check-in is in one volume'
);
select is(
  (select sum(jsonb_array_length(tests.exported('ada', 'checkin.user_baselines', v.since, v.until))) from private.export_volumes v where v.content = 'documents'),
  1::bigint, 'what has no time is in the first'
);
select is((select count(*) from private.claim_export_volume() c where c.user_id = tests.id_of('ada')), 1::bigint, 'a volume is claimed');
select is((select count(*) from private.claim_export_volume() c where c.user_id = tests.id_of('ada')), 0::bigint, 'and no other of the export beside it');

select * from finish();
