-- What withdrawing a consent deletes, whatever the pipeline is doing, and how a new version of a text asks again.
select plan(52);

create function tests.agree(person text, variadic kinds public.consent_kind[])
returns void
language sql
as $$
  select tests.give_consent(tests.id_of(person), kinds::text)
$$;
-- A check-in of Ada's with everything, and one of Ben's.
create function tests.submit(person text)
returns uuid
language plpgsql
as $$
declare
  check_in uuid;
  folder text;
begin
  insert into checkin.check_ins (user_id, type) values (tests.id_of(person), 'daily') returning id into check_in;
  folder := tests.id_of(person) || '/' || check_in;
  insert into storage.objects (bucket_id, name) values ('check-in-media', folder || '/audio'), ('check-in-images', folder || '/image-01');
  perform private.submit_check_in(
    check_in, tests.id_of(person), '{"transcript": "I slept well.", "mood_score": 6}',
    jsonb_build_array(
      jsonb_build_object('path', folder || '/audio', 'kind', 'audio', 'ordinal', 0, 'etag', '1', 'bytes', 10, 'info', '{}'::jsonb),
      jsonb_build_object('path', folder || '/image-01', 'kind', 'image', 'ordinal', 0, 'etag', '1', 'bytes', 10, 'info', '{}'::jsonb)
    ),
    '[{"kind": "audio_slice", "ordinal": 0}, {"kind": "visual_group", "ordinal": 0}, {"kind": "text", "ordinal": 0}]'
  );
  return check_in;
end
$$;
create function tests.claim(check_in uuid, wanted private.job_kind)
returns private.analysis_jobs
language plpgsql
as $$
declare
  claimed private.analysis_jobs;
begin
  update private.analysis_jobs set status = 'running', attempts = attempts + 1, next_dispatch_at = now() + interval '1 hour'
  where check_in_id = check_in and kind = wanted
  returning * into claimed;
  return claimed;
end
$$;
create function tests.finish(check_in uuid, wanted private.job_kind, findings jsonb default '{"quality": 0.9}')
returns boolean
language plpgsql
as $$
declare
  claimed private.analysis_jobs := tests.claim(check_in, wanted);
begin
  return private.finish_job(claimed.id, claimed.attempts, findings);
end
$$;
create function tests.status_of(check_in uuid, wanted private.job_kind)
returns text
language sql
as $$ select status || coalesce(' ' || error_code, '') from private.analysis_jobs where check_in_id = check_in and kind = wanted $$;
create function tests.score(check_in uuid, components jsonb)
returns text
language plpgsql
as $$
declare
  claimed private.analysis_jobs := tests.claim(check_in, 'fusion');
begin
  return private.store_fusion_result(
    claimed.id, claimed.attempts,
    jsonb_build_object(
      'score', 60, 'uncertainty', 0.2, 'direction_of_change', 'same', 'significance', 'low', 'risk_level', 'mild', 'summary', '',
      'themes', '[]'::jsonb, 'drivers_positive', '[]'::jsonb, 'drivers_negative', '[]'::jsonb, 'drivers', '[]'::jsonb,
      'components', components, 'baseline', '{}'::jsonb, 'algorithm_version', 'test'
    ),
    '{"check_ins": 1, "score_mean": 60, "score_sd": 5, "state": {"count": 1, "features": {"audio.f0_mean_hz": {"mean": 1}, "text.words": {"mean": 2}}}}',
    coalesce((select version from checkin.user_baselines b where b.user_id = (select c.user_id from checkin.check_ins c where c.id = check_in)), 0)
  );
end
$$;
create temporary table check_ins (name text primary key, id uuid not null);
grant select on check_ins to authenticated;
create function tests.the(wanted text) returns uuid language sql as $$ select id from check_ins where name = wanted $$;
create function tests.scored(modality text) returns jsonb language sql as $$
  select jsonb_build_array(jsonb_build_object('modality', modality, 'score', 60), jsonb_build_object('modality', 'visual', 'score', null))
