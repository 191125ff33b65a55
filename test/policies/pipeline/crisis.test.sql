-- What rules find in words waits for the reading of their sentences, unless it is said outright; and stands where no reading comes.
select plan(65);

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
  -- More than a day allows.
  delete from private.rate_limit_uses;
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
create function tests.analyze_text(check_in uuid)
returns boolean
language plpgsql
as $$
begin
  update private.analysis_jobs set status = 'running', attempts = 1 where check_in_id = check_in and kind = 'text';
  return private.finish_job(
    (tests.job(check_in, 'text')).id, 1::smallint,
    '{"quality": 1, "themes": [], "keywords": [], "transcript_source": "student", "crisis_level": "high"}'
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
select tests.analyze_text(tests.the('raised'));
select results_eq(
  $$ select crisis_level::text, crisis_rule from checkin.text_analysis where check_in_id = tests.the('raised') $$,
  $$ values ('high', 'similar-to-crisis-language') $$, 'the analysis of the text has what was decided'
);
select is((tests.job(tests.the('raised'), 'fusion')).status::text, 'queued', 'and the score is made once both have ended');
insert into made select 'text first', tests.submit('moderate');
select tests.analyze_text(tests.the('text first'));
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
select tests.analyze_text(tests.the('failed'));
select is((tests.job(tests.the('failed'), 'fusion')).status::text, 'queued', 'the check-in is scored');
select is(
  (private.fusion_input(tests.the('failed')) -> 'missing' || '{}') || (private.fusion_input(tests.the('failed')) -> 'failed_by_service'),
  '[{"visual": "no_consent"}, false]', 'and misses nothing'
);
select tests.close_reviews();

insert into made select 'out of attempts', tests.submit('high');
update private.analysis_jobs
set status = 'running', attempts = 5, next_dispatch_at = now()
where check_in_id = tests.the('out of attempts') and kind = 'crisis';
select private.dispatch_due_jobs();
select is(
  tests.state(tests.the('out of attempts')), 'risk high, found high, waiting none, means.roof, review high', 'out of attempts, too'
);
select tests.close_reviews();

-- The worker is quarantined, or does not start: no attempt begins, and the dispatch may be paused.
insert into made select 'unread', tests.submit('high');
select tests.analyze_text(tests.the('unread'));
select private.let_waiting_rules_stand();
select is(tests.state(tests.the('unread')), 'risk null, found none, waiting high, means.roof, review none', 'rules wait for a reading');
update private.analysis_jobs set created_at = now() - interval '3 minutes' where check_in_id = tests.the('unread') and kind = 'crisis';
select private.let_waiting_rules_stand();
select is(tests.state(tests.the('unread')), 'risk high, found high, waiting none, means.roof, review high', 'and not for one that is late');
select is((select crisis_level::text from checkin.text_analysis where check_in_id = tests.the('unread')), 'high', 'the analysis of the text has it too');
select tests.finish(tests.the('unread'), 'mild', 'means.roof');
select is(tests.state(tests.the('unread')), 'risk high, found high, waiting none, means.roof, review high', 'what comes after it lowers nothing');
select tests.close_reviews();

insert into made select 'too old', tests.submit('moderate');
update private.analysis_jobs set created_at = now() - interval '2 days' where check_in_id = tests.the('too old') and kind = 'crisis';
select private.dispatch_due_jobs();
select is(tests.state(tests.the('too old')), 'risk moderate, found moderate, waiting none, means.roof, review moderate', 'or after a day');
select tests.close_reviews();

insert into checkin.check_ins (id, user_id, type) values ('00000000-0000-4000-8000-00000000000c', tests.id_of('ada'), 'on_demand');
select private.submit_check_in(
  '00000000-0000-4000-8000-00000000000c', tests.id_of('ada'), '{"crisis_level": "high", "crisis_rule": "means.roof"}', '[]', '[]'
);
select is(
  tests.state('00000000-0000-4000-8000-00000000000c'), 'risk high, found high, waiting none, means.roof, review high',
  'where none is planned rules are acted on at once'
);
select tests.close_reviews();

-- A consent that is withdrawn meanwhile takes the words away, and not what was found in them while it was in force.
insert into made select 'withdrawn', tests.submit('high');
select tests.claim(tests.the('withdrawn'));
select tests.act_as(tests.id_of('ada'));
select public.withdraw_consent('text');
select tests.act_as_owner();
select is(tests.state(tests.the('withdrawn')), 'risk high, found high, waiting none, no rule, review high', 'with the consent no reading comes either');
select ok(
  not private.finish_job(
    (tests.job(tests.the('withdrawn'))).id, 1::smallint, '{"crisis_level": "none", "probability": 0.9, "passages": [[2, 26]]}'
  ),
  'and the one that was under way'
);
select is(
  (select crisis_passages from private.check_in_inputs where check_in_id = tests.the('withdrawn')), null, 'stores nothing'
);
select tests.close_reviews();
select tests.give_consent(tests.id_of('ada'), '{text}', '2026-11.2');

-- An account that is deleted takes everything along.
insert into checkin.check_ins (id, user_id, type) values ('00000000-0000-4000-8000-00000000000b', tests.id_of('ben'), 'daily');
select private.submit_check_in(
  '00000000-0000-4000-8000-00000000000b', tests.id_of('ben'), '{"transcript": "x y", "crisis_level": "high"}', '[]',
  '[{"kind": "crisis", "ordinal": 0}]'
);
select tests.past(format('delete from auth.users where id = %L', tests.id_of('ben')));
delete from checkin.check_ins where user_id = tests.id_of('ben');
select is_empty($$ select from public.clinical_reviews where user_id = tests.id_of('ben') $$, 'of an account that is deleted nothing is acted on');

-- A transcription: its words are read when it ends.
insert into checkin.check_ins (id, user_id, type) values ('00000000-0000-4000-8000-00000000000d', tests.id_of('ada'), 'weekly');
insert into made values ('transcribed', '00000000-0000-4000-8000-00000000000d');
select private.submit_check_in(
  tests.the('transcribed'), tests.id_of('ada'), '{"missing": {}}',
  '[{"path": "x/audio", "kind": "audio", "ordinal": 0, "etag": "1", "bytes": 10, "info": {}}]', '[{"kind": "transcription", "ordinal": 0}]'
);
select private.finish_job(
  (select id from private.claim_job('pipeline-transcription', '{transcription}', (tests.job(tests.the('transcribed'), 'transcription')).id)),
  1::smallint, '{"transcript": "I was up on the roof again.", "crisis_level": "high", "crisis_rule": "means.roof", "crisis_explicit": false}'
);
select is(
  tests.state(tests.the('transcribed')), 'risk null, found none, waiting high, means.roof, review none', 'what rules find in a transcription waits'
);
select is(
  (select array_agg(kind order by kind) from private.analysis_jobs where check_in_id = tests.the('transcribed') and status = 'queued'),
  '{text,crisis}', 'until its sentences have been read, beside the analysis of the text'
);
select tests.finish(tests.the('transcribed'), 'high', 'means.roof');
select is(tests.state(tests.the('transcribed')), 'risk high, found high, waiting none, means.roof, review high', 'then it is acted on');

-- What the counselor sees of it.
select is(
  (
    select array_agg(distinct n.language)
    from public.consent_texts n
    join public.consent_texts o on o.kind = n.kind and o.language = n.language and o.version = '2026-11'
    where n.kind = 'text' and n.version = '2026-11.2' and n.body <> o.body
  ),
  '{ar,de,en,es,fr}', 'a text says so in every language, in which the earlier one said otherwise'
);
insert into people values ('cora', tests.new_student('cora@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('cora'), 'counselor', 'hillside');
create function tests.sources()
returns jsonb
language sql
security definer
as $$
  select private.sources_of_review(r.id, r.user_id) from public.clinical_reviews r where r.user_id = tests.id_of('ada') and r.status <> 'closed'
$$;
select tests.act_as(tests.id_of('cora'));
select public.log_access('student_read', student_id => tests.id_of('ada'));
select is(
  (
    select (public.read_review(id) #> '{sources,0}') - 'seen_at'
    from public.review_queue() limit 1
  ),
  '{"source": "check_in", "rule": "means.roof", "probability": 0.81,
    "excerpts": [{"text": "I was up on the roof again.", "from": 2, "to": 26}]}',
  'a counselor reads which words raised a review, in context'
);
select tests.act_as_owner();
select is(
  private.excerpts_of(
    repeat('word 😀 ', 100) || 'I 😀 would rather be dead' || repeat(' 😀 word', 100), '[[805, 825]]'
  ),
  jsonb_build_array(jsonb_build_object(
    'text', '😀 ' || repeat('word 😀 ', 6) || 'I 😀 would rather be dead' || repeat(' 😀 word', 7) || ' 😀',
    'from', 56, 'to', 76
  )),
  'in UTF-16 units, with whole words around'
);
select is(
  private.excerpts_of(repeat('我', 200) || '想死' || repeat('我', 200), '[[200, 202]]'),
  jsonb_build_array(jsonb_build_object('text', repeat('我', 60) || '想死' || repeat('我', 60), 'from', 60, 'to', 62)),
  'or as many characters where words have no spaces'
);
update private.check_in_inputs set transcript = null where check_in_id = tests.the('transcribed');
select is(tests.sources() #> '{0,excerpts}', '[]', 'nothing of them is kept in the review: they go with the transcript');
update private.check_in_inputs set transcript = 'I was up on the roof again.' where check_in_id = tests.the('transcribed');
update private.check_in_inputs set created_at = created_at - interval '1 hour' where check_in_id = tests.the('transcribed');
select is(tests.sources() #> '{0,excerpts}', '[]', 'who agreed to it later shows no words from before');
update private.check_in_inputs set created_at = now() where check_in_id = tests.the('transcribed');
select tests.past($$ update public.consents set version = '2026-11' where version = '2026-11.2' $$);
select is(tests.sources() #> '{0,excerpts}', '[]', 'and who agreed to a text that promised otherwise shows no words');
select tests.close_reviews();

-- Words without a check-in: a session's.
insert into public.assessment_sessions (id, user_id, assessment_type) values ('00000000-0000-4000-8000-00000000000e', tests.id_of('ada'), 'daily');
insert into made values ('session', '00000000-0000-4000-8000-00000000000e');
create function tests.analyze(level text, words text default 'I was up on the roof again.')
returns boolean
language sql
as $$
  select private.store_session_analysis(tests.the('session'), tests.id_of('ada'), jsonb_build_object(
    'modality', 'text', 'analysis', '{}'::jsonb, 'measures', '{"crisis_rule": null}'::jsonb, 'quality', 0.5, 'risk_level', level,
    'words', jsonb_build_object('transcript', words)
  ))
$$;
create function tests.unread() returns uuid language sql as $$ select id from private.unread_transcripts order by created_at desc limit 1 $$;
select tests.analyze('none');
select tests.analyze('none');
select is((select count(*) from private.unread_transcripts), 1::bigint, 'a session''s words are kept until they are read, the same ones once');
select tests.analyze('none', 'Nothing much.');
select is((select count(*) from private.unread_transcripts), 2::bigint, 'and what comes meanwhile takes no others'' place');
delete from private.unread_transcripts where transcript = 'Nothing much.';
select ok(tests.finish(tests.unread(), 'high'), 'the encoder reads them');
select results_eq(
  $$ select a.risk_level::text, a.measures ->> 'crisis_rule', r.source::text, r.risk_level::text
    from public.session_analyses a join public.clinical_reviews r on r.source_id = a.session_id $$,
  $$ values ('high', 'similar-to-crisis-language', 'session', 'high') $$, 'raises the analysis, and opens the review'
);
select is((select latest_risk_level::text from public.students where user_id = tests.id_of('ada')), 'high', 'which is the student''s latest risk');
select is_empty('select from private.unread_transcripts', 'and the words are gone');
select tests.analyze('high');
select tests.finish(tests.unread(), 'none', null);
select is((select risk_level::text from public.session_analyses), 'high', 'it lowers nothing there: the call has answered');
select tests.analyze('none');
select tests.claim(tests.unread());
select private.fail_job((tests.job(tests.unread())).id, 1::smallint, 'worker_error', false);
select is_empty('select from private.unread_transcripts', 'words whose reading has failed are not kept either');
select tests.analyze('none');
update private.analysis_jobs set attempts = 5 where unread_id = tests.unread();
select private.dispatch_due_jobs();
select is_empty('select from private.unread_transcripts', 'nor those out of attempts');
select tests.close_reviews();

-- And a transcript by itself.
create function tests.store_transcript() returns uuid language sql as $$
  select private.store_transcript_result(tests.id_of('ada'), jsonb_build_object(
    'transcript_sha256', repeat('ab', 32), 'provider', 'built-in', 'risk_level', 'none', 'crisis_level', 'none', 'result', '{}'::jsonb,
    'words', '{"transcript": "I was up on the roof again."}'::jsonb
  ))
$$;
select tests.store_transcript();
select tests.finish(tests.unread(), 'moderate');
select results_eq(
  $$ select t.risk_level::text, r.source::text, r.risk_level::text
    from private.transcript_results t join public.clinical_reviews r on r.source_id = t.id $$,
  $$ values ('moderate', 'transcript', 'moderate') $$, 'a transcript by itself is read too'
);
select tests.close_reviews();
-- A language model's moderate is a low mood, which opens none.
create function tests.store_low_mood(words text) returns uuid language sql as $$
  select private.store_transcript_result(tests.id_of('ada'), jsonb_build_object(
    'transcript_sha256', repeat('cd', 32), 'provider', 'language-model', 'risk_level', 'moderate', 'crisis_level', 'none', 'result', '{}'::jsonb,
    'analyzed_for_ms', 7000, 'words', jsonb_build_object('transcript', words)
  ))
$$;
select tests.store_low_mood('Lately it is dark.');
select is_empty($$ select from public.clinical_reviews where status <> 'closed' $$, 'a low mood in it opens none');
select tests.finish(tests.unread(), 'moderate');
select results_eq(
  $$ select s.source::text, s.risk_level::text, extract(epoch from now() - s.arrived_at)::integer
    from private.clinical_review_sources s join public.clinical_reviews r on r.id = s.review_id where r.status <> 'closed' $$,
  $$ values ('transcript', 'moderate', 7) $$, 'the reading of its sentences does at the same level, from the moment of the call'
);
select tests.close_reviews();

-- Words of a call that was refused: of nothing, of a check-in, of a session.
create function tests.refuse(check_in uuid, session uuid, words text default 'I was up on the roof again.') returns void language sql as $$
  select private.act_on_refused_words(
    tests.id_of('ada'), 'none', check_in, session, jsonb_build_object('words', jsonb_build_object('transcript', words))
  )
$$;
select tests.refuse(null, null);
select tests.refuse(tests.the('unread'), null);
select tests.refuse(tests.the('unread'), tests.the('session'));
select tests.refuse(null, tests.the('session'));
select is(
  (select array_agg(tests.finish(u.id, 'high')) from (select id from private.unread_transcripts order by id offset 0) u), '{t,t,t}',
  'words of calls that were refused are read too, each once'
);
select results_eq(
  $$ select s.source::text, s.source_id from private.clinical_review_sources s join public.clinical_reviews r on r.id = s.review_id
    where r.status <> 'closed' order by 1 $$,
  format($$ values ('check_in', %L::uuid), ('session', %L), ('transcript', %L) $$, tests.the('unread'), tests.the('session'), tests.id_of('ada')),
  'and open the review of what they are about, or of the account'
);
select tests.close_reviews();

select tests.store_transcript();
select tests.act_as(tests.id_of('ada'));
select public.withdraw_consent('text', keep_results => true);
select tests.act_as_owner();
select is_empty('select from private.unread_transcripts', 'and is deleted with the consent');
select tests.refuse(null, null);
select is_empty('select from private.unread_transcripts', 'without which no words of a refused call are kept');
select * from finish();
