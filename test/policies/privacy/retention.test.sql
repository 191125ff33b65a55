-- What is deleted when, at simulated dates, over check-ins of many months: exactly what is due, nothing earlier, once.
select plan(45);

insert into storage.buckets (id, name)
values ('check-in-media', 'check-in-media'), ('check-in-images', 'check-in-images'), ('university-files', 'university-files')
on conflict do nothing;
-- The migrations and the set-up changed settings, which is an event.
set constraints all immediate;
set constraints all deferred;
delete from private.security_events;
delete from private.retention_counts;
delete from private.bucket_comparisons;
create function tests.start() returns timestamptz language sql as $$ select '2030-01-01 12:00+00'::timestamptz $$;
create function tests.on_day(day integer) returns timestamptz language sql as $$ select tests.start() + day * interval '1 day' $$;

-- A check-in of Ada's each day of 400 days, scored 5 minutes later, each with a recording, an image and a transcript.
create temporary table days as
select n as day, gen_random_uuid() as id from generate_series(0, 399) n;
insert into checkin.check_ins (id, user_id, type, status, created_at, submitted_at, completed_at)
select id, tests.id_of('ada'), 'daily', 'complete', tests.on_day(day), tests.on_day(day), tests.on_day(day) + interval '5 minutes' from days;
insert into checkin.fusion_results
select (jsonb_populate_record(null::checkin.fusion_results, jsonb_build_object(
  'check_in_id', id, 'user_id', tests.id_of('ada'), 'score', 50, 'uncertainty', 0.2, 'calibrated', false, 'direction_of_change', 'same', 'significance', 'low',
  'risk_level', 'none', 'summary', '', 'themes', '[]'::jsonb, 'drivers_positive', '[]'::jsonb, 'drivers_negative', '[]'::jsonb,
  'drivers', '[]'::jsonb, 'components', '[]'::jsonb, 'baseline', '{}'::jsonb, 'algorithm_version', 'test', 'created_at', tests.on_day(day)
))).*
from days;
update public.students set last_score = 50 where user_id = tests.id_of('ada');
insert into private.check_in_inputs (check_in_id, transcript, mood_score, created_at) select id, 'I slept well.', 6, tests.on_day(day) from days;
insert into private.check_in_media (check_in_id, path, kind, ordinal, etag, bytes, info, created_at)
select id, tests.id_of('ada') || '/' || id || '/' || m.name, m.kind, 0, '1', 10, '{}', tests.on_day(day)
from days, (values ('audio', 'audio'), ('image-01', 'image')) as m (name, kind);
insert into storage.objects (bucket_id, name, created_at)
select case m.kind when 'audio' then 'check-in-media' else 'check-in-images' end, m.path, m.created_at from private.check_in_media m;

-- Runs retention to its end at a date; says what it deleted.
create function tests.retain(at timestamptz, most integer default 5000)
returns jsonb
language plpgsql
as $$
declare
  total jsonb := '{}';
  run jsonb;
begin
  loop
    select jsonb_object_agg(kind, deleted) into run from private.purge_expired(at, most);
    exit when run is null;
    select jsonb_object_agg(kind, coalesce((total ->> kind)::integer, 0) + coalesce((run ->> kind)::integer, 0)) into total
    from (select jsonb_object_keys(total || run) as kind) as kinds;
  end loop;
  return total;
end
$$;
create function tests.removals(why text) returns bigint language sql as $$ select count(*) from private.object_removals where reason = why $$;
-- What the worker does.
create function tests.remove_objects() returns void language sql as $$
  select set_config('storage.allow_delete_query', 'true', true);
  delete from storage.objects o using private.object_removals r where o.bucket_id = r.bucket and o.name = r.name;
  delete from private.object_removals;
$$;

