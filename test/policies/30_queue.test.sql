-- The rules of the queue, followed through a few check-ins, from submission to score.
select plan(40);

select vault.create_secret('http://127.0.0.1:9/functions/v1', 'functions_url');
select vault.create_secret('a-secret-of-the-test', 'pipeline_secret');

insert into public.consents (user_id, kind, version)
select id, kind, 'test' from people, unnest('{audio,text}'::public.consent_kind[]) kind where name in ('ada', 'ben');
insert into checkin.check_ins (id, user_id, type)
values
  ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'daily'),
  ('00000000-0000-4000-8000-00000000000b', tests.id_of('ben'), 'daily');

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

select is((select attempts from private.claim_job((tests.job(tests.a(), 'text')).id)), 1::smallint, 'a worker claims a job');
select is_empty($$ select private.claim_job((tests.job(tests.a(), 'text')).id) $$, 'which nobody else can claim meanwhile');
select ok(
  not private.finish_job((tests.job(tests.a(), 'text')).id, 2::smallint, '{}'), 'only the attempt that claimed it can finish it'
);
update private.analysis_jobs set lease_until = now() where check_in_id = tests.a() and kind = 'text';
select is(
  (select attempts from private.claim_job((tests.job(tests.a(), 'text')).id)), 2::smallint,
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

select private.claim_job((tests.job(tests.a(), 'audio_slice', 0)).id);
select private.finish_job((tests.job(tests.a(), 'audio_slice', 0)).id, 1::smallint, '{"slice": 0}');
select is((tests.job(tests.a(), 'audio_merge')).id, null, 'the merge waits for the last slice');
select private.claim_job((tests.job(tests.a(), 'audio_slice', 1)).id);
select private.fail_job((tests.job(tests.a(), 'audio_slice', 1)).id, 1::smallint, 'worker_error', true);
select is((tests.job(tests.a(), 'audio_slice', 1)).status::text, 'queued', 'a failed attempt is queued again');
select ok((tests.job(tests.a(), 'audio_slice', 1)).next_dispatch_at > now(), 'with a delay');
select is(private.dispatch_due_jobs(), 0, 'cron does not dispatch it before that');
update private.analysis_jobs set next_dispatch_at = now() where check_in_id = tests.a() and ordinal = 1;
select is(private.dispatch_due_jobs(), 1, 'and dispatches it then');
select is(private.dispatch_due_jobs(), 0, 'once');
select private.claim_job((tests.job(tests.a(), 'audio_slice', 1)).id);
select private.fail_job((tests.job(tests.a(), 'audio_slice', 1)).id, 2::smallint, 'audio_truncated', false);
select is((tests.job(tests.a(), 'audio_slice', 1)).status::text, 'failed', 'an error that no retry can fix fails the job immediately');
select is((tests.job(tests.a(), 'audio_merge')).status::text, 'queued', 'and the merge goes on with what there is');

select private.claim_job((tests.job(tests.a(), 'audio_merge')).id);
update private.analysis_jobs set attempts = 3, lease_until = now() where check_in_id = tests.a() and kind = 'audio_merge';
select private.dispatch_due_jobs();
select is((tests.job(tests.a(), 'audio_merge')).status::text, 'failed', 'a job whose worker is lost for the third time has failed');
select is((tests.job(tests.a(), 'fusion')).status::text, 'queued', 'and the score is fused without audio');
select is(private.fusion_input(tests.a()) -> 'missing' ->> 'audio', 'worker_lost', 'which is said with its reason');

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
select private.claim_job((tests.job(tests.a(), 'fusion')).id);
insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state)
values (tests.id_of('ada'), 1, 1, 50, 10, '{}');
select is(tests.store_result(tests.a(), 0), 'baseline_moved', 'a baseline that moved meanwhile is read again');
select is_empty($$ select 1 from checkin.fusion_results where check_in_id = tests.a() $$, 'before anything is stored');
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
update private.analysis_jobs set attempts = 3 where check_in_id = tests.b() and kind = 'text';
update private.analysis_jobs set created_at = now() - interval '25 hours' where check_in_id = tests.b() and kind = 'audio_slice';
select private.dispatch_due_jobs();
select is(
  (select count(*) from private.analysis_jobs where check_in_id = tests.b() and status = 'failed'), 3::bigint,
  'jobs that are out of attempts, or that no worker claimed in a day, have failed'
);
select is(
  private.fusion_input(tests.b()) -> 'missing' ->> 'audio', 'not_run', 'the reason tells the one from the other'
);
select is(
  private.fusion_input(tests.b()) -> 'crisis', '{"level": "mild", "rule": "r"}',
  'what the crisis check found is not lost with the analysis of the transcript'
);
select private.claim_job((tests.job(tests.b(), 'fusion')).id);
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
select is(
  (select lease_until - now() from private.claim_job((tests.job(tests.b(), 'text')).id)), interval '60 seconds',
  'a worker has a minute for a job'
);
insert into private.analysis_jobs (check_in_id, kind) values (tests.b(), 'transcription');
select is(
  (select lease_until - now() from private.claim_job((tests.job(tests.b(), 'transcription')).id)), interval '180 seconds',
  'and longer for one that waits for a provider'
);

select * from finish();
