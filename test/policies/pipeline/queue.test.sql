-- The rules of the queue, followed through a few check-ins, from submission to score.
select plan(78);

select vault.create_secret('http://127.0.0.1:9/functions/v1', 'functions_url');
select vault.create_secret('a-secret-of-the-test', 'pipeline_secret');

select tests.give_consent(id, '{audio,text}') from people where name in ('ada', 'ben');
insert into checkin.check_ins (id, user_id, type)
values
  ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'daily'),
  ('00000000-0000-4000-8000-00000000000b', tests.id_of('ben'), 'daily');

create temporary table failed_before as select labels, value from private.metrics where name = 'wellbeing_jobs_failed_total';

create function tests.submit(check_in uuid, person text)
returns text
language sql
as $$
  select private.submit_check_in(
    check_in,
    tests.id_of(person),
    '{"transcript": "I slept well.", "crisis_level": "mild", "crisis_rule": "r", "missing": {"visual": "no_consent"}}',
    '[{"path": "x/audio", "kind": "audio", "ordinal": 0, "etag": "1", "bytes": 10, "info": {}}]',
    '[{"kind": "audio_slice", "ordinal": 0}, {"kind": "audio_slice", "ordinal": 1}, {"kind": "text", "ordinal": 0}]'
  )
$$;
create function tests.job(check_in uuid, wanted private.job_kind, number integer default 0)
returns private.analysis_jobs
language sql
as $$
  select * from private.analysis_jobs where check_in_id = check_in and kind = wanted and ordinal = number
$$;
-- Claims as a worker does that the job's webhook woke.
create function tests.claim(job private.analysis_jobs)
returns setof private.analysis_jobs
language sql
as $$ select * from private.claim_job(private.worker_of(job.kind), array[job.kind], job.id) $$;
create function tests.a() returns uuid language sql as $$ select '00000000-0000-4000-8000-00000000000a'::uuid $$;
create function tests.b() returns uuid language sql as $$ select '00000000-0000-4000-8000-00000000000b'::uuid $$;

select is(tests.submit(tests.a(), 'ben'), 'not_found', 'a check-in is submitted by its owner alone');
select is(tests.submit(tests.a(), 'ada'), 'accepted', 'Ada submits hers');
select is(tests.submit(tests.a(), 'ada'), 'unchanged', 'once, however often it is called');
select is(
  (select count(*) from private.analysis_jobs where check_in_id = tests.a()), 3::bigint, 'its jobs are queued once'
);
select is(
  (select count(*) from net.http_request_queue where url like 'http://127.0.0.1:9/functions/v1/pipeline-%'), 3::bigint,
  'and each is dispatched to its worker'
);
select is(
  (select headers ->> 'authorization' from net.http_request_queue limit 1), 'Bearer a-secret-of-the-test',
  'with the secret that the workers know'
);

select is((select attempts from tests.claim(tests.job(tests.a(), 'text'))), 1::smallint, 'a worker claims a job');
select is_empty($$ select tests.claim(tests.job(tests.a(), 'text')) $$, 'which nobody else can claim meanwhile');
select ok(
  not private.finish_job((tests.job(tests.a(), 'text')).id, 2::smallint, '{}'), 'only the attempt that claimed it can finish it'
);
update private.analysis_jobs set next_dispatch_at = now() where check_in_id = tests.a() and kind = 'text';
select is(
  (select attempts from tests.claim(tests.job(tests.a(), 'text'))), 2::smallint,
  'when its lease has expired another worker claims it'
);
select ok(
  not private.finish_job((tests.job(tests.a(), 'text')).id, 1::smallint, '{"quality": 1}'), 'and the late one changes nothing'
);
select is_empty(
  $$ select check_in_id from checkin.text_analysis where check_in_id = tests.a() $$, 'not even its findings'
);
select ok(
  private.finish_job((tests.job(tests.a(), 'text')).id, 2::smallint, '{"quality": 1, "themes": [], "keywords": [], "crisis_level": "none", "transcript_source": "student"}'),
  'the second stores its findings'
);
select is((tests.job(tests.a(), 'text')).status::text, 'done', 'together with the end of the job');
select is((select progress from checkin.check_ins where id = tests.a()), 0.2::double precision, 'one step of five is done');