$$;

insert into storage.buckets (id, name) values ('check-in-media', 'check-in-media'), ('check-in-images', 'check-in-images')
on conflict do nothing;
select tests.agree('ada', 'audio', 'camera', 'text');
select tests.agree('ben', 'audio', 'camera', 'text');
insert into check_ins values ('past', tests.submit('ada')), ('of Ben', tests.submit('ben'));
select tests.finish(tests.the('past'), kind) from unnest('{audio_slice,visual_group,audio_merge,visual_merge}'::private.job_kind[]) kind;
select tests.finish(tests.the('past'), 'text', '{"quality": 0.9, "themes": [], "keywords": [], "crisis_level": "none", "transcript_source": "student"}');
select is(tests.score(tests.the('past'), tests.scored('audio')), 'stored', 'Ada has a score to which her voice counts');
insert into public.assessment_sessions (id, user_id, assessment_type) values (tests.the('past'), tests.id_of('ada'), 'daily');
select private.store_session_analysis(
  tests.the('past'), tests.id_of('ada'),
  jsonb_build_object('modality', modality, 'analysis', '{}'::jsonb, 'measures', '{}'::jsonb, 'quality', 0.5, 'risk_level', 'none')
)
from unnest('{audio,text}'::text[]) modality;
select private.store_session_score(
  tests.the('past'), tests.id_of('ada'),
  '{"final_score": 60, "confidence": 0.8, "risk_level": "none", "algorithm_version": "test", "fusion_score": {"component_scores": {"audio_score": 60}}}'
);

-- While the pipeline is at work
insert into check_ins values ('running', tests.submit('ada'));
select tests.finish(tests.the('running'), 'visual_group');
create temporary table slice as select * from tests.claim(tests.the('running'), 'audio_slice');
insert into private.exports (id, user_id, include_name, status, created_at, ended_at, expires_at)
values (tests.the('past'), tests.id_of('ada'), false, 'ready', now(), now(), now() + interval '7 days');
insert into private.export_volumes (export_id, ordinal, content, object_name, status, attempts, bytes, left_out)
values (tests.the('past'), 1, 'documents', tests.id_of('ada') || '/export/1', 'done', 1, 10, 0);
select tests.act_as(tests.id_of('ada'));
select is(
  public.withdraw_consent('audio') - 'withdrawn_at',
  '{"kind": "audio", "deleted": {"files": 2, "analyses": 2, "transcripts": 0, "results": 2, "exports": 1}}',
  'Ada withdraws her consent to audio, and learns what was deleted'
);
select is(
  (select deleted from public.consents where kind = 'audio'), '{"files": 2, "analyses": 2, "transcripts": 0, "results": 2, "exports": 1}',
  'which stays in her consents'
);
select is(public.withdraw_consent('audio'), null, 'there is nothing to withdraw twice');
select tests.act_as_owner();
select is(tests.status_of(tests.the('running'), 'audio_slice'), 'failed no_consent', 'the step that is running ends');
select ok(
  not private.finish_job(id, attempts, '{}'), 'and what its worker found is not stored'
)
from slice;
select is_empty(
  $$ select 1 from checkin.audio_analysis where user_id = tests.id_of('ada') union all
    select 1 from private.check_in_media where kind = 'audio' and check_in_id in (tests.the('past'), tests.the('running')) union all
    select 1 from public.session_analyses where user_id = tests.id_of('ada') and modality = 'audio' $$,
  'no feature of her voice is left, and no recording'
);
select set_eq(
  $$ select name from private.object_removals where bucket = 'check-in-media' $$,
  $$ select tests.id_of('ada') || '/' || id || '/audio' from check_ins where name <> 'of Ben' $$,
  'her recordings are queued for removal, and nobody else''s'
);
select results_eq(
  $$ select e.status::text, r.name from private.exports e, private.object_removals r where r.bucket = 'exports' and e.user_id = tests.id_of('ada') $$,
  $$ select 'cancelled', tests.id_of('ada') || '/export/1' $$, 'an export that was ready, with a copy of it, is over'
);
select is_empty(
  $$ select 1 from checkin.fusion_results where user_id = tests.id_of('ada') union all
    select 1 from public.session_scores where user_id = tests.id_of('ada') union all
    select 1 from checkin.user_baselines where user_id = tests.id_of('ada') $$,
  'scores to which it counted are gone, with the baseline that was made of them'
);
select results_eq(
  $$ select last_score, risk_level::text from public.students where user_id = tests.id_of('ada') $$,
  $$ values (null::numeric, 'none') $$, 'counselors see none of it either'
);
select is((select status::text from checkin.check_ins where id = tests.the('past')), 'complete', 'the check-in remains');
select ok((select transcript is not null from private.check_in_inputs where check_in_id = tests.the('past')), 'and so does her transcript');
select is(
  (select count(*) from checkin.visual_analysis where user_id = tests.id_of('ada')), 1::bigint, 'and what was measured in her images'
);