-- Exact to the minute
-- Of the settings that the migrations stored.
delete from private.security_events;
select is(tests.retain(tests.on_day(0) + interval '30 days 5 minutes'), '{}', 'nothing is deleted in the first 30 days');
select is(
  tests.retain(tests.on_day(0) + interval '30 days 6 minutes'), '{"raw_media": 2}', 'then the media of the first check-in are, and no other'
);
select is(tests.removals('retention'), 2::bigint, 'whose files are queued for removal');
select is(tests.retain(tests.on_day(0) + interval '30 days 6 minutes'), '{}', 'the same run again finds nothing');
select is(
  tests.retain(tests.on_day(40)), '{"raw_media": 18}', 'ten days later those of the days until then'
);
select is(tests.retain(tests.on_day(90)), '{"raw_media": 100}', 'no transcript before 90 days');
select is(tests.retain(tests.on_day(91)), '{"raw_media": 2, "transcripts": 1}', 'the first one then');
select ok(
  (select transcript is null and mood_score = 6 from private.check_in_inputs join days on days.id = check_in_id where day = 0),
  'what else was submitted stays'
);
select is(tests.retain(tests.on_day(90)), '{}', 'a clock that goes back deletes nothing');
select is(
  tests.retain(tests.on_day(365), most => 7), '{"raw_media": 548, "transcripts": 274}',
  'in small steps, each of which may be the last for a while, it is the same'
);
select is(
  (select jsonb_object_agg(kind, total) from (select kind, sum(deleted) as total from private.retention_counts group by kind) as counts),
  '{"raw_media": 670, "transcripts": 275}', 'all of it is counted'
);
select is(tests.removals('retention'), 670::bigint, 'and every file queued');
select tests.remove_objects();

-- Results
select is(
  tests.retain(tests.start() + interval '3 years'), '{"raw_media": 130, "transcripts": 125}', 'results are kept for three years'
);
select is(
  tests.retain(tests.start() + interval '3 years 9 days 1 minute'), '{"results": 10}', 'and end day by day'
);
select is((select count(*) from checkin.fusion_results), 390::bigint, 'with their scores');
select is((select last_score from public.students where user_id = tests.id_of('ada')), 50::numeric, 'the last result stays while there is one');
select is(tests.retain(tests.start() + interval '6 years'), '{"results": 390}', 'until none is left');
select is((select last_score from public.students where user_id = tests.id_of('ada')), null, 'then it goes too');
select tests.remove_objects();

-- Files that belong to no row
delete from private.bucket_comparisons;
insert into checkin.check_ins (id, user_id, type, status, created_at, submitted_at, completed_at)
values ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'daily', 'complete', tests.start(), tests.start(), tests.start());
insert into private.check_in_media (check_in_id, path, kind, ordinal, etag, bytes, info, created_at)
values (
  '00000000-0000-4000-8000-00000000000a', tests.id_of('ada') || '/00000000-0000-4000-8000-00000000000a/audio', 'audio', 0, '1', 10, '{}',
  tests.start()
);
-- As if Storage had ended in the middle: of accounts that are gone nothing is taken.
set local session_replication_role = replica;
insert into storage.objects (bucket_id, name, created_at)
values
  ('check-in-media', tests.id_of('ada') || '/00000000-0000-4000-8000-00000000000a/audio', tests.start()),
  ('check-in-media', tests.id_of('ada') || '/00000000-0000-4000-8000-00000000000a/audio-2', tests.start()),
  ('check-in-media', tests.id_of('ada') || '/00000000-0000-4000-8000-00000000000b/audio', tests.start()),
  ('check-in-media', tests.id_of('ada') || '/00000000-0000-4000-8000-00000000000c/audio', tests.start() + interval '1 hour'),
  ('check-in-images', 'stray.png', tests.start()),
  ('university-files', 'hillside/shared/campus.png', tests.start()),
  ('university-files', 'hillside/students/' || tests.id_of('ada') || '/essay.pdf', tests.start()),
  ('university-files', 'hillside/students/00000000-0000-4000-8000-00000000000d/essay.pdf', tests.start());
