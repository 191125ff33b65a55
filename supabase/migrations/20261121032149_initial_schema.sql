SET local check_function_bodies = off;

CREATE SCHEMA "checkin";

CREATE SCHEMA "private";

CREATE EXTENSION "pg_cron";

CREATE EXTENSION "pg_net" SCHEMA "extensions";

CREATE TABLE "checkin"."audio_analysis" (
  "check_in_id"                       uuid                     NOT NULL,
  "user_id"                           uuid                     NOT NULL,
  "f0_mean_hz"                        double precision,
  "f0_sd_semitones"                   double precision,
  "f0_range_semitones"                double precision,
  "f0_slope_semitones_per_s"          double precision,
  "intensity_mean_db"                 double precision,
  "intensity_sd_db"                   double precision,
  "intensity_range_db"                double precision,
  "voiced_fraction"                   double precision,
  "speech_rate_syllables_per_s"       double precision,
  "articulation_rate_syllables_per_s" double precision,
  "phonation_ratio"                   double precision,
  "pause_rate_per_min"                double precision,
  "pause_mean_s"                      double precision,
  "pause_sd_s"                        double precision,
  "long_pause_rate_per_min"           double precision,
  "speech_run_mean_s"                 double precision,
  "jitter_local"                      double precision,
  "shimmer_local"                     double precision,
  "hnr_db"                            double precision,
  "cpps_db"                           double precision,
  "alpha_ratio_db"                    double precision,
  "hammarberg_index_db"               double precision,
  "voice_break_fraction"              double precision,
  "quality"                           double precision         NOT NULL,
  "quality_reason"                    text,
  "snr_db"                            double precision,
  "clipping_fraction"                 double precision,
  "speech_s"                          double precision,
  "duration_s"                        double precision,
  "created_at"                        timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "audio_analysis_pkey" PRIMARY KEY (check_in_id),
  CONSTRAINT "audio_analysis_quality_range" CHECK (((quality >= (0)::double precision) AND (quality <= (1)::double precision)))
);

ALTER TABLE "checkin"."audio_analysis"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "checkin"."check_ins" (
  "id"      uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id" uuid NOT NULL,
  CONSTRAINT "check_ins_pkey" PRIMARY KEY (id)
);

ALTER TABLE "checkin"."check_ins"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "checkin"."fusion_results" (
  "check_in_id" uuid         NOT NULL,
  "user_id"     uuid         NOT NULL,
  "score"       numeric(5,2) NOT NULL,
  "uncertainty" numeric(4,3) NOT NULL,
  CONSTRAINT "fusion_results_pkey" PRIMARY KEY (check_in_id),
  CONSTRAINT "fusion_results_score_range" CHECK (((score >= (0)::numeric) AND (score <= (100)::numeric))),
  CONSTRAINT "fusion_results_uncertainty_range" CHECK (((uncertainty >= (0)::numeric) AND (uncertainty <= (1)::numeric)))
);

ALTER TABLE "checkin"."fusion_results"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "checkin"."text_analysis" (
  "check_in_id"                uuid             NOT NULL,
  "user_id"                    uuid             NOT NULL,
  "sentiment_compound"         double precision,
  "sentiment_positive"         double precision,
  "sentiment_negative"         double precision,
  "sentiment_variability"      double precision,
  "emotion_joy"                double precision,
  "emotion_sadness"            double precision,
  "emotion_anger"              double precision,
  "emotion_anxiety"            double precision,
  "lexical_diversity_mattr"    double precision,
  "mean_sentence_length_words" double precision,
  "hesitation_rate"            double precision,
  "reading_grade"              double precision,
  "coping_rate"                double precision,
  "social_connection_rate"     double precision,
  "future_focus_rate"          double precision,
  "absolutist_rate"            double precision,
  "quality"                    double precision NOT NULL,
  "quality_reason"             text,
  "language"                   text,
  "words"                      integer,
  "themes"                     text[]           NOT NULL DEFAULT '{}'::text[],
  "keywords"                   text[]           NOT NULL DEFAULT '{}'::text[],
  "stated_mood"                double precision,
  CONSTRAINT "text_analysis_pkey" PRIMARY KEY (check_in_id),
  CONSTRAINT "text_analysis_quality_range" CHECK (((quality >= (0)::double precision) AND (quality <= (1)::double precision)))
);

ALTER TABLE "checkin"."text_analysis"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "checkin"."user_baselines" (
  "user_id"    uuid                     NOT NULL,
  "version"    integer                  NOT NULL,
  "check_ins"  integer                  NOT NULL,
  "score_mean" double precision         NOT NULL,
  "score_sd"   double precision         NOT NULL,
  "state"      jsonb                    NOT NULL,
  "updated_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "user_baselines_pkey" PRIMARY KEY (user_id)
);

ALTER TABLE "checkin"."user_baselines"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "checkin"."visual_analysis" (
  "check_in_id"             uuid                     NOT NULL,
  "user_id"                 uuid                     NOT NULL,
  "emotion_happy"           double precision,
  "emotion_sad"             double precision,
  "emotion_angry"           double precision,
  "emotion_fear"            double precision,
  "emotion_surprise"        double precision,
  "emotion_disgust"         double precision,
  "emotion_neutral"         double precision,
  "emotion_stability"       double precision,
  "smile_intensity"         double precision,
  "mouth_openness"          double precision,
  "eye_openness"            double precision,
  "eye_closure_fraction"    double precision,
  "brow_lowering"           double precision,
  "expressivity"            double precision,
  "gaze_on_camera_fraction" double precision,
  "gaze_down_fraction"      double precision,
  "head_pitch_mean_deg"     double precision,
  "head_yaw_sd_deg"         double precision,
  "quality"                 double precision         NOT NULL,
  "quality_reason"          text,
  "images_total"            smallint,
  "images_usable"           smallint,
  "created_at"              timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "visual_analysis_pkey" PRIMARY KEY (check_in_id),
  CONSTRAINT "visual_analysis_quality_range" CHECK (((quality >= (0)::double precision) AND (quality <= (1)::double precision)))
);

ALTER TABLE "checkin"."visual_analysis"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."analysis_jobs" (
  "id"          uuid NOT NULL DEFAULT gen_random_uuid(),
  "check_in_id" uuid NOT NULL,
  CONSTRAINT "analysis_jobs_pkey" PRIMARY KEY (id)
);

CREATE TABLE "private"."check_in_inputs" (
  "check_in_id"       uuid NOT NULL,
  "transcript"        text,
  "transcript_source" text NOT NULL DEFAULT 'student'::text,
  CONSTRAINT "check_in_inputs_pkey" PRIMARY KEY (check_in_id),
  CONSTRAINT "check_in_inputs_transcript_length" CHECK (((char_length(transcript) >= 1) AND (char_length(transcript) <= 100000))),
  CONSTRAINT "check_in_inputs_transcript_source" CHECK ((transcript_source = ANY (ARRAY['student'::text, 'transcribed'::text])))
);

CREATE TABLE "private"."check_in_media" (
  "check_in_id" uuid     NOT NULL,
  "path"        text     NOT NULL,
  "kind"        text     NOT NULL,
  "ordinal"     smallint NOT NULL,
  "etag"        text     NOT NULL,
  "bytes"       bigint   NOT NULL,
  "info"        jsonb    NOT NULL,
  CONSTRAINT "check_in_media_kind" CHECK ((kind = ANY (ARRAY['audio'::text, 'image'::text]))),
  CONSTRAINT "check_in_media_pkey" PRIMARY KEY (check_in_id, kind, ordinal)
);

CREATE TABLE "private"."pipeline_settings" (
  "only_row"            boolean  NOT NULL DEFAULT true,
  "lease"               interval NOT NULL DEFAULT '00:01:00'::interval,
  "transcription_lease" interval NOT NULL DEFAULT '00:03:00'::interval,
  "ring_grace"          interval NOT NULL DEFAULT '00:00:10'::interval,
  "retry_backoff"       interval NOT NULL DEFAULT '00:00:05'::interval,
  "max_attempts"        smallint NOT NULL DEFAULT 3,
  "give_up_after"       interval NOT NULL DEFAULT '24:00:00'::interval,
  CONSTRAINT "pipeline_settings_only_row" CHECK (only_row),
  CONSTRAINT "pipeline_settings_pkey" PRIMARY KEY (only_row),
  CONSTRAINT "pipeline_settings_positive"
    CHECK
    (((lease > '00:00:00'::interval) AND (transcription_lease > '00:00:00'::interval) AND (ring_grace > '00:00:00'::interval) AND (retry_backoff > '00:00:00'::interval) AND
    (max_attempts > 0) AND (give_up_after > '00:00:00'::interval)))
);

CREATE TABLE "public"."assessment_sessions" (
  "id"      uuid NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT "assessment_sessions_pkey" PRIMARY KEY (id),
  "user_id" uuid NOT NULL DEFAULT auth.uid()
);

ALTER TABLE "public"."assessment_sessions"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."assessment_sessions" FROM "anon";

CREATE TABLE "public"."consents" (
  "id"      uuid NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT "consents_pkey" PRIMARY KEY (id),
  "user_id" uuid NOT NULL DEFAULT auth.uid()
);

ALTER TABLE "public"."consents"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."consents" FROM "anon";

CREATE TABLE "public"."profiles" (
  "user_id"       uuid                     NOT NULL,
  "first_name"    text                     NOT NULL DEFAULT ''::text,
  "last_name"     text                     NOT NULL DEFAULT ''::text,
  "university_id" text,
  "created_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "updated_at"    timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "profiles_first_name_length" CHECK ((char_length(first_name) <= 100)),
  CONSTRAINT "profiles_last_name_length" CHECK ((char_length(last_name) <= 100)),
  CONSTRAINT "profiles_pkey" PRIMARY KEY (user_id)
);

ALTER TABLE "public"."profiles"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."profiles" FROM "anon";