select tests.claim(tests.job(tests.a(), 'audio_slice', 0));
select private.finish_job((tests.job(tests.a(), 'audio_slice', 0)).id, 1::smallint, '{"slice": 0}');
select is((tests.job(tests.a(), 'audio_merge')).id, null, 'the merge waits for the last slice');
select tests.claim(tests.job(tests.a(), 'audio_slice', 1));
select private.fail_job((tests.job(tests.a(), 'audio_slice', 1)).id, 1::smallint, 'worker_error', true);
select is((tests.job(tests.a(), 'audio_slice', 1)).status::text, 'queued', 'a failed attempt is queued again');
select ok((tests.job(tests.a(), 'audio_slice', 1)).next_dispatch_at > now(), 'with a delay');
select is_empty($$ select tests.claim(tests.job(tests.a(), 'audio_slice', 1)) $$, 'before which nobody claims it');
select is(private.dispatch_due_jobs(), 0, 'or dispatches it');
update private.analysis_jobs set next_dispatch_at = now() where check_in_id = tests.a() and ordinal = 1;
select is(private.dispatch_due_jobs(), 1, 'then it is dispatched');
select is(private.dispatch_due_jobs(), 0, 'once');
select tests.claim(tests.job(tests.a(), 'audio_slice', 1));
select private.fail_job((tests.job(tests.a(), 'audio_slice', 1)).id, 2::smallint, 'audio_truncated', false);
select is((tests.job(tests.a(), 'audio_slice', 1)).status::text, 'failed', 'an error that no retry can fix fails the job immediately');
select is((tests.job(tests.a(), 'audio_merge')).status::text, 'queued', 'and the merge goes on with what there is');
select is(private.fusion_input(tests.a()) -> 'failed_by_service', 'false', 'a damaged recording is not the service''s fault');

select tests.claim(tests.job(tests.a(), 'audio_merge'));
update private.analysis_jobs set attempts = 5, next_dispatch_at = now() where check_in_id = tests.a() and kind = 'audio_merge';
select private.dispatch_due_jobs();
select is((tests.job(tests.a(), 'audio_merge')).status::text, 'failed', 'a job whose worker is lost for the fifth time has failed');
select is((tests.job(tests.a(), 'fusion')).status::text, 'queued', 'and the score is fused without audio');
select is(private.fusion_input(tests.a()) -> 'missing' ->> 'audio', 'worker_lost', 'which is said with its reason');
select is(private.fusion_input(tests.a()) -> 'failed_by_service', 'true', 'and is the service''s fault');

update public.consents set withdrawn_at = now() where user_id = tests.id_of('ada') and kind = 'text';
select ok(
  private.fusion_input(tests.a()) -> 'text' = 'null' and private.fusion_input(tests.a()) -> 'missing' ->> 'text' = 'no_consent',
  'nor does it read a transcript whose consent was withdrawn meanwhile'
);

create function tests.store_result(check_in uuid, baseline_version integer)
returns text
language sql
as $$
  select private.store_fusion_result(
    (tests.job(check_in, 'fusion')).id,
    (tests.job(check_in, 'fusion')).attempts,
    '{"score": 50, "uncertainty": 0.5, "direction_of_change": "same", "significance": "low", "risk_level": "none",
      "summary": "x", "themes": [], "drivers_positive": [], "drivers_negative": [], "drivers": [], "components": [],
      "baseline": {}, "algorithm_version": "test"}',
    '{"check_ins": 1, "score_mean": 50, "score_sd": 10, "state": {}}',
    baseline_version
  )
