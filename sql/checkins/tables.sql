create type public.assessment_type as enum ('daily', 'weekly', 'baseline', 'on_demand');
comment on type public.assessment_type is 'Occasion of an assessment or check-in.';

create type checkin.check_in_status as enum ('created', 'processing', 'complete', 'failed', 'expired');
comment on type checkin.check_in_status is 'created → processing → complete | failed; created → expired; failed → processing.';

create type checkin.direction_of_change as enum ('better', 'same', 'worse');
comment on type checkin.direction_of_change is 'Change against the student''s own baseline.';

create type checkin.significance as enum ('low', 'medium', 'high');
comment on type checkin.significance is 'How clearly a change stands out from the student''s usual variation.';

create type checkin.risk_level as enum ('none', 'mild', 'moderate', 'high');
comment on type checkin.risk_level is 'Risk level; high means signs of a crisis.';

create table checkin.check_ins (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  type public.assessment_type not null,
  status checkin.check_in_status not null default 'created',
  progress double precision not null default 0,
  submissions smallint not null default 0,
  error_code text,
  reasons jsonb constraint check_ins_reasons_array check (jsonb_typeof(reasons) = 'array'),
  risk_level checkin.risk_level,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  submitted_at timestamptz,
  completed_at timestamptz,
  trace_id text,
  constraint check_ins_pkey primary key (id),
  constraint check_ins_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint check_ins_progress_range check (progress between 0 and 1),
  constraint check_ins_submissions_range check (submissions between 0 and 3),
  constraint check_ins_trace_id_form check (trace_id ~ '^[0-9a-f]{32}$'),
  constraint check_ins_error_only_when_failed check (
    status = 'failed' or (error_code is null and reasons is null)
  ),
  constraint check_ins_completed_at_when_ended check ((status in ('complete', 'failed')) = (completed_at is not null))
);
select private.describe('checkin.check_ins', 'One row per check-in, from start to score.', $$
  id: The check-in.
  user_id: The student who owns it.
  type: Occasion of the check-in.
  status: State of the check-in.
  progress: Fraction of the analysis that is done, 0 to 1.
  submissions: How often the check-in was submitted for analysis; at most three times.
  error_code: Why it failed; a code from docs/errors.md.
  reasons: Why each part of one that failed could not be used: an array of {modality, reason}, the leading one first; null where nothing was analysed. Example: [{"modality": "visual", "reason": "multiple_faces"}, {"modality": "audio", "reason": "not_provided"}]
  risk_level: Highest risk that was found, even if nothing could be scored.
  created_at: When it was started.
  expires_at: When it expires unless it is submitted.
  submitted_at: When it was last submitted.
  completed_at: When it became complete or failed.
  trace_id: Trace (W3C Trace Context) of the request that started it, which every log line about it names until it has a score.
$$);
alter table checkin.check_ins alter column user_id set statistics 0; -- see public.user_roles
create index check_ins_user_id_created_at_idx on checkin.check_ins (user_id, created_at desc);
create index check_ins_processing_user_id_idx on checkin.check_ins (user_id) where status = 'processing';
create index check_ins_created_expires_at_idx on checkin.check_ins (expires_at) where status = 'created';
-- A student has one open check-in of each type, however many devices start one.
create unique index check_ins_open_key on checkin.check_ins (user_id, type) where status = 'created';

select private.declare_term('raw_media', '30 days', 'Recordings and pictures: from the end of the check-in.',
  shortest => '1 day');
select private.declare_term('unfinished_uploads', '2 days',
  'Files that no check-in was submitted with, or that belong to no row: from the upload.', shortest => '1 day');
select private.declare_term('transcripts', '90 days', 'Transcripts of check-ins: from the end of the check-in.',
  shortest => '1 day');
select private.declare_term('results', '3 years', 'Check-ins and sessions with their features and scores: from the start.',
  shortest => '30 days');
select private.declare_data('checkin.check_ins',
   '{id, user_id, type, status, progress, submissions, error_code, reasons, risk_level, created_at, expires_at, submitted_at,
    completed_at, trace_id}', 'The student''s check-ins, their state and the highest risk that was found.', 'student', 'health',
  't.user_id = $1', term => 'results');
select private.declare_audited('checkin.check_ins', 'id', 'by_hand');
select private.declare_data('check-in-media', '{*}', 'Recordings of check-ins.', 'student', 'voice_and_image',
  't.bucket_id = ''check-in-media'' and starts_with(t.name, $1::text || ''/'')', term => 'raw_media', store => 'bucket');
