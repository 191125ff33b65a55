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
  CONSTRAINT "audio_analysis_finite"
    CHECK
    (((GREATEST(f0_mean_hz, f0_sd_semitones, f0_range_semitones, f0_slope_semitones_per_s, intensity_mean_db, intensity_sd_db, intensity_range_db, voiced_fraction,
    speech_rate_syllables_per_s,
    articulation_rate_syllables_per_s,
    phonation_ratio,
    pause_rate_per_min,
    pause_mean_s,
    pause_sd_s,
    long_pause_rate_per_min,
    speech_run_mean_s,
    jitter_local,
    shimmer_local,
    hnr_db,
    cpps_db,
    alpha_ratio_db,
    hammarberg_index_db,
    voice_break_fraction,
    quality,
    snr_db,
    clipping_fraction,
    speech_s,
    duration_s) < 'Infinity'::double precision) AND
    (LEAST(f0_mean_hz, f0_sd_semitones, f0_range_semitones, f0_slope_semitones_per_s, intensity_mean_db, intensity_sd_db, intensity_range_db, voiced_fraction,
    speech_rate_syllables_per_s,
    articulation_rate_syllables_per_s,
    phonation_ratio,
    pause_rate_per_min,
    pause_mean_s,
    pause_sd_s,
    long_pause_rate_per_min,
    speech_run_mean_s,
    jitter_local,
    shimmer_local,
    hnr_db, cpps_db, alpha_ratio_db, hammarberg_index_db, voice_break_fraction, quality, snr_db, clipping_fraction, speech_s, duration_s) > '-Infinity'::double precision))),
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
  CONSTRAINT "text_analysis_finite"
    CHECK
    (((GREATEST(sentiment_compound, sentiment_positive, sentiment_negative, sentiment_variability, emotion_joy, emotion_sadness, emotion_anger, emotion_anxiety,
    lexical_diversity_mattr,
    mean_sentence_length_words,
    hesitation_rate,
    reading_grade,
    coping_rate,
    social_connection_rate,
    future_focus_rate,
    absolutist_rate,
    quality,
    stated_mood) < 'Infinity'::double precision) AND
    (LEAST(sentiment_compound, sentiment_positive, sentiment_negative, sentiment_variability, emotion_joy, emotion_sadness, emotion_anger, emotion_anxiety, lexical_diversity_mattr,
    mean_sentence_length_words,
    hesitation_rate, reading_grade, coping_rate, social_connection_rate, future_focus_rate, absolutist_rate, quality, stated_mood) > '-Infinity'::double precision))),
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
  CONSTRAINT "user_baselines_pkey" PRIMARY KEY (user_id),
  CONSTRAINT "user_baselines_score_mean_range" CHECK (((score_mean >= (0)::double precision) AND (score_mean <= (100)::double precision))),
  CONSTRAINT "user_baselines_score_sd_range" CHECK (((score_sd >= (0)::double precision) AND (score_sd <= (100)::double precision)))
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
  CONSTRAINT "visual_analysis_finite"
    CHECK
    (((GREATEST(emotion_happy, emotion_sad, emotion_angry, emotion_fear, emotion_surprise, emotion_disgust, emotion_neutral, emotion_stability, smile_intensity, mouth_openness,
    eye_openness,
    eye_closure_fraction,
    brow_lowering,
    expressivity,
    gaze_on_camera_fraction,
    gaze_down_fraction,
    head_pitch_mean_deg,
    head_yaw_sd_deg,
    quality) < 'Infinity'::double precision) AND
    (LEAST(emotion_happy, emotion_sad, emotion_angry, emotion_fear, emotion_surprise, emotion_disgust, emotion_neutral, emotion_stability, smile_intensity, mouth_openness,
    eye_openness,
    eye_closure_fraction,
    brow_lowering, expressivity, gaze_on_camera_fraction, gaze_down_fraction, head_pitch_mean_deg, head_yaw_sd_deg, quality) > '-Infinity'::double precision))),
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

CREATE TABLE "private"."audit_head" (
  "only_row" boolean NOT NULL DEFAULT true,
  "entries"  bigint  NOT NULL DEFAULT 0,
  "hash"     bytea   NOT NULL DEFAULT decode(repeat('00'::text, 32), 'hex'::text),
  CONSTRAINT "audit_head_hash_length" CHECK ((octet_length(hash) = 32)),
  CONSTRAINT "audit_head_only_row" CHECK (only_row),
  CONSTRAINT "audit_head_pkey" PRIMARY KEY (only_row)
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

CREATE TABLE "private"."cohort_settings" (
  "only_row"           boolean NOT NULL DEFAULT true,
  "smallest_cohort"    integer NOT NULL DEFAULT 10,
  "aggregated_through" date,
  CONSTRAINT "cohort_settings_only_row" CHECK (only_row),
  CONSTRAINT "cohort_settings_pkey" PRIMARY KEY (only_row),
  CONSTRAINT "cohort_settings_smallest_cohort" CHECK ((smallest_cohort >= 10))
);

CREATE TABLE "private"."crisis_contacts" (
  "university_id" text NOT NULL,
  "email"         text NOT NULL,
  CONSTRAINT "crisis_contacts_email_form" CHECK ((email ~ '^[^@[:space:]]+@[^@[:space:]]+$'::text)),
  CONSTRAINT "crisis_contacts_pkey" PRIMARY KEY (university_id)
);

CREATE TABLE "private"."listed_students" (
  "university_id" text    NOT NULL,
  "students"      integer NOT NULL,
  CONSTRAINT "listed_students_pkey" PRIMARY KEY (university_id)
);

CREATE TABLE "private"."messaging_settings" (
  "only_row"        boolean  NOT NULL DEFAULT true,
  "lease"           interval NOT NULL DEFAULT '00:01:00'::interval,
  "retry_backoff"   interval NOT NULL DEFAULT '00:00:15'::interval,
  "longest_backoff" interval NOT NULL DEFAULT '00:30:00'::interval,
  "max_attempts"    smallint NOT NULL DEFAULT 8,
  "keep_sent"       interval NOT NULL DEFAULT '30 days'::interval,
  CONSTRAINT "messaging_settings_only_row" CHECK (only_row),
  CONSTRAINT "messaging_settings_pkey" PRIMARY KEY (only_row),
  CONSTRAINT "messaging_settings_positive"
    CHECK
    (((lease > '00:00:00'::interval) AND (retry_backoff > '00:00:00'::interval) AND (longest_backoff >= retry_backoff) AND (max_attempts > 0) AND (keep_sent >
    '00:00:00'::interval)))
);

CREATE TABLE "private"."outbox" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT "outbox_pkey" PRIMARY KEY (id)
);

CREATE TABLE "private"."pipeline_settings" (
  "only_row"            boolean  NOT NULL DEFAULT true,
  "lease"               interval NOT NULL DEFAULT '00:01:00'::interval,
  "transcription_lease" interval NOT NULL DEFAULT '00:03:00'::interval,
  "dispatch_grace"      interval NOT NULL DEFAULT '00:00:10'::interval,
  "retry_backoff"       interval NOT NULL DEFAULT '00:00:05'::interval,
  "max_attempts"        smallint NOT NULL DEFAULT 3,
  "fail_after"          interval NOT NULL DEFAULT '24:00:00'::interval,
  CONSTRAINT "pipeline_settings_only_row" CHECK (only_row),
  CONSTRAINT "pipeline_settings_pkey" PRIMARY KEY (only_row),
  CONSTRAINT "pipeline_settings_positive"
    CHECK
    (((lease > '00:00:00'::interval) AND (transcription_lease > '00:00:00'::interval) AND (dispatch_grace > '00:00:00'::interval) AND (retry_backoff > '00:00:00'::interval) AND
    (max_attempts > 0) AND (fail_after > '00:00:00'::interval)))
);

CREATE TABLE "private"."rate_limit_rules" (
  "scope"    text     NOT NULL,
  "requests" integer  NOT NULL,
  "period"   interval NOT NULL DEFAULT '00:01:00'::interval,
  CONSTRAINT "rate_limit_rules_pkey" PRIMARY KEY (scope),
  CONSTRAINT "rate_limit_rules_positive" CHECK (((requests > 0) AND (period > '00:00:00'::interval)))
);

CREATE TABLE "private"."rate_limit_uses" (
  "subject" uuid                       NOT NULL,
  "scope"   text                       NOT NULL,
  "used_at" timestamp with time zone[] NOT NULL DEFAULT '{}'::timestamp WITH time zone[],
  CONSTRAINT "rate_limit_uses_pkey" PRIMARY KEY (subject, scope)
);

CREATE TABLE "private"."student_days" (
  "day"       date             NOT NULL,
  "user_id"   uuid             NOT NULL,
  "ended"     smallint         NOT NULL DEFAULT 0,
  "completed" smallint         NOT NULL DEFAULT 0,
  "score_sum" double precision NOT NULL DEFAULT 0,
  CONSTRAINT "student_days_pkey" PRIMARY KEY (day, user_id)
);

CREATE TABLE "private"."transcript_results" (
  "id"                uuid  NOT NULL DEFAULT gen_random_uuid(),
  "user_id"           uuid  NOT NULL,
  "transcript_sha256" bytea NOT NULL,
  "check_in_id"       uuid,
  "provider"          text  NOT NULL,
  CONSTRAINT "transcript_results_once" UNIQUE (user_id, transcript_sha256),
  CONSTRAINT "transcript_results_pkey" PRIMARY KEY (id),
  CONSTRAINT "transcript_results_transcript_sha256_length" CHECK ((octet_length(transcript_sha256) = 32))
);

CREATE TABLE "public"."assessment_sessions" (
  "id"      uuid NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT "assessment_sessions_pkey" PRIMARY KEY (id),
  "user_id" uuid NOT NULL DEFAULT auth.uid()
);

ALTER TABLE "public"."assessment_sessions"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."assessment_sessions" FROM "anon";