-- The check-in goes on with what is left.
select tests.finish(tests.the('running'), 'visual_merge');
select tests.finish(tests.the('running'), 'text', '{"quality": 0.9, "themes": [], "keywords": [], "crisis_level": "none", "transcript_source": "student"}');
select is(private.fusion_input(tests.the('running')) -> 'missing' ->> 'audio', 'no_consent', 'the score is made without the voice, and says why');
create temporary table fusion as select * from tests.claim(tests.the('running'), 'fusion');
select tests.act_as(tests.id_of('ada'));
select is(
  public.withdraw_consent('camera', keep_results => true) -> 'deleted', '{"files": 2, "analyses": 2, "transcripts": 0, "results": 0, "exports": 0}',
  'while the score is made she withdraws the camera too, keeping past results'
);
select tests.act_as_owner();
select is(tests.status_of(tests.the('running'), 'fusion'), 'queued', 'the score is made anew');
select is(
  private.store_fusion_result(id, attempts, '{}', '{}', 0), 'stale', 'and the one that was made with her face is not stored'
)
from fusion;
select is(tests.score(tests.the('running'), tests.scored('text')), 'stored', 'the new one is');

-- The same by updating the row.
insert into check_ins values ('last', tests.submit('ada'));
select is(
  (select array_agg(kind::text) from private.analysis_jobs where check_in_id = tests.the('last')), array['text'],
  'a check-in that is submitted after all takes only what is agreed to'
);
select is_empty($$ select 1 from private.check_in_media where check_in_id = tests.the('last') $$, 'and no media');
insert into private.transcript_results (user_id, transcript_sha256, provider, risk_level, result)
values (tests.id_of('ada'), sha256('x'), 'built-in', 'none', '{}');
select tests.act_as(tests.id_of('ada'));
select lives_ok(
  $$ update public.consents set withdrawn_at = now(), keep_results = true where kind = 'text' $$,
  'Ada withdraws her consent to text through the table, keeping past results'
);
select is(
  (select deleted from public.consents where kind = 'text'), '{"files": 0, "analyses": 3, "transcripts": 3, "results": 0, "exports": 0}',
  'with the same effect'
);
select tests.act_as_owner();
select is_empty(
  $$ select 1 from private.check_in_inputs i join check_ins c on c.id = i.check_in_id where c.name <> 'of Ben' and i.transcript is not null $$,
  'no transcript is left'
);
select is(
  (select count(*) from checkin.fusion_results where user_id = tests.id_of('ada'))
    + (select count(*) from private.transcript_results where user_id = tests.id_of('ada')),
  2::bigint, 'past results are'
);
select is(
  (select state -> 'features' from checkin.user_baselines where user_id = tests.id_of('ada')), '{"audio.f0_mean_hz": {"mean": 1}}',
  'without what was usual of her words'
);
select is(tests.status_of(tests.the('last'), 'text'), 'failed no_consent', 'the only step of the last check-in ended');
update private.analysis_jobs set error_code = 'worker_error' where check_in_id = tests.the('last') and kind = 'text';
select is(
  private.fusion_input(tests.the('last')) -> 'failed_by_service', 'false',
  'of what is not agreed to any more, a fault of the service is none'
);
create temporary table last_fusion as select * from tests.claim(tests.the('last'), 'fusion');
select ok(private.fail_check_in_for_job(id, attempts, 'nothing_to_score', 'none'), 'so that nothing is left to score') from last_fusion;
select is(
  private.check_in_view(tests.the('last')) #>> '{error,code}', 'nothing_to_score', 'which the check-in says in a documented code'
);
select is(
  private.store_session_analysis(
    tests.the('past'), tests.id_of('ada'),
    '{"modality": "text", "analysis": {}, "measures": {}, "quality": 0.5, "risk_level": "none"}'
  ),
  null, 'an analysis of a session that comes late is not stored'
);
select is(
  private.store_transcript_result(
    tests.id_of('ada'), jsonb_build_object('transcript_sha256', repeat('00', 32), 'provider', 'built-in', 'risk_level', 'none', 'result', '{}'::jsonb)
  ),
  null, 'nor one of a transcript'
);
select is(
  private.store_session_score(
    tests.the('past'), tests.id_of('ada'),
    '{"final_score": 60, "confidence": 0.8, "risk_level": "none", "algorithm_version": "test", "fusion_score": {"component_scores": {"text_score": 60}}}'
  ),
  null, 'nor a score that counts it'
);
select is(
  (select count(*) from private.check_in_media where check_in_id = tests.the('of Ben')), 2::bigint, 'nothing of Ben''s was touched'
);