select private.declare_data('check-in-images', '{*}', 'Pictures of check-ins.', 'student', 'voice_and_image',
  't.bucket_id = ''check-in-images'' and starts_with(t.name, $1::text || ''/'')', term => 'raw_media', store => 'bucket');
select private.declare_data('analysis-assets', '{*}', 'Weights of the analyses.', store => 'bucket');

create table checkin.fusion_results (
  check_in_id uuid not null,
  user_id uuid not null,
  score numeric(5, 2) not null,
  uncertainty numeric(4, 3) not null,
  score_interval numeric(5, 2)[],
  calibrated boolean not null default false,
  direction_of_change checkin.direction_of_change not null,
  significance checkin.significance not null,
  risk_level checkin.risk_level not null,
  summary text not null,
  themes text[] not null,
  drivers_positive text[] not null,
  drivers_negative text[] not null,
  drivers jsonb not null constraint fusion_results_drivers_array check (jsonb_typeof(drivers) = 'array'),
  components jsonb not null constraint fusion_results_components_array check (jsonb_typeof(components) = 'array'),
  baseline jsonb not null constraint fusion_results_baseline_object check (jsonb_typeof(baseline) = 'object'),
  algorithm_version text not null,
  created_at timestamptz not null default now(),
  constraint fusion_results_pkey primary key (check_in_id),
  constraint fusion_results_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint fusion_results_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint fusion_results_score_range check (score between 0 and 100),
  constraint fusion_results_uncertainty_range check (uncertainty between 0 and 1),
  constraint fusion_results_score_interval_order check (
    cardinality(score_interval) = 2 and 0 <= score_interval[1] and score_interval[1] <= score_interval[2] and score_interval[2] <= 100
  )
);
select private.describe('checkin.fusion_results', 'Score of each check-in, with what explains it.', $$
  check_in_id: The check-in.
  user_id: The student who owns it.
  score: Wellbeing, 0 to 100; higher is better.
  uncertainty: Uncertainty of the score, 0 (certain) to 1.
  score_interval: 90% interval of the score, {low, high}, 0 to 100; null in results of versions before wb-1.2.0.
  calibrated: Whether the interval was fitted to labels; if not, it says how repeatable the score is, not how accurate.
  direction_of_change: Change against the student's baseline.
  significance: How clearly the change stands out.
  risk_level: Risk level; never below the result of the crisis-language check.
  summary: One or two sentences for the student.
  themes: What the student talked about; "low mood" where the student reports one in words.
  drivers_positive: What raised the score, in plain words.
  drivers_negative: What lowered the score, in plain words.
  drivers: Array of {label, modality, feature, contribution}: the drivers, traced to features. Example: [{"label": "a positive tone in your words", "modality": "text", "feature": "sentiment_compound", "contribution": 3.68}]
  components: Array of {modality, score, standard_error, weight, quality, reason}. Example: [{"modality": "audio", "score": 50.92, "standard_error": 3.66, "weight": 0.1861, "quality": 0.668, "reason": null}]
  baseline: The baseline that the score was compared with, or the reason why it was not. Example: {"check_ins": 14, "score_mean": 47.37, "score_sd": 4.23, "compared": 2.38, "reason": null}
  algorithm_version: Version of the fusion.
  created_at: When the score was stored.
$$);
alter table checkin.fusion_results alter column user_id set statistics 0; -- see public.user_roles
create index fusion_results_user_id_created_at_idx on checkin.fusion_results (user_id, created_at desc);

select private.declare_data('checkin.fusion_results',
   '{check_in_id, user_id, score, uncertainty, score_interval, calibrated, direction_of_change, significance, risk_level, summary,
    themes, drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version, created_at}',
  'The score of each check-in, with what explains it.', 'student', 'health', 't.user_id = $1', term => 'results');
select private.declare_audited('checkin.fusion_results', 'check_in_id', 'by_hand');

