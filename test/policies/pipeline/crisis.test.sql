-- What rules find in words waits for the reading of their sentences, unless it is said outright; and stands where no reading comes.
select plan(54);

select vault.create_secret('http://127.0.0.1:9/functions/v1', 'functions_url');
select vault.create_secret('a-secret-of-the-test', 'pipeline_secret');
select tests.give_consent(id, '{audio,text}') from people where name in ('ada', 'ben');

-- A check-in of Ada's with a transcript in which rules found this.
create function tests.submit(level text, explicit boolean default false, transcript text default 'I was up on the roof again.')
returns uuid
language plpgsql
as $$
declare
  check_in uuid;
begin
  insert into checkin.check_ins (user_id, type) values (tests.id_of('ada'), 'on_demand') returning id into check_in;
  perform private.submit_check_in(
    check_in, tests.id_of('ada'),
    jsonb_build_object('transcript', transcript, 'crisis_level', level, 'crisis_rule', 'means.roof', 'crisis_explicit', explicit),
    '[]', '[{"kind": "text", "ordinal": 0}, {"kind": "crisis", "ordinal": 0}]'
  );
  return check_in;
end
$$;
create function tests.job(subject uuid, wanted private.job_kind default 'crisis')
returns private.analysis_jobs
language sql
as $$ select * from private.analysis_jobs where (check_in_id = subject or unread_id = subject) and kind = wanted $$;
-- Claims as a worker does that the job's webhook woke.
create function tests.claim(subject uuid)
returns setof private.analysis_jobs
language sql
as $$ select * from private.claim_job('pipeline-crisis', '{crisis}', (tests.job(subject)).id) $$;
create function tests.finish(subject uuid, level text, rule text default 'similar-to-crisis-language', attempt smallint default null)
returns boolean
language plpgsql
as $$
declare
  claimed private.analysis_jobs := tests.claim(subject);
begin
  return private.finish_job(
    (tests.job(subject)).id, coalesce(attempt, claimed.attempts),
    jsonb_build_object('crisis_level', level, 'crisis_rule', rule, 'probability', 0.81, 'passages', '[[2, 26]]'::jsonb)
  );
end
$$;
create function tests.state(check_in uuid)
returns text
language sql
as $$
  select concat_ws(
    ', ', 'risk ' || coalesce(c.risk_level::text, 'null'), 'found ' || i.crisis_level, 'waiting ' || i.waiting_crisis_level,
    coalesce(i.crisis_rule, 'no rule'),
    'review ' || coalesce(
      (
        select r.risk_level::text
        from public.clinical_reviews r
        where r.user_id = c.user_id and r.status <> 'closed'
      ),
      'none'
    )
  )
  from checkin.check_ins c
  join private.check_in_inputs i on i.check_in_id = c.id
  where c.id = check_in
$$;
-- Each path begins without a review.
create function tests.close_reviews()
returns void
language sql
as $$ select tests.past('delete from private.clinical_review_sources; delete from public.clinical_reviews') $$;
create temporary table made (name text primary key, id uuid not null);
create function tests.the(wanted text) returns uuid language sql as $$ select id from made where name = wanted $$;

-- Said outright.
insert into made select 'outright', tests.submit('high', true);
select is(tests.state(tests.the('outright')), 'risk high, found high, waiting none, means.roof, review high', 'what is said outright is acted on at once');
select ok((tests.job(tests.the('outright'))).id is not null, 'and its sentences are read all the same');
select is(
  (select count(*) from net.http_request_queue where url like '%/pipeline-crisis'), 1::bigint, 'by a worker of their own, at once'
);
select ok(tests.finish(tests.the('outright'), 'moderate', 'means.roof'), 'a reading that finds less');
select is(tests.state(tests.the('outright')), 'risk high, found high, waiting none, means.roof, review high', 'lowers nothing that was acted on');
select tests.close_reviews();

-- Rules raise, the encoder lowers.
insert into made select 'lowered', tests.submit('high');
select is(tests.state(tests.the('lowered')), 'risk null, found none, waiting high, means.roof, review none', 'what rules find otherwise waits');
select ok(tests.finish(tests.the('lowered'), 'mild', 'means.roof'), 'the encoder finds little');
select is(tests.state(tests.the('lowered')), 'risk mild, found mild, waiting none, means.roof, review none', 'and its answer counts');
select is(private.fusion_input(tests.the('lowered')) -> 'crisis' ->> 'level', 'mild', 'for the score too');
select is(
  (select crisis_probability || ' ' || crisis_passages::text from private.check_in_inputs where check_in_id = tests.the('lowered')),
  '0.81 [[2, 26]]', 'the probability and the places of the words are kept, and no words'
);
insert into made select 'harmless', tests.submit('moderate');
select tests.finish(tests.the('harmless'), 'none', null);
select is(tests.state(tests.the('harmless')), 'risk none, found none, waiting none, no rule, review none', 'so it does where it finds nothing');