-- A new version asks again.
insert into public.consent_texts (kind, version, language, title, body)
values ('counselor_access', '2026-10', 'en', 'A', 'An earlier text.'), ('research_export', '1.9', 'en', 'A', 'An earlier text.');
insert into private.required_consent_versions values ('counselor_access', '2026-9');
select tests.act_as(tests.id_of('ben'));
insert into public.consents (kind, version) values ('counselor_access', '2026-10');
insert into public.consents (kind, version) values ('research_export', '1.9');
select results_eq(
  $$ select kind::text, in_force, version, required_version from public.consent_status() where version is not null and kind >= 'counselor_access' $$,
  $$ values ('counselor_access', true, '2026-10', '2026-9'), ('research_export', true, '1.9', null) $$,
  'Ben agreed to a version that is late enough'
);
select is((select count(*) from public.consent_status()), 6::bigint, 'and sees every kind that there is');
select tests.act_as_owner();
update private.required_consent_versions set version = '2026-11' where kind = 'counselor_access';
select ok(not private.has_consent(tests.id_of('ben'), 'counselor_access'), 'when a later one is required, his does not count any more');
select ok(not (select counselor_access from public.students where user_id = tests.id_of('ben')), 'and counselors do not see him');
select tests.act_as(tests.id_of('ben'));
select results_eq(
  $$ select in_force, version, required_version from public.consent_status() where kind = 'counselor_access' $$,
  $$ values (false, '2026-10', '2026-11') $$, 'he is asked again'
);
select throws_ok(
  $$ insert into public.consents (kind, version) values ('counselor_access', '2026-10') $$, 'PT409', null, 'the same version does not help'
);
select lives_ok($$ insert into public.consents (kind, version) values ('counselor_access', '2026-11') $$, 'the new one does');
select results_eq(
  $$ select version, renewed, deleted from public.consents where kind = 'counselor_access' and withdrawn_at is not null $$,
  $$ values ('2026-10', true, null::jsonb) $$, 'the old consent ended, and nothing was withdrawn'
);
select tests.act_as_owner();
select ok((select counselor_access from public.students where user_id = tests.id_of('ben')), 'counselors see him again');
select throws_ok(
  $$ insert into private.required_consent_versions values ('text', 'new') $$, '23514', null, 'a required version has a number to compare'
);
select tests.act_as(tests.id_of('eve'));
select throws_ok($$ select private.delete_covered(tests.id_of('ben'), 'audio', false) $$, '42501', null, 'nobody deletes what others agreed to');
select tests.act_as_nobody();
select throws_ok($$ select public.withdraw_consent('audio') $$, '42501', null, 'nor without signing in');