CREATE TABLE "public"."universities" (
  "id"                   text                     NOT NULL,
  "name"                 text                     NOT NULL,
  "short_name"           text                     NOT NULL,
  "domain"               text                     NOT NULL,
  "logo_url"             text,
  "primary_color"        text                     NOT NULL DEFAULT '#1f4e79'::text,
  "secondary_color"      text                     NOT NULL DEFAULT '#f2a900'::text,
  "features_enabled"     text[]                   NOT NULL DEFAULT '{check_ins}'::text[],
  "assessment_frequency" text                     NOT NULL DEFAULT 'daily'::text,
  "privacy_settings"     jsonb                    NOT NULL DEFAULT '{}'::jsonb,
  "support_email"        text,
  "crisis_phone"         text,
  "resources"            jsonb                    NOT NULL DEFAULT '[]'::jsonb,
  "created_at"           timestamp with time zone NOT NULL DEFAULT now(),
  "updated_at"           timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "universities_domain_form" CHECK (((domain = lower(domain)) AND (domain ~ '^[a-z0-9.-]+\.[a-z]{2,}$'::text))),
  CONSTRAINT "universities_domain_key" UNIQUE (DOMAIN),
  CONSTRAINT "universities_id_form" CHECK ((id ~ '^[a-z0-9][a-z0-9-]{1,62}$'::text)),
  CONSTRAINT "universities_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  CONSTRAINT "universities_pkey" PRIMARY KEY (id),
  CONSTRAINT "universities_primary_color_form" CHECK ((primary_color ~ '^#[0-9a-fA-F]{6}$'::text)),
  CONSTRAINT "universities_privacy_settings_object" CHECK ((jsonb_typeof(privacy_settings) = 'object'::text)),
  CONSTRAINT "universities_resources_array" CHECK ((jsonb_typeof(resources) = 'array'::text)),
  CONSTRAINT "universities_secondary_color_form" CHECK ((secondary_color ~ '^#[0-9a-fA-F]{6}$'::text)),
  CONSTRAINT "universities_short_name_length" CHECK (((char_length(short_name) >= 1) AND (char_length(short_name) <= 50)))
);

ALTER TABLE "public"."universities"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."universities" FROM "anon";