-- The encoder raises.
insert into made select 'raised', tests.submit('none');
select is(tests.state(tests.the('raised')), 'risk null, found none, waiting none, means.roof, review none', 'where rules find nothing');
select tests.finish(tests.the('raised'), 'high');
select is(
  tests.state(tests.the('raised')), 'risk high, found high, waiting none, similar-to-crisis-language, review high', 'the encoder raises by itself'
);
select ok(not tests.finish(tests.the('raised'), 'none', null, 1::smallint), 'a late second answer');
select is(
  tests.state(tests.the('raised')), 'risk high, found high, waiting none, similar-to-crisis-language, review high', 'changes nothing'
);
select is((select count(*) from private.clinical_review_sources), 1::bigint, 'and there is one source');
select tests.close_reviews();

-- The text analysis ends before or after it.
select private.finish_job(
  (select id from private.claim_job('pipeline-text', '{text}', (tests.job(tests.the('raised'), 'text')).id)), 1::smallint,
  '{"quality": 1, "themes": [], "keywords": [], "transcript_source": "student"}'
);
select results_eq(
  $$ select crisis_level::text, crisis_rule from checkin.text_analysis where check_in_id = tests.the('raised') $$,
  $$ values ('high', 'similar-to-crisis-language') $$, 'the analysis of the text has what was decided'
);
select is((tests.job(tests.the('raised'), 'fusion')).status::text, 'queued', 'and the score is made once both have ended');
insert into made select 'text first', tests.submit('moderate');
select private.finish_job(
  (select id from private.claim_job('pipeline-text', '{text}', (tests.job(tests.the('text first'), 'text')).id)), 1::smallint,
  '{"quality": 1, "themes": [], "keywords": [], "transcript_source": "student", "crisis_level": "high"}'
);
select is((tests.job(tests.the('text first'), 'fusion')).id, null, 'the score waits for the reading');
select is(tests.state(tests.the('text first')), 'risk null, found none, waiting moderate, means.roof, review none', 'as does what rules found');
select tests.finish(tests.the('text first'), 'moderate');
select is((select crisis_level::text from checkin.text_analysis where check_in_id = tests.the('text first')), 'moderate', 'in whatever order they end');
select tests.close_reviews();

-- The worker is lost, another reads.
insert into made select 'lost', tests.submit('high');
select is((select attempts from tests.claim(tests.the('lost'))), 1::smallint, 'a worker that is lost');
update private.analysis_jobs set next_dispatch_at = now() where check_in_id = tests.the('lost') and kind = 'crisis';
select ok(tests.finish(tests.the('lost'), 'moderate'), 'is followed by another');
select is(tests.state(tests.the('lost')), 'risk moderate, found moderate, waiting none, similar-to-crisis-language, review moderate', 'which acts');
select tests.close_reviews();

-- No reading comes.
insert into made select 'failed', tests.submit('high');
select tests.claim(tests.the('failed'));
select private.fail_job((tests.job(tests.the('failed'))).id, 1::smallint, 'worker_error', true);
select is(tests.state(tests.the('failed')), 'risk null, found none, waiting high, means.roof, review none', 'an attempt that failed is tried again');
update private.analysis_jobs set next_dispatch_at = now() where check_in_id = tests.the('failed') and kind = 'crisis';
select tests.claim(tests.the('failed'));
select private.fail_job((tests.job(tests.the('failed'))).id, 2::smallint, 'worker_error', false);
select is(tests.state(tests.the('failed')), 'risk high, found high, waiting none, means.roof, review high', 'once it has failed, what rules found stands');
select private.finish_job(
  (select id from private.claim_job('pipeline-text', '{text}', (tests.job(tests.the('failed'), 'text')).id)), 1::smallint,
  '{"quality": 1, "themes": [], "keywords": [], "transcript_source": "student"}'
);
select is((tests.job(tests.the('failed'), 'fusion')).status::text, 'queued', 'the check-in is scored');
select is(
  private.fusion_input(tests.the('failed')) -> 'missing' || private.fusion_input(tests.the('failed')) -> 'failed_by_service',
  '[{}, false]', 'and misses nothing'
);
select tests.close_reviews();
insert into made select 'out of attempts', tests.submit('high'), 1 where false;