set local session_replication_role = origin;
select is(tests.retain(tests.on_day(2)), '{}', 'an upload has two days to be submitted');
select is(
  tests.retain(tests.on_day(3) - interval '12 hours'), '{"unfinished_uploads": 5}',
  'on the next day, what belongs to no row is removed'
);
select set_eq(
  $$ select name from private.object_removals where reason = 'no_row' $$,
  $$ values
    (tests.id_of('ada') || '/00000000-0000-4000-8000-00000000000a/audio-2'),
    (tests.id_of('ada') || '/00000000-0000-4000-8000-00000000000b/audio'),
    (tests.id_of('ada') || '/00000000-0000-4000-8000-00000000000c/audio'),
    ('stray.png'),
    ('hillside/students/00000000-0000-4000-8000-00000000000d/essay.pdf') $$,
  'and what belongs to one stays'
);
select results_eq(
  $$ select bucket, objects, removed, ended_at is not null from private.bucket_comparisons order by bucket $$,
  $$ values ('check-in-images', 1::bigint, 1::bigint, true), ('check-in-media', 4, 3, true), ('university-files', 3, 1, true) $$,
  'it is counted how many files were compared'
);
select is(tests.retain(tests.on_day(3) - interval '11 hours'), '{}', 'once a day');
delete from private.object_removals;
select is(tests.retain(tests.on_day(4), most => 1), '{"unfinished_uploads": 5}', 'in small steps too');
select tests.remove_objects();

-- Everything else, each a day before and after its term
select is(tests.retain(now()), '{}', 'today there is nothing to delete');
insert into private.transcript_results (user_id, transcript_sha256, provider, risk_level, result, created_at)
select tests.id_of('ada'), sha256(n::text::bytea), 'built-in', 'none', '{}', now() - n * interval '1 day' from unnest('{89,91}'::int[]) n;
insert into public.assessment_sessions (user_id, assessment_type, created_at)
select tests.id_of('ada'), 'daily', now() - interval '3 years' + n * interval '1 day' from unnest('{-1,1}'::int[]) n;
insert into public.clinical_reviews (user_id, source, source_id, status, opened_at, claimed_at, closed_at)
select tests.id_of('ada'), 'session', gen_random_uuid(), 'closed', t, t, t
from unnest('{-1,1}'::int[]) n, lateral (select now() - interval '3 years' + n * interval '1 day' as t) as closing;
insert into private.worrying_days (user_id, day) select tests.id_of('ada'), (now() at time zone 'UTC')::date - n from unnest('{30,31}'::int[]) n;
insert into public.support_alerts (user_id, status, worrying_days, opened_at, ended_at)
select tests.id_of('ada'), 'expired', 3, t, t
from unnest('{-1,1}'::int[]) n, lateral (select now() - interval '3 years' + n * interval '1 day' as t) as opening;
insert into private.inbound_texts (provider_message_id, number_hash, meaning, received_at)
select 'SM' || n, 'x', 'other', now() - interval '1 year' + n * interval '1 day' from unnest('{-1,1}'::int[]) n;
insert into private.outbox (channel, purpose, recipient, body, status, ended_at)
select 'email', 'training_reminder', 'ada@hillside.example.edu', 'Hello', s::private.message_status, now() - n * interval '1 day'
from (values ('sent', 29), ('sent', 31), ('cancelled', 31), ('dead', 89), ('dead', 91), ('unconfirmed', 91)) as m (s, n);
insert into realtime.messages (topic, extension, payload, event, private, inserted_at)
select 'support:' || tests.id_of('ada'), 'broadcast', '{}', 'status', true, (now() at time zone 'UTC') - n * interval '1 hour'
from unnest('{71,73}'::int[]) n;
insert into private.logged_accesses (reader, action, arguments_sha256, logged_at)
select tests.id_of('ada'), 'student_read', sha256(n::text::bytea), now() - n * interval '1 hour' from unnest('{23,25}'::int[]) n;
insert into auth.audit_log_entries (id, payload, created_at, ip_address)
select gen_random_uuid(), '{}', now() - n * interval '1 day', '' from unnest('{89,91}'::int[]) n;
create temporary table deleted as select tests.retain(now()) as what;
select is(
  (select what from deleted),
  '{"transcript_results": 1, "results": 1, "clinical_reviews": 1, "worrying_days": 1, "support_history": 1, "inbound_texts": 1,
    "sent_messages": 2, "undelivered_messages": 2, "channel_messages": 1, "logged_accesses": 1, "sign_in_log": 1}',
  'of each kind goes what is past its term, and nothing else'
);
select is(tests.retain(now()), '{}', 'twice is once');
select is((select count(*) from private.outbox where purpose = 'training_reminder'), 2::bigint, 'what is younger stays');

