create type public.session_status as enum ('processing', 'completed', 'failed');
comment on type public.session_status is 'State of an assessment session.';

create type public.modality as enum ('audio', 'visual', 'text');
comment on type public.modality is 'What an analysis reads: audio, images or text.';

create table public.assessment_sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  assessment_type public.assessment_type not null,
  status public.session_status not null default 'processing',
  session_data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint assessment_sessions_pkey primary key (id),
  constraint assessment_sessions_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint assessment_sessions_session_data_object check (jsonb_typeof(session_data) = 'object'),
  constraint assessment_sessions_session_data_size check (pg_column_size(session_data) <= 65536)
);
comment on table public.assessment_sessions is 'Sessions of the app''s conversational widget.';
comment on column public.assessment_sessions.id is 'The session.';
comment on column public.assessment_sessions.user_id is 'The student who owns it.';
comment on column public.assessment_sessions.assessment_type is 'Occasion of the session.';
comment on column public.assessment_sessions.status is 'processing until the app sets completed or failed; failed when nothing that was analysed can be scored, until another analysis comes. What is left processing ends after 24 hours.';
comment on column public.assessment_sessions.session_data is 'The app''s own data, such as platform and widget_type; at most 64 kB.';
comment on column public.assessment_sessions.created_at is 'When the session began.';
comment on column public.assessment_sessions.updated_at is 'Set by the app when it updates the session, and by the service when it ends one.';
alter table public.assessment_sessions alter column user_id set statistics 0; -- see public.user_roles
create index assessment_sessions_processing_idx on public.assessment_sessions (created_at) where status = 'processing';
create index assessment_sessions_user_id_created_at_idx on public.assessment_sessions (user_id, created_at desc);

select private.declare_data('public.assessment_sessions',
  '{id, user_id, assessment_type, status, session_data, created_at, updated_at}',
  'The sessions of the app''s conversational assessment.', 'student', 'health', 't.user_id = $1', term => 'results');
select private.declare_purge('results', 'public.assessment_sessions', 'd.created_at < $1', oldest => 'created_at');

-- Without a foreign key to the session, by which PostgREST would let a request embed its three analyses in a session, the session in
-- each of them, and so on: three times as many rows with every level. They go with the session all the same.
create table public.session_analyses (
  session_id uuid not null,
  user_id uuid not null,
  modality public.modality not null,
  analysis jsonb not null,
  measures jsonb not null,
  quality double precision not null,
  quality_reason text,
  risk_level checkin.risk_level not null default 'none',
  created_at timestamptz not null default now(),
  constraint session_analyses_pkey primary key (session_id, modality),
  constraint session_analyses_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint session_analyses_analysis_object check (jsonb_typeof(analysis) = 'object'),
  constraint session_analyses_measures_object check (jsonb_typeof(measures) = 'object'),
  constraint session_analyses_quality_range check (quality between 0 and 1)
);
comment on table public.session_analyses is 'The latest analysis of each modality of a session.';
comment on column public.session_analyses.session_id is 'The session.';
comment on column public.session_analyses.user_id is 'The student who owns it.';
comment on column public.session_analyses.modality is 'What was analysed.';
comment on column public.session_analyses.analysis is 'The analysis as it was returned.';
comment on column public.session_analyses.measures is 'What the score is calculated from: features by name, and details of the transcript.';
comment on column public.session_analyses.quality is 'Reliability of the measures, 0 to 1.';
comment on column public.session_analyses.quality_reason is 'What lowers the quality most; null when nothing does.';
comment on column public.session_analyses.risk_level is 'Risk level found by the crisis-language check of the transcript.';
comment on column public.session_analyses.created_at is 'When the analysis was stored.';
alter table public.session_analyses alter column user_id set statistics 0; -- see public.user_roles
create index session_analyses_user_id_idx on public.session_analyses (user_id);

select private.declare_data('public.session_analyses',
  '{session_id, user_id, modality, analysis, measures, quality, quality_reason, risk_level, created_at}',
  'The analyses of a session.', 'student', 'health', 't.user_id = $1', term => 'results');

create table public.session_scores (
  session_id uuid not null,
  user_id uuid not null,
  final_score numeric(5, 2) not null,
  confidence numeric(4, 3) not null,
  risk_level checkin.risk_level not null,
  fusion_score jsonb not null,
  algorithm_version text not null,
  created_at timestamptz not null default now(),
  constraint session_scores_pkey primary key (session_id),
  constraint session_scores_session_id_fkey foreign key (session_id) references public.assessment_sessions (id) on delete cascade,
  constraint session_scores_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint session_scores_final_score_range check (final_score between 0 and 100),
  constraint session_scores_confidence_range check (confidence between 0 and 1),
  constraint session_scores_fusion_score_object check (jsonb_typeof(fusion_score) = 'object')
);
comment on table public.session_scores is 'The latest score of each session.';
comment on column public.session_scores.session_id is 'The session.';
comment on column public.session_scores.user_id is 'The student who owns it.';
comment on column public.session_scores.final_score is 'Wellbeing, 0 to 100; higher is better.';
comment on column public.session_scores.confidence is 'Confidence in the score, 0 to 1 (certain).';
comment on column public.session_scores.risk_level is 'Risk level; never below the result of the crisis-language check.';
comment on column public.session_scores.fusion_score is 'The score as it was returned.';
comment on column public.session_scores.algorithm_version is 'Version of the fusion.';
comment on column public.session_scores.created_at is 'When the score was stored.';
alter table public.session_scores alter column user_id set statistics 0; -- see public.user_roles
create index session_scores_user_id_created_at_idx on public.session_scores (user_id, created_at desc);

