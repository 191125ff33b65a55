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
select private.describe('public.assessment_sessions', 'Sessions of the app''s conversational widget.', $$
  id: The session.
  user_id: The student who owns it.
  assessment_type: Occasion of the session.
  status: processing until the app sets completed or failed; failed when nothing that was analysed can be scored, until another analysis comes. What is left processing ends after 24 hours.
  session_data: The app's own data, such as platform and widget_type; at most 64 kB. Example: {"platform": "ios", "widget_type": "conversation"}
  created_at: When the session began.
  updated_at: Set by the app when it updates the session, and by the service when it ends one.
$$);
alter table public.assessment_sessions alter column user_id set statistics 0; -- see public.user_roles
create index assessment_sessions_processing_idx on public.assessment_sessions (created_at) where status = 'processing';
create index assessment_sessions_user_id_created_at_idx on public.assessment_sessions (user_id, created_at desc);

select private.declare_data('public.assessment_sessions',
  '{id, user_id, assessment_type, status, session_data, created_at, updated_at}',
  'The sessions of the app''s conversational assessment.', 'student', 'health', 't.user_id = $1', term => 'results');
select private.declare_purge('results', 'public.assessment_sessions', 'd.created_at < $1', oldest => 'created_at');
select private.declare_audited('public.assessment_sessions', 'id', 'by_hand');

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
select private.describe('public.session_analyses', 'The latest analysis of each modality of a session.', $$
  session_id: The session.
  user_id: The student who owns it.
  modality: What was analysed.
  analysis: The analysis as it was returned. Example: {"linguistic_patterns": {"coherence_score": 71}, "key_themes": ["exams"]}
  measures: What the score is calculated from: features by name, and details of the transcript. Example: {"features": {"sentiment_compound": 0.31, "emotion_anxiety": null}, "words": 118, "themes": ["exams"]}
  quality: Reliability of the measures, 0 to 1.
  quality_reason: What lowers the quality most; null when nothing does.
  risk_level: Risk level found by the crisis-language check of the transcript.
  created_at: When the analysis was stored.
$$);
alter table public.session_analyses alter column user_id set statistics 0; -- see public.user_roles
create index session_analyses_user_id_idx on public.session_analyses (user_id);

select private.declare_data('public.session_analyses',
  '{session_id, user_id, modality, analysis, measures, quality, quality_reason, risk_level, created_at}',
  'The analyses of a session.', 'student', 'health', 't.user_id = $1', term => 'results');
select private.declare_audited('public.session_analyses', 'session_id', 'by_hand');

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
select private.describe('public.session_scores', 'The latest score of each session.', $$
  session_id: The session.
  user_id: The student who owns it.
  final_score: Wellbeing, 0 to 100; higher is better.
  confidence: Confidence in the score, 0 to 1 (certain).
  risk_level: Risk level; never below the result of the crisis-language check.
  fusion_score: The score as it was returned. Example: {"final_score": 61.2, "score_interval": [47.1, 75.3], "confidence": 0.41, "calibrated": false}
  algorithm_version: Version of the fusion.
  created_at: When the score was stored.
$$);
alter table public.session_scores alter column user_id set statistics 0; -- see public.user_roles
create index session_scores_user_id_created_at_idx on public.session_scores (user_id, created_at desc);

select private.declare_data('public.session_scores',
  '{session_id, user_id, final_score, confidence, risk_level, fusion_score, algorithm_version, created_at}',
  'The score of a session.', 'student', 'health', 't.user_id = $1', term => 'results');
select private.declare_audited('public.session_scores', 'session_id', 'by_hand');

create view private.session_risks with (security_invoker = true) as
  select r.user_id, r.session_id, max(r.risk_level) as risk_level, max(r.created_at) as at
  from (
    select a.user_id, a.session_id, a.risk_level, a.created_at from public.session_analyses a
    union all
    select s.user_id, s.session_id, s.risk_level, s.created_at from public.session_scores s
  ) as r
  group by r.user_id, r.session_id;
comment on view private.session_risks is 'The risk of each session that has results, the highest of its analyses and its score, and when the last of them was stored. Read where sessions count as check-ins do.';

create function private.delete_session_analyses() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.session_analyses a using deleted_rows d where a.session_id = d.id;
  perform private.refresh_latest_risk(s.user_id)
  from public.students s
  where s.latest_risk_source = 'session' and s.user_id in (select d.user_id from deleted_rows d);
  return null;
end
$$;
comment on function private.delete_session_analyses is 'Trigger: deletes the analyses of sessions that are deleted, after which the student''s latest risk is that of another.';

create trigger guard_feature before insert on public.assessment_sessions
for each row when (new.status = 'processing') execute function private.guard_feature('sessions');

create trigger delete_session_analyses after delete on public.assessment_sessions referencing old table as deleted_rows
for each statement execute function private.delete_session_analyses();

create trigger limit_new_sessions after insert on public.assessment_sessions referencing new table as changed_rows
for each statement execute function private.limit_stored_rows();

create trigger limit_changed_sessions after update on public.assessment_sessions referencing new table as changed_rows
for each statement execute function private.limit_stored_rows();