-- Settings
select tests.act_as(tests.id_of('ada'));
select is((select keep from public.retention_terms() where kind = 'raw_media'), interval '30 days', 'everybody sees how long data is kept');
select ok(not public.set_retention('raw_media', '10 years'), 'and students change nothing');
select tests.act_as_owner();
insert into public.user_roles (user_id, role) values (tests.id_of('eve'), 'security_admin');
select tests.act_as(tests.id_of('eve'));
select is((select shortest from public.retention_terms() where kind = 'exports'), interval '7 days', 'and how short it may be');
select ok(public.set_retention('sent_messages', '7 days'), 'security administrators do');
select ok(not public.set_retention('diaries', '7 days'), 'of what there is');
select throws_ok($$ select public.set_retention('raw_media', '0 days') $$, '23514', null, 'to a term that is one');
select throws_ok(
  $$ select public.set_retention('exports', '6 days 23 hours') $$, '23514', null, 'which keeps what was promised: a week to download an export'
);
select throws_ok($$ select public.set_retention('audit_log', '5 years') $$, '23514', null, 'and six years of the audit log');
select ok(public.set_retention('audit_log', '7 years') and public.set_retention('audit_log', '6 years'), 'longer it may be');
set constraints all immediate;
select tests.act_as_owner();
select results_eq(
  $$ select before ->> 'keep', after ->> 'keep', actor_id from private.audit_log where action = 'settings_changed' and target_id = 'sent_messages' order by id desc limit 1 $$,
  $$ select '30 days', '7 days', tests.id_of('eve') $$, 'and the change is in the audit log'
);
select is(tests.retain(now()), '{"sent_messages": 1}', 'it counts from the next run on');
select is_empty(
  $$ select kind from private.retention_rules r where private.purge_kind(kind, '2000-01-01', 1) <> 0 $$,
  'every rule has its step, and none deletes what is younger than anything'
);
select is(private.purge_kind('diaries', now(), 1), 0, 'there is no other');
insert into private.outbox (channel, purpose, recipient, body, status, ended_at)
values ('email', 'training_reminder', 'ada@hillside.example.edu', 'Hello', 'sent', now() - interval '8 days');
alter table private.inbound_texts rename to texts_of_another_platform;
select is(tests.retain(now()), '{"sent_messages": 1}', 'one that cannot be done keeps none of the others');
-- The guard of the audit log goes by today's date.
set local session_replication_role = replica;
select ok(
  private.purge_kind('audit_log', now() + interval '6 years' - interval '1 minute', 5000) = 0
    and private.purge_kind('audit_log', now() + interval '6 years 1 minute', 5000) > 0,
  'after six years the audit log names nobody'
);
set local session_replication_role = origin;
select ok((select intact from public.verify_audit_chain(1)), 'and is intact');
select tests.act_as_nobody();
select throws_ok($$ select public.retention_terms() $$, '42501', null, 'without signing in there is nothing to see');

select * from finish();