select private.declare_data('public.session_scores',
  '{session_id, user_id, final_score, confidence, risk_level, fusion_score, algorithm_version, created_at}',
  'The score of a session.', 'student', 'health', 't.user_id = $1', term => 'results');

-- Locks the student's account before the session, as the deletion of an account does, and the consents between them.
create function private.lock_session(session uuid, student uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform from auth.users where id = student for key share;
  perform pg_advisory_xact_lock_shared(private.consent_lock(student));
  perform from public.assessment_sessions where id = session and user_id = student for update;
  return found;
end
$$;
comment on function private.lock_session is 'Locks a student''s session; false when the student has no such session. Called by the functions that store results of sessions.';

create function private.store_session_analysis(session uuid, student uuid, stored jsonb) returns boolean
language plpgsql set search_path = '' as $$
declare
  result public.session_analyses := jsonb_populate_record(
    null::public.session_analyses,
    stored || jsonb_build_object('session_id', session, 'user_id', student, 'created_at', now())
  );
begin
  if not private.lock_session(session, student) then
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
    perform private.open_clinical_review(student, 'session', session, result.risk_level);
  end if;
  perform private.broadcast_session(
    session, 'analysis_complete', jsonb_build_object('analysis_type', result.modality)
  );
  return true;
end
$$;
comment on function private.store_session_analysis is
  'Replaces the session''s analysis of a modality, opens a review on high risk and on crisis language of moderate level and broadcasts it, in one transaction; false when the session is not the student''s, null when the consent that it needs is not in force any more. Called by the analysis functions.';

create function private.fail_session(session uuid, student uuid) returns void
language plpgsql set search_path = '' as $$
begin
  if private.lock_session(session, student) then
    update public.assessment_sessions set status = 'failed', updated_at = now() where id = session and status = 'processing';
  end if;
end
$$;
comment on function private.fail_session is
  'Sets a session that is processing to failed: nothing that was analysed of it can be scored. Called by calculate-wellbeing-score.';

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
comment on function private.end_left_sessions is
  'Ends sessions that the app has left processing for 24 hours: completed with a score, failed without. Called by cron.';
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
comment on function private.session_score_input is
  'Everything that the score of a session reads, in one snapshot; null when the session is not the student''s. Called by calculate-wellbeing-score.';

create function private.store_session_score(session uuid, student uuid, stored jsonb) returns boolean
language plpgsql set search_path = '' as $$
declare
  result public.session_scores := jsonb_populate_record(
    null::public.session_scores,
    stored || jsonb_build_object('session_id', session, 'user_id', student, 'created_at', now())
  );
begin
  if not private.lock_session(session, student) then
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
  perform private.broadcast_session(
    session, 'score_calculated', jsonb_build_object('score', result.final_score)
  );
  return true;
end
$$;
comment on function private.store_session_score is
  'Replaces the session''s score, opens a review on high risk and on crisis language of moderate level and broadcasts it, in one transaction; false when the session is not the student''s, null when a consent was withdrawn since its input was read. Called by calculate-wellbeing-score.';

create function private.limit_sessions() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  accounts uuid[] := array(select user_id from changed_rows);
begin
  perform private.lock_storage_of(accounts);
  if exists (
    select from public.assessment_sessions s, private.student_limits l
    where s.user_id = any(accounts)
    group by s.user_id, l.sessions, l.session_bytes
    having count(*) > l.sessions or sum(pg_column_size(s.session_data)) > l.session_bytes
  ) then
    raise exception 'This account has too many sessions, or too much session_data in them. Delete old sessions first.'
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
comment on function private.limit_sessions is 'Trigger: an account stores at most as many sessions, of as many bytes, as private.student_limits says.';

create function private.delete_session_analyses() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.session_analyses a using deleted_rows d where a.session_id = d.id;
  return null;
end
$$;
comment on function private.delete_session_analyses is 'Trigger: deletes the analyses of sessions that are deleted.';

create trigger delete_session_analyses
after delete on public.assessment_sessions
referencing old table as deleted_rows
for each statement execute function private.delete_session_analyses();

create trigger limit_new_sessions
after insert on public.assessment_sessions
referencing new table as changed_rows
for each statement execute function private.limit_sessions();

create trigger limit_changed_sessions
after update on public.assessment_sessions
referencing new table as changed_rows
for each statement execute function private.limit_sessions();