$$;
select tests.claim(tests.job(tests.a(), 'fusion'));
insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state)
values (tests.id_of('ada'), 1, 1, 50, 10, '{}');
select is(tests.store_result(tests.a(), 0), 'baseline_moved', 'a baseline that moved meanwhile is read again');
select is_empty($$ select 1 from checkin.fusion_results where check_in_id = tests.a() $$, 'before anything is stored');
select is(
  private.store_fusion_result(
    (tests.job(tests.a(), 'fusion')).id, (tests.job(tests.a(), 'fusion')).attempts,
    '{"components": [{"modality": "audio", "score": null}, {"modality": "text", "score": 50}]}', '{}', 1
  ),
  'consent_withdrawn', 'so is all, where what was read is not agreed to any more'
);
delete from checkin.user_baselines where user_id = tests.id_of('ada');
select is(tests.store_result(tests.a(), 1), 'baseline_moved', 'nor does a baseline come back that was deleted meanwhile');
insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state)
values (tests.id_of('ada'), 1, 1, 50, 10, '{}');
select is(tests.store_result(tests.a(), 1), 'stored', 'then score, baseline and end are stored together');
select is(tests.store_result(tests.a(), 2), 'stale', 'once');
select results_eq(
  $$
    select c.status::text, c.progress, b.version, (select count(*) from private.analysis_jobs where check_in_id = c.id)
    from checkin.check_ins c join checkin.user_baselines b using (user_id) where c.id = tests.a()
  $$,
  $$ values ('complete', 1::double precision, 2, 0::bigint) $$,
  'the check-in is complete, counted once, and no job is left'
);

select tests.submit(tests.b(), 'ben');
update private.analysis_jobs set attempts = 5 where check_in_id = tests.b() and kind = 'text';
update private.analysis_jobs set created_at = now() - interval '25 hours' where check_in_id = tests.b() and kind = 'audio_slice';
select private.dispatch_due_jobs();
select is(
  (select count(*) from private.analysis_jobs where check_in_id = tests.b() and status = 'failed'), 3::bigint,
  'jobs that are out of attempts, or that no worker claimed in a day, have failed'
);
select is(
  private.fusion_input(tests.b()) -> 'missing' ->> 'audio', 'not_run', 'the reason tells the one from the other'
);
select is(private.fusion_input(tests.b()) -> 'failed_by_service', 'true', 'both are the service''s fault');
select results_eq(
  $$
    select m.labels ->> 'kind', m.labels ->> 'error_code', m.labels ->> 'cause', m.value - coalesce(b.value, 0)
    from private.metrics m
    left join failed_before b using (labels)
    where m.name = 'wellbeing_jobs_failed_total' and m.value > coalesce(b.value, 0)
    order by 1, 2
  $$,
  $$
    values
      ('audio_merge', 'worker_lost', 'service', 1::double precision),
      ('audio_slice', 'audio_truncated', 'submission', 1),
      ('audio_slice', 'not_run', 'service', 2),
      ('text', 'no_consent', 'submission', 1),
      ('text', 'worker_lost', 'service', 1)
  $$,
  'the metrics count what failed for good, also of check-ins whose jobs are gone'
);
select is(
  private.fusion_input(tests.b()) -> 'crisis', '{"level": "mild", "rule": "r"}',
  'what the crisis check found is not lost with the analysis of the transcript'
);
select tests.claim(tests.job(tests.b(), 'fusion'));
select private.fail_check_in_for_job((tests.job(tests.b(), 'fusion')).id, 1::smallint, 'nothing_to_score', 'high');
select results_eq(
  $$ select status::text, error_code, risk_level::text from checkin.check_ins where id = tests.b() $$,
  $$ values ('failed', 'nothing_to_score', 'high') $$,
  'with nothing to score the check-in fails, and the risk that was found is kept'
);
select is(tests.submit(tests.b(), 'ben'), 'accepted', 'it can be submitted again');
select is(
  (select risk_level::text from checkin.check_ins where id = tests.b()), 'high', 'which keeps the risk'
);
-- The lease begins when the job is claimed, the story when its transaction began.
select ok(
  (select next_dispatch_at - now() between interval '20 seconds' and interval '60 seconds' from tests.claim(tests.job(tests.b(), 'text'))),
  'a worker has 20 seconds for a job'
);
insert into private.analysis_jobs (check_in_id, kind) values (tests.b(), 'transcription');
select ok(
  (select next_dispatch_at - now() between interval '180 seconds' and interval '220 seconds' from tests.claim(tests.job(tests.b(), 'transcription'))),
  'and longer for one that waits for a provider'
);
select private.finish_job(
  (tests.job(tests.b(), 'transcription')).id, 1::smallint, '{"transcript": "I slept well.", "crisis_level": "none", "crisis_rule": null}'
);
select is(
  private.fusion_input(tests.b()) -> 'crisis' ->> 'level', 'mild',
  'a transcription without crisis language does not lower what earlier words had'
);