CREATE TABLE "public"."user_roles" (
  "id"      bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "user_id" uuid   NOT NULL,
  CONSTRAINT "user_roles_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."user_roles"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."user_roles" FROM "anon";

REVOKE ALL ON SEQUENCE "public"."user_roles_id_seq" FROM "anon";

REVOKE ALL ON SEQUENCE "public"."user_roles_id_seq" FROM "authenticated";

REVOKE ALL ON SEQUENCE "public"."user_roles_id_seq" FROM "service_role";

CREATE TYPE "checkin"."check_in_status" AS ENUM (
  'created',
  'processing',
  'complete',
  'failed',
  'expired'
);

CREATE TYPE "checkin"."direction_of_change" AS ENUM (
  'better',
  'same',
  'worse'
);

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "direction_of_change" checkin.direction_of_change NOT NULL;

CREATE TYPE "checkin"."risk_level" AS ENUM (
  'none',
  'mild',
  'moderate',
  'high'
);

ALTER TABLE "checkin"."text_analysis"
  ADD COLUMN "crisis_level" checkin.risk_level NOT NULL DEFAULT 'none'::checkin.risk_level;

ALTER TABLE "checkin"."text_analysis"
  ADD COLUMN "crisis_rule" text;

ALTER TABLE "checkin"."text_analysis"
  ADD COLUMN "transcript_source" text NOT NULL DEFAULT 'student'::text;

ALTER TABLE "checkin"."text_analysis"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "private"."check_in_inputs"
  ADD COLUMN "crisis_level" checkin.risk_level NOT NULL DEFAULT 'none'::checkin.risk_level;

ALTER TABLE "private"."check_in_inputs"
  ADD COLUMN "crisis_rule" text;

ALTER TABLE "private"."check_in_inputs"
  ADD COLUMN "mood_score" double precision;

ALTER TABLE "private"."check_in_inputs"
  ADD COLUMN "conversation_duration" double precision;

ALTER TABLE "private"."check_in_inputs"
  ADD COLUMN "missing" jsonb NOT NULL DEFAULT '{}'::jsonb;

CREATE TYPE "checkin"."significance" AS ENUM (
  'low',
  'medium',
  'high'
);

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "significance" checkin.significance NOT NULL;

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "risk_level" checkin.risk_level NOT NULL;

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "summary" text NOT NULL;

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "themes" text[] NOT NULL;

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "drivers_positive" text[] NOT NULL;

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "drivers_negative" text[] NOT NULL;

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "drivers" jsonb NOT NULL;

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "components" jsonb NOT NULL;

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "baseline" jsonb NOT NULL;

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "algorithm_version" text NOT NULL;

ALTER TABLE "checkin"."fusion_results"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

CREATE TYPE "private"."job_kind" AS ENUM (
  'audio_slice',
  'audio_merge',
  'visual_group',
  'visual_merge',
  'transcription',
  'text',
  'fusion'
);

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "kind" private.job_kind NOT NULL;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "ordinal" smallint NOT NULL DEFAULT 0;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "input" jsonb NOT NULL DEFAULT '{}'::jsonb;

CREATE TYPE "private"."job_status" AS ENUM (
  'queued',
  'running',
  'done',
  'given_up'
);

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "status" private.job_status NOT NULL DEFAULT 'queued'::private.job_status;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "attempts" smallint NOT NULL DEFAULT 0;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "rings" smallint NOT NULL DEFAULT 0;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "ring_at" timestamp WITH time zone NOT NULL;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "lease_until" timestamp WITH time zone;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "outcome" jsonb;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "error_code" text;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

CREATE TYPE "public"."app_role" AS ENUM (
  'student',
  'counselor',
  'university_admin',
  'security_admin'
);

ALTER TABLE "public"."user_roles"
  ADD COLUMN "role" public.app_role NOT NULL;

ALTER TABLE "public"."user_roles"
  ADD COLUMN "university_id" text;

ALTER TABLE "public"."user_roles"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

CREATE TYPE "public"."assessment_type" AS ENUM (
  'daily',
  'weekly',
  'baseline',
  'on_demand'
);

ALTER TABLE "checkin"."check_ins"
  ADD COLUMN "type" public.assessment_type NOT NULL;

ALTER TABLE "checkin"."check_ins"
  ADD COLUMN "status" checkin.check_in_status NOT NULL DEFAULT 'created'::checkin.check_in_status;

ALTER TABLE "checkin"."check_ins"
  ADD COLUMN "progress" double precision NOT NULL DEFAULT 0;

ALTER TABLE "checkin"."check_ins"
  ADD COLUMN "submissions" smallint NOT NULL DEFAULT 0;

ALTER TABLE "checkin"."check_ins"
  ADD COLUMN "error_code" text;

ALTER TABLE "checkin"."check_ins"
  ADD COLUMN "risk_level" checkin.risk_level;

ALTER TABLE "checkin"."check_ins"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "checkin"."check_ins"
  ADD COLUMN "expires_at" timestamp WITH time zone NOT NULL DEFAULT (now() + '24:00:00'::interval);

ALTER TABLE "checkin"."check_ins"
  ADD COLUMN "submitted_at" timestamp WITH time zone;

ALTER TABLE "checkin"."check_ins"
  ADD COLUMN "completed_at" timestamp WITH time zone;

ALTER TABLE "public"."assessment_sessions"
  ADD COLUMN "assessment_type" public.assessment_type NOT NULL;

CREATE TYPE "public"."consent_kind" AS ENUM (
  'audio',
  'camera',
  'text',
  'support_circle',
  'counselor_access'
);

ALTER TABLE "public"."consents"
  ADD COLUMN "kind" public.consent_kind NOT NULL;

ALTER TABLE "public"."consents"
  ADD COLUMN "version" text NOT NULL;

ALTER TABLE "public"."consents"
  ADD COLUMN "granted_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."consents"
  ADD COLUMN "withdrawn_at" timestamp WITH time zone;

CREATE TYPE "public"."session_status" AS ENUM (
  'processing',
  'completed',
  'failed'
);

ALTER TABLE "public"."assessment_sessions"
  ADD COLUMN "status" public.session_status NOT NULL DEFAULT 'processing'::public.session_status;

ALTER TABLE "public"."assessment_sessions"
  ADD COLUMN "session_data" jsonb NOT NULL DEFAULT '{}'::jsonb;

ALTER TABLE "public"."assessment_sessions"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."assessment_sessions"
  ADD COLUMN "updated_at" timestamp WITH time zone NOT NULL DEFAULT now();

CREATE OR REPLACE FUNCTION private.advance_check_in (
  check_in uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  share double precision;
begin
  insert into private.analysis_jobs (check_in_id, kind)
  select check_in, step.next_kind
  from (values
    ('audio_slice'::private.job_kind, 'audio_merge'::private.job_kind),
    ('visual_group', 'visual_merge'),
    ('transcription', 'text')
  ) as step (kind, next_kind)
  where exists (
      select from private.analysis_jobs j
      where j.check_in_id = check_in and j.kind = step.kind and j.status = 'done'
    )
    and not exists (
      select from private.analysis_jobs j
      where j.check_in_id = check_in and j.kind = step.kind and j.status in ('queued', 'running')
    )
  on conflict on constraint analysis_jobs_once do nothing;

  insert into private.analysis_jobs (check_in_id, kind)
  select check_in, 'fusion'
  where not exists (
    select from private.analysis_jobs j
    where j.check_in_id = check_in and j.status in ('queued', 'running')
  )
  on conflict on constraint analysis_jobs_once do nothing;

  -- Steps that are yet to be queued count as undone, so that progress never falls.
  with steps as (
    select
      count(*) filter (where status in ('done', 'given_up')) as ended,
      count(*)
        + (bool_or(kind = 'audio_slice') and not bool_or(kind = 'audio_merge'))::int
        + (bool_or(kind = 'visual_group') and not bool_or(kind = 'visual_merge'))::int
        + (bool_or(kind = 'transcription') and not bool_or(kind = 'text'))::int
        + (not bool_or(kind = 'fusion'))::int as total
    from private.analysis_jobs
    where check_in_id = check_in
  )
  update checkin.check_ins c
  set progress = greatest(c.progress, round((steps.ended::numeric / steps.total), 3))
  from steps
  where c.id = check_in and c.status = 'processing'
  returning c.progress into share;

  perform private.broadcast_check_in(
    check_in, 'progress', jsonb_build_object('check_in_id', check_in, 'status', 'processing', 'progress', share)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_check_in (
  check_in uuid,
  event    text,
  payload  jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select realtime.send(payload, event, 'check-in:' || check_in, true)
$function$;

CREATE OR REPLACE FUNCTION private.check_in_view (
  check_in uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_strip_nulls(jsonb_build_object(
      'id', c.id,
      'type', c.type,
      'status', c.status,
      'progress', c.progress,
      'created_at', c.created_at,
      'expires_at', c.expires_at,
      'error', case when c.status = 'failed' then jsonb_build_object(
        'code', c.error_code,
        'message', case
          when c.risk_level = 'high' then 'We could not score this check-in, and what you said matters. Please talk to someone now: the contacts below are there for you.'
          when c.error_code = 'nothing_to_score' then 'Nothing that was sent could be analysed. Record again in a quiet place and send the check-in once more.'
          else 'The analysis could not be finished. Send the check-in once more.'
        end
      ) end
    ))
    || jsonb_build_object('completed_at', c.completed_at)
    || case when r.check_in_id is null then '{}'::jsonb else jsonb_build_object('result', jsonb_build_object(
      'score', r.score,
      'uncertainty', r.uncertainty,
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
  from checkin.check_ins c
  left join checkin.fusion_results r on r.check_in_id = c.id and c.status = 'complete'
  where c.id = check_in
$function$;

CREATE OR REPLACE FUNCTION private.claim_job (
  job uuid
)
  RETURNS SETOF private.analysis_jobs
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  update private.analysis_jobs j
  set status = 'running',
    attempts = j.attempts + 1,
    rings = 0,
    lease_until = now() + case j.kind when 'transcription' then s.transcription_lease else s.lease end,
    ring_at = now() + case j.kind when 'transcription' then s.transcription_lease else s.lease end
  from private.pipeline_settings s
  where j.id = (
      select id
      from private.analysis_jobs
      where id = job and (status = 'queued' or (status = 'running' and lease_until <= now()))
      for update skip locked
    )
    and j.attempts < s.max_attempts
  returning j.*
$function$;

CREATE OR REPLACE FUNCTION private.complete_check_in (
  job              uuid,
  attempt          smallint,
  result           jsonb,
  next_baseline    jsonb,
  baseline_version integer
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in uuid := private.hold_check_in_of(job);
  student uuid;
begin
  if not exists (
    select from private.analysis_jobs
    where id = job and check_in_id = check_in and attempts = attempt and status = 'running'
  ) then
    return 'stale';
  end if;
  select user_id into student from checkin.check_ins where id = check_in;

  insert into checkin.user_baselines as b (user_id, version, check_ins, score_mean, score_sd, state)
  select student, 1, n.check_ins, n.score_mean, n.score_sd, n.state
  from jsonb_to_record(next_baseline) as n (
    check_ins integer, score_mean double precision, score_sd double precision, state jsonb
  )
  on conflict (user_id) do update
  set version = b.version + 1,
    check_ins = excluded.check_ins,
    score_mean = excluded.score_mean,
    score_sd = excluded.score_sd,
    state = excluded.state,
    updated_at = now()
  where b.version = complete_check_in.baseline_version;
  if not found then
    return 'baseline_moved';
  end if;

  insert into checkin.fusion_results
  select (jsonb_populate_record(
    null::checkin.fusion_results,
    result || jsonb_build_object('check_in_id', check_in, 'user_id', student, 'created_at', now())
  )).*;
  delete from private.analysis_jobs where check_in_id = check_in;
  update checkin.check_ins
  set status = 'complete',
    progress = 1,
    completed_at = now(),
    risk_level = greatest(risk_level, (result ->> 'risk_level')::checkin.risk_level)
  where id = check_in;

  perform private.broadcast_check_in(
    check_in, 'progress', jsonb_build_object('check_in_id', check_in, 'status', 'complete', 'progress', 1)
  );
  perform private.broadcast_check_in(
    check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'complete')
  );
  perform private.broadcast_check_in(check_in, 'result', private.check_in_view(check_in));
  return 'stored';
end
$function$;

CREATE OR REPLACE FUNCTION private.create_profile()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  home text;
begin
  select id into home
  from public.universities
  where lower(split_part(new.email, '@', 2)) = domain
     or lower(split_part(new.email, '@', 2)) like '%.' || domain
  order by char_length(domain) desc
  limit 1;

  insert into public.profiles (user_id, first_name, last_name, university_id)
  values (
    new.id,
    left(coalesce(new.raw_user_meta_data ->> 'first_name', ''), 100),
    left(coalesce(new.raw_user_meta_data ->> 'last_name', ''), 100),
    home
  );
  insert into public.user_roles (user_id, role, university_id) values (new.id, 'student', home);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.crisis_resources (
  student uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(
    (
      select case when u.crisis_phone is null then '[]'::jsonb
          else jsonb_build_array(jsonb_build_object('name', u.short_name || ' crisis line', 'phone', u.crisis_phone, 'website', null))
        end || u.resources
      from public.profiles p
      join public.universities u on u.id = p.university_id
      where p.user_id = student and (u.crisis_phone is not null or u.resources <> '[]')
    ),
    '[]'
  ) || jsonb_build_array(
    jsonb_build_object('name', 'Emergency services', 'phone', '112', 'website', null),
    jsonb_build_object('name', 'Find a helpline in your country', 'phone', null, 'website', 'https://findahelpline.com')
  )
$function$;

CREATE OR REPLACE FUNCTION private.expire_check_ins()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update checkin.check_ins
  set status = 'expired'
  where id in (
    select id
    from checkin.check_ins
    where status = 'created' and expires_at <= now()
    for update skip locked
  )
$function$;

CREATE OR REPLACE FUNCTION private.fail_check_in (
  check_in uuid,
  code     text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  delete from private.analysis_jobs where check_in_id = check_in;
  update checkin.check_ins
  set status = 'failed', error_code = code, completed_at = now()
  where id = check_in and status = 'processing';
  if found then
    perform private.broadcast_check_in(
      check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'failed')
    );
    perform private.broadcast_check_in(check_in, 'result', private.check_in_view(check_in));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.fail_job (
  job     uuid,
  attempt smallint,
  code    text,
  retry   boolean
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in uuid := private.hold_check_in_of(job);
  ended private.analysis_jobs;
begin
  update private.analysis_jobs j
  set status = case when retry and j.attempts < s.max_attempts then 'queued' else 'given_up' end::private.job_status,
    lease_until = null,
    error_code = code,
    ring_at = now() + s.retry_backoff * power(2, j.attempts - 1)
  from private.pipeline_settings s
  where j.id = job and j.check_in_id = check_in and j.attempts = attempt and j.status = 'running'
  returning j.* into ended;
  if ended is null then
    return false;
  end if;
  if ended.status = 'given_up' then
    if ended.kind = 'fusion' then
      perform private.fail_check_in(check_in, 'analysis_failed');
    else
      perform private.advance_check_in(check_in);
    end if;
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.finish_job (
  job      uuid,
  attempt  smallint,
  findings jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in uuid := private.hold_check_in_of(job);
  student uuid;
  ended private.analysis_jobs;
begin
  update private.analysis_jobs
  set status = 'done', lease_until = null, error_code = null,
    outcome = case when kind in ('audio_slice', 'visual_group') then findings end
  where id = job and check_in_id = check_in and attempts = attempt and status = 'running'
  returning * into ended;
  if ended is null then
    return false;
  end if;

  select user_id into student from checkin.check_ins where id = check_in;
  findings := findings || jsonb_build_object('check_in_id', check_in, 'user_id', student, 'created_at', now());
  case ended.kind
    when 'audio_merge' then
      insert into checkin.audio_analysis select (jsonb_populate_record(null::checkin.audio_analysis, findings)).*;
    when 'visual_merge' then
      insert into checkin.visual_analysis select (jsonb_populate_record(null::checkin.visual_analysis, findings)).*;
    when 'transcription' then
      update private.check_in_inputs
      set transcript = nullif(left(findings ->> 'transcript', 100000), ''),
        transcript_source = 'transcribed',
        crisis_level = (findings ->> 'crisis_level')::checkin.risk_level,
        crisis_rule = findings ->> 'crisis_rule'
      where check_in_id = check_in;
      update checkin.check_ins
      set risk_level = greatest(risk_level, (findings ->> 'crisis_level')::checkin.risk_level)
      where id = check_in;
    when 'text' then
      insert into checkin.text_analysis select (jsonb_populate_record(null::checkin.text_analysis, findings)).*;
    else
      null;
  end case;

  perform private.advance_check_in(check_in);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.fusion_input (
  check_in uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'audio', case when held.audio then to_jsonb(a) end,
    'visual', case when held.camera then to_jsonb(v) end,
    'text', case when held.text then to_jsonb(t) end,
    'crisis', jsonb_build_object('level', coalesce(c.risk_level, 'none'), 'rule', i.crisis_rule),
    'mood_score', i.mood_score,
    'missing', i.missing
      || coalesce(
        (
          select jsonb_object_agg(g.modality, g.reason)
          from (
            select case
                when kind in ('audio_slice', 'audio_merge') then 'audio'
                when kind in ('visual_group', 'visual_merge') then 'visual'
                else 'text'
              end as modality, max(error_code) as reason
            from private.analysis_jobs
            where check_in_id = check_in and status = 'given_up'
            group by 1
          ) g
        ),
        '{}'
      )
      || case when held.audio then '{}' else '{"audio": "no_consent"}'::jsonb end
      || case when held.camera then '{}' else '{"visual": "no_consent"}'::jsonb end
      || case when held.text then '{}' else '{"text": "no_consent"}'::jsonb end,
    'baseline', b.state,
    'baseline_version', coalesce(b.version, 0)
  )
  from checkin.check_ins c
  join private.check_in_inputs i on i.check_in_id = c.id
  left join checkin.audio_analysis a on a.check_in_id = c.id
  left join checkin.visual_analysis v on v.check_in_id = c.id
  left join checkin.text_analysis t on t.check_in_id = c.id
  left join checkin.user_baselines b on b.user_id = c.user_id
  cross join lateral (
    select
      private.has_consent(c.user_id, 'audio') as audio,
      private.has_consent(c.user_id, 'camera') as camera,
      private.has_consent(c.user_id, 'text') as text
  ) held
  where c.id = check_in
$function$;

CREATE OR REPLACE FUNCTION private.give_up_check_in (
  job     uuid,
  attempt smallint,
  code    text,
  risk    checkin.risk_level
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in uuid := private.hold_check_in_of(job);
begin
  if not exists (
    select from private.analysis_jobs
    where id = job and check_in_id = check_in and attempts = attempt and status = 'running'
  ) then
    return false;
  end if;
  update checkin.check_ins set risk_level = greatest(risk_level, risk) where id = check_in;
  perform private.fail_check_in(check_in, code);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.guard_consent()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if old.withdrawn_at is not null then
    raise exception 'This consent was withdrawn; grant a new one instead.' using errcode = 'check_violation';
  end if;
  if new.withdrawn_at is not null then
    new.withdrawn_at := now();
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.has_consent (
  student uuid,
  wanted  public.consent_kind
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.consents
    where user_id = student and kind = wanted and withdrawn_at is null
  )
$function$;

CREATE OR REPLACE FUNCTION private.hold_check_in_of (
  job uuid
)
  RETURNS uuid
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  held uuid;
begin
  perform
  from public.profiles
  where user_id = (
    select c.user_id
    from checkin.check_ins c
    join private.analysis_jobs j on j.check_in_id = c.id
    where j.id = job
  )
  for key share;

  select c.id into held
  from checkin.check_ins c
  where c.id = (select check_in_id from private.analysis_jobs where id = job) and c.status = 'processing'
  for update;
  return held;
end
$function$;

CREATE OR REPLACE FUNCTION private.owns_check_in_channel (
  topic text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from checkin.check_ins
    where user_id = (select auth.uid())
      and id = case
        when topic ~ '^check-in:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(topic, 10)::uuid
      end
  )
$function$;

CREATE OR REPLACE FUNCTION private.ring (
  job  uuid,
  kind private.job_kind
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  functions_url text;
  pipeline_secret text;
begin
  select decrypted_secret into functions_url from vault.decrypted_secrets where name = 'functions_url';
  select decrypted_secret into pipeline_secret from vault.decrypted_secrets where name = 'pipeline_secret';
  if functions_url is null or pipeline_secret is null then
    raise warning 'Vault holds no functions_url or pipeline_secret: jobs wait until it does.';
    return;
  end if;
  perform net.http_post(
    url := functions_url || '/' || private.worker_of(kind),
    body := jsonb_build_object(
      'type', 'INSERT',
      'schema', 'private',
      'table', 'analysis_jobs',
      'record', jsonb_build_object('id', job, 'kind', kind)
    ),
    headers := jsonb_build_object(
      'content-type', 'application/json',
      'authorization', 'Bearer ' || pipeline_secret
    ),
    timeout_milliseconds := 5000
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.ring_due_jobs()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  ended integer;
  rung integer;
begin
  -- Out of tries, or waiting for too long: locked check-in first, as everywhere.
  with hopeless as materialized (
    select j.id, j.check_in_id
    from private.analysis_jobs j, private.pipeline_settings s
    where (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
      and (j.attempts >= s.max_attempts or j.created_at <= now() - s.give_up_after)
  ),
  held as materialized (
    select c.id
    from checkin.check_ins c
    where c.status = 'processing' and c.id in (select check_in_id from hopeless)
    order by c.id
    for update skip locked
  ),
  given_up as (
    update private.analysis_jobs j
    set status = 'given_up', lease_until = null, error_code = coalesce(j.error_code, case when j.attempts = 0 then 'not_run' else 'worker_lost' end)
    from held, hopeless
    where j.id = hopeless.id and j.check_in_id = held.id
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    returning j.check_in_id, j.kind
  )
  select count(
    case when g.fusion then private.fail_check_in(g.check_in_id, 'analysis_failed')
      else private.advance_check_in(g.check_in_id)
    end
  )
  into ended
  from (select check_in_id, bool_or(kind = 'fusion') as fusion from given_up group by check_in_id) g;

  with due as (
    select j.id
    from private.analysis_jobs j
    where j.ring_at <= now()
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    order by j.ring_at
    limit 100
    for update skip locked
  ),
  due_again as (
    update private.analysis_jobs j
    set rings = least(j.rings + 1, 10),
      ring_at = now() + least(s.ring_grace * power(2, j.rings), interval '5 minutes')
    from due, private.pipeline_settings s
    where j.id = due.id
    returning j.id, j.kind
  )
  select count(private.ring(id, kind)) into rung from due_again;
  return rung;
end
$function$;

CREATE OR REPLACE FUNCTION private.ring_new_jobs()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.ring(id, kind) from new_jobs;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.schedule_first_ring()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  new.ring_at := coalesce(new.ring_at, now() + (select ring_grace from private.pipeline_settings));
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.submit_check_in (
  check_in uuid,
  student  uuid,
  inputs   jsonb,
  media    jsonb,
  jobs     jsonb
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  held checkin.check_ins;
begin
  perform from public.profiles where user_id = student for key share;
  select * into held from checkin.check_ins where id = check_in and user_id = student for update;
  if held is null then
    return 'not_found';
  end if;
  if held.status in ('processing', 'complete') then
    return 'unchanged';
  end if;
  if held.status = 'expired' or (held.status = 'created' and held.expires_at <= now()) then
    update checkin.check_ins set status = 'expired' where id = check_in;
    return 'expired';
  end if;
  if held.submissions >= 3 then
    return 'too_many_submissions';
  end if;

  delete from checkin.audio_analysis where check_in_id = check_in;
  delete from checkin.visual_analysis where check_in_id = check_in;
  delete from checkin.text_analysis where check_in_id = check_in;
  delete from private.check_in_inputs where check_in_id = check_in;
  delete from private.check_in_media where check_in_id = check_in;
  delete from private.analysis_jobs where check_in_id = check_in;

  update checkin.check_ins
  set status = 'processing',
    progress = 0,
    submissions = submissions + 1,
    submitted_at = now(),
    completed_at = null,
    error_code = null,
    -- What was found when it was handed in before keeps counting.
    risk_level = greatest(risk_level, (inputs ->> 'crisis_level')::checkin.risk_level)
  where id = check_in;

  insert into private.check_in_inputs (
    check_in_id, transcript, crisis_level, crisis_rule, mood_score, conversation_duration, missing
  )
  select
    check_in,
    i.transcript,
    coalesce(i.crisis_level, 'none'),
    i.crisis_rule,
    i.mood_score,
    i.conversation_duration,
    coalesce(i.missing, '{}')
  from jsonb_to_record(inputs) as i (
    transcript text,
    crisis_level checkin.risk_level,
    crisis_rule text,
    mood_score double precision,
    conversation_duration double precision,
    missing jsonb
  );

  insert into private.check_in_media (check_in_id, path, kind, ordinal, etag, bytes, info)
  select check_in, m.path, m.kind, m.ordinal, m.etag, m.bytes, m.info
  from jsonb_to_recordset(media) as m (
    path text, kind text, ordinal smallint, etag text, bytes bigint, info jsonb
  );

  insert into private.analysis_jobs (check_in_id, kind, ordinal, input)
  select check_in, j.kind, j.ordinal, coalesce(j.input, '{}')
  from jsonb_to_recordset(jobs) as j (kind private.job_kind, ordinal smallint, input jsonb);

  perform private.advance_check_in(check_in);
  perform private.broadcast_check_in(
    check_in, 'status', jsonb_build_object('check_in_id', check_in, 'status', 'processing')
  );
  return 'accepted';
end
$function$;

CREATE OR REPLACE FUNCTION private.touch_updated_at()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  new.updated_at := now();
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.university_of (
  account uuid
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select university_id from public.profiles where user_id = account
$function$;

CREATE OR REPLACE FUNCTION private.worker_of (
  kind private.job_kind
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when kind in ('audio_slice', 'audio_merge') then 'pipeline-audio'
    when kind in ('visual_group', 'visual_merge') then 'pipeline-visual'
    when kind = 'transcription' then 'pipeline-transcription'
    when kind = 'text' then 'pipeline-text'
    else 'pipeline-fusion'
  end
$function$;

ALTER TABLE "checkin"."check_ins"
  ADD CONSTRAINT "check_ins_completed_at_when_ended" CHECK (((status = ANY (ARRAY['complete'::checkin.check_in_status, 'failed'::checkin.check_in_status])) = (completed_at IS
    NOT NULL)));

ALTER TABLE "checkin"."check_ins"
  ADD CONSTRAINT "check_ins_error_only_when_failed" CHECK (((error_code IS NULL) OR (status = 'failed'::checkin.check_in_status)));

ALTER TABLE "checkin"."audio_analysis"
  ADD CONSTRAINT "audio_analysis_check_in_id_fkey" FOREIGN KEY (check_in_id) REFERENCES checkin.check_ins(id) ON DELETE CASCADE;

ALTER TABLE "checkin"."check_ins"
  ADD CONSTRAINT "check_ins_progress_range" CHECK (((progress >= (0)::double precision) AND (progress <= (1)::double precision)));

ALTER TABLE "checkin"."check_ins"
  ADD CONSTRAINT "check_ins_submissions_range" CHECK (((submissions >= 0) AND (submissions <= 3)));

ALTER TABLE "checkin"."fusion_results"
  ADD CONSTRAINT "fusion_results_check_in_id_fkey" FOREIGN KEY (check_in_id) REFERENCES checkin.check_ins(id) ON DELETE CASCADE;

ALTER TABLE "checkin"."text_analysis"
  ADD CONSTRAINT "text_analysis_check_in_id_fkey" FOREIGN KEY (check_in_id) REFERENCES checkin.check_ins(id) ON DELETE CASCADE;

ALTER TABLE "checkin"."visual_analysis"
  ADD CONSTRAINT "visual_analysis_check_in_id_fkey" FOREIGN KEY (check_in_id) REFERENCES checkin.check_ins(id) ON DELETE CASCADE;

ALTER TABLE "private"."analysis_jobs"
  ADD CONSTRAINT "analysis_jobs_check_in_id_fkey" FOREIGN KEY (check_in_id) REFERENCES checkin.check_ins(id) ON DELETE CASCADE;

ALTER TABLE "private"."analysis_jobs"
  ADD CONSTRAINT "analysis_jobs_lease_while_running" CHECK (((status = 'running'::private.job_status) = (lease_until IS NOT NULL)));

ALTER TABLE "private"."analysis_jobs"
  ADD CONSTRAINT "analysis_jobs_once" UNIQUE (check_in_id, kind, ordinal);

ALTER TABLE "private"."check_in_inputs"
  ADD CONSTRAINT "check_in_inputs_check_in_id_fkey" FOREIGN KEY (check_in_id) REFERENCES checkin.check_ins(id) ON DELETE CASCADE;

ALTER TABLE "private"."check_in_inputs"
  ADD CONSTRAINT "check_in_inputs_conversation_duration_range" CHECK (((conversation_duration >= (0)::double precision) AND (conversation_duration <= (86400)::double precision)));

ALTER TABLE "private"."check_in_inputs"
  ADD CONSTRAINT "check_in_inputs_mood_score_range" CHECK (((mood_score >= (1)::double precision) AND (mood_score <= (10)::double precision)));

ALTER TABLE "private"."check_in_media"
  ADD CONSTRAINT "check_in_media_check_in_id_fkey" FOREIGN KEY (check_in_id) REFERENCES checkin.check_ins(id) ON DELETE CASCADE;

ALTER TABLE "public"."assessment_sessions"
  ADD CONSTRAINT "assessment_sessions_session_data_object" CHECK ((jsonb_typeof(session_data) = 'object'::text));

ALTER TABLE "public"."assessment_sessions"
  ADD CONSTRAINT "assessment_sessions_session_data_size" CHECK ((pg_column_size(session_data) <= 65536));

ALTER TABLE "public"."consents"
  ADD CONSTRAINT "consents_times" CHECK ((withdrawn_at >= granted_at));

ALTER TABLE "public"."consents"
  ADD CONSTRAINT "consents_version_form" CHECK ((version ~ '^[A-Za-z0-9._-]{1,40}$'::text));

ALTER TABLE "checkin"."audio_analysis"
  ADD CONSTRAINT "audio_analysis_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "checkin"."check_ins"
  ADD CONSTRAINT "check_ins_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "checkin"."fusion_results"
  ADD CONSTRAINT "fusion_results_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "checkin"."text_analysis"
  ADD CONSTRAINT "text_analysis_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "checkin"."user_baselines"
  ADD CONSTRAINT "user_baselines_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "checkin"."visual_analysis"
  ADD CONSTRAINT "visual_analysis_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."profiles"
  ADD CONSTRAINT "profiles_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."profiles"
  ADD CONSTRAINT "profiles_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE SET NULL;

ALTER TABLE "public"."user_roles"
  ADD CONSTRAINT "user_roles_once" UNIQUE NULLS NOT DISTINCT (user_id, ROLE, university_id);

ALTER TABLE "public"."user_roles"
  ADD CONSTRAINT "user_roles_scope" CHECK (((role <> 'security_admin'::public.app_role) OR (university_id IS NULL)));

ALTER TABLE "public"."user_roles"
  ADD CONSTRAINT "user_roles_staff_scope" CHECK (((role <> ALL (ARRAY['counselor'::public.app_role, 'university_admin'::public.app_role])) OR (university_id IS NOT NULL)));

ALTER TABLE "public"."user_roles"
  ADD CONSTRAINT "user_roles_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE CASCADE;

ALTER TABLE "public"."user_roles"
  ADD CONSTRAINT "user_roles_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE INDEX audio_analysis_user_id_idx ON checkin.audio_analysis USING btree (user_id);

CREATE INDEX check_ins_created_expires_at_idx ON checkin.check_ins USING btree (expires_at)
  WHERE (status = 'created'::checkin.check_in_status);

CREATE INDEX check_ins_user_id_created_at_idx ON checkin.check_ins USING btree (user_id, created_at DESC);

CREATE INDEX fusion_results_user_id_created_at_idx ON checkin.fusion_results USING btree (user_id, created_at DESC);

CREATE INDEX text_analysis_user_id_idx ON checkin.text_analysis USING btree (user_id);

CREATE INDEX visual_analysis_user_id_idx ON checkin.visual_analysis USING btree (user_id);

CREATE INDEX analysis_jobs_ring_at_idx ON private.analysis_jobs USING btree (ring_at)
  WHERE (status = ANY (ARRAY['queued'::private.job_status, 'running'::private.job_status]));

CREATE INDEX profiles_university_id_idx ON public.profiles USING btree (university_id);

CREATE INDEX user_roles_university_id_idx ON public.user_roles USING btree (university_id);

CREATE TRIGGER create_profile
  AFTER INSERT ON auth.users
  FOR EACH ROW
  EXECUTE FUNCTION private.create_profile();

CREATE TRIGGER ring_new_jobs
  AFTER INSERT ON private.analysis_jobs REFERENCING NEW TABLE AS new_jobs
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.ring_new_jobs();

CREATE TRIGGER schedule_first_ring
  BEFORE INSERT ON private.analysis_jobs
  FOR EACH ROW
  EXECUTE FUNCTION private.schedule_first_ring();

CREATE TRIGGER guard_consent
  BEFORE UPDATE ON public.consents
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_consent();

CREATE TRIGGER touch_updated_at
  BEFORE UPDATE ON public.profiles
  FOR EACH ROW
  EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER touch_updated_at
  BEFORE UPDATE ON public.universities
  FOR EACH ROW
  EXECUTE FUNCTION private.touch_updated_at();

CREATE POLICY "students see their own voice analyses" ON "checkin"."audio_analysis"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see their own check-ins" ON "checkin"."check_ins"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see their own scores" ON "checkin"."fusion_results"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see their own text analyses" ON "checkin"."text_analysis"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see their own baseline" ON "checkin"."user_baselines"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see their own face analyses" ON "checkin"."visual_analysis"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "people change their own profile" ON "public"."profiles"
  FOR UPDATE
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)))
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "people see their own profile" ON "public"."profiles"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "people see their own university" ON "public"."universities"
  FOR SELECT
  TO "authenticated"
  USING ((id = ( SELECT private.university_of(( SELECT auth.uid() AS uid)) AS university_of)));

CREATE POLICY "people see their own roles" ON "public"."user_roles"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students follow their own check-ins" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING (((EXTENSION = 'broadcast'::text) AND ( SELECT private.owns_check_in_channel(( SELECT realtime.topic() AS topic)) AS owns_check_in_channel)));

CREATE POLICY "students read their own check-in media" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING (((bucket_id = 'check-in-media'::text) AND ((storage.foldername(name))[1] = (( SELECT auth.uid() AS uid))::text)));

COMMENT ON COLUMN "checkin"."audio_analysis"."alpha_ratio_db" IS 'Energy of 50 to 1000 Hz over 1 to 5 kHz, dB (eGeMAPS).';

COMMENT ON COLUMN "checkin"."audio_analysis"."articulation_rate_syllables_per_s" IS 'Syllable nuclei per second of speech.';

COMMENT ON COLUMN "checkin"."audio_analysis"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "checkin"."audio_analysis"."clipping_fraction" IS 'Share of samples at full scale, 0 to 1.';

COMMENT ON COLUMN "checkin"."audio_analysis"."cpps_db" IS 'Smoothed cepstral peak prominence, dB.';

COMMENT ON COLUMN "checkin"."audio_analysis"."created_at" IS 'When the analysis was stored.';

COMMENT ON COLUMN "checkin"."audio_analysis"."duration_s" IS 'Length of the recording, seconds.';

COMMENT ON COLUMN "checkin"."audio_analysis"."f0_mean_hz" IS 'Mean fundamental frequency of voiced frames, Hz.';

COMMENT ON COLUMN "checkin"."audio_analysis"."f0_range_semitones" IS '5th to 95th percentile of the fundamental frequency, semitones.';

COMMENT ON COLUMN "checkin"."audio_analysis"."f0_sd_semitones" IS 'Standard deviation of the fundamental frequency, semitones.';

COMMENT ON COLUMN "checkin"."audio_analysis"."f0_slope_semitones_per_s" IS 'Mean absolute slope of the fundamental frequency, semitones per second.';

COMMENT ON COLUMN "checkin"."audio_analysis"."hammarberg_index_db" IS 'Strongest peak of 0 to 2 kHz over that of 2 to 5 kHz, dB (eGeMAPS).';

COMMENT ON COLUMN "checkin"."audio_analysis"."hnr_db" IS 'Harmonics-to-noise ratio by cross-correlation, dB.';

COMMENT ON COLUMN "checkin"."audio_analysis"."intensity_mean_db" IS 'Mean intensity, dB as Praat reports it for full scale 1.';

COMMENT ON COLUMN "checkin"."audio_analysis"."intensity_range_db" IS '5th to 95th percentile of the intensity, dB.';

COMMENT ON COLUMN "checkin"."audio_analysis"."intensity_sd_db" IS 'Standard deviation of the intensity, dB.';

COMMENT ON COLUMN "checkin"."audio_analysis"."jitter_local" IS 'Mean absolute difference of neighbouring periods over the mean period, ratio.';

COMMENT ON COLUMN "checkin"."audio_analysis"."long_pause_rate_per_min" IS 'Pauses of 1 s or more, per minute.';

COMMENT ON COLUMN "checkin"."audio_analysis"."pause_mean_s" IS 'Mean pause, seconds.';

COMMENT ON COLUMN "checkin"."audio_analysis"."pause_rate_per_min" IS 'Pauses per minute.';

COMMENT ON COLUMN "checkin"."audio_analysis"."pause_sd_s" IS 'Standard deviation of pauses, seconds.';

COMMENT ON COLUMN "checkin"."audio_analysis"."phonation_ratio" IS 'Share of the recording that is speech, 0 to 1.';

COMMENT ON COLUMN "checkin"."audio_analysis"."quality" IS 'How far the measures can be trusted, 0 to 1.';

COMMENT ON COLUMN "checkin"."audio_analysis"."quality_reason" IS 'What lowers the quality most; null when nothing does.';

COMMENT ON COLUMN "checkin"."audio_analysis"."shimmer_local" IS 'Mean absolute difference of neighbouring amplitudes over the mean amplitude, ratio.';

COMMENT ON COLUMN "checkin"."audio_analysis"."snr_db" IS 'Signal-to-noise ratio, dB.';

COMMENT ON COLUMN "checkin"."audio_analysis"."speech_rate_syllables_per_s" IS 'Syllable nuclei per second of recording.';

COMMENT ON COLUMN "checkin"."audio_analysis"."speech_run_mean_s" IS 'Mean stretch of speech between pauses, seconds.';

COMMENT ON COLUMN "checkin"."audio_analysis"."speech_s" IS 'Speech found, seconds.';

COMMENT ON COLUMN "checkin"."audio_analysis"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "checkin"."audio_analysis"."voice_break_fraction" IS 'Share of voiced stretches lost to breaks, 0 to 1.';

COMMENT ON COLUMN "checkin"."audio_analysis"."voiced_fraction" IS 'Share of frames that are voiced, 0 to 1.';

COMMENT ON COLUMN "checkin"."check_ins"."completed_at" IS 'When it ended, complete or failed.';

COMMENT ON COLUMN "checkin"."check_ins"."created_at" IS 'When it was started.';

COMMENT ON COLUMN "checkin"."check_ins"."error_code" IS 'Why it failed; a code of docs/errors.md.';

COMMENT ON COLUMN "checkin"."check_ins"."expires_at" IS 'Until when it can be handed in.';

COMMENT ON COLUMN "checkin"."check_ins"."id" IS 'The check-in.';

COMMENT ON COLUMN "checkin"."check_ins"."progress" IS 'Share of the analysis that is done, 0 to 1.';

COMMENT ON COLUMN "checkin"."check_ins"."risk_level" IS 'Risk that was found, also where nothing could be scored.';

COMMENT ON COLUMN "checkin"."check_ins"."status" IS 'State of the check-in.';

COMMENT ON COLUMN "checkin"."check_ins"."submissions" IS 'How often the check-in was handed in for analysis; three at most.';

COMMENT ON COLUMN "checkin"."check_ins"."submitted_at" IS 'When it was last handed in.';

COMMENT ON COLUMN "checkin"."check_ins"."type" IS 'Occasion of the check-in.';

COMMENT ON COLUMN "checkin"."check_ins"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "checkin"."fusion_results"."algorithm_version" IS 'Version of the fusion.';

COMMENT ON COLUMN "checkin"."fusion_results"."baseline" IS 'The baseline that the score was compared with.';

COMMENT ON COLUMN "checkin"."fusion_results"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "checkin"."fusion_results"."components" IS 'Array of {modality, score, weight, quality, reason}.';

COMMENT ON COLUMN "checkin"."fusion_results"."created_at" IS 'When the score was stored.';

COMMENT ON COLUMN "checkin"."fusion_results"."direction_of_change" IS 'Change against the student''s baseline.';

COMMENT ON COLUMN "checkin"."fusion_results"."drivers" IS 'Array of {label, modality, feature, contribution}: the drivers, traced to features.';

COMMENT ON COLUMN "checkin"."fusion_results"."drivers_negative" IS 'What lowered the score, in plain words.';

COMMENT ON COLUMN "checkin"."fusion_results"."drivers_positive" IS 'What raised the score, in plain words.';

COMMENT ON COLUMN "checkin"."fusion_results"."risk_level" IS 'Risk level; never below that of the crisis-language check.';

COMMENT ON COLUMN "checkin"."fusion_results"."score" IS 'Wellbeing, 0 to 100; higher is better.';

COMMENT ON COLUMN "checkin"."fusion_results"."significance" IS 'How clearly the change stands out.';

COMMENT ON COLUMN "checkin"."fusion_results"."summary" IS 'One or two sentences to the student.';

COMMENT ON COLUMN "checkin"."fusion_results"."themes" IS 'Topics that were spoken of.';

COMMENT ON COLUMN "checkin"."fusion_results"."uncertainty" IS '0 certain to 1 uncertain.';

COMMENT ON COLUMN "checkin"."fusion_results"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "checkin"."text_analysis"."absolutist_rate" IS 'Absolutist words per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "checkin"."text_analysis"."coping_rate" IS 'Coping statements per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."created_at" IS 'When the analysis was stored.';

COMMENT ON COLUMN "checkin"."text_analysis"."crisis_level" IS 'Level of the crisis-language check.';

COMMENT ON COLUMN "checkin"."text_analysis"."crisis_rule" IS 'Rule of the crisis-language check that matched.';

COMMENT ON COLUMN "checkin"."text_analysis"."emotion_anger" IS 'Words of anger per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."emotion_anxiety" IS 'Words of anxiety per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."emotion_joy" IS 'Words of joy per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."emotion_sadness" IS 'Words of sadness per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."future_focus_rate" IS 'References to the future per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."hesitation_rate" IS 'Fillers per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."keywords" IS 'Key terms.';

COMMENT ON COLUMN "checkin"."text_analysis"."language" IS 'en, other or unknown; only English is scored.';

COMMENT ON COLUMN "checkin"."text_analysis"."lexical_diversity_mattr" IS 'Moving-average type-token ratio, 0 to 1.';

COMMENT ON COLUMN "checkin"."text_analysis"."mean_sentence_length_words" IS 'Words per sentence.';

COMMENT ON COLUMN "checkin"."text_analysis"."quality" IS 'How far the measures can be trusted, 0 to 1.';

COMMENT ON COLUMN "checkin"."text_analysis"."quality_reason" IS 'What lowers the quality most; null when nothing does.';

COMMENT ON COLUMN "checkin"."text_analysis"."reading_grade" IS 'Reading grade of the transcript (Flesch-Kincaid), school years.';

COMMENT ON COLUMN "checkin"."text_analysis"."sentiment_compound" IS 'Mean compound sentiment of sentences, -1 to 1.';

COMMENT ON COLUMN "checkin"."text_analysis"."sentiment_negative" IS 'Share of negative sentiment, 0 to 1.';

COMMENT ON COLUMN "checkin"."text_analysis"."sentiment_positive" IS 'Share of positive sentiment, 0 to 1.';

COMMENT ON COLUMN "checkin"."text_analysis"."sentiment_variability" IS 'Standard deviation of the compound sentiment across sentences.';

COMMENT ON COLUMN "checkin"."text_analysis"."social_connection_rate" IS 'Words of social connection per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."stated_mood" IS 'Mood that the student put into a number, 1 to 10.';

COMMENT ON COLUMN "checkin"."text_analysis"."themes" IS 'Topics that were spoken of.';

COMMENT ON COLUMN "checkin"."text_analysis"."transcript_source" IS 'student, or transcribed by the service.';

COMMENT ON COLUMN "checkin"."text_analysis"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "checkin"."text_analysis"."words" IS 'Words in the transcript.';

COMMENT ON COLUMN "checkin"."user_baselines"."check_ins" IS 'Check-ins counted.';

COMMENT ON COLUMN "checkin"."user_baselines"."score_mean" IS 'Usual score, 0 to 100.';

COMMENT ON COLUMN "checkin"."user_baselines"."score_sd" IS 'Usual spread of the score.';

COMMENT ON COLUMN "checkin"."user_baselines"."state" IS 'Usual value and spread of every feature.';

COMMENT ON COLUMN "checkin"."user_baselines"."updated_at" IS 'When the last check-in was counted.';

COMMENT ON COLUMN "checkin"."user_baselines"."user_id" IS 'The student.';

COMMENT ON COLUMN "checkin"."user_baselines"."version" IS 'Grows by one with every check-in that is counted.';

COMMENT ON COLUMN "checkin"."visual_analysis"."brow_lowering" IS 'Lowering of the brows over the eye span, ratio.';

COMMENT ON COLUMN "checkin"."visual_analysis"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "checkin"."visual_analysis"."created_at" IS 'When the analysis was stored.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_angry" IS 'Mean probability of the class angry, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_disgust" IS 'Mean probability of the class disgust, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_fear" IS 'Mean probability of the class fear, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_happy" IS 'Mean probability of the class happy, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_neutral" IS 'Mean probability of the class neutral, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_sad" IS 'Mean probability of the class sad, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_stability" IS 'Consistency of the classes across stills, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_surprise" IS 'Mean probability of the class surprise, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."expressivity" IS 'Spread of the expression measures across stills.';

COMMENT ON COLUMN "checkin"."visual_analysis"."eye_closure_fraction" IS 'Share of stills with closed eyes, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."eye_openness" IS 'Eye aspect ratio, mean of both eyes.';

COMMENT ON COLUMN "checkin"."visual_analysis"."gaze_down_fraction" IS 'Share of stills looking down, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."gaze_on_camera_fraction" IS 'Share of stills looking at the camera, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."head_pitch_mean_deg" IS 'Mean head pitch, degrees; negative looks down.';

COMMENT ON COLUMN "checkin"."visual_analysis"."head_yaw_sd_deg" IS 'Standard deviation of the head yaw, degrees.';

COMMENT ON COLUMN "checkin"."visual_analysis"."images_total" IS 'Stills handed in.';

COMMENT ON COLUMN "checkin"."visual_analysis"."images_usable" IS 'Stills in which one face could be measured.';

COMMENT ON COLUMN "checkin"."visual_analysis"."mouth_openness" IS 'Inner lip gap over mouth width, ratio.';

COMMENT ON COLUMN "checkin"."visual_analysis"."quality" IS 'How far the measures can be trusted, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."quality_reason" IS 'What lowers the quality most; null when nothing does.';

COMMENT ON COLUMN "checkin"."visual_analysis"."smile_intensity" IS 'Smile from landmark geometry, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "private"."analysis_jobs"."attempts" IS 'Tries so far; a worker shows the number it was given, so that a late one changes nothing.';

COMMENT ON COLUMN "private"."analysis_jobs"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "private"."analysis_jobs"."created_at" IS 'When it was queued.';

COMMENT ON COLUMN "private"."analysis_jobs"."error_code" IS 'Why the last try failed.';

COMMENT ON COLUMN "private"."analysis_jobs"."id" IS 'The job.';

COMMENT ON COLUMN "private"."analysis_jobs"."input" IS 'Slice or group to analyse.';

COMMENT ON COLUMN "private"."analysis_jobs"."kind" IS 'Which step it is.';

COMMENT ON COLUMN "private"."analysis_jobs"."lease_until" IS 'Until when the worker that runs it may hold it.';

COMMENT ON COLUMN "private"."analysis_jobs"."ordinal" IS 'Number of the slice or group, from 0.';

COMMENT ON COLUMN "private"."analysis_jobs"."outcome" IS 'What the step found, for the merge.';

COMMENT ON COLUMN "private"."analysis_jobs"."ring_at" IS 'When to ring again if nothing has happened.';

COMMENT ON COLUMN "private"."analysis_jobs"."rings" IS 'How often the doorbell was rung again since the last try.';

COMMENT ON COLUMN "private"."analysis_jobs"."status" IS 'State of the job.';

COMMENT ON COLUMN "private"."check_in_inputs"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "private"."check_in_inputs"."conversation_duration" IS 'Length of the conversation, seconds.';

COMMENT ON COLUMN "private"."check_in_inputs"."crisis_level" IS 'Level of the crisis-language check of the transcript.';

COMMENT ON COLUMN "private"."check_in_inputs"."crisis_rule" IS 'Rule of the crisis-language check that matched.';

COMMENT ON COLUMN "private"."check_in_inputs"."missing" IS 'Why a modality is missing: object of modality to reason.';

COMMENT ON COLUMN "private"."check_in_inputs"."mood_score" IS 'Self-reported mood, 1 to 10.';

COMMENT ON COLUMN "private"."check_in_inputs"."transcript" IS 'Words that were spoken, up to 100,000 characters.';

COMMENT ON COLUMN "private"."check_in_inputs"."transcript_source" IS 'student, or transcribed by the service.';

COMMENT ON COLUMN "private"."check_in_media"."bytes" IS 'Size, bytes.';

COMMENT ON COLUMN "private"."check_in_media"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "private"."check_in_media"."etag" IS 'Entity tag that the Storage API gave.';

COMMENT ON COLUMN "private"."check_in_media"."info" IS 'What the header says: container and duration, or format and dimensions.';

COMMENT ON COLUMN "private"."check_in_media"."kind" IS 'audio or image.';

COMMENT ON COLUMN "private"."check_in_media"."ordinal" IS 'Number among its kind, from 0.';

COMMENT ON COLUMN "private"."check_in_media"."path" IS 'Object in the bucket check-in-media.';

COMMENT ON COLUMN "private"."pipeline_settings"."give_up_after" IS 'How long a job may wait for its end, tried or not, before it is given up.';

COMMENT ON COLUMN "private"."pipeline_settings"."lease" IS 'How long a worker may hold a job before another may take it; longer than the slowest request.';

COMMENT ON COLUMN "private"."pipeline_settings"."max_attempts" IS 'Tries before a job is given up.';

COMMENT ON COLUMN "private"."pipeline_settings"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."pipeline_settings"."retry_backoff" IS 'Pause after a failed try; doubles with every try.';

COMMENT ON COLUMN "private"."pipeline_settings"."ring_grace" IS 'How long a queued job waits for its worker before it is rung again.';

COMMENT ON COLUMN "private"."pipeline_settings"."transcription_lease" IS 'The same for a transcription, which waits for a provider: longer than TRANSCRIPTION_TIMEOUT_MS.';

COMMENT ON COLUMN "public"."assessment_sessions"."assessment_type" IS 'Occasion of the session.';

COMMENT ON COLUMN "public"."assessment_sessions"."created_at" IS 'When the session began.';

COMMENT ON COLUMN "public"."assessment_sessions"."id" IS 'The session.';

COMMENT ON COLUMN "public"."assessment_sessions"."session_data" IS 'The app''s own data, such as platform and widget_type; up to 64 kB.';

COMMENT ON COLUMN "public"."assessment_sessions"."status" IS 'processing until the app sets completed or failed.';

COMMENT ON COLUMN "public"."assessment_sessions"."updated_at" IS 'Set by the app when it updates the session.';

COMMENT ON COLUMN "public"."consents"."granted_at" IS 'When the student agreed.';

COMMENT ON COLUMN "public"."consents"."id" IS 'The consent.';

COMMENT ON COLUMN "public"."consents"."kind" IS 'What was agreed to.';

COMMENT ON COLUMN "public"."consents"."version" IS 'Version of the consent text that was shown.';

COMMENT ON COLUMN "public"."consents"."withdrawn_at" IS 'When the student withdrew; null while it holds.';

COMMENT ON COLUMN "public"."profiles"."created_at" IS 'When the row was made.';

COMMENT ON COLUMN "public"."profiles"."first_name" IS 'First name as the person writes it.';

COMMENT ON COLUMN "public"."profiles"."last_name" IS 'Last name as the person writes it.';

COMMENT ON COLUMN "public"."profiles"."university_id" IS 'University the account belongs to, by its mail domain.';

COMMENT ON COLUMN "public"."profiles"."updated_at" IS 'When the row was last changed.';

COMMENT ON COLUMN "public"."profiles"."user_id" IS 'The account.';

COMMENT ON COLUMN "public"."universities"."assessment_frequency" IS 'How often students are invited to check in.';

COMMENT ON COLUMN "public"."universities"."created_at" IS 'When the row was made.';

COMMENT ON COLUMN "public"."universities"."crisis_phone" IS 'Number answered at any hour, shown with every result.';

COMMENT ON COLUMN "public"."universities"."domain" IS 'Mail domain by which a new account is assigned to the university.';

COMMENT ON COLUMN "public"."universities"."features_enabled" IS 'Features the university has switched on.';

COMMENT ON COLUMN "public"."universities"."id" IS 'Short lower-case name, used as university_id everywhere.';

COMMENT ON COLUMN "public"."universities"."logo_url" IS 'Address of the logo.';

COMMENT ON COLUMN "public"."universities"."name" IS 'Full name.';

COMMENT ON COLUMN "public"."universities"."primary_color" IS 'Main brand colour, #rrggbb.';

COMMENT ON COLUMN "public"."universities"."privacy_settings" IS 'The university''s privacy choices, a JSON object.';

COMMENT ON COLUMN "public"."universities"."resources" IS 'Help on campus: array of {name, phone, website}.';

COMMENT ON COLUMN "public"."universities"."secondary_color" IS 'Second brand colour, #rrggbb.';

COMMENT ON COLUMN "public"."universities"."short_name" IS 'Name for small screens.';

COMMENT ON COLUMN "public"."universities"."support_email" IS 'Address of the student support office.';

COMMENT ON COLUMN "public"."universities"."updated_at" IS 'When the row was last changed.';

COMMENT ON COLUMN "public"."user_roles"."created_at" IS 'When the role was given.';

COMMENT ON COLUMN "public"."user_roles"."id" IS 'Row number.';

COMMENT ON COLUMN "public"."user_roles"."role" IS 'The role.';

COMMENT ON COLUMN "public"."user_roles"."university_id" IS 'University the role holds at; null for security_admin and for a student of none.';

COMMENT ON COLUMN "public"."user_roles"."user_id" IS 'The account.';

COMMENT ON EXTENSION "pg_cron" IS 'Job scheduler for PostgreSQL';

COMMENT ON EXTENSION "pg_net" IS 'Async HTTP';

COMMENT ON FUNCTION "private"."advance_check_in"(uuid) IS 'Queues the steps that have become possible and announces the progress. Called by the pipeline with the check-in locked.';

COMMENT ON FUNCTION "private"."broadcast_check_in"(uuid, text, jsonb) IS 'Tells the student''s devices, when the transaction commits. Called by the pipeline.';

COMMENT ON FUNCTION "private"."check_in_view"(uuid) IS 'A check-in as the API answers it and the channel announces it.';

COMMENT ON FUNCTION "private"."claim_job"(uuid) IS 'Takes a job for one try; no row when another worker has it or it has ended. Called by the workers.';

COMMENT ON FUNCTION "private"."complete_check_in"(uuid, smallint, jsonb, jsonb, integer) IS 'Stores score, baseline and end of a check-in in one transaction: stored, baseline_moved (read again) or stale. Called by the fusion worker.';

COMMENT ON FUNCTION "private"."create_profile"() IS 'Trigger on auth.users: makes the profile and gives the student role.';

COMMENT ON FUNCTION "private"."crisis_resources"(uuid) IS 'Help shown with every result: array of {name, phone, website}.';

COMMENT ON FUNCTION "private"."expire_check_ins"() IS 'Ends check-ins that were started and never handed in. Called by cron.';

COMMENT ON FUNCTION "private"."fail_check_in"(uuid, text) IS 'Ends a check-in that cannot be scored. Called by the pipeline with the check-in locked.';

COMMENT ON FUNCTION "private"."fail_job"(uuid, smallint, text, boolean) IS 'Ends a try that failed: queued again with backoff, or given up. Called by the workers.';

COMMENT ON FUNCTION "private"."finish_job"(uuid, smallint, jsonb) IS 'Stores what a job found and the job''s end in one transaction; false when the try is no longer the current one. Called by the workers.';

COMMENT ON FUNCTION "private"."fusion_input"(uuid) IS 'All that the fusion of a check-in reads, in one snapshot; only what consents are in force for. Called by the fusion worker.';

COMMENT ON FUNCTION "private"."give_up_check_in"(uuid, smallint, text, checkin.risk_level) IS 'Ends the check-in of a fusion job that has nothing to score, keeping the risk that was found. Called by the fusion worker.';

COMMENT ON FUNCTION "private"."guard_consent"() IS 'Trigger: withdrawing sets the server''s time and cannot be undone.';

COMMENT ON FUNCTION "private"."has_consent"(uuid, public.consent_kind) IS 'Whether the student''s consent of this kind is in force. Called by the pipeline and by policies.';

COMMENT ON FUNCTION "private"."hold_check_in_of"(uuid) IS 'Locks the check-in of a job while it is processing; null when there is none.';

COMMENT ON FUNCTION "private"."owns_check_in_channel"(text) IS 'Whether a topic is the channel of one of the caller''s check-ins. Called by the policy on realtime.messages.';

COMMENT ON FUNCTION "private"."ring"(uuid, private.job_kind) IS 'Database webhook: tells the worker of a job that it is there. Called by the queue alone.';

COMMENT ON FUNCTION "private"."ring_due_jobs"() IS 'Rings again for jobs whose worker did not come or was lost, with backoff; gives up those out of tries; returns how often it rang. Called by cron.';

COMMENT ON FUNCTION "private"."ring_new_jobs"() IS 'Trigger: rings for each job that was just queued.';

COMMENT ON FUNCTION "private"."schedule_first_ring"() IS 'Trigger: when to ring again if the first ring is lost.';

COMMENT ON FUNCTION "private"."submit_check_in"(uuid, uuid, jsonb, jsonb, jsonb) IS 'Hands a check-in in for analysis, once however often it is called: accepted, unchanged, expired, too_many_submissions or not_found. Called by the function checkins.';

COMMENT ON FUNCTION "private"."touch_updated_at"() IS 'Trigger: keeps updated_at true.';

COMMENT ON FUNCTION "private"."university_of"(uuid) IS 'University of an account. Called by policies.';

COMMENT ON FUNCTION "private"."worker_of"(private.job_kind) IS 'Edge function that runs a kind of job.';

COMMENT ON SCHEMA "checkin" IS 'Check-ins, their analyses and scores. Exposed read-only to the student who owns the rows.';

COMMENT ON SCHEMA "private" IS 'Never exposed: policy helpers, the job queue, inputs of check-ins.';

COMMENT ON TABLE "checkin"."audio_analysis" IS '23 features of the voice, with the quality of the recording.';

COMMENT ON TABLE "checkin"."check_ins" IS 'One row per check-in, from start to score.';

COMMENT ON TABLE "checkin"."fusion_results" IS 'Score of each check-in and what it rests on.';

COMMENT ON TABLE "checkin"."text_analysis" IS '16 features of the words, with what they are about and crisis language.';

COMMENT ON TABLE "checkin"."user_baselines" IS 'What is usual for each student.';

COMMENT ON TABLE "checkin"."visual_analysis" IS '18 features of face and gaze over the stills, with their quality.';

COMMENT ON TABLE "private"."analysis_jobs" IS 'The queue: work of check-ins that are being processed. The webhook is only its doorbell.';

COMMENT ON TABLE "private"."check_in_inputs" IS 'What the student handed in besides media.';

COMMENT ON TABLE "private"."check_in_media" IS 'Media as it was when the check-in was handed in; a worker refuses what has changed since.';

COMMENT ON TABLE "private"."pipeline_settings" IS 'What an operator can tune without a deployment. Exactly one row.';

COMMENT ON TABLE "public"."assessment_sessions" IS 'Sessions of the app''s conversational widget.';

COMMENT ON TABLE "public"."consents" IS 'Each consent with the version of the text agreed to; withdrawing keeps the row.';

COMMENT ON TABLE "public"."profiles" IS 'One row per account, made with the account.';

COMMENT ON TABLE "public"."universities" IS 'Universities that take part, with their branding, settings and contacts.';

COMMENT ON TABLE "public"."user_roles" IS 'Roles of each account. Looked up on every request, so revoking one works at once.';

COMMENT ON TYPE "checkin"."check_in_status" IS 'created → processing → complete | failed; created → expired; failed → processing.';

COMMENT ON TYPE "checkin"."direction_of_change" IS 'Change against the student''s own baseline.';

COMMENT ON TYPE "checkin"."risk_level" IS 'Risk as the specification defines it; high means signs of crisis.';

COMMENT ON TYPE "checkin"."significance" IS 'How clearly a change stands out from the student''s usual variation.';

COMMENT ON TYPE "private"."job_kind" IS 'One step of a check-in''s analysis, small enough for one request of a worker.';

COMMENT ON TYPE "private"."job_status" IS 'queued → running → done | given_up; running → queued when a try fails or its lease runs out.';

COMMENT ON TYPE "public"."app_role" IS 'What a person may do. security_admin is global; the others belong to one university.';

COMMENT ON TYPE "public"."assessment_type" IS 'Occasion of an assessment or check-in.';

COMMENT ON TYPE "public"."consent_kind" IS 'What a student agrees to: analysis of voice, face and words, a support circle, a counselor''s view.';

COMMENT ON TYPE "public"."session_status" IS 'State of an assessment session.';

REVOKE ALL ON FUNCTION "private"."advance_check_in"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."advance_check_in"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."advance_check_in"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_check_in"(uuid, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."broadcast_check_in"(uuid, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."broadcast_check_in"(uuid, text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."check_in_view"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_in_view"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."check_in_view"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."claim_job"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_job"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_job"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."complete_check_in"(uuid, smallint, jsonb, jsonb, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."complete_check_in"(uuid, smallint, jsonb, jsonb, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."complete_check_in"(uuid, smallint, jsonb, jsonb, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."create_profile"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."create_profile"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."create_profile"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."crisis_resources"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."crisis_resources"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."crisis_resources"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."expire_check_ins"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."expire_check_ins"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."expire_check_ins"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."fail_check_in"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fail_check_in"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."fail_check_in"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."fail_job"(uuid, smallint, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fail_job"(uuid, smallint, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."fail_job"(uuid, smallint, text, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."finish_job"(uuid, smallint, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."finish_job"(uuid, smallint, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."finish_job"(uuid, smallint, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."fusion_input"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fusion_input"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."fusion_input"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."give_up_check_in"(uuid, smallint, text, checkin.risk_level) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."give_up_check_in"(uuid, smallint, text, checkin.risk_level) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."give_up_check_in"(uuid, smallint, text, checkin.risk_level) TO "postgres";

REVOKE ALL ON FUNCTION "private"."guard_consent"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_consent"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."guard_consent"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."has_consent"(uuid, public.consent_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_consent"(uuid, public.consent_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."has_consent"(uuid, public.consent_kind) TO "postgres";

REVOKE ALL ON FUNCTION "private"."hold_check_in_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_check_in_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."hold_check_in_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."owns_check_in_channel"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."owns_check_in_channel"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."owns_check_in_channel"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."owns_check_in_channel"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."ring"(uuid, private.job_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ring"(uuid, private.job_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ring"(uuid, private.job_kind) TO "postgres";

REVOKE ALL ON FUNCTION "private"."ring_due_jobs"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ring_due_jobs"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ring_due_jobs"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."ring_new_jobs"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ring_new_jobs"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ring_new_jobs"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."schedule_first_ring"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."schedule_first_ring"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."schedule_first_ring"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."submit_check_in"(uuid, uuid, jsonb, jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."submit_check_in"(uuid, uuid, jsonb, jsonb, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."submit_check_in"(uuid, uuid, jsonb, jsonb, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."touch_updated_at"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."touch_updated_at"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."touch_updated_at"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."university_of"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."university_of"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."university_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."university_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."worker_of"(private.job_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."worker_of"(private.job_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."worker_of"(private.job_kind) TO "postgres";

GRANT USAGE ON SCHEMA "checkin" TO "authenticated", "service_role";

GRANT SELECT ON TABLE "checkin"."audio_analysis" TO "authenticated", "service_role";

GRANT SELECT ON TABLE "checkin"."check_ins" TO "authenticated", "service_role";

GRANT SELECT ON TABLE "checkin"."fusion_results" TO "authenticated", "service_role";

GRANT SELECT ON TABLE "checkin"."text_analysis" TO "authenticated", "service_role";

GRANT SELECT ON TABLE "checkin"."user_baselines" TO "authenticated", "service_role";

GRANT SELECT ON TABLE "checkin"."visual_analysis" TO "authenticated", "service_role";

REVOKE ALL ON TABLE "public"."assessment_sessions" FROM "authenticated";

REVOKE ALL ("assessment_type") ON TABLE "public"."assessment_sessions" FROM "authenticated";

GRANT INSERT ("assessment_type") ON TABLE "public"."assessment_sessions" TO "authenticated";

REVOKE ALL ("session_data") ON TABLE "public"."assessment_sessions" FROM "authenticated";

GRANT INSERT ("session_data"), UPDATE ("session_data") ON TABLE "public"."assessment_sessions" TO "authenticated";

REVOKE ALL ("status") ON TABLE "public"."assessment_sessions" FROM "authenticated";

GRANT INSERT ("status"), UPDATE ("status") ON TABLE "public"."assessment_sessions" TO "authenticated";

REVOKE ALL ("updated_at") ON TABLE "public"."assessment_sessions" FROM "authenticated";

GRANT UPDATE ("updated_at") ON TABLE "public"."assessment_sessions" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."assessment_sessions" TO "authenticated";

REVOKE ALL ON TABLE "public"."assessment_sessions" FROM "service_role";

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE "public"."assessment_sessions" TO "service_role";

REVOKE ALL ON TABLE "public"."consents" FROM "authenticated";

REVOKE ALL ("kind") ON TABLE "public"."consents" FROM "authenticated";

GRANT INSERT ("kind") ON TABLE "public"."consents" TO "authenticated";

REVOKE ALL ("version") ON TABLE "public"."consents" FROM "authenticated";

GRANT INSERT ("version") ON TABLE "public"."consents" TO "authenticated";

REVOKE ALL ("withdrawn_at") ON TABLE "public"."consents" FROM "authenticated";

GRANT UPDATE ("withdrawn_at") ON TABLE "public"."consents" TO "authenticated";

GRANT SELECT ON TABLE "public"."consents" TO "authenticated";

REVOKE ALL ON TABLE "public"."consents" FROM "service_role";

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE "public"."consents" TO "service_role";

REVOKE ALL ON TABLE "public"."profiles" FROM "authenticated";

REVOKE ALL ("first_name") ON TABLE "public"."profiles" FROM "authenticated";

GRANT UPDATE ("first_name") ON TABLE "public"."profiles" TO "authenticated";

REVOKE ALL ("last_name") ON TABLE "public"."profiles" FROM "authenticated";

GRANT UPDATE ("last_name") ON TABLE "public"."profiles" TO "authenticated";

GRANT SELECT ON TABLE "public"."profiles" TO "authenticated";

REVOKE ALL ON TABLE "public"."profiles" FROM "service_role";

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE "public"."profiles" TO "service_role";

REVOKE ALL ON TABLE "public"."universities" FROM "authenticated";

GRANT SELECT ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ON TABLE "public"."universities" FROM "service_role";

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE "public"."universities" TO "service_role";

REVOKE ALL ON TABLE "public"."user_roles" FROM "authenticated";

GRANT SELECT ON TABLE "public"."user_roles" TO "authenticated";

REVOKE ALL ON TABLE "public"."user_roles" FROM "service_role";

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE "public"."user_roles" TO "service_role";

ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" REVOKE ALL ON FUNCTIONS FROM PUBLIC;

SELECT cron.schedule_in_database('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('forget-cron-runs', '17 3 * * *', ' delete from cron.job_run_details where end_time < now() - interval ''7 days'' ', 'postgres', NULL, true);

SELECT cron.schedule_in_database('ring-due-jobs', '10 seconds', 'select private.ring_due_jobs()', 'postgres', NULL, true);

ALTER TABLE "public"."assessment_sessions"
  ADD CONSTRAINT "assessment_sessions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

CREATE INDEX assessment_sessions_user_id_created_at_idx ON public.assessment_sessions USING btree (user_id, created_at DESC);

CREATE POLICY "students begin their own sessions" ON "public"."assessment_sessions"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students delete their own sessions" ON "public"."assessment_sessions"
  FOR DELETE
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see their own sessions" ON "public"."assessment_sessions"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students update their own sessions" ON "public"."assessment_sessions"
  FOR UPDATE
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)))
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

COMMENT ON COLUMN "public"."assessment_sessions"."user_id" IS 'The student who owns it.';

REVOKE ALL ("user_id") ON TABLE "public"."assessment_sessions" FROM "authenticated";

GRANT INSERT ("user_id") ON TABLE "public"."assessment_sessions" TO "authenticated";

ALTER TABLE "public"."consents"
  ADD CONSTRAINT "consents_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

CREATE UNIQUE INDEX consents_in_force_idx ON public.consents USING btree (user_id, kind)
  WHERE (withdrawn_at IS NULL);

CREATE INDEX consents_user_id_idx ON public.consents USING btree (user_id);

CREATE POLICY "students grant their own consents" ON "public"."consents"
  FOR INSERT
  TO "authenticated"
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see their own consents" ON "public"."consents"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students withdraw their own consents" ON "public"."consents"
  FOR UPDATE
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) AND (withdrawn_at IS NULL)))
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

COMMENT ON COLUMN "public"."consents"."user_id" IS 'The student who agreed.';

REVOKE ALL ("user_id") ON TABLE "public"."consents" FROM "authenticated";

GRANT INSERT ("user_id") ON TABLE "public"."consents" TO "authenticated";

-- Rows that the schema cannot do without. Each statement can be run again; every migration ends with them,
-- because a diff carries no rows.
insert into private.pipeline_settings default values on conflict do nothing;

select cron.schedule('ring-due-jobs', '10 seconds', 'select private.ring_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule(
  'forget-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);
