-- Words beside the transcripts of check-ins: what was said in a session, transcripts that were analysed by themselves, and words of calls that were
-- refused. Their call has answered, and rules were acted on in it; the sentence encoder reads them afterwards, in a job of the same queue, and may raise what they found.

alter table private.unread_transcripts
  add constraint unread_transcripts_session_id_fkey
    foreign key (session_id) references public.assessment_sessions (id) on delete cascade,
  add constraint unread_transcripts_transcript_result_id_fkey
    foreign key (transcript_result_id) references private.transcript_results (id) on delete cascade;

-- The last statement of its transaction: whoever holds the queue's lock waits for no row.
create function private.queue_reading(
  student uuid, stored jsonb, session uuid default null, check_in uuid default null, transcript_result uuid default null
) returns void
language plpgsql set search_path = '' as $$
declare
  said constant text := left(stored #>> '{words,transcript}', 100000);
  unread uuid;
begin
  if btrim(said, E' \t\r\n') = '' or said is null or exists (
    select
    from private.unread_transcripts u
    where u.user_id = student and u.transcript = said
      and (u.session_id, u.check_in_id, u.transcript_result_id) is not distinct from (session, check_in, transcript_result)
  ) then
    return;
  end if;
  insert into private.unread_transcripts (user_id, session_id, check_in_id, transcript_result_id, transcript, trace_id, created_at)
  values (student, session, check_in, transcript_result, said, stored #>> '{words,trace_id}', private.arrival_of(stored))
  returning id into unread;
  insert into private.analysis_jobs (unread_id, kind) values (unread, 'crisis');
end
$$;
comment on function private.queue_reading is 'Keeps words, {transcript, trace_id} in what is stored of them, until the sentence encoder has read them, beside others that are not read yet; nothing where there are none, and where the same wait already. Called where the results of sessions and transcripts are stored, and of words of a call that was refused.';

-- The consents for itself, as of a session: a check-in that ends meanwhile writes the student's review and risk too, in another order.
create function private.lock_unread_transcript(unread uuid) returns void
language plpgsql set search_path = '' as $$
declare
  found private.unread_transcripts;
begin
  select * into found from private.unread_transcripts where id = unread;
  perform from auth.users where id = found.user_id for key share;
  perform pg_advisory_xact_lock(private.consent_lock(found.user_id)) where found.user_id is not null;
  perform from public.assessment_sessions where id = found.session_id for update;
  perform
  from checkin.check_ins c
  where c.id = coalesce(
    found.check_in_id, (select t.check_in_id from private.transcript_results t where t.id = found.transcript_result_id)
  )
  for update;
  perform from private.transcript_results where id = found.transcript_result_id for update;
  perform from private.unread_transcripts where id = unread for update;
end
$$;
comment on function private.lock_unread_transcript is 'Locks a transcript that is to be read, after the account, the consents and what it belongs to, in the order in which their deletion does. Called by private.lock_check_in_for_job.';

create function private.store_reading(unread uuid, findings jsonb) returns boolean
language plpgsql set search_path = '' as $$
declare
  words private.unread_transcripts;
  level constant checkin.risk_level := findings ->> 'crisis_level';
  check_in uuid;
begin
  delete from private.unread_transcripts where id = unread returning * into words;
  if not private.has_consent(words.user_id, 'text') then
    return false;
  end if;
  check_in := coalesce(words.check_in_id, (select t.check_in_id from private.transcript_results t where t.id = words.transcript_result_id));

  -- The review first, which knows when the words arrived, and also where the level was as high: a language model's moderate may be a low mood,
  -- which opens none.
  perform private.open_clinical_review(
    words.user_id,
    case when words.session_id is not null then 'session' when check_in is not null then 'check_in' else 'transcript' end::public.review_source,
    coalesce(words.session_id, check_in, words.transcript_result_id, words.user_id), level, words.created_at
  );
  if check_in is not null then
    perform private.keep_crisis_level(check_in, words.user_id, level) where words.check_in_id is not null;
    update checkin.check_ins set risk_level = level where id = check_in and coalesce(risk_level, 'none') < level;
  end if;
  update private.transcript_results set risk_level = level where id = words.transcript_result_id and risk_level < level;
  update public.session_analyses
  set risk_level = level, measures = measures || jsonb_build_object('crisis_rule', findings -> 'crisis_rule')
  where session_id = words.session_id and modality = 'text' and risk_level < level;
  if found then
    update public.session_scores set risk_level = level where session_id = words.session_id and risk_level < level;
    -- As of an analysis that was made anew: a score that is asked for again follows it.
    perform private.broadcast_session(words.session_id, 'analysis_complete', '{"analysis_type": "text"}');
  end if;
  return true;
end
$$;
comment on function private.store_reading is 'Raises the risk of a session, of a check-in or of a transcript by itself to what the sentence encoder found, with the review that it opens, and deletes the words; false, and nothing else, when the consent is not in force any more. Called by private.finish_job with the transcript locked.';

-- Their rules have been acted on, and nobody waits for them.
create function private.end_unread_transcripts() returns void
language plpgsql set search_path = '' as $$
declare
  failed uuid[];
begin
  with due as materialized (
    select u.id
    from private.unread_transcripts u
    join private.analysis_jobs j on j.unread_id = u.id
    join auth.users a on a.id = u.user_id
    cross join private.pipeline_settings s
    where (j.status = 'queued' or private.is_waiting(j)) and (j.attempts >= s.max_attempts or j.created_at <= now() - s.fail_after)
    order by u.id
    for key share of a skip locked
    for update of u skip locked
  ),
  ended as (
    update private.analysis_jobs j
    set status = 'failed', error_code = coalesce(j.error_code, case when j.attempts = 0 then 'not_run' else 'worker_lost' end)
    from due
    where j.unread_id = due.id and (j.status = 'queued' or private.is_waiting(j))
    returning j.unread_id
  )
  select array_agg(unread_id) into failed from ended;
  delete from private.unread_transcripts where id = any (failed);
end
$$;
comment on function private.end_unread_transcripts is 'Deletes transcripts whose reading is out of attempts or too old. Called by private.dispatch_due_jobs.';