-- A transcription is believed as far as speech was measured, so the recording is analysed first.
insert into checkin.check_ins (id, user_id, type)
values
  ('00000000-0000-4000-8000-00000000000c', tests.id_of('ben'), 'weekly'),
  ('00000000-0000-4000-8000-00000000000d', tests.id_of('ben'), 'on_demand');
create function tests.c() returns uuid language sql as $$ select '00000000-0000-4000-8000-00000000000c'::uuid $$;
create function tests.d() returns uuid language sql as $$ select '00000000-0000-4000-8000-00000000000d'::uuid $$;
create function tests.transcriptions_dispatched() returns bigint language sql
as $$ select count(*) from net.http_request_queue where url like '%/pipeline-transcription' $$;
delete from private.analysis_jobs;
delete from net.http_request_queue;
select private.submit_check_in(
  check_in, tests.id_of('ben'), '{}',
  '[{"path": "y/audio", "kind": "audio", "ordinal": 0, "etag": "1", "bytes": 10, "info": {}}]',
  '[{"kind": "audio_slice", "ordinal": 0}, {"kind": "transcription", "ordinal": 0}]'
)
from unnest(array[tests.c(), tests.d()]) as check_in;
select is(tests.transcriptions_dispatched(), 0::bigint, 'a transcription is not dispatched with the recording''s analysis');
select is_empty($$ select id from tests.claim(tests.job(tests.c(), 'transcription')) $$, 'nor claimed');
select tests.claim(tests.job(tests.c(), 'audio_slice'));
select private.finish_job((tests.job(tests.c(), 'audio_slice')).id, 1::smallint, '{}');
select private.dispatch_due_jobs();
select is(tests.transcriptions_dispatched(), 0::bigint, 'nor between the last slice and the merge');
select tests.claim(tests.job(tests.c(), 'audio_merge'));
select private.finish_job((tests.job(tests.c(), 'audio_merge')).id, 1::smallint, '{"quality": 1, "speech_s": 12}');
select is(tests.transcriptions_dispatched(), 1::bigint, 'but when the analysis has ended');
select is((tests.job(tests.c(), 'fusion')).id, null, 'and the score waits for it');
select is((select attempts from tests.claim(tests.job(tests.c(), 'transcription'))), 1::smallint, 'which a worker claims');
delete from private.analysis_jobs where check_in_id = tests.c();
select tests.claim(tests.job(tests.d(), 'audio_slice'));
select private.fail_job((tests.job(tests.d(), 'audio_slice')).id, 1::smallint, 'audio_unreadable', false);
select is(tests.transcriptions_dispatched(), 2::bigint, 'it is dispatched too when the analysis has failed');


-- Who is next, and how many at once. Ada has four check-ins of two slices, Ben then one.
delete from private.analysis_jobs;
delete from checkin.check_ins;
delete from net.http_request_queue;
update private.pipeline_settings set max_in_flight = 2;
create function tests.queue(person text, submitted timestamptz)
returns void
language sql
as $$
  with started as (
    insert into checkin.check_ins (user_id, type, status, submitted_at)
    values (tests.id_of(person), 'daily', 'processing', submitted)
    returning id
  )
  insert into private.analysis_jobs (check_in_id, kind, ordinal)
  select id, 'audio_slice', slice from started, generate_series(0, 1) as slice
$$;
create function tests.owner(job private.analysis_jobs)
returns text
language sql
as $$
  select p.name || ' ' || to_char(c.submitted_at at time zone 'UTC', 'SS')
  from checkin.check_ins c join people p on p.id = c.user_id where c.id = job.check_in_id
$$;
create function tests.go_on(kinds private.job_kind[] default '{audio_slice,audio_merge}')
returns text
language sql
as $$ select tests.owner(j) from private.claim_job('pipeline-audio', kinds) j $$;
create function tests.wake()
returns text
language sql
as $$
  with sent as (
    delete from net.http_request_queue
    where id = (select min(id) from net.http_request_queue)
    returning (convert_from(body, 'UTF8')::jsonb -> 'record' ->> 'id')::uuid as announced
  )
  select tests.owner(j) from sent, private.claim_job('pipeline-audio', '{audio_slice,audio_merge}', announced) j
