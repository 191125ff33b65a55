create function private.lock_session(session uuid, student uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform from auth.users where id = student for key share;
  -- For itself: a check-in that ends meanwhile writes the student's review, risk and worrying day too, in another order.
  perform pg_advisory_xact_lock(private.consent_lock(student));
  perform from public.assessment_sessions where id = session and user_id = student for update;
  return found;
end
$$;
comment on function private.lock_session is 'Locks a student''s session, after the account and the consents; false when the student has no such session. Called by the functions that store results of sessions.';

create function private.row_of_session(session uuid, student uuid, stored jsonb) returns jsonb
language plpgsql set search_path = '' as $$
begin
  if private.lock_session(session, student) then
    return stored || jsonb_build_object('session_id', session, 'user_id', student, 'created_at', now());
  end if;
  return null;
end
$$;
comment on function private.row_of_session is 'What is to be stored of a student''s session, with its keys, and locks the session; null when the student has no such session. Called by the functions that store it.';

create function private.store_session_analysis(session uuid, student uuid, stored jsonb) returns boolean
language plpgsql set search_path = '' as $$
declare
  result public.session_analyses := jsonb_populate_record(
    null::public.session_analyses, private.row_of_session(session, student, stored)
  );
begin
  if result is null then
    return false;
  end if;
  if not exists (
    select from unnest(private.consents_in_force(student)) as agreed where private.covered_modality(agreed) = result.modality
  ) then
    return null;
  end if;
  update public.assessment_sessions set status = 'processing', updated_at = now() where id = session and status = 'failed';
  delete from public.session_analyses where session_id = session and modality = result.modality;
  insert into public.session_analyses select result.*;
  -- What an analysis of words finds is crisis language.
  if result.risk_level = 'high' or (result.risk_level = 'moderate' and result.modality = 'text') then
    perform private.open_clinical_review(student, 'session', session, result.risk_level, private.arrival_of(stored));
  end if;
  perform private.broadcast_session(session, 'analysis_complete', jsonb_build_object('analysis_type', result.modality));
  if result.modality = 'text' then
    perform private.queue_reading(student, stored, session => session);
  end if;
  return true;
end
$$;
comment on function private.store_session_analysis is 'Replaces the session''s analysis of a modality, opens a review on high risk and on crisis language of moderate level, broadcasts it and queues the reading of its words, in one transaction; false when the session is not the student''s, null when the consent that it needs is not in force any more. Called by the analysis functions.';

create function private.fail_session(session uuid, student uuid) returns void
language plpgsql set search_path = '' as $$
begin
  if private.lock_session(session, student) then
    update public.assessment_sessions set status = 'failed', updated_at = now() where id = session and status = 'processing';
  end if;
end
$$;
comment on function private.fail_session is 'Sets a session that is processing to failed: nothing that was analysed of it can be scored. Called by calculate-wellbeing-score.';

create function private.end_left_sessions() returns void
language sql security definer set search_path = '' as $$
  update public.assessment_sessions s
  set
    status = case when exists (select from public.session_scores r where r.session_id = s.id) then 'completed'::public.session_status else 'failed' end,
    updated_at = now()
  where s.id in (
    -- Locks the student too, as the deletion of an account does; rows that are locked wait for the next run.
    select l.id
    from public.assessment_sessions l
    join auth.users u on u.id = l.user_id
    where l.status = 'processing' and l.created_at <= now() - interval '24 hours'
    limit 10000
    for key share of u skip locked
    for update of l skip locked
  )
$$;
comment on function private.end_left_sessions is 'Ends sessions that the app has left processing for 24 hours: completed with a score, failed without. Called by cron.';
select cron.schedule('end-left-sessions', '7,27,47 * * * *', 'select private.end_left_sessions()');

create function private.session_score_input(session uuid, student uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'consents', jsonb_build_object(
      'audio', private.has_consent(student, 'audio'),
      'visual', private.has_consent(student, 'camera'),
      'text', private.has_consent(student, 'text')
    ),
    'analyses', coalesce(
      (
        select jsonb_object_agg(
          a.modality,
          jsonb_build_object(
            'measures', a.measures,
            'quality', a.quality,
            'quality_reason', a.quality_reason,
            'risk_level', a.risk_level
          )
        )
        from public.session_analyses a
        where a.session_id = session
      ),
      '{}'
    ),
    'baseline', (select b.state from checkin.user_baselines b where b.user_id = student)
  )
  from public.assessment_sessions s
  where s.id = session and s.user_id = student
$$;
comment on function private.session_score_input is 'Everything that the score of a session reads, in one snapshot; null when the session is not the student''s. Called by calculate-wellbeing-score.';

create function private.store_session_score(session uuid, student uuid, stored jsonb) returns boolean
language plpgsql set search_path = '' as $$
declare
  result public.session_scores := jsonb_populate_record(
    null::public.session_scores, private.row_of_session(session, student, stored)
  );
begin
  if result is null then
    return false;
  end if;
  if exists (
    select
    from (values ('audio_score', 'audio'::public.consent_kind), ('visual_score', 'camera'), ('text_score', 'text')) as part (name, consent)
    where jsonb_typeof(result.fusion_score -> 'component_scores' -> part.name) = 'number'
      and part.consent <> all (private.consents_in_force(student))
  ) then
    return null;
  end if;
  delete from public.session_scores where session_id = session;
  insert into public.session_scores select result.*;
  if result.risk_level = 'high' then
    perform private.open_clinical_review(student, 'session', session);
  end if;
  perform private.broadcast_session(session, 'score_calculated', jsonb_build_object('score', result.final_score));
  return true;
end
$$;
comment on function private.store_session_score is 'Replaces the session''s score, opens a review on high risk and on crisis language of moderate level and broadcasts it, in one transaction; false when the session is not the student''s, null when a consent was withdrawn since its input was read. Called by calculate-wellbeing-score.';