CREATE TABLE "public"."audit_logs" (
  "id"          bigint                   NOT NULL,
  "occurred_at" timestamp with time zone NOT NULL,
  CONSTRAINT "audit_logs_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."audit_logs"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."audit_logs" FROM "anon";

CREATE TABLE "public"."clinical_reviews" (
  "id"            uuid NOT NULL DEFAULT gen_random_uuid(),
  "user_id"       uuid NOT NULL,
  "university_id" text,
  CONSTRAINT "clinical_reviews_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."clinical_reviews"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."clinical_reviews" FROM "anon";

CREATE TABLE "public"."cohort_days" (
  "university_id" text             NOT NULL,
  "faculty"       text             NOT NULL DEFAULT ''::text,
  "year_of_study" text             NOT NULL DEFAULT ''::text,
  "residence"     text             NOT NULL DEFAULT ''::text,
  "grain"         smallint         GENERATED ALWAYS AS (((
CASE
    WHEN (faculty = ''::text) THEN 0
    ELSE 4
END +
CASE
    WHEN (year_of_study = ''::text) THEN 0
    ELSE 2
END) +
CASE
    WHEN (residence = ''::text) THEN 0
    ELSE 1
END)) STORED NOT NULL,
  "day"           date             NOT NULL,
  "students"      integer          NOT NULL,
  "ended"         integer          NOT NULL,
  "completed"     integer          NOT NULL,
  "score_sum"     double precision NOT NULL,
  CONSTRAINT "cohort_days_pkey" PRIMARY KEY (university_id, grain, faculty, year_of_study, residence, day),
  CONSTRAINT "cohort_days_students" CHECK ((students >= 10))
);

ALTER TABLE "public"."cohort_days"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."cohort_days" FROM "anon";

CREATE TABLE "public"."cohort_snapshots" (
  "university_id"    text     NOT NULL,
  "faculty"          text     NOT NULL DEFAULT ''::text,
  "year_of_study"    text     NOT NULL DEFAULT ''::text,
  "residence"        text     NOT NULL DEFAULT ''::text,
  "grain"            smallint GENERATED ALWAYS AS (((
CASE
    WHEN (faculty = ''::text) THEN 0
    ELSE 4
END +
CASE
    WHEN (year_of_study = ''::text) THEN 0
    ELSE 2
END) +
CASE
    WHEN (residence = ''::text) THEN 0
    ELSE 1
END)) STORED NOT NULL,
  "seen_within_days" smallint NOT NULL DEFAULT 0,
  "students"         integer  NOT NULL,
  "high_risk"        integer  NOT NULL,
  "moderate_risk"    integer  NOT NULL,
  "as_of"            date     NOT NULL,
  CONSTRAINT "cohort_snapshots_pkey" PRIMARY KEY (university_id, grain, faculty, year_of_study, residence, seen_within_days),
  CONSTRAINT "cohort_snapshots_risk" CHECK (((high_risk >= 0) AND (moderate_risk >= 0) AND ((high_risk + moderate_risk) <= students))),
  CONSTRAINT "cohort_snapshots_students" CHECK ((students >= 10))
);

ALTER TABLE "public"."cohort_snapshots"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."cohort_snapshots" FROM "anon";

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

CREATE TABLE "public"."session_analyses" (
  "session_id" uuid NOT NULL,
  "user_id"    uuid NOT NULL
);

ALTER TABLE "public"."session_analyses"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."session_analyses" FROM "anon";

CREATE TABLE "public"."session_scores" (
  "session_id"  uuid         NOT NULL,
  "user_id"     uuid         NOT NULL,
  "final_score" numeric(5,2) NOT NULL,
  "confidence"  numeric(4,3) NOT NULL,
  CONSTRAINT "session_scores_confidence_range" CHECK (((confidence >= (0)::numeric) AND (confidence <= (1)::numeric))),
  CONSTRAINT "session_scores_final_score_range" CHECK (((final_score >= (0)::numeric) AND (final_score <= (100)::numeric))),
  CONSTRAINT "session_scores_pkey" PRIMARY KEY (session_id)
);

ALTER TABLE "public"."session_scores"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."session_scores" FROM "anon";

CREATE TABLE "public"."students" (
  "user_id"          uuid                     NOT NULL,
  "university_id"    text,
  "faculty"          text,
  "year_of_study"    text,
  "residence"        text,
  "counselor_access" boolean                  NOT NULL DEFAULT false,
  "check_ins"        integer                  NOT NULL DEFAULT 0,
  "last_check_in_at" timestamp with time zone,
  "last_score"       numeric(5,2),
  "last_uncertainty" numeric(4,3),
  CONSTRAINT "students_faculty_length" CHECK (((char_length(faculty) >= 1) AND (char_length(faculty) <= 100))),
  CONSTRAINT "students_pkey" PRIMARY KEY (user_id),
  CONSTRAINT "students_residence_length" CHECK (((char_length(residence) >= 1) AND (char_length(residence) <= 100))),
  CONSTRAINT "students_year_of_study_length" CHECK (((char_length(year_of_study) >= 1) AND (char_length(year_of_study) <= 20)))
);

ALTER TABLE "public"."students"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."students" FROM "anon";

CREATE TABLE "public"."universities" (
  "id"                    text                     NOT NULL,
  "name"                  text                     NOT NULL,
  "short_name"            text                     NOT NULL,
  "domain"                text                     NOT NULL,
  "logo_url"              text,
  "primary_color"         text                     NOT NULL DEFAULT '#1f4e79'::text,
  "secondary_color"       text                     NOT NULL DEFAULT '#f2a900'::text,
  "features_enabled"      text[]                   NOT NULL DEFAULT '{check_ins}'::text[],
  "assessment_frequency"  text                     NOT NULL DEFAULT 'daily'::text,
  "privacy_settings"      jsonb                    NOT NULL DEFAULT '{}'::jsonb,
  "support_email"         text,
  "crisis_phone"          text,
  "resources"             jsonb                    NOT NULL DEFAULT '[]'::jsonb,
  "accepts_other_domains" boolean                  NOT NULL DEFAULT false,
  "created_at"            timestamp with time zone NOT NULL DEFAULT now(),
  "updated_at"            timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "universities_assessment_frequency_known"
    CHECK ((assessment_frequency = ANY (ARRAY['daily'::text, 'twice_weekly'::text, 'weekly'::text, 'biweekly'::text, 'monthly'::text]))),
  CONSTRAINT "universities_crisis_phone_form" CHECK ((crisis_phone ~ '^[+0-9][-0-9 ().]{1,29}$'::text)),
  CONSTRAINT "universities_domain_form" CHECK (((domain = lower(domain)) AND (domain ~ '^[a-z0-9.-]+\.[a-z]{2,}$'::text))),
  CONSTRAINT "universities_domain_key" UNIQUE (DOMAIN),
  CONSTRAINT "universities_features_enabled_known"
    CHECK ((features_enabled <@ ARRAY['check_ins'::text, 'sessions'::text, 'text_model'::text, 'support_circle'::text, 'counselor_access'::text, 'training'::text])),
  CONSTRAINT "universities_id_form" CHECK ((id ~ '^[a-z0-9][a-z0-9-]{1,62}$'::text)),
  CONSTRAINT "universities_logo_url_form" CHECK (((logo_url ~ '^https://[^[:space:]"<>]+$'::text) AND (char_length(logo_url) <= 500))),
  CONSTRAINT "universities_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  CONSTRAINT "universities_pkey" PRIMARY KEY (id),
  CONSTRAINT "universities_primary_color_form" CHECK ((primary_color ~ '^#[0-9a-fA-F]{6}$'::text)),
  CONSTRAINT "universities_privacy_settings_object" CHECK ((jsonb_typeof(privacy_settings) = 'object'::text)),
  CONSTRAINT "universities_privacy_settings_size" CHECK ((pg_column_size(privacy_settings) <= 16384)),
  CONSTRAINT "universities_resources_array" CHECK ((jsonb_typeof(resources) = 'array'::text)),
  CONSTRAINT "universities_resources_form"
    CHECK
    (((pg_column_size(resources) <= 16384) AND (NOT jsonb_path_exists(resources,
    '$[*]?((((@.type() != "object" || !(exists (@."name"?(@.type() == "string" && @ like_regex "^.{1,200}$")))) || exists (@."phone"?(@.type() != "null" && !(@.type() == "string" && @ like_regex "^[+0-9][-0-9 ().]{1,29}$")))) || exists (@."website"?(@.type() != "null" && !(@.type() == "string" && @ like_regex "^https?://[^ \"<>]+$")))) || exists (@.keyvalue()?((@."key" != "name" && @."key" != "phone") && @."key" != "website")))'::jsonpath)))),
  CONSTRAINT "universities_secondary_color_form" CHECK ((secondary_color ~ '^#[0-9a-fA-F]{6}$'::text)),
  CONSTRAINT "universities_short_name_length" CHECK (((char_length(short_name) >= 1) AND (char_length(short_name) <= 50))),
  CONSTRAINT "universities_support_email_form" CHECK ((support_email ~ '^[^@[:space:]<>"]{1,64}@[^@[:space:]<>"]{1,190}$'::text))
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

ALTER TABLE "public"."students"
  ADD COLUMN "last_direction_of_change" checkin.direction_of_change;

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

ALTER TABLE "private"."transcript_results"
  ADD COLUMN "risk_level" checkin.risk_level NOT NULL;

ALTER TABLE "private"."transcript_results"
  ADD COLUMN "result" jsonb NOT NULL;

ALTER TABLE "private"."transcript_results"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."session_scores"
  ADD COLUMN "risk_level" checkin.risk_level NOT NULL;

ALTER TABLE "public"."session_scores"
  ADD COLUMN "fusion_score" jsonb NOT NULL;

ALTER TABLE "public"."session_scores"
  ADD COLUMN "algorithm_version" text NOT NULL;

ALTER TABLE "public"."session_scores"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."students"
  ADD COLUMN "risk_level" checkin.risk_level NOT NULL DEFAULT 'none'::checkin.risk_level;

ALTER TABLE "public"."students"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."students"
  ADD COLUMN "updated_at" timestamp WITH time zone NOT NULL DEFAULT now();

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

CREATE TYPE "private"."delivery_outcome" AS ENUM (
  'sent',
  'not_sent',
  'unconfirmed',
  'rejected'
);

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
  'failed'
);

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "status" private.job_status NOT NULL DEFAULT 'queued'::private.job_status;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "attempts" smallint NOT NULL DEFAULT 0;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "dispatches" smallint NOT NULL DEFAULT 0;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "next_dispatch_at" timestamp WITH time zone NOT NULL;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "lease_until" timestamp WITH time zone;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "outcome" jsonb;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "error_code" text;

ALTER TABLE "private"."analysis_jobs"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

CREATE TYPE "private"."listed_student" AS (
  "user_id"                  uuid,
  "first_name"               text,
  "last_name"                text,
  "university_id"            text,
  "faculty"                  text,
  "year_of_study"            text,
  "residence"                text,
  "check_ins"                integer,
  "last_check_in_at"         timestamp WITH time zone,
  "last_score"               numeric,
  "last_uncertainty"         numeric,
  "last_direction_of_change" checkin.direction_of_change,
  "risk_level"               checkin.risk_level
);

CREATE TYPE "private"."message_channel" AS ENUM (
  'email',
  'sms'
);

ALTER TABLE "private"."outbox"
  ADD COLUMN "channel" private.message_channel NOT NULL;

ALTER TABLE "private"."outbox"
  ADD COLUMN "purpose" text NOT NULL;

ALTER TABLE "private"."outbox"
  ADD COLUMN "user_id" uuid;

ALTER TABLE "private"."outbox"
  ADD COLUMN "recipient" text;

ALTER TABLE "private"."outbox"
  ADD COLUMN "subject" text NOT NULL DEFAULT ''::text;

ALTER TABLE "private"."outbox"
  ADD COLUMN "body" text NOT NULL;

CREATE TYPE "private"."message_status" AS ENUM (
  'queued',
  'sending',
  'sent',
  'unconfirmed',
  'dead'
);

ALTER TABLE "private"."outbox"
  ADD COLUMN "status" private.message_status NOT NULL DEFAULT 'queued'::private.message_status;

ALTER TABLE "private"."outbox"
  ADD COLUMN "attempts" smallint NOT NULL DEFAULT 0;

ALTER TABLE "private"."outbox"
  ADD COLUMN "send_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "private"."outbox"
  ADD COLUMN "lease_until" timestamp WITH time zone;

ALTER TABLE "private"."outbox"
  ADD COLUMN "provider_called_at" timestamp WITH time zone;

ALTER TABLE "private"."outbox"
  ADD COLUMN "provider" text;

ALTER TABLE "private"."outbox"
  ADD COLUMN "provider_message_id" text;

ALTER TABLE "private"."outbox"
  ADD COLUMN "error_code" text;

ALTER TABLE "private"."outbox"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "private"."outbox"
  ADD COLUMN "ended_at" timestamp WITH time zone;

ALTER TABLE "private"."outbox"
  ADD COLUMN "reported_at" timestamp WITH time zone;

CREATE TYPE "private"."student_sort" AS ENUM (
  'name',
  'last_check_in',
  'score',
  'risk'
);

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

CREATE TYPE "public"."audit_action" AS ENUM (
  'signed_in',
  'sign_in_failed',
  'role_granted',
  'role_revoked',
  'university_added',
  'university_changed',
  'university_removed',
  'settings_changed',
  'review_changed',
  'students_listed',
  'student_read',
  'reviews_listed',
  'data_exported'
);

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "action" public.audit_action NOT NULL;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "actor_id" uuid;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "actor_role" text NOT NULL;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "university_id" text;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "target_type" text;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "target_id" text;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "before" jsonb;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "after" jsonb;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "details" jsonb NOT NULL DEFAULT '{}'::jsonb;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "ip" inet;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "user_agent" text;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "request_id" text;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "previous_hash" bytea NOT NULL;

ALTER TABLE "public"."audit_logs"
  ADD COLUMN "hash" bytea NOT NULL;

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

CREATE TYPE "public"."modality" AS ENUM (
  'audio',
  'visual',
  'text'
);

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "modality" public.modality NOT NULL;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "analysis" jsonb NOT NULL;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "measures" jsonb NOT NULL;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "quality" double precision NOT NULL;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "quality_reason" text;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "risk_level" checkin.risk_level NOT NULL DEFAULT 'none'::checkin.risk_level;

ALTER TABLE "public"."session_analyses"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

CREATE TYPE "public"."review_source" AS ENUM (
  'check_in',
  'session',
  'transcript'
);

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "source" public.review_source NOT NULL;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "source_id" uuid NOT NULL;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "risk_level" checkin.risk_level NOT NULL DEFAULT 'high'::checkin.risk_level;

CREATE TYPE "public"."review_status" AS ENUM (
  'open',
  'claimed',
  'closed'
);

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "status" public.review_status NOT NULL DEFAULT 'open'::public.review_status;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "opened_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "claimed_at" timestamp WITH time zone;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "claimed_by" uuid;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "closed_at" timestamp WITH time zone;

ALTER TABLE "public"."clinical_reviews"
  ADD COLUMN "closed_by" uuid;

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
  reached double precision;
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

  -- Steps that are not queued yet count as undone, so that progress never goes back.
  with steps as (
    select
      count(*) filter (where status in ('done', 'failed')) as ended,
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
  returning c.progress into reached;

  perform private.broadcast_check_in(
    check_in, 'progress', jsonb_build_object('check_in_id', check_in, 'status', 'processing', 'progress', reached)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.aggregated_through()
  RETURNS date
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select aggregated_through from private.cohort_settings
$function$;

CREATE OR REPLACE FUNCTION private.audit_chain_state (
  from_entry bigint
)
  RETURNS TABLE (
    intact    boolean,
    entries   bigint,
    broken_at bigint,
    problem   text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with before as (
    select coalesce(
      (select hash from public.audit_logs where id = from_entry - 1), decode(repeat('00', 32), 'hex')
    ) as hash
  ),
  links as (
    select
      e.id,
      case
        when e.id <> greatest(from_entry, 1) - 1 + row_number() over chain then 'an entry is missing before this one'
        when e.previous_hash <> lag(e.hash, 1, b.hash) over chain then 'does not follow the entry before it'
        when e.hash <> private.audit_hash(e) then 'was changed'
      end as problem
    from public.audit_logs e, before b
    where e.id >= from_entry
    window chain as (order by e.id)
  ),
  broken as (
    select id, problem from links where problem is not null
    union all
    select null, 'entries are missing at the end'
    from private.audit_head h
    where (h.entries, h.hash) is distinct from (
      coalesce((select max(id) from public.audit_logs), 0),
      coalesce((select hash from public.audit_logs order by id desc limit 1), decode(repeat('00', 32), 'hex'))
    )
    union all
    select null, 'the end of the chain is missing'
    where not exists (select from private.audit_head)
    order by id nulls last
    limit 1
  )
  select b.problem is null, (select entries from private.audit_head), b.id, b.problem
  from (select) as log
  left join broken b on true
  where (select private.is_security_admin()) or coalesce((select auth.role()), '') not in ('anon', 'authenticated')
$function$;

CREATE OR REPLACE FUNCTION private.audit_hash (
  entry public.audit_logs
)
  RETURNS bytea
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select sha256(
    entry.previous_hash || convert_to(
      jsonb_build_array(
        entry.id,
        extract(epoch from entry.occurred_at),
        entry.action,
        entry.actor_id,
        entry.actor_role,
        entry.university_id,
        entry.target_type,
        entry.target_id,
        entry.before,
        entry.after,
        entry.details,
        entry.ip,
        entry.user_agent,
        entry.request_id
      )::text,
      'UTF8'
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.audit_review()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.audit(
    'review_changed', new.university_id, 'clinical_reviews', new.id::text,
    private.changed_columns(to_jsonb(old), to_jsonb(new)),
    private.changed_columns(to_jsonb(new), to_jsonb(old)),
    jsonb_build_object('student', new.user_id)
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_role()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if tg_op <> 'INSERT' then
    perform private.audit(
      'role_revoked', old.university_id, 'user_roles', old.user_id::text,
      before => jsonb_build_object('role', old.role, 'university_id', old.university_id)
    );
  end if;
  if tg_op <> 'DELETE' then
    perform private.audit(
      'role_granted', new.university_id, 'user_roles', new.user_id::text,
      after => jsonb_build_object('role', new.role, 'university_id', new.university_id)
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_settings()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.audit(
    'settings_changed',
    coalesce(to_jsonb(new), to_jsonb(old)) ->> 'university_id',
    tg_table_name,
    coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0],
    case when tg_op <> 'INSERT' then private.changed_columns(to_jsonb(old), coalesce(to_jsonb(new), '{}')) end,
    case when tg_op <> 'DELETE' then private.changed_columns(to_jsonb(new), coalesce(to_jsonb(old), '{}')) end
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_sign_in()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.audit(
    'signed_in',
    private.university_of(new.user_id),
    actor => new.user_id,
    ip => new.ip,
    user_agent => new.user_agent,
    request_id => null
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_university()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- An update that changes nothing writes no entry.
  if tg_op = 'UPDATE' and private.changed_columns(to_jsonb(new), to_jsonb(old)) = '{}' then
    return null;
  end if;
  perform private.audit(
    (case tg_op
      when 'INSERT' then 'university_added'
      when 'UPDATE' then 'university_changed'
      else 'university_removed'
    end)::public.audit_action,
    coalesce(new.id, old.id),
    'universities',
    coalesce(new.id, old.id),
    case tg_op when 'UPDATE' then private.changed_columns(to_jsonb(old), to_jsonb(new)) when 'DELETE' then to_jsonb(old) end,
    case tg_op when 'UPDATE' then private.changed_columns(to_jsonb(new), to_jsonb(old)) when 'INSERT' then to_jsonb(new) end
  );
  return null;
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

CREATE OR REPLACE FUNCTION private.broadcast_session (
  session uuid,
  event   text,
  payload jsonb
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select realtime.send(payload || jsonb_build_object('session_id', session), event, 'assessment:' || session, true)
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_session_error (
  session uuid,
  student uuid,
  failure jsonb
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select private.broadcast_session(session, 'error', failure)
  from public.assessment_sessions
  where id = session and user_id = student
$function$;

CREATE OR REPLACE FUNCTION private.call_function (
  called text,
  body   jsonb
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
    raise warning 'The vault has no functions_url or pipeline_secret: nothing is dispatched until it has both.';
    return;
  end if;
  perform net.http_post(
    url := functions_url || '/' || called,
    body := call_function.body,
    headers := jsonb_build_object(
      'content-type', 'application/json',
      'authorization', 'Bearer ' || pipeline_secret
    ),
    timeout_milliseconds := 5000
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.chain_audit_entry()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  head private.audit_head;
begin
  select * into strict head from private.audit_head for update;
  new.id := head.entries + 1;
  new.occurred_at := clock_timestamp();
  new.previous_hash := head.hash;
  new.hash := private.audit_hash(new);
  update private.audit_head set entries = new.id, hash = new.hash;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.changed_columns (
  this_row  jsonb,
  other_row jsonb
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_object_agg(key, value), '{}')
  from jsonb_each(this_row)
  where value is distinct from other_row -> key and key <> 'updated_at'
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
    dispatches = 0,
    lease_until = now() + case j.kind when 'transcription' then s.transcription_lease else s.lease end,
    next_dispatch_at = now() + case j.kind when 'transcription' then s.transcription_lease else s.lease end
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

CREATE OR REPLACE FUNCTION private.claim_messages (
  most integer
)
  RETURNS SETOF private.outbox
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  -- Materialized, so that the plan cannot take the limit more than once.
  with due as materialized (
    select id
    from private.outbox
    where status = 'queued' and send_at <= now()
    order by send_at
    limit most
    for update skip locked
  )
  update private.outbox o
  set status = 'sending',
    attempts = o.attempts + 1,
    lease_until = now() + s.lease,
    provider_called_at = null
  from due, private.messaging_settings s
  where o.id = due.id
  returning o.*
$function$;

CREATE OR REPLACE FUNCTION private.cohort_grain (
  faculty       text,
  year_of_study text,
  residence     text
)
  RETURNS smallint
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select (
    case when faculty is null then 0 else 4 end
    + case when year_of_study is null then 0 else 2 end
    + case when residence is null then 0 else 1 end
  )::smallint
$function$;

CREATE OR REPLACE FUNCTION private.consume_rate_limit (
  requester   uuid,
  limit_scope text
)
  RETURNS TABLE (
    allowed      boolean,
    max_requests integer,
    remaining    integer,
    reset_s      integer,
    period_s     integer
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  rule private.rate_limit_rules;
  recent timestamptz[];
  checked_at timestamptz;
begin
  select * into strict rule from private.rate_limit_rules where scope = limit_scope;
  -- Returns the row locked, even if it existed before.
  insert into private.rate_limit_uses as u (subject, scope)
  values (requester, limit_scope)
  on conflict (subject, scope) do update set used_at = u.used_at
  returning used_at into strict recent;

  checked_at := clock_timestamp();
  recent := array(select t from unnest(recent) as t where t > checked_at - rule.period order by t);
  allowed := cardinality(recent) < rule.requests;
  if allowed then
    recent := recent || checked_at;
    update private.rate_limit_uses set used_at = recent where subject = requester and scope = limit_scope;
  end if;
  max_requests := rule.requests;
  remaining := greatest(0, rule.requests - cardinality(recent));
  reset_s := greatest(1, ceil(extract(epoch from recent[1] + rule.period - checked_at)));
  period_s := extract(epoch from rule.period);
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.consume_user_rate_limit (
  account     uuid,
  limit_scope text
)
  RETURNS TABLE (
    allowed      boolean,
    max_requests integer,
    remaining    integer,
    reset_s      integer,
    period_s     integer
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  -- Locks the profile first, as the deletion of an account does.
  perform from public.profiles where user_id = account for key share;
  if not found then
    return;
  end if;
  return query select * from private.consume_rate_limit(account, limit_scope);
end
$function$;

CREATE OR REPLACE FUNCTION private.count_check_in()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  result checkin.fusion_results;
begin
  perform pg_advisory_xact_lock_shared(private.rollup_lock());
  if new.status = 'processing' then
    update private.student_days
    set ended = ended - 1
    where user_id = new.user_id
      and day = (old.completed_at at time zone 'UTC')::date
      and ended > completed;
    return null;
  end if;
  if new.status = 'complete' then
    select * into result from checkin.fusion_results where check_in_id = new.id;
  end if;
  insert into private.student_days as d (day, user_id, ended, completed, score_sum)
  select
    greatest((now() at time zone 'UTC')::date, c.aggregated_through + 1),
    new.user_id,
    1,
    case when result.check_in_id is null then 0 else 1 end,
    coalesce(result.score, 0)
  from private.cohort_settings c
  on conflict (day, user_id) do update
  set ended = d.ended + 1,
    completed = d.completed + excluded.completed,
    score_sum = d.score_sum + excluded.score_sum;

  if new.status <> 'expired' then
    update public.students
    set check_ins = check_ins + case when result.check_in_id is null then 0 else 1 end,
      last_check_in_at = new.completed_at,
      last_score = coalesce(result.score, last_score),
      last_uncertainty = coalesce(result.uncertainty, last_uncertainty),
      last_direction_of_change = coalesce(result.direction_of_change, last_direction_of_change),
      risk_level = coalesce(new.risk_level, 'none')
    where user_id = new.user_id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_listed_student()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into private.listed_students as l (university_id, students)
  select university_id, sum(change)
  from (
    select old.university_id, -1 as change where tg_op <> 'INSERT' and old.counselor_access
    union all
    select new.university_id, 1 where tg_op <> 'DELETE' and new.counselor_access
  ) as changes
  where university_id in (select id from public.universities)
  group by university_id
  having sum(change) <> 0
  order by university_id
  on conflict (university_id) do update set students = l.students + excluded.students;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.create_profile()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  university text := private.university_for(new.email, new.raw_user_meta_data ->> 'university_id');
begin
  insert into public.profiles (user_id, first_name, last_name, university_id)
  values (
    new.id,
    left(coalesce(new.raw_user_meta_data ->> 'first_name', ''), 100),
    left(coalesce(new.raw_user_meta_data ->> 'last_name', ''), 100),
    university
  );
  insert into public.user_roles (user_id, role, university_id) values (new.id, 'student', university);
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

CREATE OR REPLACE FUNCTION private.dispatch_due_jobs()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  ended integer;
  dispatched integer;
begin
  -- Out of attempts, or too old. Locks the student, then the check-in, then the job, as everything else does.
  with exhausted as materialized (
    select j.id, j.check_in_id
    from private.analysis_jobs j, private.pipeline_settings s
    where (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
      and (j.attempts >= s.max_attempts or j.created_at <= now() - s.fail_after)
  ),
  locked as materialized (
    select c.id
    from checkin.check_ins c
    join public.profiles p on p.user_id = c.user_id
    where c.status = 'processing' and c.id in (select check_in_id from exhausted)
    order by c.id
    for key share of p skip locked
    for update of c skip locked
  ),
  failed as (
    update private.analysis_jobs j
    set status = 'failed', lease_until = null, error_code = coalesce(j.error_code, case when j.attempts = 0 then 'not_run' else 'worker_lost' end)
    from locked, exhausted
    where j.id = exhausted.id and j.check_in_id = locked.id
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    returning j.check_in_id, j.kind
  )
  select count(
    case when g.fusion then private.fail_check_in(g.check_in_id, 'analysis_failed')
      else private.advance_check_in(g.check_in_id)
    end
  )
  into ended
  from (select check_in_id, bool_or(kind = 'fusion') as fusion from failed group by check_in_id) g;

  with due as (
    select j.id
    from private.analysis_jobs j
    where j.next_dispatch_at <= now()
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    order by j.next_dispatch_at
    limit 100
    for update skip locked
  ),
  redispatched as (
    update private.analysis_jobs j
    set dispatches = least(j.dispatches + 1, 10),
      next_dispatch_at = now() + least(s.dispatch_grace * power(2, j.dispatches), interval '5 minutes')
    from due, private.pipeline_settings s
    where j.id = due.id
    returning j.id, j.kind
  )
  select count(private.dispatch_job(id, kind)) into dispatched from redispatched;
  return dispatched;
end
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_due_messages()
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- A sender that was lost before it called the provider sent nothing.
  perform private.record_delivery(
    o.id,
    o.attempts,
    case when o.provider_called_at is null then 'not_sent' else 'unconfirmed' end::private.delivery_outcome,
    o.provider,
    null,
    'sender_lost',
    null
  )
  from (
    select * from private.outbox where status = 'sending' and lease_until <= now() for update skip locked
  ) o;

  perform private.call_function('deliver-messages', '{"type": "UPDATE", "schema": "private", "table": "outbox"}')
  where exists (select from private.outbox where status = 'queued' and send_at <= now())
    or exists (select from private.outbox where status in ('dead', 'unconfirmed') and reported_at is null);
end
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_job (
  job  uuid,
  kind private.job_kind
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.call_function(
    private.worker_of(kind),
    jsonb_build_object(
      'type', 'INSERT',
      'schema', 'private',
      'table', 'analysis_jobs',
      'record', jsonb_build_object('id', job, 'kind', kind)
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_messages()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.call_function('deliver-messages', '{"type": "INSERT", "schema": "private", "table": "outbox"}')
  where exists (select from new_messages where status = 'dead' or (status = 'queued' and send_at <= now()));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_new_jobs()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.dispatch_job(id, kind) from new_jobs;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.enrol_student()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if tg_op = 'DELETE' then
    delete from public.students s
    where s.user_id = old.user_id
      and not exists (select from public.user_roles r where r.user_id = old.user_id and r.role = 'student');
  else
    insert into public.students (user_id, university_id, counselor_access)
    select user_id, university_id, private.has_consent(user_id, 'counselor_access')
    from public.profiles
    where user_id = new.user_id
    on conflict do nothing;
  end if;
  return null;
end
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
    -- Locks the student too, as the deletion of an account does; rows that are locked wait for the next run.
    select c.id
    from checkin.check_ins c
    join public.profiles p on p.user_id = c.user_id
    where c.status = 'created' and c.expires_at <= now()
    for key share of p skip locked
    for update of c skip locked
  )
$function$;

CREATE OR REPLACE FUNCTION private.export_data()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  person uuid := (select auth.uid());
  personal_data jsonb;
begin
  if person is null then
    return null;
  end if;
  personal_data := private.personal_data_of(person);
  if not exists (
    select from public.audit_logs
    where actor_id = person and action = 'data_exported' and occurred_at > now() - interval '1 minute'
  ) then
    perform private.audit('data_exported', private.university_of(person), 'profiles', person::text);
  end if;
  return personal_data;
end
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

CREATE OR REPLACE FUNCTION private.fail_check_in_for_job (
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
  check_in uuid := private.lock_check_in_for_job(job);
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
  check_in uuid := private.lock_check_in_for_job(job);
  ended private.analysis_jobs;
begin
  update private.analysis_jobs j
  set status = case when retry and j.attempts < s.max_attempts then 'queued' else 'failed' end::private.job_status,
    lease_until = null,
    error_code = code,
    next_dispatch_at = now() + s.retry_backoff * power(2, j.attempts - 1)
  from private.pipeline_settings s
  where j.id = job and j.check_in_id = check_in and j.attempts = attempt and j.status = 'running'
  returning j.* into ended;
  if ended is null then
    return false;
  end if;
  if ended.status = 'failed' then
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
  check_in uuid := private.lock_check_in_for_job(job);
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
    'audio', case when consent.audio then to_jsonb(a) end,
    'visual', case when consent.camera then to_jsonb(v) end,
    'text', case when consent.text then to_jsonb(t) end,
    'crisis', jsonb_build_object('level', coalesce(c.risk_level, 'none'), 'rule', i.crisis_rule),
    'mood_score', i.mood_score,
    'missing', i.missing
      || coalesce(
        (
          select jsonb_object_agg(failed.modality, failed.reason)
          from (
            select case
                when kind in ('audio_slice', 'audio_merge') then 'audio'
                when kind in ('visual_group', 'visual_merge') then 'visual'
                else 'text'
              end as modality, max(error_code) as reason
            from private.analysis_jobs
            where check_in_id = check_in and status = 'failed'
            group by 1
          ) failed
        ),
        '{}'
      )
      || case when consent.audio then '{}' else '{"audio": "no_consent"}'::jsonb end
      || case when consent.camera then '{}' else '{"visual": "no_consent"}'::jsonb end
      || case when consent.text then '{}' else '{"text": "no_consent"}'::jsonb end,
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
  ) consent
  where c.id = check_in
$function$;

CREATE OR REPLACE FUNCTION private.guard_clinical_review()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  person uuid := (select auth.uid());
begin
  -- A review must not wait for a counselor whose account is gone.
  if new.status = 'claimed' and old.claimed_by is not null and new.claimed_by is null then
    new.status := 'open';
    new.claimed_at := null;
    return new;
  end if;
  if old.status = 'claimed' and old.claimed_by is not null and person is not null and old.claimed_by <> person then
    raise exception 'Another counselor has claimed this review.' using errcode = 'check_violation';
  end if;
  -- The deletion of an account only clears claimed_by or closed_by.
  if new.status = old.status then
    return new;
  end if;
  if (old.status, new.status) not in (('open', 'claimed'), ('claimed', 'open'), ('claimed', 'closed')) then
    raise exception 'A review that is % cannot become %.', old.status, new.status using errcode = 'check_violation';
  end if;
  case new.status
    when 'open' then
      new.claimed_at := null;
      new.claimed_by := null;
    when 'claimed' then
      new.claimed_at := now();
      new.claimed_by := coalesce(person, new.claimed_by);
    when 'closed' then
      new.closed_at := now();
      new.closed_by := coalesce(person, new.closed_by);
  end case;
  return new;
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
  student  uuid,
  required public.consent_kind
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.consents
    where user_id = student and kind = required and withdrawn_at is null
  )
$function$;

CREATE OR REPLACE FUNCTION private.has_role (
  account    uuid,
  required   public.app_role,
  university text
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return exists (
    select from public.user_roles
    where user_id = account and role = required and (role = 'security_admin' or university_id = university)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.is_security_admin()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (select from public.user_roles where user_id = (select auth.uid()) and role = 'security_admin')
$function$;

CREATE OR REPLACE FUNCTION private.list_reviews_as_counselor()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not exists (select from private.universities_counseled()) then
    return '[]';
  end if;
  perform private.require_access_log('reviews_listed');
  return (
    select coalesce(jsonb_agg(to_jsonb(r) order by r.opened_at), '[]')
    from public.open_clinical_reviews r
    where r.university_id in (select private.universities_counseled()) and r.user_id <> (select auth.uid())
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_check_in_for_job (
  job uuid
)
  RETURNS uuid
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  locked uuid;
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

  select c.id into locked
  from checkin.check_ins c
  where c.id = (select check_in_id from private.analysis_jobs where id = job) and c.status = 'processing'
  for update;
  return locked;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_session (
  session uuid,
  student uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform from public.profiles where user_id = student for key share;
  perform from public.assessment_sessions where id = session and user_id = student for update;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION private.log_access (
  action     public.audit_action,
  university text,
  student    uuid
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if action not in ('students_listed', 'student_read', 'reviews_listed') then
    raise exception 'The action must be students_listed, student_read or reviews_listed.' using errcode = 'invalid_parameter_value';
  end if;
  if not exists (select from private.universities_counseled()) then
    return false;
  end if;
  perform private.audit(
    action,
    case when action = 'student_read' then private.university_of(student) else university end,
    case when student is not null then 'students' end,
    student::text
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_provider_call (
  message uuid,
  attempt smallint
)
  RETURNS boolean
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with marked as (
    update private.outbox
    set provider_called_at = now()
    where id = message and attempts = attempt and status = 'sending' and lease_until > now()
    returning id
  )
  select exists (select from marked)
$function$;

CREATE OR REPLACE FUNCTION private.move_student()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.students set university_id = new.university_id where user_id = new.user_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_crisis_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  contact text;
begin
  select coalesce(c.email, nullif(btrim(u.support_email), '')) into contact
  from public.universities u
  left join private.crisis_contacts c on c.university_id = u.id
  where u.id = new.university_id;

  insert into private.outbox (channel, purpose, user_id, recipient, subject, body, status, error_code, ended_at)
  values (
    'email',
    'clinical_review',
    new.user_id,
    contact,
    'High risk: a student needs a clinical review',
    format(
      E'A student''s answers show signs of a crisis.\n\nReview: %s\nOpened: %s UTC\n\nSign in to see who it is and to claim the review. It stays open until a counselor claims it.',
      new.id,
      to_char(new.opened_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    ),
    case when contact is null then 'dead' else 'queued' end::private.message_status,
    case when contact is null then 'no_recipient' end,
    case when contact is null then now() end
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.open_clinical_review (
  student  uuid,
  found_in public.review_source,
  found_at uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into public.clinical_reviews (user_id, university_id, source, source_id)
  select user_id, university_id, found_in, found_at
  from public.profiles
  where user_id = student
  for key share
  on conflict (source, source_id) where status <> 'closed' do nothing
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

CREATE OR REPLACE FUNCTION private.owns_session_channel (
  topic text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.assessment_sessions
    where user_id = (select auth.uid())
      and id = case
        when topic ~ '^assessment:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(topic, 12)::uuid
      end
  )
$function$;

CREATE OR REPLACE FUNCTION private.personal_data_of (
  student uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'exported_at', now(),
    'profile', (select to_jsonb(p) from public.profiles p where p.user_id = student),
    'enrolment', (select to_jsonb(s) from public.students s where s.user_id = student),
    'roles', (select coalesce(jsonb_agg(to_jsonb(r) - 'id' order by r.id), '[]') from public.user_roles r where r.user_id = student),
    'consents', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.granted_at, c.id), '[]') from public.consents c where c.user_id = student
    ),
    'baseline', (select to_jsonb(b) from checkin.user_baselines b where b.user_id = student),
    'check_ins', (
      select coalesce(
        jsonb_agg(
          to_jsonb(c) || jsonb_build_object(
            'audio_analysis', to_jsonb(a), 'visual_analysis', to_jsonb(v), 'text_analysis', to_jsonb(t), 'result', to_jsonb(f)
          )
          order by c.created_at, c.id
        ),
        '[]'
      )
      from checkin.check_ins c
      left join checkin.audio_analysis a on a.check_in_id = c.id
      left join checkin.visual_analysis v on v.check_in_id = c.id
      left join checkin.text_analysis t on t.check_in_id = c.id
      left join checkin.fusion_results f on f.check_in_id = c.id
      where c.user_id = student
    ),
    'transcripts', (
      select coalesce(jsonb_agg(to_jsonb(t) - 'user_id' order by t.created_at), '[]')
      from private.transcript_results t
      where t.user_id = student
    ),
    'sessions', (
      select coalesce(
        jsonb_agg(
          to_jsonb(s) || jsonb_build_object(
            'analyses', (
              select coalesce(jsonb_agg(to_jsonb(a) order by a.modality), '[]')
              from public.session_analyses a
              where a.session_id = s.id
            ),
            'score', (select to_jsonb(r) from public.session_scores r where r.session_id = s.id)
          )
          order by s.created_at, s.id
        ),
        '[]'
      )
      from public.assessment_sessions s
      where s.user_id = student
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.prevent_audit_change()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION private.purge_rate_limit_uses()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from private.rate_limit_uses u
  using private.rate_limit_rules r
  where r.scope = u.scope and u.used_at[cardinality(u.used_at)] < now() - greatest(r.period, interval '1 day')
$function$;

CREATE OR REPLACE FUNCTION private.purge_sent_messages()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from private.outbox o
  using private.messaging_settings s
  where o.status = 'sent' and o.ended_at < now() - s.keep_sent
$function$;

CREATE OR REPLACE FUNCTION private.purge_transcript_results()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from private.transcript_results where created_at < now() - interval '90 days'
$function$;

CREATE OR REPLACE FUNCTION private.range_days (
  date_range text
)
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case date_range when '7d' then 7 when '30d' then 30 when '90d' then 90 when '1y' then 365 end
$function$;

CREATE OR REPLACE FUNCTION private.read_student_as_counselor (
  student uuid,
  scores  integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not exists (select from private.universities_counseled()) then
    return null;
  end if;
  perform private.require_access_log('student_read', student => student);
  return private.student_record(student, scores);
end
$function$;

CREATE OR REPLACE FUNCTION private.record_delivery (
  message     uuid,
  attempt     smallint,
  outcome     private.delivery_outcome,
  sent_by     text,
  sent_as     text,
  code        text,
  retry_after interval
)
  RETURNS private.message_status
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  -- An email has an idempotency key, so that sending it again cannot duplicate it; a text message has none.
  with attempted as (
    select
      o.id,
      case
        when outcome = 'sent' then 'sent'
        when outcome = 'unconfirmed' and o.channel = 'sms' then 'unconfirmed'
        when outcome = 'rejected' or o.attempts >= s.max_attempts then 'dead'
        else 'queued'
      end::private.message_status as next_status,
      now() + greatest(
        retry_after,
        least(s.retry_backoff * power(2, least(o.attempts - 1, 20)), s.longest_backoff)
      ) as next_attempt_at
    from private.outbox o, private.messaging_settings s
    where o.id = message and o.attempts = attempt and o.status = 'sending'
    for update of o
  )
  update private.outbox o
  set status = a.next_status,
    send_at = case when a.next_status = 'queued' then a.next_attempt_at else o.send_at end,
    lease_until = null,
    provider = sent_by,
    provider_message_id = sent_as,
    error_code = code,
    ended_at = case when a.next_status <> 'queued' then now() end
  from attempted a
  where o.id = a.id
  returning o.status
$function$;

CREATE OR REPLACE FUNCTION private.release_claims()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.clinical_reviews
  set claimed_by = null
  where status = 'claimed' and claimed_by = old.user_id and university_id = old.university_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.report_undelivered_messages()
  RETURNS TABLE (
    id         uuid,
    channel    private.message_channel,
    purpose    text,
    status     private.message_status,
    attempts   smallint,
    error_code text
  )
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  update private.outbox o
  set reported_at = now()
  where o.status in ('dead', 'unconfirmed') and o.reported_at is null
  returning o.id, o.channel, o.purpose, o.status, o.attempts, o.error_code
$function$;

CREATE OR REPLACE FUNCTION private.request_header (
  name text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select nullif(current_setting('request.headers', true), '')::jsonb ->> name
$function$;

CREATE OR REPLACE FUNCTION private.request_ip()
  RETURNS inet
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return split_part(private.request_header('x-forwarded-for'), ',', 1)::inet;
exception
  when invalid_text_representation then
    return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit (
  action      public.audit_action,
  university  text                DEFAULT NULL::text,
  target_type text                DEFAULT NULL::text,
  target_id   text                DEFAULT NULL::text,
  before      jsonb               DEFAULT NULL::jsonb,
  after       jsonb               DEFAULT NULL::jsonb,
  details     jsonb               DEFAULT '{}'::jsonb,
  actor       uuid                DEFAULT auth.uid(),
  ip          inet                DEFAULT private.request_ip(),
  user_agent  text                DEFAULT private.request_header('user-agent'::text),
  request_id  text                DEFAULT private.request_header('x-request-id'::text)
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- The trigger chain_audit_entry overwrites the first four.
  insert into public.audit_logs (
    id, occurred_at, previous_hash, hash,
    action, actor_id, actor_role, university_id, target_type, target_id, before, after, details, ip, user_agent, request_id
  )
  values (
    0, now(), '', '',
    action, actor, coalesce(nullif((select auth.role()), ''), session_user), left(university, 100), target_type, target_id,
    before, after, details, ip, left(user_agent, 500), left(request_id, 64)
  )
$function$;

CREATE OR REPLACE FUNCTION private.requeue_message (
  message uuid
)
  RETURNS boolean
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with requeued as (
    update private.outbox
    set status = 'queued', attempts = 0, send_at = now(), ended_at = null, reported_at = null
    where id = message and status in ('dead', 'unconfirmed') and recipient is not null
    returning id
  )
  select exists (select from requeued)
$function$;

CREATE OR REPLACE FUNCTION private.require_access_log (
  read       public.audit_action,
  university text                DEFAULT NULL::text,
  student    uuid                DEFAULT NULL::uuid
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  reader uuid := auth.uid();
  -- Computed once, so that the index can be used.
  since timestamptz := clock_timestamp() - interval '1 minute';
begin
  if not exists (
    select
    from public.audit_logs e
    where e.actor_id = reader
      and e.occurred_at > since
      and e.action = read
      and (university is null or e.university_id = university)
      and (student is null or e.target_id = student::text)
  ) then
    raise exception 'Log this access first.'
      using errcode = 'insufficient_privilege', hint = format('Call log_access with the action %s, then read within a minute.', read);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.review_high_risk()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.open_clinical_review(new.user_id, 'check_in', new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.roll_up_days (
  through date
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  smallest integer;
begin
  if through >= (now() at time zone 'UTC')::date then
    raise exception 'The day % is not over yet.', through using errcode = 'check_violation';
  end if;
  -- Waits for check-ins that are being counted, and blocks new ones.
  perform pg_advisory_xact_lock(private.rollup_lock());
  select smallest_cohort into smallest
  from private.cohort_settings
  where aggregated_through is null or aggregated_through < through;
  if smallest is null then
    return;
  end if;
  delete from public.cohort_snapshots;

  with cells as (
    select
      s.university_id,
      s.faculty,
      s.year_of_study,
      s.residence,
      d.day,
      null::smallint as seen_within_days,
      count(*) filter (where d.completed > 0) as students,
      sum(d.ended) as ended,
      sum(d.completed) as completed,
      sum(d.score_sum) as score_sum,
      0::bigint as high_risk,
      0::bigint as moderate_risk
    from private.student_days d
    join public.students s on s.user_id = d.user_id
    where d.day <= through and s.university_id is not null
    group by s.university_id, s.faculty, s.year_of_study, s.residence, d.day
    union all
    select
      s.university_id,
      s.faculty,
      s.year_of_study,
      s.residence,
      null,
      seen.within,
      count(*),
      0,
      0,
      0,
      count(*) filter (where s.risk_level = 'high'),
      count(*) filter (where s.risk_level = 'moderate')
    from public.students s
    cross join lateral (
      select through - (s.last_check_in_at at time zone 'UTC')::date as days_ago
    ) last
    cross join lateral (
      select (case
        when last.days_ago < 7 then 7
        when last.days_ago < 30 then 30
        when last.days_ago < 90 then 90
        when last.days_ago < 365 then 365
        else 0
      end)::smallint as within
    ) seen
    where s.university_id is not null
    group by s.university_id, s.faculty, s.year_of_study, s.residence, seen.within
  ),
  sized as (
    select c.*, c.students >= smallest as shown
    from cells c
  ),
  by_year as (
    select
      c.*,
      sum(c.students) filter (where not c.shown) over (
        partition by c.university_id, c.day, c.seen_within_days, c.faculty, c.year_of_study
      ) >= smallest as shown_by_year
    from sized c
  ),
  by_faculty as (
    select
      c.*,
      sum(c.students) filter (where not c.shown and not c.shown_by_year) over (
        partition by c.university_id, c.day, c.seen_within_days, c.faculty
      ) >= smallest as shown_by_faculty
    from by_year c
  ),
  by_university as (
    select
      c.*,
      sum(c.students) filter (where not c.shown and not c.shown_by_year and not c.shown_by_faculty) over (
        partition by c.university_id, c.day, c.seen_within_days
      ) >= smallest as shown_at_all
    from by_faculty c
  ),
  without_recency as (
    select
      c.*,
      c.day is null
        and sum(c.students) filter (
          where not c.shown and not c.shown_by_year and not c.shown_by_faculty and not c.shown_at_all
        ) over (partition by c.university_id, c.day) >= smallest as shown_without_recency
    from by_university c
  ),
  groups as (
    select
      university_id,
      case when shown or shown_by_year or shown_by_faculty then faculty end as faculty,
      case when shown or shown_by_year then year_of_study end as year_of_study,
      case when shown then residence end as residence,
      day,
      case when shown or shown_by_year or shown_by_faculty or shown_at_all then seen_within_days
        when day is null then 0
      end as seen_within_days,
      students,
      ended,
      completed,
      score_sum,
      high_risk,
      moderate_risk
    from without_recency
    where shown or shown_by_year or shown_by_faculty or shown_at_all or shown_without_recency
  ),
  figures as (
    select
      university_id,
      faculty,
      year_of_study,
      residence,
      day,
      seen_within_days,
      sum(students) as students,
      sum(ended) as ended,
      sum(completed) as completed,
      sum(score_sum) as score_sum,
      sum(high_risk) as high_risk,
      sum(moderate_risk) as moderate_risk
    from groups
    group by university_id, day, seen_within_days, cube (faculty, year_of_study, residence)
    -- Students without a faculty, year or residence count in the larger cohorts only.
    having (grouping(faculty) = 1 or faculty is not null)
      and (grouping(year_of_study) = 1 or year_of_study is not null)
      and (grouping(residence) = 1 or residence is not null)
  ),
  days as (
    insert into public.cohort_days (
      university_id, faculty, year_of_study, residence, day, students, ended, completed, score_sum
    )
    select
      university_id, coalesce(faculty, ''), coalesce(year_of_study, ''), coalesce(residence, ''), day,
      students, ended, completed, score_sum
    from figures
    where day is not null
  )
  insert into public.cohort_snapshots (
    university_id, faculty, year_of_study, residence, seen_within_days, students, high_risk, moderate_risk, as_of
  )
  select
    university_id, coalesce(faculty, ''), coalesce(year_of_study, ''), coalesce(residence, ''), seen_within_days,
    students, high_risk, moderate_risk, through
  from figures
  where day is null;

  delete from private.student_days where day <= through;
  update private.cohort_settings set aggregated_through = through;
end
$function$;

CREATE OR REPLACE FUNCTION private.rollup_lock()
  RETURNS bigint
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select 7216430911::bigint
$function$;

CREATE OR REPLACE FUNCTION private.schedule_first_dispatch()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  new.next_dispatch_at := coalesce(new.next_dispatch_at, now() + (select dispatch_grace from private.pipeline_settings));
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.session_score_input (
  session uuid,
  student uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.store_fusion_result (
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
  check_in uuid := private.lock_check_in_for_job(job);
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
  where b.version = store_fusion_result.baseline_version;
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

CREATE OR REPLACE FUNCTION private.store_session_analysis (
  session uuid,
  student uuid,
  stored  jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  result public.session_analyses := jsonb_populate_record(
    null::public.session_analyses,
    stored || jsonb_build_object('session_id', session, 'user_id', student, 'created_at', now())
  );
begin
  if not private.lock_session(session, student) then
    return false;
  end if;
  delete from public.session_analyses where session_id = session and modality = result.modality;
  insert into public.session_analyses select result.*;
  if result.risk_level = 'high' then
    perform private.open_clinical_review(student, 'session', session);
  end if;
  perform private.broadcast_session(
    session, 'analysis_complete', jsonb_build_object('analysis_type', result.modality)
  );
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.store_session_score (
  session uuid,
  student uuid,
  stored  jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  result public.session_scores := jsonb_populate_record(
    null::public.session_scores,
    stored || jsonb_build_object('session_id', session, 'user_id', student, 'created_at', now())
  );
begin
  if not private.lock_session(session, student) then
    return false;
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
$function$;

CREATE OR REPLACE FUNCTION private.store_transcript_result (
  student uuid,
  stored  jsonb
)
  RETURNS uuid
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in uuid := (stored ->> 'check_in_id')::uuid;
  risk checkin.risk_level := (stored ->> 'risk_level')::checkin.risk_level;
  stored_id uuid;
begin
  perform from public.profiles where user_id = student for key share;
  if not found then
    return null;
  end if;
  if check_in is not null then
    update checkin.check_ins
    set risk_level = greatest(risk_level, risk)
    where id = check_in and user_id = student;
    if not found then
      return null;
    end if;
  end if;

  insert into private.transcript_results as t (user_id, transcript_sha256, check_in_id, provider, risk_level, result)
  values (
    student,
    decode(stored ->> 'transcript_sha256', 'hex'),
    check_in,
    stored ->> 'provider',
    risk,
    stored -> 'result'
  )
  on conflict on constraint transcript_results_once do update
  set check_in_id = excluded.check_in_id,
    provider = excluded.provider,
    risk_level = excluded.risk_level,
    result = excluded.result,
    created_at = now()
  returning t.id into stored_id;

  if risk = 'high' and check_in is not null then
    perform private.open_clinical_review(student, 'check_in', check_in);
  elsif risk = 'high' then
    perform private.open_clinical_review(student, 'transcript', stored_id);
  end if;
  return stored_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.student_page (
  university  text,
  search      text,
  sort        private.student_sort,
  descending  boolean,
  page_limit  integer,
  page_offset integer
)
  RETURNS SETOF private.listed_student
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if private.has_role((select auth.uid()), 'counselor', university) then
    perform private.require_access_log('students_listed', university);
    return query select * from private.student_rows(university, search, sort, descending, page_limit, page_offset);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.student_record (
  student uuid,
  scores  integer
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
      'user_id', s.user_id,
      'first_name', p.first_name,
      'last_name', p.last_name,
      'university_id', s.university_id,
      'counselor_access', s.counselor_access
    )
    || case when not s.counselor_access then '{}'::jsonb else jsonb_build_object(
      'faculty', s.faculty,
      'year_of_study', s.year_of_study,
      'residence', s.residence,
      'check_ins', s.check_ins,
      'last_check_in_at', s.last_check_in_at,
      'last_score', s.last_score,
      'last_uncertainty', s.last_uncertainty,
      'last_direction_of_change', s.last_direction_of_change,
      'risk_level', s.risk_level,
      'scores', coalesce(
        (
          select jsonb_agg(to_jsonb(f) order by f.created_at desc)
          from (
            select check_in_id, created_at, score, uncertainty, direction_of_change, significance, risk_level
            from checkin.fusion_results
            where user_id = student
            order by created_at desc
            limit scores
          ) f
        ),
        '[]'
      )
    ) end
  from public.students s
  join public.profiles p on p.user_id = s.user_id
  where s.user_id = student
    and s.university_id in (select private.universities_counseled())
    and (s.counselor_access or s.user_id in (select private.students_in_review()))
$function$;

CREATE OR REPLACE FUNCTION private.student_rows (
  university  text,
  search      text,
  sort        private.student_sort,
  descending  boolean,
  page_limit  integer,
  page_offset integer
)
  RETURNS SETOF private.listed_student
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  pattern text := '%' || regexp_replace(search, '([\\%_])', '\\\1', 'g') || '%';
  direction text := case when descending then 'desc' else 'asc' end;
  empty text := case when descending then 'nulls last' else 'nulls first' end;
begin
  return query execute format(
    $query$
      select
        s.user_id, p.first_name, p.last_name, s.university_id, s.faculty, s.year_of_study, s.residence, s.check_ins,
        s.last_check_in_at, s.last_score, s.last_uncertainty, s.last_direction_of_change, s.risk_level
      from public.students s
      join public.profiles p on p.user_id = s.user_id
      where s.university_id = $1 and p.university_id = $1 and s.counselor_access
        %s
      order by %s
      limit $3
      offset $4
    $query$,
    case when pattern is not null then 'and (p.first_name || '' '' || p.last_name) ilike $2' end,
    case sort
      when 'name' then format('p.last_name %1$s, p.first_name %1$s, p.user_id %1$s', direction)
      when 'last_check_in' then format('s.last_check_in_at %1$s %2$s, s.user_id %1$s', direction, empty)
      when 'score' then format('s.last_score %1$s %2$s, s.user_id %1$s', direction, empty)
      when 'risk' then format('s.risk_level %1$s, s.user_id %1$s', direction)
    end
  )
  using university, pattern, page_limit, page_offset;
end
$function$;

CREATE OR REPLACE FUNCTION private.students_found (
  university text,
  search     text
)
  RETURNS bigint
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not private.has_role((select auth.uid()), 'counselor', university) then
    return 0;
  end if;
  perform private.require_access_log('students_listed', university);
  return (
    select count(*)
    from public.students s
    join public.profiles p on p.user_id = s.user_id
    where s.university_id = university and s.counselor_access
      and (p.first_name || ' ' || p.last_name) ilike '%' || regexp_replace(search, '([\\%_])', '\\\1', 'g') || '%'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.students_in_review()
  RETURNS SETOF uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select r.user_id
  from public.clinical_reviews r
  where r.status <> 'closed' and r.university_id in (select private.universities_counseled())
$function$;

CREATE OR REPLACE FUNCTION private.students_listed (
  university text
)
  RETURNS bigint
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(
    (
      select students
      from private.listed_students
      where university_id = university and university in (select private.universities_counseled())
    ),
    0
  )
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
  existing checkin.check_ins;
begin
  perform from public.profiles where user_id = student for key share;
  select * into existing from checkin.check_ins where id = check_in and user_id = student for update;
  if existing is null then
    return 'not_found';
  end if;
  if existing.status in ('processing', 'complete') then
    return 'unchanged';
  end if;
  if existing.status = 'expired' or (existing.status = 'created' and existing.expires_at <= now()) then
    update checkin.check_ins set status = 'expired' where id = check_in;
    return 'expired';
  end if;
  if existing.submissions >= 3 then
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
    -- A risk that was found after an earlier submission still counts.
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

CREATE OR REPLACE FUNCTION private.sync_counselor_access()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.students
  set counselor_access = private.has_consent(new.user_id, 'counselor_access')
  where user_id = new.user_id;
  return null;
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

CREATE OR REPLACE FUNCTION private.universities_administered()
  RETURNS SETOF text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return query
  select university_id from public.user_roles where user_id = (select auth.uid()) and role = 'university_admin';
end
$function$;

CREATE OR REPLACE FUNCTION private.universities_counseled()
  RETURNS SETOF text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return query
  select university_id from public.user_roles where user_id = (select auth.uid()) and role = 'counselor';
end
$function$;

CREATE OR REPLACE FUNCTION private.universities_joined()
  RETURNS SETOF text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select university_id from public.profiles where user_id = (select auth.uid()) and university_id is not null
  union
  select university_id from public.user_roles where user_id = (select auth.uid()) and university_id is not null
$function$;

CREATE OR REPLACE FUNCTION private.university_for (
  address text,
  named   text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with email as (select lower(split_part(address, '@', 2)) as host)
  select coalesce(
    (
      select u.id
      from public.universities u, email
      where email.host = u.domain or email.host like '%.' || u.domain
      order by char_length(u.domain) desc
      limit 1
    ),
    (select id from public.universities where id = named and accepts_other_domains)
  )
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

CREATE OR REPLACE FUNCTION public.analytics_dashboard (
  university_id text,
  date_range    text DEFAULT '30d'::text,
  faculty       text DEFAULT NULL::text,
  year_of_study text DEFAULT NULL::text,
  residence     text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 WITH request
  AS (
          SELECT private.range_days(analytics_dashboard.date_range) AS days,
             private.aggregated_through() AS through,
             private.cohort_grain(analytics_dashboard.faculty, analytics_dashboard.year_of_study, analytics_dashboard.residence) AS grain
         ), days AS (
          SELECT d.day,
             d.students,
             d.ended,
             d.completed,
             d.score_sum
            FROM public.cohort_days d
           WHERE ((d.university_id = analytics_dashboard.university_id) AND (d.grain = ( SELECT request.grain
                    FROM request)) AND (d.faculty = COALESCE(analytics_dashboard.faculty, ''::text)) AND (d.year_of_study = COALESCE(analytics_dashboard.year_of_study, ''::text)) AND (d.residence = COALESCE(analytics_dashboard.residence, ''::text)) AND (d.day > ( SELECT (request.through - request.days)
                    FROM request)))
         ), snapshot AS (
          SELECT sum(s_1.students) AS students,
             sum(s_1.students) FILTER (WHERE ((s_1.seen_within_days >= 1) AND (s_1.seen_within_days <= ( SELECT request.days
                    FROM request)))) AS active,
             sum(s_1.high_risk) FILTER (WHERE ((s_1.seen_within_days >= 1) AND (s_1.seen_within_days <= ( SELECT request.days
                    FROM request)))) AS high_risk,
             sum(s_1.moderate_risk) FILTER (WHERE ((s_1.seen_within_days >= 1) AND (s_1.seen_within_days <= ( SELECT request.days
                    FROM request)))) AS moderate_risk
            FROM public.cohort_snapshots s_1
           WHERE ((s_1.university_id = analytics_dashboard.university_id) AND (s_1.grain = ( SELECT request.grain
                    FROM request)) AND (s_1.faculty = COALESCE(analytics_dashboard.faculty, ''::text)) AND (s_1.year_of_study = COALESCE(analytics_dashboard.year_of_study, ''::text)) AND (s_1.residence = COALESCE(analytics_dashboard.residence, ''::text)))
         ), averages AS (
          SELECT by.dimension,
             by.name,
             round(((sum(by.score_sum) / (sum(by.completed))::double precision))::numeric, 2) AS average
            FROM ( SELECT 'faculty'::text AS dimension,
                     d.faculty AS name,
                     d.score_sum,
                     d.completed
                    FROM public.cohort_days d
                   WHERE ((d.university_id = analytics_dashboard.university_id) AND (d.grain = ( SELECT ((request.grain)::integer | 4)
                            FROM request)) AND (d.faculty = COALESCE(analytics_dashboard.faculty, d.faculty)) AND (d.year_of_study = COALESCE(analytics_dashboard.year_of_study, ''::text)) AND (d.residence = COALESCE(analytics_dashboard.residence, ''::text)) AND (d.day > ( SELECT (request.through - request.days)
                            FROM request)))
                 UNION ALL
                  SELECT 'year'::text AS dimension,
                     d.year_of_study AS name,
                     d.score_sum,
                     d.completed
                    FROM public.cohort_days d
                   WHERE ((d.university_id = analytics_dashboard.university_id) AND (d.grain = ( SELECT ((request.grain)::integer | 2)
                            FROM request)) AND (d.faculty = COALESCE(analytics_dashboard.faculty, ''::text)) AND (d.year_of_study = COALESCE(analytics_dashboard.year_of_study, d.year_of_study)) AND (d.residence = COALESCE(analytics_dashboard.residence, ''::text)) AND (d.day > ( SELECT (request.through - request.days)
                            FROM request)))
                 UNION ALL
                  SELECT 'residence'::text AS dimension,
                     d.residence AS name,
                     d.score_sum,
                     d.completed
                    FROM public.cohort_days d
                   WHERE ((d.university_id = analytics_dashboard.university_id) AND (d.grain = ( SELECT ((request.grain)::integer | 1)
                            FROM request)) AND (d.faculty = COALESCE(analytics_dashboard.faculty, ''::text)) AND (d.year_of_study = COALESCE(analytics_dashboard.year_of_study, ''::text)) AND (d.residence = COALESCE(analytics_dashboard.residence, d.residence)) AND (d.day > ( SELECT (request.through - request.days)
                            FROM request)))) by
           GROUP BY by.dimension, by.name
         )
  SELECT jsonb_build_object('summary', jsonb_build_object('total_students', s.students, 'active_students', COALESCE(s.active, (0)::bigint), 'assessments_completed', ( SELECT COALESCE(sum(days.completed), (0)::bigint) AS "coalesce"
            FROM days), 'average_wellbeing_score', ( SELECT round(((sum(days.score_sum) / (sum(days.completed))::double precision))::numeric, 2) AS round
            FROM days)), 'trends', jsonb_build_object('wellbeing_trend', ( SELECT COALESCE(jsonb_agg(jsonb_build_object('date', days.day, 'average_score', round(((days.score_sum / (days.completed)::double precision))::numeric, 2), 'student_count', days.students) ORDER BY days.day), '[]'::jsonb) AS "coalesce"
            FROM days), 'engagement_trend', ( SELECT COALESCE(jsonb_agg(jsonb_build_object('date', days.day, 'completion_rate', round(((days.completed)::numeric / (days.ended)::numeric), 4)) ORDER BY days.day), '[]'::jsonb) AS "coalesce"
            FROM days)), 'risk_analysis', jsonb_build_object('high_risk_count', COALESCE(s.high_risk, (0)::bigint), 'medium_risk_count', COALESCE(s.moderate_risk, (0)::bigint)), 'cohort_breakdown', jsonb_build_object('by_faculty', ( SELECT COALESCE(jsonb_object_agg(averages.name, averages.average), '{}'::jsonb) AS "coalesce"
            FROM averages
           WHERE (averages.dimension = 'faculty'::text)), 'by_year', ( SELECT COALESCE(jsonb_object_agg(averages.name, averages.average), '{}'::jsonb) AS "coalesce"
            FROM averages
           WHERE (averages.dimension = 'year'::text)), 'by_residence', ( SELECT COALESCE(jsonb_object_agg(averages.name, averages.average), '{}'::jsonb) AS "coalesce"
            FROM averages
           WHERE (averages.dimension = 'residence'::text)))) AS jsonb_build_object
    FROM snapshot s
   WHERE ((s.students IS NOT NULL) AND (( SELECT request.days
            FROM request) IS NOT NULL));
END;

REVOKE ALL ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.analytics_trends (
  university_id text,
  date_range    text DEFAULT '90d'::text,
  step          text DEFAULT 'week'::text,
  faculty       text DEFAULT NULL::text,
  year_of_study text DEFAULT NULL::text,
  residence     text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 WITH request
  AS (
          SELECT private.range_days(analytics_trends.date_range) AS days,
             private.aggregated_through() AS through,
             private.cohort_grain(analytics_trends.faculty, analytics_trends.year_of_study, analytics_trends.residence) AS grain
         ), points AS (
          SELECT (date_trunc(analytics_trends.step, (d.day)::timestamp without time zone))::date AS from_day,
             count(*) AS days,
             sum(d.students) AS students,
             sum(d.ended) AS ended,
             sum(d.completed) AS completed,
             sum(d.score_sum) AS score_sum
            FROM public.cohort_days d
           WHERE ((d.university_id = analytics_trends.university_id) AND (d.grain = ( SELECT request_1.grain
                    FROM request request_1)) AND (d.faculty = COALESCE(analytics_trends.faculty, ''::text)) AND (d.year_of_study = COALESCE(analytics_trends.year_of_study, ''::text)) AND (d.residence = COALESCE(analytics_trends.residence, ''::text)) AND (d.day > ( SELECT (request_1.through - request_1.days)
                    FROM request request_1)))
           GROUP BY ((date_trunc(analytics_trends.step, (d.day)::timestamp without time zone))::date)
         )
  SELECT jsonb_build_object('university_id', analytics_trends.university_id, 'date_range', analytics_trends.date_range, 'step', analytics_trends.step, 'from', ( SELECT ((request_1.through - request_1.days) + 1)
            FROM request request_1), 'to', ( SELECT request_1.through
            FROM request request_1), 'points', ( SELECT COALESCE(jsonb_agg(jsonb_build_object('date', p.from_day, 'average_score', round(((p.score_sum / (p.completed)::double precision))::numeric, 2), 'assessments_completed', p.completed, 'completion_rate', round(((p.completed)::numeric / (p.ended)::numeric), 4), 'students_per_day', round(((p.students)::numeric / (p.days)::numeric), 1)) ORDER BY p.from_day), '[]'::jsonb) AS "coalesce"
            FROM points p)) AS jsonb_build_object
    FROM request
   WHERE ((EXISTS ( SELECT
            FROM public.cohort_snapshots s
           WHERE ((s.university_id = analytics_trends.university_id) AND (s.grain = request.grain) AND (s.faculty = COALESCE(analytics_trends.faculty, ''::text)) AND (s.year_of_study = COALESCE(analytics_trends.year_of_study, ''::text)) AND (s.residence = COALESCE(analytics_trends.residence, ''::text))))) AND (request.days IS NOT NULL));
END;

REVOKE ALL ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.analytics_wellbeing (
  university_id text,
  date_range    text DEFAULT '30d'::text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 WITH request
  AS (
          SELECT private.range_days(analytics_wellbeing.date_range) AS days,
             private.aggregated_through() AS through
         ), cohorts AS (
          SELECT d.grain,
             ((d.faculty || d.year_of_study) || d.residence) AS name,
             sum(d.completed) FILTER (WHERE (d.day > (r.through - r.days))) AS completed,
             sum(d.ended) FILTER (WHERE (d.day > (r.through - r.days))) AS ended,
             sum(d.score_sum) FILTER (WHERE (d.day > (r.through - r.days))) AS score_sum,
             sum(d.completed) FILTER (WHERE (d.day <= (r.through - r.days))) AS completed_before,
             sum(d.score_sum) FILTER (WHERE (d.day <= (r.through - r.days))) AS score_sum_before
            FROM public.cohort_days d,
             request r
           WHERE ((d.university_id = analytics_wellbeing.university_id) AND (d.grain = ANY (ARRAY[0, 1, 2, 4])) AND (d.day > (r.through - (2 * r.days))))
           GROUP BY d.grain, ((d.faculty || d.year_of_study) || d.residence)
         ), snapshots AS (
          SELECT s.grain,
             ((s.faculty || s.year_of_study) || s.residence) AS name,
             sum(s.students) AS students,
             sum(s.students) FILTER (WHERE ((s.seen_within_days >= 1) AND (s.seen_within_days <= r.days))) AS active,
             sum(s.high_risk) FILTER (WHERE ((s.seen_within_days >= 1) AND (s.seen_within_days <= r.days))) AS high_risk,
             sum(s.moderate_risk) FILTER (WHERE ((s.seen_within_days >= 1) AND (s.seen_within_days <= r.days))) AS moderate_risk
            FROM public.cohort_snapshots s,
             request r
           WHERE ((s.university_id = analytics_wellbeing.university_id) AND (s.grain = ANY (ARRAY[0, 1, 2, 4])) AND (r.days IS NOT NULL))
           GROUP BY s.grain, ((s.faculty || s.year_of_study) || s.residence)
         ), figures AS (
          SELECT s.grain,
             s.name,
             jsonb_build_object('dimension',
                 CASE s.grain
                     WHEN 4 THEN 'faculty'::text
                     WHEN 2 THEN 'year'::text
                     WHEN 1 THEN 'residence'::text
                     ELSE 'university'::text
                 END, 'name',
                 CASE
                     WHEN (s.grain = 0) THEN analytics_wellbeing.university_id
                     ELSE s.name
                 END, 'total_students', s.students, 'active_students', COALESCE(s.active, (0)::bigint), 'assessments_completed', COALESCE(c.completed, (0)::bigint), 'completion_rate', round(((c.completed)::numeric / (c.ended)::numeric), 4), 'average_score', round(((c.score_sum / (c.completed)::double precision))::numeric, 2), 'change', round((((c.score_sum / (c.completed)::double precision) - (c.score_sum_before / (c.completed_before)::double precision)))::numeric, 2), 'high_risk_count', COALESCE(s.high_risk, (0)::bigint), 'medium_risk_count', COALESCE(s.moderate_risk, (0)::bigint)) AS figure
            FROM (snapshots s
              LEFT JOIN cohorts c ON (((c.grain = s.grain) AND (c.name = s.name))))
         )
  SELECT jsonb_build_object('university_id', analytics_wellbeing.university_id, 'date_range', analytics_wellbeing.date_range, 'from', ( SELECT ((request.through - request.days) + 1)
            FROM request), 'to', ( SELECT request.through
            FROM request), 'university', f.figure, 'cohorts', ( SELECT COALESCE(jsonb_agg(o.figure ORDER BY o.grain DESC, o.name), '[]'::jsonb) AS "coalesce"
            FROM figures o
           WHERE (o.grain <> 0))) AS jsonb_build_object
    FROM figures f
   WHERE (f.grain = 0);
END;

REVOKE ALL ON FUNCTION "public"."analytics_wellbeing"(text, text) FROM PUBLIC, "anon";

CREATE OR REPLACE FUNCTION public.export_my_data()
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.export_data()
  AS export_data;
END;

REVOKE ALL ON FUNCTION "public"."export_my_data"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_open_reviews()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.list_reviews_as_counselor()
  AS list_reviews_as_counselor;
END;

REVOKE ALL ON FUNCTION "public"."list_open_reviews"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_students (
  university_id text,
  search        text    DEFAULT NULL::text,
  sort          text    DEFAULT 'name'::text,
  descending    boolean DEFAULT false,
  page_limit    integer DEFAULT 50,
  page_offset   integer DEFAULT 0
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT jsonb_build_object('students', COALESCE(( SELECT jsonb_agg((to_jsonb(s.*) - 'place'::text) ORDER BY s.place) AS jsonb_agg
            FROM
              private.student_page(list_students.university_id, NULLIF(btrim(list_students.search), ''::text), (list_students.sort)::private.student_sort, list_students.descending,
              LEAST(GREATEST(list_students.page_limit, 0), 200),
              GREATEST(list_students.page_offset, 0))
              WITH ORDINALITY
              s(user_id, first_name, last_name, university_id, faculty, year_of_study, residence, check_ins, last_check_in_at, last_score, last_uncertainty,
              last_direction_of_change, risk_level, place)), '[]'::jsonb), 'total',
         CASE
             WHEN (NULLIF(btrim(search), ''::text) IS NULL) THEN private.students_listed(university_id)
             ELSE private.students_found(university_id, btrim(search))
         END)
  AS jsonb_build_object;
END;

REVOKE ALL ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.log_access (
  action        public.audit_action,
  university_id text                DEFAULT NULL::text,
  student_id    uuid                DEFAULT NULL::uuid
)
  RETURNS boolean
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.log_access(action, university_id, student_id)
  AS log_access;
END;

REVOKE ALL ON FUNCTION "public"."log_access"(public.audit_action, text, uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.read_student (
  student_id uuid,
  scores     integer DEFAULT 50
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.read_student_as_counselor(student_id, LEAST(GREATEST(scores, 0), 200))
  AS read_student_as_counselor;
END;

REVOKE ALL ON FUNCTION "public"."read_student"(uuid, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.verify_audit_chain (
  from_entry bigint DEFAULT 1
)
  RETURNS TABLE (
    intact    boolean,
    entries   bigint,
    broken_at bigint,
    problem   text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT audit_chain_state.intact,
     audit_chain_state.entries,
     audit_chain_state.broken_at,
     audit_chain_state.problem
    FROM private.audit_chain_state(verify_audit_chain.from_entry) audit_chain_state(intact, entries, broken_at, problem);
END;

REVOKE ALL ON FUNCTION "public"."verify_audit_chain"(bigint) FROM PUBLIC, "anon";

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

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_body_length" CHECK (((char_length(body) >= 1) AND (char_length(body) <= 20000)));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_ended_at_when_ended"
    CHECK (((status = ANY (ARRAY['sent'::private.message_status, 'unconfirmed'::private.message_status, 'dead'::private.message_status])) = (ended_at IS NOT NULL)));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_lease_while_sending" CHECK (((status = 'sending'::private.message_status) = (lease_until IS NOT NULL)));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_purpose_form" CHECK ((purpose ~ '^[a-z_]{1,50}$'::text));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_recipient_unless_dead" CHECK (((recipient IS NOT NULL) OR (status = 'dead'::private.message_status)));

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_subject_length" CHECK ((char_length(subject) <= 200));

ALTER TABLE "private"."rate_limit_uses"
  ADD CONSTRAINT "rate_limit_uses_scope_fkey" FOREIGN KEY (scope) REFERENCES private.rate_limit_rules(scope) ON DELETE CASCADE;

ALTER TABLE "private"."transcript_results"
  ADD CONSTRAINT "transcript_results_check_in_id_fkey" FOREIGN KEY (check_in_id) REFERENCES checkin.check_ins(id) ON DELETE CASCADE;

ALTER TABLE "public"."assessment_sessions"
  ADD CONSTRAINT "assessment_sessions_session_data_object" CHECK ((jsonb_typeof(session_data) = 'object'::text));

ALTER TABLE "public"."assessment_sessions"
  ADD CONSTRAINT "assessment_sessions_session_data_size" CHECK ((pg_column_size(session_data) <= 65536));

ALTER TABLE "public"."audit_logs"
  ADD CONSTRAINT "audit_logs_details_object" CHECK ((jsonb_typeof(details) = 'object'::text));

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_claimed_at_unless_open" CHECK (((status = 'open'::public.review_status) = (claimed_at IS NULL)));

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_closed_at_when_closed" CHECK (((status = 'closed'::public.review_status) = (closed_at IS NOT NULL)));

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

ALTER TABLE "private"."outbox"
  ADD CONSTRAINT "outbox_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."student_days"
  ADD CONSTRAINT "student_days_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."transcript_results"
  ADD CONSTRAINT "transcript_results_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_claimed_by_fkey" FOREIGN KEY (claimed_by) REFERENCES public.profiles(user_id) ON DELETE SET NULL;

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_closed_by_fkey" FOREIGN KEY (closed_by) REFERENCES public.profiles(user_id) ON DELETE SET NULL;

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."profiles"
  ADD CONSTRAINT "profiles_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_analysis_object" CHECK ((jsonb_typeof(analysis) = 'object'::text));

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_measures_object" CHECK ((jsonb_typeof(measures) = 'object'::text));

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_pkey" PRIMARY KEY (session_id, modality);

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_quality_range" CHECK (((quality >= (0)::double precision) AND (quality <= (1)::double precision)));

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_session_id_fkey" FOREIGN KEY (session_id) REFERENCES public.assessment_sessions(id) ON DELETE CASCADE;

ALTER TABLE "public"."session_analyses"
  ADD CONSTRAINT "session_analyses_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."session_scores"
  ADD CONSTRAINT "session_scores_fusion_score_object" CHECK ((jsonb_typeof(fusion_score) = 'object'::text));

ALTER TABLE "public"."session_scores"
  ADD CONSTRAINT "session_scores_session_id_fkey" FOREIGN KEY (session_id) REFERENCES public.assessment_sessions(id) ON DELETE CASCADE;

ALTER TABLE "public"."session_scores"
  ADD CONSTRAINT "session_scores_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "public"."students"
  ADD CONSTRAINT "students_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE "private"."crisis_contacts"
  ADD CONSTRAINT "crisis_contacts_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE CASCADE;

ALTER TABLE "private"."listed_students"
  ADD CONSTRAINT "listed_students_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE CASCADE;

ALTER TABLE "public"."clinical_reviews"
  ADD CONSTRAINT "clinical_reviews_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE SET NULL;

ALTER TABLE "public"."cohort_days"
  ADD CONSTRAINT "cohort_days_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE CASCADE;

ALTER TABLE "public"."cohort_snapshots"
  ADD CONSTRAINT "cohort_snapshots_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE CASCADE;

ALTER TABLE "public"."profiles"
  ADD CONSTRAINT "profiles_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE SET NULL;

ALTER TABLE "public"."students"
  ADD CONSTRAINT "students_university_id_fkey" FOREIGN KEY (university_id) REFERENCES public.universities(id) ON DELETE SET NULL;

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

CREATE VIEW "private"."undelivered_messages" WITH (security_invoker=true) AS  SELECT id,
    channel,
    purpose,
    status,
    attempts,
    provider,
    error_code,
    created_at,
    ended_at
   FROM private.outbox
  WHERE (status = ANY (ARRAY['dead'::private.message_status, 'unconfirmed'::private.message_status]));

CREATE VIEW "public"."open_clinical_reviews" WITH (security_invoker=true) AS  SELECT r.id,
    r.university_id,
    r.user_id,
    p.first_name,
    p.last_name,
    r.source,
    r.risk_level,
    r.status,
    r.opened_at,
    r.claimed_at,
    r.claimed_by
   FROM (public.clinical_reviews r
     LEFT JOIN public.profiles p ON ((p.user_id = r.user_id)))
  WHERE (r.status <> 'closed'::public.review_status);

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "anon";

CREATE VIEW "public"."risk_by_cohort" WITH (security_invoker=true) AS  SELECT university_id,
    NULLIF(faculty, ''::text) AS faculty,
    NULLIF(year_of_study, ''::text) AS year_of_study,
    NULLIF(residence, ''::text) AS residence,
    as_of,
    sum(students) AS students,
    COALESCE(sum(students) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 7))), (0)::bigint) AS active_7d,
    COALESCE(sum(students) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 30))), (0)::bigint) AS active_30d,
    COALESCE(sum(students) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 90))), (0)::bigint) AS active_90d,
    COALESCE(sum(students) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 365))), (0)::bigint) AS active_1y,
    COALESCE(sum(high_risk) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 30))), (0)::bigint) AS high_risk_30d,
    COALESCE(sum(moderate_risk) FILTER (WHERE ((seen_within_days >= 1) AND (seen_within_days <= 30))), (0)::bigint) AS moderate_risk_30d
   FROM public.cohort_snapshots
  GROUP BY university_id, faculty, year_of_study, residence, as_of;

REVOKE ALL ON TABLE "public"."risk_by_cohort" FROM "anon";

CREATE VIEW "public"."wellbeing_by_day" WITH (security_invoker=true) AS  SELECT university_id,
    NULLIF(faculty, ''::text) AS faculty,
    NULLIF(year_of_study, ''::text) AS year_of_study,
    NULLIF(residence, ''::text) AS residence,
    day,
    students,
    completed AS assessments_completed,
    round(((score_sum / (completed)::double precision))::numeric, 2) AS average_score,
    round(((completed)::numeric / (ended)::numeric), 4) AS completion_rate
   FROM public.cohort_days;

REVOKE ALL ON TABLE "public"."wellbeing_by_day" FROM "anon";

CREATE INDEX audio_analysis_user_id_idx ON checkin.audio_analysis USING btree (user_id);

CREATE INDEX check_ins_created_expires_at_idx ON checkin.check_ins USING btree (expires_at)
  WHERE (status = 'created'::checkin.check_in_status);

CREATE INDEX check_ins_user_id_created_at_idx ON checkin.check_ins USING btree (user_id, created_at DESC);

CREATE INDEX fusion_results_user_id_created_at_idx ON checkin.fusion_results USING btree (user_id, created_at DESC);

CREATE INDEX text_analysis_user_id_idx ON checkin.text_analysis USING btree (user_id);

CREATE INDEX visual_analysis_user_id_idx ON checkin.visual_analysis USING btree (user_id);

CREATE INDEX analysis_jobs_next_dispatch_at_idx ON private.analysis_jobs USING btree (next_dispatch_at)
  WHERE (status = ANY (ARRAY['queued'::private.job_status, 'running'::private.job_status]));

CREATE INDEX outbox_due_idx ON private.outbox USING btree (send_at)
  WHERE (status = 'queued'::private.message_status);

CREATE INDEX outbox_ended_at_idx ON private.outbox USING btree (ended_at);

CREATE INDEX outbox_lease_until_idx ON private.outbox USING btree (lease_until)
  WHERE (status = 'sending'::private.message_status);

CREATE INDEX outbox_unreported_idx ON private.outbox USING btree (ended_at)
  WHERE ((status = ANY (ARRAY['dead'::private.message_status, 'unconfirmed'::private.message_status])) AND (reported_at IS NULL));

CREATE INDEX outbox_user_id_idx ON private.outbox USING btree (user_id);

CREATE INDEX rate_limit_uses_scope_idx ON private.rate_limit_uses USING btree (scope);

CREATE INDEX student_days_user_id_idx ON private.student_days USING btree (user_id);

CREATE INDEX transcript_results_check_in_id_idx ON private.transcript_results USING btree (check_in_id);

CREATE INDEX transcript_results_created_at_idx ON private.transcript_results USING btree (created_at);

CREATE INDEX audit_logs_action_idx ON public.audit_logs USING btree (action, occurred_at);

CREATE INDEX audit_logs_actor_id_idx ON public.audit_logs USING btree (actor_id, occurred_at);

CREATE INDEX audit_logs_target_idx ON public.audit_logs USING btree (target_type, target_id);

CREATE INDEX clinical_reviews_claimed_by_idx ON public.clinical_reviews USING btree (claimed_by);

CREATE INDEX clinical_reviews_closed_by_idx ON public.clinical_reviews USING btree (closed_by);

CREATE UNIQUE INDEX clinical_reviews_unclosed_source_idx ON public.clinical_reviews USING btree (source, source_id)
  WHERE (status <> 'closed'::public.review_status);

CREATE INDEX clinical_reviews_university_id_status_idx ON public.clinical_reviews USING btree (university_id, status, opened_at);

CREATE INDEX clinical_reviews_user_id_idx ON public.clinical_reviews USING btree (user_id);

CREATE INDEX profiles_university_id_name_idx ON public.profiles USING btree (university_id, last_name, first_name, user_id);

CREATE INDEX session_analyses_user_id_idx ON public.session_analyses USING btree (user_id);

CREATE INDEX session_scores_user_id_created_at_idx ON public.session_scores USING btree (user_id, created_at DESC);

CREATE INDEX students_counseled_last_check_in_idx ON public.students USING btree (university_id, last_check_in_at NULLS FIRST, user_id)
  WHERE counselor_access;

CREATE INDEX students_counseled_risk_idx ON public.students USING btree (university_id, risk_level, user_id)
  WHERE counselor_access;

CREATE INDEX students_counseled_score_idx ON public.students USING btree (university_id, last_score NULLS FIRST, user_id)
  WHERE counselor_access;

CREATE INDEX students_university_id_idx ON public.students USING btree (university_id);

CREATE INDEX user_roles_university_id_idx ON public.user_roles USING btree (university_id);

CREATE CONSTRAINT TRIGGER audit_sign_in
  AFTER INSERT ON auth.sessions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_sign_in();

CREATE TRIGGER create_profile
  AFTER INSERT ON auth.users
  FOR EACH ROW
  EXECUTE FUNCTION private.create_profile();

CREATE TRIGGER count_check_in
  AFTER UPDATE OF status ON checkin.check_ins
  FOR EACH ROW
  WHEN
    (((new.status <> old.status) AND ((new.status = ANY (ARRAY['complete'::checkin.check_in_status, 'failed'::checkin.check_in_status, 'expired'::checkin.check_in_status])) OR
    (old.status = 'failed'::checkin.check_in_status))))
  EXECUTE FUNCTION private.count_check_in();

CREATE TRIGGER review_high_risk
  AFTER UPDATE OF risk_level ON checkin.check_ins
  FOR EACH ROW
  WHEN (((new.risk_level = 'high'::checkin.risk_level) AND (old.risk_level IS DISTINCT FROM new.risk_level)))
  EXECUTE FUNCTION private.review_high_risk();

CREATE TRIGGER dispatch_new_jobs
  AFTER INSERT ON private.analysis_jobs REFERENCING NEW TABLE AS new_jobs
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.dispatch_new_jobs();

CREATE TRIGGER schedule_first_dispatch
  BEFORE INSERT ON private.analysis_jobs
  FOR EACH ROW
  EXECUTE FUNCTION private.schedule_first_dispatch();

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER UPDATE ON private.cohort_settings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((new.smallest_cohort <> old.smallest_cohort))
  EXECUTE FUNCTION private.audit_settings('only_row');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.crisis_contacts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('university_id');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.messaging_settings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('only_row');

CREATE TRIGGER dispatch_messages
  AFTER INSERT ON private.outbox REFERENCING NEW TABLE AS new_messages
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.dispatch_messages();

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.pipeline_settings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('only_row');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.rate_limit_rules DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('scope');

CREATE TRIGGER chain_audit_entry
  BEFORE INSERT ON public.audit_logs
  FOR EACH ROW
  EXECUTE FUNCTION private.chain_audit_entry();

CREATE TRIGGER prevent_audit_change
  BEFORE DELETE OR UPDATE ON public.audit_logs
  FOR EACH ROW
  EXECUTE FUNCTION private.prevent_audit_change();

CREATE TRIGGER prevent_audit_truncate
  BEFORE TRUNCATE ON public.audit_logs
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.prevent_audit_change();

CREATE CONSTRAINT TRIGGER audit_review
  AFTER UPDATE ON public.clinical_reviews DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((new.status <> old.status))
  EXECUTE FUNCTION private.audit_review();

CREATE TRIGGER guard_clinical_review
  BEFORE UPDATE ON public.clinical_reviews
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_clinical_review();

CREATE TRIGGER notify_crisis_contact
  AFTER INSERT ON public.clinical_reviews
  FOR EACH ROW
  EXECUTE FUNCTION private.notify_crisis_contact();

CREATE TRIGGER guard_consent
  BEFORE UPDATE ON public.consents
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_consent();

CREATE TRIGGER sync_counselor_access
  AFTER INSERT OR UPDATE ON public.consents
  FOR EACH ROW
  WHEN ((new.kind = 'counselor_access'::public.consent_kind))
  EXECUTE FUNCTION private.sync_counselor_access();

CREATE TRIGGER move_student
  AFTER UPDATE OF university_id ON public.profiles
  FOR EACH ROW
  WHEN ((new.university_id IS DISTINCT FROM old.university_id))
  EXECUTE FUNCTION private.move_student();

CREATE TRIGGER touch_updated_at
  BEFORE UPDATE ON public.profiles
  FOR EACH ROW
  EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER count_listed_student
  AFTER INSERT OR DELETE OR UPDATE OF university_id, counselor_access ON public.students
  FOR EACH ROW
  EXECUTE FUNCTION private.count_listed_student();

CREATE TRIGGER touch_updated_at
  BEFORE UPDATE ON public.students
  FOR EACH ROW
  EXECUTE FUNCTION private.touch_updated_at();

CREATE CONSTRAINT TRIGGER audit_university
  AFTER INSERT OR DELETE OR UPDATE ON public.universities DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_university();

CREATE TRIGGER touch_updated_at
  BEFORE UPDATE ON public.universities
  FOR EACH ROW
  EXECUTE FUNCTION private.touch_updated_at();

CREATE CONSTRAINT TRIGGER audit_role_changed
  AFTER UPDATE ON public.user_roles DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN (((new.role <> 'student'::public.app_role) OR (old.role <> 'student'::public.app_role)))
  EXECUTE FUNCTION private.audit_role();

CREATE CONSTRAINT TRIGGER audit_role_granted
  AFTER INSERT ON public.user_roles DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((new.role <> 'student'::public.app_role))
  EXECUTE FUNCTION private.audit_role();

CREATE CONSTRAINT TRIGGER audit_role_revoked
  AFTER DELETE ON public.user_roles DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((old.role <> 'student'::public.app_role))
  EXECUTE FUNCTION private.audit_role();

CREATE TRIGGER enrol_student
  AFTER INSERT ON public.user_roles
  FOR EACH ROW
  WHEN ((new.role = 'student'::public.app_role))
  EXECUTE FUNCTION private.enrol_student();

CREATE TRIGGER release_claims
  AFTER DELETE ON public.user_roles
  FOR EACH ROW
  WHEN ((old.role = 'counselor'::public.app_role))
  EXECUTE FUNCTION private.release_claims();

CREATE TRIGGER unenrol_student
  AFTER DELETE ON public.user_roles
  FOR EACH ROW
  WHEN ((old.role = 'student'::public.app_role))
  EXECUTE FUNCTION private.enrol_student();

CREATE POLICY "students see their own audio analyses" ON "checkin"."audio_analysis"
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

CREATE POLICY "students see their own visual analyses" ON "checkin"."visual_analysis"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "security administrators read the audit log" ON "public"."audit_logs"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "counselors claim and close the reviews of their universities" ON "public"."clinical_reviews"
  FOR UPDATE
  TO "authenticated"
  USING (((university_id IN ( SELECT private.universities_counseled() AS universities_counseled)) AND (user_id <> ( SELECT auth.uid() AS uid))))
  WITH CHECK (((university_id IN ( SELECT private.universities_counseled() AS universities_counseled)) AND (user_id <> ( SELECT auth.uid() AS uid))));

CREATE POLICY "counselors see the reviews of their universities" ON "public"."clinical_reviews"
  FOR SELECT
  TO "authenticated"
  USING (((university_id IN ( SELECT private.universities_counseled() AS universities_counseled)) AND (user_id <> ( SELECT auth.uid() AS uid))));

CREATE POLICY "administrators see their universities' days" ON "public"."cohort_days"
  FOR SELECT
  TO "authenticated"
  USING ((university_id = ANY (ARRAY( SELECT private.universities_administered() AS universities_administered))));

CREATE POLICY "administrators see their universities' risk" ON "public"."cohort_snapshots"
  FOR SELECT
  TO "authenticated"
  USING ((university_id = ANY (ARRAY( SELECT private.universities_administered() AS universities_administered))));

CREATE POLICY "people change their own profile" ON "public"."profiles"
  FOR UPDATE
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)))
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "people see their own profile" ON "public"."profiles"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see the analyses of their own sessions" ON "public"."session_analyses"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see the scores of their own sessions" ON "public"."session_scores"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students change their own enrolment" ON "public"."students"
  FOR UPDATE
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)))
  WITH CHECK ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students see their own enrolment" ON "public"."students"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "administrators change their universities" ON "public"."universities"
  FOR UPDATE
  TO "authenticated"
  USING ((id IN ( SELECT private.universities_administered() AS universities_administered)))
  WITH CHECK ((id IN ( SELECT private.universities_administered() AS universities_administered)));

CREATE POLICY "people see their universities, security administrators all" ON "public"."universities"
  FOR SELECT
  TO "authenticated"
  USING (((id IN ( SELECT private.universities_joined() AS universities_joined)) OR ( SELECT private.is_security_admin() AS is_security_admin)));

CREATE POLICY "people see their own roles" ON "public"."user_roles"
  FOR SELECT
  TO "authenticated"
  USING ((user_id = ( SELECT auth.uid() AS uid)));

CREATE POLICY "students receive broadcasts of their check-ins and sessions" ON "realtime"."messages"
  FOR SELECT
  TO "authenticated"
  USING
    (((EXTENSION = 'broadcast'::text) AND (( SELECT private.owns_check_in_channel(( SELECT realtime.topic() AS topic)) AS owns_check_in_channel) OR ( SELECT
    private.owns_session_channel(( SELECT realtime.topic() AS topic)) AS owns_session_channel))));

CREATE POLICY "students send broadcasts to their own sessions" ON "realtime"."messages"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((extension = 'broadcast'::text) AND ( SELECT private.owns_session_channel(( SELECT realtime.topic() AS topic)) AS owns_session_channel)));

CREATE POLICY "administrators remove shared files, students their own" ON "storage"."objects"
  FOR DELETE
  TO "authenticated"
  USING
    (((bucket_id = 'university-files'::text) AND ((((storage.foldername(name))[2] = 'shared'::text) AND ((storage.foldername(name))[1] IN ( SELECT
    private.universities_administered() AS universities_administered))) OR
    (((storage.foldername(name))[2] = 'students'::text) AND ((storage.foldername(name))[3] = (( SELECT auth.uid() AS uid))::text) AND ((storage.foldername(name))[1] IN ( SELECT
    private.universities_joined() AS universities_joined))))));

CREATE POLICY "members add files to their university" ON "storage"."objects"
  FOR INSERT
  TO "authenticated"
  WITH
    CHECK
    (((bucket_id = 'university-files'::text) AND ((((storage.foldername(name))[2] = 'shared'::text) AND (((storage.foldername(name))[1] IN ( SELECT
    private.universities_administered() AS universities_administered)) OR ((storage.foldername(name))[1] IN ( SELECT private.universities_counseled() AS universities_counseled))))
    OR
    (((storage.foldername(name))[2] = 'students'::text) AND ((storage.foldername(name))[3] = (( SELECT auth.uid() AS uid))::text) AND ((storage.foldername(name))[1] IN ( SELECT
    private.universities_joined() AS universities_joined))))));

CREATE POLICY "members read their university's files" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING
    (((bucket_id = 'university-files'::text) AND ((storage.foldername(name))[1] IN ( SELECT private.universities_joined() AS universities_joined)) AND
    (((storage.foldername(name))[2] = 'shared'::text) OR (((storage.foldername(name))[2] = 'students'::text) AND ((storage.foldername(name))[3] = (( SELECT auth.uid() AS
    uid))::text)))));

CREATE POLICY "students read their own check-in media" ON "storage"."objects"
  FOR SELECT
  TO "authenticated"
  USING (((bucket_id = 'check-in-media'::text) AND ((storage.foldername(name))[1] = (( SELECT auth.uid() AS uid))::text)));

COMMENT ON COLUMN "checkin"."audio_analysis"."alpha_ratio_db" IS 'Energy of 50 to 1000 Hz over 1 to 5 kHz, dB (eGeMAPS).';

COMMENT ON COLUMN "checkin"."audio_analysis"."articulation_rate_syllables_per_s" IS 'Syllable nuclei per second of speech.';

COMMENT ON COLUMN "checkin"."audio_analysis"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "checkin"."audio_analysis"."clipping_fraction" IS 'Fraction of samples at full scale, 0 to 1.';

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

COMMENT ON COLUMN "checkin"."audio_analysis"."phonation_ratio" IS 'Fraction of the time from the first speech to the last that is speech, 0 to 1.';

COMMENT ON COLUMN "checkin"."audio_analysis"."quality" IS 'Reliability of the measures, 0 to 1.';

COMMENT ON COLUMN "checkin"."audio_analysis"."quality_reason" IS 'What lowers the quality most; null when nothing does.';

COMMENT ON COLUMN "checkin"."audio_analysis"."shimmer_local" IS 'Mean absolute difference of neighbouring amplitudes over the mean amplitude, ratio.';

COMMENT ON COLUMN "checkin"."audio_analysis"."snr_db" IS 'Signal-to-noise ratio, dB.';

COMMENT ON COLUMN "checkin"."audio_analysis"."speech_rate_syllables_per_s" IS 'Syllable nuclei per second, from the first speech to the last.';

COMMENT ON COLUMN "checkin"."audio_analysis"."speech_run_mean_s" IS 'Mean length of speech between pauses, seconds.';

COMMENT ON COLUMN "checkin"."audio_analysis"."speech_s" IS 'Speech found, seconds.';

COMMENT ON COLUMN "checkin"."audio_analysis"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "checkin"."audio_analysis"."voice_break_fraction" IS 'Fraction of voiced segments lost to breaks, 0 to 1.';

COMMENT ON COLUMN "checkin"."audio_analysis"."voiced_fraction" IS 'Fraction of frames that are voiced, 0 to 1.';

COMMENT ON COLUMN "checkin"."check_ins"."completed_at" IS 'When it became complete or failed.';

COMMENT ON COLUMN "checkin"."check_ins"."created_at" IS 'When it was started.';

COMMENT ON COLUMN "checkin"."check_ins"."error_code" IS 'Why it failed; a code from docs/errors.md.';

COMMENT ON COLUMN "checkin"."check_ins"."expires_at" IS 'When it expires unless it is submitted.';

COMMENT ON COLUMN "checkin"."check_ins"."id" IS 'The check-in.';

COMMENT ON COLUMN "checkin"."check_ins"."progress" IS 'Fraction of the analysis that is done, 0 to 1.';

COMMENT ON COLUMN "checkin"."check_ins"."risk_level" IS 'Highest risk that was found, even if nothing could be scored.';

COMMENT ON COLUMN "checkin"."check_ins"."status" IS 'State of the check-in.';

COMMENT ON COLUMN "checkin"."check_ins"."submissions" IS 'How often the check-in was submitted for analysis; at most three times.';

COMMENT ON COLUMN "checkin"."check_ins"."submitted_at" IS 'When it was last submitted.';

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

COMMENT ON COLUMN "checkin"."fusion_results"."risk_level" IS 'Risk level; never below the result of the crisis-language check.';

COMMENT ON COLUMN "checkin"."fusion_results"."score" IS 'Wellbeing, 0 to 100; higher is better.';

COMMENT ON COLUMN "checkin"."fusion_results"."significance" IS 'How clearly the change stands out.';

COMMENT ON COLUMN "checkin"."fusion_results"."summary" IS 'One or two sentences for the student.';

COMMENT ON COLUMN "checkin"."fusion_results"."themes" IS 'Topics the student talked about.';

COMMENT ON COLUMN "checkin"."fusion_results"."uncertainty" IS 'Uncertainty of the score, 0 (certain) to 1.';

COMMENT ON COLUMN "checkin"."fusion_results"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "checkin"."text_analysis"."absolutist_rate" IS 'Absolutist words per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "checkin"."text_analysis"."coping_rate" IS 'Coping statements per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."created_at" IS 'When the analysis was stored.';

COMMENT ON COLUMN "checkin"."text_analysis"."crisis_level" IS 'Risk level found by the crisis-language check.';

COMMENT ON COLUMN "checkin"."text_analysis"."crisis_rule" IS 'Rule of the crisis-language check that matched; null if none.';

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

COMMENT ON COLUMN "checkin"."text_analysis"."quality" IS 'Reliability of the measures, 0 to 1.';

COMMENT ON COLUMN "checkin"."text_analysis"."quality_reason" IS 'What lowers the quality most; null when nothing does.';

COMMENT ON COLUMN "checkin"."text_analysis"."reading_grade" IS 'Reading grade of the transcript (Flesch-Kincaid), school years.';

COMMENT ON COLUMN "checkin"."text_analysis"."sentiment_compound" IS 'Mean compound sentiment of sentences, -1 to 1.';

COMMENT ON COLUMN "checkin"."text_analysis"."sentiment_negative" IS 'Fraction of negative sentiment, 0 to 1.';

COMMENT ON COLUMN "checkin"."text_analysis"."sentiment_positive" IS 'Fraction of positive sentiment, 0 to 1.';

COMMENT ON COLUMN "checkin"."text_analysis"."sentiment_variability" IS 'Standard deviation of the compound sentiment across sentences.';

COMMENT ON COLUMN "checkin"."text_analysis"."social_connection_rate" IS 'Words of social connection per 100 words.';

COMMENT ON COLUMN "checkin"."text_analysis"."stated_mood" IS 'Mood that the student stated as a number, 1 to 10.';

COMMENT ON COLUMN "checkin"."text_analysis"."themes" IS 'Topics the student talked about.';

COMMENT ON COLUMN "checkin"."text_analysis"."transcript_source" IS 'student if the app sent the transcript, transcribed if the service made it.';

COMMENT ON COLUMN "checkin"."text_analysis"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "checkin"."text_analysis"."words" IS 'Words in the transcript.';

COMMENT ON COLUMN "checkin"."user_baselines"."check_ins" IS 'Number of check-ins counted.';

COMMENT ON COLUMN "checkin"."user_baselines"."score_mean" IS 'Mean score, 0 to 100.';

COMMENT ON COLUMN "checkin"."user_baselines"."score_sd" IS 'Standard deviation of the score.';

COMMENT ON COLUMN "checkin"."user_baselines"."state" IS 'Mean and spread of every feature.';

COMMENT ON COLUMN "checkin"."user_baselines"."updated_at" IS 'When the last check-in was counted.';

COMMENT ON COLUMN "checkin"."user_baselines"."user_id" IS 'The student.';

COMMENT ON COLUMN "checkin"."user_baselines"."version" IS 'Incremented with every check-in that is counted.';

COMMENT ON COLUMN "checkin"."visual_analysis"."brow_lowering" IS 'Lowering of the brows over the eye span, ratio.';

COMMENT ON COLUMN "checkin"."visual_analysis"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "checkin"."visual_analysis"."created_at" IS 'When the analysis was stored.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_angry" IS 'Mean probability of the class angry, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_disgust" IS 'Mean probability of the class disgust, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_fear" IS 'Mean probability of the class fear, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_happy" IS 'Mean probability of the class happy, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_neutral" IS 'Mean probability of the class neutral, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_sad" IS 'Mean probability of the class sad, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_stability" IS 'Consistency of the classes across images, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."emotion_surprise" IS 'Mean probability of the class surprise, 0 to 1; weak evidence.';

COMMENT ON COLUMN "checkin"."visual_analysis"."expressivity" IS 'Spread of the expression measures across images.';

COMMENT ON COLUMN "checkin"."visual_analysis"."eye_closure_fraction" IS 'Fraction of images with closed eyes, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."eye_openness" IS 'Eye aspect ratio, mean of both eyes.';

COMMENT ON COLUMN "checkin"."visual_analysis"."gaze_down_fraction" IS 'Fraction of images looking down, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."gaze_on_camera_fraction" IS 'Fraction of images looking at the camera, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."head_pitch_mean_deg" IS 'Mean head pitch, degrees; negative looks down.';

COMMENT ON COLUMN "checkin"."visual_analysis"."head_yaw_sd_deg" IS 'Standard deviation of the head yaw, degrees.';

COMMENT ON COLUMN "checkin"."visual_analysis"."images_total" IS 'Images submitted.';

COMMENT ON COLUMN "checkin"."visual_analysis"."images_usable" IS 'Images in which exactly one face could be measured.';

COMMENT ON COLUMN "checkin"."visual_analysis"."mouth_openness" IS 'Inner lip gap over mouth width, ratio.';

COMMENT ON COLUMN "checkin"."visual_analysis"."quality" IS 'Reliability of the measures, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."quality_reason" IS 'What lowers the quality most; null when nothing does.';

COMMENT ON COLUMN "checkin"."visual_analysis"."smile_intensity" IS 'Smile from landmark geometry, 0 to 1.';

COMMENT ON COLUMN "checkin"."visual_analysis"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "private"."analysis_jobs"."attempts" IS 'Attempts so far. A worker passes the number that it was given, so that a late one changes nothing.';

COMMENT ON COLUMN "private"."analysis_jobs"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "private"."analysis_jobs"."created_at" IS 'When it was queued.';

COMMENT ON COLUMN "private"."analysis_jobs"."dispatches" IS 'How often the job was dispatched again since the last attempt.';

COMMENT ON COLUMN "private"."analysis_jobs"."error_code" IS 'Why the last attempt failed.';

COMMENT ON COLUMN "private"."analysis_jobs"."id" IS 'The job.';

COMMENT ON COLUMN "private"."analysis_jobs"."input" IS 'The slice or group to analyse.';

COMMENT ON COLUMN "private"."analysis_jobs"."kind" IS 'Which step it is.';

COMMENT ON COLUMN "private"."analysis_jobs"."lease_until" IS 'When the lease of the worker that runs it expires.';

COMMENT ON COLUMN "private"."analysis_jobs"."next_dispatch_at" IS 'When to dispatch the job again if no worker has claimed it.';

COMMENT ON COLUMN "private"."analysis_jobs"."ordinal" IS 'Number of the slice or group, from 0.';

COMMENT ON COLUMN "private"."analysis_jobs"."outcome" IS 'What the step found, for the merge.';

COMMENT ON COLUMN "private"."analysis_jobs"."status" IS 'State of the job.';

COMMENT ON COLUMN "private"."audit_head"."entries" IS 'Number of entries in the log.';

COMMENT ON COLUMN "private"."audit_head"."hash" IS 'Hash of the last entry.';

COMMENT ON COLUMN "private"."audit_head"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."check_in_inputs"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "private"."check_in_inputs"."conversation_duration" IS 'Length of the conversation, seconds.';

COMMENT ON COLUMN "private"."check_in_inputs"."crisis_level" IS 'Risk level found by the crisis-language check of the transcript.';

COMMENT ON COLUMN "private"."check_in_inputs"."crisis_rule" IS 'Rule of the crisis-language check that matched; null if none.';

COMMENT ON COLUMN "private"."check_in_inputs"."missing" IS 'Why a modality is missing: an object of reasons by modality.';

COMMENT ON COLUMN "private"."check_in_inputs"."mood_score" IS 'Self-reported mood, 1 to 10.';

COMMENT ON COLUMN "private"."check_in_inputs"."transcript" IS 'Transcript of what the student said, up to 100,000 characters.';

COMMENT ON COLUMN "private"."check_in_inputs"."transcript_source" IS 'student if the app sent the transcript, transcribed if the service made it.';

COMMENT ON COLUMN "private"."check_in_media"."bytes" IS 'Size, bytes.';

COMMENT ON COLUMN "private"."check_in_media"."check_in_id" IS 'The check-in.';

COMMENT ON COLUMN "private"."check_in_media"."etag" IS 'Entity tag returned by the Storage API.';

COMMENT ON COLUMN "private"."check_in_media"."info" IS 'What the file''s header says: container and duration, or format and dimensions.';

COMMENT ON COLUMN "private"."check_in_media"."kind" IS 'audio or image.';

COMMENT ON COLUMN "private"."check_in_media"."ordinal" IS 'Index among the media of its kind, from 0.';

COMMENT ON COLUMN "private"."check_in_media"."path" IS 'Object in the bucket check-in-media.';

COMMENT ON COLUMN "private"."cohort_settings"."aggregated_through" IS 'Last day (UTC) that the daily rollup has aggregated; null before the first.';

COMMENT ON COLUMN "private"."cohort_settings"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."cohort_settings"."smallest_cohort" IS 'Fewest students that a figure may cover; never below ten.';

COMMENT ON COLUMN "private"."crisis_contacts"."email" IS 'Email address that is monitored around the clock.';

COMMENT ON COLUMN "private"."crisis_contacts"."university_id" IS 'The university.';

COMMENT ON COLUMN "private"."listed_students"."students" IS 'Number of students with the consent counselor_access in force.';

COMMENT ON COLUMN "private"."listed_students"."university_id" IS 'The university.';

COMMENT ON COLUMN "private"."messaging_settings"."keep_sent" IS 'How long a sent message is kept.';

COMMENT ON COLUMN "private"."messaging_settings"."lease" IS 'How long a sender may keep a message before its attempt counts as lost; longer than the slowest provider.';

COMMENT ON COLUMN "private"."messaging_settings"."longest_backoff" IS 'Longest delay between attempts.';

COMMENT ON COLUMN "private"."messaging_settings"."max_attempts" IS 'Attempts before a message is dead.';

COMMENT ON COLUMN "private"."messaging_settings"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."messaging_settings"."retry_backoff" IS 'Delay after a failed attempt; doubles with every attempt.';

COMMENT ON COLUMN "private"."outbox"."attempts" IS 'Attempts so far. A sender passes the number that it was given, so that a late one changes nothing.';

COMMENT ON COLUMN "private"."outbox"."body" IS 'Body, plain text.';

COMMENT ON COLUMN "private"."outbox"."channel" IS 'Email or text message.';

COMMENT ON COLUMN "private"."outbox"."created_at" IS 'When it was stored.';

COMMENT ON COLUMN "private"."outbox"."ended_at" IS 'When it became sent, unconfirmed or dead.';

COMMENT ON COLUMN "private"."outbox"."error_code" IS 'Why the last attempt failed.';

COMMENT ON COLUMN "private"."outbox"."id" IS 'The message; also its idempotency key at the provider.';

COMMENT ON COLUMN "private"."outbox"."lease_until" IS 'When the lease of the sender that has it expires.';

COMMENT ON COLUMN "private"."outbox"."provider" IS 'Provider of the last attempt.';

COMMENT ON COLUMN "private"."outbox"."provider_called_at" IS 'When the current attempt called the provider; from then on the message may have been sent.';

COMMENT ON COLUMN "private"."outbox"."provider_message_id" IS 'The provider''s id of the message.';

COMMENT ON COLUMN "private"."outbox"."purpose" IS 'What it is for, such as clinical_review.';

COMMENT ON COLUMN "private"."outbox"."recipient" IS 'Email address or phone number (E.164); null when there is none.';

COMMENT ON COLUMN "private"."outbox"."reported_at" IS 'When the log reported that it is dead or unconfirmed.';

COMMENT ON COLUMN "private"."outbox"."send_at" IS 'Earliest time to send it.';

COMMENT ON COLUMN "private"."outbox"."status" IS 'State of the message.';

COMMENT ON COLUMN "private"."outbox"."subject" IS 'Subject of an email.';

COMMENT ON COLUMN "private"."outbox"."user_id" IS 'The student it is about; the message is deleted with the account.';

COMMENT ON COLUMN "private"."pipeline_settings"."dispatch_grace" IS 'How long a queued job waits for its worker before it is dispatched again.';

COMMENT ON COLUMN "private"."pipeline_settings"."fail_after" IS 'How old an unfinished job may be, attempted or not, before it has failed.';

COMMENT ON COLUMN "private"."pipeline_settings"."lease" IS 'How long a worker may keep a job before another may claim it; longer than the slowest request.';

COMMENT ON COLUMN "private"."pipeline_settings"."max_attempts" IS 'Attempts before a job has failed.';

COMMENT ON COLUMN "private"."pipeline_settings"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."pipeline_settings"."retry_backoff" IS 'Delay after a failed attempt; doubles with every attempt.';

COMMENT ON COLUMN "private"."pipeline_settings"."transcription_lease" IS 'The lease of a transcription, which waits for a provider; longer than TRANSCRIPTION_TIMEOUT_MS.';

COMMENT ON COLUMN "private"."rate_limit_rules"."period" IS 'Length of the sliding window.';

COMMENT ON COLUMN "private"."rate_limit_rules"."requests" IS 'Requests allowed within any one period.';

COMMENT ON COLUMN "private"."rate_limit_rules"."scope" IS 'What is limited, named after the function or route.';

COMMENT ON COLUMN "private"."rate_limit_uses"."scope" IS 'What was requested.';

COMMENT ON COLUMN "private"."rate_limit_uses"."subject" IS 'The account; when nobody is signed in, a digest of what identifies the caller.';

COMMENT ON COLUMN "private"."rate_limit_uses"."used_at" IS 'When each request of the window was allowed, oldest first.';

COMMENT ON COLUMN "private"."student_days"."completed" IS 'Completed check-ins.';

COMMENT ON COLUMN "private"."student_days"."day" IS 'Day (UTC) on which the check-ins ended.';

COMMENT ON COLUMN "private"."student_days"."ended" IS 'Check-ins that became complete, failed or expired.';

COMMENT ON COLUMN "private"."student_days"."score_sum" IS 'Sum of their scores.';

COMMENT ON COLUMN "private"."student_days"."user_id" IS 'The student.';

COMMENT ON COLUMN "private"."transcript_results"."check_in_id" IS 'The check-in it belongs to; null if the app named none.';

COMMENT ON COLUMN "private"."transcript_results"."created_at" IS 'When it was stored.';

COMMENT ON COLUMN "private"."transcript_results"."id" IS 'The analysis.';

COMMENT ON COLUMN "private"."transcript_results"."provider" IS 'What made the result: language-model, built-in or fallback.';

COMMENT ON COLUMN "private"."transcript_results"."result" IS 'The result as it was returned.';

COMMENT ON COLUMN "private"."transcript_results"."risk_level" IS 'Risk level; never below the result of the crisis-language check.';

COMMENT ON COLUMN "private"."transcript_results"."transcript_sha256" IS 'SHA-256 of the transcript, to recognise a repeated call.';

COMMENT ON COLUMN "private"."transcript_results"."user_id" IS 'The student.';

COMMENT ON COLUMN "public"."assessment_sessions"."assessment_type" IS 'Occasion of the session.';

COMMENT ON COLUMN "public"."assessment_sessions"."created_at" IS 'When the session began.';

COMMENT ON COLUMN "public"."assessment_sessions"."id" IS 'The session.';

COMMENT ON COLUMN "public"."assessment_sessions"."session_data" IS 'The app''s own data, such as platform and widget_type; at most 64 kB.';

COMMENT ON COLUMN "public"."assessment_sessions"."status" IS 'processing until the app sets completed or failed.';

COMMENT ON COLUMN "public"."assessment_sessions"."updated_at" IS 'Set by the app when it updates the session.';

COMMENT ON COLUMN "public"."audit_logs"."action" IS 'What was done.';

COMMENT ON COLUMN "public"."audit_logs"."actor_id" IS 'Account that did it; null for an operator, a job or an unknown caller.';

COMMENT ON COLUMN "public"."audit_logs"."actor_role" IS 'Database role that did it: authenticated, service_role, postgres or anon.';

COMMENT ON COLUMN "public"."audit_logs"."after" IS 'The columns that changed, as they became; the whole row when it was added.';

COMMENT ON COLUMN "public"."audit_logs"."before" IS 'The columns that changed, as they were; the whole row when it was deleted.';

COMMENT ON COLUMN "public"."audit_logs"."details" IS 'Further details, such as why a sign-in failed.';

COMMENT ON COLUMN "public"."audit_logs"."hash" IS 'SHA-256 of previous_hash and everything in this entry.';

COMMENT ON COLUMN "public"."audit_logs"."id" IS 'Position in the chain, from 1, without gaps.';

COMMENT ON COLUMN "public"."audit_logs"."ip" IS 'IP address that the request claims to come from.';

COMMENT ON COLUMN "public"."audit_logs"."occurred_at" IS 'When the entry was written.';

COMMENT ON COLUMN "public"."audit_logs"."previous_hash" IS 'Hash of the previous entry; 32 zero bytes for the first.';

COMMENT ON COLUMN "public"."audit_logs"."request_id" IS 'Id of the request in the logs of the edge functions.';

COMMENT ON COLUMN "public"."audit_logs"."target_id" IS 'Key of the row it was done to.';

COMMENT ON COLUMN "public"."audit_logs"."target_type" IS 'Table of the row it was done to.';

COMMENT ON COLUMN "public"."audit_logs"."university_id" IS 'University it concerns.';

COMMENT ON COLUMN "public"."audit_logs"."user_agent" IS 'User agent that the request claims.';

COMMENT ON COLUMN "public"."clinical_reviews"."claimed_at" IS 'When a counselor claimed it; null while it is open.';

COMMENT ON COLUMN "public"."clinical_reviews"."claimed_by" IS 'The counselor who claimed it.';

COMMENT ON COLUMN "public"."clinical_reviews"."closed_at" IS 'When it was closed.';

COMMENT ON COLUMN "public"."clinical_reviews"."closed_by" IS 'The counselor who closed it.';

COMMENT ON COLUMN "public"."clinical_reviews"."id" IS 'The review.';

COMMENT ON COLUMN "public"."clinical_reviews"."opened_at" IS 'When it was opened.';

COMMENT ON COLUMN "public"."clinical_reviews"."risk_level" IS 'Risk level that opened the review.';

COMMENT ON COLUMN "public"."clinical_reviews"."source" IS 'Where the risk was found.';

COMMENT ON COLUMN "public"."clinical_reviews"."source_id" IS 'The check-in, the session or the transcript result.';

COMMENT ON COLUMN "public"."clinical_reviews"."status" IS 'State of the review.';

COMMENT ON COLUMN "public"."clinical_reviews"."university_id" IS 'University whose counselors see it.';

COMMENT ON COLUMN "public"."clinical_reviews"."user_id" IS 'The student.';

COMMENT ON COLUMN "public"."cohort_days"."completed" IS 'Completed check-ins.';

COMMENT ON COLUMN "public"."cohort_days"."day" IS 'The day, UTC.';

COMMENT ON COLUMN "public"."cohort_days"."ended" IS 'Check-ins that became complete, failed or expired.';

COMMENT ON COLUMN "public"."cohort_days"."faculty" IS 'Faculty; empty for all.';

COMMENT ON COLUMN "public"."cohort_days"."grain" IS 'Sum of the dimensions that the row is limited to: faculty (4), year of study (2), residence (1).';

COMMENT ON COLUMN "public"."cohort_days"."residence" IS 'Residence; empty for all.';

COMMENT ON COLUMN "public"."cohort_days"."score_sum" IS 'Sum of their scores; divided by completed it is the average score.';

COMMENT ON COLUMN "public"."cohort_days"."students" IS 'Number of students who completed a check-in.';

COMMENT ON COLUMN "public"."cohort_days"."university_id" IS 'The university.';

COMMENT ON COLUMN "public"."cohort_days"."year_of_study" IS 'Year of study; empty for all.';

COMMENT ON COLUMN "public"."cohort_snapshots"."as_of" IS 'Day that the snapshot is of.';

COMMENT ON COLUMN "public"."cohort_snapshots"."faculty" IS 'Faculty; empty for all.';

COMMENT ON COLUMN "public"."cohort_snapshots"."grain" IS 'Sum of the dimensions that the row is limited to: faculty (4), year of study (2), residence (1).';

COMMENT ON COLUMN "public"."cohort_snapshots"."high_risk" IS 'Number of them whose last check-in showed high risk.';

COMMENT ON COLUMN "public"."cohort_snapshots"."moderate_risk" IS 'Number of them whose last check-in showed moderate risk.';

COMMENT ON COLUMN "public"."cohort_snapshots"."residence" IS 'Residence; empty for all.';

COMMENT ON COLUMN "public"."cohort_snapshots"."seen_within_days" IS 'Shortest window of 7, 30, 90 or 365 days that contains the last check-in; 0 for longer ago, never, or too few students to tell.';

COMMENT ON COLUMN "public"."cohort_snapshots"."students" IS 'Number of students.';

COMMENT ON COLUMN "public"."cohort_snapshots"."university_id" IS 'The university.';

COMMENT ON COLUMN "public"."cohort_snapshots"."year_of_study" IS 'Year of study; empty for all.';

COMMENT ON COLUMN "public"."consents"."granted_at" IS 'When the student agreed.';

COMMENT ON COLUMN "public"."consents"."id" IS 'The consent.';

COMMENT ON COLUMN "public"."consents"."kind" IS 'What was agreed to.';

COMMENT ON COLUMN "public"."consents"."version" IS 'Version of the consent text that was shown.';

COMMENT ON COLUMN "public"."consents"."withdrawn_at" IS 'When the student withdrew it; null while it is in force.';

COMMENT ON COLUMN "public"."profiles"."created_at" IS 'When the row was created.';

COMMENT ON COLUMN "public"."profiles"."first_name" IS 'First name, as the person writes it.';

COMMENT ON COLUMN "public"."profiles"."last_name" IS 'Last name, as the person writes it.';

COMMENT ON COLUMN "public"."profiles"."university_id" IS 'University of the account: the one with its email domain, or else the one named at sign-up if that accepts other domains.';

COMMENT ON COLUMN "public"."profiles"."updated_at" IS 'When the row was last changed.';

COMMENT ON COLUMN "public"."profiles"."user_id" IS 'The account.';

COMMENT ON COLUMN "public"."session_analyses"."analysis" IS 'The analysis as it was returned.';

COMMENT ON COLUMN "public"."session_analyses"."created_at" IS 'When the analysis was stored.';

COMMENT ON COLUMN "public"."session_analyses"."measures" IS 'What the score is calculated from: features by name, and details of the transcript.';

COMMENT ON COLUMN "public"."session_analyses"."modality" IS 'What was analysed.';

COMMENT ON COLUMN "public"."session_analyses"."quality" IS 'Reliability of the measures, 0 to 1.';

COMMENT ON COLUMN "public"."session_analyses"."quality_reason" IS 'What lowers the quality most; null when nothing does.';

COMMENT ON COLUMN "public"."session_analyses"."risk_level" IS 'Risk level found by the crisis-language check of the transcript.';

COMMENT ON COLUMN "public"."session_analyses"."session_id" IS 'The session.';

COMMENT ON COLUMN "public"."session_analyses"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "public"."session_scores"."algorithm_version" IS 'Version of the fusion.';

COMMENT ON COLUMN "public"."session_scores"."confidence" IS 'Confidence in the score, 0 to 1 (certain).';

COMMENT ON COLUMN "public"."session_scores"."created_at" IS 'When the score was stored.';

COMMENT ON COLUMN "public"."session_scores"."final_score" IS 'Wellbeing, 0 to 100; higher is better.';

COMMENT ON COLUMN "public"."session_scores"."fusion_score" IS 'The score as it was returned.';

COMMENT ON COLUMN "public"."session_scores"."risk_level" IS 'Risk level; never below the result of the crisis-language check.';

COMMENT ON COLUMN "public"."session_scores"."session_id" IS 'The session.';

COMMENT ON COLUMN "public"."session_scores"."user_id" IS 'The student who owns it.';

COMMENT ON COLUMN "public"."students"."check_ins" IS 'Number of completed check-ins.';

COMMENT ON COLUMN "public"."students"."counselor_access" IS 'Whether the consent counselor_access is in force.';

COMMENT ON COLUMN "public"."students"."created_at" IS 'When the row was created.';

COMMENT ON COLUMN "public"."students"."faculty" IS 'Faculty, as the student or the university names it.';

COMMENT ON COLUMN "public"."students"."last_check_in_at" IS 'When the last check-in became complete or failed.';

COMMENT ON COLUMN "public"."students"."last_direction_of_change" IS 'Its direction of change.';

COMMENT ON COLUMN "public"."students"."last_score" IS 'Score of the last completed check-in, 0 to 100.';

COMMENT ON COLUMN "public"."students"."last_uncertainty" IS 'Its uncertainty, 0 to 1.';

COMMENT ON COLUMN "public"."students"."residence" IS 'Residence, such as on_campus.';

COMMENT ON COLUMN "public"."students"."risk_level" IS 'Risk level of the last check-in that ended.';

COMMENT ON COLUMN "public"."students"."university_id" IS 'University of the profile.';

COMMENT ON COLUMN "public"."students"."updated_at" IS 'When the row was last changed.';

COMMENT ON COLUMN "public"."students"."user_id" IS 'The student.';

COMMENT ON COLUMN "public"."students"."year_of_study" IS 'Year of study, such as 1 or postgraduate.';

COMMENT ON COLUMN "public"."universities"."accepts_other_domains" IS 'Whether students whose email domain belongs to no university may join by naming this one.';

COMMENT ON COLUMN "public"."universities"."assessment_frequency" IS 'How often students are invited to check in: daily, twice_weekly, weekly, biweekly or monthly.';

COMMENT ON COLUMN "public"."universities"."created_at" IS 'When the row was created.';

COMMENT ON COLUMN "public"."universities"."crisis_phone" IS 'Phone number that is staffed around the clock; shown with every result.';

COMMENT ON COLUMN "public"."universities"."domain" IS 'Email domain that assigns a new account to the university.';

COMMENT ON COLUMN "public"."universities"."features_enabled" IS 'Features that the university has enabled: check_ins, sessions, text_model, support_circle, counselor_access, training.';

COMMENT ON COLUMN "public"."universities"."id" IS 'Short lower-case name, used as university_id everywhere.';

COMMENT ON COLUMN "public"."universities"."logo_url" IS 'URL of the logo.';

COMMENT ON COLUMN "public"."universities"."name" IS 'Full name.';

COMMENT ON COLUMN "public"."universities"."primary_color" IS 'Main brand colour, #rrggbb.';

COMMENT ON COLUMN "public"."universities"."privacy_settings" IS 'The university''s privacy settings, a JSON object.';

COMMENT ON COLUMN "public"."universities"."resources" IS 'Support on campus: array of {name, phone, website}.';

COMMENT ON COLUMN "public"."universities"."secondary_color" IS 'Second brand colour, #rrggbb.';

COMMENT ON COLUMN "public"."universities"."short_name" IS 'Name for small screens.';

COMMENT ON COLUMN "public"."universities"."support_email" IS 'Email address of the student support office.';

COMMENT ON COLUMN "public"."universities"."updated_at" IS 'When the row was last changed.';

COMMENT ON COLUMN "public"."user_roles"."created_at" IS 'When the role was granted.';

COMMENT ON COLUMN "public"."user_roles"."id" IS 'The row.';

COMMENT ON COLUMN "public"."user_roles"."role" IS 'The role.';

COMMENT ON COLUMN "public"."user_roles"."university_id" IS 'University where the role applies; null for security_admin and for students without a university.';

COMMENT ON COLUMN "public"."user_roles"."user_id" IS 'The account.';

COMMENT ON EXTENSION "pg_cron" IS 'Job scheduler for PostgreSQL';

COMMENT ON EXTENSION "pg_net" IS 'Async HTTP';

COMMENT ON FUNCTION "private"."advance_check_in"(uuid) IS 'Queues the steps that have become possible and broadcasts the progress. Called by the pipeline with the check-in locked.';

COMMENT ON FUNCTION "private"."aggregated_through"() IS 'Last day that the daily rollup has aggregated; every range ends with it. Called by the functions public.analytics_*.';

COMMENT ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) IS 'Appends to the audit log. Locks the chain until the transaction ends, so it comes last in it. Called by triggers and by the edge functions.';

COMMENT ON FUNCTION "private"."audit_chain_state"(bigint) IS 'Result of public.verify_audit_chain, which calls it.';

COMMENT ON FUNCTION "private"."audit_hash"(public.audit_logs) IS 'The hash that an entry must have. Called where entries are written and verified.';

COMMENT ON FUNCTION "private"."audit_review"() IS 'Trigger: logs clinical reviews that are claimed, released or closed.';

COMMENT ON FUNCTION "private"."audit_role"() IS 'Trigger: logs roles of staff that are granted, changed or revoked.';

COMMENT ON FUNCTION "private"."audit_settings"() IS 'Trigger: logs changes of an operator''s settings; its argument is the key column.';

COMMENT ON FUNCTION "private"."audit_sign_in"() IS 'Trigger on auth.sessions: logs sign-ins, with the address that Auth stores.';

COMMENT ON FUNCTION "private"."audit_university"() IS 'Trigger: logs changes of universities, before and after.';

COMMENT ON FUNCTION "private"."broadcast_check_in"(uuid, text, jsonb) IS 'Broadcasts on the channel of a check-in when the transaction commits. Called by the pipeline.';

COMMENT ON FUNCTION "private"."broadcast_session"(uuid, text, jsonb) IS 'Broadcasts on the channel of a session when the transaction commits. Called by the functions that store results of sessions.';

COMMENT ON FUNCTION "private"."broadcast_session_error"(uuid, uuid, jsonb) IS 'Broadcasts that a request for the session failed: {error, analysis_type?}. Called by the analysis functions.';

COMMENT ON FUNCTION "private"."call_function"(text, jsonb) IS 'Sends a database webhook to one of the project''s edge functions. Called by the queue and the outbox.';

COMMENT ON FUNCTION "private"."chain_audit_entry"() IS 'Trigger: sets position, time and hash of an entry, whatever the statement says; one transaction at a time.';

COMMENT ON FUNCTION "private"."changed_columns"(jsonb, jsonb) IS 'The columns of a row that differ from another row. Called by the audit triggers.';

COMMENT ON FUNCTION "private"."check_in_view"(uuid) IS 'A check-in as the API returns it and the channel broadcasts it. Called by the pipeline and by the function checkins.';

COMMENT ON FUNCTION "private"."claim_job"(uuid) IS 'Claims a job for one attempt; no row when another worker has it or it has ended. Called by the workers.';

COMMENT ON FUNCTION "private"."claim_messages"(integer) IS 'Claims messages that are due, for one attempt each; no two senders get the same one. Called by deliver-messages.';

COMMENT ON FUNCTION "private"."cohort_grain"(text, text, text) IS 'Grain of a cohort''s rows in cohort_days and cohort_snapshots. Called by the functions public.analytics_*.';

COMMENT ON FUNCTION "private"."consume_rate_limit"(uuid, text) IS 'Counts one request: whether it is allowed, the limit, the requests remaining, and the seconds until another one is free. Called by the edge functions when nobody is signed in.';

COMMENT ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) IS 'Counts one request of an account, as private.consume_rate_limit does; no row when the account was deleted. Called by the edge functions.';

COMMENT ON FUNCTION "private"."count_check_in"() IS 'Trigger: counts a check-in that ended in private.student_days and public.students, once however often it is submitted.';

COMMENT ON FUNCTION "private"."count_listed_student"() IS 'Trigger: keeps private.listed_students up to date.';

COMMENT ON FUNCTION "private"."create_profile"() IS 'Trigger on auth.users: creates the profile and grants the student role.';

COMMENT ON FUNCTION "private"."crisis_resources"(uuid) IS 'Help that is shown with every result: array of {name, phone, website}. Called by private.check_in_view and by the edge functions.';

COMMENT ON FUNCTION "private"."dispatch_due_jobs"() IS 'Dispatches jobs again that no worker claimed or whose worker was lost, with backoff; fails those that are out of attempts; returns how many it dispatched. Called by cron.';

COMMENT ON FUNCTION "private"."dispatch_due_messages"() IS 'Ends attempts whose sender was lost, and dispatches messages that are due or must be reported. Called by cron.';

COMMENT ON FUNCTION "private"."dispatch_job"(uuid, private.job_kind) IS 'Sends the webhook that announces a job to its worker. Called by the queue alone.';

COMMENT ON FUNCTION "private"."dispatch_messages"() IS 'Trigger: dispatches new messages that are due, and those without a recipient, which are only reported.';

COMMENT ON FUNCTION "private"."dispatch_new_jobs"() IS 'Trigger: dispatches each job that was just queued.';

COMMENT ON FUNCTION "private"."enrol_student"() IS 'Trigger: keeps a row in students for each account with the student role, and for no other.';

COMMENT ON FUNCTION "private"."expire_check_ins"() IS 'Expires check-ins that were started and never submitted. Called by cron.';

COMMENT ON FUNCTION "private"."export_data"() IS 'Implementation of public.export_my_data, which calls it.';

COMMENT ON FUNCTION "private"."fail_check_in"(uuid, text) IS 'Fails a check-in that cannot be scored. Called by the pipeline with the check-in locked.';

COMMENT ON FUNCTION "private"."fail_check_in_for_job"(uuid, smallint, text, checkin.risk_level) IS 'Fails the check-in of a fusion job that has nothing to score, and keeps the risk that was found. Called by the fusion worker.';

COMMENT ON FUNCTION "private"."fail_job"(uuid, smallint, text, boolean) IS 'Ends an attempt that failed: the job is queued again with backoff, or has failed. False when the attempt is no longer the current one. Called by the workers.';

COMMENT ON FUNCTION "private"."finish_job"(uuid, smallint, jsonb) IS 'Stores what a job found and the end of the job in one transaction; false when the attempt is no longer the current one. Called by the workers.';

COMMENT ON FUNCTION "private"."fusion_input"(uuid) IS 'Everything that the fusion of a check-in reads, in one snapshot, limited to the consents in force. Called by the fusion worker.';

COMMENT ON FUNCTION "private"."guard_clinical_review"() IS 'Trigger: allows only valid transitions, each with the server''s time and the caller''s account; only the counselor who claimed a review may release or close it.';

COMMENT ON FUNCTION "private"."guard_consent"() IS 'Trigger: a withdrawal gets the server''s time and cannot be undone.';

COMMENT ON FUNCTION "private"."has_consent"(uuid, public.consent_kind) IS 'Whether the student''s consent of this kind is in force. Called by the pipeline, the sessions and the edge functions.';

COMMENT ON FUNCTION "private"."has_role"(uuid, public.app_role, text) IS 'Whether an account has a role at a university; security_admin applies everywhere. Called by the edge functions and by private.student_page.';

COMMENT ON FUNCTION "private"."is_security_admin"() IS 'Whether the caller is a security administrator. Called by policies.';

COMMENT ON FUNCTION "private"."list_reviews_as_counselor"() IS 'Implementation of public.list_open_reviews, which calls it.';

COMMENT ON FUNCTION "private"."lock_check_in_for_job"(uuid) IS 'Locks the check-in of a job if it is processing, and returns it; null otherwise. Called by the functions that end a job.';

COMMENT ON FUNCTION "private"."lock_session"(uuid, uuid) IS 'Locks a student''s session; false when the student has no such session. Called by the functions that store results of sessions.';

COMMENT ON FUNCTION "private"."log_access"(public.audit_action, text, uuid) IS 'Implementation of public.log_access, which calls it.';

COMMENT ON FUNCTION "private"."mark_provider_call"(uuid, smallint) IS 'Stores that the sender is about to call the provider; false when the attempt is no longer the current one. Called by deliver-messages.';

COMMENT ON FUNCTION "private"."move_student"() IS 'Trigger: copies the university of the profile to students.';

COMMENT ON FUNCTION "private"."notify_crisis_contact"() IS 'Trigger: queues the message to the university''s crisis contact.';

COMMENT ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) IS 'Opens a review unless one of the same source is open or claimed. Called wherever a high risk is stored.';

COMMENT ON FUNCTION "private"."owns_check_in_channel"(text) IS 'Whether a topic is the channel of one of the caller''s check-ins. Called by the policies on realtime.messages.';

COMMENT ON FUNCTION "private"."owns_session_channel"(text) IS 'Whether a topic is the channel of one of the caller''s sessions. Called by the policies on realtime.messages.';

COMMENT ON FUNCTION "private"."personal_data_of"(uuid) IS 'Personal data of a student as JSON: everything except files and clinical reviews. Called by private.export_data.';

COMMENT ON FUNCTION "private"."prevent_audit_change"() IS 'Trigger: nobody changes or deletes an entry of the audit log.';

COMMENT ON FUNCTION "private"."purge_rate_limit_uses"() IS 'Deletes rows without a request since yesterday. Called by cron.';

COMMENT ON FUNCTION "private"."purge_sent_messages"() IS 'Deletes messages that were sent longer ago than keep_sent. Called by cron.';

COMMENT ON FUNCTION "private"."purge_transcript_results"() IS 'Deletes results older than 90 days. Called by cron.';

COMMENT ON FUNCTION "private"."range_days"(text) IS 'Number of days of the range 7d, 30d, 90d or 1y; null for any other. Called by the functions public.analytics_*.';

COMMENT ON FUNCTION "private"."read_student_as_counselor"(uuid, integer) IS 'Implementation of public.read_student, which calls it.';

COMMENT ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) IS 'Stores the outcome of an attempt and the state that follows from it; null when the attempt is no longer the current one. Called by deliver-messages.';

COMMENT ON FUNCTION "private"."release_claims"() IS 'Trigger: reopens the reviews claimed by somebody who is no longer a counselor.';

COMMENT ON FUNCTION "private"."report_undelivered_messages"() IS 'Messages that are dead or unconfirmed, each returned once. Called by deliver-messages, which logs them.';

COMMENT ON FUNCTION "private"."request_header"(text) IS 'A header of the request that PostgREST is handling; null elsewhere. Called by private.audit.';

COMMENT ON FUNCTION "private"."request_ip"() IS 'IP address that the request claims to come from; null when it claims none. Called by private.audit.';

COMMENT ON FUNCTION "private"."requeue_message"(uuid) IS 'Queues a dead or unconfirmed message as if it were new; false when there is no such message with a recipient. Called by an operator.';

COMMENT ON FUNCTION "private"."require_access_log"(public.audit_action, text, uuid) IS 'Raises an error unless the caller logged this access within the last minute. Called by the functions that counselors call.';

COMMENT ON FUNCTION "private"."review_high_risk"() IS 'Trigger: a check-in with high risk opens a clinical review.';

COMMENT ON FUNCTION "private"."roll_up_days"(date) IS 'The daily rollup: aggregates all days up to one that is over, and takes the snapshot of students at its end. Running it again for a day does nothing. Called by cron.';

COMMENT ON FUNCTION "private"."rollup_lock"() IS 'Key of the advisory lock that counting a check-in takes shared and the daily rollup takes exclusively. Called by both.';

COMMENT ON FUNCTION "private"."schedule_first_dispatch"() IS 'Trigger: sets when to dispatch a new job again in case the first webhook is lost.';

COMMENT ON FUNCTION "private"."session_score_input"(uuid, uuid) IS 'Everything that the score of a session reads, in one snapshot; null when the session is not the student''s. Called by calculate-wellbeing-score.';

COMMENT ON FUNCTION "private"."store_fusion_result"(uuid, smallint, jsonb, jsonb, integer) IS 'Stores the score, the baseline and the end of a check-in in one transaction. Returns stored, baseline_moved (the baseline has changed: read the input again) or stale (the attempt is no longer the current one). Called by the fusion worker.';

COMMENT ON FUNCTION "private"."store_session_analysis"(uuid, uuid, jsonb) IS 'Replaces the session''s analysis of a modality, opens a review on high risk and broadcasts it, in one transaction; false when the session is not the student''s. Called by the analysis functions.';

COMMENT ON FUNCTION "private"."store_session_score"(uuid, uuid, jsonb) IS 'Replaces the session''s score, opens a review on high risk and broadcasts it, in one transaction; false when the session is not the student''s. Called by calculate-wellbeing-score.';

COMMENT ON FUNCTION "private"."store_transcript_result"(uuid, jsonb) IS 'Stores the result of a transcript and opens a review on high risk, in one transaction; null when the check-in is not the student''s or the account was deleted. Called by the function api.';

COMMENT ON FUNCTION "private"."student_page"(text, text, private.student_sort, boolean, integer, integer) IS 'A page of the students that the caller may list at a university as its counselor. Called by public.list_students.';

COMMENT ON FUNCTION "private"."student_record"(uuid, integer) IS 'What the caller may see of a student as a counselor; null when nothing. Called by private.read_student_as_counselor.';

COMMENT ON FUNCTION "private"."student_rows"(text, text, private.student_sort, boolean, integer, integer) IS 'A page of the students of a university who consented to counselor_access. Called by private.student_page.';

COMMENT ON FUNCTION "private"."students_found"(text, text) IS 'How many students that the caller may list have a matching name. Called by public.list_students.';

COMMENT ON FUNCTION "private"."students_in_review"() IS 'Students with a review that is not closed, at universities where the caller is a counselor. Called by private.student_record.';

COMMENT ON FUNCTION "private"."students_listed"(text) IS 'How many students the caller may list at a university as its counselor. Called by public.list_students.';

COMMENT ON FUNCTION "private"."submit_check_in"(uuid, uuid, jsonb, jsonb, jsonb) IS 'Submits a check-in for analysis; calling it again changes nothing. Returns accepted, unchanged, expired, too_many_submissions or not_found. Called by the function checkins.';

COMMENT ON FUNCTION "private"."sync_counselor_access"() IS 'Trigger: copies to students whether the consent counselor_access is in force.';

COMMENT ON FUNCTION "private"."touch_updated_at"() IS 'Trigger: sets updated_at to the time of the change.';

COMMENT ON FUNCTION "private"."universities_administered"() IS 'Universities that the caller administers. Called by policies.';

COMMENT ON FUNCTION "private"."universities_counseled"() IS 'Universities where the caller is a counselor. Called by policies.';

COMMENT ON FUNCTION "private"."universities_joined"() IS 'Universities where the caller studies or has a role. Called by policies.';

COMMENT ON FUNCTION "private"."university_for"(text, text) IS 'University for an account with this email address that named that university at sign-up. Called by private.create_profile and by the edge functions.';

COMMENT ON FUNCTION "private"."university_of"(uuid) IS 'University of an account. Called by policies.';

COMMENT ON FUNCTION "private"."worker_of"(private.job_kind) IS 'Edge function that runs a kind of job. Called by private.dispatch_job.';

COMMENT ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) IS 'Figures of a university or of a cohort over 7d, 30d, 90d or 1y, up to the last aggregated day; cohort_breakdown holds average scores. Null when fewer than ten students would be shown or the caller does not administer the university. Called by university administrators.';

COMMENT ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) IS 'Average score, completion and students per day, by day, week or month of a range that ends with the last aggregated day. Null as for analytics_dashboard. Called by university administrators.';

COMMENT ON FUNCTION "public"."analytics_wellbeing"(text, text) IS 'Every cohort of one faculty, year or residence: students, completion, average score and its change against the preceding period of the same length, and risk. Null as for analytics_dashboard. Called by university administrators.';

COMMENT ON FUNCTION "public"."export_my_data"() IS 'Personal data of the caller: everything except clinical reviews and files, which are in the caller''s folders of the buckets. Called by students; logged in the audit log, at most once a minute.';

COMMENT ON FUNCTION "public"."list_open_reviews"() IS 'Open and claimed reviews with the students'' names, oldest first: an array. Called by counselors within a minute of log_access(''reviews_listed'').';

COMMENT ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) IS 'Students of a university who consented to counselor_access: {students, total}, at most 200 a page, sorted by name, last_check_in, score or risk. Called by its counselors within a minute of log_access(''students_listed''). Empty for others.';

COMMENT ON FUNCTION "public"."log_access"(public.audit_action, text, uuid) IS 'Logs in the audit log that the caller is about to read: students_listed of a university, student_read of a student, or reviews_listed. The read is then allowed for a minute. Called by counselors; false for others.';

COMMENT ON FUNCTION "public"."read_student"(uuid, integer) IS 'A student with the latest scores and risk levels, never transcripts or media; null when the caller may not see the student. Called by counselors within a minute of log_access(''student_read'').';

COMMENT ON FUNCTION "public"."verify_audit_chain"(bigint) IS 'Verifies the audit log from an entry on: whether it is intact, and if not, where. Called by security administrators, the secret key and operators; no row for others.';

COMMENT ON SCHEMA "checkin" IS 'Check-ins, their analyses and scores. Exposed read-only to the student who owns the rows.';

COMMENT ON SCHEMA "private" IS 'Never exposed: functions that policies use, the job queue, the outbox, inputs of check-ins, settings.';

COMMENT ON TABLE "checkin"."audio_analysis" IS '23 features of the recorded speech, with the quality of the recording.';

COMMENT ON TABLE "checkin"."check_ins" IS 'One row per check-in, from start to score.';

COMMENT ON TABLE "checkin"."fusion_results" IS 'Score of each check-in, with what explains it.';

COMMENT ON TABLE "checkin"."text_analysis" IS '16 features of the transcript, with its topics and the result of the crisis-language check.';

COMMENT ON TABLE "checkin"."user_baselines" IS 'Baseline of each student: their usual score and features.';

COMMENT ON TABLE "checkin"."visual_analysis" IS '18 features of face and gaze over the images, with their quality.';

COMMENT ON TABLE "private"."analysis_jobs" IS 'The queue: the analysis steps of check-ins that are being processed. The webhook only announces a job; the worker claims it here.';

COMMENT ON TABLE "private"."audit_head" IS 'Head of the audit log''s chain; its lock lets one transaction append at a time. Exactly one row.';

COMMENT ON TABLE "private"."check_in_inputs" IS 'What the student submitted besides media.';

COMMENT ON TABLE "private"."check_in_media" IS 'Media as it was when the check-in was submitted; a worker rejects objects that have changed since.';

COMMENT ON TABLE "private"."cohort_settings" IS 'Settings and progress of the daily rollup. Exactly one row.';

COMMENT ON TABLE "private"."crisis_contacts" IS 'Whom to notify of clinical reviews at each university; without a row, its support_email is notified.';

COMMENT ON TABLE "private"."listed_students" IS 'How many students of each university its counselors can list, so that listing does not have to count.';

COMMENT ON TABLE "private"."messaging_settings" IS 'Settings of the outbox that an operator can change without a deployment. Exactly one row.';

COMMENT ON TABLE "private"."outbox" IS 'Every email and text message. Stored in the transaction that causes it, then delivered.';

COMMENT ON TABLE "private"."pipeline_settings" IS 'Settings of the pipeline that an operator can change without a deployment. Exactly one row.';

COMMENT ON TABLE "private"."rate_limit_rules" IS 'How often one person may make which requests; an operator can change it without a deployment.';

COMMENT ON TABLE "private"."rate_limit_uses" IS 'Requests that were allowed within the current window; purged a day later.';

COMMENT ON TABLE "private"."student_days" IS 'Totals of each student''s check-ins of a day, until the daily rollup has aggregated the day.';

COMMENT ON TABLE "private"."transcript_results" IS 'Results of analysing transcripts with the language model, or with the built-in analysis in its place. Never the transcript itself.';

COMMENT ON TABLE "public"."assessment_sessions" IS 'Sessions of the app''s conversational widget.';

COMMENT ON TABLE "public"."audit_logs" IS 'Who did what, when and from where. Append-only; every entry holds the hash of the one before it.';

COMMENT ON TABLE "public"."clinical_reviews" IS 'One row per sign of high risk, for a counselor to handle. Opened in the transaction that stores the risk.';

COMMENT ON TABLE "public"."cohort_days" IS 'Check-ins of each aggregated day by cohort, never of fewer than ten students. Students of a cohort too small to show count in the next larger one.';

COMMENT ON TABLE "public"."cohort_snapshots" IS 'Snapshot of students and their risk by cohort and by how recent their last check-in is, as of the last aggregated day; never fewer than ten students a row.';

COMMENT ON TABLE "public"."consents" IS 'Each consent, with the version of the text agreed to; a withdrawn consent keeps its row.';

COMMENT ON TABLE "public"."profiles" IS 'One row per account, created with the account.';

COMMENT ON TABLE "public"."session_analyses" IS 'The latest analysis of each modality of a session.';

COMMENT ON TABLE "public"."session_scores" IS 'The latest score of each session.';

COMMENT ON TABLE "public"."students" IS 'One row per account with the student role: enrolment, and the result of the last check-in.';

COMMENT ON TABLE "public"."universities" IS 'Participating universities, with their branding, settings and contacts.';

COMMENT ON TABLE "public"."user_roles" IS 'Roles of each account. Looked up on every request, so that revoking one takes effect immediately.';

COMMENT ON TYPE "checkin"."check_in_status" IS 'created → processing → complete | failed; created → expired; failed → processing.';

COMMENT ON TYPE "checkin"."direction_of_change" IS 'Change against the student''s own baseline.';

COMMENT ON TYPE "checkin"."risk_level" IS 'Risk level; high means signs of a crisis.';

COMMENT ON TYPE "checkin"."significance" IS 'How clearly a change stands out from the student''s usual variation.';

COMMENT ON TYPE "private"."delivery_outcome" IS 'Outcome of an attempt; rejected means that another attempt cannot help.';

COMMENT ON TYPE "private"."job_kind" IS 'One step of a check-in''s analysis, small enough for one request to a worker.';

COMMENT ON TYPE "private"."job_status" IS 'queued → running → done | failed; running → queued when an attempt fails or its lease expires.';

COMMENT ON TYPE "private"."listed_student" IS 'A student as counselors see them.';

COMMENT ON TYPE "private"."message_channel" IS 'How a message reaches a person.';

COMMENT ON TYPE "private"."message_status" IS 'queued → sending → sent | unconfirmed | dead; sending → queued when the provider certainly did not send it.';

COMMENT ON TYPE "private"."student_sort" IS 'Sort orders of a list of students.';

COMMENT ON TYPE "public"."app_role" IS 'What a person may do. security_admin is global; the others belong to one university.';

COMMENT ON TYPE "public"."assessment_type" IS 'Occasion of an assessment or check-in.';

COMMENT ON TYPE "public"."audit_action" IS 'What an entry of the audit log records.';

COMMENT ON TYPE "public"."consent_kind" IS 'What a student agrees to: analysis of audio, of camera images and of the transcript, a support circle, access by counselors.';

COMMENT ON TYPE "public"."modality" IS 'What an analysis reads: audio, images or text.';

COMMENT ON TYPE "public"."review_source" IS 'Where the risk was found: in a check-in, an assessment session or a single transcript.';

COMMENT ON TYPE "public"."review_status" IS 'open → claimed → closed; claimed → open when it is released.';

COMMENT ON TYPE "public"."session_status" IS 'State of an assessment session.';

COMMENT ON VIEW "private"."undelivered_messages" IS 'Dead letters, and text messages that may not have been sent; without recipient, subject and body.';

COMMENT ON VIEW "public"."open_clinical_reviews" IS 'Open and claimed reviews. Only operators and public.list_open_reviews, which requires an entry in the access log, see the names.';

COMMENT ON VIEW "public"."risk_by_cohort" IS 'Students, how many are active, and risk among those active in the last 30 days, by cohort; a null faculty, year_of_study or residence means all.';

COMMENT ON VIEW "public"."wellbeing_by_day" IS 'Average score and completion rate of each aggregated day by cohort; a null faculty, year_of_study or residence means all.';

REVOKE ALL ON FUNCTION "private"."advance_check_in"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."advance_check_in"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."advance_check_in"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."aggregated_through"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."aggregated_through"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."aggregated_through"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."aggregated_through"() TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."aggregated_through"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit"(public.audit_action, text, text, text, jsonb, jsonb, jsonb, uuid, inet, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_chain_state"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."audit_chain_state"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."audit_chain_state"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_chain_state"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_chain_state"(bigint) TO "service_role";

REVOKE ALL ON FUNCTION "private"."audit_hash"(public.audit_logs) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_hash"(public.audit_logs) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_hash"(public.audit_logs) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_review"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_review"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_review"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_role"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_role"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_role"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_settings"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_settings"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_settings"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_sign_in"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_sign_in"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_sign_in"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_university"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_university"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_university"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_check_in"(uuid, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."broadcast_check_in"(uuid, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."broadcast_check_in"(uuid, text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_session"(uuid, text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."broadcast_session"(uuid, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."broadcast_session"(uuid, text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."broadcast_session_error"(uuid, uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."broadcast_session_error"(uuid, uuid, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."broadcast_session_error"(uuid, uuid, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."call_function"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."call_function"(text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."call_function"(text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."chain_audit_entry"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chain_audit_entry"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."chain_audit_entry"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."changed_columns"(jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."changed_columns"(jsonb, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."changed_columns"(jsonb, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."check_in_view"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_in_view"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."check_in_view"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."claim_job"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_job"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_job"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."claim_messages"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_messages"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_messages"(integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."cohort_grain"(text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."cohort_grain"(text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."cohort_grain"(text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cohort_grain"(text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."cohort_grain"(text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."consume_rate_limit"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."consume_rate_limit"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."consume_rate_limit"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."consume_user_rate_limit"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."count_check_in"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_check_in"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."count_check_in"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."count_listed_student"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_listed_student"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."count_listed_student"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."create_profile"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."create_profile"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."create_profile"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."crisis_resources"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."crisis_resources"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."crisis_resources"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_due_jobs"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_due_jobs"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_due_jobs"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_due_messages"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_due_messages"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_due_messages"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_job"(uuid, private.job_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_job"(uuid, private.job_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_job"(uuid, private.job_kind) TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_messages"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_messages"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_messages"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_new_jobs"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_new_jobs"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_new_jobs"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."enrol_student"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enrol_student"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."enrol_student"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."expire_check_ins"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."expire_check_ins"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."expire_check_ins"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."export_data"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."export_data"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."export_data"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."export_data"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."fail_check_in"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fail_check_in"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."fail_check_in"(uuid, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."fail_check_in_for_job"(uuid, smallint, text, checkin.risk_level) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fail_check_in_for_job"(uuid, smallint, text, checkin.risk_level) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."fail_check_in_for_job"(uuid, smallint, text, checkin.risk_level) TO "postgres";

REVOKE ALL ON FUNCTION "private"."fail_job"(uuid, smallint, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fail_job"(uuid, smallint, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."fail_job"(uuid, smallint, text, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."finish_job"(uuid, smallint, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."finish_job"(uuid, smallint, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."finish_job"(uuid, smallint, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."fusion_input"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fusion_input"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."fusion_input"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."guard_clinical_review"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_clinical_review"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."guard_clinical_review"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."guard_consent"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_consent"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."guard_consent"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."has_consent"(uuid, public.consent_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_consent"(uuid, public.consent_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."has_consent"(uuid, public.consent_kind) TO "postgres";

REVOKE ALL ON FUNCTION "private"."has_role"(uuid, public.app_role, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."has_role"(uuid, public.app_role, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."has_role"(uuid, public.app_role, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_security_admin"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_security_admin"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."is_security_admin"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_security_admin"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."list_reviews_as_counselor"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."list_reviews_as_counselor"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."list_reviews_as_counselor"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."list_reviews_as_counselor"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_check_in_for_job"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_check_in_for_job"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_check_in_for_job"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_session"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_session"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_session"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."log_access"(public.audit_action, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."log_access"(public.audit_action, text, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."log_access"(public.audit_action, text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."log_access"(public.audit_action, text, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."mark_provider_call"(uuid, smallint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_provider_call"(uuid, smallint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mark_provider_call"(uuid, smallint) TO "postgres";

REVOKE ALL ON FUNCTION "private"."move_student"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."move_student"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."move_student"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."notify_crisis_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_crisis_contact"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."notify_crisis_contact"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."open_clinical_review"(uuid, public.review_source, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."owns_check_in_channel"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."owns_check_in_channel"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."owns_check_in_channel"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."owns_check_in_channel"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."owns_session_channel"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."owns_session_channel"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."owns_session_channel"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."owns_session_channel"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."personal_data_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."personal_data_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."personal_data_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."prevent_audit_change"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."prevent_audit_change"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."prevent_audit_change"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_rate_limit_uses"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_rate_limit_uses"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_rate_limit_uses"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_sent_messages"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_sent_messages"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_sent_messages"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_transcript_results"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_transcript_results"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_transcript_results"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."range_days"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."range_days"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."range_days"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."range_days"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."range_days"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."read_student_as_counselor"(uuid, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_student_as_counselor"(uuid, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."read_student_as_counselor"(uuid, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."read_student_as_counselor"(uuid, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."record_delivery"(uuid, smallint, private.delivery_outcome, text, text, text, interval) TO "postgres";

REVOKE ALL ON FUNCTION "private"."release_claims"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."release_claims"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."release_claims"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."report_undelivered_messages"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."report_undelivered_messages"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."report_undelivered_messages"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."request_header"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_header"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."request_header"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."request_ip"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_ip"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."request_ip"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."requeue_message"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."requeue_message"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."requeue_message"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."require_access_log"(public.audit_action, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_access_log"(public.audit_action, text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."require_access_log"(public.audit_action, text, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."review_high_risk"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_high_risk"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."review_high_risk"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."roll_up_days"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."roll_up_days"(date) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."roll_up_days"(date) TO "postgres";

REVOKE ALL ON FUNCTION "private"."rollup_lock"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."rollup_lock"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."rollup_lock"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."schedule_first_dispatch"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."schedule_first_dispatch"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."schedule_first_dispatch"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."session_score_input"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."session_score_input"(uuid, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."session_score_input"(uuid, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_fusion_result"(uuid, smallint, jsonb, jsonb, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_fusion_result"(uuid, smallint, jsonb, jsonb, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."store_fusion_result"(uuid, smallint, jsonb, jsonb, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_session_analysis"(uuid, uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_session_analysis"(uuid, uuid, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."store_session_analysis"(uuid, uuid, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_session_score"(uuid, uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_session_score"(uuid, uuid, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."store_session_score"(uuid, uuid, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_transcript_result"(uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_transcript_result"(uuid, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."store_transcript_result"(uuid, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."student_page"(text, text, private.student_sort, boolean, integer, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."student_page"(text, text, private.student_sort, boolean, integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."student_page"(text, text, private.student_sort, boolean, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."student_page"(text, text, private.student_sort, boolean, integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."student_record"(uuid, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."student_record"(uuid, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."student_record"(uuid, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."student_rows"(text, text, private.student_sort, boolean, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."student_rows"(text, text, private.student_sort, boolean, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."student_rows"(text, text, private.student_sort, boolean, integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."students_found"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."students_found"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."students_found"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."students_found"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."students_in_review"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."students_in_review"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."students_in_review"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."students_listed"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."students_listed"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."students_listed"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."students_listed"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."submit_check_in"(uuid, uuid, jsonb, jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."submit_check_in"(uuid, uuid, jsonb, jsonb, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."submit_check_in"(uuid, uuid, jsonb, jsonb, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."sync_counselor_access"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sync_counselor_access"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."sync_counselor_access"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."touch_updated_at"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."touch_updated_at"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."touch_updated_at"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."universities_administered"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."universities_administered"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."universities_administered"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."universities_administered"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."universities_counseled"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."universities_counseled"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."universities_counseled"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."universities_counseled"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."universities_joined"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."universities_joined"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."universities_joined"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."universities_joined"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."university_for"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."university_for"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."university_for"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."university_of"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."university_of"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."university_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."university_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."worker_of"(private.job_kind) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."worker_of"(private.job_kind) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."worker_of"(private.job_kind) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_dashboard"(text, text, text, text, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_trends"(text, text, text, text, text, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."analytics_wellbeing"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."analytics_wellbeing"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_wellbeing"(text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."analytics_wellbeing"(text, text) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."export_my_data"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."export_my_data"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."export_my_data"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_open_reviews"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_open_reviews"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_open_reviews"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_students"(text, text, text, boolean, integer, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."log_access"(public.audit_action, text, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."log_access"(public.audit_action, text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."log_access"(public.audit_action, text, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_student"(uuid, integer) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_student"(uuid, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_student"(uuid, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."verify_audit_chain"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."verify_audit_chain"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."verify_audit_chain"(bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."verify_audit_chain"(bigint) TO "service_role";

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

REVOKE ALL ON TABLE "public"."audit_logs" FROM "authenticated";

GRANT SELECT ON TABLE "public"."audit_logs" TO "authenticated";

REVOKE ALL ON TABLE "public"."audit_logs" FROM "service_role";

GRANT SELECT ON TABLE "public"."audit_logs" TO "service_role";

REVOKE ALL ON TABLE "public"."clinical_reviews" FROM "authenticated";

REVOKE ALL ("status") ON TABLE "public"."clinical_reviews" FROM "authenticated";

GRANT UPDATE ("status") ON TABLE "public"."clinical_reviews" TO "authenticated";

GRANT SELECT ON TABLE "public"."clinical_reviews" TO "authenticated";

REVOKE ALL ON TABLE "public"."clinical_reviews" FROM "service_role";

REVOKE ALL ("claimed_by") ON TABLE "public"."clinical_reviews" FROM "service_role";

GRANT UPDATE ("claimed_by") ON TABLE "public"."clinical_reviews" TO "service_role";

REVOKE ALL ("closed_by") ON TABLE "public"."clinical_reviews" FROM "service_role";

GRANT UPDATE ("closed_by") ON TABLE "public"."clinical_reviews" TO "service_role";

REVOKE ALL ("status") ON TABLE "public"."clinical_reviews" FROM "service_role";

GRANT UPDATE ("status") ON TABLE "public"."clinical_reviews" TO "service_role";

GRANT SELECT ON TABLE "public"."clinical_reviews" TO "service_role";

REVOKE ALL ON TABLE "public"."cohort_days" FROM "authenticated";

GRANT SELECT ON TABLE "public"."cohort_days" TO "authenticated";

REVOKE ALL ON TABLE "public"."cohort_days" FROM "service_role";

GRANT SELECT ON TABLE "public"."cohort_days" TO "service_role";

REVOKE ALL ON TABLE "public"."cohort_snapshots" FROM "authenticated";

GRANT SELECT ON TABLE "public"."cohort_snapshots" TO "authenticated";

REVOKE ALL ON TABLE "public"."cohort_snapshots" FROM "service_role";

GRANT SELECT ON TABLE "public"."cohort_snapshots" TO "service_role";

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

REVOKE ALL ON TABLE "public"."session_analyses" FROM "authenticated";

GRANT SELECT ON TABLE "public"."session_analyses" TO "authenticated";

REVOKE ALL ON TABLE "public"."session_analyses" FROM "service_role";

GRANT SELECT ON TABLE "public"."session_analyses" TO "service_role";

REVOKE ALL ON TABLE "public"."session_scores" FROM "authenticated";

GRANT SELECT ON TABLE "public"."session_scores" TO "authenticated";

REVOKE ALL ON TABLE "public"."session_scores" FROM "service_role";

GRANT SELECT ON TABLE "public"."session_scores" TO "service_role";

REVOKE ALL ON TABLE "public"."students" FROM "authenticated";

REVOKE ALL ("faculty") ON TABLE "public"."students" FROM "authenticated";

GRANT UPDATE ("faculty") ON TABLE "public"."students" TO "authenticated";

REVOKE ALL ("residence") ON TABLE "public"."students" FROM "authenticated";

GRANT UPDATE ("residence") ON TABLE "public"."students" TO "authenticated";

REVOKE ALL ("year_of_study") ON TABLE "public"."students" FROM "authenticated";

GRANT UPDATE ("year_of_study") ON TABLE "public"."students" TO "authenticated";

GRANT SELECT ON TABLE "public"."students" TO "authenticated";

REVOKE ALL ON TABLE "public"."students" FROM "service_role";

REVOKE ALL ("faculty") ON TABLE "public"."students" FROM "service_role";

GRANT UPDATE ("faculty") ON TABLE "public"."students" TO "service_role";

REVOKE ALL ("residence") ON TABLE "public"."students" FROM "service_role";

GRANT UPDATE ("residence") ON TABLE "public"."students" TO "service_role";

REVOKE ALL ("year_of_study") ON TABLE "public"."students" FROM "service_role";

GRANT UPDATE ("year_of_study") ON TABLE "public"."students" TO "service_role";

GRANT SELECT ON TABLE "public"."students" TO "service_role";

REVOKE ALL ON TABLE "public"."universities" FROM "authenticated";

REVOKE ALL ("assessment_frequency") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("assessment_frequency") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("crisis_phone") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("crisis_phone") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("features_enabled") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("features_enabled") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("logo_url") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("logo_url") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("name") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("name") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("primary_color") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("primary_color") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("privacy_settings") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("privacy_settings") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("resources") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("resources") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("secondary_color") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("secondary_color") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("short_name") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("short_name") ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ("support_email") ON TABLE "public"."universities" FROM "authenticated";

GRANT UPDATE ("support_email") ON TABLE "public"."universities" TO "authenticated";

GRANT SELECT ON TABLE "public"."universities" TO "authenticated";

REVOKE ALL ON TABLE "public"."universities" FROM "service_role";

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE "public"."universities" TO "service_role";

REVOKE ALL ON TABLE "public"."user_roles" FROM "authenticated";

GRANT SELECT ON TABLE "public"."user_roles" TO "authenticated";

REVOKE ALL ON TABLE "public"."user_roles" FROM "service_role";

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE "public"."user_roles" TO "service_role";

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "authenticated";

GRANT SELECT ON TABLE "public"."open_clinical_reviews" TO "authenticated";

REVOKE ALL ON TABLE "public"."open_clinical_reviews" FROM "service_role";

GRANT SELECT ON TABLE "public"."open_clinical_reviews" TO "service_role";

REVOKE ALL ON TABLE "public"."risk_by_cohort" FROM "authenticated";

GRANT SELECT ON TABLE "public"."risk_by_cohort" TO "authenticated";

REVOKE ALL ON TABLE "public"."risk_by_cohort" FROM "service_role";

GRANT SELECT ON TABLE "public"."risk_by_cohort" TO "service_role";

REVOKE ALL ON TABLE "public"."wellbeing_by_day" FROM "authenticated";

GRANT SELECT ON TABLE "public"."wellbeing_by_day" TO "authenticated";

REVOKE ALL ON TABLE "public"."wellbeing_by_day" FROM "service_role";

GRANT SELECT ON TABLE "public"."wellbeing_by_day" TO "service_role";

ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" REVOKE ALL ON FUNCTIONS FROM PUBLIC;

SELECT cron.schedule_in_database('daily-rollup', '12 * * * *', ' select private.roll_up_days((now() at time zone ''UTC'')::date - 1) ', 'postgres', NULL, true);

SELECT cron.schedule_in_database('dispatch-due-jobs', '10 seconds', 'select private.dispatch_due_jobs()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('dispatch-due-messages', '10 seconds', 'select private.dispatch_due_messages()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('purge-cron-runs', '17 3 * * *', ' delete from cron.job_run_details where end_time < now() - interval ''7 days'' ', 'postgres', NULL, true);

SELECT cron.schedule_in_database('purge-rate-limit-uses', '47 3 * * *', 'select private.purge_rate_limit_uses()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('purge-sent-messages', '27 3 * * *', 'select private.purge_sent_messages()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('purge-transcript-results', '37 3 * * *', 'select private.purge_transcript_results()', 'postgres', NULL, true);

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

-- No policies: this file holds rows, not tables.

-- Rows that the schema needs. Each statement can be run again; every migration ends with them, because a diff contains no rows.
insert into private.audit_head default values on conflict do nothing;
insert into private.cohort_settings default values on conflict do nothing;
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.rate_limit_rules (scope, requests)
values
  ('data-api', 100),
  ('file-upload', 10),
  ('bulk', 5),
  ('analyze-audio', 10),
  ('analyze-visual', 5),
  ('analyze-text', 20),
  ('calculate-wellbeing-score', 10),
  ('textmodel', 20),
  ('check-in-start', 10),
  ('check-in-complete', 10),
  ('check-in-get', 120)
on conflict do nothing;
insert into private.rate_limit_rules (scope, requests, period)
values
  ('sign-in', 10, '5 minutes'),
  ('sign-up', 5, '1 hour'),
  ('refresh', 30, '5 minutes')
on conflict do nothing;
insert into public.students (user_id, university_id, counselor_access)
select p.user_id, p.university_id, private.has_consent(p.user_id, 'counselor_access')
from public.profiles p
where exists (select from public.user_roles r where r.user_id = p.user_id and r.role = 'student')
on conflict do nothing;

select cron.schedule('dispatch-due-jobs', '10 seconds', 'select private.dispatch_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule('dispatch-due-messages', '10 seconds', 'select private.dispatch_due_messages()');
select cron.schedule('daily-rollup', '12 * * * *', $$ select private.roll_up_days((now() at time zone 'UTC')::date - 1) $$);
select cron.schedule('purge-rate-limit-uses', '47 3 * * *', 'select private.purge_rate_limit_uses()');
select cron.schedule('purge-sent-messages', '27 3 * * *', 'select private.purge_sent_messages()');
select cron.schedule('purge-transcript-results', '37 3 * * *', 'select private.purge_transcript_results()');
select cron.schedule(
  'purge-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);