$$;
create function tests.finish(owner text)
returns void
language sql
as $$
  select private.finish_job(j.id, j.attempts, '{}')
  from private.analysis_jobs j
  where j.status = 'running' and tests.owner(j) = owner
  order by j.ordinal
  limit 1
$$;
create function tests.sent() returns bigint language sql as $$ select count(*) from net.http_request_queue $$;

select tests.queue('ada', date_trunc('minute', now()) + second * interval '1 second') from generate_series(1, 4) as second;
select is(tests.sent(), 2::bigint, 'as many jobs of a worker are dispatched as may be in flight');
select is(private.dispatch_due_jobs(), 0, 'also by cron');
select is(tests.wake(), 'ada 01', 'the oldest check-in is first');
select is(tests.wake(), 'ada 01', 'with all of its slices');
select is(tests.go_on(), null, 'no more are claimed than may run');
select tests.queue('ben', date_trunc('minute', now()) + interval '30 seconds');
select is(tests.sent(), 0::bigint, 'nor dispatched');
select tests.finish('ada 01');
select is(tests.go_on(), 'ben 30', 'then another student is next, who has submitted fewer');
select is(tests.go_on('{}'), null, 'a worker that has no room for a job claims none');
select is(tests.sent(), 0::bigint, 'and nothing is dispatched while enough are running');
select tests.finish('ada 01');
select is(tests.go_on('{}'), null, 'when one has ended');
select is(tests.sent(), 1::bigint, 'a job is dispatched to another in its place');
select private.decline_job((convert_from(body, 'UTF8')::jsonb -> 'record' ->> 'id')::uuid) from net.http_request_queue;
delete from net.http_request_queue;
select is(private.dispatch_due_jobs(), 1, 'and again when that was busy');
select is(tests.wake(), 'ben 30', 'the other student has waited for one slice');
select tests.finish('ben 30');
select tests.finish('ben 30');
select isnt(tests.go_on('{audio_slice}'), null, 'then the many are analysed');
select private.release_job(id, attempts) from private.analysis_jobs where status = 'running' and kind = 'audio_slice';
select ok(tests.sent() > 0, 'a job that a worker gives back is dispatched at once');
delete from private.analysis_jobs where attempts = 0;
select is(tests.go_on(), null, 'but a worker that goes on leaves it, because it may have ended the one before');
select is(tests.wake(), 'ada 02', 'and one that was woken claims it');
update private.pipeline_settings set max_in_flight = 8;
delete from private.analysis_jobs;
delete from checkin.check_ins;
select tests.queue('ada', now() - interval '1 hour');
select tests.queue('ben', now());
create function tests.ben() returns uuid language sql as $$ select id from checkin.check_ins where user_id = tests.id_of('ben') $$;
update private.analysis_jobs set status = 'failed' where check_in_id = tests.ben();
delete from net.http_request_queue;
select private.advance_check_in(tests.ben());
select is(tests.sent(), 0::bigint, 'a fusion is not dispatched when it is queued');
select is(
  (select kind from private.claim_job('pipeline-audio', '{audio_slice,fusion}')), 'fusion',
  'because the worker that has ended the last step claims it, before what waits for longer'
);
select private.release_job((tests.job(tests.ben(), 'fusion')).id, 1::smallint);
select is(tests.sent(), 1::bigint, 'a worker that gives it back dispatches it');
update private.analysis_jobs set attempts = 0, dispatched = false, next_dispatch_at = '-infinity' where kind = 'fusion';
delete from net.http_request_queue;
select is_empty($$ select private.claim_job('pipeline-visual', '{}') $$, 'and so does one');
select is(
  (select array_agg(url) from net.http_request_queue), '{http://127.0.0.1:9/functions/v1/pipeline-fusion}',
  'that has no room for it'
);

delete from private.analysis_jobs;
select tests.queue('ada', now());
update private.analysis_jobs set next_dispatch_at = now() - interval '1 second';
select private.dispatch_due_jobs();
select is(
  (select count(distinct next_dispatch_at) from private.analysis_jobs), 2::bigint,
  'webhooks that were lost together are not sent again together'
);

select * from finish();