create table checkin.user_baselines (
  user_id uuid not null,
  version integer not null,
  check_ins integer not null,
  score_mean double precision not null,
  score_sd double precision not null,
  state jsonb not null constraint user_baselines_state_object check (jsonb_typeof(state) = 'object'),
  updated_at timestamptz not null default now(),
  constraint user_baselines_pkey primary key (user_id),
  constraint user_baselines_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint user_baselines_score_mean_range check (score_mean between 0 and 100),
  constraint user_baselines_score_sd_range check (score_sd between 0 and 100)
);
select private.describe('checkin.user_baselines', 'Baseline of each student: their usual score and features.', $$
  user_id: The student.
  version: Incremented with every check-in that is counted.
  check_ins: Number of check-ins counted.
  score_mean: Mean score, 0 to 100.
  score_sd: Standard deviation of the score.
  state: Mean and spread of every feature. Example: {"version": 17, "count": 17, "score": {"mean": 41.07, "spread": 6.02, "count": 17}, "features": {}, "algorithm_version": "wb-1.7.0"}
  updated_at: When the last check-in was counted.
$$);

select private.declare_data('checkin.user_baselines', '{user_id, version, check_ins, score_mean, score_sd, state, updated_at}',
  'The student''s usual score and features, with which a check-in is compared.', 'student', 'health', 't.user_id = $1');
select private.declare_audited('checkin.user_baselines', 'user_id', 'by_hand');

create function private.received_uploads(check_in uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  with received as (
    select
      o.bucket_id,
      jsonb_build_object(
        'name', substr(o.name, 75),
        'bytes', coalesce((o.metadata ->> 'size')::bigint, 0),
        'content_type', o.metadata ->> 'mimetype',
        'uploaded_at', coalesce(o.updated_at, o.created_at)
      ) as file
    from checkin.check_ins c
    -- Objects in its folder, <user>/<check-in>/: "0" is the character after "/".
    join storage.objects o
      on o.bucket_id in ('check-in-media', 'check-in-images')
      and o.name collate "C" >= c.user_id || '/' || c.id || '/' and o.name collate "C" < c.user_id || '/' || c.id || '0'
    where c.id = check_in
  )
  select jsonb_build_object(
    'audio', (select file from received where bucket_id = 'check-in-media' and file ->> 'name' = 'audio'),
    'images', (
      select coalesce(jsonb_agg(file order by file ->> 'name'), '[]')
      from received
      where bucket_id = 'check-in-images'
    )
  )
$$;
comment on function private.received_uploads is 'What was uploaded for a check-in so far: {audio, images}, each {name, bytes, content_type, uploaded_at}. Called by private.check_in_view and by the function checkins.';

create function private.check_in_view(check_in uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_strip_nulls(jsonb_build_object(
      'id', c.id,
      'type', c.type,
      'status', c.status,
      'progress', c.progress,
      'created_at', c.created_at,
      'expires_at', c.expires_at,
      'error', case when c.status = 'failed' then jsonb_build_object(
        'code', c.error_code,
        'message', (
          -- Where somebody may be in danger, why there is no score matters less.
          select w.title || ' ' || w.advice
          from private.words_of_reasons(
            case when c.risk_level = 'high' then '{crisis}' else array[c.reasons #>> '{0,reason}', c.error_code] end,
            c.user_id
          ) as w
        ),
        'reason', coalesce(c.reasons #>> '{0,reason}', c.error_code),
        'reasons', private.reasons_in_words(c.reasons, c.user_id)
      ) end
    ))
    || jsonb_build_object('completed_at', c.completed_at)
    || case when r.check_in_id is null then '{}'::jsonb else jsonb_build_object('result', jsonb_build_object(
      'score', r.score,
      'uncertainty', r.uncertainty,
      'score_interval', r.score_interval,
      'calibrated', r.calibrated,
      'direction_of_change', r.direction_of_change,
      'significance', r.significance,
      'risk_level', r.risk_level,
      'summary', r.summary,
      'themes', r.themes,
      'drivers_positive', r.drivers_positive,
      'drivers_negative', r.drivers_negative,
      'drivers', r.drivers,
      'components', r.components,
      'baseline', r.baseline,
      'crisis_resources', private.crisis_resources(c.user_id),
      'algorithm_version', r.algorithm_version
    )) end
    || case when c.status = 'failed'
      then jsonb_build_object('crisis_resources', private.crisis_resources(c.user_id))
      else '{}'::jsonb
    end
    || case when c.status = 'created' then jsonb_build_object('uploads', private.received_uploads(c.id)) else '{}'::jsonb end
  from checkin.check_ins c
  left join checkin.fusion_results r on r.check_in_id = c.id and c.status = 'complete'
  where c.id = check_in
$$;
comment on function private.check_in_view is 'A check-in as the API returns it and the channel broadcasts it. Called by the pipeline and by the function checkins.';

create trigger guard_feature before insert on checkin.check_ins
for each row when (new.status = 'created') execute function private.guard_feature('check_ins');