-- Words that are too few for a score have themes all the same.
select tests.act_as_owner();
select tests.finish(tests.the('of Ben'), kind) from unnest('{audio_slice,visual_group,audio_merge,visual_merge}'::private.job_kind[]) kind;
select tests.finish(
  tests.the('of Ben'), 'text', '{"quality": 0.1, "themes": ["sleep"], "keywords": [], "crisis_level": "none", "transcript_source": "student"}'
);
select is(
  tests.score(
    tests.the('of Ben'),
    '[{"modality": "audio", "score": 60, "quality": 0.9}, {"modality": "text", "score": null, "quality": 0.1}]'
  ),
  'stored', 'Ben has a score with a theme of his few words'
);
select tests.act_as(tests.id_of('ben'));
select is(
  public.withdraw_consent('text') -> 'deleted', '{"files": 0, "analyses": 1, "transcripts": 1, "results": 1, "exports": 0}',
  'which he withdraws'
);
select tests.act_as_owner();
select is_empty(
  $$ select 1 from checkin.fusion_results where user_id = tests.id_of('ben') union all
    select 1 from realtime.messages where topic = 'check-in:' || tests.the('of Ben') and event = 'result' $$,
  'nothing that was made of them is left, nor what was sent of it'
);

-- Research
create function tests.mentions_of(word text)
returns table (what text)
language sql
as $$
  select p.oid::regprocedure::text
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  where n.nspname in ('public', 'checkin', 'private') and coalesce(p.prosrc, '') || coalesce(pg_get_function_sqlbody(p.oid), '') ~ word
  union all
  select schemaname || '.' || policyname from pg_policies where coalesce(qual, '') || coalesce(with_check, '') ~ word
  union all
  select schemaname || '.' || viewname from pg_views where definition ~ word and schemaname in ('public', 'checkin', 'private')
$$;
select isnt_empty($$ select * from tests.mentions_of('counselor_access') $$, 'what a consent governs asks for it');
select is_empty($$ select * from tests.mentions_of('research_export') $$, 'nothing asks whether a student agreed to research');
create function tests.seen_by(role_held public.app_role)
returns bigint
language plpgsql
as $$
declare
  staff uuid := tests.new_student(gen_random_uuid() || '@lakeview.example.edu');
  relation regclass;
  found_rows bigint;
  seen bigint := 0;
begin
  delete from public.user_roles where user_id = staff;
  insert into public.user_roles (user_id, role, university_id)
  values (staff, role_held, case when role_held <> 'security_admin' then 'lakeview' end);
  perform tests.act_as(staff);
  for relation in
    select a.attrelid::regclass
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where a.attname = 'user_id' and c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'checkin'::regnamespace)
      and has_table_privilege('authenticated', c.oid, 'select')
  loop
    execute format('select count(*) from %s where user_id = $1', relation) into found_rows using tests.id_of('ben');
    seen := seen + found_rows;
  end loop;
  perform tests.act_as_owner();
  return seen;
end
$$;
select is(
  (select array_agg(tests.seen_by(staff) order by staff) from unnest('{university_admin,security_admin}'::public.app_role[]) staff),
  '{0,0}', 'and no row of one who did is shown to administrators'
);

select * from finish();
